//! Parses a JSON object into a [`Row`], so that any format can write it.
//!
//! The object may come from another program. A member becomes a field if it has the name of the
//! field, in the table or in a schema, and a value of its type. Every other member goes into the
//! field `source`, as it is, so that no member is lost.

use crate::extras::Extras;
use crate::field::FieldType;
use crate::fields::{FIELDS, find_field};
use crate::json::Object;
use crate::json_members::{JsonMembers, MemberName, json_number, json_string};
use crate::row::Row;
use crate::schemas::{MemberContent, member_content, nest_of, text_nest_of};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::str::FromStr;

/// The members that hold values under names of the user, and a value for rows without one.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowSource<'a> {
    /// Index of the member that is the text. `None` is the one with a name for texts.
    pub text: Option<usize>,
    /// The URL, if it is a member of any name, or deeper in the row.
    pub url: Option<&'a str>,
    /// The identifier of a row that has none.
    pub id: &'a str,
    /// The other members of the frame around the row.
    pub frame: &'a [(MemberName<'a>, &'a RawValue)],
}

/// Passes the row in `members` to `then`.
///
/// The row has all fields that a run over existing rows writes ([`Extras::of_existing_rows`]).
/// `source` has the members that are no fields, in their order. If the row has an object `source`
/// itself, its members come first. A `source` that is no object, or that has the name of another
/// such member, becomes a member of `source` as a whole.
///
/// ```
/// use huller_row::{JsonMembers, RowSource, parse_row};
///
/// let line = r#"{"id":"7","url":null,"text":"a\nb","score":0.5,"labels":["x"]}"#;
/// let members: JsonMembers<'_> = serde_json::from_str(line)?;
/// let seen = parse_row(&members, RowSource::default(), |row| {
///     (row.text.to_owned(), row.score, row.source.map(str::to_owned))
/// });
/// assert_eq!(seen, ("a\nb".to_owned(), Some(0.5), Some(r#"{"labels":["x"]}"#.to_owned())));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn parse_row<R>(
    members: &JsonMembers<'_>,
    given: RowSource<'_>,
    then: impl FnOnce(&Row<'_>) -> R,
) -> R {
    let nest_text = text_nest_of(members).filter(|(_, is_home, _)| *is_home);
    let nest_text = nest_text.as_ref().map(|(at, _, json)| (*at, json.as_str()));
    let mut values = FieldValues::read(members, nest_text, given.text);
    let in_frame = given.frame.iter().map(|(name, value)| (name.as_written(), value.get()));
    values.others.extend(in_frame.map(|(name, value)| (name, Cow::Borrowed(value))));
    let text = |name: &str| values.text(name);
    let of = |name: &str| text(name).unwrap_or_default();
    let [id, main, extractor] = [of("id"), of("text"), of("extractor")];
    let [charset, charset_source, file_path] =
        [of("charset"), of("charset_source"), of("file_path")];
    let [url, date, title, language] = [text("url"), text("date"), text("title"), text("language")];
    let [script, author, published] = [text("language_script"), text("author"), text("published")];
    let [site_name, description] = [text("site_name"), text("description")];
    let [page_type, comments] = [text("page_type"), text("comments")];
    let [content_type, digest] = [text("content_type"), text("digest")];
    let [warc_filename, truncated] = [text("warc_filename"), text("truncated")];
    let bucket = text("bucket");
    let [markdown, html, source_html] = [text("markdown"), text("html"), text("source_html")];
    let [blocks, signals, classes] =
        [values.json("blocks"), values.json("signals"), values.json("classes")];
    let rights = values.json("rights");
    let source = values.source();
    then(&Row {
        id: if id.is_empty() { given.id } else { &id },
        url: url.as_deref().or(given.url),
        date: date.as_deref(),
        title: title.as_deref(),
        text: &main,
        language: language.as_deref(),
        language_script: script.as_deref(),
        language_score: values.number("language_score"),
        author: author.as_deref(),
        published: published.as_deref(),
        site_name: site_name.as_deref(),
        description: description.as_deref(),
        extractor: &extractor,
        score: values.number("score"),
        page_type: page_type.as_deref(),
        has_article: values.number("has_article"),
        comments: comments.as_deref(),
        charset: &charset,
        charset_source: &charset_source,
        replaced: values.number("replaced").unwrap_or_default(),
        content_type: content_type.as_deref(),
        status: values.number("status"),
        digest: digest.as_deref(),
        file_path: &file_path,
        warc_filename: warc_filename.as_deref(),
        warc_record_offset: values.number("warc_record_offset"),
        warc_record_length: values.number("warc_record_length"),
        stream_offset: values.number("stream_offset"),
        truncated: truncated.as_deref(),
        texts: None,
        markdown: markdown.as_deref(),
        html: html.as_deref(),
        source_html: source_html.as_deref(),
        blocks: blocks.as_deref(),
        signals: signals.as_deref(),
        classes: classes.as_deref(),
        perplexity: values.number("perplexity"),
        bucket: bucket.as_deref(),
        tokens: values.number("tokens"),
        rights: rights.as_deref(),
        source: source.as_deref(),
        record: None,
        anchors: &[],
        links: &[],
        link: None,
        passage: None,
        extras: Extras::of_existing_rows(),
    })
}

