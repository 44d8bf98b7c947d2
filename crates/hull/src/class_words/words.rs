//! Words in classes and ids, and the groups they are in.
//!
//! A word begins at a letter after another byte, and at a capital after a small letter. So
//! `postComments`, `post-comments` and `Post_Comments2` all have a word that begins with `comment`.
//! The lists are this project's own, from the common practice of sites. All words are English, as
//! are most class names; class names in other languages match no word.
//!
//! Cost: a few instructions for each byte. Each word is compared only with the list's words that
//! share its first two letters.

use crate::bytes8::{eight_at, eights};

const CONTENT: u16 = 1;
const NAV: u16 = 1 << 1;
const SIDE: u16 = 1 << 2;
const FOOT: u16 = 1 << 3;
const HEAD: u16 = 1 << 4;
const AD: u16 = 1 << 5;
const SHARE: u16 = 1 << 6;
const RELATED: u16 = 1 << 7;
const COMMENT: u16 = 1 << 8;
const META: u16 = 1 << 9;
const CAPTION: u16 = 1 << 10;
const TITLE: u16 = 1 << 11;
const POPUP: u16 = 1 << 12;
const PRODUCT: u16 = 1 << 13;
const FORUM: u16 = 1 << 14;
const HIDDEN: u16 = 1 << 15;

/// Groups that may hold most of a page's text. If an element holds more than half of the page's
/// text, a word of another group in its class describes other parts of the page (`has-sidebar`,
/// `comments-open`).
pub(crate) const OF_WHOLE_PAGES: u16 = CONTENT | PRODUCT | FORUM;

/// Beginnings of words in alphabetical order; an entry that ends in `$` is a whole word.
const WORDS: &[(&str, u16)] = &[
    ("ad$", AD),
    ("ads$", AD),
    ("adsense", AD),
    ("adv$", AD),
    ("advert", AD),
    ("alert", POPUP),
    ("also", RELATED),
    ("answer", FORUM),
    ("archive", RELATED),
    ("article", CONTENT),
    ("aside", SIDE),
    ("author", META),
    ("avatar", META),
    ("banner", AD | HEAD),
    ("bbs", FORUM),
    ("bio$", META),
    ("blog", CONTENT),
    ("body", CONTENT),
    ("bottom", FOOT),
    ("brand", HEAD),
    ("bread", NAV),
    ("buy", PRODUCT),
    ("byline", META),
    ("caption", CAPTION),
    ("cart", PRODUCT),
    ("categor", META | NAV),
    ("collaps", HIDDEN),
    ("column", SIDE),
    ("comment", COMMENT),
    ("consent", POPUP),
    ("content", CONTENT),
    ("cookie", POPUP),
    ("copyright", FOOT),
    ("credit", CAPTION),
    ("crumb", NAV),
    ("date", META),
    ("dek$", TITLE),
    ("desc", CONTENT),
    ("dialog", POPUP),
    ("discuss", COMMENT),
    ("disqus", COMMENT),
    ("dropdown", NAV | HIDDEN),
    ("email", SHARE),
    ("entry", CONTENT),
    ("excerpt", TITLE),
    ("facebook", SHARE),
    ("fig$", CAPTION),
    ("figure", CAPTION),
    ("follow", SHARE),
    ("foot", FOOT),
    ("forum", FORUM),
    ("gallery", CAPTION),
    ("gdpr", POPUP),
    ("head", HEAD),
    ("headline", TITLE),
    ("hidden", HIDDEN),
    ("hide", HIDDEN),
    ("image", CAPTION),
    ("img", CAPTION),
    ("info", META),
    ("intro", TITLE),
    ("invisible", HIDDEN),
    ("kommentar", COMMENT),
    ("latest", RELATED),
    ("lead", TITLE),
    ("lede", TITLE),
    ("legal", FOOT),
    ("like", SHARE),
    ("link", NAV),
    ("list", NAV),
    ("login", POPUP),
    ("logo", HEAD),
    ("main", CONTENT),
    ("masthead", HEAD),
    ("media", CAPTION),
    ("menu", NAV),
    ("message", FORUM),
    ("meta", META),
    ("modal", POPUP),
    ("more$", RELATED),
    ("most", RELATED),
    ("nav", NAV),
    ("newsletter", POPUP),
    ("next", RELATED),
    ("none$", HIDDEN),
    ("notice", POPUP),
    ("offer", PRODUCT),
    ("outbrain", AD),
    ("overlay", POPUP),
    ("page$", CONTENT),
    ("pager", NAV),
    ("pagin", NAV),
    ("partner", AD),
    ("pb$", FORUM),
    ("photo", CAPTION),
    ("popular", RELATED),
    ("popup", POPUP),
    ("post", CONTENT),
    ("prev", RELATED),
    ("price", PRODUCT),
    ("print", SHARE),
    ("privacy", FOOT),
    ("product", PRODUCT),
    ("promo", AD),
    ("prose", CONTENT),
    ("publish", META),
    ("question", FORUM),
    ("quote", FORUM),
    ("rail", SIDE),
    ("rating", PRODUCT),
    ("read$", RELATED),
    ("recent", RELATED),
    ("recommend", RELATED),
    ("region", SIDE),
    ("register", POPUP),
    ("related", RELATED),
    ("replies", COMMENT),
    ("reply", COMMENT),
    ("respond", COMMENT),
    ("review", PRODUCT),
    ("rich", CONTENT),
    ("screen", HIDDEN),
    ("search", NAV),
    ("share", SHARE),
    ("sharing", SHARE),
    ("shop", PRODUCT),
    ("side", SIDE),
    ("sign", POPUP),
    ("similar", RELATED),
    ("sku", PRODUCT),
    ("social", SHARE),
    ("source", META),
    ("spec$", PRODUCT),
    ("specs", PRODUCT),
    ("sponsor", AD),
    ("sr$", HIDDEN),
    ("standfirst", TITLE),
    ("sticky", POPUP),
    ("story", CONTENT),
    ("sub$", TITLE),
    ("subscri", POPUP),
    ("subtitle", TITLE),
    ("summary", TITLE),
    ("tab$", NAV),
    ("taboola", AD),
    ("tabs", NAV),
    ("tag$", META),
    ("tags", META),
    ("teaser", RELATED),
    ("text", CONTENT),
    ("thread", FORUM),
    ("thumb", CAPTION),
    ("time", META),
    ("title", TITLE),
    ("toc$", NAV),
    ("toolbar", NAV),
    ("top$", HEAD),
    ("topic", FORUM),
    ("trend", RELATED),
    ("tweet", SHARE),
    ("twitter", SHARE),
    ("user", META),
    ("video", CAPTION),
    ("visually", HIDDEN),
    ("whatsapp", SHARE),
    ("widget", SIDE),
    ("wrapper", CONTENT),
];

