//! Writes a row as one line of JSON.

use crate::field::{Field, FieldType};
use crate::fields::FIELDS;
use crate::json::Object;
use crate::row::{Row, RowSink, Texts};

/// A sink that writes rows as lines of JSON, uncompressed.
impl RowSink for Vec<u8> {
    fn row(&mut self, row: &Row<'_>) {
        push_row(row, self);
    }

    fn mark(&self) -> usize {
        self.len()
    }

    fn cut(&mut self, mark: usize) {
        self.truncate(mark);
    }
}

/// Appends a row with all fields of its run.
pub fn push_row(row: &Row<'_>, out: &mut Vec<u8>) {
    push_line_of(FIELDS.iter().filter(|field| field.presence.is_in(row.extras)), row, out);
}

/// Appends a row with these fields.
pub(crate) fn push_line_of<'f>(
    fields: impl Iterator<Item = &'f Field>,
    row: &Row<'_>,
    out: &mut Vec<u8>,
) {
    push_object_of(fields, row, out);
    out.push(b'\n');
}

/// Appends the object of a row with these fields.
pub(crate) fn push_object_of<'f>(
    fields: impl Iterator<Item = &'f Field>,
    row: &Row<'_>,
    out: &mut Vec<u8>,
) {
    let mut object = Object::new(out);
    for field in fields {
        push_field_as(field.name, field, row, &mut object);
    }
    object.end();
}

/// Writes a field of the run under this name, as `null` if the row has no value. A schema may give
/// it another name than the table.
pub(crate) fn push_field_as(name: &str, field: &Field, row: &Row<'_>, object: &mut Object<'_>) {
    match field.value_type {
        FieldType::Text(of) if field.is_clean => object.text(name, of(row)),
        FieldType::Text(of) => object.untrusted(name, of(row)),
        FieldType::Int(of) => object.value(name, of(row)),
        FieldType::Long(of) => object.value(name, of(row)),
        FieldType::Float(of) => object.value(name, of(row)),
        FieldType::Flag(of) => object.value(name, of(row)),
        FieldType::Json(of) => object.json(name, of(row)),
        FieldType::TextList(of) => object.texts(name, of(row)),
        FieldType::Texts => match row.texts {
            None => object.text(name, None),
            Some(Texts { names, texts }) => object.object(name, |members| {
                for (name, text) in names.iter().zip(texts) {
                    members.text(name, text.as_str());
                }
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::push_line;
    use crate::sample::row;

    use crate::extras::Extras;
    use serde_json::Value;

    /// Returns the row as it is written.
    fn written(row: &Row<'_>) -> String {
        let mut line = Vec::new();
        push_row(row, &mut line);
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn rows_have_the_bytes_that_serde_gives_them() {
        let names = ["pvalue", "hull"];
        let texts = ["first\n".to_owned(), String::new()];
        for full in [false, true] {
            row(full, &names, &texts, |row| {
                let mut expected = Vec::new();
                // These are JSON already; serde would write them as strings.
                push_line(
                    &mut expected,
                    &Row {
                        blocks: None,
                        signals: None,
                        classes: None,
                        rights: None,
                        source: None,
                        ..*row
                    },
                );
                let mut ours = written(row);
                for json in [
                    ",\"blocks\":[{\"kept\":true}],\"signals\":{\"a.b\":0.5},\"classes\":{\"quality\":{\"label\":\"hq\",\"score\":0.25}}",
                    ",\"rights\":[{\"signal\":\"noai\"}],\"source\":{\"a\":[1,\"\\u0000\"]}",
                ] {
                    ours = ours.replace(json, "");
                }
                assert_eq!(ours, String::from_utf8(expected).unwrap());
            });
        }
    }

    #[test]
    fn every_field_of_the_run_stands_in_every_row_in_the_order_of_the_table() {
        for bits in 0..2048 {
            let extras = Extras {
                texts: bits & 1 > 0,
                source_html: bits & 2 > 0,
                source: bits & 4 > 0,
                markdown: bits & 8 > 0,
                html: bits & 16 > 0,
                blocks: bits & 32 > 0,
                signals: bits & 64 > 0,
                tokens: bits & 128 > 0,
                classes: bits & 256 > 0,
                perplexity: bits & 512 > 0,
                rights: bits & 1024 > 0,
            };
            let expected: Vec<_> = FIELDS
                .iter()
                .filter(|field| field.presence.is_in(extras))
                .map(|field| field.name)
                .collect();
            for full in [false, true] {
                row(full, &["body"], &["text".to_owned()], |row| {
                    let line = written(&Row { extras, ..*row });
                    let value: serde_json::Map<String, Value> =
                        serde_json::from_str(&line).unwrap();
                    let mut at = 0;
                    for name in &expected {
                        assert!(value.contains_key(*name), "{name}: {line}");
                        let here = line.find(&format!("\"{name}\":")).unwrap();
                        assert!(here >= at, "{name}: {line}");
                        at = here;
                    }
                    assert_eq!(value.len(), expected.len(), "{line}");
                });
            }
        }
    }
}
