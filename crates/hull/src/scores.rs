//! Sums over every block element, and the papers' figures computed from them.
//!
//! A sum is the difference of two prefix sums over the blocks. Blocks in regions that rarely hold
//! content (navigation and the like) are left out. The crate `methods` provides the scores of MSS
//! (`WORD`, `TAG`), the points of Readability and the formula of the P value. The text density is
//! computed here by equation (1) of paper 001 (`docs/papers.md`). Unlike those extractors, this
//! file scores only block elements.

use super::blocks::{Container, Segmentation, is_long};
use super::regions::Regions;
use huller_methods::mss::{TAG, WORD};
use huller_methods::pvalue::Lengths;
use huller_methods::readability::{MIN_PARAGRAPH_CHARS, SHARES, points};
use huller_page::{Page, Tag};

/// Sums over the blocks inside an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Number of scalars.
    pub(super) chars: u32,
    /// Number of scalars in links.
    pub(super) linked_chars: u32,
    /// Number of punctuation scalars.
    pub(super) punctuation: u32,
    /// Number of words.
    pub(super) words: u32,
    /// Number of links.
    pub(super) links: u32,
    /// Number of long blocks with few links.
    pub(super) long_blocks: u32,
    pub(super) paragraphs: u32,
    pub(super) blocks: u32,
}

impl Sums {
    fn minus(self, earlier: Sums) -> Sums {
        Sums {
            chars: self.chars - earlier.chars,
            linked_chars: self.linked_chars - earlier.linked_chars,
            punctuation: self.punctuation - earlier.punctuation,
            words: self.words - earlier.words,
            links: self.links - earlier.links,
            long_blocks: self.long_blocks - earlier.long_blocks,
            paragraphs: self.paragraphs - earlier.paragraphs,
            blocks: self.blocks - earlier.blocks,
        }
    }
}

/// The sums and figures of one element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    pub(super) sums: Sums,
    /// Text density: characters outside links, per tag other than `a` (paper 001, equation 1).
    pub(super) density: f32,
    /// The sum of the densities of the child block elements; without such children, its own
    /// density.
    pub(super) density_sum: f32,
    /// The P value (paper 003).
    pub(super) p: f32,
    /// Points from the blocks inside it, by the formula that Readability uses for paragraphs.
    pub(super) points: f32,
    /// Index of the nearest `table`, `tr`, `td` or `div` (the blocks of paper 000).
    pub(super) cell: u32,
    /// Unlinked scalars of the blocks whose cell this element is; then the linked ones.
    pub(super) cell_unlinked: u32,
    pub(super) cell_linked: u32,
    /// For each kind of best element, the depth of the innermost element around both this one and
    /// the best one.
    pub(super) common_depth: [u16; 3],
}

/// The best element by one figure.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BestElement {
    /// The figure: 0 for the density sum, 1 for the P value, 2 for points.
    pub(super) kind: usize,
    /// Index of the element.
    pub(super) container: u32,
    /// Depth of the element.
    pub(super) depth: u16,
}

/// The largest values on the page, always above 0, so that they can be divisors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageMaxima {
    /// Largest P value.
    pub(super) p: f32,
    /// Most points of an element.
    pub(super) points: f32,
    /// Largest density sum.
    pub(super) density_sum: f32,
}

/// The `kind` of the best element by points.
const POINTS: usize = 2;

/// Scores of one page. Created once and refilled.
#[derive(Debug, Default)]
pub(super) struct Scores {
    before: Vec<Sums>,
    markup_before: Vec<u32>,
    of: Vec<Score>,
    best: [BestElement; 3],
    maxima: PageMaxima,
    page: Sums,
    /// Index of the first block of the stretch, and index after its last.
    stretch: (u32, u32),
}

impl Scores {
    pub(super) fn fill(&mut self, page: &Page<'_>, blocks: &Segmentation) {
        self.add_up(page, blocks);
        self.score(page, blocks);
        self.give_points(blocks);
        self.find_best();
        self.find_common_depths(&blocks.containers);
        self.stretch = stretch(blocks);
    }

    pub(super) fn maxima(&self) -> &PageMaxima {
        &self.maxima
    }

    pub(super) fn scores(&self) -> &[Score] {
        &self.of
    }

    pub(super) fn of_container(&self, container: u32) -> &Score {
        &self.of[container as usize]
    }

    pub(super) fn sums(&self, container: u32) -> &Sums {
        &self.of[container as usize].sums
    }

    /// Returns the sums over the page.
    pub(super) fn page(&self) -> Sums {
        self.page
    }

    /// Returns the elements with the largest density sum, P value and points.
    pub(super) fn best_elements(&self) -> [BestElement; 3] {
        self.best
    }

    pub(super) fn best_by_points(&self) -> u32 {
        self.best[POINTS].container
    }

    /// Returns the stretch of blocks in which words outweigh tags most: index of the first block,
    /// and index after the last.
    pub(super) fn stretch(&self) -> (u32, u32) {
        self.stretch
    }

