//! Where on the page a block stands.

use super::super::blocks::{Segmentation, is_long};
use super::super::columns::Columns;
use super::title::Title;
use super::{Features, from_stretch, heading_level, share};
use huller_page::Page;

/// A block's text is as good as the title from this share of it on.
const TITLE: f32 = 0.3;

/// Landmarks of a page.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// The block of the first `h1`.
    headline: Option<usize>,
    /// The block that agrees best with `<title>`.
    title: Option<usize>,
    first_long: usize,
    last_long: usize,
    /// Before each block: the block after the last heading, and that heading's level.
    heading: Vec<(u32, u8)>,
    title_share: Vec<f32>,
}

impl Positions {
    pub(super) fn fill(&mut self, page: &Page<'_>, blocks: &Segmentation) {
        let title = page.runs()[page.title()].first().map_or("", |run| page.run_source(run));
        let title = Title::new(title);
        (self.headline, self.title) = (None, None);
        (self.first_long, self.last_long) = (0, 0);
        self.heading.clear();
        self.title_share.clear();
        let mut heading = (0, 0);
        let mut best_share = TITLE;
        for (at, block) in blocks.blocks.iter().enumerate() {
            let level = heading_level(blocks.containers[block.container as usize].tag);
            self.heading.push(heading);
            if level > 0 {
                heading = (at as u32 + 1, level);
            }
            if level == 1 && self.headline.is_none() {
                self.headline = Some(at);
            }
            if is_long(block) {
                if self.last_long == 0 {
                    self.first_long = at;
                }
                self.last_long = at;
            }
            let first = &page.runs()[block.first_run as usize];
            let share = title.agreement(page.run_source(first), first.counts.chars);
            self.title_share.push(share);
            if share > best_share {
                best_share = share;
                self.title = Some(at);
            }
        }
    }

    /// Share of the page's title that the block's first run is.
    pub(super) fn title_share(&self, block: usize) -> f32 {
        self.title_share[block]
    }
}

impl Features {
    pub(super) fn add_position(&self, out: &mut Columns) {
        /// Where there is no landmark.
        const NOWHERE: f32 = -1000.0;
        let blocks = self.blocks.blocks.len();
        let Positions { headline, title, first_long, last_long, heading, .. } = &self.positions;
        let from = |landmark: Option<usize>, at: usize| {
            landmark.map_or(NOWHERE, |landmark| at as f32 - landmark as f32)
        };
        out.add("index", |at| at as f32);
        out.add("index_from_end", |at| (blocks - at) as f32);
        out.add("relative_index", |at| at as f32 / blocks as f32);
        out.add("text_before", |at| share(self.blocks.chars_before(at), self.blocks.chars()));
        out.add("from_headline", |at| from(*headline, at));
        out.add("from_title", |at| from(*title, at));
        out.add("from_first_long", |at| from(Some(*first_long), at));
        out.add("from_last_long", |at| from(Some(*last_long), at));
        out.add("from_heading", |at| at as f32 - heading[at].0 as f32);
        out.add("heading_before", |at| f32::from(heading[at].1));
        let best = self.scores.best_by_points();
        let best = self.blocks.containers.get(best as usize);
        let (first, end) = best.map_or((0, 0), |best| (best.first_block, best.end_block));
        out.add("from_points", |at| from_stretch(at, first, end));
        let (first, end) = self.scores.stretch();
        out.add("from_stretch", |at| from_stretch(at, first, end));
    }
}
