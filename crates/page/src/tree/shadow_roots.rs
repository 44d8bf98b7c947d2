//! Shows elements with a shadow root as browsers do.
//!
//! A `template` with `shadowrootmode` becomes the shadow root of the element around it. Browsers
//! then show the root in place of the other children, the light ones. A `slot` of the root shows
//! the light children of its name, or its own content if there are none. The columns keep the order
//! of the source. So a light child without a slot, and the content of a filled slot, become
//! `template` elements here, whose content nothing shows. Light text without a slot is removed.
//!
//! Cost: O(nodes + runs) on pages with shadow roots, besides sorting the slots, else nothing.

use crate::columns::Columns;
use crate::memory::clear_and_shrink;
use crate::node::{Node, NodeFlags};
use crate::page::Page;
use crate::tag::Tag;
use crate::tokenizer::Attributes;

/// The elements with shadow roots of one page.
#[derive(Debug, Default)]
pub(super) struct ShadowRoots {
    /// The hosts that may still be open, outermost first.
    hosts: Vec<u32>,
    is_any: bool,
}

impl ShadowRoots {
    pub(super) fn clear(&mut self) {
        const KEEP: usize = 1 << 8;
        clear_and_shrink(&mut self.hosts, KEEP);
        self.is_any = false;
    }

    /// Notes a shadow root directly in the innermost open element. Returns whether it is the first
    /// one of a possible host.
    #[cold]
    pub(super) fn add(&mut self, html: &str, host: u32, node: &Node) -> bool {
        if !may_be_host(html, node) {
            return false;
        }
        // Nodes after the innermost open one have ended.
        while self.hosts.pop_if(|other| *other > host).is_some() {}
        if self.hosts.last() == Some(&host) {
            return false;
        }
        self.hosts.push(host);
        self.is_any = true;
        true
    }

    /// Hides what the shadow roots of a complete page hide.
    pub(super) fn apply(&self, html: &str, columns: &mut Columns) {
        if !self.is_any {
            return;
        }
        let plan = HiddenParts::find(&Page::new(html, columns));
        for node in plan.nodes {
            columns.nodes[node as usize].tag = Tag::TEMPLATE;
        }
        for node in plan.apart_from_next {
            columns.nodes[node as usize].flags.insert(NodeFlags::SPACE_AT_END);
        }
        for node in plan.apart_from_last {
            columns.nodes[node as usize].flags.insert(NodeFlags::SPACE_BEFORE);
        }
        if !plan.runs.is_empty() {
            remove_runs(columns, plan.runs);
        }
    }
}

/// Returns whether an element may have a shadow root: custom elements and some others (DOM
/// standard, "attach a shadow root").
fn may_be_host(html: &str, node: &Node) -> bool {
    match node.tag {
        Tag::ARTICLE
        | Tag::ASIDE
        | Tag::BLOCKQUOTE
        | Tag::BODY
        | Tag::DIV
        | Tag::FOOTER
        | Tag::H1
        | Tag::H2
        | Tag::H3
        | Tag::H4
        | Tag::H5
        | Tag::H6
        | Tag::HEADER
        | Tag::MAIN
        | Tag::NAV
        | Tag::P
        | Tag::SECTION
        | Tag::SPAN => true,
        Tag::UNKNOWN => source_name(html, node).contains(&b'-'),
        _ => false,
    }
}

/// Returns the first bytes of the name of an element as written.
fn source_name<'a>(html: &'a str, node: &Node) -> &'a [u8] {
    const MAX_NAME_BYTES: usize = 64;
    let source = html.as_bytes().get(node.byte_start as usize + 1..).unwrap_or_default();
    let source = &source[..source.len().min(MAX_NAME_BYTES)];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    &source[..source.iter().position(is_end).unwrap_or(source.len())]
}

/// A `slot` in a shadow root. Its name is empty if it has none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Slot<'a> {
    root: u32,
    name: &'a str,
    node: u32,
}

