//! The JSON objects of other tools: the rows of a run under the names, and in the shape, that each of them reads.

use crate::field::Part;
use crate::json::Object;
use crate::layout::{Layout, Schema};
use crate::line::{push_field, push_line_of};
use crate::row::Row;

/// The schema of this name.
pub fn find_schema(name: &str) -> Option<&'static Schema> {
    SCHEMAS.iter().find(|schema| schema.name == name)
}

/// All schemas.
pub static SCHEMAS: &[Schema] = &[
    Schema {
        name: "dolma",
        doc: "Dolma toolkit: id, text, source, added, created, metadata",
        id: Some("id"),
        text: "text",
        has_actions: false,
        push: dolma,
    },
    Schema {
        name: "datatrove",
        doc: "datatrove's JsonlReader: text, id, metadata",
        id: Some("id"),
        text: "text",
        has_actions: false,
        push: datatrove,
    },
    Schema {
        name: "fineweb",
        doc: "The columns of FineWeb",
        id: Some("id"),
        text: "text",
        has_actions: false,
        push: fineweb,
    },
    Schema {
        name: "ccnet",
        doc: "The fields of cc_net's documents",
        id: None,
        text: "raw_content",
        has_actions: false,
        push: ccnet,
    },
    Schema {
        name: "anserini",
        doc: "Anserini's JsonCollection: id, contents",
        id: Some("id"),
        text: "contents",
        has_actions: false,
        push: anserini,
    },
    Schema {
        name: "es-bulk",
        doc: "Bodies of Elasticsearch's and OpenSearch's bulk API: an action line and a row",
        id: Some("id"),
        text: "text",
        has_actions: true,
        push: es_bulk,
    },
    Schema {
        name: "quickwit",
        doc: "Quickwit and tantivy: rows without the members that are null",
        id: Some("id"),
        text: "text",
        has_actions: false,
        push: quickwit,
    },
];

