//! The extractor: finds the type of the page, judges the blocks, and decides about comments.

use crate::accordions::questions;
use crate::columns::Columns;
use crate::comments::Comments;
use crate::consent::leave_out_notices;
use crate::contributions::derive;
use crate::features::Features;
use crate::footnotes::Notes;
use crate::headline::headline_of;
use crate::judge::{ContentForest, Judge};
use crate::low_confidence_fallback::raise;
use crate::model::{Model, ModelError};
use crate::page_types::PageTypes;
use crate::script::follow_script;
use crate::simple_extractors::SimpleExtractors;
use crate::whole_containers::{close_gaps, complete_containers, fill_holes, take_lead_ins};
use huller_page::Page;
use huller_select::{
    Algorithm, Citation, Derivations, Extractor, ExtractorCard, ExtractorFactory, ModelExtractor,
    PageSegmentation, PageType, Profile, RunFigures, RunRange, Selection, UserModelResult, Verdict,
    Worker,
};
use std::sync::{Arc, LazyLock};

/// hull with the shipped model.
pub static EXTRACTOR: &dyn ExtractorFactory = &Shipped(ExtractorCard {
    name: "hull",
    summary: "classifies blocks with a trained model over the features of the papers; keeps \
        comments only on pages that are threads",
    score: "expected F1 of the text, 0 to 1",
    citation: Citation { paper: None, subject: "a model over the features of all five papers" },
    source: "this project, over [all five papers](papers.md#the-five-papers)",
    selects: "runs",
    cost: "O(n + m log m)",
    tuned: "the same",
    failures: "comments without a recognisable class name; grids of teasers; pages whose content \
        is hidden",
});

/// The shipped model. It is read when the first worker is created.
static SHIPPED: LazyLock<Arc<Hull>> = LazyLock::new(|| {
    let hull = Hull::from_bytes(MODEL);
    Arc::new(hull.expect("a test reads the model that ships"))
});

/// The file of the shipped model.
static MODEL: &[u8] = include_bytes!("../model/hull.bin");

struct Shipped(ExtractorCard);

impl ExtractorFactory for Shipped {
    fn card(&self) -> &ExtractorCard {
        &self.0
    }

    fn worker(&self, _: Profile) -> Box<dyn Extractor> {
        Box::new(Worker::new(Arc::clone(&SHIPPED)))
    }

    fn model(&self) -> Option<&'static [u8]> {
        Some(MODEL)
    }

    fn with_model(&self, model: &[u8], _: Profile) -> Option<UserModelResult> {
        let hull = Hull::from_bytes(model).map_err(Into::into);
        Some(
            hull.map(|hull| {
                Arc::new(ModelExtractor { card: self.0, algorithm: Arc::new(hull) }) as _
            }),
        )
    }
}

/// Expected F1 below which the page is judged a second time with comments as possible content.
const SECOND_JUDGEMENT_BELOW_F1: f32 = 0.5;

/// A page with far more comments than chosen text may be judged as a forum. Its likeliest type must
/// be ahead of the forum type by less than this, in log-odds. Such a page is often a thread of
/// which only the first post would be selected.
const MAX_FORUM_MARGIN: f32 = 4.0;

/// The forests of hull, from one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// The forest for articles, lists and products.
    article: ContentForest,
    /// The forest for forums, trained on forums alone: class names that mark comments on other
    /// pages mark posts there.
    forum: ContentForest,
    /// The forest for services, collections and documentation.
    other: ContentForest,
    types: PageTypes,
}

impl Hull {
    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// The bytes are not a model that this version can read. Also the errors of [`Hull::new`].
    pub fn from_bytes(model: &[u8]) -> Result<Hull, ModelError> {
        Hull::new(&Model::from_bytes(model)?)
    }

    /// Returns hull with this model in place of the shipped model.
    ///
    /// # Errors
    ///
    /// [`ModelError::MissingForest`] if the model lacks one of the forests; [`ModelError::Damaged`]
    /// if a forest asks about more than 255 borders (thresholds) of one feature of blocks.
    pub fn new(model: &Model) -> Result<Hull, ModelError> {
        Ok(Hull {
            article: ContentForest::new(model, "content:article", -2.0)?,
            forum: ContentForest::new(model, "content:forum", -2.0)?,
            // A higher limit than above: if the glance and the whole forest disagree on these
            // pages, the glance is right more often.
            other: ContentForest::new(model, "content:other", -1.0)?,
            types: PageTypes::new(model)?,
        })
    }
}

