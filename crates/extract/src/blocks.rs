//! The blocks of a page, with what methods found for each: for people who look, or who train
//! methods of their own.

use huller_hull::{PageBlock, PageBlocks};
use huller_methods::dvps::{Thesaurus, speaks_of_rights};
use huller_page::Page;
use huller_select::{
    Area, Derivations, Extractor, Place, Renderer, Role, RunFigures, Selection, Term,
};
use std::ops::Range;

/// The blocks of one page after another. Owns the memory that this takes; keep one for each thread.
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
    cut: PageBlocks,
    /// What each of the methods found, and buffers of earlier pages.
    methods: Vec<OfMethod>,
    methods_in_use: usize,
    /// Where runs stand in the text of the first method.
    places: Vec<Place>,
    /// All text of the page, and where runs stand in it.
    whole: String,
    whole_places: Vec<Place>,
    thesaurus: Thesaurus,
}

/// What one method found.
#[derive(Debug, Default)]
struct OfMethod {
    /// For each run, whether it is selected.
    is_kept: Vec<bool>,
    figures: RunFigures,
    /// The terms of the score of each block, by its place among all that were cut; empty unless the
    /// method was asked for them.
    derived: Derivations,
}

/// What is known of a page besides its blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageFacts<'a> {
    /// The text that the first method made.
    pub text: &'a str,
    /// The headline; empty if not known.
    pub title: &'a str,
    /// The author; empty if not known.
    pub author: &'a str,
}

/// A block: a maximal piece of text that no block element and no two line breaks in a row divide.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// As hull cuts it, with its counts.
    pub cut: PageBlock<'a>,
    /// What it is for.
    pub role: Role,
    /// Its text, by the rules of the row's text.
    pub text: &'a str,
    /// Where it stands in the text of the first method, in Unicode scalars. `None` if it does not,
    /// or if a copy of it does.
    pub place: Option<Range<usize>>,
    /// Where it lies on the page. `None` if no method of the run estimates that.
    pub area: Option<Area>,
    /// Its place among all that were cut.
    number: usize,
    methods: &'a [OfMethod],
}

/// What a method found for a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Whether it selects any of the block's text.
    pub is_kept: bool,
    /// The score that it gives the block. `None` if it scores no parts of pages, or not this one.
    pub score: Option<f32>,
    /// The probability that it is content, 0 to 1. `None` if the method gives no probabilities.
    pub probability: Option<f32>,
}

impl Blocks {
    /// Blocks whose roles are told by this thesaurus.
    pub fn with_thesaurus(thesaurus: Thesaurus) -> Blocks {
        Blocks { thesaurus, ..Blocks::default() }
    }

    /// Begins a page. `places` are those of the selection of the first method in its text, which
    /// begins with `before` other bytes.
    pub fn begin(&mut self, page: &Page<'_>, places: &[Place], before: usize) {
        self.cut.fill(page);
        self.methods_in_use = 0;
        self.places.clear();
        let place = |place: &Place| Place {
            start: place.start + before,
            end: place.end + before,
            ..*place
        };
        self.places.extend(places.iter().map(place));
    }

    /// Adds what a method found: `worker` has just extracted the page and made this selection.
    pub fn add(&mut self, page: &Page<'_>, worker: &dyn Extractor, selection: &Selection) {
        if self.methods.len() == self.methods_in_use {
            self.methods.push(OfMethod::default());
        }
        let OfMethod { is_kept, figures, derived } = &mut self.methods[self.methods_in_use];
        self.methods_in_use += 1;
        is_kept.clear();
        is_kept.resize(page.runs().len(), false);
        selection.kept_runs(page).for_each(|run| is_kept[run as usize] = true);
        figures.clear(page);
        worker.figures(page, figures);
        *derived = Derivations::default();
    }