/// The members of a row, divided into fields and others.
struct FieldValues<'a> {
    /// The value of each field, which has the field's type or is null.
    fields: [Option<&'a RawValue>; FIELDS.len()],
    /// The names as written and the values of the others.
    others: Vec<(&'a str, Cow<'a, str>)>,
}

impl<'a> FieldValues<'a> {
    /// Reads the row. `nest_text` is the JSON of its object for fields, if it has that as text.
    fn read(
        members: &JsonMembers<'a>,
        nest_text: Option<(usize, &'a str)>,
        text: Option<usize>,
    ) -> FieldValues<'a> {
        let mut values = FieldValues { fields: [None; FIELDS.len()], others: Vec::new() };
        if let Some(text) = text {
            values.fields[field_index("text")] = Some(members.0[text].1);
        }
        let nest = nest_of(members).filter(|(_, is_home)| *is_home);
        let nest = nest.map(|(at, _)| (at, members.0[at].1.get())).or(nest_text);
        let nest = nest
            .and_then(|(at, json)| Some((at, serde_json::from_str::<JsonMembers<'a>>(json).ok()?)));
        // A field under its own name goes before one under the name of a schema, and a member of
        // the row before one deeper in it. Of two members with one name, readers take the last.
        let is_text = |at| Some(at) == text;
        let mut is_taken = values.take(members, is_text, |name| member_field_index(name, false));
        let taken_later =
            values.take(members, |at| is_taken[at], |name| member_field_index(name, true));
        is_taken.iter_mut().zip(taken_later).for_each(|(taken, later)| *taken |= later);
        let mut in_nest = None;
        if let Some((at, inner)) = &nest {
            let is_inner_taken =
                values.take(inner, |_| false, |name| member_field_index(name, true));
            in_nest = Some((*at, inner, is_inner_taken));
        }
        for (at, (name, value)) in members.0.iter().enumerate() {
            match &in_nest {
                Some((nest, inner, is_inner_taken)) if *nest == at => {
                    values.push_rest_of_nest(name.as_written(), inner, is_inner_taken);
                }
                _ if is_taken[at] => {}
                _ => values.others.push((name.as_written(), Cow::Borrowed(value.get()))),
            }
        }
        values
    }

    /// Takes the members that are fields. `place` returns the index of a field by the name of a
    /// member. Returns which members it took or were taken before.
    fn take(
        &mut self,
        members: &JsonMembers<'a>,
        is_taken: impl Fn(usize) -> bool,
        index_of: impl Fn(&str) -> Option<usize>,
    ) -> Vec<bool> {
        let mut taken = vec![false; members.0.len()];
        for (at, (name, value)) in members.0.iter().enumerate().rev() {
            if is_taken(at) {
                taken[at] = true;
                continue;
            }
            let Some(index) = index_of(name) else { continue };
            if self.fields[index].is_none() && has_type_of_field(index, value) {
                self.fields[index] = Some(*value);
                taken[at] = true;
            }
        }
        taken
    }

    /// Adds the members of an inner object that are no fields, as an object.
    fn push_rest_of_nest(&mut self, name: &'a str, inner: &JsonMembers<'a>, is_taken: &[bool]) {
        let mut json = Vec::new();
        let mut object = Object::new(&mut json);
        let rest = inner.0.iter().zip(is_taken).filter(|(_, is_taken)| !**is_taken);
        let mut is_empty = true;
        for ((name, value), _) in rest {
            object.raw(name.as_written(), value.get());
            is_empty = false;
        }
        object.end();
        if !is_empty {
            let json = String::from_utf8(json).expect("JSON made of strings");
            self.others.push((name, Cow::Owned(json)));
        }
    }

    /// Returns a field that is text. An identifier may be a number.
    fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        let value = self.fields[field_index(name)].filter(|value| value.get() != "null")?;
        Some(json_string(value).unwrap_or(Cow::Borrowed(value.get())))
    }

    /// Returns a field that is a number or a flag. Tables hold it as text.
    fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        json_number(self.fields[field_index(name)]?)
    }

    /// Returns a field that is JSON. Tables hold it as text.
    fn json(&self, name: &str) -> Option<Cow<'a, str>> {
        let value = self.fields[field_index(name)].filter(|value| value.get() != "null")?;
        Some(json_string(value).unwrap_or(Cow::Borrowed(value.get())))
    }