/// Appends one object as a line.
fn line(out: &mut Vec<u8>, members: impl FnOnce(&mut Object<'_>)) {
    let mut object = Object::new(out);
    members(&mut object);
    object.end();
    out.push(b'\n');
}

/// The fields that a schema has no member for, as an object.
fn metadata(row: &Row<'_>, layout: &Layout, object: &mut Object<'_>, placed: &[&str]) {
    object.object("metadata", |object| {
        for field in layout.fields().filter(|field| !placed.contains(&field.name)) {
            push_field(field, row, object);
        }
    });
}

/// `added` is when the page was fetched: outputs hold no times of the run, so that two runs write the same bytes.
fn dolma(row: &Row<'_>, layout: &Layout, out: &mut Vec<u8>) {
    let added = row.date.and_then(with_milliseconds);
    let created = row.published.and_then(with_milliseconds).or_else(|| added.clone());
    line(out, |object| {
        object.untrusted("id", row.id);
        object.text("text", row.text);
        object.text("source", "huller");
        object.text("added", added.as_deref());
        object.text("created", created.as_deref());
        metadata(row, layout, object, &["id", "text"]);
    });
}

fn datatrove(row: &Row<'_>, layout: &Layout, out: &mut Vec<u8>) {
    line(out, |object| {
        object.text("text", row.text);
        object.untrusted("id", row.id);
        metadata(row, layout, object, &["id", "text"]);
    });
}

fn fineweb(row: &Row<'_>, _: &Layout, out: &mut Vec<u8>) {
    line(out, |object| {
        object.text("text", row.text);
        object.untrusted("id", row.id);
        object.text("dump", dump(row.file_path));
        object.untrusted("url", row.url);
        object.untrusted("date", row.date);
        object.untrusted("file_path", row.file_path);
        object.text("language", row.language);
        object.value("language_score", row.language_score);
        object.value("token_count", row.tokens);
    });
}

/// `length` is in Unicode scalars and `nlines` in lines, as `cc_net` counts them.
fn ccnet(row: &Row<'_>, _: &Layout, out: &mut Vec<u8>) {
    line(out, |object| {
        object.untrusted("url", row.url);
        object.untrusted("date_download", row.date);
        object.untrusted("digest", row.digest);
        object.value("length", row.text.chars().count());
        object.value("nlines", row.text.lines().count());
        object.untrusted("source_domain", row.url.map(netloc));
        object.untrusted("title", row.title);
        object.text("raw_content", row.text);
        object.text("language", row.language);
        object.value("language_score", row.language_score);
    });
}

fn anserini(row: &Row<'_>, _: &Layout, out: &mut Vec<u8>) {
    line(out, |object| {
        object.untrusted("id", row.id);
        object.text("contents", row.text);
    });
}

/// An identifier of more bytes is refused by the server, which then makes up one.
const LONGEST_ES_ID: usize = 512;

fn es_bulk(row: &Row<'_>, layout: &Layout, out: &mut Vec<u8>) {
    line(out, |object| {
        object.object("index", |action| {
            // A server takes an empty name for a wrong one, and none for that of the address.
            if !layout.index.is_empty() {
                action.untrusted("_index", layout.index.as_str());
            }
            if (1..=LONGEST_ES_ID).contains(&row.id.len()) {
                action.untrusted("_id", row.id);
            }
        });
    });
    push_line_of(layout.fields(), row, out);
}

/// Fields of these indexes have types that take no null.
fn quickwit(row: &Row<'_>, layout: &Layout, out: &mut Vec<u8>) {
    push_line_of(layout.fields().filter(|field| has_value(field.part, row)), row, out);
}

fn has_value(part: Part, row: &Row<'_>) -> bool {
    match part {
        Part::Text(of) | Part::Json(of) => of(row).is_some(),
        Part::Int(of) => of(row).is_some(),
        Part::Long(of) => of(row).is_some(),
        Part::Float(of) => of(row).is_some_and(f64::is_finite),
        Part::Flag(of) => of(row).is_some(),
        Part::Texts => row.texts.is_some(),
    }
}

/// A time such as `2019-02-15T19:15:59Z` in the form that Dolma pins: `2019-02-15T19:15:59.000Z`. `None` for any other.
fn with_milliseconds(time: &str) -> Option<String> {
    const FORM: &[u8] = b"0000-00-00T00:00:00";
    let (seconds, rest) = time.split_at_checked(FORM.len())?;
    let is_form = seconds.bytes().zip(FORM).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte == *form,
    });
    let fraction = rest.strip_suffix('Z')?;
    let digits = match fraction.strip_prefix('.') {
        Some(digits) if !digits.is_empty() => digits,
        None if fraction.is_empty() => "",
        _ => return None,
    };
    let is_time = is_form && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_time.then(|| format!("{seconds}.{:0<3}Z", &digits[..digits.len().min(3)]))
}

/// The name of the crawl in a path of Common Crawl: `CC-MAIN-2023-06`.
fn dump(path: &str) -> Option<&str> {
    const START: &str = "CC-MAIN-";
    const LENGTH: usize = START.len() + "2023-06".len();
    path.split('/').find(|part| {
        let year_and_week = part.strip_prefix(START).map(str::as_bytes);
        part.len() == LENGTH
            && year_and_week.is_some_and(|bytes| {
                bytes[4] == b'-' && bytes.iter().filter(|b| b.is_ascii_digit()).count() == 6
            })
    })
}

