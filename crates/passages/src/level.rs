//! How good the places are at which Markdown may be cut.

/// How good a place is for a cut: the lowest is the best.
///
/// The best place is before a heading of level 1. Then come the other headings, the boundaries of
/// blocks and items (the outermost first), of lines, of sentences, of words, and places in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level(u8);

/// The most containers around a block that count.
pub(crate) const MAX_DEPTH: usize = 32;

impl Level {
    /// After an empty line in code.
    pub(crate) const EMPTY_LINE: Level = Level(100);
    /// Between rows of tables, lines of code, and lines parted by a hard break.
    pub(crate) const LINE: Level = Level(101);
    /// Between sentences.
    pub(crate) const SENTENCE: Level = Level(102);
    /// Between lines of a paragraph. If a sentence ends there, the level is `SENTENCE`.
    pub(crate) const SOFT_BREAK: Level = Level(103);
    /// At white space.
    pub(crate) const WORD: Level = Level(104);
    /// At another word boundary of UAX #29.
    pub(crate) const SEGMENT: Level = Level(105);
    /// Within a word.
    pub(crate) const GRAPHEME: Level = Level(106);
    /// Within a grapheme.
    pub(crate) const SCALAR: Level = Level(107);

    /// Before a heading of this level (1 to 6) outside lists and quotations.
    pub(crate) const fn heading(level: u8) -> Level {
        Level(level)
    }

    /// Before a block in this number of containers.
    pub(crate) const fn block(depth: usize) -> Level {
        Level(8 + 2 * if depth < MAX_DEPTH { depth as u8 } else { MAX_DEPTH as u8 })
    }

    /// Before an item in this number of containers that follows another item of its list.
    pub(crate) const fn item(depth: usize) -> Level {
        Level(Level::block(depth).0 + 1)
    }

    pub(crate) fn is_heading(self) -> bool {
        self < Level::block(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_boundaries_are_better_than_inner_ones() {
        let mut levels = (1..7).map(Level::heading).collect::<Vec<_>>();
        levels.extend((0..=MAX_DEPTH).flat_map(|depth| [Level::block(depth), Level::item(depth)]));
        levels.extend([Level::EMPTY_LINE, Level::LINE, Level::SENTENCE, Level::SOFT_BREAK]);
        levels.extend([Level::WORD, Level::SEGMENT, Level::GRAPHEME, Level::SCALAR]);
        assert!(levels.is_sorted_by(|before, after| before < after));
        assert_eq!(Level::block(1_000), Level::block(MAX_DEPTH));
        assert_eq!(levels.iter().filter(|level| level.is_heading()).count(), 6);
    }
}
