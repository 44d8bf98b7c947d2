//! Sums over subtrees, as differences of prefix sums.
//!
//! One sweep over nodes and runs sums the kept content. After that each sum over a subtree
//! (specification 0.3) costs two loads and one subtraction. Extractors that need only these sums
//! have no sweep of their own.

use crate::removal::Removal;
use huller_page::TagTable;
use huller_page::{Node, Page, Run, RunFlags, Tag};

/// Sums over one subtree: the node, its descendants and their text, without removed content.
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

/// Sums of the text before a run.
#[derive(Clone, Copy, Debug, Default)]
struct TextBefore {
    /// Number of visible scalars.
    chars: u32,
    /// Number of gaps between words.
    gaps: u32,
    /// Number of punctuation scalars.
    punctuation: u32,
    /// Number of visible scalars in links.
    linked_chars: u32,
    /// Number of gaps in links.
    linked_gaps: u32,
}

/// Counts of the elements before a node, two in each number: elements (low half) and links (high
/// half); `p` elements (low) and breaks (high). Packed, they stay in registers during the sweep. A
/// page has fewer than 2^32 nodes, so a count cannot overflow into the other half.
type TagsBefore = [u64; 2];

const ELEMENT: u64 = 1;
const LINK: u64 = 1 << 32;
const PARAGRAPH: u64 = 1;
const BREAK: u64 = 1 << 32;

/// The elements that count as links.
#[derive(Debug)]
pub(crate) struct Links {
    /// The amounts that a node of each tag adds to the counts.
    adds: [TagsBefore; 256],
    /// The tags other than `a`. For `a`, the page itself flags the runs in links.
    others: TagTable,
}

/// Counts only `a` as a link.
pub(crate) static LINKS: Links = Links::and(&[]);

impl Links {
    /// Counts `a` and the given tags as links.
    pub(crate) const fn and(other_tags: &[Tag]) -> Links {
        let mut adds = [[ELEMENT, 0]; 256];
        adds[Tag::P.index()][1] = PARAGRAPH;
        adds[Tag::BR.index()][1] = BREAK;
        adds[Tag::WBR.index()][1] = BREAK;
        adds[Tag::A.index()][0] += LINK;
        let mut index = 0;
        while index < other_tags.len() {
            adds[other_tags[index].index()][0] += LINK;
            index += 1;
        }
        Links { adds, others: TagTable::NONE.with(other_tags) }
    }

    /// Returns whether elements with this tag count as links.
    #[inline]
    pub(crate) fn contains(&self, tag: Tag) -> bool {
        tag == Tag::A || self.others.contains(tag)
    }
}

/// Prefix sums of one page under one removal. Created once and refilled.
#[derive(Debug, Default)]
pub(crate) struct PrefixSums {
    text: Vec<TextBefore>,
    tags: Vec<TagsBefore>,
    /// Indices of the kept nodes.
    kept: Vec<u32>,
}

impl PrefixSums {
    /// Sums up a page without the elements that `removal` removes, and appends these to `removed`.
    /// Text in an element of `links` is linked text.
    pub(crate) fn fill(
        &mut self,
        page: &Page<'_>,
        removal: &Removal,
        links: &Links,
        removed: &mut Vec<u32>,
    ) {
        let (nodes, runs) = (page.nodes(), page.runs());
        let PrefixSums { text: text_before, tags: tags_before, kept } = self;
        text_before.clear();
        tags_before.clear();
        kept.clear();
        let (mut text, mut tags) = (TextBefore::default(), TagsBefore::default());
        // All runs before this index are linked.
        let mut linked_end = 0;
        let mut index = 0;
        loop {
            // Removed and link elements are usually far apart; the nodes between them take the fast
            // loop.
            let is_special = |node: &Node| removal.removes(node) || links.others.contains(node.tag);
            let ahead = &nodes[index..];
            let ahead = &ahead[..ahead.iter().position(is_special).unwrap_or(ahead.len())];
            kept.extend(index as u32..(index + ahead.len()) as u32);
            tags_before.extend(ahead.iter().map(|node| counts_before(&mut tags, links, node)));
            index += ahead.len();
            let Some(node) = nodes.get(index) else { break };
            add_runs(text_before, &mut text, &runs[..node.run_start as usize], linked_end);
            if removal.removes(node) {
                removed.push(index as u32);
                text_before.resize(node.run_end as usize, text);
                index = node.end as usize;
                tags_before.resize(index, tags);
            } else {
                linked_end = linked_end.max(node.run_end as usize);
                kept.push(index as u32);
                tags_before.push(counts_before(&mut tags, links, node));
                index += 1;
            }
        }
        add_runs(text_before, &mut text, runs, linked_end);
        text_before.push(text);
        tags_before.push(tags);
    }

