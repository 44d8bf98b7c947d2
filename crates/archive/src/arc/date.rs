//! Converts the dates of ARC header lines.

/// Writes a date of 12 digits or more, `YYYYMMDDhhmm` with or without seconds, in the form of
/// WARC-Date. Returns false and writes nothing if it is not a date.
pub(crate) fn write(date: &[u8], out: &mut Vec<u8>) -> bool {
    const NO_SECONDS: &[u8] = b"00";
    if date.len() < 12 || !date.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let seconds = date.get(12..14).unwrap_or(NO_SECONDS);
    let two = |digits: &[u8]| (digits[0] - b'0') * 10 + (digits[1] - b'0');
    let is_date = (1..=12).contains(&two(&date[4..6]))
        && (1..=31).contains(&two(&date[6..8]))
        && two(&date[8..10]) < 24
        && two(&date[10..12]) < 60
        && two(seconds) <= 60;
    if is_date {
        let parts: [&[u8]; 12] = [
            &date[..4],
            b"-",
            &date[4..6],
            b"-",
            &date[6..8],
            b"T",
            &date[8..10],
            b":",
            &date[10..12],
            b":",
            seconds,
            b"Z",
        ];
        for part in parts {
            out.extend_from_slice(part);
        }
    }
    is_date
}

#[cfg(test)]
mod tests {
    fn iso(date: &str) -> Option<String> {
        let mut out = Vec::new();
        super::write(date.as_bytes(), &mut out).then(|| String::from_utf8(out).unwrap())
    }

    #[test]
    fn dates_of_all_lengths_are_written_as_warc_has_them() {
        assert_eq!(iso("20000823054100").as_deref(), Some("2000-08-23T05:41:00Z"));
        assert_eq!(iso("2000082305410049").as_deref(), Some("2000-08-23T05:41:00Z"));
        assert_eq!(iso("200008230541").as_deref(), Some("2000-08-23T05:41:00Z"));
        for no_date in
            ["", "-", "20001323054100", "20000800054100", "20000823254100", "2000082305410"]
        {
            assert_eq!(iso(no_date).is_some(), no_date.len() == 13, "{no_date}");
        }
    }
}
