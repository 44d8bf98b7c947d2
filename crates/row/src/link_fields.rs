//! The table of the fields of a link, for files of links.
//!
//! It is to links what [`FIELDS`](crate::FIELDS) is to rows.

use crate::field::FieldContent::{Figure, PageText, Reference};
use crate::field::Presence::{Always, OrNull};
use crate::field::{Field, FieldContent, FieldSource, FieldType, Presence};
use crate::fields::{clean, untrusted};

/// All fields of a link, in their order.
pub static LINK_FIELDS: &[Field] = &[
    text("parent_id", FieldType::Text(|row| Some(row.id)), Always, Reference)
        .doc("The `id` of the row of the page that has the link."),
    clean(
        "ordinal",
        FieldType::Long(|row| Some(row.link?.ordinal)),
        Always,
        FieldSource::Page,
        Figure,
    )
    .doc("Number of the link among those of the page, from 0."),
    text("url", FieldType::Text(|row| row.url), OrNull, Reference).doc("The URL of the page."),
    text("target", FieldType::Text(|row| Some(row.link?.target)), Always, Reference).doc(
        "The URL to which the link leads, as browsers resolve it (URL standard of the WHATWG): \
         against the page's `base`, with `http` or `https`.",
    ),
    text("text", FieldType::Text(|row| Some(row.link?.text)), Always, PageText).doc(
        "The text of the link on one line. Of a link without text, the description of its first \
         image. At most 1,024 Unicode scalars.",
    ),
    text("rel", FieldType::Text(|row| row.link?.rel), OrNull, Reference)
        .doc("The link's `rel` in lower case, with single spaces: `nofollow ugc`."),
    text("role", FieldType::Text(|row| Some(row.link?.role)), Always, Reference).doc(
        "The role of the block that the link begins in, as in `blocks`: `content`, `navigation`, \
         `related`, `comment`, `footer` and others.",
    ),
    clean(
        "kept",
        FieldType::Flag(|row| Some(row.link?.kept)),
        Always,
        FieldSource::Extractor,
        Figure,
    )
    .doc("Whether the link lies in the text of the row."),
];

const fn text(
    name: &'static str,
    value_type: FieldType,
    presence: Presence,
    content: FieldContent,
) -> Field {
    untrusted(name, value_type, presence, FieldSource::Page, content)
}