    /// Returns the field `source` with all members that are no fields.
    fn source(&self) -> Option<Cow<'a, str>> {
        let own = self.json("source");
        if self.others.is_empty() {
            return own;
        }
        let members: Option<JsonMembers<'_>> =
            own.as_deref().and_then(|own| serde_json::from_str(own).ok());
        let mut json = Vec::new();
        let mut object = Object::new(&mut json);
        if let (Some(own), Some(members)) = (&own, &members) {
            let is_other = |name: &str| self.others.iter().any(|(other, _)| *other == name);
            if members.0.iter().any(|(name, _)| is_other(name.as_written())) {
                object.raw("source", own);
            } else {
                members
                    .0
                    .iter()
                    .for_each(|(name, value)| object.raw(name.as_written(), value.get()));
            }
        }
        self.others.iter().for_each(|(name, value)| object.raw(name, value));
        object.end();
        Some(Cow::Owned(String::from_utf8(json).expect("JSON made of strings")))
    }
}

/// Returns the index of a field that the table has.
fn field_index(name: &str) -> usize {
    FIELDS.iter().position(|field| field.name == name).expect("a field of the table")
}

/// Returns the index of the field that a member holds by its name.
fn member_field_index(name: &str, in_schemas: bool) -> Option<usize> {
    let field = match member_content(name) {
        Some(MemberContent::Field(field)) if in_schemas => Some(field),
        _ => find_field(name),
    };
    field.map(|field| field_index(field.name))
}

/// Returns whether a value has the type of a field, or is null.
fn has_type_of_field(index: usize, value: &RawValue) -> bool {
    let json = value.get();
    let first = json.as_bytes().first().copied().unwrap_or_default();
    if json == "null" {
        return true;
    }
    match FIELDS[index].value_type {
        FieldType::Text(_) => {
            let is_number = first == b'-' || first.is_ascii_digit();
            first == b'"' || (is_number && FIELDS[index].name == "id")
        }
        FieldType::Int(_) => is_number::<u16>(value),
        FieldType::Long(_) => is_number::<u64>(value),
        FieldType::Float(_) => is_number::<f64>(value),
        FieldType::Flag(_) => is_number::<bool>(value),
        FieldType::Texts | FieldType::TextList(_) => false,
        FieldType::Json(_) => match first {
            b'{' | b'[' => true,
            b'"' => json_string(value).is_some_and(|text| {
                text.starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(&text).is_ok()
            }),
            _ => false,
        },
    }
}

