//! Lists the keys of a line that holds no page, for messages.

use super::scan::members;
use std::fmt::Write;

/// Returns the keys of the object in a line as a list for people, such as `'id', 'page'`. It has at
/// most 10 keys, each cut at 40 characters, and then the number of others. It is empty if the line
/// holds no object.
pub fn list_keys(line: &[u8]) -> String {
    const MAX_KEYS: usize = 10;
    const MAX_KEY_BYTES: usize = 40;
    let Ok(line) = str::from_utf8(line) else { return String::new() };
    let (mut list, mut count) = (String::new(), 0);
    // Keys before a fault are listed too.
    let _ = members(line, |key, _| {
        count += 1;
        if count > MAX_KEYS {
            return;
        }
        let key = &line[key.inside];
        let cut = key.char_indices().nth(MAX_KEY_BYTES).map(|(at, _)| at);
        let (gap, end) = (if count > 1 { ", " } else { "" }, if cut.is_some() { "…" } else { "" });
        // Writing into a String cannot fail.
        let _ = write!(list, "{gap}'{}{end}'", &key[..cut.unwrap_or(key.len())]);
    });
    if count > MAX_KEYS {
        let _ = write!(list, " and {} more", count - MAX_KEYS);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_listed_up_to_a_bound() {
        assert_eq!(
            list_keys(br#"{"page": "<p>", "id": {"html": 1}, "a\u0062": []}"#),
            r"'page', 'id', 'a\u0062'"
        );
        let many: Vec<_> = (0..12).map(|number| format!(r#""k{number}":{number}"#)).collect();
        let many = list_keys(format!("{{{}}}", many.join(",")).as_bytes());
        assert!(many.starts_with("'k0', 'k1', ") && many.ends_with(", 'k9' and 2 more"), "{many}");
        let long = list_keys(format!(r#"{{"{}":1}}"#, "é".repeat(1000)).as_bytes());
        assert_eq!(long, format!("'{}…'", "é".repeat(40)));
        assert_eq!((list_keys(b"[1]"), list_keys(b"\xff"), list_keys(b"{}")), Default::default());
    }
}
