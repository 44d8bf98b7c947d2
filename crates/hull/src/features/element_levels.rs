//! Features of the elements around a block, computed from the scores of the published extractors.

use super::values::share;
use crate::blocks::Segmentation;
use crate::columns::Columns;
use crate::scores::{PageMaxima, Scores};

/// Number of block elements around a block that have features.
const LEVELS: usize = 4;

/// For each level, the ancestor of each block of the columns. Level 0 is the block's own element;
/// the next levels are the elements around it. The root replaces missing elements.
pub(super) type ElementLevels = [Vec<u32>; LEVELS];

/// Finds the elements around the blocks in `chosen`.
pub(super) fn fill(levels: &mut ElementLevels, blocks: &Segmentation, chosen: &[u32]) {
    let Segmentation { blocks, containers, .. } = blocks;
    levels.iter_mut().for_each(Vec::clear);
    for block in chosen {
        let mut container = blocks[*block as usize].container;
        for level in &mut *levels {
            level.push(container);
            container = containers[container as usize].parent;
        }
    }
}

/// Makes the names of each feature on the four levels. [`add`] omits a feature on levels where it
/// is weak.
macro_rules! names {
    ($($name:literal)*) => { [$([concat!($name, "_0"), concat!($name, "_1"), concat!($name, "_2"), concat!($name, "_3")]),*] };
}

/// Adds the features of the elements around each block.
pub(super) fn add(
    blocks: &Segmentation,
    scores: &Scores,
    levels: &ElementLevels,
    out: &mut Columns,
) {
    let page = scores.page();
    let PageMaxima { p: max_p, points: max_points, density_sum: max_sum } = *scores.maxima();
    let [text, links, density, sum, p, points, block_counts, punctuation, paragraphs, long_blocks] = names!["text_share" "links_share" "density" "density_sum" "p" "points" "blocks"
            "punctuation" "paragraphs" "long"];
    let element = |at: &u32| scores.of_container(*at);
    let sums = |at: &u32| scores.sums(*at);
    for (level, elements) in levels.iter().enumerate() {
        out.add_of(text[level], elements, |at| share(sums(at).chars, page.chars));
        out.add_of(links[level], elements, |at| share(sums(at).linked_chars, sums(at).chars));
        out.add_of(density[level], elements, |at| element(at).density);
        out.add_of(p[level], elements, |at| element(at).p / max_p);
        // These are weak on the block's own element.
        if level > 0 {
            out.add_of(sum[level], elements, |at| element(at).density_sum / max_sum);
            out.add_of(points[level], elements, |at| element(at).points / max_points);
            out.add_of(block_counts[level], elements, |at| sums(at).blocks as f32);
            out.add_of(punctuation[level], elements, |at| {
                share(sums(at).punctuation, sums(at).words)
            });
            out.add_of(paragraphs[level], elements, |at| sums(at).paragraphs as f32);
            out.add_of(long_blocks[level], elements, |at| sums(at).long_blocks as f32);
        }
    }
    add_steps(blocks, scores, &levels[0], out);
    let cell = |at: &u32| element(&element(at).cell);
    out.add_of("cell_unlinked", &levels[0], |at| cell(at).cell_unlinked as f32);
    out.add_of("cell_links", &levels[0], |at| {
        share(cell(at).cell_linked, cell(at).cell_linked + cell(at).cell_unlinked)
    });
}

/// Adds, for each kind of best element, the steps from the block's element up to the innermost
/// element that holds both, and from there down to the best element.
fn add_steps(blocks: &Segmentation, scores: &Scores, elements: &[u32], out: &mut Columns) {
    const NAMES: [(&str, &str); 3] = [
        ("up_to_density", "down_to_density"),
        ("up_to_p", "down_to_p"),
        ("up_to_points", "down_to_points"),
    ];
    let depth = |at: &u32| blocks.containers[*at as usize].depth;
    for (best_element, (up, down)) in scores.best_elements().into_iter().zip(NAMES) {
        let common = |at: &u32| scores.of_container(*at).common_depth[best_element.kind];
        out.add_of(up, elements, |at| f32::from(depth(at) - common(at)));
        out.add_of(down, elements, |at| f32::from(best_element.depth - common(at)));
    }
}