/// The parts of a page that its shadow roots hide.
#[derive(Default)]
struct HiddenParts {
    nodes: Vec<u32>,
    /// Runs directly in hosts.
    runs: Vec<u32>,
    /// Elements that are shown apart from the text after them, or before them: roots beside light
    /// text, and light children of different slots.
    apart_from_next: Vec<u32>,
    apart_from_last: Vec<u32>,
}

impl HiddenParts {
    fn find(page: &Page<'_>) -> HiddenParts {
        let mut hidden = HiddenParts::default();
        let mut attributes = Attributes::default();
        let (mut roots, mut open, mut slots) = (Vec::new(), Vec::<u32>::new(), Vec::new());
        for (at, node) in (0_u32..).zip(page.nodes()) {
            while open.pop_if(|root| page.nodes()[*root as usize].end <= at).is_some() {}
            let is_root = node.tag == Tag::UNKNOWN
                && source_name(page.html(), node).eq_ignore_ascii_case(b"template");
            if is_root {
                roots.push(at);
                open.push(at);
            } else if node.tag == Tag::SLOT
                && let Some(root) = open.last()
            {
                let name = attribute(page, node, "name", &mut attributes);
                slots.push(Slot { root: *root, name, node: at });
            }
        }
        slots.sort_unstable();
        for root in roots {
            let first = slots.partition_point(|slot| slot.root < root);
            let slots = &slots[first..];
            let slots = &slots[..slots.partition_point(|slot| slot.root == root)];
            hidden.add_of_root(page, root, slots, &mut attributes);
        }
        hidden.runs.sort_unstable();
        hidden
    }

    /// Adds the parts that one shadow root hides. `slots` are those of the root.
    fn add_of_root<'a>(
        &mut self,
        page: &Page<'a>,
        root: u32,
        slots: &[Slot<'a>],
        attributes: &mut Attributes,
    ) {
        let nodes = page.nodes();
        let host = &nodes[nodes[root as usize].parent as usize];
        let has_slot = |name: &str| slots.binary_search_by(|slot| slot.name.cmp(name)).is_ok();
        let shows_text = has_slot("");
        // The parts that are shown: their slots, and their nodes if they are elements.
        let mut filled: Vec<&str> = Vec::new();
        let mut last: Option<(Option<&str>, Option<u32>)> = None;
        let (mut child, mut run) = (nodes[root as usize].parent + 1, host.run_start);
        loop {
            let node = (child < host.end).then(|| &nodes[child as usize]);
            let text_end = node.map_or(host.run_end, |node| node.run_start);
            if run < text_end && shows_text {
                filled.push("");
                self.part(&mut last, (Some(""), None));
            } else {
                self.runs.extend(run..text_end);
            }
            let Some(node) = node else { break };
            if child == root {
                if !node.runs().is_empty() {
                    self.part(&mut last, (None, Some(child)));
                }
            } else if node.tag != Tag::TEMPLATE {
                let name = attribute(page, node, "slot", attributes);
                if has_slot(name) {
                    filled.push(name);
                    if !node.runs().is_empty() {
                        self.part(&mut last, (Some(name), Some(child)));
                    }
                } else {
                    self.nodes.push(child);
                }
            }
            run = node.run_end;
            child = node.end;
        }
        filled.sort_unstable();
        let is_filled = |slot: &&Slot<'_>| filled.binary_search(&slot.name).is_ok();
        self.nodes.extend(slots.iter().filter(is_filled).map(|slot| slot.node));
    }

    /// Sets a part that is shown apart from the last one, if that has another slot. The slot of the
    /// root is `None`.
    fn part<'a>(
        &mut self,
        last: &mut Option<(Option<&'a str>, Option<u32>)>,
        part: (Option<&'a str>, Option<u32>),
    ) {
        if let Some((slot, node)) = last.replace(part)
            && slot != part.0
        {
            match (node, part.1) {
                (Some(node), _) => self.apart_from_next.push(node),
                (None, Some(node)) => self.apart_from_last.push(node),
                (None, None) => {}
            }
        }
    }
}

/// Returns the value, as written, of an attribute; empty if it is absent.
fn attribute<'a>(page: &Page<'a>, node: &Node, name: &str, attributes: &mut Attributes) -> &'a str {
    let mut all = page.all_attributes(node, attributes);
    all.find(|(known, _)| known.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
}

