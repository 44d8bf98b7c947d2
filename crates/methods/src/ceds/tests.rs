use super::inspect::{blocks_by, with_params};
use super::*;
use crate::settings::tests::{check_shipped, refusal};
use huller_page::PageBuf;
use huller_select::Profile;
use huller_select::Renderer;
use proptest::prelude::*;
use serde_json::json;

fn text(html: &str, extractor: &Ceds) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut selection = Selection::default();
    extractor.extract(&page, &mut Scratch::default(), &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    text
}

/// CEDS with the printed x, which counts leaves, and the variance of the class means.
fn counting_leaves() -> Ceds {
    with_params(&json!({}))
}

/// The settings of the paper with another way to find noise.
fn with_noise(noise: Noise) -> Ceds {
    Ceds { options: Options { noise, ..Options::PAPER }, ..PAPER }
}

/// Nodes from `at` up to the root, `at` included.
fn up<'a>(page: &'a Page<'_>, at: u32) -> impl Iterator<Item = u32> + 'a {
    let mut next = Some(at);
    std::iter::from_fn(move || {
        let at = next?;
        next = (at != 0).then(|| page.nodes()[at as usize].parent);
        Some(at)
    })
}

#[test]
fn images_are_leaves_and_linked_ones_count() {
    let html = "<div><a href=x><img></a><a href=y><img>more</a><p>Text.</p><p>Too.</p></div>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let blocks = blocks_by(&page, &counting_leaves());
    let [block] = blocks[..] else { panic!("one block, not {blocks:?}") };
    assert_eq!((block.leaves, block.unlinked), (5, 2));
    assert_eq!((block.image_links, block.text_links), (2, 1));
    // Levels: html 1, body 2, div 3. The real node of the first image is its link (4); the second
    // link's leaves are at 5.
    assert_eq!(block.typical_level, 4);
    assert!((block.importance - 2.0 / 12.0).abs() < 1e-12);
    // `Text.` and `Too.` have 9 scalars.
    assert!((blocks_by(&page, &PAPER)[0].importance - 9.0 / 12.0).abs() < 1e-12);
}

#[test]
fn the_content_block_stands_out_from_the_noise_blocks() {
    // As in figure 4 of the paper: a menu, an article, links to other articles and a footer. Not
    // drawn after it: the figure itself is not at hand.
    let line = "<p>The ferry is back, and it sails at nine every day of the week.</p>";
    let links = "<li><a href=/x>Where the new boats are built</a></li>".repeat(6);
    let html = format!(
        "<ul id=menu>{links}</ul><div id=story><h1>Ferries</h1>{}</div><ol id=more>{links}</ol>\
         <div id=foot><span>The Gazette</span><span>All rights reserved</span></div>",
        line.repeat(5)
    );
    let mut buffer = PageBuf::new();
    let page = buffer.fill(&html);
    let importances = |extractor: &Ceds| {
        blocks_by(&page, extractor).iter().map(|block| block.importance).collect::<Vec<_>>()
    };
    // Levels: the leaves of every block are on level 4; the story has 7 + 5 * 49 scalars, the
    // footer 10 + 17.
    assert_eq!(importances(&PAPER), [0.0, 252.0 / 4.0, 0.0, 27.0 / 4.0]);
    // Counting leaves, the footer comes within a third of the story.
    assert_eq!(importances(&counting_leaves()), [0.0, 6.0 / 4.0, 0.0, 2.0 / 4.0]);
    let story = format!(
        "Ferries{}",
        "\nThe ferry is back, and it sails at nine every day of the week.".repeat(5)
    );
    assert_eq!(text(&html, &PAPER), story);
}

#[test]
fn a_lone_run_among_others_is_a_block_of_its_own() {
    let html = "<table><tr><td>A long line of text that stands alone.<div><p><a href=1>x</a><p><a href=2>y</a></div>";
    assert_eq!(text(html, &PAPER), "A long line of text that stands alone.");
    assert_eq!(text(html, &TUNED), "A long line of text that stands alone.");
}

