//! Takes footnotes together with the text that refers to them.
//!
//! The model misses many footnotes: they are short, apart, and often after the element of the
//! article. A mark is a short link in a line of chosen text that leads to a part of the page after
//! it. That part is taken too. So is a part with a link back to a mark, recognised by the names
//! that programs give such links. Cost: O(nodes + runs), only on pages with marks.

use crate::blocks::Segmentation;
use crate::regions::Regions;
use huller_page::{AttributeName, Attributes, Node, NodeFlags, Page, Tag};
use std::collections::HashMap;
use std::ops::Range;

/// Largest number of visible scalars of a mark: `[12]`, `*`.
const MAX_MARK_CHARS: u32 = 5;

/// Largest number of words of a part that may be a note.
const MAX_NOTE_WORDS: f32 = 400.0;

/// Parts of the URL of a link from a note back to its mark, in lower case.
const BACK: &[&str] = &[
    "fnref",
    "ftnref",
    "ednref",
    "noteref",
    "footnote-anchor",
    "footnote-ref",
    "footnotelink",
    "fn-ref",
    "ref-fn",
    "endnote-ref",
    "backlink",
];

/// Prefix of the names in encyclopedias' lists of sources, which are left to the model.
const SOURCES: &str = "cite_";

/// Buffers for notes, reused from page to page.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// The marks: the node of each link, and the hash of the name that it links to.
    marks: Vec<(u32, u64)>,
    /// The elements with these names, by the hash of the name: the first element with such an `id`,
    /// or the first link with such a `name`.
    places: HashMap<u64, u32>,
    attributes: Attributes,
}

impl Notes {
    /// Takes the footnotes that marks in taken blocks name.
    pub(crate) fn take(&mut self, page: &Page<'_>, blocks: &Segmentation, taken: &mut [bool]) {
        const MAX_KEPT_ENTRIES: usize = 1 << 10;
        self.marks.clear();
        self.marks.shrink_to(MAX_KEPT_ENTRIES);
        let marks = links(page).filter(|(node_index, fragment)| {
            is_mark(page, blocks, taken, *node_index) && !fragment.starts_with(SOURCES)
        });
        self.marks.extend(marks.map(|(node_index, fragment)| (node_index, name_hash(fragment))));
        let Some((first, _)) = self.marks.first().copied() else { return };
        self.find_places(page);
        for (mark, name) in &self.marks {
            if let Some(note) = self.places.get(name).filter(|note| *note > mark) {
                take_note(page, blocks, taken, *mark, *note);
            }
        }
        self.places.clear();
        self.places.shrink_to(MAX_KEPT_ENTRIES);
        for (node_index, fragment) in links(page).skip_while(|(node_index, _)| *node_index <= first)
        {
            if leads_back(fragment) {
                take_note(page, blocks, taken, first, node_index);
            }
        }
    }

    fn find_places(&mut self, page: &Page<'_>) {
        /// The value for names that the page lacks.
        const NOWHERE: u32 = 0;
        let Notes { marks, places, attributes } = self;
        places.clear();
        places.extend(marks.iter().map(|(_, name)| (*name, NOWHERE)));
        for (node_index, node) in (0_u32..).zip(page.nodes()) {
            let mut note = |name: &str| {
                if let Some(place) = places.get_mut(&name_hash(name))
                    && *place == NOWHERE
                {
                    *place = node_index;
                }
            };
            if let Some(id) = page.attribute(node, AttributeName::Id) {
                note(id);
            }
            if node.tag == Tag::A {
                let mut attribute_list = page.all_attributes(node, attributes);
                if let Some((_, name)) =
                    attribute_list.find(|(name, _)| name.eq_ignore_ascii_case("name"))
                {
                    note(name);
                }
            }
        }
    }
}

