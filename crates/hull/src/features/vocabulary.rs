//! Short texts and words of titles that are frequent on pages of some type: `Reply` and `Quote` on
//! forums, `Add to cart` in shops, `Get a quote` on pages of companies.
//!
//! The texts are English except for a few words of shops, in lower case, with each number written
//! as `0`. The lists are this project's own, from the common practice of sites, and name no site
//! and no engine. They only help to find the type of the page, and never judge a block.
//!
//! Cost: a few instructions for every run. A run with the first two letters and the length of a
//! known text takes one or two comparisons more.

mod lists;

use crate::columns::Columns;
use huller_page::Page;
use lists::{TEXTS, TITLES};
use std::sync::LazyLock;

/// Largest length of a known text, in bytes.
const MAX_TEXT_BYTES: usize = 24;

/// The texts of some groups, indexed for lookup.
struct Lexicon {
    /// The texts in the order of their first two bytes ([`pair`]), each with its groups as bits.
    entries: Vec<(&'static str, u8)>,
    /// For every pair, the index of the first entry with it. One more element holds the number of
    /// entries.
    starts: Vec<u16>,
    /// For every pair, one bit for each length in scalars of the known texts with it. All bits are
    /// set if one of these texts has a number, which may be of any length.
    lengths: Vec<u32>,
}

static KNOWN_TEXTS: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(&TEXTS));
static KNOWN_TITLES: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(&TITLES));

/// Number of distinct pairs.
const PAIR_COUNT: usize = 32 * 32;

/// Returns the first two bytes of a text, reduced to their last five bits, which are equal in upper
/// and lower case. A shorter text has the pair of `00`.
fn pair(text: &[u8]) -> usize {
    let [first, second, ..] = *text else { return pair(b"00") };
    usize::from(first & 31) << 5 | usize::from(second & 31)
}

impl Lexicon {
    fn new(groups: &[(&'static str, &'static str)]) -> Lexicon {
        let mut entries: Vec<(&'static str, u8)> = Vec::new();
        for (group, (_, texts)) in groups.iter().enumerate() {
            entries.extend(texts.split('|').map(|text| (text.trim(), 1 << group)));
        }
        entries.sort_unstable_by_key(|(text, _)| (pair(text.as_bytes()), *text));
        entries.dedup_by(|(later, more), (first_entry, groups)| {
            let is_same = later == first_entry;
            if is_same {
                *groups |= *more;
            }
            is_same
        });
        let mut lengths = vec![0; PAIR_COUNT];
        for (text, _) in &entries {
            let of_length = if text.contains('0') { u32::MAX } else { 1 << text.chars().count() };
            lengths[pair(text.as_bytes())] |= of_length;
        }
        let first_entry = |pair_number: usize| {
            entries.partition_point(|(text, _)| pair(text.as_bytes()) < pair_number)
        };
        let starts = (0..=PAIR_COUNT).map(|pair_number| first_entry(pair_number) as u16).collect();
        Lexicon { entries, starts, lengths }
    }

    /// Returns whether a text with this beginning may be known. `scalars` is its length, with white
    /// space between words counted as one.
    fn may_know(&self, text: &str, scalars: u32) -> bool {
        match text.as_bytes() {
            [b'0'..=b'9', ..] | [_, b'0'..=b'9', ..] => true,
            text => self.lengths[pair(text)] >> scalars.min(31) & 1 == 1,
        }
    }

    /// Returns the index of a text, if it is known.
    fn find(&self, text: &[u8]) -> Option<usize> {
        let pair = pair(text);
        let mut alike = usize::from(self.starts[pair])..usize::from(self.starts[pair + 1]);
        alike.find(|index| self.entries[*index].0.as_bytes() == text)
    }
}

/// The number of different known texts of each group on a page.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    texts: [u32; TEXTS.len()],
    titles: [u32; TITLES.len()],
    /// For every known text, whether the page contains it.
    seen: Vec<bool>,
}

impl Vocabulary {
    pub(super) fn fill(&mut self, page: &Page<'_>) {
        let Vocabulary { texts, titles, seen } = self;
        let title = page.title();
        let lexicon = &*KNOWN_TEXTS;
        count(lexicon, seen, texts, |known| {
            for run in &page.runs()[title.end..] {
                let scalars = run.counts.chars + run.counts.gaps;
                if run.counts.chars as usize > MAX_TEXT_BYTES {
                    continue;
                }
                let text = page.run_source(run).trim_start();
                if lexicon.may_know(text, scalars) {
                    known(text);
                }
            }
        });
        count(&KNOWN_TITLES, seen, titles, |known| {
            for run in &page.runs()[title] {
                page.run_source(run).split(|c: char| !c.is_alphanumeric()).for_each(&mut *known);
            }
        });
    }

