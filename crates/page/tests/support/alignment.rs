//! Two texts compared word by word, in a time that is linear while they are mostly equal.

use std::collections::HashMap;
use std::fmt;

/// How the words of two texts differ. A line break is a part of the word after it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alignment {
    /// Words of the other text.
    pub(crate) peers: usize,
    /// Words of the other text that are not found where they should be, or without their line
    /// break.
    pub(crate) lacking: usize,
    /// Words of ours that are not those of the other text.
    pub(crate) extra: usize,
    /// Words that are several in the other text, and the other way round.
    pub(crate) misjoined: usize,
    /// The first differences.
    examples: Vec<String>,
}

impl Alignment {
    /// Adds a text that both have.
    pub(crate) fn add_equal(&mut self, text: &str) {
        self.peers += words(text).len();
    }

    /// Adds the differences of another pair of texts.
    pub(crate) fn add(&mut self, other: &Alignment) {
        self.peers += other.peers;
        self.lacking += other.lacking;
        self.extra += other.extra;
        self.misjoined += other.misjoined;
    }

    /// Adds a stretch in which the texts differ.
    fn differ(&mut self, ours: &[&str], peers: &[&str]) {
        self.lacking += peers.len();
        self.extra += ours.len();
        let letters = |words: &[&str]| words.concat().replace('\n', "");
        if letters(ours) == letters(peers) {
            let starts = |words: &[&str]| words.iter().map(|word| word.len()).collect::<Vec<_>>();
            // With the same words it is only the line breaks that differ.
            let bare = |words: &[&str]| {
                words.iter().map(|w| w.trim_start().to_owned()).collect::<Vec<_>>()
            };
            if bare(ours) != bare(peers) {
                self.misjoined += starts(ours).len().abs_diff(starts(peers).len()).max(1);
            }
        }
        if self.examples.len() < 4 {
            let short = |words: &[&str]| words[..words.len().min(12)].join(" ");
            self.examples.push(format!("ours {:?}, peer {:?}", short(ours), short(peers)));
        }
    }
}

impl fmt::Display for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Alignment { peers, lacking, extra, misjoined, examples } = self;
        write!(
            f,
            "of {peers} words {lacking} lack, {extra} are more, {misjoined} are glued or split"
        )?;
        examples.iter().try_for_each(|example| write!(f, "\n    {example}"))
    }
}

/// So many words in a row must be equal for the comparison to go on after a difference.
const ANCHOR_WORDS: usize = 4;
/// A difference of so many words on both sides together is looked for first.
const NEAR_WORDS: usize = 80;

/// Compares two texts.
pub(crate) fn align(ours: &str, peers: &str) -> Alignment {
    let (ours, peers) = (words(ours), words(peers));
    let mut alignment = Alignment { peers: peers.len(), ..Alignment::default() };
    let (mut a, mut b) = (0, 0);
    loop {
        while a < ours.len() && b < peers.len() && ours[a] == peers[b] {
            a += 1;
            b += 1;
        }
        if a == ours.len() && b == peers.len() {
            return alignment;
        }
        let (skip_a, skip_b) = near(&ours[a..], &peers[b..])
            .or_else(|| far(&ours[a..], &peers[b..]))
            .unwrap_or((ours.len() - a, peers.len() - b));
        alignment.differ(&ours[a..a + skip_a], &peers[b..b + skip_b]);
        a += skip_a;
        b += skip_b;
    }
}

/// How many words to leave out of each text until both go on alike, if these are few.
fn near(ours: &[&str], peers: &[&str]) -> Option<(usize, usize)> {
    let alike = |a: usize, b: usize| {
        let (ours, peers) = (&ours[a..], &peers[b..]);
        let len = ANCHOR_WORDS.min(ours.len().max(peers.len()));
        ours.len() >= len && peers.len() >= len && ours[..len] == peers[..len]
    };
    let pairs = (1..=NEAR_WORDS).flat_map(|sum| (0..=sum).map(move |a| (a, sum - a)));
    pairs.filter(|(a, b)| *a <= ours.len() && *b <= peers.len()).find(|(a, b)| alike(*a, *b))
}

/// The same if these are many.
fn far(ours: &[&str], peers: &[&str]) -> Option<(usize, usize)> {
    let mut places: HashMap<&[&str], usize> = HashMap::new();
    for (place, anchor) in peers.windows(2 * ANCHOR_WORDS).enumerate() {
        places.entry(anchor).or_insert(place);
    }
    let mut anchors = ours.windows(2 * ANCHOR_WORDS).enumerate();
    anchors.find_map(|(a, anchor)| Some((a, *places.get(anchor)?)))
}

/// The words of a text. The first word of a line has the line break before it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices([' ', '\n']) {
        words.push(&text[start..at]);
        start = if text.as_bytes()[at] == b'\n' { at } else { at + 1 };
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}
