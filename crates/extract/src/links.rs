//! The links of a page, with the roles of the blocks that they begin in. A link of unknown purpose
//! in a list of links has a role by its length. A long one is the headline of a related page, and a
//! short one is navigation.

use crate::blocks::{Blocks, PageFacts};
use huller_methods::dvps::Thesaurus;
use huller_page::{AttributeName, Attributes, Node, Page, Tag};
use huller_select::{Renderer, Role, Selection};

/// Lists the links of one page after another. Owns and reuses its buffers; keep one for each
/// thread.
///
/// ```
/// use huller_extract::{Links, PageFacts, Renderer, Selection};
/// use huller_page::PageBuf;
///
/// let mut buffer = PageBuf::new();
/// let page = buffer.fill("<nav><a href=/>Home</a></nav><p>For two days it <a href=2>rained</a>.");
/// let (mut links, mut renderer) = (Links::default(), Renderer::default());
/// renderer.note_places();
/// links.fill(&page, &Selection::default(), &mut renderer, PageFacts::default());
/// let mut found = Vec::new();
/// links.each(&page, |link| found.push(format!("{} {} {}", link.href, link.text, link.role.name())));
/// assert_eq!(found, ["/ Home navigation", "2 rained other"]);
/// ```
#[derive(Debug, Default)]
pub struct Links {
    blocks: Blocks,
    /// The role of the block of each run.
    roles: Vec<Option<Role>>,
    /// Whether most of the text of the block of each run is linked.
    is_linked: Vec<bool>,
    /// Whether each run is selected.
    is_kept: Vec<bool>,
    /// The selection, for elements without text.
    selection: Selection,
    /// For each node, the innermost block element around it that holds text.
    elements: Vec<u32>,
    attributes: Attributes,
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
    /// Whether the link lies in the selection.
    pub is_kept: bool,
}

impl Links {
    /// Returns an empty list that recognises function blocks by this thesaurus.
    pub fn with_thesaurus(thesaurus: Thesaurus) -> Links {
        Links { blocks: Blocks::with_thesaurus(thesaurus), ..Links::default() }
    }

    /// Finds the roles of the blocks of a page. The renderer must note places.
    pub fn fill(
        &mut self,
        page: &Page<'_>,
        selection: &Selection,
        renderer: &mut Renderer,
        facts: PageFacts<'_>,
    ) {
        let Links { blocks, roles, is_linked, is_kept, .. } = self;
        blocks.begin(page, &[], 0);
        blocks.add_selection(page, selection);
        blocks.finish(page, renderer);
        roles.clear();
        roles.resize(page.runs().len(), None);
        is_linked.clear();
        is_linked.resize(page.runs().len(), false);
        for block in blocks.list(page, facts) {
            let is_mostly_linked = 2 * block.cut.linked_chars() > block.cut.chars();
            for run in block.cut.runs() {
                roles[run as usize] = Some(block.role);
                is_linked[run as usize] = is_mostly_linked;
            }
        }
        is_kept.clear();
        is_kept.resize(page.runs().len(), false);
        selection.kept_runs(page).for_each(|run| is_kept[run as usize] = true);
        self.selection.copy_from(selection);
    }

