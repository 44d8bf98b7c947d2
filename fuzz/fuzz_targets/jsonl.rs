//! Any line: JSON objects are read as `serde_json` reads them, and other lines are refused.

#![no_main]

use huller_archive::{JsonlFault, JsonlKeys, JsonlPage, JsonlReader, JsonlReason};
use libfuzzer_sys::fuzz_target;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::fmt;

thread_local! {
    /// A reader that read all earlier lines.
    static USED: RefCell<JsonlReader> = RefCell::new(JsonlReader::new(JsonlKeys::default()));
}

fuzz_target!(|line: &[u8]| {
    let mut fresh = JsonlReader::new(JsonlKeys::default());
    let read = fresh.read(line);
    USED.with_borrow_mut(|used| {
        assert_eq!(used.read(line), read, "a line must not depend on those before it");
    });
    if let Err(fault) = read {
        assert!(fault.position <= line.len(), "{fault:?}");
    }
    let Ok(text) = std::str::from_utf8(line) else {
        assert_eq!(read.map_err(|fault| fault.reason), Err(JsonlReason::NotUtf8));
        return;
    };
    check(text, read);
});

fn check(line: &str, read: Result<JsonlPage<'_>, JsonlFault>) {
    let is_json = serde_json::from_str::<IgnoredAny>(line).is_ok();
    let is_object = line.trim_start_matches([' ', '\t', '\n', '\r']).starts_with('{');
    match read {
        Err(fault) if fault.reason == JsonlReason::TooDeep => return,
        Err(fault) if !fault.is_missing_html() => {
            assert!(!(is_json && is_object), "refused, but it is JSON: {fault}: {line:?}");
            return;
        }
        _ => assert!(is_json && is_object, "taken, but it is no JSON: {line:?}"),
    }
    // `serde_json` refuses a key with a lone surrogate, which the reader replaces. The target skips
    // such lines.
    let Ok(members) = serde_json::from_str::<Members>(line) else { return };
    let keys = JsonlKeys::default();
    let (page, is_missing) = (read.ok(), read.is_err());
    members.check(&keys.html, false, page.map(|page| page.html));
    assert_eq!(is_missing, members.best(&keys.html, false).is_none(), "{line:?}");
    if let Some(page) = page {
        members.check(&keys.url, false, page.url);
        members.check(&keys.id, true, page.id);
        members.check(&keys.date, false, page.date);
    }
}

/// The members of an object in order, with the source of their values.
struct Members(Vec<(String, Box<RawValue>)>);

impl Members {
    /// Returns the expected value: for the first name with a value of the wanted kind, its last
    /// such value.
    fn best(&self, names: &[String], numbers: bool) -> Option<&str> {
        let is_wanted = |value: &str| {
            value.starts_with('"')
                || numbers && value.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        };
        names.iter().find_map(|name| {
            let of_name = self.0.iter().rev().filter(|(key, _)| key == name);
            of_name.map(|(_, value)| value.get()).find(|value| is_wanted(value))
        })
    }

    fn check(&self, names: &[String], numbers: bool, found: Option<&str>) {
        let Some(best) = self.best(names, numbers) else {
            assert_eq!(found, None, "{names:?}");
            return;
        };
        if best.starts_with('"') {
            // `serde_json` refuses lone surrogates.
            if let Ok(text) = serde_json::from_str::<String>(best) {
                assert_eq!(found, Some(text.as_str()), "{names:?}");
            }
        } else {
            assert_eq!(found, Some(best), "{names:?}");
        }
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members, M::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}
