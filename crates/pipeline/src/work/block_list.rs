//! The field `blocks`: the blocks of a page, as JSON.

use huller_extract::{Area, Block, Blocks, Judgement, PageFacts};
use huller_page::{Page, Tag};
use huller_select::{Extractor, Renderer, Selection};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::to_writer;

/// The list ends where it would take more than this many bytes, and more than [`TIMES`] as many as the page: a page may have a
/// block every four bytes.
const ALWAYS_FITS: usize = 1 << 20;
const TIMES: usize = 8;

/// A path names this many elements at most, the innermost.
const LONGEST_PATH: usize = 24;

/// The list of a page's blocks. Owns the memory that it takes.
#[derive(Default)]
pub(crate) struct BlockList {
    blocks: Blocks,
    json: Vec<u8>,
    path: String,
}

impl BlockList {
    /// Begins a page, whose text was just written by a renderer that notes places, after `before` bytes that are no part of it.
    pub(crate) fn begin(&mut self, page: &Page<'_>, renderer: &Renderer, before: usize) {
        self.json.clear();
        self.json.shrink_to(ALWAYS_FITS);
        self.blocks.begin(page, renderer.places(), before);
    }

    /// Adds what the next method found.
    pub(crate) fn add(&mut self, page: &Page<'_>, worker: &dyn Extractor, selection: &Selection) {
        self.blocks.add(page, worker, selection);
    }

    /// Writes the list; `names` are those of the methods.
    pub(crate) fn write(
        &mut self,
        page: &Page<'_>,
        facts: PageFacts<'_>,
        names: &[&'static str],
        renderer: &mut Renderer,
    ) {
        let BlockList { blocks, json, path } = self;
        blocks.finish(page, renderer);
        let most = ALWAYS_FITS.max(TIMES * page.html().len());
        let mut left_out = 0;
        json.push(b'[');
        for block in blocks.list(page, facts) {
            if json.len() + block.text.len() > most {
                left_out += 1;
                continue;
            }
            if json.len() > 1 {
                json.push(b',');
            }
            path_of(page, block.cut.element(), path);
            let depth = page.nodes()[block.cut.element() as usize].level;
            to_writer(&mut *json, &Entry { block: &block, path, depth, names })
                .expect("texts and numbers can be written to memory");
        }
        if left_out > 0 {
            json.extend_from_slice(format!(",{{\"left_out\":{left_out}}}").as_bytes());
        }
        json.push(b']');
    }

    /// The list that was written last.
    pub(crate) fn json(&self) -> &str {
        std::str::from_utf8(&self.json).expect("JSON of strings is UTF-8")
    }
}

/// The names of the elements from the body down to this one, with slashes between them.
fn path_of(page: &Page<'_>, element: u32, path: &mut String) {
    let mut nodes = [0; LONGEST_PATH];
    let mut count = 0;
    let mut at = element;
    while count < LONGEST_PATH && at != 0 {
        nodes[count] = at;
        count += 1;
        at = if at == page.body() { 0 } else { page.nodes()[at as usize].parent };
    }
    path.clear();
    if at != 0 {
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

/// A block as it is written.
struct Entry<'a> {
    block: &'a Block<'a>,
    path: &'a str,
    depth: u16,
    names: &'a [&'static str],
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Entry { block, path, depth, names } = self;
        let first = block.judgements().next();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", path)?;
        map.serialize_entry("depth", depth)?;
        map.serialize_entry("role", block.role.name())?;
        map.serialize_entry("kept", &first.is_some_and(|first| first.is_kept))?;
        map.serialize_entry("start", &block.place.as_ref().map(|place| place.start))?;
        map.serialize_entry("end", &block.place.as_ref().map(|place| place.end))?;
        map.serialize_entry("text", block.text)?;
        map.serialize_entry("chars", &block.cut.chars())?;
        map.serialize_entry("words", &block.cut.words())?;
        map.serialize_entry("punctuation", &block.cut.punctuation())?;
        map.serialize_entry("linked_chars", &block.cut.linked_chars())?;
        map.serialize_entry("links", &block.cut.links())?;
        map.serialize_entry("tags", &block.cut.tags())?;
        let sides = |Area { left, top, width, height }| [left, top, width, height].map(f32::round);
        map.serialize_entry("box", &block.area.map(sides))?;
        map.serialize_entry("methods", &Judgements { block, names })?;
        map.end()
    }
}

/// What the methods found for a block, by their names.
struct Judgements<'a> {
    block: &'a Block<'a>,
    names: &'a [&'static str],
}

impl Serialize for Judgements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.names.iter().zip(self.block.judgements());
        serializer.collect_map(found.map(|(name, judgement)| (name, Found(judgement))))
    }
}

struct Found(Judgement);

impl Serialize for Found {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("kept", &self.0.is_kept)?;
        map.serialize_entry("score", &self.0.score)?;
        map.end()
    }
}
