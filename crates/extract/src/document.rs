//! The table of methods, as `docs/methods.md` has it.

use crate::registry::METHODS;
use std::fmt::Write;

/// Head of the table, by which a document that has it is found.
const HEAD: &str = "| name | source | what it does | selects | cost | tuned against paper | known failures |\n\
    |---|---|---|---|---|---|---|\n";

/// The table in Markdown, one row per method in the order of [`METHODS`].
fn table() -> String {
    let mut table = HEAD.to_owned();
    for card in METHODS.iter().map(|method| method.card()) {
        let cells = [card.source, card.summary, card.selects, card.cost, card.tuned, card.failures];
        writeln!(table, "| `{}` | {} |", card.name, cells.join(" | ")).expect("a string takes all");
    }
    table
}

/// A document with its table of methods made anew from their cards. `None` if it has no such table.
pub fn with_table(document: &str) -> Option<String> {
    let start = document.find(HEAD)?;
    let rows = document[start..].split_inclusive('\n').take_while(|line| line.starts_with('|'));
    let end = start + rows.map(str::len).sum::<usize>();
    Some(format!("{}{}{}", &document[..start], table(), &document[end..]))
}
