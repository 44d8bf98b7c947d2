//! The table of the row's fields, the one source for all formats and documents.
//!
//! JSON, the columns and the type stub of the Python package, and `docs/rows.md` follow this table.

use crate::extras::ExtraField;
use crate::field::FieldContent::{Figure, MainText, Own, PageText, Reference};
use crate::field::Presence::{Always, IfAsked, OrNull};
use crate::field::{Field, FieldContent, FieldSource, FieldType, Presence};

/// All fields, in the order of the row.
pub static FIELDS: &[Field] = &[
    untrusted("id", FieldType::Text(|row| Some(row.id)), Always, FieldSource::Record, Reference).doc(
        "Identifier of the page: `WARC-Record-ID` without `<urn:uuid:` and `>`, or the `id` of a \
         JSONL line. If the input has none, a UUID (version 5) of the input's path (as in \
         `file_path`) and the page's position in it; the same in every run.",
    ),
    untrusted("url", FieldType::Text(|row| row.url), OrNull, FieldSource::Record, Reference)
        .doc("URL of the page: `WARC-Target-URI` without angle brackets, or the `url` of a JSONL \
            line. Bytes that are not UTF-8 are read as Latin-1, as in indexes, so URLs that \
            differ in one byte stay different."),
    untrusted("date", FieldType::Text(|row| row.date), OrNull, FieldSource::Record, Reference)
        .doc("Time at which the page was fetched: `WARC-Date` as in the header, or the `date` of \
            a JSONL line."),
    untrusted("title", FieldType::Text(|row| row.title), OrNull, FieldSource::Page, PageText)
        .doc("Headline of the page without the name of the site."),
    clean("text", FieldType::Text(|row| Some(row.text)), Always, FieldSource::Extractor, MainText).doc(
        "The main text, which may be empty (`docs/text.md`). A block, a line break or a row of a \
         table begins a new line; tabs separate the cells of a row; preformatted text keeps its \
         lines and indentation; other white space becomes one space. There are no empty lines, no \
         control characters other than line feed and tab, and no zero-width characters.",
    ),
    clean("language", FieldType::Text(|row| row.language), OrNull, FieldSource::Stage, Reference)
        .doc("Language of the text, ISO 639-3, in runs with the stage `language`; null if the \
            stage identifies none."),
    clean("language_script", FieldType::Text(|row| row.language_script), OrNull, FieldSource::Stage, Reference)
        .doc("Script of the text, ISO 15924; present or null like `language`."),
    clean("language_score", FieldType::Float(|row| row.language_score), OrNull, FieldSource::Stage, Figure)
        .doc("Confidence in `language`, from 0 to 1."),
    untrusted("author", FieldType::Text(|row| row.author), OrNull, FieldSource::Page, PageText)
        .doc("Author, as the page states it."),
    untrusted("published", FieldType::Text(|row| row.published), OrNull, FieldSource::Page, Reference)
        .doc("Time of publication, ISO 8601, as precise as the page states it."),
    untrusted("site_name", FieldType::Text(|row| row.site_name), OrNull, FieldSource::Page, PageText)
        .doc("Name of the site."),
    untrusted("description", FieldType::Text(|row| row.description), OrNull, FieldSource::Page, PageText)
        .doc("Summary that the page states for search engines."),
    clean("extractor", FieldType::Text(|row| Some(row.extractor)), Always, FieldSource::Settings, Reference)
        .doc("Name of the extractor that produced `text`. `none` for plain text stored in an \
            archive (a `conversion` record, as in WET files); such rows have no `score`, \
            verdicts, metadata, Markdown, HTML or blocks."),
    clean("score", FieldType::Float(|row| row.score), OrNull, FieldSource::Extractor, Figure).doc(
        "The extractor's own score of the page; `docs/methods.md` describes its meaning for each \
         extractor. Null if the extractor has no score.",
    ),
    untrusted("page_type", FieldType::Text(|row| row.page_type), OrNull, FieldSource::Extractor, Reference)
        .doc("Kind of page, from extractors that classify pages: `article`, `collection`, \
            `documentation`, `forum`, `listing`, `product` or `service`."),
    clean("has_article", FieldType::Flag(|row| row.has_article), OrNull, FieldSource::Extractor, Figure)
        .doc("Whether the page has main content, from extractors that judge it. False for every \
            extractor if the body has no words."),
    untrusted("comments", FieldType::Text(|row| row.comments), OrNull, FieldSource::Extractor, PageText)
        .doc("Readers' comments, from extractors that separate them from the text; null if no \
            comment is signed by a reader, for example if the page has only a comment form."),
    clean("charset", FieldType::Text(|row| Some(row.charset)), Always, FieldSource::Decoding, Reference)
        .doc("Encoding that the page was decoded with: its WHATWG name in lower case, as in `utf-8` or `windows-1252`."),
    clean("charset_source", FieldType::Text(|row| Some(row.charset_source)), Always, FieldSource::Decoding, Reference)
        .doc("Evidence for the encoding: `bom`, `http`, `meta`, `detected`, `default` (all bytes \
            are ASCII, or the page came as text), or `overruled` (the declaration cannot be \
            right; the encoding was detected instead)."),
    clean("replaced", FieldType::Long(|row| Some(row.replaced)), Always, FieldSource::Decoding, Figure)
        .doc("Number of bytes or byte sequences that are invalid in the encoding; each was \
            replaced by U+FFFD."),
    untrusted("content_type", FieldType::Text(|row| row.content_type), OrNull, FieldSource::Http, Reference)
        .doc("`Content-Type` of the response with its parameters; for a `resource` record, that \
            of the record."),
    clean("status", FieldType::Int(|row| row.status), OrNull, FieldSource::Http, Figure).doc("HTTP status of the response."),
    untrusted("digest", FieldType::Text(|row| row.digest), OrNull, FieldSource::Record, Reference).doc(
        "Digest of the payload as stored: `WARC-Payload-Digest`; SHA-1 as `sha1:` and Base32, \
         other algorithms as `algorithm:value`. With `--digest`, if the header has no SHA-1: \
         SHA-1 of the body after de-chunking and before content decoding.",
    ),
    untrusted("file_path", FieldType::Text(|row| Some(row.file_path)), Always, FieldSource::Place, Reference).doc(
        "The input that contains the page: its path as listed, or relative to the given folder; \
         the file name for a file given by itself; `-` for standard input. For a file in a ZIP or \
         tar archive, followed by its path in the archive: `site.zip/news/1.html`.",
    ),
    untrusted("warc_filename", FieldType::Text(|row| row.warc_filename), OrNull, FieldSource::Place, Reference).doc(
        "The archive that contains the page, named as in the index of Common Crawl: the full path \
         if the list has the full path. Null for pages that are separate files.",
    ),
    clean("warc_record_offset", FieldType::Long(|row| row.warc_record_offset), OrNull, FieldSource::Place, Figure).doc(
        "Offset in that file, in bytes, of the compressed member (or the uncompressed record) of \
         the page. Null if the record shares its member with others.",
    ),
    clean("warc_record_length", FieldType::Long(|row| row.warc_record_length), OrNull, FieldSource::Place, Figure)
        .doc("Length of that member, in bytes."),
    clean("stream_offset", FieldType::Long(|row| row.stream_offset), OrNull, FieldSource::Place, Figure).doc(
        "Offset of the record in the decompressed stream, in bytes, for a record that shares its \
         compressed member with others; in a Parquet file the number of the row, from 0.",
    ),
    clean("truncated", FieldType::Text(|row| row.truncated), OrNull, FieldSource::Decoding, Reference).doc(
        "Reason why the page is truncated: `page_limit` (cut at `--max-page-bytes`), \
         `warc_length`, `warc_time`, `warc_disconnect`, `warc_unspecified` (from \
         `WARC-Truncated`), `body` (fewer bytes than stated, or a cut stream) or `range` (a part, \
         HTTP status 206).",
    ),
    clean("texts", FieldType::Texts, IfAsked(ExtraField::Texts), FieldSource::Extractor, PageText)
        .doc("The text of every extractor, by its name. The first is the same as `text`."),
    clean("markdown", FieldType::Text(|row| row.markdown), IfAsked(ExtraField::Markdown), FieldSource::Extractor, PageText).doc(
        "The main text as Markdown (CommonMark with GitHub's tables and strike-through, formulas \
         between dollars): headings, lists, tables of data, code, quotations, links and images \
         with absolute URLs.",
    ),
    clean("html", FieldType::Text(|row| row.html), IfAsked(ExtraField::Html), FieldSource::Extractor, PageText).doc(
        "The main text as clean HTML: elements with meaning, without styles, scripts, forms and \
         frames, with absolute URLs; well-formed, with the same text.",
    ),
    untrusted("source_html", FieldType::Text(|row| row.source_html), IfAsked(ExtraField::SourceHtml), FieldSource::Extractor, PageText)
        .doc("HTML source of the selected elements."),
    clean("blocks", FieldType::Json(|row| row.blocks), IfAsked(ExtraField::Blocks), FieldSource::Extractor, PageText).doc(
        "All blocks of the page, kept or not, in page order: a list of objects. `path` and \
         `depth` of the enclosing element; `role` (`title`, `byline`, `content`, `comment`, \
         `navigation`, `header`, `footer`, `copyright`, `sidebar`, `related`, `share`, \
         `advertisement`, `caption`, `form`, `popup`, `function`, `hidden`, `other`); whether it \
         is `kept` by the first extractor; `start` and `end` in `text` in Unicode scalars, null \
         if it is not in `text`; its `text`; `chars`, `words`, `punctuation`, `linked_chars`, \
         `links`, `tags`; `box` (left, top, width, height in pixels) if `dvps` or `vips` \
         estimates it; `methods`: for each extractor by name, whether it is `kept`, its `score` \
         from extractors that score parts of pages, and from `nb` and `nb-table` its \
         `probability` of being content, 0 to 1. A list longer than 1 MiB and eight times the \
         page ends with `left_out`, the number of blocks that are not listed.",
    ),
    clean("signals", FieldType::Json(|row| row.signals), IfAsked(ExtraField::Signals), FieldSource::Stage, Figure).doc(
        "The measurements on which stages base their decisions, by names such as \
         `gopher_quality.mean_word_length`; `docs/stages.md` lists them.",
    ),
    clean("classes", FieldType::Json(|row| row.classes), IfAsked(ExtraField::Classes), FieldSource::Stage, Figure).doc(
        "The class of the text by each classifier of the stage `fasttext`: an object by the \
         classifier's name, with the `label` without fastText's prefix, and its `score`, about 0 \
         to 1. Both are null if the classifier knows no word of the text.",
    ),
    clean("perplexity", FieldType::Float(|row| row.perplexity), IfAsked(ExtraField::Perplexity), FieldSource::Stage, Figure).doc(
        "Perplexity of the text by the models of the stage `perplexity`, rounded to 0.1. Null if \
         the language has no models or the text has no words.",
    ),
    clean("bucket", FieldType::Text(|row| row.bucket), IfAsked(ExtraField::Perplexity), FieldSource::Stage, Reference).doc(
        "Bucket of the perplexity among texts of the language: `head`, `middle`, `tail`, or `all` \
         if there is no perplexity or the language has no cut-offs.",
    ),
    clean("tokens", FieldType::Long(|row| row.tokens), IfAsked(ExtraField::Tokens), FieldSource::Stage, Figure)
        .doc("Number of tokens of `text` by the stage's tokenizer, without special tokens for its \
            beginning and end."),
    untrusted("rights", FieldType::Json(|row| row.rights), IfAsked(ExtraField::Rights), FieldSource::Page, Reference).doc(
        "All that the page, its server and its crawl state about the use of the page, in a form \
         for machines: a list of objects. `signal` is `noindex`, `noai`, `noimageai`, \
         `nosnippet`, `noarchive`, `nocache`, `unavailable_after`, `tdm-reservation`, \
         `tdm-policy`, `disallow`, `ai-train`, `ai-input`, `search`, `license`, `rights` or \
         `usage-info`; `value` as `docs/rights.md` describes; `source` is `header`, `meta`, \
         `link`, `json-ld`, `robots.txt` or `tdmrep.json`; `agent` is the robot, if one is named. \
         `file` and `offset` (in bytes, or null) are the record of the evidence. At most 100 \
         statements of a signal are listed.",
    ),
    untrusted("source", FieldType::Json(|row| row.source), IfAsked(ExtraField::Source), FieldSource::Record, Own).doc(
        "The values of the keys given by `--keep-keys`, as in the JSONL line and in the order of \
         the option; null for a key that is missing in the line. Null for pages that are not from \
         JSONL. In rows that `huller refine` and `huller dedup` write in another form: all members \
         that are no fields (`docs/formats.md`).",
    ),
];

/// Returns the field of this name.
pub fn find_field(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

/// A field whose text may hold control characters, because it comes from a header or a page.
pub(crate) const fn untrusted(
    name: &'static str,
    value_type: FieldType,
    presence: Presence,
    source: FieldSource,
    content: FieldContent,
) -> Field {
    Field { name, value_type, presence, source, content, is_clean: false, doc: "" }
}

/// A field without control characters.
pub(crate) const fn clean(
    name: &'static str,
    value_type: FieldType,
    presence: Presence,
    source: FieldSource,
    content: FieldContent,
) -> Field {
    Field { name, value_type, presence, source, content, is_clean: true, doc: "" }
}

impl Field {
    pub(crate) const fn doc(self, doc: &'static str) -> Field {
        Field { doc, ..self }
    }
}
