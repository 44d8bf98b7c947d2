use super::PieceKind::{Extra, Missing, Omitted, Same};
use super::*;
use proptest::prelude::*;

fn pieces(gold: &str, text: &str) -> Vec<(PieceKind, String)> {
    diff(gold, text).pieces.into_iter().map(|piece| (piece.kind, piece.text)).collect()
}

fn piece(kind: PieceKind, text: &str) -> (PieceKind, String) {
    (kind, text.to_owned())
}

#[test]
fn missing_words_come_before_extra_ones_and_white_space_is_kept() {
    assert_eq!(
        pieces("Rain fell  all day.\nRoads shut.", " Home Rain fell all night.\nRoads shut."),
        [
            piece(Extra, "Home "),
            piece(Same, "Rain fell  all "),
            piece(Missing, "day.\n"),
            piece(Extra, "night.\n"),
            piece(Same, "Roads shut."),
        ]
    );
}

#[test]
fn chinese_is_compared_by_scalars() {
    assert_eq!(
        pieces("今天下雨，路封了", "今天下雪，路封了"),
        [piece(Same, "今天下"), piece(Missing, "雨"), piece(Extra, "雪"), piece(Same, "，路封了")]
    );
}

#[test]
fn empty_and_equal_texts() {
    assert_eq!(pieces("", " \n "), []);
    assert_eq!(pieces("a b", ""), [piece(Missing, "a b")]);
    assert_eq!(pieces("", "a b"), [piece(Extra, "a b")]);
    let long = "word ".repeat(100);
    assert_eq!(pieces(&long, &long), [piece(Omitted, "100 words alike")]);
}

#[test]
fn of_long_equal_stretches_the_words_next_to_changes_are_shown() {
    let alike: Vec<String> = (0..100).map(|n| n.to_string()).collect();
    let alike = alike.join(" ");
    let found = pieces(&format!("x {alike} y {alike}"), &format!("{alike} {alike}"));
    let head = "0 1 2 3 4 5 6 7 8 9 10 11 ";
    let tail = "88 89 90 91 92 93 94 95 96 97 98 99 ";
    assert_eq!(
        found,
        [
            piece(Missing, "x "),
            piece(Same, head),
            piece(Omitted, "76 words alike"),
            piece(Same, tail),
            piece(Missing, "y "),
            piece(Same, head),
            piece(Omitted, "88 words alike"),
        ]
    );
}

#[test]
fn an_equal_word_in_the_middle_of_long_changes_counts_as_changed() {
    let gold = "one two three four five the six seven eight nine ten";
    let text = "a b c d e f the g h i j k";
    assert_eq!(pieces(gold, text), [piece(Missing, gold), piece(Extra, text)]);
    // Next to a short change, or at the beginning, the word counts as equal.
    assert_eq!(pieces("x the y", "z the w").len(), 5);
    assert_eq!(pieces("the one two three", "the a b c d e f g")[0], piece(Same, "the "));
}

#[test]
fn white_space_after_the_end_of_the_gold_is_that_of_the_text() {
    assert_eq!(
        pieces("Rain fell.", "Rain fell.\nShare"),
        [piece(Same, "Rain fell.\n"), piece(Extra, "Share")]
    );
}

#[test]
fn long_changes_and_long_words_are_shortened() {
    let gold: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
    let found = pieces(&gold.join(" "), &"x".repeat(1 << 20));
    assert_eq!(found[1], piece(Omitted, "800 words missing"));
    assert_eq!(found.len(), 4);
    assert_eq!(found[3].1.len(), MAX_WORD_BYTES + "…".len());
}

#[test]
fn words_over_the_limit_are_left_out_and_counted() {
    let words = |n: usize, word: &str| format!("{word} ").repeat(n);
    let diff = diff(&words(MAX_WORDS + 7, "a"), &words(400_000, "b"));
    assert_eq!((diff.gold_left_out, diff.text_left_out), (7, 400_000 - MAX_WORDS));
    let size: usize = diff.pieces.iter().map(|piece| piece.text.len()).sum();
    assert!(size < 2000, "{size}");
}

proptest! {
    #[test]
    fn the_diff_without_extra_is_the_gold_and_without_missing_the_text(
        gold in prop::collection::vec("[abc,]{1,2}|中|\\n", 0..30), text in prop::collection::vec("[abc,]{1,2}|中|\\n", 0..30),
    ) {
        let (gold, text) = (gold.join(" "), text.join(" "));
        let diff = diff(&gold, &text);
        let squeeze = |text: &str| text.split_whitespace().collect::<String>();
        let side = |other: PieceKind| -> String {
            let kept = diff.pieces.iter().filter(|piece| piece.kind != other);
            kept.map(|piece| squeeze(&piece.text)).collect()
        };
        if diff.pieces.iter().all(|piece| piece.kind != Omitted) {
            prop_assert_eq!(side(Extra), squeeze(&gold));
            prop_assert_eq!(side(Missing), squeeze(&text));
        }
        prop_assert!(diff.pieces.windows(2).all(|pair| pair[0].kind != pair[1].kind));
    }
}
