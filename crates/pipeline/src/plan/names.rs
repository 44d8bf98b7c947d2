//! What a file name says.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn lower_name(path: &Path) -> String {
    path.file_name().map(|name| name.display().to_string().to_ascii_lowercase()).unwrap_or_default()
}

fn without_compression(name: &str) -> &str {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name)
}

/// Whether a file found in a folder is an archive by its name.
pub(super) fn is_archive(path: &Path) -> bool {
    let name = lower_name(path);
    [".warc", ".jsonl", ".ndjson"].iter().any(|suffix| without_compression(&name).ends_with(suffix))
}

/// Whether a file is an HTML page by its name.
pub(super) fn is_html(path: &Path) -> bool {
    let name = lower_name(path);
    [".html", ".htm", ".xhtml"].iter().any(|suffix| name.ends_with(suffix))
}

/// Whether a file given by name lists paths.
pub(super) fn is_manifest(path: &Path) -> bool {
    let name = lower_name(path);
    let name = without_compression(&name);
    !name.ends_with(".warc.txt")
        && [".paths", ".txt", ".list"].iter().any(|suffix| name.ends_with(suffix))
}

/// The name of an input without the suffixes of its formats.
pub(super) fn stem(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    loop {
        let path = Path::new(&name);
        let extension =
            path.extension().map(|extension| extension.display().to_string().to_ascii_lowercase());
        let known = ["warc", "arc", "wacz", "jsonl", "gz", "zst"];
        match (path.file_stem(), extension) {
            (Some(shorter), Some(extension)) if known.contains(&extension.as_str()) => {
                name = OsString::from(shorter);
            }
            _ => return PathBuf::from(name),
        }
    }
}

/// The name of a folder, also where it was given as `.` or `..`.
pub(super) fn folder_name(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    real.file_name().map_or_else(|| PathBuf::from("pages"), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_lose_all_known_suffixes() {
        for (name, expected) in [
            ("CC-MAIN-1.warc.gz", "CC-MAIN-1"),
            ("a/b/x.jsonl.zst", "x"),
            ("x.arc", "x"),
            ("v1.2.warc", "v1.2"),
            ("x.warc.gz.open", "x.warc.gz.open"),
            ("X.WARC.GZ", "X"),
        ] {
            assert_eq!(stem(Path::new(name)), Path::new(expected), "{name}");
        }
    }

    #[test]
    fn names_tell_what_a_file_is() {
        assert!(is_archive(Path::new("a.WARC.gz")) && is_archive(Path::new("a.jsonl.zst")));
        assert!(!is_archive(Path::new("a.warc.gz.md5")) && !is_archive(Path::new("a.cdx.gz")));
        assert!(is_html(Path::new("a.HTM")) && !is_html(Path::new("a.html.gz")));
        assert!(
            is_manifest(Path::new("warc.paths.gz")) && !is_manifest(Path::new("sample.warc.txt"))
        );
    }
}