/// For every pair of letters, the words that begin with it: index of the first, and index after the
/// last.
static STARTS: [(u8, u8); 26 * 26] = {
    let mut starts = [(0, 0); 26 * 26];
    let mut word = 0;
    while word < WORDS.len() {
        let bytes = WORDS[word].0.as_bytes();
        let pair = pair(bytes[0], bytes[1]);
        if starts[pair].1 == 0 {
            starts[pair].0 = word as u8;
        } else {
            assert!(starts[pair].1 as usize == word, "words are not in the order of the alphabet");
        }
        word += 1;
        starts[pair].1 = word as u8;
    }
    starts
};

/// Returns the number of a pair of ASCII letters, 0 to 675; upper and lower case are equal.
const fn pair(first: u8, second: u8) -> usize {
    let (first, second) = ((first | 0x20) - b'a', (second | 0x20) - b'a');
    26 * first as usize + second as usize
}

/// Largest number of words of an id or `itemprop` that is a name. An id with more words is usually
/// made from a heading and says what the text is about; hardly any `itemprop` has more.
const MAX_WORDS_OF_ID: u32 = 3;

/// Returns the groups of the words in an id or `itemprop`; empty if it has more than three words.
pub(super) fn groups_of_id(value: &str) -> u16 {
    let (groups, words) = groups_and_words(value);
    if words > MAX_WORDS_OF_ID { 0 } else { groups }
}

/// Returns the groups of the words in a value.
pub(super) fn groups(value: &str) -> u16 {
    groups_and_words(value).0
}

/// Returns the groups of the words in a value, and the number of words.
#[inline]
fn groups_and_words(value: &str) -> (u16, u32) {
    let bytes = value.as_bytes();
    let (mut groups, mut words, mut letters_before, mut start) = (0, 0, Letters::default(), 0);
    for (eight, _) in eights(bytes) {
        let letters = Letters::from_bytes(eight);
        let mut begins = letters.begins(letters_before);
        words += begins.count_ones();
        while begins != 0 {
            groups |= groups_of_word(bytes, start + begins.trailing_zeros() as usize / 8);
            begins &= begins - 1;
        }
        (letters_before, start) = (letters, start + 8);
    }
    (groups, words)
}

/// The ASCII letters among eight bytes: the high bit of each letter's byte is set.
#[derive(Clone, Copy, Default)]
struct Letters {
    /// All letters.
    all: u64,
    /// Letters in lower case.
    small: u64,
}

impl Letters {
    #[inline]
    fn from_bytes(eight: u64) -> Letters {
        const fn all(byte: u8) -> u64 {
            u64::from_le_bytes([byte; 8])
        }
        // The high bits are masked out, so that additions do not carry into the next byte.
        let lower = (eight | all(0x20)) & all(0x7F);
        let from_a = lower + all(0x80 - b'a');
        let beyond_z = lower + all(0x7F - b'z');
        let letters = from_a & !beyond_z & !eight & all(0x80);
        Letters { all: letters, small: letters & eight << 2 }
    }

