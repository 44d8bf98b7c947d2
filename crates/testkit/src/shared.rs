//! Finds the project's shared files: test inputs by others that are not part of the repository.
//!
//! They are in the folder that `HULLER_SHARED` names, or in `shared` beside the repository.

use std::io::Read;
use std::path::PathBuf;

/// Makes tests of functions without arguments that read the shared files. The tests are in a module
/// `shared_files`. If the files were missing when this crate was built, the tests are ignored.
#[cfg(shared)]
#[macro_export]
macro_rules! needs_shared {
    ($($test:ident),+ $(,)?) => {
        mod shared_files {
            $(#[test]
            fn $test() {
                super::$test();
            })+
        }
    };
}

/// Makes tests of functions without arguments that read the shared files. The tests are in a module
/// `shared_files`. If the files were missing when this crate was built, the tests are ignored.
#[cfg(not(shared))]
#[macro_export]
macro_rules! needs_shared {
    ($($test:ident),+ $(,)?) => {
        mod shared_files {
            $(#[test]
            #[ignore = "needs the project's shared files: $HULLER_SHARED, or the folder shared beside the repository"]
            fn $test() {
                super::$test();
            })+
        }
    };
}

/// Returns the path of a shared file or folder. Panics if it does not exist.
#[track_caller]
pub fn path(part: &str) -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("HULLER_SHARED").map_or_else(beside, PathBuf::from);
    let path = folder.join(part);
    assert!(path.exists(), "no {}: set HULLER_SHARED", path.display());
    path
}

/// Returns the files of other projects' test suites (`hostile.tar.zst`) whose path `is_wanted`
/// accepts. Each has its path and content, in byte order of the paths.
#[track_caller]
pub fn hostile_files(is_wanted: impl Fn(&str) -> bool) -> Vec<(String, Vec<u8>)> {
    let archive = std::fs::File::open(path("hostile.tar.zst")).expect("the archive opens");
    let mut archive = tar::Archive::new(zstd::Decoder::new(archive).expect("the archive is zstd"));
    let mut files = Vec::new();
    for entry in archive.entries().expect("the archive is tar") {
        let mut entry = entry.expect("the archive is whole");
        let path = entry.path().expect("a path").to_str().expect("paths are Unicode").to_owned();
        let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
        if entry.header().entry_type().is_file() && is_wanted(&path) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("the archive is whole");
            files.push((path, bytes));
        }
    }
    files.sort();
    files
}
