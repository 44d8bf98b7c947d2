use super::*;

fn close(gold: &str, text: &str, expected: [f64; 3]) {
    let got = rouge_lsum(gold, text).unwrap();
    let got = [got.precision, got.recall, got.f1];
    for (got, expected) in got.iter().zip(expected) {
        assert!(
            (got - expected).abs() < 1e-12,
            "{got:?}, expected {expected:?}: {gold:?} {text:?}"
        );
    }
}

/// The expected figures are those of `rouge-score` 0.1.2 on texts of our own.
#[test]
fn scores_equal_those_of_the_package() {
    close("", "", [0.0, 0.0, 0.0]);
    close("a b", "", [0.0, 0.0, 0.0]);
    close("東京", "東京", [0.0, 0.0, 0.0]);
    close("The mill opened.\nIt closed.", "The mill closed.\nIt opened.", [1.0, 1.0, 1.0]);
    close("a b c d\nb a d c", "b d\na c\na b", [1.0, 0.75, 6.0 / 7.0]);
    close(
        "one two three four\nfive six\n\nseven",
        "one three five seven\nsix two\nfour",
        [1.0, 1.0, 1.0],
    );
    close("x y x y x\ny x y", "y x\nx y x\ny y", [1.0, 0.875, 14.0 / 15.0]);
    close("a-b_c 12.5 café", "A B C 12 5 caf \u{212a}", [6.0 / 7.0, 1.0, 12.0 / 13.0]);
    close(
        "the cat sat on the mat\nthe dog ran to the cat",
        "the the the cat\ncat ran mat dog sat the",
        [0.8, 2.0 / 3.0, 8.0 / 11.0],
    );
    close("a b a c b d\nc a d b", "d c b a\nb a c d", [0.875, 0.7, 7.0 / 9.0]);
}

#[test]
fn a_pair_of_lines_too_long_for_the_table_has_no_score() {
    let line = "a ".repeat(20_000);
    assert_eq!(rouge_lsum(&line, &line), None);
    assert!(rouge_lsum(&line, "a\na").is_some());
}
