//! Reads a row from a JSON object into a [`Row`], so that any format can write it.

use crate::extras::Extras;
use crate::fields::FIELDS;
use crate::members::{JsonMembers, json_string};
use crate::row::Row;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// Returns the extra fields that a row has. `texts` is left out: its members are named after
/// extractors, which this crate does not know.
pub fn extras_of(members: &JsonMembers<'_>) -> Extras {
    let has = |name| members.member(name).is_some();
    Extras {
        texts: false,
        markdown: has("markdown"),
        html: has("html"),
        source_html: has("source_html"),
        blocks: has("blocks"),
        signals: has("signals"),
        classes: has("classes"),
        tokens: has("tokens"),
        source: has("source"),
    }
}

/// Passes a row to `then`. Its members must be fields of the table, and its extra fields must be in
/// `extras`.
///
/// ```
/// use huller_row::{Extras, JsonMembers, with_row};
///
/// let line = r#"{"id":"7","url":null,"text":"a\nb","score":0.5}"#;
/// let members: JsonMembers<'_> = serde_json::from_str(line)?;
/// let seen = with_row(&members, Extras::default(), |row| (row.text.to_owned(), row.score));
/// assert_eq!(seen, Ok(("a\nb".to_owned(), Some(0.5))));
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// The name of a member that is not such a field, or whose value has another type.
pub fn with_row<R>(
    members: &JsonMembers<'_>,
    extras: Extras,
    then: impl FnOnce(&Row<'_>) -> R,
) -> Result<R, String> {
    for (name, _) in &members.0 {
        let field = FIELDS.iter().find(|field| name == field.name);
        if field.is_none_or(|field| field.name == "texts" || !field.presence.is_in(extras)) {
            return Err(format!("'{}' is not a field of huller's rows", &**name));
        }
    }
    let value = |name: &str| members.member(name).map(|(_, value)| value);
    let text = |name: &str| match value(name).filter(|value| !is_null(value)) {
        None => Ok(None),
        Some(value) => json_string(value).map(Some).ok_or_else(|| wrong_type_message(name)),
    };
    let json = |name: &str| value(name).filter(|value| !is_null(value)).map(RawValue::get);
    let of = |name: &str| text(name).map(Option::unwrap_or_default);
    let [id, main, extractor] = [of("id")?, of("text")?, of("extractor")?];
    let [charset, charset_source, file_path] =
        [of("charset")?, of("charset_source")?, of("file_path")?];
    let [url, date, title, language] =
        [text("url")?, text("date")?, text("title")?, text("language")?];
    let [script, author, published] =
        [text("language_script")?, text("author")?, text("published")?];
    let [site_name, description, page_type] =
        [text("site_name")?, text("description")?, text("page_type")?];
    let [comments, content_type, digest] =
        [text("comments")?, text("content_type")?, text("digest")?];
    let [warc_filename, truncated] = [text("warc_filename")?, text("truncated")?];
    let [markdown, html, source_html] = [text("markdown")?, text("html")?, text("source_html")?];
    let row = Row {
        id: &id,
        url: url.as_deref(),
        date: date.as_deref(),
        title: title.as_deref(),
        text: &main,
        language: language.as_deref(),
        language_script: script.as_deref(),
        language_score: number(value("language_score"), "language_score")?,
        author: author.as_deref(),
        published: published.as_deref(),
        site_name: site_name.as_deref(),
        description: description.as_deref(),
        extractor: &extractor,
        score: number(value("score"), "score")?,
        page_type: page_type.as_deref(),
        has_article: number(value("has_article"), "has_article")?,
        comments: comments.as_deref(),
        charset: &charset,
        charset_source: &charset_source,
        replaced: number(value("replaced"), "replaced")?.unwrap_or_default(),
        content_type: content_type.as_deref(),
        status: number(value("status"), "status")?,
        digest: digest.as_deref(),
        file_path: &file_path,
        warc_filename: warc_filename.as_deref(),
        warc_record_offset: number(value("warc_record_offset"), "warc_record_offset")?,
        warc_record_length: number(value("warc_record_length"), "warc_record_length")?,
        stream_offset: number(value("stream_offset"), "stream_offset")?,
        truncated: truncated.as_deref(),
        texts: None,
        markdown: markdown.as_deref(),
        html: html.as_deref(),
        source_html: source_html.as_deref(),
        blocks: json("blocks"),
        signals: json("signals"),
        classes: json("classes"),
        tokens: number(value("tokens"), "tokens")?,
        source: json("source"),
        record: None,
        extras,
    };
    Ok(then(&row))
}

fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// Returns a number or flag, unless it is null.
fn number<T: DeserializeOwned>(value: Option<&RawValue>, name: &str) -> Result<Option<T>, String> {
    let Some(value) = value else { return Ok(None) };
    serde_json::from_str(value.get()).map_err(|_| wrong_type_message(name))
}

fn wrong_type_message(name: &str) -> String {
    format!("the value of '{name}' does not have the type of the field")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::push_row;
    use crate::sample::row;

    #[test]
    fn rows_are_read_back_as_they_were_written() {
        for full in [false, true] {
            row(full, &[], &[], |row| {
                let row =
                    Row { texts: None, extras: Extras { texts: false, ..row.extras }, ..*row };
                let (mut before, mut after) = (Vec::new(), Vec::new());
                push_row(&row, &mut before);
                let line = str::from_utf8(&before).unwrap();
                let members: JsonMembers<'_> = serde_json::from_str(line).unwrap();
                let extras = extras_of(&members);
                with_row(&members, extras, |row| push_row(row, &mut after)).unwrap();
                assert_eq!(str::from_utf8(&after).unwrap(), line);
            });
        }
    }

    #[test]
    fn what_is_no_field_is_named() {
        for (line, problem) in [
            (r#"{"id":"a","token_count":3}"#, "'token_count' is not a field"),
            (r#"{"id":"a","markdown":"x"}"#, "'markdown' is not a field"),
            (r#"{"id":7}"#, "the value of 'id' does not have the type"),
            (r#"{"id":"a","status":"200"}"#, "the value of 'status'"),
        ] {
            let members: JsonMembers<'_> = serde_json::from_str(line).unwrap();
            let found = with_row(&members, Extras::default(), |_| ()).unwrap_err();
            assert!(found.starts_with(problem), "{found}");
        }
    }
}
