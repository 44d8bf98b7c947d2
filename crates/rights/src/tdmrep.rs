//! Reads `/.well-known/tdmrep.json` of the TDM Reservation Protocol (W3C Community Group, final
//! report of 10 May 2024).
//!
//! The file is a list of rules: `location` is a pattern of paths, `tdm-reservation` is 1 or 0, and
//! `tdm-policy` may be a URL. The first rule that matches a path counts. Servers also write one
//! rule without a list, a rule without a location, and numbers in quotes. Such a file states a
//! reservation as clearly, so it is read: without a location, a rule concerns all paths.

use crate::pattern;
use crate::robots_txt::MAX_PATH_BYTES;
use crate::statement::Signal;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// Most bytes of a file, and most rules.
pub(crate) const MAX_BYTES: usize = 500 << 10;
const MAX_RULES: usize = 4000;

/// The rules of a file, as one text, so that servers with the same rules can share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TdmRules {
    /// Lines: the reservation, a pattern, a tab, and a policy.
    lines: Arc<[u8]>,
}

#[derive(Deserialize)]
struct Rule {
    location: Option<String>,
    #[serde(rename = "tdm-reservation")]
    reservation: Option<Value>,
    #[serde(rename = "tdm-policy")]
    policy: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Rules {
    List(Vec<Value>),
    One(Rule),
}

impl TdmRules {
    /// Reads a file. Rules that are none are left out; a file that is no JSON has no rules.
    pub(crate) fn parse(file: &[u8]) -> TdmRules {
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        let rules = Some(file).filter(|file| file.len() <= MAX_BYTES);
        let rules = rules.and_then(|file| serde_json::from_slice(file).ok());
        let rules = rules.unwrap_or(Rules::List(Vec::new()));
        let rules = match rules {
            Rules::One(rule) => vec![rule],
            Rules::List(list) => {
                let rules = list.into_iter().take(MAX_RULES);
                rules.filter_map(|rule| serde_json::from_value(rule).ok()).collect()
            }
        };
        let mut lines = Vec::new();
        for Rule { location, reservation, policy } in rules {
            let reservation = match reservation {
                Some(Value::Number(number)) => number.to_string(),
                Some(Value::String(text)) => text.trim().to_owned(),
                _ => continue,
            };
            // Other values are errors, which leave the reservation unset.
            if !matches!(reservation.as_str(), "0" | "1") {
                continue;
            }
            lines.extend_from_slice(reservation.as_bytes());
            let location = location.unwrap_or_else(|| "/".to_owned());
            pattern::of_pattern(location.trim().as_bytes(), &mut lines);
            lines.push(b'\t');
            let policy = policy.filter(|policy| !policy.contains(char::is_control));
            lines.extend_from_slice(policy.unwrap_or_default().as_bytes());
            lines.push(b'\n');
        }
        TdmRules { lines: lines.into() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.lines
    }

    /// Calls `visit` with the statements of the first rule that matches a path.
    pub(crate) fn for_each_statement(&self, path: &str, mut visit: impl FnMut(Signal, &str)) {
        let mut spelled = Vec::new();
        pattern::of_path(&path.as_bytes()[..path.len().min(MAX_PATH_BYTES)], &mut spelled);
        for line in self.lines.split(|byte| *byte == b'\n') {
            let Some((reservation, rest)) = line.split_first() else { continue };
            let tab = memchr::memchr(b'\t', rest).unwrap_or(rest.len());
            if !pattern::matches(&rest[..tab], &spelled) {
                continue;
            }
            visit(Signal::TdmReservation, if *reservation == b'1' { "1" } else { "0" });
            let policy = str::from_utf8(&rest[tab..]).unwrap_or_default().trim();
            if !policy.is_empty() {
                visit(Signal::TdmPolicy, policy);
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(file: &str, path: &str) -> Vec<String> {
        let mut all = Vec::new();
        TdmRules::parse(file.as_bytes()).for_each_statement(path, |signal, value| {
            all.push(format!("{} {value}", signal.name()));
        });
        all
    }

    #[test]
    fn the_first_rule_that_matches_counts() {
        let file = r#"[{"location":"/open/","tdm-reservation":0},
            {"location":"/*/images/*.jpg$","tdm-reservation":1,"tdm-policy":"https://a.test/p"},
            {"location":"/text","tdm-reservation":1}, {"location":"/","tdm-reservation":2}, 7]"#;
        assert_eq!(stated(file, "/open/x"), ["tdm-reservation 0"]);
        let with_policy = ["tdm-reservation 1", "tdm-policy https://a.test/p"];
        assert_eq!(stated(file, "/a/images/b.jpg"), with_policy);
        assert_eq!(stated(file, "/text/1"), ["tdm-reservation 1"]);
        assert_eq!(stated(file, "/other"), [""; 0]);
    }

    #[test]
    fn files_that_are_clear_are_read_and_others_state_nothing() {
        for file in [
            "\u{feff}[{\"location\":\"/\",\"tdm-reservation\":\"1\"}]",
            r#"{"tdm-reservation":1}"#,
            r#"[{"location":"*","tdm-reservation":1,"tdm-policy":"a\nb"}]"#,
        ] {
            assert_eq!(stated(file, "/x"), ["tdm-reservation 1"], "{file}");
        }
        for file in
            ["", "<html>", "[]", "{}", r#"[{"location":"/"}]"#, r#"[{"tdm-reservation":true}]"#]
        {
            assert_eq!(stated(file, "/x"), [""; 0], "{file}");
        }
        let huge = format!("[{}]", vec![r#"{"tdm-reservation":1}"#; 30_000].join(","));
        assert!(huge.len() > MAX_BYTES && stated(&huge, "/").is_empty());
    }
}
