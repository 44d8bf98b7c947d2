//! The blocks of a page with each extractor's judgement of them, for inspection and for training.

use huller_hull::{PageBlock, PageBlocks};
use huller_methods::dvps::{Thesaurus, mentions_rights};
use huller_page::Page;
use huller_select::{
    Derivations, Extractor, PageArea, Renderer, Role, RunFigures, RunPlace, Selection, Term,
};
use std::ops::Range;

/// Lists the blocks of one page after another. Owns and reuses its buffers; keep one for each
/// thread.
///
/// ```
/// use huller_extract::{Blocks, PageFacts, Profile, Renderer, Role, Selection, find};
/// use huller_page::PageBuf;
///
/// let mut buffer = PageBuf::new();
/// let page = buffer.fill("<nav><a href=/>Home</a></nav><div><p>Rain fell all day.</p><p>Roads shut.</p></div>");
/// let mut worker = find("pvalue").unwrap().worker(Profile::Paper);
/// let (mut selection, mut text) = (Selection::default(), String::new());
/// let mut renderer = Renderer::default();
/// renderer.note_places();
/// worker.extract(&page, &mut selection);
/// renderer.text(&page, &selection, &mut text);
///
/// let mut blocks = Blocks::default();
/// blocks.begin(&page, renderer.places(), 0);
/// blocks.add(&page, &*worker, &selection);
/// blocks.finish(&page, &mut renderer);
/// let facts = PageFacts { text: &text, ..PageFacts::default() };
/// let roads = blocks.list(&page, facts).last().unwrap();
/// assert_eq!((roads.text, roads.role, roads.place), ("Roads shut.", Role::Content, Some(19..30)));
/// ```
#[derive(Debug, Default)]
pub struct Blocks {
    segmentation: PageBlocks,
    /// The results of each extractor. Entries after `methods_in_use` are buffers of earlier pages.
    extractors: Vec<ExtractorResults>,
    /// Number of entries of `extractors` that belong to the present page.
    extractors_in_use: usize,
    /// The position of each text run in the text of the first extractor.
    places: Vec<RunPlace>,
    /// All text of the page.
    whole: String,
    whole_places: Vec<RunPlace>,
    thesaurus: Thesaurus,
}

/// The results of one extractor for one page.
#[derive(Debug, Default)]
struct ExtractorResults {
    /// For each run, whether the extractor selects it.
    is_kept: Vec<bool>,
    figures: RunFigures,
    /// The terms of each block's score, by the block's index among all blocks of the page. Empty
    /// unless [`Blocks::derive`] was called.
    derived: Derivations,
}

/// Facts about a page besides its blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageFacts<'a> {
    /// The text that the first extractor selects.
    pub text: &'a str,
    /// The headline; empty if unknown.
    pub title: &'a str,
    /// The author; empty if unknown.
    pub author: &'a str,
}

/// A block: a maximal piece of text that is not divided by a block element or by two line breaks in
/// a row.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The block as `hull` finds it, with its counts.
    pub page_block: PageBlock<'a>,
    /// Its purpose on the page.
    pub role: Role,
    /// Its text, rendered by the same rules as the text of a row.
    pub text: &'a str,
    /// Its range in the text of the first extractor, in Unicode scalars. `None` if it is missing
    /// there or occurs only as a copy.
    pub place: Option<Range<usize>>,
    /// Its rectangle on the page. `None` if no extractor of the run estimates one.
    pub area: Option<PageArea>,
    /// Its index among all blocks of the page.
    number: usize,
    extractors: &'a [ExtractorResults],
}

/// One extractor's judgement of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockJudgement {
    /// Whether the extractor selects any of the block's text.
    pub is_kept: bool,
    /// The extractor's score for the block. `None` if the extractor scores no parts of pages, or
    /// not this one.
    pub score: Option<f32>,
    /// The probability that the block is content, 0 to 1. `None` if the extractor gives no
    /// probabilities.
    pub probability: Option<f32>,
}