/// What `cc_net` calls the domain of a URL, which is `urlparse(url).netloc` of Python: all between `//`
/// and the path as it is written, with user and port.
fn netloc(url: &str) -> &str {
    let rest = match url.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => rest,
        _ => url,
    };
    let Some(rest) = rest.strip_prefix("//") else { return "" };
    &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())]
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::Compression;
    use crate::fields::FIELDS;
    use crate::formats::JSONL;
    use crate::sample::{file_of, full_layout, inspect};
    use serde_json::Value;

    fn layout(name: &str) -> Layout {
        let schema = find_schema(name);
        Layout { schema, index: "pages".to_owned(), ..full_layout(Compression::None) }
    }

    /// The lines of a full row under a schema.
    fn lines(name: &str) -> Vec<Value> {
        let layout = layout(name);
        let file = file_of(JSONL, &layout, &[2]);
        let (found, ids) = inspect(JSONL, &layout, &file);
        assert_eq!((found.rows, found.faults), (2, 0), "{name}: {found:?}");
        assert_eq!(ids.len(), if layout.schema.unwrap().id.is_some() { 2 } else { 0 });
        let text = String::from_utf8(file).unwrap();
        assert!(text.ends_with('\n'));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn every_schema_has_its_members_in_every_row() {
        let expected = [
            ("dolma", "added created id metadata source text"),
            ("datatrove", "id metadata text"),
            ("fineweb", "date dump file_path id language language_score text token_count url"),
            (
                "ccnet",
                "date_download digest language language_score length nlines raw_content source_domain title url",
            ),
            ("anserini", "contents id"),
        ];
        for (name, members) in expected {
            for row in lines(name) {
                assert_eq!(keys(&row), members.split(' ').collect::<Vec<_>>(), "{name}");
            }
        }
    }

    #[test]
    fn actions_stand_before_rows() {
        let lines = lines("es-bulk");
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0]["index"]["_index"], "pages");
        assert_eq!(lines[2]["index"]["_id"], lines[3]["id"]);
        let mut layout = layout("es-bulk");
        for broken in ["{\"index\":{}}\n", "{\"id\":\"1\",\"text\":\"\"}\n{\"index\":{}}\n"] {
            let (found, _) = inspect(JSONL, &layout, broken.as_bytes());
            assert!(found.faults > 0, "{broken}");
        }
        layout.index.clear();
        let unnamed = String::from_utf8(file_of(JSONL, &layout, &[1])).unwrap();
        let action: Value = serde_json::from_str(unnamed.lines().next().unwrap()).unwrap();
        assert_eq!(keys(&action["index"]), ["_id"]);
    }

    #[test]
    fn what_is_null_is_left_out_for_quickwit() {
        let [bare, full] = lines("quickwit").try_into().unwrap();
        assert!(bare.as_object().unwrap().values().all(|value| !value.is_null()));
        assert!(keys(&full).len() > keys(&bare).len() && keys(&bare).contains(&"replaced"));
    }

    #[test]
    fn metadata_has_every_field_that_has_no_other_place() {
        let [_, full] = lines("dolma").try_into().unwrap();
        assert_eq!(keys(&full["metadata"]).len(), FIELDS.len() - 2);
        assert_eq!(full["metadata"]["status"], 200);
    }

    #[test]
    fn times_get_milliseconds() {
        let of = |time| with_milliseconds(time);
        assert_eq!(of("2019-02-15T19:15:59Z").as_deref(), Some("2019-02-15T19:15:59.000Z"));
        assert_eq!(of("2019-02-15T19:15:59.1234567Z").as_deref(), Some("2019-02-15T19:15:59.123Z"));
        assert_eq!(of("2019-02-15T19:15:59.5Z").as_deref(), Some("2019-02-15T19:15:59.500Z"));
        for other in
            ["2019-02-15", "", "2019-02-15T19:15:59+01:00", "2019-02-15T19:15:59.Z", "x\u{e9}"]
        {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn crawls_and_domains_are_found() {
        let path = "crawl-data/CC-MAIN-2023-06/segments/1674764494826.88/warc/CC-MAIN-20230126-00000.warc.gz";
        assert_eq!(dump(path), Some("CC-MAIN-2023-06"));
        assert_eq!(dump("CC-MAIN-20230126210844-20230127000844-00000.warc.gz"), None);
        assert_eq!(dump("a/CC-MAIN-2023é06/b"), None);
        for (url, expected) in [
            ("http://example.org/a", "example.org"),
            ("http://Example.org", "Example.org"),
            ("https://user:pw@www.example.org:8080/a:b@c?d", "user:pw@www.example.org:8080"),
            ("http://[::1]/", "[::1]"),
            ("http://a.test?b", "a.test"),
            ("http://a.test#b", "a.test"),
            ("//a.test/b", "a.test"),
            ("http://a.test\\b/c", "a.test\\b"),
            ("www.example.org", ""),
            ("www.example.org/a://b/", ""),
            ("mailto:a@b.test", ""),
            ("http:///a", ""),
            ("", ""),
        ] {
            assert_eq!(netloc(url), expected, "{url}");
        }
    }
}
