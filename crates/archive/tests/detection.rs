//! Real files in 51 encodings (the tests of chardet): each must give the text that browsers show,
//! by its declarations and bytes alone.
#![expect(clippy::print_stderr, reason = "a test says what it compared")]

use encoding_rs::Encoding;
use huller_archive::charset;
use huller_testkit::{needs_shared, shared};

needs_shared!(chardet_files_have_the_text_of_their_folders);

/// Folders with files that no browser can read without a charset from HTTP, and why.
const EXCLUDED: [(&str, &str); 11] = [
    ("EUC-TW", "not in the Encoding Standard"),
    ("IBM855", "not in the Encoding Standard"),
    ("Johab", "not in the Encoding Standard"),
    ("UTF-32", "not in the Encoding Standard"),
    ("UTF-32BE", "not in the Encoding Standard"),
    ("UTF-32LE", "not in the Encoding Standard"),
    ("iso-2022-kr", "deliberately unreadable in the Encoding Standard"),
    ("MacCyrillic", "declared in no file, and no browser guesses it"),
    ("MacRoman", "declared in no file, and no browser guesses it"),
    (
        "UTF-16BE",
        "no byte order mark; a declaration within could not be read, and no browser guesses it",
    ),
    (
        "UTF-16LE",
        "no byte order mark; a declaration within could not be read, and no browser guesses it",
    ),
];

/// Encodings of folders whose name is no label of the Encoding Standard, or the label of another
/// encoding.
const LABELS: [(&str, &str); 5] = [
    ("CP932", "shift_jis"),
    ("CP949", "euc-kr"),
    ("UTF-16", "utf-16le"), // or big-endian: the byte order mark says which
    ("utf-8-sig", "utf-8"),
    ("GB2312", "gbk"),
];

/// Least share, in percent, of the files that must have exactly the text in the encoding of their
/// folder.
const RIGHT: f64 = 97.0;

fn encoding_of(folder: &str, file: &[u8]) -> &'static Encoding {
    if folder == "UTF-16" {
        return Encoding::for_bom(file).expect("these have a byte order mark").0;
    }
    let label = LABELS.iter().find(|(name, _)| *name == folder).map_or(folder, |(_, label)| label);
    // `iso-8859-2-polish` names a language too.
    let mut label = label;
    loop {
        if let Some(encoding) = Encoding::for_label(label.as_bytes()) {
            return encoding;
        }
        label = label.rsplit_once('-').unwrap_or_else(|| panic!("{folder} names no encoding")).0;
    }
}

fn chardet_files_have_the_text_of_their_folders() {
    let (mut all, mut files, mut texts, mut labels) = (0, 0, 0, 0);
    let mut misses = Vec::new();
    for (name, file) in shared::hostile_files(|path| path.contains("chardet/tests/")) {
        let Some((_, place)) = name.split_once("chardet/tests/") else { continue };
        let Some((folder, _)) = place.split_once('/') else { continue };
        all += 1;
        if EXCLUDED.iter().any(|(excluded, _)| *excluded == folder) {
            continue;
        }
        files += 1;
        let expected = encoding_of(folder, &file);
        let found = charset::detect(&file, None, None);
        let mut buffer = String::new();
        let text = charset::decode_into(&file, found, &mut buffer);
        let is_right = text == expected.decode(&file).0;
        // That a declaration can be overruled makes no file worse.
        let mut buffer = String::new();
        let page = charset::decode_page(&file, None, None, usize::MAX, &mut buffer);
        let page_is_right = page.text == expected.decode(&file).0;
        if is_right != page_is_right {
            eprintln!("{place}: {} by {}", page.charset.label(), page.charset.source.name());
        }
        assert!(page_is_right || !is_right, "{place}");
        texts += usize::from(is_right);
        // ASCII is UTF-8 too.
        labels += usize::from(found.encoding == expected || folder == "ascii" && is_right);
        if !is_right {
            misses.push(format!("{place}: {} by {}", found.label(), found.source.name()));
        }
    }
    let share = |count: usize| 100.0 * count as f64 / f64::from(files);
    eprintln!(
        "{files} of {all} files: text right {texts} ({:.1} %), label right {labels} ({:.1} %)\n{}",
        share(texts),
        share(labels),
        misses.join("\n")
    );
    assert_eq!((all, files), (425, 373));
    assert!(share(texts) >= RIGHT, "{misses:#?}");
    assert!(share(labels) >= RIGHT, "label right: {labels} of {files}");
}