impl Blocks {
    /// Returns an empty list that recognises function blocks by this thesaurus.
    pub fn with_thesaurus(thesaurus: Thesaurus) -> Blocks {
        Blocks { thesaurus, ..Blocks::default() }
    }

    /// Begins a page. `places` are the positions of the first extractor's selection in its text.
    /// They count from byte `bytes_before` of that text.
    pub fn begin(&mut self, page: &Page<'_>, places: &[RunPlace], bytes_before: usize) {
        self.segmentation.fill(page);
        self.extractors_in_use = 0;
        self.places.clear();
        let shifted = |place: &RunPlace| RunPlace {
            start: place.start + bytes_before,
            end: place.end + bytes_before,
            ..*place
        };
        self.places.extend(places.iter().map(shifted));
    }

    /// Adds the results of an extractor. `worker` has just extracted the page and made this
    /// selection.
    pub fn add(&mut self, page: &Page<'_>, worker: &dyn Extractor, selection: &Selection) {
        if self.extractors.len() == self.extractors_in_use {
            self.extractors.push(ExtractorResults::default());
        }
        let ExtractorResults { is_kept, figures, derived } =
            &mut self.extractors[self.extractors_in_use];
        self.extractors_in_use += 1;
        is_kept.clear();
        is_kept.resize(page.runs().len(), false);
        selection.kept_runs(page).for_each(|run| is_kept[run as usize] = true);
        figures.clear(page);
        worker.figures(page, figures);
        *derived = Derivations::default();
    }

    /// Splits the scores of the extractor added last into their terms, for all blocks. Allocates
    /// memory for every term.
    pub fn derive(&mut self, page: &Page<'_>, worker: &mut dyn Extractor) {
        let Some(ExtractorResults { figures, derived, .. }) =
            self.extractors[..self.extractors_in_use].last_mut()
        else {
            return;
        };
        let scored =
            |page_block: PageBlock<'_>| page_block.runs().find(|run| figures.score(*run).is_some());
        let runs_of: Vec<Option<u32>> = self.segmentation.iter().map(scored).collect();
        // Blocks and runs are in document order, except on pages where the parser moved elements.
        let mut runs: Vec<u32> = runs_of.iter().copied().flatten().collect();
        runs.sort_unstable();
        *derived = worker.derive(page, &runs);
        if derived.terms.is_empty() {
            return;
        }
        let mut of_runs = std::mem::take(&mut derived.terms);
        let terms = |run: &Option<u32>| of_runs[runs.binary_search(&(*run)?).ok()?].take();
        derived.terms = runs_of.iter().map(terms).collect();
    }

    /// Renders the texts of the blocks. The renderer must note places.
    pub fn finish(&mut self, page: &Page<'_>, renderer: &mut Renderer) {
        self.whole.clear();
        renderer.body_text(page, &mut self.whole);
        self.whole_places.clear();
        self.whole_places.extend_from_slice(renderer.places());
    }

    /// Discards the positions of blocks in the text of the first extractor. Call this if that text
    /// is no longer the text of the row.
    pub fn forget_places(&mut self) {
        self.places.clear();
    }