/// Removes runs, which are in ascending order, and renumbers the others.
fn remove_runs(columns: &mut Columns, removed: Vec<u32>) {
    let mut removed = removed.into_iter().peekable();
    let mut next = 0_u32;
    let mut places: Vec<u32> = Vec::with_capacity(columns.runs.len() + 1);
    let mut is_kept: Vec<bool> = Vec::with_capacity(columns.runs.len());
    let mut level = u16::MAX;
    for (index, run) in (0_u32..).zip(&mut columns.runs) {
        places.push(next);
        let is_removed = removed.next_if_eq(&index).is_some();
        is_kept.push(!is_removed);
        level = level.min(run.min_level);
        if is_removed {
            let children = &mut columns.nodes[run.node as usize].children;
            *children = children.saturating_sub(1);
        } else {
            next += 1;
            run.min_level = level;
            level = u16::MAX;
        }
    }
    places.push(next);
    let mut index = 0;
    columns.runs.retain(|_| {
        index += 1;
        is_kept[index - 1]
    });
    for node in &mut columns.nodes {
        node.run_start = places[node.run_start as usize];
        node.run_end = places[node.run_end as usize];
    }
    for white in &mut columns.white_runs {
        white.run = places[white.run as usize];
    }
    columns.runs_in_source.retain(|run| is_kept[*run as usize]);
    for run in &mut columns.runs_in_source {
        *run = places[*run as usize];
    }
}

#[cfg(test)]
mod tests {
    use crate::node::NodeFlags;
    use crate::tag::Tag;
    use crate::{Page, PageBuf};

    const OPEN: &str = "<template shadowrootmode=open>";

    /// Checks the numbers of nodes and runs against each other.
    #[track_caller]
    fn check_ranges(page: &Page<'_>) {
        for (at, node) in page.nodes().iter().enumerate() {
            assert!(node.run_start <= node.run_end && node.run_end as usize <= page.runs().len());
            let parent = &page.nodes()[node.parent as usize];
            assert!(parent.run_start <= node.run_start && node.run_end <= parent.run_end);
            assert!(at < node.end as usize);
        }
        for (index, run) in (0_u32..).zip(page.runs()) {
            let node = &page.nodes()[run.node as usize];
            assert!((node.run_start..node.run_end).contains(&index));
        }
    }

    /// Returns the runs outside templates, in document order.
    fn shown(html: &str) -> String {
        let html = html.replace("ROOT", OPEN);
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        check_ranges(&page);
        let is_shown = |run: &&crate::Run| {
            let around = std::iter::successors(Some(run.node), |at| {
                (*at > 0).then(|| page.nodes()[*at as usize].parent)
            });
            { around }.all(|at| page.nodes()[at as usize].tag != Tag::TEMPLATE)
        };
        let runs: Vec<&str> =
            page.runs().iter().filter(is_shown).map(|run| page.run_source(run).trim()).collect();
        runs.join("|")
    }

    #[track_caller]
    fn check(cases: &[(&str, &str)]) {
        for (html, wanted) in cases {
            assert_eq!(shown(html), *wanted, "{html}");
        }
    }

    #[test]
    fn a_root_counts_once_and_only_in_elements_that_may_have_one() {
        check(&[
            ("<div>ROOT<p>a</template>ROOTb</template></div>c", "a|c"),
            ("<a href=/x>ROOTa</template>b</a>", "b"),
            ("<ul>ROOT<li>a</template><li>b</ul>", "b"),
            ("<table><tr><td>ROOTa</template>b</table>", "b"),
            ("<xa>ROOTa</template>b</xa>", "b"),
            ("<x-a>ROOTa</template></x-a><x-a>ROOTb</template></x-a>", "a|b"),
            ("<x-a>ROOT<x-b>ROOTa</template></x-b>b</template>ROOTc</template></x-a>", "a|b"),
            ("<x-a>ROOTROOTa</template>b</template></x-a>", "b"),
        ]);
    }

