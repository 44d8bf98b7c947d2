//! The encoding tests of html5lib, which test the prescan of browsers.
#![expect(clippy::print_stderr, reason = "a test says what it compared")]

use huller_archive::charset::{self, CharsetSource};
use huller_testkit::{needs_shared, shared};
use memchr::memmem;
use std::path::Path;

needs_shared!(html5lib_encoding_cases);

/// Beginnings of the cases whose declaration lies after the first 1,024 bytes. The suite leaves it
/// to the program how many bytes to look at; the standard proposes 1,024.
const BEYOND_THE_PRESCAN: [&[u8]; 7] = [
    b"<!-- 2048 characters",
    b"<!-- 2049 characters",
    b"<!-- 4096 characters",
    b"<!-- 4097 characters",
    b"<!-- 8192 characters",
    b"<!-- 8193 characters",
    b"<!-- multi-script test -->",
];

fn html5lib_encoding_cases() {
    let mut cases = 0;
    let mut excepted = 0;
    let mut wrong = Vec::new();
    // `scripted` needs a script engine.
    let wanted = |path: &str| {
        path.contains("html5lib-tests/encoding/")
            && !path.contains("/scripted/")
            && Path::new(path).extension().is_some_and(|extension| extension == "dat")
    };
    for (name, file) in shared::hostile_files(wanted) {
        for (page, expected) in self::cases(&file) {
            cases += 1;
            let found = charset::detect(page, None, None);
            // Without a declaration the suite expects windows-1252. This crate guesses by the text,
            // so a guess counts as that.
            let declared = matches!(found.source, CharsetSource::Bom | CharsetSource::Meta);
            let label = if declared { found.label() } else { "windows-1252" };
            if BEYOND_THE_PRESCAN.iter().any(|start| page.starts_with(start)) {
                assert!(memmem::find(page, b"<meta").is_some_and(|at| at >= 1024), "{name}");
                assert!(!declared, "{name}");
                excepted += 1;
            } else if !label.eq_ignore_ascii_case(expected) {
                wrong.push(format!(
                    "{name}: {label}, not {expected}: {}",
                    page[..page.len().min(200)].escape_ascii()
                ));
            }
        }
    }
    eprintln!("{cases} cases, {excepted} of them beyond the prescan, {} wrong", wrong.len());
    assert_eq!((cases, excepted), (82, BEYOND_THE_PRESCAN.len()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The cases of a file: data, name of the encoding.
fn cases(file: &[u8]) -> impl Iterator<Item = (&[u8], &str)> {
    let mut rest = file;
    std::iter::from_fn(move || {
        let start = memmem::find(rest, b"#data\n")? + 6;
        let end = start + memmem::find(&rest[start..], b"#encoding\n")?;
        let label = &rest[end + 10..];
        let label = &label[..memchr::memchr(b'\n', label).unwrap_or(label.len())];
        let page = rest[start..end].strip_suffix(b"\n").unwrap_or(&rest[start..end]);
        rest = &rest[end + 10 + label.len()..];
        Some((page, str::from_utf8(label).expect("the name of an encoding").trim()))
    })
}
