//! The top-down cut of a page into blocks.
//!
//! From the body on, each segment is looked at once: its rules either keep it as one block or divide it into the segments and
//! stretches that lie directly in it. What lies in a segment is walked at most twice, once to judge it and once to
//! divide it, and belongs to no other, so the cut is O(nodes + runs).

use super::View;
use super::forest::{Item, Items};
use huller_page::{Page, RunFlags};
use std::ops::Range;

/// A block: a segment, or a stretch of content between segments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// The element that it is, or for a stretch of more than one the segment that it lies in.
    pub(crate) node: u32,
    /// Whether it is all of that element.
    pub(crate) is_whole: bool,
    pub(crate) run_start: u32,
    pub(crate) run_end: u32,
    /// Degree of coherence, 1 to 10.
    pub(crate) coherence: u8,
    /// Whether an `hr` stands before it.
    pub(crate) after_rule: bool,
    /// Scalars.
    pub(crate) chars: u32,
    /// Scalars in links.
    pub(crate) linked_chars: u32,
    /// Elements that belong to it as a whole.
    pub(crate) tags: u32,
    /// Elements that speak of a topic.
    pub(crate) topics: u32,
}

impl Block {
    /// The runs between its first and its last, both included; of these some may be removed.
    pub(crate) fn runs(&self) -> Range<u32> {
        self.run_start..self.run_end
    }

    /// Share of its text that stands in links.
    pub(crate) fn link_share(&self) -> f64 {
        f64::from(self.linked_chars) / f64::from(self.chars)
    }
}

/// What a segment holds directly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    /// Segments with text.
    pub(crate) segments: u32,
    pub(crate) has_rule: bool,
    /// Whether anything stands outside its segments.
    pub(crate) has_stretch: bool,
    /// Whether all that stands outside its segments is text, also in inline elements.
    pub(crate) is_virtual_text: bool,
    /// Elements in its stretches that speak of a topic.
    pub(crate) topics: u32,
    /// The largest segment with text, in square pixels.
    pub(crate) largest_area: f64,
    /// All segments with text, in square pixels.
    pub(crate) total_area: f64,
    /// What is known of the backgrounds of its segments with text.
    pub(crate) backgrounds: Backgrounds,
    /// Whether one of them is known and not that of the segment itself, known too.
    pub(crate) has_other_background: bool,
}

/// Backgrounds of some segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backgrounds {
    /// There is no segment.
    None,
    /// One is not known.
    Unknown,
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

/// What happens to a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// It is divided.
    Divide,
    /// It becomes one block, of this degree of coherence.
    Keep(u8),
}

/// A segment, what happened to it, and by which rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub(crate) node: u32,
    pub(crate) judgement: Judgement,
    pub(crate) rule: &'static str,
}

/// A segment that is to be judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub(crate) node: u32,
    /// The segment that it lies in.
    pub(crate) above: Option<u32>,
    /// Whether the segment before it in there was kept as one block.
    pub(crate) follows_kept: bool,
}

/// The rules of a method.
pub(crate) trait Rules {
    /// Decides on a segment with text, and says by which rule.
    fn judge(
        &self,
        view: View<'_>,
        subject: Subject,
        content: &Content,
    ) -> (Judgement, &'static str);
}

/// Degree of coherence by the number of elements that speak of a topic.
pub(crate) fn coherence_by_topics(topics: u32) -> u8 {
    match topics {
        0 => 6,
        1 | 2 => 7,
        _ => 8,
    }
}

/// A segment that is being divided.
#[derive(Debug)]
struct Frame {
    node: u32,
    items: Items,
    stretch: Stretch,
    follows_kept: bool,
}

/// Content between segments.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The first item, if that is an element, and how many items there are.
    element: Option<u32>,
    items: u32,
    run_start: u32,
    run_end: u32,
    chars: u32,
    linked_chars: u32,
    tags: u32,
    topics: u32,
    is_virtual_text: bool,
}

const EMPTY: Stretch = Stretch {
    element: None,
    items: 0,
    run_start: 0,
    run_end: 0,
    chars: 0,
    linked_chars: 0,
    tags: 0,
    topics: 0,
    is_virtual_text: true,
};

impl Stretch {
    /// Adds an item that is no segment and no rule.
    fn add(&mut self, view: View<'_>, item: Item) {
        let Range { start, end } = match item {
            Item::Run(at) => {
                let run = &view.page.runs()[at as usize];
                self.chars += run.counts.chars;
                if run.flags.contains(RunFlags::IN_LINK) {
                    self.linked_chars += run.counts.chars;
                }
                at..at + 1
            }
            Item::Element(at) => {
                let node = &view.page.nodes()[at as usize];
                let sums = view.sums.of(at, node);
                self.chars += sums.chars;
                self.linked_chars += sums.linked_chars;
                self.tags += sums.tags;
                self.topics += view.forest.topics(at, node);
                self.is_virtual_text &= !view.forest.is_solid(at, node);
                if self.items == 0 {
                    self.element = Some(at);
                }
                node.run_start..node.run_end
            }
            Item::Segment(_) | Item::Rule => return,
        };
        if self.items == 0 {
            self.run_start = start;
        }
        self.run_end = end;
        self.items += 1;
    }
}

/// Cuts pages. Made once and reused.
#[derive(Debug, Default)]
pub(crate) struct Segmenter {
    /// The blocks of the last page, in document order.
    pub(crate) blocks: Vec<Block>,
    /// What was decided of each of its segments, in document order.
    pub(crate) judged: Vec<Judged>,
    frames: Vec<Frame>,
    after_rule: bool,
}

