//! The table of extractors in `docs/methods.md`.

use crate::registry::EXTRACTORS;
use std::fmt::Write;

/// Head of the table. A document with this text contains the table.
const TABLE_HEAD: &str = "| name | source | what it does | selects | cost | tuned against paper | known failures |\n\
    |---|---|---|---|---|---|---|\n";

/// Returns the table in Markdown, one row per extractor in the order of [`EXTRACTORS`].
fn extractor_table() -> String {
    let mut table = TABLE_HEAD.to_owned();
    for card in EXTRACTORS.iter().map(|extractor| extractor.card()) {
        let cells = [card.source, card.summary, card.selects, card.cost, card.tuned, card.failures];
        writeln!(table, "| `{}` | {} |", card.name, cells.join(" | ")).expect("a string takes all");
    }
    table
}

/// Returns the document with its table regenerated from the extractors' cards. `None` if it
/// contains no such table.
pub fn with_table(document: &str) -> Option<String> {
    let start = document.find(TABLE_HEAD)?;
    let rows = document[start..].split_inclusive('\n').take_while(|line| line.starts_with('|'));
    let end = start + rows.map(str::len).sum::<usize>();
    Some(format!("{}{}{}", &document[..start], extractor_table(), &document[end..]))
}
