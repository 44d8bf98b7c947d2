//! Cuts a page top-down into blocks.
//!
//! Beginning with the body, each segment is judged once. The rules either keep it as one block, or
//! divide it into the segments and the loose content directly in it. The content directly in a
//! segment is walked at most twice, once for judging and once for dividing. So the cut costs
//! O(nodes + runs).

use super::PageView;
use super::segment_items::{SegmentItem, SegmentItems};
use huller_page::{Page, RunFlags};
use std::ops::Range;

/// A block: a segment, or loose content between segments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisualBlock {
    /// Its element. For loose content of more than one element, the segment that contains it.
    pub(crate) node: u32,
    /// Whether the block is that whole element.
    pub(crate) is_complete: bool,
    /// Index of its first run.
    pub(crate) run_start: u32,
    /// Index after its last run.
    pub(crate) run_end: u32,
    /// Degree of coherence, 1 to 10.
    pub(crate) coherence: u8,
    /// Whether an `hr` is between it and the preceding block.
    pub(crate) after_rule: bool,
    /// Whether a block between it and the preceding block was removed.
    pub(crate) after_other: bool,
    /// Number of visible scalars.
    pub(crate) chars: u32,
    /// Number of visible scalars in links.
    pub(crate) linked_chars: u32,
    /// Number of elements entirely inside it.
    pub(crate) tags: u32,
    /// Number of elements with a topic tag.
    pub(crate) topics: u32,
    /// Number of marked elements (`Forest::count_marked`).
    pub(crate) marked: u32,
}

impl VisualBlock {
    /// Returns the range of its runs. Some of them may be removed.
    pub(crate) fn runs(&self) -> Range<u32> {
        self.run_start..self.run_end
    }

    /// Returns the share of its text in links, 0 to 1.
    pub(crate) fn link_share(&self) -> f64 {
        f64::from(self.linked_chars) / f64::from(self.chars)
    }
}

/// A summary of the content directly in a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentContent {
    /// Number of segments with text.
    pub(crate) segments: u32,
    /// Whether there is an `hr`.
    pub(crate) has_rule: bool,
    /// Whether there is content outside these segments.
    pub(crate) has_loose_content: bool,
    /// Whether all content outside these segments is text and inline elements.
    pub(crate) is_virtual_text: bool,
    /// Number of elements with a topic tag outside these segments.
    pub(crate) topics: u32,
    /// Area of the largest segment with text, in square pixels.
    pub(crate) largest_area: f64,
    /// Area of all segments with text, in square pixels.
    pub(crate) total_area: f64,
    /// The backgrounds of the segments with text, compared.
    pub(crate) backgrounds: Backgrounds,
    /// Whether one of these backgrounds differs from the segment's own; both must be known.
    pub(crate) has_other_background: bool,
}

/// The backgrounds of some segments, compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backgrounds {
    /// There are no segments.
    None,
    /// At least one background is unknown.
    Unknown,
    /// All are known and equal.
    Same(u32),
    /// All are known, and they differ.
    Different,
}

impl Backgrounds {
    fn and(self, background: Option<u32>) -> Backgrounds {
        match (self, background) {
            (Backgrounds::Unknown, _) | (_, None) => Backgrounds::Unknown,
            (Backgrounds::None, Some(one)) => Backgrounds::Same(one),
            (Backgrounds::Same(one), Some(other)) if one == other => self,
            _ => Backgrounds::Different,
        }
    }
}

/// The decision on a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SegmentDecision {
    /// Divide it into the segments and the loose content directly in it.
    Divide,
    /// Keep it as one block with this degree of coherence.
    Keep(u8),
}

/// A segment that the rules judge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JudgedSegment {
    /// Index of the segment's node.
    pub(crate) node: u32,
    /// The segment around it; `None` for the body.
    pub(crate) above: Option<u32>,
    /// Whether the segment before it, in the same segment, was kept as one block.
    pub(crate) follows_kept: bool,
}

