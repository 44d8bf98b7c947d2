//! The kinds of blocks that a passage holds.

/// A kind of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heading, with `#` or underlined.
    Heading,
    /// A paragraph outside lists and quotations.
    Paragraph,
    /// An item of a list, with all blocks in it.
    List,
    /// Code between fences, or indented.
    Code,
    /// A table.
    Table,
    /// A quotation, with all blocks in it.
    Quote,
    /// A block of HTML.
    Html,
    /// A thematic break.
    Rule,
}

/// All kinds, in the order in which passages list them.
const ALL: [(Kind, &str); 8] = [
    (Kind::Heading, "heading"),
    (Kind::Paragraph, "paragraph"),
    (Kind::List, "list"),
    (Kind::Code, "code"),
    (Kind::Table, "table"),
    (Kind::Quote, "quote"),
    (Kind::Html, "html"),
    (Kind::Rule, "rule"),
];

impl Kind {
    /// Returns its name in rows.
    pub fn name(self) -> &'static str {
        ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// Returns whether the set has this kind.
    pub fn has(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Returns the kinds, in the order of the variants of [`Kind`].
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        ALL.into_iter().map(|(kind, _)| kind).filter(move |kind| self.has(*kind))
    }

    #[must_use]
    pub(crate) fn with(self, kind: Kind) -> Kinds {
        Kinds(self.0 | 1 << kind as u8)
    }

    #[must_use]
    pub(crate) fn union(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_listed_once_and_in_order() {
        let kinds = Kinds::default().with(Kind::Table).with(Kind::Heading).with(Kind::Table);
        let names: Vec<_> = kinds.iter().map(Kind::name).collect();
        assert_eq!(names, ["heading", "table"]);
        assert!(kinds.has(Kind::Table) && !kinds.has(Kind::Code));
        assert_eq!(Kinds::default().union(kinds), kinds);
        assert_eq!(ALL.map(|(kind, _)| kind as usize), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
