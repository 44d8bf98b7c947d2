//! Files of numbers that a run needs until it ends. They have no names, so they go when the program
//! does, however that ends.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Makes an empty file without a name in a folder, which is made if it isn't there.
pub(crate) fn create(folder: &Path) -> io::Result<File> {
    fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder)
}

/// Appends the numbers in bytes, which are whole ones.
pub(crate) fn extend(numbers: &mut Vec<u32>, bytes: &[u8]) {
    numbers.extend(bytes.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)));
}