/// Buffers that a worker reuses from page to page.
#[derive(Debug, Default)]
pub struct Scratch {
    features: Features,
    columns: Columns,
    /// Scratch buffer for finding the type of the page.
    leaves: Vec<u8>,
    /// The judgement from which the page's text comes.
    judge: Judge,
    /// A second judgement, with comments.
    second: Judge,
    simple: SimpleExtractors,
    notes: Notes,
    comments: Comments,
}

impl Algorithm for Hull {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let Scratch { features, columns, leaves, judge, second, simple, notes, comments } = scratch;
        features.fill(page);
        let page_types = self.types.scores(features, columns, leaves);
        let page_type = page_types.likeliest();
        let content = match page_type {
            // The forest for other pages was trained on few lists and products, and is worse on
            // them.
            PageType::Article | PageType::Listing | PageType::Product => &self.article,
            PageType::Forum => &self.forum,
            PageType::Collection | PageType::Documentation | PageType::Service => &self.other,
        };
        let mut is_thread = page_type == PageType::Forum;
        let mut score = judge.judge(content, features, columns, is_thread);
        if score < SECOND_JUDGEMENT_BELOW_F1 {
            let with_comments = second.judge(&self.other, features, columns, true);
            if with_comments > score {
                (score, is_thread) = (with_comments, true);
                std::mem::swap(judge, second);
            }
        }
        let may_be_forum =
            !is_thread && page_types.log_odds_margin(PageType::Forum) < MAX_FORUM_MARGIN;
        if may_be_forum && judge.has_more_comments(features.blocks()) {
            score = judge.judge(&self.forum, features, columns, true);
            is_thread = true;
        }
        let blocks = features.blocks();
        if !is_thread {
            let taken = &mut judge.selector.taken;
            score = raise(simple, page, blocks, score, taken);
            if page_type == PageType::Article {
                follow_script(simple, page, blocks, features.headlines(), taken);
            }
        }
        complete_containers(page, blocks, &mut judge.selector.taken);
        close_gaps(blocks, &mut judge.selector.taken);
        fill_holes(blocks, &mut judge.selector.taken);
        take_lead_ins(blocks, &mut judge.selector.taken);
        leave_out_notices(page, blocks, &mut judge.selector.taken);
        notes.take(page, blocks, &mut judge.selector.taken);
        let taken = &judge.selector.taken;
        let ranges = |block: usize| blocks.runs(block).map(|run| RunRange::whole_run(page, run));
        let chosen = (0..taken.len()).filter(|block| taken[*block]);
        out.ranges.extend(chosen.flat_map(ranges));
        let of_blocks = out.ranges.len();
        let whole = |run| RunRange::whole_run(page, run);
        out.ranges.extend(questions(page, blocks, taken).flatten().map(whole));
        if out.ranges.len() > of_blocks {
            out.ranges.sort_unstable_by_key(|range| (range.run, range.start));
        }
        if let Some(headline) = headline_of(blocks, features.headlines(), taken) {
            out.headline.extend(ranges(headline));
        }
        if !is_thread {
            let apart = comments.find_comments(page, blocks, taken);
            out.comments.extend(apart.iter().flat_map(|block| ranges(*block as usize)));
        }
        out.finish_ranges(page);
        Verdict {
            score: Some(f64::from(score)),
            has_article: Some(!matches!(page_type, PageType::Listing | PageType::Collection)),
            page_type: Some(page_type),
        }
    }

    /// Gives each run the probability that its block is content.
    fn figures(&self, _: &Page<'_>, scratch: &Scratch, out: &mut RunFigures) {
        let blocks = scratch.features.blocks();
        for (block, log_odds) in scratch.judge.log_odds().iter().enumerate() {
            let probability = 1.0 / (1.0 + libm::exp(-f64::from(*log_odds)));
            blocks.runs(block).for_each(|run| out.set_score(run..run + 1, probability));
        }
    }

    fn segmentation<'m>(&self, scratch: &'m Scratch) -> Option<&'m dyn PageSegmentation> {
        Some(scratch.features.blocks())
    }

    /// Lists the contributions of the features to a block's log-odds.
    fn derive(&self, page: &Page<'_>, scratch: &mut Scratch, runs: &[u32]) -> Derivations {
        let Scratch { features, columns, judge, .. } = scratch;
        let contents = [&self.article, &self.forum, &self.other];
        let Some(content) =
            contents.into_iter().find(|content| content.name == judge.forest_name())
        else {
            return Derivations::default();
        };
        derive(page, content, judge, (features, columns), runs)
    }
}

#[cfg(test)]
mod tests;
