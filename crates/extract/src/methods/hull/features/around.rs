//! The elements around a block, and what the papers' methods say of them.

use super::super::columns::Columns;
use super::super::scores::Most;
use super::{Features, share};

/// Elements around a block that are looked at, its own element first. The root counts again where there are fewer.
const LEVELS: usize = 4;

/// The features of one level, by name; a feature that says little of some levels is left out there.
macro_rules! names {
    ($($name:literal)*) => { [$([concat!($name, "_0"), concat!($name, "_1"), concat!($name, "_2"), concat!($name, "_3")]),*] };
}

impl Features {
    pub(super) fn add_around(&mut self, out: &mut Columns) {
        let (scores, containers) = (&self.scores, &self.blocks.containers);
        let page = scores.page();
        let Most { p: most_p, points: most_points, density_sum: most_sum } = *scores.most();
        let [text, links, density, sum, p, points, blocks, punctuation, paragraphs, long] = names!["text_share" "links_share" "density" "density_sum" "p" "points" "blocks"
                "punctuation" "paragraphs" "long"];
        let window = self.window();
        let first = window.start;
        self.around.clear();
        self.around.extend(self.blocks.blocks[window].iter().map(|block| block.container));
        for level in 0..LEVELS {
            let of = |at: usize| scores.of(self.around[at - first]);
            let sums = |at: usize| &of(at).sums;
            out.add(text[level], |at| share(sums(at).chars, page.chars));
            out.add(links[level], |at| share(sums(at).linked, sums(at).chars));
            out.add(density[level], |at| of(at).density);
            out.add(p[level], |at| of(at).p / most_p);
            if level > 0 {
                out.add(sum[level], |at| of(at).density_sum / most_sum);
                out.add(points[level], |at| of(at).points / most_points);
                out.add(blocks[level], |at| sums(at).blocks as f32);
                out.add(punctuation[level], |at| share(sums(at).punctuation, sums(at).words));
                out.add(paragraphs[level], |at| sums(at).paragraphs as f32);
                out.add(long[level], |at| sums(at).long as f32);
            }
            self.around.iter_mut().for_each(|at| *at = containers[*at as usize].parent);
        }
        self.add_steps(out);
        let nearest = |at: usize| scores.of(scores.of(self.block(at).container).cell);
        out.add("cell_unlinked", |at| nearest(at).cell_unlinked as f32);
        out.add("cell_links", |at| {
            let cell = nearest(at);
            share(cell.cell_linked, cell.cell_linked + cell.cell_unlinked)
        });
    }

    /// How far each block is from the best elements, up to what holds both and down again.
    fn add_steps(&self, out: &mut Columns) {
        let containers = &self.blocks.containers;
        let best = self.scores.best();
        let names = [
            ("up_to_density", "down_to_density"),
            ("up_to_p", "down_to_p"),
            ("up_to_points", "down_to_points"),
        ];
        for (best, (up, down)) in best.into_iter().zip(names) {
            out.add(up, |at| {
                let container = self.block(at).container;
                f32::from(
                    containers[container as usize].depth
                        - self.scores.common_depth(best.kind, container),
                )
            });
            out.add(down, |at| {
                let container = self.block(at).container;
                f32::from(best.depth - self.scores.common_depth(best.kind, container))
            });
        }
    }
}