#[test]
fn noise_before_the_typical_leaves_goes_too() {
    let deep = "<div><div><div><div><div><b>bad</b><i>worse</i></div></div></div></div></div>";
    let html = format!(
        "<div id=main><h1>T</h1><div>Day</div><div id=art>{deep}<p>A.</p><p>B.</p><p>C.</p></div></div><ul><li><a>n</a><li><a>m</a></ul>"
    );
    assert_eq!(text(&html, &TUNED), "T\nDay\nA.\nB.\nC.");
    assert_eq!(text(&html, &with_noise(Noise::Stretch)), "T\nDay\nA.\nB.\nC.");
    // Taken literally, the rule removes only the leaf beside the jump.
    assert_eq!(text(&html, &PAPER), "T\nDay\nbad\nA.\nB.\nC.");
    assert_eq!(text(&html, &with_noise(Noise::Off)), "T\nDay\nbadworse\nA.\nB.\nC.");
}

#[test]
fn a_page_of_images_selects_nothing() {
    assert_eq!(text("<div><img><img></div>", &TUNED), "");
    assert_eq!(text("", &PAPER), "");
}

proptest! {
    #[test]
    fn common_levels_and_noise_equal_the_definition(parts in prop::collection::vec(prop::sample::select(vec![
        "<div>", "</div>", "<p>", "<a>", "</a>", "<img>", "<br>", "<b>", "</b>", "<i>", "<div><div><div><div><div>",
        "</div></div></div></div></div>", "text", "<span>x</span>", "<script>x</script>",
    ]), 0..60)) {
        let html = parts.concat();
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let mut scratch = Scratch::default();
        PAPER.find_blocks(&page, &mut scratch, &mut Vec::new());
        let leaves = &scratch.leaves.all;
        for pair in leaves.windows(2) {
            let left: Vec<u32> = up(&page, pair[0].parent).collect();
            let common = up(&page, pair[1].parent).find(|node| left.contains(node)).unwrap();
            prop_assert_eq!(pair[0].common_level(&page, &pair[1]), page.nodes()[common as usize].level);
        }
        for block in &scratch.blocks {
            let leaves = &leaves[block.range()];
            for noise in [Noise::Off, Noise::Leaf, Noise::Stretch] {
                let mut is_noise = vec![false; leaves.len()];
                mark_noise(&page, block, leaves, noise, &mut is_noise);
                prop_assert_eq!(is_noise, naive_noise(&page, block, leaves, noise));
            }
        }
    }
}

proptest! {
    #[test]
    fn blocks_of_leaves_equal_the_definition(parts in prop::collection::vec(prop::sample::select(vec![
        "<div>", "</div>", "<p>", "<a>", "</a>", "<img>", "<br>", "<b>", "</b>", "<i>", "<ul><li>", "</ul>",
        "text", "<span>x</span>", "<script>x</script>",
    ]), 0..60)) {
        let html = parts.concat();
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let nodes = page.nodes();
        let mut scratch = Scratch::default();
        PAPER.find_blocks(&page, &mut scratch, &mut Vec::new());
        let body = page.body();
        let leaves = &scratch.leaves.all;
        let holds = |at: u32, leaf: &Leaf| up(&page, leaf.parent).any(|above| above == at);
        let is_lone = |at: u32| {
            let children = nodes.iter().zip(0..).filter(|(node, child)| {
                node.parent == at && *child != at && node.tag != Tag::BR && node.tag != Tag::SCRIPT
            });
            children.count() + page.runs().iter().filter(|run| run.node == at).count() == 1
        };
        let parent_of_real = |leaf: &Leaf| {
            up(&page, leaf.parent).find(|at| *at == body || !is_lone(*at)).unwrap()
        };
        let marked: Vec<u32> = leaves.windows(2).map(|pair| (parent_of_real(&pair[0]), parent_of_real(&pair[1])))
            .filter_map(|(one, other)| (one == other && one != body).then_some(one)).collect();
        for leaf in leaves {
            prop_assert_eq!(leaf.level, nodes[parent_of_real(leaf) as usize].level + 1);
            if let Some(outermost) = marked.iter().filter(|at| holds(**at, leaf)).min() {
                prop_assert_eq!(leaf.block, BlockRoot::Node(*outermost));
            } else if let BlockRoot::Node(real) = leaf.block {
                prop_assert_eq!(nodes[real as usize].parent, parent_of_real(leaf));
            } else {
                prop_assert_eq!(leaf.parent, parent_of_real(leaf));
            }
        }
    }
}

