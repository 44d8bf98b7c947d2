//! Compresses and writes a corpus: gzip level 6, one member per record.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::manifest::{Manifest, name_of};
use super::page::StoredPage;
use super::plan::Slot;

/// The level that crawlers use.
const LEVEL: u32 = 6;
/// Number of records that are compressed together; bounds their memory.
const ROUND: usize = 256;

/// A compressed record, and its size before compression.
struct Member {
    bytes: Vec<u8>,
    raw: u64,
}

/// Writes a warcinfo record and then `slots` to `path`. The file appears only when it is complete.
pub fn write(pages: &[StoredPage], slots: &[Slot], seed: u64, path: &Path) -> Result<Manifest> {
    let part = path.with_extension("gz.part");
    let manifest = write_part(pages, slots, seed, &part)
        .with_context(|| format!("cannot write '{}'", part.display()))?;
    fs::rename(&part, path)?;
    Ok(Manifest { name: name_of(path), ..manifest })
}

fn write_part(pages: &[StoredPage], slots: &[Slot], seed: u64, part: &Path) -> Result<Manifest> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(part)?);
    let mut digest = Sha256::new();
    let mut manifest = Manifest::default();
    let mut put = |member: Member| -> Result<()> {
        digest.update(&member.bytes);
        manifest.records += 1;
        manifest.raw_bytes += member.raw;
        manifest.compressed_bytes += member.bytes.len() as u64;
        Ok(file.write_all(&member.bytes)?)
    };

    put(compress(&warcinfo(slots.len(), seed))?)?;
    for round in slots.chunks(ROUND) {
        let members: Result<Vec<Member>> = round
            .par_iter()
            .map(|slot| {
                let mut record = Vec::new();
                pages[slot.page].write(slot.copy, &mut record)?;
                compress(&record)
            })
            .collect();
        members?.into_iter().try_for_each(&mut put)?;
    }
    file.flush()?;

    manifest.pages = slots.len() as u64;
    manifest.sha256 = HEXLOWER.encode(&digest.finalize());
    Ok(manifest)
}

fn compress(record: &[u8]) -> Result<Member> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder.write_all(record)?;
    Ok(Member { bytes: encoder.finish()?, raw: record.len() as u64 })
}

/// The warcinfo record. It holds no date, so that the same corpus can be made again.
fn warcinfo(pages: usize, seed: u64) -> Vec<u8> {
    let block = format!(
        "software: make-corpus of huller\r\nformat: WARC File Format 1.0\r\n\
         description: {pages} pages, seed {seed}\r\n"
    );
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, block.as_bytes());
    format!(
        "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:{id}>\r\nContent-Type: application/warc-fields\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
    .into_bytes()
}
