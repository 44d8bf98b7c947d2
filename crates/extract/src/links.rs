//! The links of a page, with the roles of the blocks that they begin in.
//!
//! Only links and the blocks that hold them are read. Cost: O(nodes + runs + bytes of these).

use crate::blocks::{BYLINE, PageFacts, role};
use huller_hull::PageBlocks;
use huller_methods::dvps::Thesaurus;
use huller_page::{AttributeName, Attributes, Node, Page, Tag};
use huller_select::{
    BlockFacts, PageSegmentation, Renderer, Role, RunPlace, Selection, is_share_link,
    is_wiki_tool_link,
};
use std::ops::Range;

/// Lists the links of one page after another. Owns and reuses its buffers; keep one for each
/// thread.
///
/// ```
/// use huller_extract::{LinkPage, Links, PageFacts, Renderer, Selection};
/// use huller_page::PageBuf;
///
/// let mut buffer = PageBuf::new();
/// let page = buffer.fill("<nav><a href=/>Home</a></nav><p>For two days it <a href=2>rained</a>.");
/// let (mut links, mut renderer) = (Links::default(), Renderer::default());
/// renderer.note_places();
/// let selection = &Selection::default();
/// let whole = LinkPage { page: &page, segmentation: None, selection, facts: PageFacts::default() };
/// let mut found = Vec::new();
/// links.for_each_link(whole, &mut renderer, |link| {
///     found.push(format!("{} {} {}", link.href, link.text, link.role.name()));
/// });
/// assert_eq!(found, ["/ Home navigation", "2 rained other"]);
/// ```
#[derive(Debug, Default)]
pub struct Links {
    /// The blocks of a page that no extractor has divided.
    own: PageBlocks,
    thesaurus: Thesaurus,
    kept: KeptRuns,
    /// For each node, the innermost block element around it that holds text.
    elements: Vec<u32>,
    texts: LinkTexts,
    /// The text of a block.
    text: String,
    attributes: Attributes,
}

/// A page whose links are sought, and what is known of it.
#[derive(Clone, Copy)]
pub struct LinkPage<'a, 'p> {
    /// The page.
    pub page: &'a Page<'p>,
    /// Its blocks, if an extractor has found them.
    pub segmentation: Option<&'a dyn PageSegmentation>,
    /// The selection of an extractor.
    pub selection: &'a Selection,
    /// Facts besides its blocks, without its text.
    pub facts: PageFacts<'a>,
}

/// A link of a page. Values of attributes are as written, with their character references.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageLink<'a> {
    /// The reference.
    pub href: &'a str,
    /// The attribute `rel`.
    pub rel: Option<&'a str>,
    /// The text, rendered by the same rules as the text of a row. It may have several lines.
    pub text: &'a str,
    /// The attribute `alt` of the first image in a link without text.
    pub alt: Option<&'a str>,
    /// The role of the block that the link begins in.
    pub role: Role,
    /// Whether that block consists mostly of links and is not selected.
    pub is_listed: bool,
    /// Whether the link lies in the selection.
    pub is_kept: bool,
}

/// A block that holds links, and its role.
#[derive(Clone, Copy, Debug)]
struct LinkBlock {
    number: u32,
    role: Role,
    /// Whether most of its text is linked.
    is_linked: bool,
}

impl Links {
    /// Returns an empty list that recognises function blocks by this thesaurus.
    pub fn with_thesaurus(thesaurus: Thesaurus) -> Links {
        Links { thesaurus, ..Links::default() }
    }

