//! The table of the row's fields, the one source for all formats and documents.
//!
//! JSON, the columns and the type stub of the Python package, and `docs/rows.md` follow this table.

use crate::extras::Extra;
use crate::field::Content::{Figure, MainText, Own, PageText, Reference};
use crate::field::Presence::{Always, IfAsked, OrNull};
use crate::field::{Content, Field, Part, Presence, Source};

/// All fields, in the order of the row.
pub static FIELDS: &[Field] = &[
    untrusted("id", Part::Text(|row| Some(row.id)), Always, Source::Record, Reference).doc(
        "Identifier of the page: `WARC-Record-ID` without `<urn:uuid:` and `>`, or the `id` of a JSONL line. Where the input \
         has none, a UUID (version 5) of the input's path (as in `file_path`) and the page's place in it, the same in every run.",
    ),
    untrusted("url", Part::Text(|row| row.url), OrNull, Source::Record, Reference)
        .doc("Address of the page: `WARC-Target-URI` without angle brackets, or the `url` of a JSONL line. Bytes that are no UTF-8 are Latin-1, as in indexes, so that addresses which differ in one byte stay apart."),
    untrusted("date", Part::Text(|row| row.date), OrNull, Source::Record, Reference)
        .doc("When the page was fetched: `WARC-Date` as it stands in the header, or the `date` of a JSONL line."),
    untrusted("title", Part::Text(|row| row.title), OrNull, Source::Page, PageText)
        .doc("Headline of the page without the name of the site."),
    clean("text", Part::Text(|row| Some(row.text)), Always, Source::Method, MainText).doc(
        "The main text, which may be empty (`docs/text.md`). A block, a line break or a row of a table begins a new line; the cells \
         of a row are set apart by tabs; preformatted text keeps its lines and indentation; other white space is one space. There are \
         no empty lines, no control characters other than line feed and tab, and no zero-width characters.",
    ),
    clean("language", Part::Text(|row| row.language), OrNull, Source::Stage, Reference)
        .doc("Language of the text, ISO 639-3, in runs with the stage `language`; null where it tells none."),
    clean("language_script", Part::Text(|row| row.language_script), OrNull, Source::Stage, Reference)
        .doc("Script of the text, ISO 15924, as `language`."),
    clean("language_score", Part::Float(|row| row.language_score), OrNull, Source::Stage, Figure)
        .doc("Confidence in `language`, from 0 to 1."),
    untrusted("author", Part::Text(|row| row.author), OrNull, Source::Page, PageText)
        .doc("Author, as the page states it."),
    untrusted("published", Part::Text(|row| row.published), OrNull, Source::Page, Reference)
        .doc("When the page was published, ISO 8601, as precisely as the page states it."),
    untrusted("site_name", Part::Text(|row| row.site_name), OrNull, Source::Page, PageText)
        .doc("Name of the site."),
    untrusted("description", Part::Text(|row| row.description), OrNull, Source::Page, PageText)
        .doc("Summary that the page states for search engines."),
    clean("extractor", Part::Text(|row| Some(row.extractor)), Always, Source::Settings, Reference)
        .doc("Name of the method that made `text`; `none` for text that an archive holds as such (a `conversion` record of plain text, as in WET files), which has no `score`, verdicts, metadata, Markdown, HTML or blocks either."),
    clean("score", Part::Float(|row| row.score), OrNull, Source::Method, Figure).doc(
        "The method's own figure for the page; `docs/methods.md` says what it means for each method. Null where the method \
         gives none.",
    ),
    untrusted("page_type", Part::Text(|row| row.page_type), OrNull, Source::Method, Reference)
        .doc("Kind of page, from methods that classify pages: `article`, `collection`, `documentation`, `forum`, `listing`, `product` or `service`."),
    clean("has_article", Part::Flag(|row| row.has_article), OrNull, Source::Method, Figure)
        .doc("Whether the page has main content at all, by the methods that judge it. False where the body gives no word, whatever the method."),
    untrusted("comments", Part::Text(|row| row.comments), OrNull, Source::Method, PageText)
        .doc("Readers' comments, from methods that separate them from the text; null where no reader signed one, as where there is only the form to write one."),
    clean("charset", Part::Text(|row| Some(row.charset)), Always, Source::Decoding, Reference)
        .doc("Encoding that the page was decoded with: its WHATWG name in lower case, as in `utf-8` or `windows-1252`."),
    clean("charset_source", Part::Text(|row| Some(row.charset_source)), Always, Source::Decoding, Reference)
        .doc("Evidence for the encoding: `bom`, `http`, `meta`, `detected`, `default` (all bytes are ASCII, or the page came as text), or `overruled` (a declaration that cannot be right; detected instead)."),
    clean("replaced", Part::Long(|row| Some(row.replaced)), Always, Source::Decoding, Figure)
        .doc("How many bytes or sequences of bytes the encoding does not have: decoding replaced each by U+FFFD."),
    untrusted("content_type", Part::Text(|row| row.content_type), OrNull, Source::Http, Reference)
        .doc("`Content-Type` of the response, parameters included; of the record where that is a `resource`."),
    clean("status", Part::Int(|row| row.status), OrNull, Source::Http, Figure).doc("HTTP status of the response."),
    untrusted("digest", Part::Text(|row| row.digest), OrNull, Source::Record, Reference).doc(
        "Digest of the payload, the body as it is stored: `WARC-Payload-Digest`; SHA-1 as `sha1:` and Base32, other algorithms as \
         `algorithm:value`. With `--digest`, where the header has no SHA-1: that of the body without its chunks, before any other \
         encoding is undone.",
    ),
    untrusted("file_path", Part::Text(|row| Some(row.file_path)), Always, Source::Place, Reference).doc(
        "The input that holds the page: its path as a list has it, or relative to the folder that was given; for a file that was \
         given by itself its name, and `-` for standard input. For a file of a ZIP or tar archive that, and its path in the archive: \
         `site.zip/news/1.html`.",
    ),
    untrusted("warc_filename", Part::Text(|row| row.warc_filename), OrNull, Source::Place, Reference).doc(
        "The same for pages out of archives, under the name that the index of Common Crawl gives it: the full path where a list \
         has the full path. Null for pages that are files of their own.",
    ),
    clean("warc_record_offset", Part::Long(|row| row.warc_record_offset), OrNull, Source::Place, Figure).doc(
        "Where the compressed member (or the plain record) of the page begins in that file, in bytes. Null where the record is \
         no member of its own.",
    ),
    clean("warc_record_length", Part::Long(|row| row.warc_record_length), OrNull, Source::Place, Figure)
        .doc("Length of that member, in bytes."),
    clean("stream_offset", Part::Long(|row| row.stream_offset), OrNull, Source::Place, Figure).doc(
        "Where the record begins in the decompressed stream, in bytes, for a record that is no member of its own; in a Parquet file \
         the number of the row, from 0.",
    ),
    clean("truncated", Part::Text(|row| row.truncated), OrNull, Source::Decoding, Reference).doc(
        "Why the page is not whole: `page_limit` (cut at `--max-page-bytes`), `warc_length`, `warc_time`, `warc_disconnect`, \
         `warc_unspecified` (as `WARC-Truncated` says), `body` (fewer bytes than said, or a cut stream) or `range` (a part, HTTP \
         status 206).",
    ),
    clean("texts", Part::Texts, IfAsked(Extra::Texts), Source::Method, PageText)
        .doc("The text of every method by its name. The first is `text` again."),
    clean("markdown", Part::Text(|row| row.markdown), IfAsked(Extra::Markdown), Source::Method, PageText).doc(
        "The main text as Markdown (CommonMark with GitHub's tables and strike-through, formulas between dollars): headings, lists, \
         tables of data, code, quotations, links and images with full addresses.",
    ),
    clean("html", Part::Text(|row| row.html), IfAsked(Extra::Html), Source::Method, PageText).doc(
        "The main text as clean HTML: elements that carry meaning, without styles, scripts, forms and frames, with full addresses; \
         well-formed, and with the same text.",
    ),
    untrusted("source_html", Part::Text(|row| row.source_html), IfAsked(Extra::SourceHtml), Source::Method, PageText)
        .doc("HTML source of the selected elements."),
    clean("blocks", Part::Json(|row| row.blocks), IfAsked(Extra::Blocks), Source::Method, PageText).doc(
        "The blocks of the page, kept or not, in its order: a list of objects. `path` and `depth` of the element around; `role` (`title`, \
         `byline`, `content`, `comment`, `navigation`, `header`, `footer`, `copyright`, `sidebar`, `related`, `share`, `advertisement`, \
         `caption`, `form`, `popup`, `function`, `hidden`, `other`); `kept` by the first method; `start` and `end` in `text` in Unicode \
         scalars, null where it does not stand there; its `text`; `chars`, `words`, `punctuation`, `linked_chars`, `links`, `tags`; `box` \
         (left, top, width, height in pixels) where `dvps` or `vips` estimates it; `methods`: by name whether it is `kept`, its \
         `score` from methods that score parts of pages, and from `nb` and `nb-table` its `probability` of being content, 0 to 1. A list over 1 MiB and eight times the page ends in `left_out`, the number of \
         blocks that are not listed.",
    ),
    clean("signals", Part::Json(|row| row.signals), IfAsked(Extra::Signals), Source::Stage, Figure).doc(
        "The figures behind the decisions of the stages, by names such as `gopher_quality.mean_word_length`; `docs/stages.md` has them.",
    ),
    clean("tokens", Part::Long(|row| row.tokens), IfAsked(Extra::Tokens), Source::Stage, Figure)
        .doc("How many tokens of the stage's tokenizer `text` is, none added for its beginning and end."),
    untrusted("source", Part::Json(|row| row.source), IfAsked(Extra::Source), Source::Record, Own).doc(
        "The values of the keys that `--keep-keys` names, as they stand in the JSONL line, in the order of the option; null for a \
         key that the line lacks. Null for pages that come from no JSONL line.",
    ),
];

/// Returns the field of this name.
pub fn find_field(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

/// A field whose text may hold control characters, because it comes from a header or a page.
const fn untrusted(
    name: &'static str,
    part: Part,
    presence: Presence,
    source: Source,
    content: Content,
) -> Field {
    Field { name, part, presence, source, content, is_clean: false, doc: "" }
}

/// A field without control characters.
const fn clean(
    name: &'static str,
    part: Part,
    presence: Presence,
    source: Source,
    content: Content,
) -> Field {
    Field { name, part, presence, source, content, is_clean: true, doc: "" }
}

impl Field {
    const fn doc(self, doc: &'static str) -> Field {
        Field { doc, ..self }
    }
}