/// Returns a hash of the name of a part of a page. Decodes the escape of the colon, the only
/// escaped sign in such names.
fn name_hash(name: &str) -> u64 {
    let mut bytes = name.bytes();
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    while let Some(mut byte) = bytes.next() {
        let mut following_bytes = bytes.clone();
        if byte == b'%'
            && following_bytes.next() == Some(b'3')
            && matches!(following_bytes.next(), Some(b'A' | b'a'))
        {
            (byte, bytes) = (b':', following_bytes);
        }
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    hash
}

/// Returns whether a link leads from a note back to its mark, by the name that it links to.
fn leads_back(fragment: &str) -> bool {
    /// Number of positions in a name to search.
    const MAX_NAME_POSITIONS: usize = 128;
    let is = |back: &str| {
        let windows = fragment.as_bytes().windows(back.len()).take(MAX_NAME_POSITIONS);
        { windows }.any(|window| window.eq_ignore_ascii_case(back.as_bytes()))
    };
    BACK.iter().any(|back| is(back))
}

/// Returns the links to parts of the page, with the names of these parts.
fn links<'a>(page: &Page<'a>) -> impl Iterator<Item = (u32, &'a str)> + use<'a> {
    let page = *page;
    let nodes = (0_u32..).zip(page.nodes()).filter(|(_, node)| node.tag == Tag::A);
    nodes.filter_map(move |(node_index, node)| {
        let (_, fragment) = page.attribute(node, AttributeName::Href)?.trim().split_once('#')?;
        (!fragment.is_empty()).then_some((node_index, fragment))
    })
}

/// Returns whether a link is the mark of a note: short, and in a taken line of text.
fn is_mark(page: &Page<'_>, blocks: &Segmentation, taken: &[bool], node_index: u32) -> bool {
    let node = &page.nodes()[node_index as usize];
    if node.run_start >= node.run_end || !node.flags.contains(NodeFlags::IN_LINK) {
        return false;
    }
    let runs = &page.runs()[node.runs()];
    let chars = runs.iter().map(|run| run.counts.chars).sum::<u32>();
    if chars == 0 || chars > MAX_MARK_CHARS {
        return false;
    }
    let Some(block) = blocks.block_of(node.run_start) else { return false };
    taken[block] && blocks.blocks[block].chars >= 4 * chars.max(MAX_MARK_CHARS)
}

/// Takes the blocks of the note at the node `note`, whose mark is at the node `mark`.
fn take_note(page: &Page<'_>, blocks: &Segmentation, taken: &mut [bool], mark: u32, note: u32) {
    let element: &Node = &page.nodes()[note as usize];
    if matches!(element.tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6) {
        return;
    }
    let container = &blocks.containers[blocks.container_at(note)];
    // The small print of a site does not belong to a text, even if a mark refers to it.
    let is_in = |regions| container.regions.intersects(regions);
    if (is_in(Regions::FOOTER) || is_in(Regions::NAV))
        && !(is_in(Regions::ARTICLE) || is_in(Regions::MAIN))
    {
        return;
    }
    let is_apart = container.node > mark;
    let range = if is_apart {
        container.first_block as usize..container.end_block as usize
    } else {
        // A note without an element of its own is a line of the text.
        let Some(block) = blocks.block_of(element.run_start) else { return };
        block..block + 1
    };
    take(blocks, taken, range.clone());
    // The name of the note may be that of its number alone: the text of the note is beside it.
    let chars: u32 = blocks.blocks[range.clone()].iter().map(|block| block.chars).sum();
    if is_apart && chars <= MAX_MARK_CHARS && is_number_part(element.tag) {
        let parent = &page.nodes()[element.parent as usize];
        let beside = page.nodes().get(element.end as usize).filter(|_| element.end < parent.end);
        if let Some(text) = beside.filter(|text| text.run_start < text.run_end) {
            let from = blocks.first_block_from(text.run_start);
            let to = blocks.first_block_from(text.run_end);
            take(blocks, taken, from as usize..to as usize);
        }
    }
}

/// Returns whether an element of this kind may hold the number of a note beside its text.
fn is_number_part(tag: Tag) -> bool {
    matches!(tag, Tag::DT | Tag::TD | Tag::TH | Tag::DIV | Tag::P)
}

/// Takes the blocks of a note, unless they are too long for one.
fn take(blocks: &Segmentation, taken: &mut [bool], range: Range<usize>) {
    let words: f32 = range.clone().map(|block| blocks.words(block)).sum();
    if words <= MAX_NOTE_WORDS {
        for block in range.filter(|block| !blocks.is_comment(*block)) {
            taken[block] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    /// Returns the blocks that are taken besides the first, of a page with a paragraph of marks.
    fn notes(marks: &str, after: &str) -> Vec<String> {
        let html = format!(
            "<article><p>The quay was built by a widow{marks} and nobody remembers when.</p></article>{after}"
        );
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let mut taken = vec![false; blocks.blocks.len()];
        taken[0] = true;
        Notes::default().take(&page, &blocks, &mut taken);
        let text = |block: usize| {
            blocks.runs(block).map(|run| page.run_source(&page.runs()[run as usize])).collect()
        };
        (1..taken.len()).filter(|block| taken[*block]).map(text).collect()
    }

    #[test]
    fn notes_that_marks_name_are_taken() {
        for (marks, after, wanted) in [
            (
                "<sup><a href=#fn1>1</a></sup>",
                "<ol><li id=fn1>In 1782.<li id=fn2>Never.</ol>",
                "In 1782.",
            ),
            (
                "<sup id=r><a href='#fn:1'>1</a></sup>",
                "<div><li id='fn:1'><p>In 1782.</p></div>",
                "In 1782.",
            ),
            ("<a href='#fn%3A1'>[1]</a>", "<p id='fn:1'>In 1782.<p>Next", "In 1782."),
            (
                "<a href='#_ftn1' name='_ftnref1'>[1]</a>",
                "<hr><div><p><a href='#_ftnref1' name='_ftn1'>[1]</a> In 1782.</div>",
                "[1] In 1782.",
            ),
            ("<a href='/a?b=c#n'>*</a>", "<div id=n>In 1782.</div><div>x</div>", "In 1782."),
            ("<a href='#n'>†</a>", "<aside><p id=n>In 1782.</aside>", "In 1782."),
            (
                "<a class=footnote-anchor href='#footnote-1-9' id=footnote-anchor-1-9>1</a>",
                "<div class=footnote><a href='#footnote-anchor-1-9' id='footnote-1-9'>1</a><div><p>In 1782.</p></div></div>",
                "1|In 1782.",
            ),
            // The name is that of the number alone.
            ("<a href='#n'>1</a>", "<dl><dt id=n>1<dd><p>In 1782.<dt>2<dd>No</dl>", "1|In 1782."),
            (
                "<a href='#n'>1</a>",
                "<table><tr><td id=n>1<td>In 1782.<tr><td>2<td>No</table>",
                "1|In 1782.",
            ),
            (
                "<a href='#n'>1</a>",
                "<div><div id=n>[1]</div><div>In 1782.</div></div>",
                "[1]|In 1782.",
            ),
            ("<a href='#n'>1</a>", "<div><p id=n>[1]</p></div><p>Next", "[1]"),
            // The marks name no part of the page, and the note leads back.
            (
                "<a href='#fn:1'>1</a>",
                "<div><p><a href='#_ftnref1' name='_ftn1'>[1]</a> In 1782.</div>",
                "[1] In 1782.",
            ),
            ("<a href='#n1'>1</a>", "<ul><li>In 1782. <a href='#fnref1'>↩</a></ul>", "In 1782. ↩"),
            (
                "<a href='#n1'>1</a><a href='#n2'>2</a>",
                "<ol><li id=n1>One.<li id=n2>Two.</ol>",
                "One.|Two.",
            ),
        ] {
            assert_eq!(notes(marks, after).join("|"), wanted, "{marks} {after}");
        }
    }

    #[test]
    fn other_parts_of_a_page_are_no_notes() {
        let long = "word ".repeat(500);
        for (marks, after) in [
            ("<a href='#part'>see the second part of this page</a>", "<p id=part>Part."),
            ("<a href='#h'>2</a>", "<h2 id=h>Heading</h2>"),
            ("<a href='/other'>2</a>", "<p id=other>Other."),
            ("<a href='#gone'>2</a>", "<p id=here>Here."),
            ("<a href='#cite_note-1'>[1]</a>", "<li id='cite_note-1'>Source."),
            ("<a href='#all'>2</a>", &format!("<div id=all>{long}</div>")),
            ("", "<p id=fn1>No mark. <a href='#fnref1'>↩</a>"),
        ] {
            assert!(notes(marks, after).is_empty(), "{marks} {after}");
        }
    }
}
