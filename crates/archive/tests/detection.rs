//! Real files in 51 encodings (chardet's own tests): the text that browsers would show, from declarations and bytes alone.

mod support;

use encoding_rs::Encoding;
use huller_archive::charset;

/// Folders whose files no browser can read without being told by HTTP, and why.
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

/// Folders that are not called by a label of the Encoding Standard, or by that of another encoding.
const LABELS: [(&str, &str); 5] = [
    ("CP932", "shift_jis"),
    ("CP949", "euc-kr"),
    ("UTF-16", "utf-16le"), // or big-endian: the byte order mark says which
    ("utf-8-sig", "utf-8"),
    ("GB2312", "gbk"),
];

/// Of a hundred files so many have just the text that their folder says.
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

#[test]
fn chardet_files_have_the_text_of_their_folders() {
    let Some(path) = support::shared("hostile.tar.zst") else { return };
    let packed = std::fs::read(path).unwrap();
    let archive = zstd::decode_all(packed.as_slice()).unwrap();
    let (mut all, mut files, mut texts, mut labels) = (0, 0, 0, 0);
    let mut misses = Vec::new();
    for (name, file) in support::tar::files(&archive) {
        let Some((_, place)) = name.split_once("chardet/tests/") else { continue };
        let Some((folder, _)) = place.split_once('/') else { continue };
        all += 1;
        if EXCLUDED.iter().any(|(excluded, _)| *excluded == folder) {
            continue;
        }
        files += 1;
        let expected = encoding_of(folder, file);
        let found = charset::detect(file, None, None);
        let mut buffer = String::new();
        let text = charset::decode_into(file, found, &mut buffer);
        let is_right = text == expected.decode(file).0;
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
