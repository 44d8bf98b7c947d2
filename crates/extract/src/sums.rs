//! Sums over subtrees, as differences of prefix sums.
//!
//! One sweep over nodes and runs adds up what is kept; after that every sum of every subtree (specification 0.3) costs two
//! loads and a subtraction. Methods that need no more than this have no sweep of their own.

use crate::removal::Removal;
use crate::tags::Tags;
use huller_page::{Node, Page, Run, Tag};

/// Sums over one subtree: the node, its descendants and their text, less what is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Subtree {
    /// Unicode scalars that are neither white space nor zero width (nc).
    pub(crate) chars: u32,
    /// White gaps within runs (sp).
    pub(crate) gaps: u32,
    /// Punctuation scalars (pu).
    pub(crate) punctuation: u32,
    /// `chars` within links (lnc).
    pub(crate) linked_chars: u32,
    /// `gaps` within links (lsp).
    pub(crate) linked_gaps: u32,
    /// Elements, the node itself included.
    pub(crate) tags: u32,
    /// Link elements, the node itself included.
    pub(crate) link_tags: u32,
    /// `p` elements, the node itself included.
    pub(crate) paragraphs: u32,
    /// `br` and `wbr` elements, the node itself included.
    pub(crate) breaks: u32,
}

/// What stands before a run.
#[derive(Clone, Copy, Debug, Default)]
struct TextBefore {
    chars: u32,
    gaps: u32,
    punctuation: u32,
    linked_chars: u32,
    linked_gaps: u32,
}

/// What stands before a node: elements and links, `p` and breaks; two counts to a number, so that the sweep has them all at
/// hand. No page has so many nodes that one reaches the other.
type TagsBefore = [u64; 2];

const ELEMENT: u64 = 1;
const LINK: u64 = 1 << 32;
const PARAGRAPH: u64 = 1;
const BREAK: u64 = 1 << 32;

/// What a node adds by its tag alone.
static OF_TAG: [TagsBefore; 256] = {
    let mut table = [[ELEMENT, 0]; 256];
    table[Tag::P.index()][1] = PARAGRAPH;
    table[Tag::BR.index()][1] = BREAK;
    table[Tag::WBR.index()][1] = BREAK;
    table
};

/// Set in `kept` for a node that is a link or lies in one. No page has so many nodes: each takes three bytes of its 4 GiB.
const LINKED: u32 = 1 << 31;

/// Prefix sums of one page and one set of removed elements. Made once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    text: Vec<TextBefore>,
    tags: Vec<TagsBefore>,
    /// Indices of nodes, some with [`LINKED`].
    kept: Vec<u32>,
}

impl Sums {
    /// Sums up a page without the elements of `removal`, which are appended to `removed`. What lies in an element of `links`
    /// is linked text.
    pub(crate) fn fill(
        &mut self,
        page: &Page<'_>,
        removal: &Removal,
        links: &Tags,
        removed: &mut Vec<u32>,
    ) {
        let (nodes, runs) = (page.nodes(), page.runs());
        let (text_before, tags_before, kept) = (&mut self.text, &mut self.tags, &mut self.kept);
        text_before.clear();
        text_before.reserve(runs.len() + 1);
        tags_before.clear();
        tags_before.reserve(nodes.len() + 1);
        kept.clear();
        kept.resize(nodes.len(), 0);
        let kept_nodes = kept.as_mut_slice();
        let mut count = 0;
        let (mut text, mut tags) = (TextBefore::default(), TagsBefore::default());
        // Where the innermost link that is not left yet ends, as a node and as a run.
        let (mut link_end, mut link_run_end) = (0, 0);
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            if text_before.len() < node.run_start as usize {
                add_runs(text_before, &mut text, &runs[..node.run_start as usize], link_run_end);
            }
            tags_before.push(tags);
            if removal.removes(node) {
                removed.push(at as u32);
                text_before.resize(node.run_end as usize, text);
                at = node.end as usize;
                tags_before.resize(at, tags);
                continue;
            }
            let is_link = links.contains(node.tag);
            if is_link && at >= link_end {
                (link_end, link_run_end) = (node.end as usize, node.run_end as usize);
            }
            kept_nodes[count] = at as u32 | if at < link_end { LINKED } else { 0 };
            count += 1;
            let of_tag = OF_TAG[node.tag.index() & 0xFF];
            tags[0] += of_tag[0] + if is_link { LINK } else { 0 };
            tags[1] += of_tag[1];
            at += 1;
        }
        add_runs(text_before, &mut text, runs, link_run_end);
        text_before.push(text);
        tags_before.push(tags);
        kept.truncate(count);
    }

    /// The sums of one node that is kept.
    #[inline]
    pub(crate) fn of(&self, index: u32, node: &Node) -> Subtree {
        let (from, to) = (self.text[node.run_start as usize], self.text[node.run_end as usize]);
        let (first, last) = (self.tags[index as usize], self.tags[node.end as usize]);
        let tags: TagsBefore = std::array::from_fn(|sums| last[sums] - first[sums]);
        Subtree {
            chars: to.chars - from.chars,
            gaps: to.gaps - from.gaps,
            punctuation: to.punctuation - from.punctuation,
            linked_chars: to.linked_chars - from.linked_chars,
            linked_gaps: to.linked_gaps - from.linked_gaps,
            tags: tags[0] as u32,
            link_tags: (tags[0] >> 32) as u32,
            paragraphs: tags[1] as u32,
            breaks: (tags[1] >> 32) as u32,
        }
    }

    /// Its visible scalars alone.
    #[inline]
    pub(crate) fn chars(&self, node: &Node) -> u32 {
        self.text[node.run_end as usize].chars - self.text[node.run_start as usize].chars
    }

    /// The kept nodes in pre-order, each with whether it is a link or lies in one.
    pub(crate) fn kept(&self) -> impl DoubleEndedIterator<Item = (u32, bool)> + '_ {
        self.kept.iter().map(|kept| (kept & !LINKED, kept & LINKED != 0))
    }
}

