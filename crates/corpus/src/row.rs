//! Splits a row into its members.

use crate::fault::RowFault;
use crate::names::{DATE, ID, LANGUAGE, RowKeys, SCORE, TITLE};
use huller_refine::Reason;
use huller_row::{
    JsonMembers, MemberName, framed_member, json_number, json_string, object_in_text,
};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::str::FromStr;
use uuid::Uuid;

/// Names of the identifier in frames of loaders.
const FRAME_IDS: [&str; 2] = ["put", "id"];

/// The object in which several schemas have everything except the text.
const METADATA: &str = "metadata";

/// A row, split into its members. Values keep their bytes, and are parsed on request.
pub struct CorpusRow<'a> {
    members: JsonMembers<'a>,
    /// The frame around the row's object, which a loader expects.
    frame: Option<Box<RowFrame<'a>>>,
    /// The members of the object `metadata`, parsed on first use.
    metadata: OnceCell<Option<JsonMembers<'a>>>,
    /// The members of `metadata` if it is JSON text, parsed on first use.
    text_metadata: OnceCell<HashMap<String, Box<RawValue>>>,
}

/// The members around a row's object.
struct RowFrame<'a> {
    members: JsonMembers<'a>,
    /// Index of the object.
    object: usize,
    /// The members without the object and the identifier.
    rest: Vec<(MemberName<'a>, &'a RawValue)>,
}

impl<'a> RowFrame<'a> {
    /// Returns the frame and the row's object, if these are the members of a frame.
    fn split(members: JsonMembers<'a>) -> Result<(RowFrame<'a>, JsonMembers<'a>), JsonMembers<'a>> {
        let object = framed_member(&members);
        let inner = object.and_then(|at| serde_json::from_str(members.0[at].1.get()).ok());
        let (Some(object), Some(inner)) = (object, inner) else { return Err(members) };
        let is_rest = |at: usize, name: &str| at != object && !FRAME_IDS.contains(&name);
        let rest = members.0.iter().enumerate();
        let rest = rest.filter(|(at, (name, _))| is_rest(*at, name));
        let rest = rest.map(|(_, member)| member.clone()).collect();
        Ok((RowFrame { members, object, rest }, inner))
    }

    /// Returns the identifier. In Vespa it is the end of `id:NAMESPACE:TYPE:KEYS:ID`.
    fn id(&self) -> Option<Cow<'a, str>> {
        let (_, value) = FRAME_IDS.iter().find_map(|name| self.members.member(name))?;
        match json_string(value) {
            Some(Cow::Borrowed(id)) => Some(Cow::Borrowed(end_of_document_id(id))),
            Some(Cow::Owned(id)) => Some(Cow::Owned(end_of_document_id(&id).to_owned())),
            None => Some(Cow::Borrowed(value.get())),
        }
    }
}

fn end_of_document_id(id: &str) -> &str {
    id.strip_prefix("id:").and_then(|id| id.splitn(4, ':').nth(3)).unwrap_or(id)
}

/// A value, which is in the line or in a text of the line.
#[derive(Clone, Copy)]
enum FoundValue<'s, 'a> {
    InLine(&'a RawValue),
    InText(&'s RawValue),
}

impl<'s, 'a: 's> FoundValue<'s, 'a> {
    fn into_raw(self) -> &'s RawValue {
        match self {
            FoundValue::InLine(value) | FoundValue::InText(value) => value,
        }
    }
}

impl<'a> FoundValue<'_, 'a> {
    fn raw(&self) -> &RawValue {
        match self {
            FoundValue::InLine(value) | FoundValue::InText(value) => value,
        }
    }

    fn string(self) -> Option<Cow<'a, str>> {
        match self {
            FoundValue::InLine(value) => json_string(value),
            FoundValue::InText(value) => json_string(value).map(|it| Cow::Owned(it.into_owned())),
        }
    }
}

/// The text of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowText<'a> {
    /// Index of the text among the members of the row.
    pub member: usize,
    /// The text.
    pub text: Cow<'a, str>,
}

impl<'a> CorpusRow<'a> {
    /// Splits a line into its members.
    ///
    /// # Errors
    ///
    /// The line is not a JSON object, or not UTF-8.
    pub fn parse(line: &'a [u8]) -> Result<CorpusRow<'a>, RowFault> {
        let json = std::str::from_utf8(line).map_err(|error| RowFault::invalid(line, &error))?;
        let members =
            serde_json::from_str(json).map_err(|error| RowFault::invalid(line, &error))?;
        let (frame, members) = match RowFrame::split(members) {
            Ok((frame, members)) => (Some(Box::new(frame)), members),
            Err(members) => (None, members),
        };
        let (metadata, text_metadata) = (OnceCell::new(), OnceCell::new());
        Ok(CorpusRow { members, frame, metadata, text_metadata })
    }

    /// Returns the members in their order. If a frame for a loader is around the row, they are
    /// those of the object within it.
    pub fn members(&self) -> &JsonMembers<'a> {
        &self.members
    }

