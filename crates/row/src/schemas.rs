//! The JSON objects of other tools: the rows of a run with the names and the shape that each tool
//! reads.

use crate::field::{Field, FieldContent, FieldType};
use crate::fields::{FIELDS, find_field};
use crate::json::Object;
use crate::json_members::{JsonMembers, object_in_text};
use crate::line::{push_field_as, push_object_of};
use crate::row::Row;
use crate::schema_form::SchemaForm;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A shape of the rows of JSON Lines.
#[derive(Debug)]
pub struct Schema {
    /// Its name.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub doc: &'static str,
    /// Its members in their order. `None` means the fields of the run under their own names.
    members: Option<&'static [Member]>,
    /// Whether members that are null are left out.
    omits_null: bool,
    /// The frame around each row.
    form: SchemaForm,
}

/// A member of a schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) holds: MemberContent,
}

/// The content of a member of a row.
#[derive(Clone, Copy)]
pub enum MemberContent {
    /// A field of the table.
    Field(&'static Field),
    /// An object with the fields of the run that have no member of their own.
    Others,
    /// The number of Unicode scalars of the text.
    Chars,
    /// The number of lines of the text.
    Lines,
    /// A text that is made of fields, and its kind of content.
    Made(for<'a> fn(&Row<'a>) -> Option<Cow<'a, str>>, FieldContent),
}

impl MemberContent {
    /// Returns the kind of content, which decides the stages that may change the value.
    pub fn content(self) -> FieldContent {
        match self {
            MemberContent::Field(field) => field.content,
            MemberContent::Others => FieldContent::Own,
            MemberContent::Chars | MemberContent::Lines => FieldContent::Figure,
            MemberContent::Made(_, content) => content,
        }
    }
}

impl fmt::Debug for MemberContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MemberContent::Field(field) => field.name,
            MemberContent::Others => "other fields",
            MemberContent::Chars => "characters",
            MemberContent::Lines => "lines",
            MemberContent::Made(..) => "made of fields",
        })
    }
}

/// Returns the schema of this name.
pub fn find_schema(name: &str) -> Option<&'static Schema> {
    SCHEMAS.iter().find(|schema| schema.name == name)
}

/// All schemas.
pub static SCHEMAS: &[Schema] = &[
    Schema {
        name: "dolma",
        doc: "Dolma toolkit: id, text, source, added, created, metadata",
        members: Some(&[
            same_member("id"),
            same_member("text"),
            made_member("source", |_| Some("huller".into()), FieldContent::Own),
            // The time when the page was fetched. Outputs hold no times of the run, so that two
            // runs write the same bytes.
            made_member("added", |row| added(row).map(Cow::Owned), FieldContent::Own),
            made_member("created", |row| created_time(row).map(Cow::Owned), FieldContent::Own),
            other_member("metadata", MemberContent::Others),
        ]),
        omits_null: false,
        form: SchemaForm::Row,
    },
    Schema {
        name: "datatrove",
        doc: "datatrove's JsonlReader: text, id, metadata",
        members: Some(&[
            same_member("text"),
            same_member("id"),
            other_member("metadata", MemberContent::Others),
        ]),
        omits_null: false,
        form: SchemaForm::Row,
    },
    Schema {
        name: "fineweb",
        doc: "The columns of FineWeb",
        members: Some(&[
            same_member("text"),
            same_member("id"),
            made_member("dump", |row| dump(row.file_path).map(Cow::Borrowed), FieldContent::Own),
            same_member("url"),
            same_member("date"),
            same_member("file_path"),
            same_member("language"),
            same_member("language_score"),
            renamed("token_count", "tokens"),
        ]),
        omits_null: false,
        form: SchemaForm::Row,
    },
    Schema {
        name: "ccnet",
        doc: "The fields of cc_net's documents",
        members: Some(&[
            same_member("url"),
            renamed("date_download", "date"),
            same_member("digest"),
            other_member("length", MemberContent::Chars),
            other_member("nlines", MemberContent::Lines),
            made_member(
                "source_domain",
                |row| row.url.map(netloc).map(Cow::Borrowed),
                FieldContent::Reference,
            ),
            same_member("title"),
            renamed("raw_content", "text"),
            same_member("language"),
            same_member("language_score"),
            same_member("perplexity"),
            same_member("bucket"),
        ]),
        omits_null: false,
        form: SchemaForm::Row,
    },
    Schema {
        name: "anserini",
        doc: "Anserini's JsonCollection: id, contents",
        members: Some(&[same_member("id"), renamed("contents", "text")]),
        omits_null: false,
        form: SchemaForm::Row,
    },
    Schema {
        name: "es-bulk",
        doc: "Bodies of Elasticsearch's and OpenSearch's bulk API: an action line and a row",
        members: None,
        omits_null: false,
        form: SchemaForm::BulkAction,
    },
    Schema {
        name: "quickwit",
        doc: "Quickwit and tantivy: rows without null members",
        members: None,
        // Fields of these indexes have types that do not accept null.
        omits_null: true,
        form: SchemaForm::Row,
    },
    Schema {
        name: "vespa",
        doc: "Vespa's JSON format for documents: a put operation with the fields",
        members: None,
        omits_null: true,
        form: SchemaForm::VespaPut,
    },
    Schema {
        name: "qdrant",
        doc: "Points of Qdrant's API without vectors: id, payload",
        members: None,
        omits_null: true,
        form: SchemaForm::QdrantPoint,
    },
];

