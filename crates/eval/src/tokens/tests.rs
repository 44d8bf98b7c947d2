use super::*;

fn cut(text: &str) -> Vec<String> {
    tokens(&normalise(text)).map(str::to_owned).collect()
}

#[test]
fn words_are_runs_and_other_scripts_are_cut() {
    assert_eq!(
        cut("The snake_case, 3.14 naïve-té!"),
        ["the", "snake_case", "3", "14", "naïve", "té"]
    );
    assert_eq!(cut("2023年の東京Tower"), ["2023", "年", "の", "東", "京", "tower"]);
    assert_eq!(cut("ไทย"), ["ไ", "ท", "ย"]);
    assert_eq!(cut("  \n—…"), Vec::<String>::new());
}

#[test]
fn text_is_composed_and_lower_cased_as_python_does() {
    // Full-width forms, a ligature, a decomposed letter, a superscript, the Kelvin sign.
    assert_eq!(
        cut("ＡＢＣ１２ ﬁn Ame\u{301}lie x² \u{212A}"),
        ["abc12", "fin", "amélie", "x2", "k"]
    );
    // A sigma at the end of a word, and a sigma alone.
    assert_eq!(cut("ΟΔΟΣ ΣΑΣ Σ"), ["οδος", "σας", "σ"]);
    // The dot remains as a mark, which is not a word character and so separates tokens.
    assert_eq!(cut("İstanbul"), ["i", "stanbul"]);
}

#[test]
fn marks_are_no_word_characters() {
    // A Devanagari vowel sign (Mc) and a circled letter (So, but a letter after NFKC).
    assert_eq!(cut("कि ⓐ"), ["क", "a"]);
    assert_eq!(cut("१२ Ⅻ ½"), ["१२", "xii", "1", "2"]);
}

/// Characters of borderline categories, each checked with Python's `re`.
#[test]
fn word_characters_are_those_of_python() {
    // Lm, Lo, Nl, No, Nd, Lu beyond the first plane.
    for c in ['\u{2b0}', '\u{5d0}', '\u{16ee}', '\u{b2}', '\u{966}', '\u{1d400}', '\u{3131}'] {
        assert!(matches!(char_class(c), Class::Word), "{c:?}");
    }
    // Mn (alphabetic to Rust), Mc, So (alphabetic to Rust), Me, Pc but for `_`, Sk, Cf, Co.
    for c in
        ['\u{345}', '\u{93e}', '\u{24d0}', '\u{20dd}', '\u{203f}', '\u{5e}', '\u{200d}', '\u{e000}']
    {
        assert!(matches!(char_class(c), Class::Other), "{c:?}");
    }
}