/// The rules of an extractor.
pub(crate) trait SegmentRules {
    /// Decides on a segment with text. Returns the decision and the name of the rule.
    fn judge(
        &self,
        view: PageView<'_>,
        subject: JudgedSegment,
        content: &SegmentContent,
    ) -> (SegmentDecision, &'static str);
}

/// Returns the degree of coherence for a number of elements with a topic tag.
pub(crate) fn coherence_by_topics(topics: u32) -> u8 {
    match topics {
        0 => 6,
        1 | 2 => 7,
        _ => 8,
    }
}

/// An open segment: one that is being divided.
#[derive(Debug)]
struct OpenSegment {
    /// Index of the segment's node.
    node: u32,
    items: SegmentItems,
    loose: LooseContent,
    follows_kept: bool,
}

/// Content between two segments.
#[derive(Clone, Copy, Debug)]
struct LooseContent {
    /// The first item, if it is an element.
    element: Option<u32>,
    /// Number of items.
    items: u32,
    /// Index of its first run.
    run_start: u32,
    /// Index after its last run.
    run_end: u32,
    /// Number of visible scalars.
    chars: u32,
    /// Number of visible scalars in links.
    linked_chars: u32,
    /// Number of elements.
    tags: u32,
    /// Number of elements with a topic tag.
    topics: u32,
    /// Number of marked elements.
    marked: u32,
    is_virtual_text: bool,
}

const EMPTY: LooseContent = LooseContent {
    element: None,
    items: 0,
    run_start: 0,
    run_end: 0,
    chars: 0,
    linked_chars: 0,
    tags: 0,
    topics: 0,
    marked: 0,
    is_virtual_text: true,
};

impl LooseContent {
    /// Adds a run or an element. Ignores segments and `hr`.
    fn add(&mut self, view: PageView<'_>, item: SegmentItem) {
        let Range { start, end } = match item {
            SegmentItem::Run(at) => {
                let run = &view.page.runs()[at as usize];
                self.chars += run.counts.chars;
                if run.flags.contains(RunFlags::IN_LINK) {
                    self.linked_chars += run.counts.chars;
                }
                at..at + 1
            }
            SegmentItem::Element(at) => {
                let node = &view.page.nodes()[at as usize];
                let sums = view.sums.subtree(at, node);
                self.chars += sums.chars;
                self.linked_chars += sums.linked_chars;
                self.tags += sums.tags;
                self.topics += view.forest.topics(at, node);
                self.marked += view.forest.count_marked(at, node);
                self.is_virtual_text &= !view.forest.is_solid(at, node);
                if self.items == 0 {
                    self.element = Some(at);
                }
                node.run_start..node.run_end
            }
            SegmentItem::Segment(_) | SegmentItem::Rule => return,
        };
        if self.items == 0 {
            self.run_start = start;
        }
        self.run_end = end;
        self.items += 1;
    }
}

/// Cuts pages. Created once and reused.
#[derive(Debug, Default)]
pub(crate) struct Segmenter {
    /// The blocks of the last page, in document order.
    pub(crate) blocks: Vec<VisualBlock>,
    open: Vec<OpenSegment>,
    after_rule: bool,
}

impl Segmenter {
    /// Clears the blocks of the last page.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.open.clear();
        self.after_rule = false;
    }

    /// Cuts a page by the rules.
    pub(crate) fn run(&mut self, view: PageView<'_>, rules: &impl SegmentRules) {
        let chars = |index: u32| view.sums.chars(&view.page.nodes()[index as usize]);
        self.clear();
        if chars(view.body) > 0 {
            let subject = JudgedSegment { node: view.body, above: None, follows_kept: false };
            self.enter(view, subject, rules);
        }
        while let Some(frame) = self.open.last_mut() {
            let item = frame.items.next(view);
            if let Some(content @ (SegmentItem::Run(_) | SegmentItem::Element(_))) = item {
                frame.loose.add(view, content);
                continue;
            }
            let loose = std::mem::replace(&mut frame.loose, EMPTY);
            let (owner, follows_kept) = (frame.node, frame.follows_kept);
            self.add_loose_content(owner, &loose);
            match item {
                Some(SegmentItem::Segment(node)) if chars(node) > 0 => {
                    let above = self.open.len() - 1;
                    let subject = JudgedSegment { node, above: Some(owner), follows_kept };
                    self.open[above].follows_kept = self.enter(view, subject, rules);
                }
                Some(SegmentItem::Rule) => self.after_rule = true,
                Some(_) => {}
                None => {
                    self.open.pop();
                }
            }
        }
    }

    /// Removes blocks before their neighbours are compared with one another. An `hr` beside a
    /// removed block stays between these neighbours.
    pub(crate) fn take_out(&mut self, mut is_out: impl FnMut(&VisualBlock) -> bool) {
        let (mut after_rule, mut after_other) = (false, false);
        self.blocks.retain_mut(|block| {
            let is_out = is_out(block);
            if is_out {
                after_rule |= block.after_rule;
                after_other = true;
            } else {
                block.after_rule |= std::mem::take(&mut after_rule);
                block.after_other = std::mem::take(&mut after_other);
            }
            !is_out
        });
    }