    /// Has the method that was added last take the scores of all blocks apart. Takes memory for
    /// every term.
    pub fn derive(&mut self, page: &Page<'_>, worker: &mut dyn Extractor) {
        let Some(OfMethod { figures, derived, .. }) =
            self.methods[..self.methods_in_use].last_mut()
        else {
            return;
        };
        let scored = |cut: PageBlock<'_>| cut.runs().find(|run| figures.score(*run).is_some());
        let runs_of: Vec<Option<u32>> = self.cut.iter().map(scored).collect();
        // Blocks are in document order, and so are runs, but on pages where elements were moved.
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

    /// Writes the texts of the blocks. The renderer must note places.
    pub fn finish(&mut self, page: &Page<'_>, renderer: &mut Renderer) {
        self.whole.clear();
        renderer.whole(page, &mut self.whole);
        self.whole_places.clear();
        self.whole_places.extend_from_slice(renderer.places());
    }

    /// Forgets where blocks stand in the text of the first method, because that is no longer the
    /// text of the row.
    pub fn forget_places(&mut self) {
        self.places.clear();
    }

    /// The blocks in document order, without those that have no text.
    pub fn list<'a>(
        &'a self,
        page: &'a Page<'_>,
        facts: PageFacts<'a>,
    ) -> impl Iterator<Item = Block<'a>> {
        let methods = &self.methods[..self.methods_in_use];
        let (mut places, mut whole_places) = (self.places.as_slice(), self.whole_places.as_slice());
        // Bytes of the text so far, and its scalars.
        let mut read = (0, 0);
        self.cut.iter().enumerate().filter_map(move |(number, cut)| {
            let mut runs = cut.runs();
            let first = runs.next()?;
            let runs = first..runs.last().unwrap_or(first) + 1;
            let place = next_place(&mut places, &runs).map(|place| {
                let mut scalars = |end: usize| {
                    read.1 += facts.text[read.0..end].chars().count();
                    read.0 = end;
                    read.1
                };
                scalars(place.start)..scalars(place.end)
            });
            let text = &self.whole[next_place(&mut whole_places, &runs)?];
            let is_kept = methods
                .first()
                .is_some_and(|first| cut.runs().any(|run| first.is_kept[run as usize]));
            let areas = methods.iter().filter_map(|method| method.figures.area(first));
            debug_assert!((page.runs().len() as u32) >= runs.end);
            Some(Block {
                cut,
                role: role(cut, text, is_kept, facts, &self.thesaurus),
                text,
                place,
                area: { areas }.next(),
                number,
                methods,
            })
        })
    }
}

impl Block<'_> {
    /// What each method found, in the order of [`Blocks::add`].
    pub fn judgements(&self) -> impl Iterator<Item = Judgement> {
        self.methods.iter().map(|method| Judgement {
            is_kept: self.cut.runs().any(|run| method.is_kept[run as usize]),
            score: self.cut.runs().find_map(|run| method.figures.score(run)),
            probability: self.cut.runs().find_map(|run| method.figures.probability(run)),
        })
    }

    /// The terms of the scores, in the order of [`Blocks::add`]; `None` where a method has none, or
    /// was not asked by [`Blocks::derive`].
    pub fn derived(&self) -> impl Iterator<Item = Option<Derived<'_>>> {
        self.methods.iter().map(|method| {
            let terms = method.derived.terms.get(self.number)?.as_deref()?;
            Some(Derived { derivations: &method.derived, terms })
        })
    }
}

/// The terms of a block's score by one method.
#[derive(Clone, Copy, Debug)]
pub struct Derived<'a> {
    /// The method's equation, and what its terms make together.
    pub derivations: &'a Derivations,
    /// Those of the block.
    pub terms: &'a [Term],
}

/// The bytes at which these runs stand, and skips the places of all runs before their end.
fn next_place(places: &mut &[Place], runs: &Range<u32>) -> Option<Range<usize>> {
    let (mut of_runs, mut read) = (None::<Range<usize>>, 0);
    for place in places.iter().take_while(|place| place.run < runs.end) {
        read += 1;
        if runs.contains(&place.run) {
            of_runs = Some(of_runs.map_or(place.start, |place| place.start)..place.end);
        }
    }
    *places = &places[read..];
    of_runs
}

/// A byline has fewer words than this.
const BYLINE: u32 = 40;

/// A line about rights has fewer bytes than this.
const RIGHTS: usize = 600;

fn role(
    cut: PageBlock<'_>,
    text: &str,
    is_kept: bool,
    facts: PageFacts<'_>,
    thesaurus: &Thesaurus,
) -> Role {
    if !facts.title.is_empty() && text == facts.title {
        return Role::Title;
    }
    if !facts.author.is_empty() && cut.words() < BYLINE && text.contains(facts.author) {
        return Role::Byline;
    }
    let stated = cut.role();
    if is_kept {
        return if stated == Some(Role::Caption) { Role::Caption } else { Role::Content };
    }
    if text.len() < RIGHTS && speaks_of_rights(text) {
        return Role::Copyright;
    }
    stated.unwrap_or(if thesaurus.is_function_text(text) { Role::Function } else { Role::Other })
}