impl Segmenter {
    /// Forgets the last page.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.judged.clear();
        self.frames.clear();
        self.after_rule = false;
    }

    /// Cuts a page by the rules.
    pub(crate) fn run(&mut self, view: View<'_>, rules: &impl Rules) {
        let chars = |at: u32| view.sums.chars(&view.page.nodes()[at as usize]);
        self.clear();
        if chars(view.body) > 0 {
            let subject = Subject { node: view.body, above: None, follows_kept: false };
            self.enter(view, subject, rules);
        }
        while let Some(frame) = self.frames.last_mut() {
            let item = frame.items.next(view);
            if let Some(content @ (Item::Run(_) | Item::Element(_))) = item {
                frame.stretch.add(view, content);
                continue;
            }
            let stretch = std::mem::replace(&mut frame.stretch, EMPTY);
            let (owner, follows_kept) = (frame.node, frame.follows_kept);
            self.add_stretch(owner, &stretch);
            match item {
                Some(Item::Segment(node)) if chars(node) > 0 => {
                    let above = self.frames.len() - 1;
                    let subject = Subject { node, above: Some(owner), follows_kept };
                    self.frames[above].follows_kept = self.enter(view, subject, rules);
                }
                Some(Item::Rule) => self.after_rule = true,
                Some(_) => {}
                None => {
                    self.frames.pop();
                }
            }
        }
    }

    /// Judges a segment: keeps it, or gets ready to divide it. Gives whether it was kept.
    fn enter(&mut self, view: View<'_>, subject: Subject, rules: &impl Rules) -> bool {
        let at = subject.node;
        let node = &view.page.nodes()[at as usize];
        let items = Items::of(at, node);
        let (judgement, rule) = rules.judge(view, subject, &content(view, at, items));
        self.judged.push(Judged { node: at, judgement, rule });
        let Judgement::Keep(coherence) = judgement else {
            self.frames.push(Frame { node: at, items, stretch: EMPTY, follows_kept: false });
            return false;
        };
        let sums = view.sums.of(at, node);
        self.blocks.push(Block {
            node: at,
            is_whole: true,
            run_start: node.run_start,
            run_end: node.run_end,
            coherence,
            after_rule: std::mem::take(&mut self.after_rule),
            chars: sums.chars,
            linked_chars: sums.linked_chars,
            tags: sums.tags,
            topics: view.forest.topics(at, node),
        });
        true
    }

    /// Adds a stretch that has text to the blocks.
    fn add_stretch(&mut self, owner: u32, stretch: &Stretch) {
        if stretch.chars == 0 {
            return;
        }
        let whole = stretch.element.filter(|_| stretch.items == 1);
        let coherence =
            if stretch.is_virtual_text { 9 } else { coherence_by_topics(stretch.topics) };
        self.blocks.push(Block {
            node: whole.unwrap_or(owner),
            is_whole: whole.is_some(),
            run_start: stretch.run_start,
            run_end: stretch.run_end,
            coherence,
            after_rule: std::mem::take(&mut self.after_rule),
            chars: stretch.chars,
            linked_chars: stretch.linked_chars,
            tags: stretch.tags,
            topics: stretch.topics,
        });
    }
}

/// Looks at what lies directly in a segment.
fn content(view: View<'_>, at: u32, mut items: Items) -> Content {
    let mut content = Content {
        segments: 0,
        has_rule: false,
        has_stretch: false,
        is_virtual_text: true,
        topics: 0,
        largest_area: 0.0,
        total_area: 0.0,
        backgrounds: Backgrounds::None,
        has_other_background: false,
    };
    let own = view.layout.background(at);
    let mut stretch = EMPTY;
    while let Some(item) = items.next(view) {
        match item {
            Item::Rule => content.has_rule = true,
            Item::Segment(at) => {
                if view.sums.chars(&view.page.nodes()[at as usize]) > 0 {
                    let area = view.layout.area(at);
                    content.segments += 1;
                    content.largest_area = content.largest_area.max(area);
                    content.total_area += area;
                    let background = view.layout.background(at);
                    content.backgrounds = content.backgrounds.and(background);
                    content.has_other_background |=
                        own.is_some() && background.is_some() && own != background;
                }
            }
            Item::Run(_) | Item::Element(_) => stretch.add(view, item),
        }
    }
    content.has_stretch = stretch.items > 0;
    content.is_virtual_text = stretch.is_virtual_text;
    content.topics = stretch.topics;
    content
}

/// The runs of a block that are not removed.
pub(crate) fn kept_runs(
    page: &Page<'_>,
    removed: &[u32],
    block: &Block,
) -> impl Iterator<Item = u32> {
    // Removed subtrees that the block may hold, by the runs they take.
    let nodes = page.nodes();
    let first = removed.partition_point(|at| nodes[*at as usize].run_end <= block.run_start);
    let mut removed = removed[first..].iter();
    let mut gap = removed.next().map(|at| nodes[*at as usize].runs());
    block.runs().filter(move |run| {
        while gap.as_ref().is_some_and(|gap| gap.end <= *run as usize) {
            gap = removed.next().map(|at| nodes[*at as usize].runs());
        }
        !gap.as_ref().is_some_and(|gap| gap.contains(&(*run as usize)))
    })
}
