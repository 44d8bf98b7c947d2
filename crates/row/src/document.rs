//! The tables of fields in documents: Markdown for pages of `docs/`, properties for the type stub
//! of the Python package.
//!
//! Each lies between two marks, and `cargo run -p huller-row --example write-fields` updates them.

use crate::escalated_fields::ESCALATED_FIELDS;
use crate::extras::ExtraField;
use crate::field::{Field, FieldContent, FieldSource, FieldType, Presence};
use crate::fields::FIELDS;
use crate::link_fields::LINK_FIELDS;
use crate::passage_fields::PASSAGE_FIELDS;
use std::fmt::Write;

/// Replaces the text between the lines with the marks `begin fields` and `end fields`. `None` if
/// `text` lacks one of them.
pub fn with_section(text: &str, section: &str) -> Option<String> {
    let begin = text.find("begin fields")?;
    let begin = begin + text[begin..].find('\n')? + 1;
    let end = begin + text[begin..].find("end fields")?;
    let end = text[..end].rfind('\n')? + 1;
    Some(format!("{}{section}{}", &text[..begin], &text[end..]))
}

/// Returns the paths of the documents that contain tables of fields, and their tables.
pub fn documents() -> [(&'static str, String); 5] {
    [
        ("docs/rows.md", markdown()),
        ("docs/passages.md", side_markdown(PASSAGE_FIELDS)),
        ("docs/links.md", side_markdown(LINK_FIELDS)),
        ("docs/escalation.md", side_markdown(ESCALATED_FIELDS)),
        ("crates/python/python/huller/_huller.pyi", python_properties()),
    ]
}

/// Returns a table in Markdown with a row for every field of a table that runs write beside rows.
fn side_markdown(fields: &[Field]) -> String {
    let mut table = "| field | type | content | meaning |\n|---|---|---|---|\n".to_owned();
    for field in fields {
        let Field { name, doc, .. } = field;
        let (kind, content) = (json_type(field), content(field.content));
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{name}` | {kind} | {content} | {doc} |");
    }
    table
}

/// Returns a table in Markdown with a row for every field.
fn markdown() -> String {
    let mut table =
        "| field | type | present in | from | content | meaning |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for field in FIELDS {
        let Field { name, doc, .. } = field;
        let (kind, rows, source) = (json_type(field), rows(field.presence), source(field.source));
        let content = content(field.content);
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{name}` | {kind} | {rows} | {source} | {content} | {doc} |");
    }
    table
}

/// Returns a property of Python's `Page` for every field that a page in memory has.
fn python_properties() -> String {
    let mut properties = String::new();
    for field in FIELDS.iter().filter(|field| is_of_page(field)) {
        let Field { name, doc, .. } = field;
        let kind = match field.value_type {
            FieldType::Text(_) => "str",
            // A page in memory gives it as objects of Python.
            FieldType::Json(_) => "list[dict[str, Any]]",
            FieldType::Int(_) | FieldType::Long(_) => "int",
            FieldType::Float(_) => "float",
            FieldType::Flag(_) => "bool",
            FieldType::TextList(_) => "list[str]",
            FieldType::Texts => "dict[str, str]",
        };
        let none = if field.presence == Presence::Always { "" } else { " | None" };
        let doc = doc.replace('`', "``");
        let _ = write!(
            properties,
            "    @property\n    def {name}(self) -> {kind}{none}:\n        \"\"\"{}\"\"\"\n",
            wrap_text(&doc, 104, "        ")
        );
    }
    properties
}

/// Returns whether a page in memory has the field. Such a page has the text of one extractor, and
/// has passed no stage.
fn is_of_page(field: &Field) -> bool {
    let Field { source, presence, .. } = field;
    source.is_in_memory()
        && *source != FieldSource::Stage
        && *presence != Presence::IfAsked(ExtraField::Texts)
}

fn json_type(field: &Field) -> &'static str {
    match (field.value_type, field.presence) {
        (FieldType::Text(_), Presence::OrNull) => "string or null",
        (FieldType::Text(_), _) => "string",
        (FieldType::Int(_) | FieldType::Long(_), Presence::OrNull) => "integer or null",
        (FieldType::Int(_) | FieldType::Long(_), _) => "integer",
        (FieldType::Float(_), Presence::OrNull | Presence::IfAsked(ExtraField::Perplexity)) => {
            "number or null"
        }
        (FieldType::Float(_), _) => "number",
        (FieldType::Flag(_), Presence::OrNull) => "boolean or null",
        (FieldType::Flag(_), _) => "boolean",
        (FieldType::TextList(_), _) => "list of strings",
        (FieldType::Texts, _) => "object of strings",
        (FieldType::Json(_), Presence::IfAsked(ExtraField::Blocks)) => "list of objects",
        (FieldType::Json(_), _) => "object or null",
    }
}

fn rows(presence: Presence) -> &'static str {
    match presence {
        Presence::Always | Presence::OrNull => "every row",
        Presence::IfAsked(ExtraField::Texts) => "runs with several extractors",
        Presence::IfAsked(ExtraField::Markdown) => "runs with `--markdown`",
        Presence::IfAsked(ExtraField::Html) => "runs with `--html`",
        Presence::IfAsked(ExtraField::SourceHtml) => "runs with `--source-html`",
        Presence::IfAsked(ExtraField::Blocks) => "runs with `--blocks`",
        Presence::IfAsked(ExtraField::Signals) => "runs with `--signals`",
        Presence::IfAsked(ExtraField::Classes) => "runs with the stage `fasttext`",
        Presence::IfAsked(ExtraField::Rights) => "runs with `--rights` or the stage `rights`",
        Presence::IfAsked(ExtraField::Perplexity) => "runs with the stage `perplexity`",
        Presence::IfAsked(ExtraField::Tokens) => "runs with the stage `tokens`",
        Presence::IfAsked(ExtraField::Source) => "runs with `--keep-keys`",
    }
}

fn source(source: FieldSource) -> &'static str {
    match source {
        FieldSource::Record => "WARC header or JSONL line",
        FieldSource::Place => "place in the input",
        FieldSource::Http => "HTTP header",
        FieldSource::Decoding => "decoding",
        FieldSource::Page => "the page's metadata",
        FieldSource::Extractor => "extractor",
        FieldSource::Settings => "settings",
        FieldSource::Stage => "stage",
        FieldSource::Splitter => "splitter",
    }
}

fn content(content: FieldContent) -> &'static str {
    match content {
        FieldContent::MainText => "text",
        FieldContent::PageText => "page text",
        FieldContent::Reference => "reference",
        FieldContent::Figure => "figure",
        FieldContent::Own => "the user's own",
    }
}

/// Wraps a text into lines of at most `width` bytes, with `indent` before all but the first.
fn wrap_text(text: &str, width: usize, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + 1 + word.len() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join(&format!("\n{indent}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_between_its_marks() {
        let text = "a\n<!-- begin fields -->\nold\n<!-- end fields -->\nz\n";
        let new = "a\n<!-- begin fields -->\nnew\n<!-- end fields -->\nz\n";
        assert_eq!(with_section(text, "new\n").as_deref(), Some(new));
        assert_eq!(with_section(new, "new\n").as_deref(), Some(new));
        assert_eq!(with_section("a\n", "new\n"), None);
    }

    #[test]
    fn long_texts_are_folded_between_words() {
        assert_eq!(wrap_text("one two three", 7, "  "), "one two\n  three");
    }
}