    /// Passes the links of a page on, in document order: elements `a` and `area` with a reference,
    /// outside of templates. The renderer must note places.
    pub fn for_each_link(
        &mut self,
        whole: LinkPage<'_, '_>,
        renderer: &mut Renderer,
        mut pass: impl FnMut(PageLink<'_>),
    ) {
        let Links { own, thesaurus, kept, elements, texts, text, attributes } = self;
        let LinkPage { page, selection, facts, .. } = whole;
        let segmentation = whole.segmentation.unwrap_or_else(|| {
            own.fill(page);
            own.segmentation()
        });
        kept.fill(page, selection);
        let mut roles = BlockRoles {
            page,
            segmentation,
            kept,
            facts: TextFacts::of(facts),
            thesaurus,
            text,
            last: None,
        };
        texts.begin_page();
        elements.clear();
        // The page does not show the content of a template.
        let mut template_end = 0;
        for (index, node) in page.nodes().iter().enumerate() {
            let holds_text = node.run_end > node.run_start;
            let outer = elements.get(node.parent as usize).copied().unwrap_or_default();
            let element = if holds_text { segmentation.element_of(index as u32) } else { outer };
            elements.push(element);
            if node.tag == Tag::TEMPLATE {
                template_end = template_end.max(node.end);
            }
            let is_link = node.tag == Tag::A || node.tag == Tag::AREA;
            if !is_link || (index as u32) < template_end {
                continue;
            }
            let Some(href) = page.attribute(node, AttributeName::Href) else { continue };
            let is_kept = if holds_text {
                kept.has(node.run_start..node.run_end) && !is_wiki_tool_link(page, node)
            } else {
                kept.has_place(selection, page, index as u32)
            };
            let block = roles.block_of(node, renderer);
            let text = texts.of(page, index as u32, renderer);
            let is_listed = !is_kept && block.is_none_or(|block| block.is_linked);
            let role = match block.map(|block| block.role).or_else(|| segmentation.role_in(element))
            {
                _ if !is_kept && is_share_link(page, node) => Role::Share,
                None if is_kept => Role::Content,
                role => role.unwrap_or(Role::Other),
            };
            let alt = text.is_empty().then(|| first_alt(page, index, attributes)).flatten();
            let rel = page.attribute(node, AttributeName::Rel);
            pass(PageLink { href, rel, text, alt, role, is_listed, is_kept });
        }
    }
}

/// The selected runs of a page.
#[derive(Debug, Default)]
struct KeptRuns {
    /// For each run, the number of selected runs before it. The last entry counts all.
    before: Vec<u32>,
}

impl KeptRuns {
    fn fill(&mut self, page: &Page<'_>, selection: &Selection) {
        self.before.clear();
        self.before.resize(page.runs().len() + 1, 0);
        selection.kept_runs(page).for_each(|run| self.before[run as usize + 1] = 1);
        let mut count = 0;
        for entry in &mut self.before {
            count += *entry;
            *entry = count;
        }
    }

    /// Returns whether any of these runs is selected.
    fn has(&self, runs: Range<u32>) -> bool {
        self.before[runs.end as usize] > self.before[runs.start as usize]
    }

    /// Returns whether a selection holds the place of an element without text. A selection of
    /// stretches holds it if the runs before and after it are selected.
    fn has_place(&self, selection: &Selection, page: &Page<'_>, index: u32) -> bool {
        let nodes = page.nodes();
        if selection.is_partial {
            let next_run = nodes[index as usize].run_start;
            let is_inside = next_run > 0 && (next_run as usize) < page.runs().len();
            return is_inside
                && self.has(next_run - 1..next_run)
                && self.has(next_run..next_run + 1);
        }
        let is_in = |list: &[u32]| {
            let last = list.partition_point(|node| *node <= index).checked_sub(1);
            last.is_some_and(|last| index < nodes[list[last] as usize].end)
        };
        is_in(&selection.roots) && !is_in(&selection.removed)
    }
}

/// Facts about a page, and the lengths of texts that can state them.
#[derive(Clone, Copy)]
struct TextFacts<'a> {
    facts: PageFacts<'a>,
    /// Unicode scalars of the title.
    title_chars: u32,
    /// Unicode scalars of the author.
    author_chars: u32,
}

impl<'a> TextFacts<'a> {
    fn of(facts: PageFacts<'a>) -> TextFacts<'a> {
        let visible = |text: &str| text.chars().filter(|scalar| !scalar.is_whitespace()).count();
        let (title_chars, author_chars) =
            (visible(facts.title) as u32, visible(facts.author) as u32);
        TextFacts { facts, title_chars, author_chars }
    }

    /// Returns whether a block may be the headline or the byline.
    fn may_be_stated_by(self, block: &BlockFacts) -> bool {
        let TextFacts { title_chars, author_chars, .. } = self;
        (title_chars > 0 && block.chars == title_chars)
            || (author_chars > 0 && block.chars >= author_chars && block.words < BYLINE)
    }
}

/// Finds the roles of blocks that hold links.
struct BlockRoles<'a, 'p> {
    page: &'a Page<'p>,
    segmentation: &'a dyn PageSegmentation,
    kept: &'a KeptRuns,
    facts: TextFacts<'a>,
    thesaurus: &'a Thesaurus,
    /// The text of a block.
    text: &'a mut String,
    /// The block of the last link. Blocks are in the order of links, so each is read once.
    last: Option<LinkBlock>,
}

impl BlockRoles<'_, '_> {
    /// Returns the block that a link begins in.
    fn block_of(&mut self, link: &Node, renderer: &mut Renderer) -> Option<LinkBlock> {
        let number = self.segmentation.first_block(link.run_start..link.run_end)?;
        if let Some(last) = self.last.filter(|last| last.number == number) {
            return Some(last);
        }
        let block = self.segmentation.block(number);
        let is_kept = self.kept.has(block.runs.clone());
        let role = self.role(&block, is_kept, renderer);
        let is_linked = 2 * block.linked_chars > block.chars;
        self.last = Some(LinkBlock { number, role, is_linked });
        self.last
    }

