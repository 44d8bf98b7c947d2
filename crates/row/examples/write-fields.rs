//! Updates the table of fields in the documents that contain it.

use huller_row::document::{documents, with_section};
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, section) in documents() {
        let text = fs::read_to_string(root.join(path))?;
        let text = with_section(&text, &section)
            .ok_or_else(|| io::Error::other(format!("{path} has no section of fields")))?;
        fs::write(root.join(path), text)?;
    }
    Ok(())
}
