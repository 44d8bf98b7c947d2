//! Creates files that a run needs until it ends, and reads numbers of them. They have no names, so
//! the system removes them at every end of the program.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Creates an empty file without a name in a folder. Creates the folder if it is missing.
///
/// # Errors
///
/// The folder or the file cannot be created.
pub fn create(folder: &Path) -> io::Result<File> {
    fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder)
}

/// Appends the numbers in `bytes`, which hold whole numbers only.
pub fn extend(numbers: &mut Vec<u32>, bytes: &[u8]) {
    numbers.extend(bytes.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)));
}