/// Marks noise by its definition, pair by pair.
fn naive_noise(page: &Page<'_>, block: &FusedBlock, leaves: &[Leaf], noise: Noise) -> Vec<bool> {
    let mut is_noise = vec![false; leaves.len()];
    let BlockRoot::Node(root) = block.root else { return is_noise };
    if noise == Noise::Off {
        return is_noise;
    }
    let far = |leaf: &Leaf| noise == Noise::Stretch && leaf.level.abs_diff(block.typical_level) > 4;
    for at in 1..leaves.len() {
        let (left, right) = (leaves[at - 1], leaves[at]);
        if left.level.abs_diff(right.level) <= 4
            || left.common_level(page, &right) <= page.nodes()[root as usize].level
        {
            continue;
        }
        if right.level != block.typical_level {
            let more = leaves[at + 1..].iter().take_while(|leaf| far(leaf)).count();
            is_noise[at..=at + more].fill(true);
        }
        if left.level != block.typical_level {
            let more = leaves[..at - 1].iter().rev().take_while(|leaf| far(leaf)).count();
            is_noise[at - 1 - more..at].fill(true);
        }
    }
    is_noise
}

#[test]
fn of_nested_blocks_the_outermost_or_the_innermost_counts() {
    let html = "<div>One.<p>Two.</p>mid<div><p>Three.</p><p>Four.</p></div>after</div>";
    let outermost = counting_leaves();
    let innermost = with_params(&json!({"nesting": "innermost"}));
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let facts = |extractor: &Ceds| {
        let facts = |b: &FusedBlock| (b.leaves, b.typical_level, b.importance);
        blocks_by(&page, extractor).iter().map(facts).collect::<Vec<_>>()
    };
    // Levels: html 1, body 2, the outer div 3, its leaves 4, those of the inner div 5.
    assert_eq!(facts(&outermost), [(6, 4, 6.0 / 4.0)]);
    assert_eq!(facts(&innermost), [(4, 4, 4.0 / 4.0), (2, 5, 2.0 / 5.0)]);
    assert_eq!(text(html, &outermost), "One.\nTwo.\nmid\nThree.\nFour.\nafter");
    // The mean is .7. It divides 1 from .4.
    assert_eq!(text(html, &innermost), "One.\nTwo.\nmid\nafter");
    // Runs of two blocks are written in the order of the page.
    let both =
        "<div>One.<p>Two.</p><div><p>Three.</p><p>Four.</p></div>after</div><p><a href=/>Home</a>";
    let even = Ceds { options: Options { weight: Weight::Chars, ..innermost.options }, ..PAPER };
    assert_eq!(text(both, &even), "One.\nTwo.\nThree.\nFour.\nafter");
}

#[test]
fn settings_are_read_and_what_is_unknown_is_refused() {
    check_shipped(&ADJUSTABLE);
    let file = r#"{"format":"huller-ceds","version":1,"tuned":{"nesting":"middle"}}"#;
    assert!(
        refusal(EXTRACTOR, file)
            .contains("settings of ceds, profile tuned: unknown variant `middle`")
    );
    let file = r#"{"format":"huller-ceds","version":1,"paper":{"noise":"much"}}"#;
    assert!(refusal(EXTRACTOR, file).contains("profile paper: unknown variant `much`"));
    let file = r#"{"format":"huller-ceds","version":1,"tuned":{"nesting":"innermost"}}"#;
    let extractor = EXTRACTOR.with_model(file.as_bytes(), Profile::Tuned);
    assert_eq!(extractor.unwrap().unwrap().name(), "ceds");
}