    fn role(&mut self, block: &BlockFacts, is_kept: bool, renderer: &mut Renderer) -> Role {
        let BlockRoles { page, facts, thesaurus, text, .. } = self;
        text.clear();
        if !is_kept || facts.may_be_stated_by(block) {
            for run in block.runs.clone() {
                if !text.is_empty() {
                    text.push(' ');
                }
                let run = run as usize;
                renderer.runs(page, run..run + 1, text);
            }
        }
        role((block.role, block.words), text, is_kept, facts.facts, thesaurus)
    }
}

/// The texts of links. A text is rendered once for all links inside a link.
#[derive(Debug, Default)]
struct LinkTexts {
    /// The text of the outermost link around the last one.
    outer: String,
    places: Vec<RunPlace>,
    /// Index of the first node after that link.
    outer_end: u32,
}

impl LinkTexts {
    /// Begins a page.
    fn begin_page(&mut self) {
        self.outer_end = 0;
        self.outer.clear();
    }

    /// Returns the text of a link.
    fn of(&mut self, page: &Page<'_>, link: u32, renderer: &mut Renderer) -> &str {
        let node = &page.nodes()[link as usize];
        if node.run_start == node.run_end {
            return "";
        }
        if link >= self.outer_end {
            self.outer_end = node.end;
            self.outer.clear();
            renderer.link(page, link, &mut self.outer);
            self.places.clear();
            self.places.extend_from_slice(renderer.places());
            return &self.outer;
        }
        let first = self.places.partition_point(|place| place.run < node.run_start);
        let places_inside = &self.places[first..];
        let places_inside =
            &places_inside[..places_inside.partition_point(|place| place.run < node.run_end)];
        match (places_inside.first(), places_inside.last()) {
            (Some(first), Some(last)) => &self.outer[first.start..last.end.max(first.start)],
            _ => "",
        }
    }
}

/// Most nodes in a link among which its image is sought.
const MAX_IMAGE_SEARCH_NODES: usize = 16;

/// Returns the description of the first image in an element.
fn first_alt<'p>(page: &Page<'p>, index: usize, attributes: &mut Attributes) -> Option<&'p str> {
    let nodes = page.nodes();
    let inner_nodes = &nodes[index + 1..nodes[index].end as usize];
    let image =
        inner_nodes.iter().take(MAX_IMAGE_SEARCH_NODES).find(|node| node.tag == Tag::IMG)?;
    let mut attribute_list = page.all_attributes(image, attributes);
    attribute_list.find(|(name, _)| name.eq_ignore_ascii_case("alt")).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    /// Returns the links of a page of which the element `main` is selected: reference, text or
    /// description, role, and whether the link is kept.
    fn links(html: &str) -> Vec<(String, String, &'static str, bool)> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let main = page.nodes().iter().position(|node| node.tag == Tag::MAIN);
        let roots = main.map(|main| main as u32).into_iter().collect();
        let selection = Selection { roots, ..Selection::default() };
        let (mut links, mut renderer) = (Links::default(), Renderer::default());
        renderer.note_places();
        let facts = PageFacts::default();
        let whole = LinkPage { page: &page, segmentation: None, selection: &selection, facts };
        let mut found = Vec::new();
        links.for_each_link(whole, &mut renderer, |link| {
            let text = if link.text.is_empty() { link.alt.unwrap_or_default() } else { link.text };
            found.push((link.href.to_owned(), text.to_owned(), link.role.name(), link.is_kept));
        });
        found
    }

    #[test]
    fn links_have_the_roles_of_their_blocks() {
        let html = "<nav><a href=1>Home</a><a href=2><img alt=Logo src=l></a></nav><main>\
            <p>It <a href=3>rained</a> and <a href=4><img src=x></a> blew.</main>\
            <div class=comments><p>So <a href=5>it did</a>.</div>\
            <footer><a href=6>Imprint</a><map><area href=7></map></footer><a>none</a>\
            <template><a href=8>x</a></template>";
        let expected = [
            ("1", "Home", "navigation", false),
            ("2", "Logo", "navigation", false),
            ("3", "rained", "content", true),
            ("4", "", "content", true),
            ("5", "it did", "comment", false),
            ("6", "Imprint", "footer", false),
            ("7", "", "footer", false),
        ];
        let found = links(html);
        let found: Vec<_> =
            found.iter().map(|(href, text, role, kept)| (&**href, &**text, *role, *kept)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn hidden_menus_have_their_roles_and_buttons_share() {
        let html = "<main><p>It rained, and <a href=http://x.com/share>so</a> we stayed there.</main>\
            <nav hidden><a href=1>Home</a></nav><p><a href=https://x.com/share?url=a>X</a>";
        let roles: Vec<_> = links(html).iter().map(|link| link.2).collect();
        assert_eq!(roles, ["content", "navigation", "share"]);
    }

    #[test]
    fn pages_without_text_have_links_too() {
        assert!(links("").is_empty());
        assert_eq!(links("<a href=x><img src=y></a>")[0].2, "other");
        assert_eq!(links(&"<a href=x><div>".repeat(2000)).len(), 2000);
    }
}
