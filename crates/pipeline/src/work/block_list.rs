//! Writes the field `blocks`: the blocks of a page, as JSON.

use super::term_writer::TermWriter;
use crate::settings::Settings;
use huller_extract::{Block, Blocks, PageArea, PageFacts};
use huller_page::{Page, Tag};
use huller_refine::Chain;
use huller_row::JsonObject;
use huller_select::{Extractor, Renderer, Selection};

/// The list ends where it would exceed both this many bytes and [`PAGE_SIZE_FACTOR`] times the
/// bytes of the page. A page may have a block every four bytes.
const ALWAYS_FITTING_BYTES: usize = 1 << 20;
const PAGE_SIZE_FACTOR: usize = 8;

/// With the terms of scores the list may take this many times as much.
const TERMS_FACTOR: usize = 8;

/// A path names at most this many elements, the innermost ones.
const MAX_PATH_ELEMENTS: usize = 24;

/// The list of a page's blocks. It owns its buffers.
#[derive(Default)]
pub(crate) struct BlockList {
    blocks: Blocks,
    /// The list as JSON.
    json: Vec<u8>,
    path: String,
    /// The text as the extractor made it.
    text: String,
    /// A block's text as the stages change it.
    changed: String,
    spare: String,
    terms: Option<TermWriter>,
}

impl BlockList {
    /// Makes a list that finds roles by the thesaurus of the run.
    pub(crate) fn new(settings: &Settings) -> BlockList {
        let own_thesaurus = settings.thesaurus.as_ref().map(|own| own.thesaurus.clone());
        let blocks = own_thesaurus.map_or_else(Blocks::default, Blocks::with_thesaurus);
        let terms = settings.terms.then(TermWriter::default);
        BlockList { blocks, terms, ..BlockList::default() }
    }

    /// Begins a page. A renderer that notes places has just written its text after `before` bytes
    /// that are not part of it.
    pub(crate) fn begin(
        &mut self,
        page: &Page<'_>,
        renderer: &Renderer,
        text: &String,
        before: usize,
    ) {
        self.text.clone_from(text);
        self.json.clear();
        self.json.shrink_to(ALWAYS_FITTING_BYTES);
        self.blocks.begin(page, renderer.places(), before);
    }

    /// Adds the selection of the next extractor.
    pub(crate) fn add(
        &mut self,
        page: &Page<'_>,
        worker: &mut dyn Extractor,
        selection: &Selection,
    ) {
        self.blocks.add(page, worker, selection);
        if self.terms.is_some() {
            self.blocks.derive(page, worker);
        }
    }

    /// Writes the list. `names` are those of the extractors. If the stages have changed the text,
    /// blocks have no places in it.
    pub(crate) fn write(
        &mut self,
        page: &Page<'_>,
        facts: PageFacts<'_>,
        names: &[&'static str],
        renderer: &mut Renderer,
        stages: &mut Chain,
    ) {
        let BlockList { blocks, json, path, text, changed, spare, terms } = self;
        blocks.finish(page, renderer);
        if facts.text != text {
            blocks.forget_places();
        }
        let mut max_bytes = ALWAYS_FITTING_BYTES.max(PAGE_SIZE_FACTOR * page.html().len());
        if let Some(terms) = terms {
            max_bytes *= TERMS_FACTOR;
            terms.begin();
        }
        let mut left_out = 0;
        json.push(b'[');
        for block in blocks.list(page, facts) {
            if json.len() + block.text.len() > max_bytes {
                left_out += 1;
                continue;
            }
            if json.len() > 1 {
                json.push(b',');
            }
            path_of(page, block.page_block.element(), path);
            let depth = page.nodes()[block.page_block.element() as usize].level;
            changed.clear();
            changed.push_str(block.text);
            stages.rewrite(changed, spare);
            write_block(json, &block, changed, path, depth, names, terms.as_mut());
        }
        if left_out > 0 {
            json.extend_from_slice(format!(",{{\"left_out\":{left_out}}}").as_bytes());
        }
        json.push(b']');
    }

    /// Returns the list that was written last.
    pub(crate) fn json(&self) -> &str {
        std::str::from_utf8(&self.json).expect("JSON of strings is UTF-8")
    }
}

/// Writes the names of the elements from the body down to this one, with slashes between them.
fn path_of(page: &Page<'_>, element: u32, path: &mut String) {
    let mut nodes = [0; MAX_PATH_ELEMENTS];
    let mut count = 0;
    let mut ancestor = element;
    while count < MAX_PATH_ELEMENTS && ancestor != 0 {
        nodes[count] = ancestor;
        count += 1;
        ancestor = if ancestor == page.body() { 0 } else { page.nodes()[ancestor as usize].parent };
    }
    path.clear();
    if ancestor != 0 {
        path.push('…');
    }
    for node in nodes[..count].iter().rev() {
        let node = &page.nodes()[*node as usize];
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(if node.tag == Tag::UNKNOWN { "custom" } else { node.tag.name() });
    }
}

/// Writes a block as an object.
fn write_block(
    json: &mut Vec<u8>,
    block: &Block<'_>,
    text: &str,
    path: &str,
    depth: u16,
    names: &[&str],
    mut terms: Option<&mut TermWriter>,
) {
    let page_block = block.page_block;
    let is_kept = block.judgements().next().is_some_and(|first| first.is_kept);
    let (start, end) = block.place.as_ref().map(|place| (place.start, place.end)).unzip();
    let sides = |PageArea { left, top, width, height }| [left, top, width, height].map(f32::round);
    let mut object = JsonObject::new(json);
    object.text("path", path);
    object.value("depth", depth);
    object.text("role", block.role.name());
    object.value("kept", is_kept);
    object.value("start", start);
    object.value("end", end);
    object.text("text", text);
    object.value("chars", page_block.chars());
    object.value("words", page_block.words());
    object.value("punctuation", page_block.punctuation());
    object.value("linked_chars", page_block.linked_chars());
    object.value("links", page_block.links());
    object.value("tags", page_block.tags());
    object.value("box", block.area.map(sides));
    object.object("methods", |extractors| {
        let found = block.judgements().zip(block.derived_scores()).enumerate();
        for (name, (number, (judgement, derived))) in names.iter().zip(found) {
            extractors.object(name, |extractor| {
                extractor.value("kept", judgement.is_kept);
                extractor.value("score", judgement.score);
                if let Some(probability) = judgement.probability {
                    extractor.value("probability", probability);
                }
                if let (Some(terms), Some(derived)) = (&mut terms, derived) {
                    terms.write(number, derived, extractor);
                }
            });
        }
    });
    object.end();
}