    /// Returns the beginnings of words: letters after other bytes, and capitals after small
    /// letters. `letters_before` holds the letters of the eight bytes before these.
    #[inline]
    fn begins(self, letters_before: Letters) -> u64 {
        let behind = |current: u64, letters_before: u64| current << 8 | letters_before >> 56;
        let capitals = self.all & !self.small;
        self.all & !behind(self.all, letters_before.all)
            | capitals & behind(self.small, letters_before.small)
    }
}

/// Returns the groups of the word that begins at index `offset`.
fn groups_of_word(bytes: &[u8], offset: usize) -> u16 {
    let [first, second, ..] = bytes[offset..] else { return 0 };
    if !second.is_ascii_alphabetic() {
        return 0;
    }
    let (first, end) = STARTS[pair(first, second)];
    if first == end {
        return 0;
    }
    // Converts capitals to small letters. Other bytes may change too, but never become letters.
    let eight = eight_at(bytes, offset) | 0x2020_2020_2020_2020;
    let places = usize::from(first)..usize::from(end);
    let begins = |index: &usize| {
        let (key, mask) = KEYS[*index];
        eight & mask == key && goes_on(&bytes[offset..], WORDS[*index].0.as_bytes())
    };
    let groups = places.filter(begins).fold(0, |groups, index| groups | WORDS[index].1);
    if groups & COMMENT != 0 && is_no_comment(&bytes[offset..]) {
        groups & !COMMENT
    } else {
        groups
    }
}

/// Words that begin like comments. `commentary` marks opinion pieces, and `commentable` the teasers
/// of articles below which readers may comment.
const NO_COMMENTS: &[&[u8]] = &[b"commentary", b"commentaries", b"commentable"];

fn is_no_comment(word: &[u8]) -> bool {
    let begins = |start: &&[u8]| {
        word.get(..start.len()).is_some_and(|prefix| prefix.eq_ignore_ascii_case(start))
    };
    NO_COMMENTS.iter().any(begins)
}

/// For each entry of the list, its first eight letters, and a mask of the bytes that they fill.
static KEYS: [(u64, u64); WORDS.len()] = {
    let mut keys = [(0, 0); WORDS.len()];
    let mut word = 0;
    while word < WORDS.len() {
        let letters = WORDS[word].0.as_bytes();
        let mut at = 0;
        while at < 8 && at < letters.len() && letters[at] != b'$' {
            keys[word].0 |= (letters[at] as u64) << (8 * at);
            keys[word].1 |= 0xFF << (8 * at);
            at += 1;
        }
        word += 1;
    }
    keys
};

/// Returns whether bytes that begin with the first eight letters of an entry also match the rest of
/// it.
fn goes_on(bytes: &[u8], word: &[u8]) -> bool {
    let (word, whole) = match word {
        [word @ .., b'$'] => (word, true),
        word => (word, false),
    };
    let more = word.get(8..).unwrap_or_default();
    let following = bytes.get(8..).unwrap_or_default().get(..more.len());
    following.is_some_and(|following| following.eq_ignore_ascii_case(more))
        && !(whole && bytes.get(word.len()).is_some_and(u8::is_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_where_letters_do_and_at_capitals() {
        for value in ["comment", "postComments", "post_comments2", "x-COMMENT", "3comments"] {
            assert_eq!(groups(value) & COMMENT, COMMENT, "{value}");
        }
        assert_eq!(groups("recomment xcomment"), 0);
        for value in
            ["commentary", "node-Commentary", "commentaries", "isCommentable", "is-commentable2"]
        {
            assert_eq!(groups(value) & COMMENT, 0, "{value}");
        }
        for value in
            ["commentaires", "commentator", "commentar", "commenting", "commentary-comments"]
        {
            assert_eq!(groups(value) & COMMENT, COMMENT, "{value}");
        }
        assert_eq!(groups("adapt add-ad"), AD);
        assert_eq!(groups("newslett newsletters"), POPUP);
        assert_eq!(groups(""), 0);
    }

    #[test]
    fn words_are_in_the_groups_of_every_entry_they_begin_with() {
        let begins = |value: &str, word: &str| match word.strip_suffix('$') {
            Some(whole) => value == whole,
            None => value.starts_with(word),
        };
        for (word, _) in WORDS {
            let word = word.trim_end_matches('$');
            for end in 2..=word.len() {
                for more in ["", "s", "zzzzzzzz"] {
                    let value = format!("{}{more}", &word[..end]);
                    let expected = WORDS
                        .iter()
                        .filter(|(word, _)| begins(&value, word))
                        .fold(0, |all, (_, of)| all | of);
                    assert_eq!(groups(&value), expected, "{value}");
                    let capital = format!("x{}{}", value[..1].to_uppercase(), &value[1..]);
                    assert_eq!(groups(&capital), expected, "{capital}");
                }
            }
        }
    }

    #[test]
    fn ids_of_many_words_have_no_groups() {
        assert_eq!(groups_of_id("comment-list-wrapper-17") & COMMENT, COMMENT);
        assert_eq!(groups_of_id("respond-to-review-comments"), 0);
        assert_eq!(groups("respond-to-review-comments") & COMMENT, COMMENT);
    }
}