/// Returns a member that holds a field under its own name.
const fn same_member(name: &'static str) -> Member {
    renamed(name, name)
}

/// Returns a member that holds the field `field`.
const fn renamed(name: &'static str, field: &str) -> Member {
    let mut at = 0;
    while !is_same(FIELDS[at].name, field) {
        at += 1;
    }
    other_member(name, MemberContent::Field(&FIELDS[at]))
}

const fn made_member(
    name: &'static str,
    make: for<'a> fn(&Row<'a>) -> Option<Cow<'a, str>>,
    content: FieldContent,
) -> Member {
    other_member(name, MemberContent::Made(make, content))
}

const fn other_member(name: &'static str, holds: MemberContent) -> Member {
    Member { name, holds }
}

/// Returns whether two names are equal, at compile time: `==` is not a constant function.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Returns the content of a member with this name in rows of the table or of any schema. Returns
/// `None` if no table or schema has this member.
pub fn member_content(name: &str) -> Option<MemberContent> {
    let of_schemas = || members().find(|member| member.name == name).map(|member| member.holds);
    find_field(name).map(MemberContent::Field).or_else(of_schemas)
}

/// Returns the names of a field in rows of huller: its own name, then those in schemas.
pub fn names_of(field: &str) -> impl Iterator<Item = &'static str> {
    let own = find_field(field).map(|field| field.name);
    let renamed = members().filter(move |member| {
        matches!(member.holds, MemberContent::Field(held) if held.name == field && member.name != field)
    });
    own.into_iter().chain(renamed.map(|member| member.name))
}

/// Returns the index of the row's object that holds fields of the table: `metadata` in rows of
/// dolma and datatrove. The second value is true if new fields belong into that object. It is false
/// if the row has a field beside the object that the schema does not place there.
pub fn nest_of(members: &JsonMembers<'_>) -> Option<(usize, bool)> {
    nest_with(members, |value| value.get().starts_with('{'))
}

/// As [`nest_of`], for a row that has the object as JSON text, as tables of text do. Returns the
/// text of the object, which is only read: new fields never belong into a text.
pub fn text_nest_of(members: &JsonMembers<'_>) -> Option<(usize, bool, String)> {
    let (at, is_home) = nest_with(members, |value| value.get().starts_with('"'))?;
    Some((at, is_home, object_in_text(members.0[at].1)?))
}

fn nest_with(
    members: &JsonMembers<'_>,
    is_nest: impl Fn(&RawValue) -> bool,
) -> Option<(usize, bool)> {
    let nests = SCHEMAS.iter().filter_map(|schema| {
        let placed = schema.members?;
        let nest = placed.iter().find(|member| matches!(member.holds, MemberContent::Others))?;
        let (at, value) = members.member(nest.name)?;
        let is_placed = |name: &str| placed.iter().any(|member| member.name == name);
        let is_beside = |name: &str| {
            matches!(member_content(name), Some(MemberContent::Field(_))) && !is_placed(name)
        };
        let is_home = !members.0.iter().any(|(name, _)| is_beside(name));
        is_nest(value).then_some((at, is_home))
    });
    nests.max_by_key(|(_, is_home)| *is_home)
}

/// Returns whether a member counts units of the text with this name, as `length` counts
/// `raw_content`.
pub fn counts(count: &str, text: &str) -> bool {
    let mut of_text = SCHEMAS.iter().filter(|schema| schema.text() == Some(text));
    of_text.any(|schema| {
        let mut members = schema.members.into_iter().flatten();
        members.any(|member| {
            member.name == count
                && matches!(member.holds, MemberContent::Chars | MemberContent::Lines)
        })
    })
}

/// Returns whether a row has a schema that leaves nulls out. Such a row has all fields that are
/// never null, and lacks a field that may be null.
pub fn omits_null(members: &JsonMembers<'_>) -> bool {
    use crate::field::Presence::{Always, OrNull};
    let has = |field: &Field| members.member(field.name).is_some();
    let mut of_every_row = FIELDS.iter().filter(|field| field.presence == Always);
    let mut or_null = FIELDS.iter().filter(|field| field.presence == OrNull);
    of_every_row.all(has) && !or_null.all(has)
}

