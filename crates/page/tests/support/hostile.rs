//! Files of other projects' test suites, from one archive.

use super::shared::shared_file;
use std::fs::File;
use std::io::Read;

/// All files of `hostile.tar.zst` whose path `wanted` accepts, with their paths, in byte order of these. `None` where there
/// is no archive.
pub(crate) fn hostile_files(wanted: impl Fn(&str) -> bool) -> Option<Vec<(String, Vec<u8>)>> {
    let archive = File::open(shared_file("hostile.tar.zst")?).expect("the archive opens");
    let mut archive = tar::Archive::new(zstd::Decoder::new(archive).expect("the archive is zstd"));
    let mut files = Vec::new();
    for entry in archive.entries().expect("the archive is tar") {
        let mut entry = entry.expect("the archive is whole");
        let path = entry
            .path()
            .expect("paths are Unicode")
            .to_str()
            .expect("paths are Unicode")
            .to_owned();
        let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
        if entry.header().entry_type().is_file() && wanted(&path) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("the archive is whole");
            files.push((path, bytes));
        }
    }
    files.sort();
    Some(files)
}