    /// Returns the blocks that have text, in document order.
    pub fn list<'a>(
        &'a self,
        page: &'a Page<'_>,
        facts: PageFacts<'a>,
    ) -> impl Iterator<Item = Block<'a>> {
        let extractors = &self.extractors[..self.extractors_in_use];
        let (mut places, mut whole_places) = (self.places.as_slice(), self.whole_places.as_slice());
        // Bytes and scalars of the text that were counted so far.
        let mut read = (0, 0);
        self.segmentation.iter().enumerate().filter_map(move |(number, page_block)| {
            let mut runs = page_block.runs();
            let first = runs.next()?;
            let runs = first..runs.last().unwrap_or(first) + 1;
            let run_place = next_place(&mut places, &runs).map(|run_place| {
                let mut scalars = |end: usize| {
                    read.1 += facts.text[read.0..end].chars().count();
                    read.0 = end;
                    read.1
                };
                scalars(run_place.start)..scalars(run_place.end)
            });
            let text = &self.whole[next_place(&mut whole_places, &runs)?];
            let is_kept = extractors
                .first()
                .is_some_and(|first| page_block.runs().any(|run| first.is_kept[run as usize]));
            let areas = extractors.iter().filter_map(|extractor| extractor.figures.area(first));
            debug_assert!((page.runs().len() as u32) >= runs.end);
            Some(Block {
                page_block,
                role: role(
                    (page_block.role(), page_block.words()),
                    text,
                    is_kept,
                    facts,
                    &self.thesaurus,
                ),
                text,
                place: run_place,
                area: { areas }.next(),
                number,
                extractors,
            })
        })
    }
}

impl Block<'_> {
    /// Returns the judgement of each extractor, in the order of [`Blocks::add`].
    pub fn judgements(&self) -> impl Iterator<Item = BlockJudgement> {
        self.extractors.iter().map(|extractor| BlockJudgement {
            is_kept: self.page_block.runs().any(|run| extractor.is_kept[run as usize]),
            score: self.page_block.runs().find_map(|run| extractor.figures.score(run)),
            probability: self.page_block.runs().find_map(|run| extractor.figures.probability(run)),
        })
    }

    /// Returns the terms of each extractor's score, in the order of [`Blocks::add`]. `None` if an
    /// extractor has no terms, or if [`Blocks::derive`] was not called for it.
    pub fn derived_scores(&self) -> impl Iterator<Item = Option<DerivedScore<'_>>> {
        self.extractors.iter().map(|extractor| {
            let terms = extractor.derived.terms.get(self.number)?.as_deref()?;
            Some(DerivedScore { derivations: &extractor.derived, terms })
        })
    }
}

/// The terms of a block's score by one extractor.
#[derive(Clone, Copy, Debug)]
pub struct DerivedScore<'a> {
    /// The extractor's equation, and how its terms combine.
    pub derivations: &'a Derivations,
    /// The terms of this block.
    pub terms: &'a [Term],
}

/// Returns the byte range of these runs, and skips the places of all runs before their end.
fn next_place(places: &mut &[RunPlace], runs: &Range<u32>) -> Option<Range<usize>> {
    let (mut of_runs, mut read) = (None::<Range<usize>>, 0);
    for run_place in places.iter().take_while(|run_place| run_place.run < runs.end) {
        read += 1;
        if runs.contains(&run_place.run) {
            of_runs = Some(of_runs.map_or(run_place.start, |range| range.start)..run_place.end);
        }
    }
    *places = &places[read..];
    of_runs
}

/// A byline has fewer words than this.
pub(crate) const BYLINE: u32 = 40;

/// A line about rights has fewer bytes than this.
const MAX_RIGHTS_BYTES: usize = 600;

/// Returns the role of a block with this text. `stated` is the role that the elements around it
/// give it, and `words` is the number of its words.
pub(crate) fn role(
    (stated, words): (Option<Role>, u32),
    text: &str,
    is_kept: bool,
    facts: PageFacts<'_>,
    thesaurus: &Thesaurus,
) -> Role {
    if !facts.title.is_empty() && text == facts.title {
        return Role::Title;
    }
    if !facts.author.is_empty() && words < BYLINE && text.contains(facts.author) {
        return Role::Byline;
    }
    if is_kept {
        return if stated == Some(Role::Caption) { Role::Caption } else { Role::Content };
    }
    if text.len() < MAX_RIGHTS_BYTES && mentions_rights(text) {
        return Role::Copyright;
    }
    let is_function = || thesaurus.is_function_text(text);
    stated.unwrap_or_else(|| if is_function() { Role::Function } else { Role::Other })
}