/// Returns whether JSON is such a number or flag, perhaps in quotes. A pair of quotes is null.
fn is_number<T: FromStr>(value: &RawValue) -> bool {
    value.get() == "\"\"" || json_number::<T>(value).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::push_row;
    use crate::sample::row;
    use serde_json::{Value, json};

    /// Reads a line and writes it with all fields.
    fn read(line: &str, given: RowSource<'_>) -> Value {
        let members: JsonMembers<'_> = serde_json::from_str(line).unwrap();
        let mut out = Vec::new();
        parse_row(&members, given, |row| push_row(row, &mut out));
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn rows_are_read_back_as_they_were_written() {
        for full in [false, true] {
            row(full, &[], &[], |row| {
                let extras = Extras::of_existing_rows();
                let row = Row { texts: None, extras, ..*row };
                let (mut before, mut after) = (Vec::new(), Vec::new());
                push_row(&row, &mut before);
                let line = str::from_utf8(&before).unwrap();
                let members: JsonMembers<'_> = serde_json::from_str(line).unwrap();
                parse_row(&members, RowSource::default(), |row| push_row(row, &mut after));
                assert_eq!(str::from_utf8(&after).unwrap(), line);
            });
        }
    }

    #[test]
    fn what_is_no_field_is_in_source() {
        let source = |line: &str| read(line, RowSource::default())["source"].clone();
        for (line, expected) in [
            (r#"{"text":"a"}"#, json!(null)),
            (r#"{"text":"a","source":{"k":1}}"#, json!({"k": 1})),
            (
                r#"{"text":"a","x":[1],"source":{"k":1},"y":null}"#,
                json!({"k": 1, "x": [1], "y": null}),
            ),
            (r#"{"text":"a","k":2,"source":{"k":1}}"#, json!({"source": {"k": 1}, "k": 2})),
            (r#"{"text":"a","source":"cc","added":"z"}"#, json!({"source": "cc", "added": "z"})),
            (
                r#"{"text":"a","title":["x"],"status":"ok"}"#,
                json!({"title": ["x"], "status": "ok"}),
            ),
            (r#"{"text":"a","texts":{"hull":"b"}}"#, json!({"texts": {"hull": "b"}})),
            (
                r#"{"text":"a","score":"inf","status":"+1"}"#,
                json!({"score": "inf", "status": "+1"}),
            ),
            (r#"{"text":"a","text":"b","status":-1}"#, json!({"text": "a", "status": -1})),
            (
                r#"{"text":"a","metadata":{"title":"t","n":{"m":1}}}"#,
                json!({"metadata": {"n": {"m": 1}}}),
            ),
        ] {
            assert_eq!(source(line), expected, "{line}");
        }
        let escaped = r#"{"text":"a","a\"b\u0000":"\ud800"}"#;
        let members: JsonMembers<'_> = serde_json::from_str(escaped).unwrap();
        parse_row(&members, RowSource::default(), |row| {
            assert_eq!(row.source, Some(r#"{"a\"b\u0000":"\ud800"}"#));
        });
    }

    #[test]
    fn fields_are_found_under_the_names_of_schemas_and_of_the_user() {
        let given =
            RowSource { text: Some(0), url: Some("http://a.test/"), id: "made", frame: &[] };
        let row = read(r#"{"body":"b","text":"a","token_count":"7","replaced":""}"#, given);
        let expected = json!({"text": "a"});
        assert_eq!(
            (&row["text"], &row["tokens"], &row["source"]),
            (&json!("b"), &json!(7), &expected)
        );
        assert_eq!((&row["url"], &row["id"]), (&json!("http://a.test/"), &json!("made")));
        let line = r#"{"raw_content":"a","id":7,"date_download":"d","has_article":"True","score":0.9778633713722229,"signals":"{\"a\":1}"}"#;
        let row = read(line, RowSource::default());
        for (name, value) in [
            ("text", json!("a")),
            ("id", json!("7")),
            ("date", json!("d")),
            ("has_article", json!(true)),
            ("score", serde_json::from_str("0.9778633713722229").unwrap()),
            ("signals", json!({"a": 1})),
            ("source", json!(null)),
        ] {
            assert_eq!(row[name], value, "{name}");
        }
        let line = r#"{"text":"a","id":"1","metadata":{"title":"t","url":"u","text":"b"}}"#;
        let row = read(line, RowSource::default());
        assert_eq!(
            (&row["title"], &row["url"], &row["text"]),
            (&json!("t"), &json!("u"), &json!("a"))
        );
        assert_eq!(row["source"], json!({"metadata": {"text": "b"}}));
        let line = r#"{"text":"a","metadata":"{\"title\":\"t\",\n\"status\":\"200.0\",\"k\":[]}"}"#;
        let row = read(line, RowSource::default());
        assert_eq!((&row["title"], &row["status"]), (&json!("t"), &json!(200)));
        assert_eq!(row["source"], json!({"metadata": {"k": []}}));
    }
}
