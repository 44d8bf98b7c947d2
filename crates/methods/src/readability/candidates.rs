//! Gives points to the ancestors of paragraphs, and chooses among them.

use super::element_counts::{ElementCounts, PageCounts, is_heading};
use super::points::{MIN_PARAGRAPH_CHARS, SHARES, points};
use super::words::ClassWords;
use huller_page::{AttributeName, Node, Page, Tag};

/// Number of best elements that are compared.
const BEST_COUNT: usize = 5;
/// Smallest share of the best element's points that makes an element its rival.
const MIN_RIVAL_SHARE: f64 = 0.75;
/// An ancestor of the best element with at least this many rivals below it replaces that element.
const MIN_RIVALS: usize = 3;

#[derive(Clone, Copy, Debug, Default)]
struct Points {
    points: f64,
    is_candidate: bool,
}

/// The points of one page in one round.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    of_node: Vec<Points>,
    /// The candidates, in the order in which they first got points.
    candidates: Vec<u32>,
}

impl Candidates {
    /// Gives points for every kept paragraph. With `words`, the words in class and id count too.
    pub(super) fn score(
        &mut self,
        page: &Page<'_>,
        page_counts: &PageCounts,
        loose_text: bool,
        words: Option<&ClassWords>,
    ) {
        let nodes = page.nodes();
        self.of_node.clear();
        self.of_node.resize(nodes.len(), Points::default());
        self.candidates.clear();
        for paragraph in page_counts.kept_nodes() {
            let counts = page_counts.get(*paragraph);
            let node = &nodes[*paragraph as usize];
            let (text, commas, mut ancestor) = if is_paragraph(node, counts) {
                (counts.text, counts.commas, node.parent)
            } else if loose_text && node.tag == Tag::DIV {
                (counts.own_text, counts.own_commas, *paragraph)
            } else {
                continue;
            };
            if text < MIN_PARAGRAPH_CHARS {
                continue;
            }
            let points = f64::from(points(text, commas));
            for share in SHARES {
                if ancestor == 0 {
                    break;
                }
                self.enter(page, ancestor, words);
                self.of_node[ancestor as usize].points += points * share;
                ancestor = nodes[ancestor as usize].parent;
            }
        }
        for candidate in &self.candidates {
            let density = page_counts.get(*candidate).link_density();
            self.of_node[*candidate as usize].points *= 1.0 - density;
        }
    }

    /// Makes an element a candidate with the points for its tag and words. Does nothing if it
    /// already is a candidate.
    fn enter(&mut self, page: &Page<'_>, node: u32, words: Option<&ClassWords>) {
        let points = &mut self.of_node[node as usize];
        if !points.is_candidate {
            let weight = words.map_or(0.0, |words| words.weight(node));
            let tag = tag_points(page.nodes()[node as usize].tag);
            *points = Points { points: tag + weight, is_candidate: true };
            self.candidates.push(node);
        }
    }

    /// Adds the chosen elements to `roots`. Returns the points of the best one.
    pub(super) fn choose(
        &self,
        page: &Page<'_>,
        page_counts: &PageCounts,
        body: u32,
        roots: &mut Vec<u32>,
    ) -> Option<f64> {
        let best = self.best_elements();
        let Some(top) = best[0].filter(|top| *top != body) else {
            roots.push(body);
            return best[0].map(|body| self.points(body));
        };
        let top = self.lift(page, page_counts, body, top, &best);
        if top == body {
            roots.push(body);
        } else {
            self.join_siblings(page, page_counts, top, roots);
        }
        Some(self.points(top))
    }

    pub(super) fn points(&self, node: u32) -> f64 {
        self.of_node[node as usize].points
    }

    /// Returns the elements with the most points, best first. Equal ones are in the order in which
    /// they became candidates.
    fn best_elements(&self) -> [Option<u32>; BEST_COUNT] {
        let mut best = [None; BEST_COUNT];
        for candidate in &self.candidates {
            let points = self.points(*candidate);
            let index = best
                .iter()
                .position(|current| current.is_none_or(|current| points > self.points(current)));
            if let Some(index) = index {
                best[index..].rotate_right(1);
                best[index] = Some(*candidate);
            }
        }
        best
    }

