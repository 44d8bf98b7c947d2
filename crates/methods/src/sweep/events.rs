//! A subtree as a sequence of element starts, runs of text and element ends.
//!
//! The iterator merges nodes and runs into document order and skips removed elements with all their
//! content. It needs no stack: if an element ends, its parent becomes the open one. Cost: O(nodes +
//! runs).

use crate::removal::Removal;
use huller_page::Page;

/// One event of a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// An element begins.
    Open(u32),
    /// A run of text.
    Run(u32),
    /// An element ends. Void elements have this event too.
    Close(u32),
    /// A removed element, with all its content.
    Removed(u32),
}

/// Iterates over the events of a subtree.
pub(crate) struct Events<'a, 'r> {
    page: Page<'a>,
    removal: &'r Removal,
    /// Index of the root of the subtree.
    root: u32,
    /// The innermost open element; `None` before the root begins and after it has ended.
    open: Option<u32>,
    /// Index of the next node.
    node: u32,
    /// Index of the next run.
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
        let next_node = (index < end).then(|| &nodes[index as usize]);
        let Some(node) = next_node.filter(|node| node.run_start <= self.run) else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use huller_page::Tag;
    use huller_page::TagTable;
    use huller_select::no_content;
    use proptest::prelude::*;

    /// Computes the events by definition: children and runs sorted by their beginnings.
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
            for removal in [Removal::from_tags(no_content::CORE), Removal::from_tags(no_content::CORE.with(&[Tag::NAV])).and_small_forms(), Removal::from_tags(TagTable::NONE.with(&[Tag::BODY]))] {
                let mut expected = Vec::new();
                naive(&page, page.body(), &removal, &mut expected);
                let events: Vec<_> = Events::new(&page, page.body(), &removal).collect();
                prop_assert_eq!(events, expected);
            }
        }
    }
}