    /// Judges a segment. Adds it to the blocks if it is kept, otherwise to the open segments.
    /// Returns whether it is kept.
    fn enter(
        &mut self,
        view: PageView<'_>,
        subject: JudgedSegment,
        rules: &impl SegmentRules,
    ) -> bool {
        let index = subject.node;
        let node = &view.page.nodes()[index as usize];
        let items = SegmentItems::new(index, node);
        let (judgement, _) = rules.judge(view, subject, &content(view, index, items));
        let SegmentDecision::Keep(coherence) = judgement else {
            self.open.push(OpenSegment { node: index, items, loose: EMPTY, follows_kept: false });
            return false;
        };
        let sums = view.sums.subtree(index, node);
        self.blocks.push(VisualBlock {
            node: index,
            is_complete: true,
            run_start: node.run_start,
            run_end: node.run_end,
            coherence,
            after_rule: std::mem::take(&mut self.after_rule),
            after_other: false,
            chars: sums.chars,
            linked_chars: sums.linked_chars,
            tags: sums.tags,
            topics: view.forest.topics(index, node),
            marked: view.forest.count_marked(index, node),
        });
        true
    }

    /// Adds loose content to the blocks if it has text.
    fn add_loose_content(&mut self, owner: u32, loose: &LooseContent) {
        if loose.chars == 0 {
            return;
        }
        let single_element = loose.element.filter(|_| loose.items == 1);
        let coherence = if loose.is_virtual_text { 9 } else { coherence_by_topics(loose.topics) };
        self.blocks.push(VisualBlock {
            node: single_element.unwrap_or(owner),
            is_complete: single_element.is_some(),
            run_start: loose.run_start,
            run_end: loose.run_end,
            coherence,
            after_rule: std::mem::take(&mut self.after_rule),
            after_other: false,
            chars: loose.chars,
            linked_chars: loose.linked_chars,
            tags: loose.tags,
            topics: loose.topics,
            marked: loose.marked,
        });
    }
}

/// Summarises the content directly in a segment.
fn content(view: PageView<'_>, index: u32, mut items: SegmentItems) -> SegmentContent {
    let mut content = SegmentContent {
        segments: 0,
        has_rule: false,
        has_loose_content: false,
        is_virtual_text: true,
        topics: 0,
        largest_area: 0.0,
        total_area: 0.0,
        backgrounds: Backgrounds::None,
        has_other_background: false,
    };
    let own_background = view.layout.background(index);
    let mut loose = EMPTY;
    while let Some(item) = items.next(view) {
        match item {
            SegmentItem::Rule => content.has_rule = true,
            SegmentItem::Segment(index) => {
                if view.sums.chars(&view.page.nodes()[index as usize]) > 0 {
                    let area = view.layout.area(index);
                    content.segments += 1;
                    content.largest_area = content.largest_area.max(area);
                    content.total_area += area;
                    let background = view.layout.background(index);
                    content.backgrounds = content.backgrounds.and(background);
                    content.has_other_background |= own_background.is_some()
                        && background.is_some()
                        && own_background != background;
                }
            }
            SegmentItem::Run(_) | SegmentItem::Element(_) => loose.add(view, item),
        }
    }
    content.has_loose_content = loose.items > 0;
    content.is_virtual_text = loose.is_virtual_text;
    content.topics = loose.topics;
    content
}

/// Returns the runs of a block without the removed ones.
pub(crate) fn kept_runs(
    page: &Page<'_>,
    removed: &[u32],
    block: &VisualBlock,
) -> impl Iterator<Item = u32> {
    // The removed subtrees that may lie in the block, as ranges of runs.
    let nodes = page.nodes();
    let first_removed = removed
        .partition_point(|removed_node| nodes[*removed_node as usize].run_end <= block.run_start);
    let mut removed = removed[first_removed..].iter();
    let mut gap = removed.next().map(|removed_node| nodes[*removed_node as usize].runs());
    block.runs().filter(move |run| {
        while gap.as_ref().is_some_and(|gap| gap.end <= *run as usize) {
            gap = removed.next().map(|removed_node| nodes[*removed_node as usize].runs());
        }
        !gap.as_ref().is_some_and(|gap| gap.contains(&(*run as usize)))
    })
}
