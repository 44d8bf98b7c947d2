//! Compares texts with the page's title.
//!
//! The first run of every block is compared, and few of them are in the title. So the title's pairs
//! of adjacent bytes are recorded first. A text with a pair that is not among them is rejected
//! without a search. Cost: a few instructions for most blocks; the length of the title for the
//! others.

use memchr::memmem::Finder;

/// Number of bytes of a title that are used. It is limited because every block is compared with the
/// title.
const MAX_TITLE_BYTES: usize = 300;

/// The title of one page.
pub(super) struct Title<'a> {
    text: &'a str,
    finder: Finder<'a>,
    /// A filter of 4,096 bits. Each bit covers 16 of the 65,536 pairs of bytes, and is set if the
    /// title has one of them.
    pairs: [u64; 64],
}

impl<'a> Title<'a> {
    pub(super) fn new(text: &'a str) -> Title<'a> {
        let text = text.trim();
        let text = &text[..text.floor_char_boundary(MAX_TITLE_BYTES)];
        let mut pairs = [0; 64];
        for pair in text.as_bytes().windows(2) {
            let bit = pair_bit(pair[0], pair[1]);
            pairs[bit / 64] |= 1 << (bit % 64);
        }
        Title { text, finder: Finder::new(text), pairs }
    }

    /// Returns whether a text with `visible` visible scalars may agree with the title at all. This
    /// number is a lower bound for the text's length in bytes.
    pub(super) fn may_agree(&self, visible: u32) -> bool {
        (visible as usize) < 2 * self.text.len()
    }

    /// Returns the share of the title that a text covers, in bytes, if the title contains it.
    /// Returns 1 if the text contains the title and is less than twice as long, otherwise 0.
    pub(super) fn agreement(&self, text: &str) -> f32 {
        const SHORT_TEXT: usize = 4;
        const SHORT_TITLE: usize = 8;
        let title = self.text;
        // White space beyond ASCII is rare, and finding it takes longer.
        let text = text.trim_ascii();
        let is_bare = matches!(text.as_bytes(), [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic());
        let text = if is_bare { text } else { text.trim() };
        if text.len() <= title.len() {
            let is_in_title = text.len() >= SHORT_TEXT && self.contains(text);
            if is_in_title { text.len() as f32 / title.len() as f32 } else { 0.0 }
        } else {
            let is_in_title = title.len() >= SHORT_TITLE
                && text.len() < 2 * title.len()
                && self.finder.find(text.as_bytes()).is_some();
            if is_in_title { 1.0 } else { 0.0 }
        }
    }

    fn contains(&self, text: &str) -> bool {
        /// Number of pairs to check; after these the answer is nearly always clear.
        const MAX_CHECKED_PAIRS: usize = 6;
        let may_hold = |pair: &[u8]| {
            let bit = pair_bit(pair[0], pair[1]);
            self.pairs[bit / 64] >> (bit % 64) & 1 != 0
        };
        text.as_bytes().windows(2).take(MAX_CHECKED_PAIRS).all(may_hold)
            // The title is short: preparing a search would cost more than the search itself.
            && self.text.contains(text)
    }
}

fn pair_bit(first: u8, second: u8) -> usize {
    (usize::from(first) << 6 ^ usize::from(second)) % 4096
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn agreement_is_the_share_of_the_title() {
        let title = Title::new("  The ferry returns - News ");
        let agrees = |text: &str, share: f32| (title.agreement(text) - share).abs() < 1e-6;
        assert!(agrees("The ferry returns", 17.0 / 24.0));
        assert!(agrees("The", 0.0) && agrees("The fury returns", 0.0));
        assert!(agrees("See: The ferry returns - News", 1.0));
        assert!(Title::new("").agreement("").abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn every_part_of_the_title_is_found(title in "[a-c é]{0,40}", from in 0_usize..40, len in 0_usize..20) {
            let title = title.trim();
            let from = title.floor_char_boundary(from.min(title.len()));
            let to = title.floor_char_boundary((from + len).min(title.len()));
            prop_assert!(Title::new(title).contains(&title[from..to.max(from)]));
        }
    }
}
