//! Features of a block's position on the page.

use super::title::Title;
use super::values::{from_stretch, heading_level, share};
use crate::blocks::{Segmentation, is_long};
use crate::columns::Columns;
use crate::scores::Scores;
use huller_page::entity::{self, Context};
use huller_page::{Page, Run, RunFlags};

/// A block can be the title only if its first run agrees with the title by more than this share.
const MIN_TITLE_AGREEMENT: f32 = 0.3;

/// Landmarks of a page, to which distances are measured.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// Index of the block of the first `h1`.
    headline: Option<usize>,
    /// Index of the block that agrees best with `<title>`.
    title: Option<usize>,
    /// Index of the first long block.
    first_long: usize,
    /// Index of the last long block.
    last_long: usize,
    /// For each block, the last heading before it: the index of the block after that heading, and
    /// its level. (0, 0) before the first heading.
    heading: Vec<(u32, u8)>,
    /// For each block, the share of the title that it covers, 0 to 1.
    title_share: Vec<f32>,
    /// The title and a block's first run, with their references decoded.
    decoded: [String; 2],
}

impl Positions {
    pub(super) fn fill(&mut self, page: &Page<'_>, blocks: &Segmentation) {
        let [decoded_title, decoded] = &mut self.decoded;
        let title = page.runs()[page.title()].first();
        let title = title.map_or("", |run| text_of(page, run, decoded_title));
        let title = Title::new(title);
        (self.headline, self.title) = (None, None);
        (self.first_long, self.last_long) = (0, 0);
        self.heading.clear();
        self.title_share.clear();
        let mut heading = (0, 0);
        let mut best_share = MIN_TITLE_AGREEMENT;
        for (block_index, block) in blocks.blocks.iter().enumerate() {
            let level = heading_level(blocks.containers[block.container as usize].tag);
            self.heading.push(heading);
            if level > 0 {
                heading = (block_index as u32 + 1, level);
            }
            if level == 1 && self.headline.is_none() {
                self.headline = Some(block_index);
            }
            if is_long(block) {
                if self.last_long == 0 {
                    self.first_long = block_index;
                }
                self.last_long = block_index;
            }
            let first_run = &page.runs()[block.first_run as usize];
            let share = if title.may_agree(first_run.counts.chars) {
                title.agreement(text_of(page, first_run, decoded))
            } else {
                0.0
            };
            self.title_share.push(share);
            if share > best_share {
                best_share = share;
                self.title = Some(block_index);
            }
        }
    }

    /// Returns the blocks that may be the headline, the likelier one first: that of the first `h1`,
    /// and the one that agrees best with `<title>`. An `h1` that is a link and does not agree with
    /// `<title>` is mostly the name of the site.
    pub(super) fn headlines(&self, blocks: &Segmentation) -> [Option<usize>; 2] {
        let is_site =
            |block| blocks.is_mostly_links(block) && self.title_share[block] <= MIN_TITLE_AGREEMENT;
        if self.headline.is_some_and(is_site) {
            [self.title, self.headline]
        } else {
            [self.headline, self.title]
        }
    }

    /// Returns the share of the page's title that the block's first run covers, 0 to 1.
    pub(super) fn title_share(&self, block: usize) -> f32 {
        self.title_share[block]
    }
}

/// Returns the text of a run, decoded into `scratch` if it has references.
fn text_of<'t>(page: &Page<'t>, run: &Run, scratch: &'t mut String) -> &'t str {
    /// Number of bytes of the buffer that are kept from page to page.
    const MAX_KEPT_BYTES: usize = 1 << 12;
    if !run.flags.contains(RunFlags::REFERENCES) {
        return page.run_source(run);
    }
    scratch.clear();
    scratch.shrink_to(MAX_KEPT_BYTES);
    entity::decode(page.run_source(run), Context::Text, scratch);
    scratch
}

impl Positions {
    /// Adds the features of positions.
    pub(super) fn add(&self, blocks: &Segmentation, scores: &Scores, out: &mut Columns) {
        /// Value of a distance if the page has no such landmark.
        const NOWHERE: f32 = -1000.0;
        let count = blocks.blocks.len();
        let Positions { headline, title, first_long, last_long, heading, .. } = self;
        let from = |landmark: Option<usize>, at: usize| {
            landmark.map_or(NOWHERE, |landmark| at as f32 - landmark as f32)
        };
        out.add("index", |at| at as f32);
        out.add("index_from_end", |at| (count - at) as f32);
        out.add("relative_index", |at| at as f32 / count as f32);
        out.add("text_before", |at| share(blocks.chars_before(at), blocks.chars()));
        out.add("from_headline", |at| from(*headline, at));
        out.add("from_title", |at| from(*title, at));
        out.add("from_first_long", |at| from(Some(*first_long), at));
        out.add("from_last_long", |at| from(Some(*last_long), at));
        out.add("from_heading", |at| at as f32 - heading[at].0 as f32);
        out.add("heading_before", |at| f32::from(heading[at].1));
        let best = scores.best_by_points();
        let best = blocks.containers.get(best as usize);
        let (first, end) = best.map_or((0, 0), |best| (best.first_block, best.end_block));
        out.add("from_points", |at| from_stretch(at, first, end));
        let (first, end) = scores.stretch();
        out.add("from_stretch", |at| from_stretch(at, first, end));
    }
}