    /// Returns the members of the frame around the row that are neither its object nor its
    /// identifier.
    pub fn frame(&self) -> &[(MemberName<'a>, &'a RawValue)] {
        self.frame.as_ref().map_or(&[], |frame| &frame.rest)
    }

    /// Returns the identifier in the frame around the row.
    pub fn frame_id(&self) -> Option<Cow<'a, str>> {
        self.frame.as_ref()?.id()
    }

    /// Appends the row. `write` appends its object, around which the row may have a frame.
    pub fn write_in_frame(&self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        let Some(RowFrame { members, object, .. }) = self.frame.as_deref() else {
            return write(out);
        };
        let (before, after) = (&members.0[..*object], &members.0[*object + 1..]);
        out.push(b'{');
        for (name, value) in before {
            push_name(out, name.as_written());
            out.extend_from_slice(value.get().as_bytes());
        }
        push_name(out, members.0[*object].0.as_written());
        write(out);
        for (name, value) in after {
            push_name(out, name.as_written());
            out.extend_from_slice(value.get().as_bytes());
        }
        out.push(b'}');
    }

    /// Returns the first string under a name for texts. It is a direct member of the row, since a
    /// command may have to replace it.
    ///
    /// # Errors
    ///
    /// No name has a string. The fault says how to read the file if the row is an action line of a
    /// bulk file.
    pub fn text(&self, keys: &RowKeys) -> Result<RowText<'a>, RowFault> {
        let found = keys.text.iter().find_map(|name| {
            let (member, value) = self.members.member(name)?;
            Some(RowText { member, text: json_string(value)? })
        });
        found.ok_or_else(|| RowFault { reason: Reason::NoTextKey, detail: self.action().into() })
    }

    /// Returns how to read the rows of a bulk file, if this row is an action of one.
    fn action(&self) -> &'static str {
        let JsonMembers(members) = &self.members;
        let is_action = members.len() == 1
            && members.iter().all(|(name, value)| {
                matches!(&**name, "index" | "create" | "update" | "delete")
                    && value.get().starts_with('{')
            });
        if is_action {
            "an action of a bulk request: give the rows without their actions"
        } else {
            ""
        }
    }

    /// Returns the URL.
    pub fn url(&self, keys: &RowKeys) -> Option<Cow<'a, str>> {
        self.first_string(&keys.url)
    }

    /// Returns the time when the page was fetched, as written.
    pub fn date(&self) -> Option<Cow<'a, str>> {
        self.first_string(DATE)
    }

    /// Returns the language, as written.
    pub fn language(&self) -> Option<Cow<'a, str>> {
        self.first_string(LANGUAGE)
    }

    /// Returns the title.
    pub fn title(&self) -> Option<Cow<'a, str>> {
        self.first_string(TITLE)
    }

    /// Returns the identifier: a string, or a number as written.
    pub fn id(&self) -> Option<Cow<'a, str>> {
        let id = self.values(ID).find_map(|value| match (value.raw().get().as_bytes()[0], value) {
            (b'-' | b'0'..=b'9', FoundValue::InLine(value)) => Some(Cow::Borrowed(value.get())),
            _ => value.string().filter(|id| !id.is_empty()),
        });
        id.or_else(|| self.frame_id())
    }

    /// Returns the identifier, if it is a UUID in its usual form.
    pub fn uuid(&self) -> Option<[u8; 16]> {
        let id = self.id()?;
        let uuid = Uuid::try_parse(&id).ok()?;
        // Takes only the form that is written again unchanged.
        let mut usual = Uuid::encode_buffer();
        (uuid.hyphenated().encode_lower(&mut usual) == &*id).then(|| uuid.into_bytes())
    }

    /// Returns the score that the extractor gave. It may be in quotes.
    pub fn score(&self) -> Option<f64> {
        self.values(SCORE).find_map(|value| json_number(value.raw()))
    }

    /// Returns the value of this name, if it is a string. A dot leads into an object, unless a
    /// member has the whole name.
    pub fn string(&self, name: &str) -> Option<Cow<'a, str>> {
        self.found(name)?.string()
    }

    /// Returns a field of `docs/rows.md`, in the row itself or in its `metadata`, if it is a
    /// string.
    pub fn field_string(&self, name: &str) -> Option<Cow<'a, str>> {
        self.field(name, |value: FoundValue<'_, 'a>| value.string())
    }

    /// Returns a field of `docs/rows.md`, in the row itself or in its `metadata`, if it is a number
    /// or a flag. It may be in quotes.
    pub fn field_number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.field(name, |value| json_number(value.raw()))
    }

    /// Returns a field of `docs/rows.md`, in the row itself or in its `metadata`, if it is a list
    /// or an object of that type. Tables hold it as JSON text.
    pub fn field_json<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.field(name, |value| match json_string(value.raw()) {
            Some(text) => serde_json::from_str(&text).ok(),
            None => serde_json::from_str(value.raw().get()).ok(),
        })
    }

    /// Returns a value in the object `metadata` of the row, which may be JSON text.
    pub fn metadata_value(&self, name: &str) -> Option<&RawValue> {
        self.in_metadata(name).map(FoundValue::into_raw)
    }

    fn field<T>(&self, name: &str, read: impl Fn(FoundValue<'_, 'a>) -> Option<T>) -> Option<T> {
        let own = self.members.member(name);
        let own = own.and_then(|(_, value)| read(FoundValue::InLine(value)));
        own.or_else(|| self.in_metadata(name).and_then(read))
    }

    /// Returns the value of this name as written. A dot leads into an object, unless a member has
    /// the whole name.
    pub fn value(&self, name: &str) -> Option<&RawValue> {
        self.found(name).map(FoundValue::into_raw)
    }

    fn found(&self, name: &str) -> Option<FoundValue<'_, 'a>> {
        if let Some((_, value)) = self.members.member(name) {
            return Some(FoundValue::InLine(value));
        }
        let (outer, inner) = name.split_once('.')?;
        if outer == METADATA {
            return self.in_metadata(inner);
        }
        let in_frame = || self.frame.as_ref()?.members.member(outer);
        let (_, value) = self.members.member(outer).or_else(in_frame)?;
        nested_value(&serde_json::from_str(value.get()).ok()?, inner).map(FoundValue::InLine)
    }

    fn in_metadata(&self, name: &str) -> Option<FoundValue<'_, 'a>> {
        if let Some(members) = self.metadata() {
            return nested_value(members, name).map(FoundValue::InLine);
        }
        let members = self.text_metadata.get_or_init(|| self.read_text_metadata());
        if let Some(value) = members.get(name) {
            return Some(FoundValue::InText(value));
        }
        let (outer, inner) = name.split_once('.')?;
        let members: JsonMembers<'_> = serde_json::from_str(members.get(outer)?.get()).ok()?;
        nested_value(&members, inner).map(FoundValue::InText)
    }

    fn metadata(&self) -> Option<&JsonMembers<'a>> {
        let read = || {
            let (_, value) = self.members.member(METADATA)?;
            serde_json::from_str(value.get()).ok()
        };
        self.metadata.get_or_init(read).as_ref()
    }

    /// Reads `metadata` if it is an object as JSON text, as tables of text have it.
    fn read_text_metadata(&self) -> HashMap<String, Box<RawValue>> {
        let json = self.members.member(METADATA).and_then(|(_, value)| object_in_text(value));
        let Some(json) = json else { return HashMap::new() };
        let members: JsonMembers<'_> = serde_json::from_str(&json).expect("JSON that was checked");
        let JsonMembers(members) = members;
        members.into_iter().map(|(name, value)| (name.to_string(), value.to_owned())).collect()
    }

    fn values<N: AsRef<str>>(&self, names: &[N]) -> impl Iterator<Item = FoundValue<'_, 'a>> {
        names.iter().filter_map(|name| self.found(name.as_ref()))
    }

    /// Returns the first string under these names that is not empty.
    fn first_string<N: AsRef<str>>(&self, names: &[N]) -> Option<Cow<'a, str>> {
        self.values(names).filter_map(FoundValue::string).find(|text| !text.is_empty())
    }
}

