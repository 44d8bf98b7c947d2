//! The elements around a block, and what the papers' methods say of them.

use super::super::blocks::Container;
use super::super::columns::Columns;
use super::super::scores::{Best, Most, Score};
use super::{Features, share};

/// Elements around a block that are looked at, its own element first. The root counts again where there are fewer.
const LEVELS: usize = 4;

/// The features of one level, by name; a feature that says little of some levels is left out there.
macro_rules! names {
    ($($name:literal)*) => { [$([concat!($name, "_0"), concat!($name, "_1"), concat!($name, "_2"), concat!($name, "_3")]),*] };
}

impl Features {
    pub(super) fn add_around(&mut self, out: &mut Columns) {
        let window = self.window.clone();
        let Features { blocks, scores, elements, around, scores_around: of, .. } = self;
        let containers = &blocks.containers;
        let page = scores.page();
        let Most { p: most_p, points: most_points, density_sum: most_sum } = *scores.most();
        let [text, links, density, sum, p, points, texts, punctuation, paragraphs, long] = names!["text_share" "links_share" "density" "density_sum" "p" "points" "blocks"
                "punctuation" "paragraphs" "long"];
        let nearest = || blocks.blocks[window.clone()].iter().map(|block| block.container);
        around.clear();
        around.extend(nearest());
        for level in 0..LEVELS {
            of.clear();
            of.extend(around.iter().map(|at| *scores.of(*at)));
            out.add_of(text[level], &*of, |of| share(of.sums.chars, page.chars));
            out.add_of(links[level], &*of, |of| share(of.sums.linked, of.sums.chars));
            out.add_of(density[level], &*of, |of| of.density);
            out.add_of(p[level], &*of, |of| of.p / most_p);
            if level > 0 {
                out.add_of(sum[level], &*of, |of| of.density_sum / most_sum);
                out.add_of(points[level], &*of, |of| of.points / most_points);
                out.add_of(texts[level], &*of, |of| of.sums.blocks as f32);
                out.add_of(punctuation[level], &*of, |of| {
                    share(of.sums.punctuation, of.sums.words)
                });
                out.add_of(paragraphs[level], &*of, |of| of.sums.paragraphs as f32);
                out.add_of(long[level], &*of, |of| of.sums.long as f32);
            }
            for at in around.iter_mut() {
                *at = containers[*at as usize].parent;
            }
        }
        of.clear();
        of.extend(nearest().map(|at| *scores.of(at)));
        add_steps(scores.best(), elements, of, out);
        for of in of.iter_mut() {
            *of = *scores.of(of.cell);
        }
        out.add_of("cell_unlinked", &*of, |cell| cell.cell_unlinked as f32);
        out.add_of("cell_links", &*of, |cell| {
            share(cell.cell_linked, cell.cell_linked + cell.cell_unlinked)
        });
    }
}

/// How far each block is from the best elements, up to what holds both and down again.
fn add_steps(best: [Best; 3], elements: &[Container], of: &[Score], out: &mut Columns) {
    let names = [
        ("up_to_density", "down_to_density"),
        ("up_to_p", "down_to_p"),
        ("up_to_points", "down_to_points"),
    ];
    for (best, (up, down)) in best.into_iter().zip(names) {
        out.add_of(up, elements.iter().zip(of), |(element, of)| {
            f32::from(element.depth - of.common_depth[best.kind])
        });
        out.add_of(down, of, |of| f32::from(best.depth - of.common_depth[best.kind]));
    }
}