    /// Returns the ancestor that replaces `top`. The candidates, in order: one that also contains
    /// several rivals, one with more points, one whose only child `top` is.
    fn lift(
        &self,
        page: &Page<'_>,
        page_counts: &PageCounts,
        body: u32,
        top: u32,
        best: &[Option<u32>; BEST_COUNT],
    ) -> u32 {
        let nodes = page.nodes();
        let parent = |node: u32| nodes[node as usize].parent;
        let holds = |outer: u32, inner: u32| outer < inner && inner < nodes[outer as usize].end;
        let mut top = top;

        let is_rival = |rival: u32| self.points(rival) >= MIN_RIVAL_SHARE * self.points(top);
        let rivals = best[1..].iter().copied().flatten().filter(|rival| is_rival(*rival));
        let mut ancestor = parent(top);
        while ancestor != body && ancestor != 0 {
            if rivals.clone().filter(|rival| holds(ancestor, *rival)).count() >= MIN_RIVALS {
                top = ancestor;
                break;
            }
            ancestor = parent(ancestor);
        }

        let mut last_points = self.points(top);
        let threshold = last_points / 3.0;
        let mut ancestor = parent(top);
        while ancestor != body && ancestor != 0 {
            let Points { points, is_candidate } = self.of_node[ancestor as usize];
            if is_candidate {
                if points < threshold {
                    break;
                }
                if points > last_points {
                    top = ancestor;
                    break;
                }
                last_points = points;
            }
            ancestor = parent(ancestor);
        }

        let mut ancestor = parent(top);
        while ancestor != body && ancestor != 0 && page_counts.get(ancestor).children == 1 {
            top = ancestor;
            ancestor = parent(ancestor);
        }
        top
    }

    /// Adds `top` and the siblings that belong to the same content to `roots`.
    fn join_siblings(
        &self,
        page: &Page<'_>,
        page_counts: &PageCounts,
        top: u32,
        roots: &mut Vec<u32>,
    ) {
        let nodes = page.nodes();
        let class = |node: u32| {
            let class = page.attribute(&nodes[node as usize], AttributeName::Class);
            class.map(str::trim).filter(|class| !class.is_empty())
        };
        let (top_class, share) = (class(top), self.points(top) * 0.2);
        let threshold = share.max(10.0);
        let parent = nodes[top as usize].parent;
        let mut at = parent + 1;
        while at < nodes[parent as usize].end {
            let (node, sibling) = (&nodes[at as usize], at);
            at = node.end;
            if !page_counts.is_kept(sibling) {
                continue;
            }
            let Points { points, is_candidate } = self.of_node[sibling as usize];
            let same_class = top_class.is_some() && class(sibling) == top_class;
            let bonus = if same_class { share } else { 0.0 };
            let joins = sibling == top
                || (is_candidate && points + bonus >= threshold)
                || (node.tag == Tag::P && is_prose(page_counts.get(sibling)));
            if joins {
                roots.push(sibling);
            }
        }
    }
}

/// Returns whether an element counts as a paragraph.
fn is_paragraph(node: &Node, counts: &ElementCounts) -> bool {
    match node.tag {
        Tag::P | Tag::TD | Tag::PRE | Tag::SECTION => true,
        Tag::DIV => counts.blocks == 0,
        tag => is_heading(tag) && tag != Tag::H1,
    }
}

/// Returns whether a `p` beside the content is prose, and so joins the content.
fn is_prose(counts: &ElementCounts) -> bool {
    let density = counts.link_density();
    if counts.text > 80 { density < 0.25 } else { density == 0.0 && counts.sentences > 0 }
}

/// Returns the points of an element for its tag.
fn tag_points(tag: Tag) -> f64 {
    match tag {
        Tag::DIV => 5.0,
        Tag::PRE | Tag::TD | Tag::BLOCKQUOTE => 3.0,
        Tag::ADDRESS | Tag::OL | Tag::UL | Tag::DL | Tag::DD | Tag::DT | Tag::LI | Tag::FORM => {
            -3.0
        }
        Tag::TH => -5.0,
        tag if is_heading(tag) => -5.0,
        _ => 0.0,
    }
}
