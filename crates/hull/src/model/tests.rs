use super::*;
use crate::columns::Columns;
use proptest::prelude::*;

/// The questions and the leaves of a tree.
type Plan<'a> = (&'a [(u16, f32)], &'a [i16]);

/// Returns a model file with the features `chars` and `links`, and one forest with these trees.
fn file(trees: &[Plan<'_>]) -> Vec<u8> {
    let mut out = b"HULL\x01\0\0\0\x02\0\0\0\x05chars\x05links\x01\0\0\0\x01f".to_vec();
    out.extend(0.5_f32.to_le_bytes());
    out.extend(1.0_f32.to_le_bytes());
    out.extend((trees.len() as u32).to_le_bytes());
    for (questions, leaves) in trees {
        out.push(questions.len() as u8);
        for (feature, border) in *questions {
            out.extend(feature.to_le_bytes());
            out.extend(border.to_le_bytes());
        }
        out.extend(leaves.iter().flat_map(|leaf| leaf.to_le_bytes()));
    }
    out
}

const TREE: Plan<'_> = (&[(0, 3.0), (1, 0.5)], &[10, 20, -30, 40]);

fn judged(model: &Model, columns: &Columns) -> Vec<f32> {
    let forest = BlockForest::new(model.forest("f").unwrap()).unwrap();
    let last = columns.blocks().iter().max().unwrap();
    let mut log_odds = vec![0.0; *last as usize + 1];
    forest.judge(columns, &mut Vec::new(), &mut log_odds);
    log_odds
}

/// Returns columns with these values for the features `chars` and `links`, and zeros for all
/// others.
fn columns(chars: &[f32], links: &[f32]) -> Columns {
    let mut columns = Columns::default();
    columns.begin(0..chars.len() as u32);
    for name in Features::names() {
        columns.add(&name, |at| match name.as_str() {
            "chars" => chars[at],
            "links" => links[at],
            _ => 0.0,
        });
    }
    columns
}

#[test]
fn leaves_add_up() {
    let model = Model::from_bytes(&file(&[TREE, TREE])).unwrap();
    let columns = columns(&[3.0, 4.0, 0.0, 9.0], &[0.0, 0.0, 1.0, 1.0]);
    assert_eq!(judged(&model, &columns), [11.0, 21.0, -29.0, 41.0]);
    assert_eq!(model.forest("g"), Err(ModelError::MissingForest("g")));
}

#[test]
fn log_odds_of_other_blocks_do_not_change() {
    let model = Model::from_bytes(&file(&[TREE])).unwrap();
    let mut columns = Columns::default();
    columns.begin([1, 3]);
    for name in Features::names() {
        columns.add(&name, |at| at as f32);
    }
    assert_eq!(judged(&model, &columns), [0.0, 16.0 - 30.0, 0.0, 16.0 - 30.0]);
}

#[test]
fn damaged_files_are_refused() {
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = file(&[TREE]);
        change(&mut bytes);
        Model::from_bytes(&bytes).unwrap_err()
    };
    assert_eq!(refused(&|bytes| bytes[0] = b'h'), ModelError::NotAModel);
    assert_eq!(refused(&|bytes| bytes.clear()), ModelError::NotAModel);
    assert_eq!(refused(&|bytes| bytes[4] = 2), ModelError::Version(2));
    assert_eq!(refused(&|bytes| bytes[13] = b'k'), ModelError::UnknownFeature("khars".to_owned()));
    assert_eq!(refused(&|bytes| bytes.push(0)), ModelError::Damaged("has data after its end"));
    // The bytes after the names: the forest's name, scale, bias and number of trees.
    let tree = 24 + 4 + 2 + 12;
    assert_eq!(refused(&|bytes| bytes[tree] = 9), ModelError::Damaged("a tree is too deep"));
    assert_eq!(
        refused(&|bytes| bytes[tree + 1] = 2),
        ModelError::Damaged("a split on an unknown feature")
    );
    assert_eq!(
        refused(&|bytes| bytes[tree + 3..tree + 7].fill(0xFF)),
        ModelError::Damaged("not a number")
    );
    assert_eq!(
        refused(&|bytes| bytes[tree - 4..tree].fill(0xFF)),
        ModelError::Damaged("too many trees")
    );
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..80), cut in 0..120_usize, at in 0..120_usize, value: u8) {
        let _ = Model::from_bytes(&bytes);
        bytes.splice(..0, *b"HULL\x01\0\0\0");
        let _ = Model::from_bytes(&bytes);
        let mut file = file(&[TREE]);
        let at = at.min(file.len() - 1);
        file[at] = value;
        let _ = Model::from_bytes(&file[..cut.min(file.len())]);
    }

    #[test]
    fn trees_give_what_their_definition_says(
        chars in prop::collection::vec(0_u8..10, 1..50), questions in prop::collection::vec((0_u16..2, 0_u8..10), 0..6),
    ) {
        let chars: Vec<f32> = chars.into_iter().map(f32::from).collect();
        let links: Vec<f32> = chars.iter().map(|chars| 9.0 - chars).collect();
        let asked: Vec<(u16, f32)> = questions.iter().map(|(feature, border)| (*feature, f32::from(*border))).collect();
        let leaves: Vec<i16> = (0..1 << asked.len()).collect();
        let model = Model::from_bytes(&file(&[(&asked, &leaves)])).unwrap();
        let columns = columns(&chars, &links);
        for (at, sum) in judged(&model, &columns).iter().enumerate() {
            let values = [chars[at], links[at]];
            let leaf: u32 = asked.iter().enumerate().map(|(level, (feature, border))| u32::from(values[usize::from(*feature)] > *border) << level).sum();
            prop_assert_eq!(sum.to_bits(), (leaf as f32 / 2.0 + 1.0).to_bits());
        }
    }
}