    /// Passes the links of that page on, in document order: elements `a` and `area` with a
    /// reference, outside of templates. Costs O(nodes + bytes of the links' tags and texts).
    pub fn each(&mut self, page: &Page<'_>, mut pass: impl FnMut(PageLink<'_>)) {
        let Links { blocks, roles, is_linked, is_kept, selection, elements, attributes } = self;
        elements.clear();
        // The page does not show the content of a template.
        let mut template_end = 0;
        for (at, node) in page.nodes().iter().enumerate() {
            let holds_text = node.run_end > node.run_start;
            let around = elements.get(node.parent as usize).copied().unwrap_or_default();
            let element = if holds_text { blocks.element_of(at as u32) } else { around };
            elements.push(element);
            if node.tag == Tag::TEMPLATE {
                template_end = template_end.max(node.end);
            }
            let is_link = node.tag == Tag::A || node.tag == Tag::AREA;
            if !is_link || (at as u32) < template_end {
                continue;
            }
            let Some(href) = page.attribute(node, AttributeName::Href) else { continue };
            let is_kept = if holds_text {
                is_kept[node.runs()].contains(&true)
            } else {
                holds_place(selection, page, is_kept, at as u32)
            };
            let text = blocks.text_of(node.run_start..node.run_end);
            let role = roles[node.runs()].iter().find_map(|role| *role);
            let role = match role.or_else(|| blocks.role_in(element)) {
                None if is_kept => Role::Content,
                Some(Role::Other) if !is_kept && is_linked[node.run_start as usize] => {
                    of_list(text)
                }
                role => role.unwrap_or(Role::Other),
            };
            let alt = text.is_empty().then(|| alt(page, at, attributes)).flatten();
            let rel = attribute(page, node, "rel", attributes);
            pass(PageLink { href, rel, text, alt, role, is_kept });
        }
    }
}

/// Fewest words of a link that leads to a page by its headline.
const HEADLINE_WORDS: usize = 4;

/// Fewest Unicode scalars of such a link in a script without spaces.
const HEADLINE_SCALARS: usize = 10;

/// Returns the role of a link in a block of links of which nothing else is known: the headline of
/// another page, or a part of the site.
fn of_list(text: &str) -> Role {
    let words = text.split_whitespace().take(HEADLINE_WORDS).count();
    let is_unspaced = words == 1 && !text.is_ascii();
    let is_long = is_unspaced && text.chars().nth(HEADLINE_SCALARS - 1).is_some();
    if words == HEADLINE_WORDS || is_long { Role::Related } else { Role::Navigation }
}

/// Returns the value of an attribute as written.
fn attribute<'p>(
    page: &Page<'p>,
    node: &Node,
    name: &str,
    memory: &mut Attributes,
) -> Option<&'p str> {
    let mut all = page.all_attributes(node, memory);
    all.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Most nodes in a link among which its image is sought.
const NODES: usize = 16;

/// Returns the description of the first image in an element.
fn alt<'p>(page: &Page<'p>, at: usize, memory: &mut Attributes) -> Option<&'p str> {
    let nodes = page.nodes();
    let inside = &nodes[at + 1..nodes[at].end as usize];
    let image = inside.iter().take(NODES).find(|node| node.tag == Tag::IMG)?;
    attribute(page, image, "alt", memory)
}

/// Returns whether a selection holds the place of an element without text. A selection of stretches
/// holds it if the runs before and after it are selected.
fn holds_place(selection: &Selection, page: &Page<'_>, is_kept: &[bool], at: u32) -> bool {
    let nodes = page.nodes();
    if selection.is_partial {
        let after = nodes[at as usize].run_start as usize;
        let before = after.checked_sub(1).is_some_and(|run| is_kept[run]);
        return before && is_kept.get(after) == Some(&true);
    }
    let is_in = |list: &[u32]| {
        let last = list.partition_point(|node| *node <= at).checked_sub(1);
        last.is_some_and(|last| at < nodes[list[last] as usize].end)
    };
    is_in(&selection.roots) && !is_in(&selection.removed)
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
        links.fill(&page, &selection, &mut renderer, PageFacts::default());
        let mut found = Vec::new();
        links.each(&page, |link| {
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
    fn lists_of_links_lead_to_headlines_or_parts_of_the_site() {
        let html = "<main><p>It rained.</main><ul><li><a href=1>Storms close the coast road</a>\
            <li><a href=2>Sport</a><li>A long remark with <a href=3>one link</a> in it\
            <li><a href=4>大雨で海岸道路が通行止め</a></ul>";
        let roles: Vec<_> = links(html).iter().map(|link| link.2).collect();
        assert_eq!(roles, ["related", "navigation", "other", "related"]);
    }

    #[test]
    fn pages_without_text_have_links_too() {
        assert!(links("").is_empty());
        assert_eq!(links("<a href=x><img src=y></a>")[0].2, "other");
        assert_eq!(links(&"<a href=x><div>".repeat(2000)).len(), 2000);
    }
}
