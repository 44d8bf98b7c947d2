//! Regenerates the table of extractors in `docs/methods.md`.

use huller_extract::document::with_table;
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/methods.md");
    let document = with_table(&fs::read_to_string(&path)?);
    let document =
        document.ok_or_else(|| io::Error::other("docs/methods.md has no table of methods"))?;
    fs::write(path, document)
}
