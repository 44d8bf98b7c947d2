//! Workers encode some columns of a file, and the writer the others.

use crate::columns::ColumnLayout;
use crate::field::{Field, Part, Presence};
use crate::layout::Layout;
use arrow_schema::SchemaRef;
use std::sync::Arc;

/// Whether the values of a field may be long. Their least and greatest help no reader, and the
/// values of few rows fill a page.
fn is_long(field: &Field) -> bool {
    let is_text = matches!(field.part, Part::Text(_) | Part::Json(_) | Part::Texts);
    is_text
        && (matches!(field.presence, Presence::IfAsked(_))
            || ["text", "comments"].contains(&field.name))
}

/// The columns of a file: workers encode some, and the writer the others.
pub(super) struct SplitColumns {
    pub(super) layout: ColumnLayout,
    pub(super) long: Vec<usize>,
    pub(super) short: Vec<usize>,
    pub(super) short_schema: SchemaRef,
}

impl SplitColumns {
    pub(super) fn new(layout: &Layout) -> SplitColumns {
        let layout = ColumnLayout::of(layout);
        let all = 0..layout.fields().len();
        let (long, short): (Vec<_>, Vec<_>) =
            all.partition(|place| is_long(layout.fields()[*place]));
        let short_schema = layout.schema().project(&short);
        let short_schema = Arc::new(short_schema.expect("the places are those of columns"));
        SplitColumns { layout, long, short, short_schema }
    }
}
