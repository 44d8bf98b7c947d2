//! Writes a large corpus with damaged records, for `scripts/lab/faults/long_run.py`.
//!
//! `damaged-corpus DIR BYTES SEED LIST` writes archives of at least BYTES bytes, uncompressed, into
//! the new folder DIR. It writes the expected outcome of each record to LIST, and prints the
//! numbers of bytes and files.

use huller_testkit::damage::corpus;
use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, bytes, seed, list] = &arguments[..] else {
        return Err("usage: damaged-corpus DIR BYTES SEED LIST".into());
    };
    let (bytes, files) =
        corpus::write(Path::new(folder), bytes.parse()?, seed.parse()?, Path::new(list))?;
    writeln!(stdout(), "{bytes} {files}")?;
    Ok(())
}