/// Returns the value of a name in an object.
fn nested_value<'a>(members: &JsonMembers<'a>, name: &str) -> Option<&'a RawValue> {
    if let Some((_, value)) = members.member(name) {
        return Some(value);
    }
    let (outer, inner) = name.split_once('.')?;
    let (_, value) = members.member(outer)?;
    nested_value(&serde_json::from_str(value.get()).ok()?, inner)
}

/// Appends the name of a member. `name` is the text between the quotes.
pub(crate) fn push_name(out: &mut Vec<u8>, name: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_row::{Compression, Compressor, JSONL, Layout, RowSource, SCHEMAS, parse_row};

    fn parse(line: &str) -> CorpusRow<'_> {
        CorpusRow::parse(line.as_bytes()).unwrap()
    }

    /// Returns a row in this schema, as `huller extract` writes it. It is the last line, since an
    /// action line may precede the row.
    fn written(schema: Option<&'static huller_row::Schema>) -> String {
        let layout = Layout {
            schema,
            index: "pages".to_owned(),
            compression: Compression::None,
            ..Layout::default()
        };
        let line = r#"{"id":"0190a5b2-7c1d-4e3f-8a9b-0c1d2e3f4a5b","url":"http://a.test/","date":"2024-03-01T10:00:00Z","title":"A title","text":"The text","language":"eng","score":0.5}"#;
        let row: JsonMembers<'_> = serde_json::from_str(line).unwrap();
        let (mut encoder, mut piece) = (JSONL.encoder(&layout), Vec::new());
        parse_row(&row, RowSource::default(), |row| encoder.row(row));
        encoder.finish(&mut Compressor::new(Compression::None), &mut piece);
        String::from_utf8(piece).unwrap().lines().last().unwrap().to_owned()
    }

    #[test]
    fn rows_of_every_schema_that_we_write_are_read() {
        let keys = RowKeys::default();
        for schema in SCHEMAS.iter().map(Some).chain([None]) {
            let (name, line) = (schema.map_or("none", |of| of.name), written(schema));
            let row = parse(&line);
            let text = row.text(&keys).unwrap();
            assert_eq!(text.text, "The text", "{name}");
            assert!(row.members().0[text.member].1.get().contains("The text"));
            if name != "ccnet" {
                assert_eq!(row.uuid().unwrap()[..2], [0x01, 0x90], "{name}");
            }
            if name == "anserini" {
                continue;
            }
            assert_eq!(row.url(&keys).as_deref(), Some("http://a.test/"), "{name}");
            assert_eq!(&row.date().unwrap()[..19], "2024-03-01T10:00:00", "{name}");
            assert_eq!(row.language().as_deref(), Some("eng"), "{name}");
            if name != "fineweb" {
                assert_eq!(row.title().as_deref(), Some("A title"), "{name}");
            }
            if !["fineweb", "ccnet"].contains(&name) {
                assert_eq!(row.score(), Some(0.5), "{name}");
                assert_eq!(row.field_number::<u64>("replaced"), Some(0), "{name}");
            }
        }
    }

    #[test]
    fn rows_of_others_are_read() {
        let keys = RowKeys::default();
        let of = |line: &str| {
            let row = parse(line);
            let own = |text: Option<Cow<'_, str>>| text.unwrap_or_default().into_owned();
            (own(row.url(&keys)), own(row.date()), own(row.id()))
        };
        let of_three = |url: &str, date: &str, id: &str| (url.into(), date.into(), id.into());
        for (line, expected) in [
            (r#"{"u":"a","timestamp":"b","id":7}"#, of_three("a", "b", "7")),
            (r#"{"warc_url":"a","crawl_date":"b","id":-1.50}"#, of_three("a", "b", "-1.50")),
            (r#"{"source_url":"a","warc_date":"b","id":true}"#, of_three("a", "b", "")),
            (r#"{"metadata":{"url":"a","timestamp":"b"},"id":""}"#, of_three("a", "b", "")),
            (r#"{"metadata":7,"url":""}"#, of_three("", "", "")),
        ] {
            assert_eq!(of(line), expected, "{line}");
        }
    }

    #[test]
    fn a_value_of_another_type_hides_no_later_name() {
        let keys = RowKeys::default();
        for line in [
            r#"{"text":null,"content":"x","url":null,"u":"y","date":5,"metadata":{"date":"z"}}"#,
            r#"{"text":["a"],"contents":"x","url":"","metadata":{"url":"y"},"added":"z"}"#,
            r#"{"content":"x","url":{},"source_url":"y","date":null,"date_download":"z","text":1}"#,
        ] {
            let row = parse(line);
            assert_eq!(row.text(&keys).unwrap().text, "x", "{line}");
            assert_eq!(row.url(&keys).as_deref(), Some("y"), "{line}");
            assert_eq!(row.date().as_deref(), Some("z"), "{line}");
        }
        let row = parse(r#"{"text":"first","text":"last"}"#);
        assert_eq!(row.text(&keys).unwrap(), RowText { member: 1, text: "last".into() });
    }

    #[test]
    fn values_of_tables_of_text_are_read() {
        let row = parse(r#"{"score":"0.9","status":"200.0","kept":"TRUE","list":"[\"a\"]"}"#);
        assert_eq!(row.score(), Some(0.9));
        assert_eq!(row.field_number::<u16>("status"), Some(200));
        assert_eq!(row.field_number::<bool>("kept"), Some(true));
        assert_eq!(row.field_json::<Vec<String>>("list").unwrap(), ["a"]);
        let row = parse(r#"{"score":"","metadata":{"score":"1e-2","list":["b"]},"n":"many"}"#);
        assert_eq!(row.score(), Some(0.01));
        assert_eq!(row.field_json::<Vec<String>>("list").unwrap(), ["b"]);
        assert_eq!(row.field_number::<u64>("n"), None);
    }

    #[test]
    fn metadata_that_is_text_is_read_as_an_object() {
        let row = parse(
            r#"{"text":"a","metadata":" {\"url\":\"u\\\\v\",\n\"date\":\"d\",\"title\":\"t\",\"score\":0.5,\"m\":{\"n\":\"y\"},\"kept\":true}"}"#,
        );
        assert_eq!(row.url(&RowKeys::default()).as_deref(), Some("u\\v"));
        assert_eq!((row.date().as_deref(), row.title().as_deref()), (Some("d"), Some("t")));
        assert_eq!((row.score(), row.field_number::<bool>("kept")), (Some(0.5), Some(true)));
        assert_eq!(row.string("metadata.m.n").as_deref(), Some("y"));
        assert_eq!(row.field_string("title").as_deref(), Some("t"));
        assert_eq!(row.metadata_value("m").unwrap().get(), r#"{"n":"y"}"#);
        assert!(row.string("metadata").unwrap().starts_with(" {"));
        for other in [r#"{"metadata":"{url: x}"}"#, r#"{"metadata":"[]"}"#, r#"{"metadata":""}"#] {
            assert_eq!(parse(other).url(&RowKeys::default()), None, "{other}");
        }
    }

    #[test]
    fn the_frame_of_a_loader_is_no_part_of_the_row() {
        let line = r#"{"put":"id:p:page:n=1:a:b","create": true,"fields":{"text":"a","url":"u"}}"#;
        let row = parse(line);
        let text = row.text(&RowKeys::default()).unwrap();
        assert_eq!((text.member, &*text.text, row.id().as_deref()), (0, "a", Some("a:b")));
        assert_eq!(row.string("fields.url").as_deref(), Some("u"));
        let names: Vec<_> = row.frame().iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["create"]);
        let mut out = Vec::new();
        row.write_in_frame(&mut out, |out| out.extend_from_slice(b"{}"));
        assert_eq!(out, br#"{"put":"id:p:page:n=1:a:b","create":true,"fields":{}}"#);
        let point = parse(r#"{"id":7,"payload":{"contents":"b","id":null},"vector":[0.5]}"#);
        assert_eq!((point.id().as_deref(), point.frame().len()), (Some("7"), 1));
        assert_eq!(point.text(&RowKeys::default()).unwrap().text, "b");
    }

    #[test]
    fn dots_lead_into_objects() {
        let row = parse(r#"{"a":{"b":{"c":"x"},"d":1},"a.d":"whole","metadata":{"m":{"n":"y"}}}"#);
        let string = |name| row.string(name).unwrap_or_default().into_owned();
        assert_eq!([string("a.b.c"), string("a.d"), string("metadata.m.n")], ["x", "whole", "y"]);
        assert_eq!([string("a.b"), string("a.x"), string("metadata.n"), string(".")], [""; 4]);
    }

    #[test]
    fn what_is_no_row_says_why() {
        let keys = RowKeys::default();
        let reason = |line: &[u8]| match CorpusRow::parse(line) {
            Ok(row) => row.text(&keys).err().map(|fault| fault.reason),
            Err(fault) => Some(fault.reason),
        };
        for (line, expected) in [
            (&b""[..], Reason::InvalidJson),
            (b"[1]", Reason::InvalidJson),
            (br#"{"text":"a""#, Reason::InvalidJson),
            (b"{\"text\":\"\xFF\"}", Reason::InvalidJson),
            (b"{\"text\":\"a\0\"}", Reason::InvalidJson),
            (br#"{"text":1}"#, Reason::NoTextKey),
            (br#"{"index":{"_id":"1"}}"#, Reason::NoTextKey),
        ] {
            assert_eq!(reason(line), Some(expected), "{}", line.escape_ascii());
        }
        let hole = [&b"{\"text\":\"a"[..], &vec![0; 1 << 15], b"\"}"].concat();
        assert_eq!(reason(&hole), Some(Reason::Hole));
        assert_eq!(reason(br#"{"text":""}"#), None);
    }
}
