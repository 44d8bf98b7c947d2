//! The table of the fields of a passage, for files of passages.
//!
//! It describes the fields of passages, as [`FIELDS`](crate::FIELDS) describes those of rows.

use crate::field::FieldContent::{Figure, MainText, PageText, Reference};
use crate::field::Presence::{Always, OrNull};
use crate::field::{Field, FieldContent, FieldSource, FieldType, Presence};
use crate::fields::{clean, untrusted};
use crate::passage::PassagePart;
use crate::row::Row;

/// All fields of a passage, in their order.
pub static PASSAGE_FIELDS: &[Field] = &[
    of_row("id", FieldType::Text(|row| Some(row.id)), Always, Reference).doc(
        "Identifier of the passage: a UUID (version 5) of `parent_id`, the settings and `ordinal`; \
         the same in every run.",
    ),
    of_row("parent_id", FieldType::Text(|row| passage_part(row).map(|it| it.parent_id)), Always, Reference)
        .doc("The `id` of the page's row."),
    figure("ordinal", |row| passage_part(row).map(|it| it.ordinal), Always)
        .doc("Number of the passage in its page, from 0."),
    figure("of", |row| passage_part(row).map(|it| it.of), Always)
        .doc("Number of passages of the page."),
    of_row("url", FieldType::Text(|row| row.url), OrNull, Reference).doc("The URL of the page."),
    of_row("anchor", FieldType::Text(|row| passage_part(row)?.anchor), OrNull, Reference).doc(
        "Identifier of the nearest heading at or before the passage that has one, for links of the \
         form `url#anchor`.",
    ),
    of_row("title", FieldType::Text(|row| row.title), OrNull, PageText)
        .doc("The title of the page, at most 512 Unicode scalars."),
    of_row("headings", FieldType::TextList(|row| passage_part(row).map(|it| it.headings)), Always, PageText)
        .doc("The headings around the start of the passage, the outermost first, without markup."),
    of_row("language", FieldType::Text(|row| row.language), OrNull, Reference)
        .doc("The language of the page, ISO 639-3; null if it is not known."),
    of_row("prefix", FieldType::Text(|row| passage_part(row).map(|it| it.prefix)), Always, PageText).doc(
        "Title and headings as lines, with an empty line after them. Embed or index `prefix`, \
         `context` and `text`, joined without anything between them.",
    ),
    of_row("context", FieldType::Text(|row| passage_part(row)?.context), OrNull, PageText)
        .doc("Header of the table that the passage continues, as in the Markdown."),
    of_row("text", FieldType::Text(|row| Some(row.text)), Always, MainText).doc(
        "The passage as in the Markdown, byte for byte, with the empty lines after it. A page \
         without Markdown is cut as plain text.",
    ),
    figure("start", |row| passage_part(row)?.start, OrNull).doc(
        "Start of `text` in the row's Markdown, in Unicode scalars; null for a page without \
         Markdown.",
    ),
    figure("end", |row| passage_part(row)?.end, OrNull).doc("End of `text` in the row's Markdown."),
    figure("text_start", |row| passage_part(row)?.text_start, OrNull).doc(
        "Start of the same part in the row's `text`, in Unicode scalars; null if that has no word \
         of the passage at its place.",
    ),
    figure("text_end", |row| passage_part(row)?.text_end, OrNull)
        .doc("End of the same part in the row's `text`."),
    of_row("kinds", FieldType::TextList(|row| passage_part(row).map(|it| it.kinds)), Always, Reference)
        .doc("Kinds of the blocks that the passage touches: `heading`, `paragraph`, `list`, \
            `code`, `table`, `quote`, `html` and `rule`."),
    figure("tokens", |row| passage_part(row).map(|it| it.tokens), Always).doc(
        "Tokens of `prefix`, `context` and `text` as one text; Unicode scalars if `tokenizer` is \
         `characters`.",
    ),
    of_row("digest", FieldType::Text(|row| passage_part(row).map(|it| it.digest)), Always, Reference).doc(
        "Digest of `prefix`, `context` and `text` as one text: `xxh128:` and 32 hexadecimal digits. \
         An embedding is current as long as it stays.",
    ),
];

fn passage_part<'a>(row: &Row<'a>) -> Option<PassagePart<'a>> {
    row.passage
}

const fn of_row(
    name: &'static str,
    value_type: FieldType,
    presence: Presence,
    content: FieldContent,
) -> Field {
    untrusted(name, value_type, presence, FieldSource::Splitter, content)
}

const fn figure(
    name: &'static str,
    value: fn(&Row<'_>) -> Option<u64>,
    presence: Presence,
) -> Field {
    clean(name, FieldType::Long(value), presence, FieldSource::Splitter, Figure)
}