    #[test]
    fn light_children_without_a_slot_are_not_shown() {
        check(&[
            ("<x-a>ROOT<p>a</template>b<p>c</p>d</x-a>e", "a|e"),
            ("x<x-a>b<p>c</p>ROOT<p>a</template></x-a>e", "x|a|e"),
            ("<x-a>ROOTa<slot></slot></template>b<p>c</p></x-a>", "a|b|c"),
            (
                "<x-a>ROOTa<slot name=n></slot></template>b<p slot=n>c</p><p slot=m>d</p></x-a>",
                "a|c",
            ),
            (
                "<x-a>ROOTa<slot name=n></slot><slot></slot></template>b<p slot=n>c</p></x-a>",
                "a|b|c",
            ),
            // The slot belongs to the root of the inner host.
            ("<x-a>ROOT<x-b>ROOT<slot></slot></template>a</x-b></template>b</x-a>", "a"),
            ("<x-a>ROOT<x-b>ROOTa</template><slot></slot></x-b></template>b</x-a>", "a|b"),
        ]);
    }

    #[test]
    fn the_content_of_a_filled_slot_is_not_shown() {
        check(&[
            ("<x-a>ROOT<p><slot>a</slot></template><b>c</b></x-a>", "c"),
            ("<x-a>ROOT<p><slot>a</slot></template>c</x-a>", "c"),
            ("<x-a>ROOT<p><slot>a</slot></template></x-a>", "a"),
            ("<x-a>ROOT<slot name=n>a</slot><slot>b</slot></template><i slot=n>c</i></x-a>", "b|c"),
            ("<x-a>ROOT<slot name=n>a</slot><slot>b</slot></template>c</x-a>", "a|c"),
        ]);
    }

    #[test]
    fn a_root_and_the_light_text_after_it_are_apart() {
        let spaced = |html: &str| {
            let html = html.replace("ROOT", OPEN);
            let mut buffer = PageBuf::new();
            let page = buffer.fill(&html);
            let flags = page.nodes().iter().map(|node| node.flags);
            flags.filter(|flags| flags.contains(NodeFlags::SPACE_AT_END)).count()
        };
        assert_eq!(spaced("<x-a>ROOTa<slot></slot></template>b</x-a>"), 1);
        assert_eq!(spaced("<x-a>ROOTa<slot></slot></template><b>b</b></x-a>"), 1);
        assert_eq!(spaced("<x-a>ROOT<slot name=n></slot></template><b slot=n>b</b>c</x-a>"), 0);
        assert_eq!(
            spaced("<x-a>ROOT<slot name=n></slot><slot></slot></template><b slot=n>b</b>c</x-a>"),
            1
        );
        assert_eq!(spaced("<x-a>ROOT<slot></slot></template><b>b</b>c<b>d</b></x-a>"), 0);
        assert_eq!(spaced("<x-a>ROOTa</template>b</x-a>,"), 0);
        assert_eq!(spaced("<x-a>ROOTa</template></x-a>,"), 0);
    }

    #[test]
    fn removed_text_leaves_white_space_and_moved_content_in_place() {
        let html = "<x-a>ROOT<p>a</template>b</x-a><pre> <i>c</i>\n <b>d</b></pre>\
            <table>e<tr><td>f</table>g";
        check(&[(html, "a|c|d|e|f|g")]);
        let html = html.replace("ROOT", OPEN);
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let whites: Vec<u32> = page.white_runs().iter().map(|white| white.run).collect();
        assert_eq!(whites, [1, 2]);
    }

    #[test]
    fn many_roots_cost_no_more_than_their_text() {
        let deep = format!("{}a", "<x-a>ROOT<slot>x</slot>b".repeat(20_000));
        shown(&deep);
        let many = |one: fn(u32) -> String| (0..20_000).map(one).collect::<Vec<_>>().concat();
        let slots = many(|n| format!("<slot name=n{n}>x</slot>"));
        let children = many(|n| format!("<p slot=n{n}>y"));
        let wide = format!("<x-a>ROOT{slots}</template>{children}</x-a>");
        assert_eq!(shown(&wide).len(), 2 * 20_000 - 1);
    }
}