fn members() -> impl Iterator<Item = &'static Member> {
    SCHEMAS.iter().filter_map(|schema| schema.members).flatten()
}

impl Schema {
    /// Returns the name of its member that is the identifier of the page.
    pub fn id(&self) -> Option<&'static str> {
        self.name_of("id")
    }

    /// Returns the name of its member that is the text of the page.
    pub fn text(&self) -> Option<&'static str> {
        self.name_of("text")
    }

    /// Returns whether an action line precedes each row.
    pub fn has_actions(&self) -> bool {
        self.form == SchemaForm::BulkAction
    }

    /// Returns whether it fixes the members of rows, so that it suits rows of pages only.
    pub fn has_members(&self) -> bool {
        self.members.is_some()
    }

    /// Returns whether its lines name the index that a search engine puts rows into.
    pub fn names_index(&self) -> bool {
        self.form.names_index()
    }

    /// Returns whether members that are null are left out.
    pub fn omits_null(&self) -> bool {
        self.omits_null
    }

    /// Returns its members. `None` means the fields of the run under their own names.
    pub(crate) fn members(&self) -> Option<&'static [Member]> {
        self.members
    }

    /// Returns the frame around each row.
    pub(crate) fn form(&self) -> SchemaForm {
        self.form
    }

    fn name_of(&self, field: &str) -> Option<&'static str> {
        match self.form {
            SchemaForm::Row | SchemaForm::BulkAction => {}
            SchemaForm::QdrantPoint if field == "id" => return Some("id"),
            SchemaForm::VespaPut | SchemaForm::QdrantPoint => return None,
        }
        let Some(members) = self.members else { return find_field(field).map(|field| field.name) };
        let is_field = |member: &&Member| matches!(member.holds, MemberContent::Field(held) if held.name == field);
        members.iter().find(is_field).map(|member| member.name)
    }

    /// Appends the lines of a row that has these fields. `index` is the name of the search engine's
    /// index, which may be empty.
    pub(crate) fn push(
        &self,
        row: &Row<'_>,
        fields: impl Iterator<Item = &'static Field> + Clone,
        index: &str,
        out: &mut Vec<u8>,
    ) {
        self.form.push(row, index, out, |out| {
            let Some(members) = self.members else {
                let is_in = |field: &&Field| !self.omits_null || has_value(field.value_type, row);
                return push_object_of(fields.filter(is_in), row, out);
            };
            let mut object = Object::new(out);
            for member in members {
                push_member(member, members, row, fields.clone(), &mut object);
            }
            object.end();
        });
    }
}

fn push_member(
    Member { name, holds }: &Member,
    members: &[Member],
    row: &Row<'_>,
    fields: impl Iterator<Item = &'static Field>,
    object: &mut Object<'_>,
) {
    match holds {
        MemberContent::Field(field) => push_field_as(name, field, row, object),
        MemberContent::Others => object.object(name, |object| {
            let is_placed = |field: &&Field| {
                let mut placed = members.iter();
                placed.any(
                    |member| matches!(member.holds, MemberContent::Field(held) if held.name == field.name),
                )
            };
            for field in fields.filter(|field| !is_placed(field)) {
                push_field_as(field.name, field, row, object);
            }
        }),
        MemberContent::Chars => object.value(name, row.text.chars().count()),
        MemberContent::Lines => object.value(name, row.text.lines().count()),
        MemberContent::Made(make, _) => object.untrusted(name, make(row).as_deref()),
    }
}

fn has_value(part: FieldType, row: &Row<'_>) -> bool {
    match part {
        FieldType::Text(of) | FieldType::Json(of) => of(row).is_some(),
        FieldType::Int(of) => of(row).is_some(),
        FieldType::Long(of) => of(row).is_some(),
        FieldType::Float(of) => of(row).is_some_and(f64::is_finite),
        FieldType::Flag(of) => of(row).is_some(),
        FieldType::TextList(of) => of(row).is_some(),
        FieldType::Texts => row.texts.is_some(),
    }
}

/// Returns the time when the page was fetched, in Dolma's format.
fn added(row: &Row<'_>) -> Option<String> {
    row.date.and_then(with_milliseconds)
}

/// Returns the time when the page was published, or else fetched.
fn created_time(row: &Row<'_>) -> Option<String> {
    row.published.and_then(with_milliseconds).or_else(|| added(row))
}

/// Converts a time such as `2019-02-15T19:15:59Z` to Dolma's format: `2019-02-15T19:15:59.000Z`.
/// `None` for a time in another format.
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

/// Returns the name of the crawl in a path of Common Crawl: `CC-MAIN-2023-06`.
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

