//! A row with other or more members, all others as they were written.

use crate::row_line::RowLine;
use huller_row::JsonMembers;
use huller_row::escape_controls;

/// What is changed of a row.
#[derive(Default)]
pub(crate) struct Edit<'a> {
    /// Another text.
    pub(crate) text: Option<&'a str>,
    /// Whether to say of which row it is a duplicate.
    pub(crate) is_marked: bool,
    /// That row.
    pub(crate) duplicate_of: Option<&'a str>,
    pub(crate) cluster_size: Option<u32>,
}

impl Edit<'_> {
    /// Adds the row to `out`, without the end of its line. Members that are added replace those of their names.
    pub(crate) fn write(&self, row: &RowLine<'_>, out: &mut Vec<u8>) {
        let JsonMembers(members) = &row.members;
        out.push(b'{');
        for (at, (name, value)) in members.iter().enumerate() {
            let is_replaced = (name == "duplicate_of" && self.is_marked)
                || (name == "cluster_size" && self.cluster_size.is_some());
            if is_replaced {
                continue;
            }
            match self.text {
                Some(text) if at == row.text_at => push(out, name, text),
                _ => {
                    push_name(out, name);
                    out.extend_from_slice(value.get().as_bytes());
                }
            }
        }
        if self.is_marked {
            push(out, "duplicate_of", self.duplicate_of);
        }
        if let Some(size) = self.cluster_size {
            push(out, "cluster_size", size);
        }
        out.push(b'}');
    }
}

fn push_name(out: &mut Vec<u8>, name: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    serde_json::to_writer(&mut *out, name).expect("writing to memory cannot fail");
    out.push(b':');
}

fn push(out: &mut Vec<u8>, name: &str, value: impl serde::Serialize) {
    push_name(out, name);
    let start = out.len();
    serde_json::to_writer(&mut *out, &value).expect("writing to memory cannot fail");
    escape_controls(out, start);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn other_members_stay_as_they_are_written() {
        let settings = Settings::default();
        let line = r#"{"a\"b": 1.50, "text":"x","cluster_size":9,"z":{"text":"y"} }"#;
        let row =
            RowLine::parse(line.as_bytes(), &settings.text_keys, &settings.url_keys).ok().unwrap();
        let edited = |edit: Edit<'_>| {
            let mut out = Vec::new();
            edit.write(&row, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            edited(Edit { text: Some("n\u{85}"), ..Edit::default() }),
            r#"{"a\"b":1.50,"text":"n\u0085","cluster_size":9,"z":{"text":"y"}}"#
        );
        assert_eq!(
            edited(Edit { is_marked: true, cluster_size: Some(2), ..Edit::default() }),
            r#"{"a\"b":1.50,"text":"x","z":{"text":"y"},"duplicate_of":null,"cluster_size":2}"#
        );
    }
}