    /// Adds the numbers of texts.
    pub(super) fn add(&self, out: &mut Columns) {
        for ((name, _), count) in TEXTS.iter().zip(self.texts).chain(TITLES.iter().zip(self.titles))
        {
            out.add_page(name, count as f32);
        }
    }
}

/// Counts the different known texts among `texts`, for each group.
fn count<const GROUPS: usize>(
    lexicon: &Lexicon,
    seen: &mut Vec<bool>,
    counts: &mut [u32; GROUPS],
    texts: impl FnOnce(&mut dyn FnMut(&str)),
) {
    *counts = [0; GROUPS];
    seen.clear();
    seen.resize(lexicon.entries.len(), false);
    texts(&mut |text| {
        let mut plain = [0; MAX_TEXT_BYTES];
        let Some(text_index) = normalise(text, &mut plain).and_then(|text| lexicon.find(text))
        else {
            return;
        };
        if !std::mem::replace(&mut seen[text_index], true) {
            let groups = lexicon.entries[text_index].1;
            for (group, count) in counts.iter_mut().enumerate() {
                *count += u32::from(groups >> group & 1);
            }
        }
    });
}

/// Returns the text in lower case, with single spaces and each number as `0`. `None` if it is
/// longer than any known text.
fn normalise<'m>(text: &str, scratch: &'m mut [u8; MAX_TEXT_BYTES]) -> Option<&'m [u8]> {
    let (mut len, mut last_byte) = (0, b' ');
    for byte in text.trim().bytes() {
        let byte = match byte {
            b'0'..=b'9' => b'0',
            byte if byte.is_ascii_whitespace() => b' ',
            byte => byte.to_ascii_lowercase(),
        };
        if matches!(byte, b'0' | b' ') && byte == last_byte {
            continue;
        }
        *scratch.get_mut(len)? = byte;
        (len, last_byte) = (len + 1, byte);
    }
    Some(&scratch[..len])
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    fn of(html: &str) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        // A page with other texts comes first: its counts must not remain.
        vocabulary.fill(&PageBuf::new().fill("<title>Forum docs</title><p>Reply<p>Add to cart"));
        vocabulary.fill(&PageBuf::new().fill(html));
        vocabulary
    }

    #[test]
    fn every_text_is_known_as_it_is_listed() {
        for (lexicon, lists) in [(&*KNOWN_TEXTS, &TEXTS[..]), (&*KNOWN_TITLES, &TITLES[..])] {
            for (at, (name, texts)) in lists.iter().enumerate() {
                for text in texts.split('|').map(str::trim) {
                    let scalars = text.chars().count();
                    assert!((2..31).contains(&scalars), "{text}");
                    assert!(lexicon.may_know(&text.to_uppercase(), scalars as u32), "{text}");
                    let mut scratch = [0; MAX_TEXT_BYTES];
                    let plain = normalise(text, &mut scratch)
                        .unwrap_or_else(|| panic!("{text} is too long"));
                    assert_eq!(plain, text.as_bytes(), "{name}");
                    let found =
                        lexicon.find(plain).unwrap_or_else(|| panic!("{text} is not found"));
                    assert_eq!(lexicon.entries[found].1 >> at & 1, 1, "{name}: {text}");
                }
            }
        }
    }

    #[test]
    fn different_texts_are_counted_once() {
        let index = |name: &str| TEXTS.iter().position(|(known, _)| *known == name).unwrap();
        let page = of(
            "<p>REPLY<p> reply <p>Add  to\n cart<button>Quote</button><p>Reply to this<p>12 replies",
        );
        assert_eq!(page.texts[index("kind_texts_forum")], 3, "reply, quote, 0 replies");
        assert_eq!(page.texts[index("kind_texts_shop")], 1);
        assert_eq!(of("").texts, [0; TEXTS.len()]);
    }

    #[test]
    fn words_of_the_title_are_counted_there_alone() {
        let index = |name: &str| TITLES.iter().position(|(known, _)| *known == name).unwrap();
        let page = of("<title>Engines - Forum/Discussion</title><p>Docs");
        assert_eq!(page.titles[index("kind_title_forum")], 2);
        assert_eq!(page.titles[index("kind_title_documentation")], 0);
    }

    #[test]
    fn long_texts_and_those_of_other_scripts_are_unknown() {
        let mut scratch = [0; MAX_TEXT_BYTES];
        assert_eq!(normalise(&"x".repeat(MAX_TEXT_BYTES + 1), &mut scratch), None);
        assert_eq!(normalise("  1234  5 ", &mut scratch), Some(&b"0 0"[..]));
        assert_eq!(of("<title>форум</title><p>Ответить<p>回复").texts, [0; TEXTS.len()]);
    }
}