    fn add_up(&mut self, page: &Page<'_>, blocks: &Segmentation) {
        self.before.clear();
        let mut sum = Sums::default();
        for block in &blocks.blocks {
            self.before.push(sum);
            let container = &blocks.containers[block.container as usize];
            if container.regions.intersects(Regions::ASIDE_OF_CONTENT) {
                continue;
            }
            sum.chars += block.chars;
            sum.linked_chars += block.linked_chars;
            sum.punctuation += block.punctuation;
            sum.words += block.words;
            sum.links += u32::from(block.links);
            sum.long_blocks += u32::from(is_long(block));
            sum.paragraphs += u32::from(container.tag == Tag::P);
            sum.blocks += 1;
        }
        self.before.push(sum);
        self.page = sum;
        self.markup_before.clear();
        let mut markup = 0;
        self.markup_before.extend(page.nodes().iter().map(|node| {
            let markup_before = markup;
            markup += node.markup_chars;
            markup_before
        }));
        self.markup_before.push(markup);
    }

    fn score(&mut self, page: &Page<'_>, blocks: &Segmentation) {
        self.of.clear();
        let page_unlinked = self.page.chars - self.page.linked_chars;
        for (container_index, container) in blocks.containers.iter().enumerate() {
            let Container { node, parent, tag, first_block, end_block, .. } = *container;
            let sums = self.before[end_block as usize].minus(self.before[first_block as usize]);
            let node_end = page.nodes()[node as usize].end;
            let tags = node_end - node - 1;
            let markup = self.markup_before[node_end as usize] - self.markup_before[node as usize];
            let unlinked = sums.chars - sums.linked_chars;
            let is_cell =
                matches!(tag, Tag::TABLE | Tag::TR | Tag::TD | Tag::DIV) || container_index == 0;
            let cell = if is_cell { container_index as u32 } else { self.of[parent as usize].cell };
            let density = unlinked as f32 / tags.saturating_sub(sums.links).max(1) as f32;
            let lengths = Lengths { node, text: sums.chars, unlinked, total: sums.chars + markup };
            self.of.push(Score {
                sums,
                density,
                p: lengths.p(page_unlinked) as f32,
                cell,
                ..Score::default()
            });
            if container_index > 0 {
                let parent = &mut self.of[parent as usize];
                parent.density_sum += density;
            }
        }
    }

    /// Gives points for each block of at least 25 scalars to the five elements above its container,
    /// and adds its text to its cell.
    fn give_points(&mut self, blocks: &Segmentation) {
        for block in &blocks.blocks {
            let container = &blocks.containers[block.container as usize];
            let cell = self.of[block.container as usize].cell as usize;
            self.of[cell].cell_unlinked += block.chars - block.linked_chars;
            self.of[cell].cell_linked += block.linked_chars;
            if container.regions.intersects(Regions::ASIDE_OF_CONTENT)
                || block.chars < MIN_PARAGRAPH_CHARS
            {
                continue;
            }
            let points = points(block.chars, block.facts.commas) as f32;
            let mut ancestor = container.parent as usize;
            for share in SHARES {
                self.of[ancestor].points += points * share as f32;
                if ancestor == 0 {
                    break;
                }
                ancestor = blocks.containers[ancestor].parent as usize;
            }
        }
        for score in &mut self.of {
            if score.density_sum == 0.0 {
                score.density_sum = score.density;
            }
            score.points *= 1.0 - score.sums.linked_chars as f32 / score.sums.chars.max(1) as f32;
        }
    }

    /// Finds the best elements; among equal ones the first.
    fn find_best(&mut self) {
        let mut best_containers = [0; 3];
        let mut max_values = [0.0; 3];
        for (container_index, score) in self.of.iter().enumerate() {
            for (kind, value) in [score.density_sum, score.p, score.points].into_iter().enumerate()
            {
                if value > max_values[kind] {
                    (best_containers[kind], max_values[kind]) = (container_index as u32, value);
                }
            }
        }
        let [density_sum, p, points] = max_values.map(|value| value.max(f32::MIN_POSITIVE));
        self.maxima = PageMaxima { p, points, density_sum };
        self.best =
            [0, 1, 2].map(|kind| BestElement { kind, container: best_containers[kind], depth: 0 });
    }

    /// Finds, for each element and each kind, the depth of the innermost element around both it and
    /// the best element.
    fn find_common_depths(&mut self, containers: &[Container]) {
        let Some(root) = containers.first() else { return };
        let best = self.best.map(|best| &containers[best.container as usize]);
        for (of, best) in self.best.iter_mut().zip(best) {
            of.depth = best.depth;
        }
        self.of[0].common_depth = [root.depth; 3];
        for (at, container) in containers.iter().enumerate().skip(1) {
            let above = self.of[container.parent as usize].common_depth;
            let holds =
                |best: &Container| container.node <= best.node && best.node < container.node_end;
            self.of[at].common_depth =
                [0, 1, 2].map(|kind| if holds(best[kind]) { container.depth } else { above[kind] });
        }
    }
}

/// Finds the stretch of blocks in which words outweigh tags most (maximum subsequence segmentation,
/// with blocks instead of tokens).
fn stretch(blocks: &Segmentation) -> (u32, u32) {
    let (mut best_sum, mut range) = (0, (0, 0));
    let (mut sum, mut first) = (0, 0);
    for (block_index, block) in blocks.blocks.iter().enumerate() {
        let container = &blocks.containers[block.container as usize];
        if container.regions.intersects(Regions::ASIDE_OF_CONTENT) {
            continue;
        }
        sum += TAG * i64::from(block.markup);
        if sum < 0 {
            (sum, first) = (0, block_index as u32);
        }
        sum += WORD * i64::from(block.words);
        if sum > best_sum {
            (best_sum, range) = (sum, (first, block_index as u32 + 1));
        }
    }
    range
}
