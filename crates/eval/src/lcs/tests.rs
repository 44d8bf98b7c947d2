use super::*;
use proptest::prelude::*;

/// Computes the length by definition, with the whole table.
fn naive(a: &[u32], b: &[u32]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y && *x != ABSENT { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

fn length(a: &[u32], b: &[u32]) -> usize {
    Lcs::default().length(a, b, 1000)
}

#[test]
fn small_cases() {
    assert_eq!(length(&[], &[]), 0);
    assert_eq!(length(&[1], &[]), 0);
    assert_eq!(length(&[1, 2, 3], &[1, 2, 3]), 3);
    assert_eq!(length(&[1, 2, 3, 4], &[3, 4, 1, 2]), 2);
    assert_eq!(length(&[1, ABSENT, 3], &[1, ABSENT, 3]), 2);
    let long: Vec<u32> = (0..200).map(|i| i % 3).collect();
    let other: Vec<u32> = (0..190).map(|i| (i * i) % 3).collect();
    assert_eq!(length(&long, &other), naive(&long, &other));
}

#[test]
fn reused_memory_does_not_change_results() {
    let mut lcs = Lcs::default();
    for (a, b) in
        [(vec![1, 2, 3, 1, 2], vec![2, 1, 1]), (vec![0; 130], vec![0, 1, 0]), (vec![5], vec![5])]
    {
        assert_eq!(lcs.length(&a, &b, 6), naive(&a, &b));
    }
}

proptest! {
    #[test]
    fn the_length_equals_the_definition(
        (a, b) in (1_u32..40).prop_flat_map(|letters| {
            let token = prop_oneof![9 => 0..letters, 1 => Just(ABSENT)];
            (prop::collection::vec(token.clone(), 0..400), prop::collection::vec(token, 0..300))
        })
    ) {
        prop_assert_eq!(length(&a, &b), naive(&a, &b));
        prop_assert_eq!(length(&b, &a), naive(&a, &b));
    }

    #[test]
    fn two_edits_of_one_text_equal_the_definition(
        a in prop::collection::vec(0_u32..50, 100..600),
        cuts in prop::collection::vec((0_usize..600, 0_usize..60), 0..6),
    ) {
        let mut b = a.clone();
        for (at, len) in cuts {
            let at = at.min(b.len());
            b.drain(at..(at + len).min(b.len()));
        }
        prop_assert_eq!(length(&a, &b), b.len());
    }
}
