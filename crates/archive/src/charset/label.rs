//! The names of the encodings in lower case.

use encoding_rs::Encoding;

/// The names that have capitals in the Encoding Standard, in lower case.
const LOWER: [&str; 30] = [
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "gbk",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "utf-16be",
    "utf-16le",
    "macintosh",
    "gb18030",
    "x-mac-cyrillic",
    "replacement",
    "x-user-defined",
];

/// Returns the name of an encoding in lower case.
pub(super) fn lower_case_name(encoding: &'static Encoding) -> &'static str {
    let name = encoding.name();
    LOWER.iter().find(|label| name.eq_ignore_ascii_case(label)).copied().unwrap_or(name)
}

/// Returns whether a label names an encoding, as `latin1` does. Case and blanks around it are
/// ignored.
pub fn is_charset_label(label: &str) -> bool {
    Encoding::for_label(label.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_labels_are_told() {
        assert!(["utf-8", " Latin1 ", "KOI8-R", "x-sjis"].into_iter().all(is_charset_label));
        assert!(!["", "utf-9", "klingon", "utf-8;"].into_iter().any(is_charset_label));
    }

    #[test]
    fn every_label_names_its_encoding_and_is_lower_case() {
        let windows =
            [874].into_iter().chain(1250..=1258).map(|number| format!("windows-{number}"));
        let labels = LOWER.map(str::to_owned).into_iter().chain(windows);
        let mut encodings = 0;
        for label in labels {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            assert!(encoding.name().eq_ignore_ascii_case(&label), "{label}");
            assert_eq!(lower_case_name(encoding), label);
            encodings += 1;
        }
        assert_eq!(encodings, 40, "the standard has 39 encodings and `replacement`");
    }
}
