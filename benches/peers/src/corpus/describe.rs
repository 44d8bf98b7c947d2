//! Counts the records of a corpus that `make-corpus` did not make, such as a file of Common Crawl.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::Result;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::manifest::{Manifest, name_of};
use super::page::is_page;
use super::source;

/// Reads the whole file, once for its records and once for its digest.
pub fn describe(corpus: &Path) -> Result<Manifest> {
    let mut manifest = Manifest { name: name_of(corpus), ..Manifest::default() };
    source::for_each(corpus, |record| {
        manifest.records += 1;
        manifest.pages += u64::from(is_page(record));
        manifest.raw_bytes += record.raw_len();
        Ok(())
    })?;

    let mut file = BufReader::new(File::open(corpus)?);
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
        manifest.compressed_bytes += read as u64;
    }
    manifest.sha256 = HEXLOWER.encode(&digest.finalize());
    Ok(manifest)
}
