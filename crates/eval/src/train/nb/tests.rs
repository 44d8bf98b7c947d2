use super::*;

fn holds(gold: &str, block: &str) -> bool {
    Reference::new(&normalise(gold)).is_theme(&normalise(block))
}

#[test]
fn half_of_the_shingles_make_a_block_theme() {
    let gold = "The river rose by two metres.";
    assert!(holds(gold, "the RIVER   rose, by two metres"));
    // Two of four shingles are in the gold; then two of five.
    assert!(holds(gold, "The river rose by night, slowly"));
    assert!(!holds(gold, "The river rose by night, slowly yet"));
    assert!(!holds(gold, "Two metres rose the river"));
}

#[test]
fn the_tokens_of_a_short_block_must_follow_one_another_in_the_gold() {
    let gold = "The river rose by two metres.";
    assert!(holds(gold, "Two metres"));
    assert!(holds(gold, "River"));
    assert!(!holds(gold, "river by"));
    assert!(!holds(gold, "riv"), "words are not cut");
    assert!(!holds(gold, "..."), "there is nothing to look for");
    assert!(!holds("", "river"));
}

#[test]
fn chinese_shingles_have_five_characters() {
    let gold = "河水上涨了两米，桥梁关闭。";
    assert!(holds(gold, "河水上涨了两米"));
    assert!(holds(gold, "上涨了"), "shorter than a shingle");
    assert!(!holds(gold, "河水上涨又河水上涨"), "four in a row are no shingle");
}

#[test]
fn a_page_gives_the_counts_of_its_blocks() {
    let html = "<div><a href=/>Home</a></div><div><p>The river rose by two metres.</div><table><tr><td>Two metres</table>";
    let mut buffer = PageBuf::new();
    let model = learn(&buffer.fill(html), "The river rose by two metres.", BlockKind::default());
    assert_eq!(model.pages, 1);
    let counts = |definition| {
        let counts = model.counts(definition);
        (counts.theme.blocks, counts.noise.blocks)
    };
    assert_eq!(counts(Definition::Tuned), (2, 1));
    // Sibling blocks merge: the two divs are one block, and most of its shingles are in the gold.
    assert_eq!(counts(Definition::Paper), (2, 0));
    assert_eq!(counts(Definition::TableTuned), (2, 0));
}

#[test]
fn a_domain_is_in_one_fold_and_folds_have_similar_sizes() {
    let page = |at: usize| Gold {
        id: format!("{at}"),
        domain: (at > 0).then(|| format!("site{}.org", at % 7)),
        ..Gold::default()
    };
    let gold: Vec<_> = (0..29).map(page).collect();
    let fold_of = folds(&gold, 3);
    for (a, b) in (1..29).flat_map(|a| (1..a).map(move |b| (a, b))) {
        assert!(gold[a].domain != gold[b].domain || fold_of[a] == fold_of[b], "{a} and {b}");
    }
    let size = |fold: usize| fold_of.iter().filter(|of| **of == fold).count();
    assert!((0..3).all(|fold| (8..=12).contains(&size(fold))), "{fold_of:?}");
    assert_eq!(folds(&gold, 3), fold_of);
}
