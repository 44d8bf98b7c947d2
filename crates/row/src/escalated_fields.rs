//! The table of the fields of an escalated page: a page whose blocks a model of the user judges.

use crate::field::FieldContent::{Figure, PageText, Reference};
use crate::field::Presence::{Always, OrNull};
use crate::field::{Field, FieldSource, FieldType};
use crate::fields::{clean, untrusted};

/// All fields of an escalated page, in their order.
pub static ESCALATED_FIELDS: &[Field] = &[
    untrusted("id", FieldType::Text(|row| Some(row.id)), Always, FieldSource::Record, Reference)
        .doc("The `id` of the page's row. Labels name the page by it."),
    untrusted("url", FieldType::Text(|row| row.url), OrNull, FieldSource::Record, Reference)
        .doc("The URL of the page."),
    untrusted("title", FieldType::Text(|row| row.title), OrNull, FieldSource::Page, PageText)
        .doc("The headline of the page."),
    untrusted(
        "language",
        FieldType::Text(|row| row.language),
        OrNull,
        FieldSource::Stage,
        Reference,
    )
    .doc("The language of the page, ISO 639-3; null if it is not known."),
    untrusted(
        "page_type",
        FieldType::Text(|row| row.page_type),
        OrNull,
        FieldSource::Extractor,
        Reference,
    )
    .doc("The kind of page, as in its row."),
    clean(
        "extractor",
        FieldType::Text(|row| Some(row.extractor)),
        Always,
        FieldSource::Settings,
        Reference,
    )
    .doc("The extractor of the row's text."),
    clean("score", FieldType::Float(|row| row.score), OrNull, FieldSource::Extractor, Figure)
        .doc("The extractor's score of the page, which is below the limit."),
    clean("blocks", FieldType::Json(|row| row.blocks), Always, FieldSource::Extractor, PageText).doc(
        "The blocks of the page in page order, as the field `blocks` of rows has them. Labels name \
         a block by its place in this list, from 0.",
    ),
];
