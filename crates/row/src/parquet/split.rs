//! Divides the columns of a file between the workers and the writer.

use crate::columns::ColumnLayout;
use crate::field::{Field, FieldType, Presence};
use crate::layout::Layout;
use arrow_schema::SchemaRef;
use std::sync::Arc;

/// Returns whether the values of a field may be long. Readers do not use the bounds of such values,
/// and the values of few rows fill a page.
fn is_long(field: &Field) -> bool {
    let is_text =
        matches!(field.value_type, FieldType::Text(_) | FieldType::Json(_) | FieldType::Texts);
    is_text
        && (matches!(field.presence, Presence::IfAsked(_))
            || ["text", "comments"].contains(&field.name))
}

/// The columns of a file: workers encode the long ones, and the writer encodes the short ones.
pub(super) struct SplitColumns {
    pub(super) layout: ColumnLayout,
    pub(super) long: Vec<usize>,
    pub(super) short: Vec<usize>,
    pub(super) short_schema: SchemaRef,
}

impl SplitColumns {
    pub(super) fn new(layout: &Layout) -> SplitColumns {
        let layout = ColumnLayout::from_layout(layout);
        let all = 0..layout.fields().len();
        let (long, short): (Vec<_>, Vec<_>) =
            all.partition(|place| is_long(layout.fields()[*place]));
        let short_schema = layout.schema().project(&short);
        let short_schema = Arc::new(short_schema.expect("the places are those of columns"));
        SplitColumns { layout, long, short, short_schema }
    }
}