    /// Returns the sums over the subtree of a kept node.
    #[inline(always)]
    pub(crate) fn subtree(&self, index: u32, node: &Node) -> Subtree {
        let (text_before, text_to_end) =
            (self.text[node.run_start as usize], self.text[node.run_end as usize]);
        let (tags_before, tags_to_end) = (self.tags[index as usize], self.tags[node.end as usize]);
        let tags: TagsBefore = std::array::from_fn(|sums| tags_to_end[sums] - tags_before[sums]);
        Subtree {
            chars: text_to_end.chars - text_before.chars,
            gaps: text_to_end.gaps - text_before.gaps,
            punctuation: text_to_end.punctuation - text_before.punctuation,
            linked_chars: text_to_end.linked_chars - text_before.linked_chars,
            linked_gaps: text_to_end.linked_gaps - text_before.linked_gaps,
            tags: tags[0] as u32,
            link_tags: (tags[0] >> 32) as u32,
            paragraphs: tags[1] as u32,
            breaks: (tags[1] >> 32) as u32,
        }
    }

    /// Returns the number of visible scalars in a node's subtree.
    #[inline]
    pub(crate) fn chars(&self, node: &Node) -> u32 {
        self.text[node.run_end as usize].chars - self.text[node.run_start as usize].chars
    }

    /// Returns the number of visible scalars within links in a node's subtree.
    #[inline]
    pub(crate) fn linked_chars(&self, node: &Node) -> u32 {
        let linked_before = |run: u32| self.text[run as usize].linked_chars;
        linked_before(node.run_end) - linked_before(node.run_start)
    }

    /// Returns the kept nodes in pre-order.
    pub(crate) fn kept_nodes(&self) -> &[u32] {
        &self.kept
    }

    /// Returns the kept nodes in pre-order, from the given node on.
    pub(crate) fn kept_from(&self, node: u32) -> &[u32] {
        &self.kept[self.kept.partition_point(|kept| *kept < node)..]
    }
}

/// Returns the counts before a node, then adds the node to them.
#[inline]
fn counts_before(tags: &mut TagsBefore, links: &Links, node: &Node) -> TagsBefore {
    let tags_before = *tags;
    let adds = links.adds[node.tag.index()];
    tags[0] += adds[0];
    tags[1] += adds[1];
    tags_before
}

/// Appends the sums of the runs in `runs` that are still missing. All runs before the index
/// `linked_end` are linked.
fn add_runs(before: &mut Vec<TextBefore>, sum: &mut TextBefore, runs: &[Run], linked_end: usize) {
    let first_index = before.len();
    before.extend(runs[first_index..].iter().enumerate().map(|(index, run)| {
        let before = *sum;
        let Run { counts, flags, .. } = run;
        let is_linked = flags.contains(RunFlags::IN_LINK) || first_index + index < linked_end;
        let linked = if is_linked { u32::MAX } else { 0 };
        sum.chars += counts.chars;
        sum.gaps += counts.gaps;
        sum.punctuation += counts.punctuation;
        sum.linked_chars += counts.chars & linked;
        sum.linked_gaps += counts.gaps & linked;
        before
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use huller_select::no_content;
    use proptest::prelude::*;

    /// Computes the sums by definition: visits every descendant of every node.
    fn naive(page: &Page<'_>, root: u32, removal: &Removal, links: &Links) -> Subtree {
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
                // A link may end before an element in it does, so the run's flag shows whether its
                // text is in a link.
                let in_other = up(at, &|node| node.tag != Tag::A && links.contains(node.tag));
                if run.flags.contains(RunFlags::IN_LINK) || in_other {
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
            let links = Links::and(&[Tag::BUTTON]);
            for removal in [Removal::from_tags(no_content::CORE), Removal::from_tags(no_content::CORE.with(&[Tag::NAV])).and_small_forms()] {
                let mut sums = PrefixSums::default();
                let mut removed = Vec::new();
                sums.fill(&page, &removal, &links, &mut removed);
                for index in sums.kept_nodes() {
                    let node = &page.nodes()[*index as usize];
                    prop_assert_eq!(sums.subtree(*index, node), naive(&page, *index, &removal, &links));
                }
                prop_assert_eq!(
                    sums.kept_nodes().len(),
                    naive(&page, 0, &removal, &links).tags as usize
                );
            }
        }
    }
}
