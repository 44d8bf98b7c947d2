//! A subtree as the sequence of its starts, texts and ends.
//!
//! Nodes and runs are merged into document order; elements that are not kept are passed over as wholes. Where an element ends is
//! known from its parent, so there is no stack. Cost: O(nodes + runs).

use crate::removal::Removal;
use huller_page::Page;

/// What comes next in a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// An element begins.
    Open(u32),
    /// A run of text.
    Run(u32),
    /// An element ends; void ones do too.
    Close(u32),
    /// An element that is not kept, with all that is in it.
    Removed(u32),
}

/// Goes over the events of a subtree, which is not empty unless its root is removed.
pub(crate) struct Events<'a, 'r> {
    page: Page<'a>,
    removal: &'r Removal,
    root: u32,
    /// Innermost element that is open; `None` before the root and after it.
    open: Option<u32>,
    node: u32,
    run: u32,
}

impl<'a, 'r> Events<'a, 'r> {
    pub(crate) fn new(page: &Page<'a>, root: u32, removal: &'r Removal) -> Events<'a, 'r> {
        let run = page.nodes()[root as usize].run_start;
        Events { page: *page, removal, root, open: None, node: root, run }
    }
}

impl Iterator for Events<'_, '_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let nodes = self.page.nodes();
        let end = nodes[self.root as usize].end;
        if let Some(open) = self.open {
            let node = &nodes[open as usize];
            if node.end <= self.node && node.run_end <= self.run {
                self.open = (open != self.root).then_some(node.parent);
                return Some(Event::Close(open));
            }
        } else if self.node > self.root {
            return None;
        }
        let index = self.node;
        let next = (index < end).then(|| &nodes[index as usize]);
        let Some(node) = next.filter(|node| node.run_start <= self.run) else {
            self.run += 1;
            return Some(Event::Run(self.run - 1));
        };
        if self.removal.removes(node) {
            self.node = node.end;
            self.run = self.run.max(node.run_end);
            return Some(Event::Removed(index));
        }
        self.node += 1;
        self.open = Some(index);
        Some(Event::Open(index))
    }
}

/// The page's body.
pub(crate) fn body(page: &Page<'_>) -> u32 {
    let found = page.nodes().iter().position(|node| node.tag == huller_page::Tag::BODY);
    found.unwrap_or_default() as u32
}

/// The innermost element that holds all runs from `first` to `last`.
pub(crate) fn around(page: &Page<'_>, first: u32, last: u32) -> u32 {
    let nodes = page.nodes();
    let mut at = page.runs()[first as usize].node;
    // No element lies deeper than the page's cap, so this ends soon.
    while nodes[at as usize].run_end <= last && at > 0 {
        at = nodes[at as usize].parent;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::Tags;
    use huller_page::PageBuf;
    use huller_page::Tag;
    use proptest::prelude::*;

    /// The definition: children and runs by where they begin.
    fn naive(page: &Page<'_>, root: u32, removal: &Removal, out: &mut Vec<Event>) {
        let node = &page.nodes()[root as usize];
        if removal.removes(node) {
            out.push(Event::Removed(root));
            return;
        }
        out.push(Event::Open(root));
        let children = (root + 1..node.end).filter(|at| page.nodes()[*at as usize].parent == root);
        let children = children.map(|at| (page.nodes()[at as usize].byte_start, 0, at));
        let runs = (node.run_start..node.run_end).map(|at| (at, &page.runs()[at as usize]));
        let runs = runs.filter(|(_, run)| run.node == root);
        let mut inside: Vec<_> =
            children.chain(runs.map(|(at, run)| (run.byte_start, 1, at))).collect();
        inside.sort_unstable();
        for (_, kind, at) in inside {
            if kind == 0 {
                naive(page, at, removal, out);
            } else {
                out.push(Event::Run(at));
            }
        }
        out.push(Event::Close(root));
    }

    proptest! {
        #[test]
        fn equal_the_definition(parts in prop::collection::vec(prop::sample::select(vec![
            "<div>", "</div>", "<p>", "<a>", "</a>", "<nav>", "</nav>", "<img>", "<br>", "<b>", "</b>",
            "a b, c", "中文。", " ", "<table><tr><td>", "</table>", "<script>x</script>", "<!-- -->", "<form>", "</form>",
        ]), 0..60)) {
            let html = parts.concat();
            let mut buffer = PageBuf::new();
            let page = buffer.fill(&html);
            for removal in [Removal::of(Tags::CORE), Removal::of(Tags::CORE.and(&[Tag::NAV])).and_small_forms(), Removal::of(Tags::NONE.and(&[Tag::BODY]))] {
                let mut expected = Vec::new();
                naive(&page, body(&page), &removal, &mut expected);
                let events: Vec<_> = Events::new(&page, body(&page), &removal).collect();
                prop_assert_eq!(events, expected);
            }
        }
    }

    #[test]
    fn the_innermost_element_around_runs_is_found() {
        let mut buffer = PageBuf::new();
        let page = buffer.fill("<div>a<p>b<i>c</i></p>d</div><p>e</p>");
        let tag = |first, last| page.nodes()[around(&page, first, last) as usize].tag;
        assert_eq!(
            [tag(0, 0), tag(1, 1), tag(2, 2), tag(1, 2), tag(1, 3), tag(3, 4)],
            [Tag::DIV, Tag::P, Tag::I, Tag::P, Tag::DIV, Tag::BODY]
        );
    }
}