/// Returns the domain of a URL as `cc_net` reads it, by Python's `urlparse(url).netloc`. It is the
/// unchanged part between `//` and the path, with user and port.
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
    use crate::formats::JSONL;
    use crate::layout::Layout;
    use crate::sample::{file_of, full_layout, inspect};
    use serde_json::Value;

    fn layout(name: &str) -> Layout {
        let schema = find_schema(name);
        Layout { schema, index: "pages".to_owned(), ..full_layout(Compression::None) }
    }

    /// Returns the lines of a full row under a schema.
    fn lines(name: &str) -> Vec<Value> {
        let layout = layout(name);
        let file = file_of(JSONL, &layout, &[2]);
        let (found, ids) = inspect(JSONL, &layout, &file);
        assert_eq!((found.rows, found.faults), (2, 0), "{name}: {found:?}");
        assert_eq!(ids.len(), if layout.schema.unwrap().id().is_some() { 2 } else { 0 });
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
                "bucket date_download digest language language_score length nlines perplexity raw_content source_domain title url",
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
    fn rows_are_framed_for_the_loaders_of_engines() {
        let [bare, full] = lines("vespa").try_into().unwrap();
        assert_eq!(bare["put"], "id:pages:pages::00000000-0000-0000-0000-000000000000");
        assert_eq!(
            (&bare["fields"]["url"], &full["fields"]["status"]),
            (&Value::Null, &200.into())
        );
        let [_, full] = lines("qdrant").try_into().unwrap();
        assert_eq!(full["id"], full["payload"]["id"]);
        assert_eq!(keys(&full), ["id", "payload"]);
    }

    #[test]
    fn metadata_has_every_field_that_has_no_other_place() {
        let [_, full] = lines("dolma").try_into().unwrap();
        assert_eq!(keys(&full["metadata"]).len(), FIELDS.len() - 2);
        assert_eq!(full["metadata"]["status"], 200);
    }

    #[test]
    fn members_are_known_by_their_names() {
        let content = |name| member_content(name).map(MemberContent::content);
        for (name, expected) in [
            ("text", FieldContent::MainText),
            ("raw_content", FieldContent::MainText),
            ("token_count", FieldContent::Figure),
            ("nlines", FieldContent::Figure),
            ("date_download", FieldContent::Reference),
            ("source_domain", FieldContent::Reference),
            ("source", FieldContent::Own),
            ("metadata", FieldContent::Own),
        ] {
            assert_eq!(content(name), Some(expected), "{name}");
        }
        assert_eq!(content("tags"), None);
        let names = |field| names_of(field).collect::<Vec<_>>();
        assert_eq!(names("text"), ["text", "raw_content", "contents"]);
        assert_eq!(names("tokens"), ["tokens", "token_count"]);
        assert_eq!(names("tags"), [""; 0]);
        assert!(counts("length", "raw_content") && counts("nlines", "raw_content"));
        assert!(!counts("length", "text") && !counts("url", "raw_content"));
    }

    #[test]
    fn rows_are_known_by_their_members() {
        let found = |line: &str| {
            let members: JsonMembers<'_> = serde_json::from_str(line).unwrap();
            (nest_of(&members), omits_null(&members))
        };
        for schema in SCHEMAS {
            let rows = lines(schema.name);
            let has_nest = matches!(schema.name, "dolma" | "datatrove");
            assert_eq!(found(&rows[0].to_string()).0.is_some_and(|(_, is_home)| is_home), has_nest);
            if matches!(schema.form, SchemaForm::VespaPut | SchemaForm::QdrantPoint) {
                continue;
            }
            let bare = rows.iter().find(|row| !row["index"].is_object()).unwrap();
            assert_eq!(found(&bare.to_string()).1, schema.omits_null, "{}", schema.name);
        }
        for (line, nest) in [
            (r#"{"metadata":{"n":1},"text":"","own":2}"#, Some((0, true))),
            (r#"{"text":"","metadata":{"n":1},"url":null}"#, Some((1, false))),
            (r#"{"text":"","metadata":"{}"}"#, None),
            (r#"{"text":"","source":"","metadata":{}}"#, Some((2, true))),
        ] {
            assert_eq!(found(line), (nest, false), "{line}");
        }
        for (line, nest) in [
            (r#"{"text":"","metadata":" {\"n\":1}"}"#, Some((1, true, "{\"n\":1}".to_owned()))),
            (r#"{"metadata":"{}","url":""}"#, Some((0, false, "{}".to_owned()))),
            (r#"{"text":"","metadata":"{n}"}"#, None),
            (r#"{"text":"","metadata":{"n":1}}"#, None),
        ] {
            let members: JsonMembers<'_> = serde_json::from_str(line).unwrap();
            assert_eq!(text_nest_of(&members), nest, "{line}");
        }
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
