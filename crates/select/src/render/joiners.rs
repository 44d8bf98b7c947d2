//! Decides about joiners: zero-width scalars that belong to words of some scripts, and to emoji.
//!
//! U+200C separates two letters that would join (Persian), and U+200D joins or shapes them
//! (Sinhala, Hindi). Between emoji U+200D makes one picture of several. Elsewhere both are
//! leftovers of editors.

const NON_JOINER: char = '\u{200C}';
const JOINER: char = '\u{200D}';

/// The use of joiners in a script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Letters join their neighbours: Arabic, Syriac, Mongolian and related scripts.
    Cursive,
    /// A joiner selects the shape of the letter before it, also at the end of a word.
    Indic,
    /// Joiners make one emoji of several.
    Emoji,
    /// Joiners have no use.
    Other,
}

/// Returns whether a scalar is one of the two joiners.
#[inline]
pub(super) fn is_joiner(c: char) -> bool {
    matches!(c, NON_JOINER | JOINER)
}

/// Returns whether a joiner between two scalars belongs to the text. `None` is an unknown end: the
/// text of another element may follow.
pub(super) fn is_kept(previous: Option<char>, joiner: char, next: Option<char>) -> bool {
    let Some(previous) = previous.map(script_of) else { return false };
    let next = next.map_or(previous, script_of);
    match previous {
        Script::Cursive => joiner == JOINER || next == Script::Cursive,
        Script::Indic => true,
        Script::Emoji => joiner == JOINER && next == Script::Emoji,
        Script::Other => false,
    }
}

/// Returns the script of a letter or of a mark on a letter.
fn script_of(c: char) -> Script {
    match c {
        '\u{600}'..='\u{74F}'
        | '\u{750}'..='\u{77F}'
        | '\u{7C0}'..='\u{7FF}'
        | '\u{840}'..='\u{8FF}'
        | '\u{1800}'..='\u{18AF}'
        | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFE}'
        | '\u{10D00}'..='\u{10D3F}'
        | '\u{1E900}'..='\u{1E95F}'
            if c.is_alphabetic() =>
        {
            Script::Cursive
        }
        // Signs that end sentences.
        '\u{964}' | '\u{965}' | '\u{104A}' | '\u{104B}' | '\u{17D4}'..='\u{17DA}' => Script::Other,
        // From Devanagari to Sinhala, Tibetan, Burmese, Khmer, and their extensions. Signs such as
        // the virama are not letters.
        '\u{900}'..='\u{DFF}'
        | '\u{F00}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{1900}'..='\u{1C4F}'
        | '\u{1CD0}'..='\u{1CFF}'
        | '\u{A800}'..='\u{A82F}'
        | '\u{A880}'..='\u{A9DF}'
        | '\u{AA00}'..='\u{AADF}'
        | '\u{ABC0}'..='\u{ABFF}'
        | '\u{11000}'..='\u{11FFF}'
            if !c.is_numeric() =>
        {
            Script::Indic
        }
        // The scalar that selects the picture form, and the tags of flags.
        '\u{FE0F}'
        | '\u{20E3}'
        | '\u{E0020}'..='\u{E007F}'
        | '\u{2190}'..='\u{21FF}'
        | '\u{2300}'..='\u{27BF}'
        | '\u{2B00}'..='\u{2BFF}'
        | '\u{1F000}'..='\u{1FAFF}' => Script::Emoji,
        _ => Script::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::cut::{self, TakeWords};
    use proptest::prelude::*;

    /// Collects words with single spaces between them.
    #[derive(Default)]
    struct Collected(String);

    impl TakeWords for Collected {
        fn words(&mut self, words: &str) {
            self.0.push_str(words);
        }

        fn white_space(&mut self) {
            self.0.push(' ');
        }

        fn last(&self) -> Option<char> {
            self.0.chars().next_back()
        }
    }

    fn cut(text: &str) -> String {
        let mut collected = Collected::default();
        cut::cut_into_words(text, 0..text.len(), &mut collected);
        let mut preformatted = Collected::default();
        cut::preformatted(text, None, |words, blank| {
            preformatted.words(words);
            preformatted.words(blank);
        });
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&collected.0), words(&preformatted.0), "both ways of cutting agree");
        collected.0
    }

    #[test]
    fn joiners_of_words_and_emoji_stay() {
        for text in [
            // Persian, Urdu, Kurdish, Uyghur.
            "می\u{200C}خواهم",
            "پایگاه\u{200C}داده\u{200C}ها",
            "خوب\u{200C}صورت",
            "ده\u{200C}چم",
            "۱۳۹۹ ه\u{200D}.ش",
            // Hindi, Marathi, Bengali, Kannada, Malayalam.
            "क्\u{200D}ष",
            "क्\u{200C}ष",
            "दऱ्\u{200D}या",
            "র\u{200D}্যাব",
            "ರ\u{200D}್ಯ",
            "അവന്\u{200D}",
            "ശ്\u{200C} ആ",
            // Sinhala.
            "ශ්\u{200D}රී ලංකාව",
            // Emoji: a family, a flag, a job with a tone of skin, a heart.
            "👨\u{200D}👩\u{200D}👧",
            "🏳\u{FE0F}\u{200D}🌈",
            "👩🏽\u{200D}⚕\u{FE0F}",
            "❤\u{FE0F}\u{200D}🔥",
        ] {
            assert_eq!(cut(text), text);
        }
    }

    #[test]
    fn joiners_elsewhere_are_no_text() {
        for (text, wanted) in [
            ("un\u{200D}believ\u{200C}able", "unbelievable"),
            ("Auf\u{200C}lage", "Auflage"),
            ("中\u{200D}文", "中文"),
            ("می\u{200C} شود", "می شود"),
            ("می \u{200C}شود", "می شود"),
            ("می\u{200C}\u{200C}شود", "می\u{200C}شود"),
            ("\u{200C}می", "می"),
            ("1\u{200D}2", "12"),
            ("👨\u{200D} x", "👨 x"),
            ("👨\u{200C}👩", "👨👩"),
            ("این،\u{200C}آن", "این،آن"),
            ("कथा।\u{200D}अब", "कथा।अब"),
        ] {
            assert_eq!(cut(text), wanted, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_joiner_between_letters_stays(
            words in prop::collection::vec("[آبپتجچخدرزسشکگلمنوهی]{1,6}|[अकखगचजतदनपमयरलवसह]{1,6}", 1..8),
            joiner in "[\u{200C}\u{200D}]",
        ) {
            for same in words.windows(2).filter(|pair| script_of(pair[0].chars().next().unwrap())
                == script_of(pair[1].chars().next().unwrap()))
            {
                let text = same.join(&joiner);
                prop_assert_eq!(cut(&text), text);
            }
        }

        #[test]
        fn nothing_but_joiners_differs(text in "[a-z می\u{200C}\u{200D}क्👨\u{FE0F}\n।]{0,40}") {
            let without = |text: &str| text.replace([NON_JOINER, JOINER], "");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&without(&cut(&text))), words(&cut(&without(&text))));
        }
    }
}
