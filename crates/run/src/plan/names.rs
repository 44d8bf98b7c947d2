//! Classifies files by name, and converts between paths and names.

use huller_archive::InputKind;
use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

fn lower_name(path: &Path) -> String {
    path.file_name().map(|name| name.display().to_string().to_ascii_lowercase()).unwrap_or_default()
}

/// Whether a file found in a folder is an archive by its name.
pub fn is_archive(path: &Path) -> bool {
    InputKind::from_name(path).is_some_and(InputKind::is_archive)
}

/// Whether a file is an HTML page by its name.
pub(crate) fn is_html(path: &Path) -> bool {
    InputKind::from_name(path) == Some(InputKind::Page)
}

/// Whether a file given by name is a list of paths.
pub(crate) fn is_manifest(path: &Path) -> bool {
    InputKind::from_name(path) == Some(InputKind::List) && !lower_name(path).ends_with(".warc.txt")
}

/// Returns the kind of a file that is not an input, by the end of its name: `.pdf`, `.json.gz`, or
/// `other`.
pub(crate) fn kind(path: &Path) -> String {
    const COMPRESSED: [&str; 5] = ["gz", "zst", "bz2", "xz", "lz4"];
    let is_kind = |end: &str| {
        (1..=8).contains(&end.len())
            && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && end.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let name = lower_name(path);
    match name.rsplit_once('.') {
        Some((rest, end)) if is_kind(end) => match rest.rsplit_once('.') {
            Some((_, inner)) if COMPRESSED.contains(&end) && is_kind(inner) => {
                format!(".{inner}.{end}")
            }
            _ => format!(".{end}"),
        },
        _ => "other".to_owned(),
    }
}

/// Returns the name of a path for run files and rows. Bytes that are not UTF-8 become `\\xNN`, and
/// backslashes are doubled. So different paths have different names, and [`path_of`] recovers the
/// path.
pub fn name_of(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        name.push_str(&chunk.valid().replace('\\', "\\\\"));
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(name, "\\x{byte:02x}");
        }
    }
    name
}

/// Returns the path that has this name.
pub fn path_of(name: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let byte = after.strip_prefix('x').and_then(|code| code.get(..2));
        let byte = byte.and_then(|code| u8::from_str_radix(code, 16).ok());
        rest = if let Some(byte) = byte {
            bytes.push(byte);
            &after[3..]
        } else {
            bytes.push(b'\\');
            after.strip_prefix('\\').unwrap_or(after)
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    PathBuf::from(OsString::from_vec(bytes))
}

/// Returns the name of an input without the suffixes of its formats.
pub(crate) fn stem(path: &Path) -> PathBuf {
    InputKind::stem_of(path).map(PathBuf::from).unwrap_or_default()
}

/// Returns the name of a folder, even if it was given as `.` or `..`.
pub(crate) fn folder_name(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    real.file_name().map_or_else(|| PathBuf::from("pages"), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_a_name_of_its_own_and_is_found_by_it() {
        let paths: [&[u8]; 9] = [
            b"a/b.warc.gz",
            b"a\xff.warc",
            b"a\xfe.warc",
            b"a\\xff.warc",
            b"\\",
            b"\\\\x00",
            "ä\u{1b}\n".as_bytes(),
            b"\xc3",
            b"x\xe4\xb8/\\x",
        ];
        let path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
        let names: Vec<_> = paths.iter().map(|bytes| name_of(&path(bytes))).collect();
        for (bytes, name) in paths.iter().zip(&names) {
            assert_eq!(path_of(name), path(bytes), "{name}");
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        }
        assert_eq!(names[0], "a/b.warc.gz");
        assert_eq!(names[1], "a\\xff.warc");
    }

    #[test]
    fn stems_lose_all_known_suffixes() {
        for (name, expected) in [
            ("CC-MAIN-1.warc.gz", "CC-MAIN-1"),
            ("a/b/x.jsonl.zst", "x"),
            ("x.arc", "x"),
            ("x.ndjson.zst", "x"),
            ("x.TAB", "x"),
            ("x.warc.wet.gz", "x.warc.wet"),
            ("v1.2.warc", "v1.2"),
            ("x.warc.gz.open", "x.warc.gz.open"),
            ("X.WARC.GZ", "X"),
            ("site.tar.zst", "site"),
            ("site.tgz", "site"),
            ("v1.2.zip", "v1.2"),
        ] {
            assert_eq!(stem(Path::new(name)), Path::new(expected), "{name}");
        }
    }

    #[test]
    fn files_that_are_no_inputs_have_a_kind() {
        for (name, expected) in [
            ("a/b.PDF", ".pdf"),
            ("x.arc.gz", ".arc.gz"),
            ("x.json.gz", ".json.gz"),
            ("v1.2.gz", ".gz"),
            ("README", "other"),
            ("x.a-b", "other"),
            ("_SUCCESS", "other"),
            ("x.warc.gz.md5", ".md5"),
        ] {
            assert_eq!(kind(Path::new(name)), expected, "{name}");
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
