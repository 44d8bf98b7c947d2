use super::*;
use proptest::prelude::*;

/// Generates trees with at most eight questions each, over three features.
pub(crate) fn any_trees() -> impl Strategy<Value = Trees> {
    let tree = (0_u8..=8).prop_flat_map(|depth| {
        let question = (0_u16..3, -4_i8..4)
            .prop_map(|(feature, border)| TreeSplit { feature, border: f32::from(border) });
        let questions = prop::collection::vec(question, usize::from(depth));
        (questions, prop::collection::vec(any::<i16>(), 1 << depth))
    });
    prop::collection::vec(tree, 0..300).prop_map(|trees| Trees {
        scale: 1.0,
        depths: trees.iter().map(|(questions, _)| questions.len() as u8).collect(),
        questions: trees.iter().flat_map(|(questions, _)| questions.clone()).collect(),
        leaves: trees.into_iter().flat_map(|(_, leaves)| leaves).collect(),
        ..Trees::default()
    })
}

fn by_definition(trees: &Trees, values: &[f32]) -> i32 {
    let of_tree = |(questions, leaves): (&[TreeSplit], &[i16])| {
        let answers = questions
            .iter()
            .map(|TreeSplit { feature, border }| values[usize::from(*feature)] > *border);
        let leaf: usize = answers.enumerate().map(|(level, yes)| usize::from(yes) << level).sum();
        i32::from(leaves[leaf])
    };
    trees.each().map(of_tree).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn on_any_processor_sums_are_what_the_definition_says(
        trees in any_trees(), values in prop::collection::vec([-5_i8..5, -5_i8..5, -5_i8..5], 1..80)
    ) {
        let forest = BlockForest::new(&trees).unwrap();
        let mut columns = Columns::default();
        columns.begin(0..values.len() as u32);
        columns.add("", |at| f32::from(values[at][0]));
        columns.add("", |at| f32::from(values[at][1]));
        columns.add("", |at| f32::from(values[at][2]));
        let (mut fast, mut slow) = (vec![0.0; values.len()], vec![0.0; values.len()]);
        forest.judge(&columns, &mut Vec::new(), &mut fast);
        forest.judge_by(PortableKernel, &columns, &mut Vec::new(), &mut slow);
        for (at, values) in values.iter().enumerate() {
            // Sums of this few trees are exact in f32, or rounded in the same way.
            let expected = by_definition(&trees, &values.map(f32::from)) as f32;
            prop_assert_eq!(fast[at].to_bits(), expected.to_bits());
            prop_assert_eq!(slow[at].to_bits(), expected.to_bits());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn two_parts_of_a_forest_give_the_sum_of_the_whole(
        mut trees in any_trees(), count in 0..400_usize, value in -5_i8..5
    ) {
        trees.bias = 3.0;
        let mut columns = Columns::default();
        columns.begin(0..1);
        for _ in 0..3 {
            columns.add("", |_| f32::from(value));
        }
        let judge = |trees: &Trees, log_odds: &mut [f32]| {
            BlockForest::new(trees).unwrap().judge(&columns, &mut Vec::new(), log_odds);
        };
        let (mut whole, mut parts) = ([0.0], [0.0]);
        judge(&trees, &mut whole);
        let (first, rest) = trees.split_at(count);
        prop_assert_eq!(first.depths.len(), count.min(trees.depths.len()));
        judge(&first, &mut parts);
        judge(&rest, &mut parts);
        prop_assert_eq!(parts[0].to_bits(), whole[0].to_bits());
    }
}

/// Computes by definition the bias and the contribution of each feature. A contribution is the
/// change of the mean over all leaves that the answers so far leave open. The last question is
/// asked first, as in [`BlockForest`].
fn contributions_by_definition(trees: &Trees, values: [f32; 3]) -> (f64, [f64; 3]) {
    let (mut bias, mut by_feature) = (f64::from(trees.bias), [0.0; 3]);
    for (questions, leaves) in trees.each() {
        let mean = |asked: usize| {
            let is_open = |leaf: &usize| {
                (questions.len() - asked..questions.len()).all(|level| {
                    let TreeSplit { feature, border } = questions[level];
                    (leaf >> level & 1 == 1) == (values[usize::from(feature)] > border)
                })
            };
            let open: Vec<f64> =
                (0..leaves.len()).filter(is_open).map(|leaf| f64::from(leaves[leaf])).collect();
            open.iter().sum::<f64>() / open.len() as f64
        };
        bias += mean(0);
        for asked in 0..questions.len() {
            let feature = questions[questions.len() - 1 - asked].feature;
            by_feature[usize::from(feature)] += mean(asked + 1) - mean(asked);
        }
    }
    (bias, by_feature)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn contributions_are_what_the_definition_says_and_make_the_sum_of_the_leaves(
        mut trees in any_trees(), values in [-5_i8..5, -5_i8..5, -5_i8..5]
    ) {
        trees.bias = 3.0;
        let values = values.map(f32::from);
        let forest = BlockForest::new(&trees).unwrap();
        let mut by_feature = [0.0; 3];
        let add = |feature, change| by_feature[usize::from(feature)] += change;
        let bias = forest.contributions(&forest.means(), |feature| values[feature], add);
        let (expected_bias, expected) = contributions_by_definition(&trees, values);
        // The means are single-precision numbers of up to 16 bits, summed over up to 300 trees.
        let is_near = |a: f64, b: f64| (a - b).abs() < 1.0;
        prop_assert!(is_near(bias, expected_bias), "{bias} {expected_bias}");
        for (feature, (is, expected)) in by_feature.iter().zip(expected).enumerate() {
            prop_assert!(is_near(*is, expected), "{feature}: {is} {expected}");
        }
        let sum = bias + by_feature.iter().sum::<f64>();
        prop_assert!((sum - 3.0 - f64::from(by_definition(&trees, &values))).abs() < 1e-3, "{sum}");
    }
}

#[test]
fn a_feature_with_too_many_borders_is_refused() {
    let trees = |borders: u16| Trees {
        questions: (0..borders)
            .map(|border| TreeSplit { feature: 0, border: f32::from(border) })
            .collect(),
        leaves: vec![0; 2 * usize::from(borders)],
        depths: vec![1; usize::from(borders)],
        ..Trees::default()
    };
    assert!(BlockForest::new(&trees(255)).is_ok());
    let too_many = ModelError::Damaged("too many borders of one feature");
    assert_eq!(BlockForest::new(&trees(256)), Err(too_many));
}