/// Adds the runs not added yet, the last of `runs`. A call, lest it take the registers of the sweep.
#[inline(never)]
fn add_runs(before: &mut Vec<TextBefore>, sum: &mut TextBefore, runs: &[Run], link_run_end: usize) {
    while let Some(run) = runs.get(before.len()) {
        let linked = if before.len() < link_run_end { u32::MAX } else { 0 };
        before.push(*sum);
        sum.chars += run.counts.chars;
        sum.gaps += run.counts.gaps;
        sum.punctuation += run.counts.punctuation;
        sum.linked_chars += run.counts.chars & linked;
        sum.linked_gaps += run.counts.gaps & linked;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use proptest::prelude::*;

    /// The definition: visits every descendant of every node.
    fn naive(page: &Page<'_>, root: u32, removal: &Removal, links: &Tags) -> Subtree {
        let nodes = page.nodes();
        let up = |mut at: u32, holds: &dyn Fn(&Node) -> bool| loop {
            if holds(&nodes[at as usize]) {
                break true;
            }
            if at == 0 {
                break false;
            }
            at = nodes[at as usize].parent;
        };
        let mut sums = Subtree::default();
        for at in root..nodes[root as usize].end {
            let node = &nodes[at as usize];
            if up(at, &|node| removal.removes(node)) {
                continue;
            }
            sums.tags += 1;
            sums.link_tags += u32::from(links.contains(node.tag));
            sums.paragraphs += u32::from(node.tag == Tag::P);
            sums.breaks += u32::from(node.tag == Tag::BR || node.tag == Tag::WBR);
            for run in page.runs().iter().filter(|run| run.node == at) {
                sums.chars += run.counts.chars;
                sums.gaps += run.counts.gaps;
                sums.punctuation += run.counts.punctuation;
                if up(at, &|node| links.contains(node.tag)) {
                    sums.linked_chars += run.counts.chars;
                    sums.linked_gaps += run.counts.gaps;
                }
            }
        }
        sums
    }

    proptest! {
        #[test]
        fn equal_the_definition(parts in prop::collection::vec(prop::sample::select(vec![
            "<div>", "</div>", "<p>", "<a>", "</a>", "<nav>", "</nav>", "<button>", "</button>", "<br>", "<b>", "</b>",
            "a b, c", "中文。", " ", "<table><tr><td>", "</table>", "<script>x</script>", "<form>", "</form>",
        ]), 0..60)) {
            let html = parts.concat();
            let mut buffer = PageBuf::new();
            let page = buffer.fill(&html);
            let links = Tags::NONE.and(&[Tag::A, Tag::BUTTON]);
            for removal in [Removal::of(Tags::CORE), Removal::of(Tags::CORE.and(&[Tag::NAV])).and_small_forms()] {
                let mut sums = Sums::default();
                let mut removed = Vec::new();
                sums.fill(&page, &removal, &links, &mut removed);
                for (index, _) in sums.kept() {
                    let node = &page.nodes()[index as usize];
                    prop_assert_eq!(sums.of(index, node), naive(&page, index, &removal, &links));
                }
                prop_assert_eq!(
                    sums.kept().count(),
                    naive(&page, 0, &removal, &links).tags as usize
                );
            }
        }
    }
}
