//! The elements around a block, and what the papers' methods say of them.

use super::super::columns::Columns;
use super::super::scores::Most;
use super::{Features, share};

/// The features of one level, by name; a feature that says little of some levels is left out there.
macro_rules! names {
    ($($name:literal)*) => { [$([concat!($name, "_0"), concat!($name, "_1"), concat!($name, "_2"), concat!($name, "_3")]),*] };
}

impl Features {
    pub(super) fn add_around(&self, out: &mut Columns) {
        let Features { scores, around, .. } = self;
        let page = scores.page();
        let Most { p: most_p, points: most_points, density_sum: most_sum } = *scores.most();
        let [text, links, density, sum, p, points, texts, punctuation, paragraphs, long] = names!["text_share" "links_share" "density" "density_sum" "p" "points" "blocks"
                "punctuation" "paragraphs" "long"];
        let of = |at: &u32| scores.of(*at);
        let sums = |at: &u32| scores.sums(*at);
        for (level, around) in around.iter().enumerate() {
            out.add_of(text[level], around, |at| share(sums(at).chars, page.chars));
            out.add_of(links[level], around, |at| share(sums(at).linked, sums(at).chars));
            out.add_of(density[level], around, |at| of(at).density);
            out.add_of(p[level], around, |at| of(at).p / most_p);
            if level > 0 {
                out.add_of(sum[level], around, |at| of(at).density_sum / most_sum);
                out.add_of(points[level], around, |at| of(at).points / most_points);
                out.add_of(texts[level], around, |at| sums(at).blocks as f32);
                out.add_of(punctuation[level], around, |at| {
                    share(sums(at).punctuation, sums(at).words)
                });
                out.add_of(paragraphs[level], around, |at| sums(at).paragraphs as f32);
                out.add_of(long[level], around, |at| sums(at).long as f32);
            }
        }
        self.add_steps(out);
        let cell = |at: &u32| of(&of(at).cell);
        out.add_of("cell_unlinked", &around[0], |at| cell(at).cell_unlinked as f32);
        out.add_of("cell_links", &around[0], |at| {
            share(cell(at).cell_linked, cell(at).cell_linked + cell(at).cell_unlinked)
        });
    }

    /// How far each block is from the best elements, up to what holds both and down again.
    fn add_steps(&self, out: &mut Columns) {
        const NAMES: [(&str, &str); 3] = [
            ("up_to_density", "down_to_density"),
            ("up_to_p", "down_to_p"),
            ("up_to_points", "down_to_points"),
        ];
        let elements = &self.around[0];
        let depth = |at: &u32| self.blocks.containers[*at as usize].depth;
        for (best, (up, down)) in self.scores.best().into_iter().zip(NAMES) {
            let common = |at: &u32| self.scores.of(*at).common_depth[best.kind];
            out.add_of(up, elements, |at| f32::from(depth(at) - common(at)));
            out.add_of(down, elements, |at| f32::from(best.depth - common(at)));
        }
    }
}
