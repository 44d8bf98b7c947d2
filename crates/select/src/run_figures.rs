//! What a method found for single parts of a page.

use huller_page::{Node, Page};
use std::ops::Range;

/// A method's figures for each run of the page that it saw last: the score that it ranks parts of
/// pages by, and where it takes them to lie. Made once and refilled.
#[derive(Debug, Default)]
pub struct RunFigures {
    /// A score for each run; not a number where the method has none.
    scores: Vec<f32>,
    /// A probability for each run; empty where the method has none.
    probabilities: Vec<f32>,
    areas: Vec<Option<Area>>,
    /// Memory of [`RunFigures::score_by_node`].
    of_nodes: Vec<f32>,
}

/// A rectangle on a page as it was estimated, in pixels of a page 1,280 pixels wide.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Distance from the left edge of the page.
    pub left: f32,
    /// Distance from the top of the page.
    pub top: f32,
    /// Width.
    pub width: f32,
    /// Height; 0 where it is not known.
    pub height: f32,
}

impl RunFigures {
    /// Forgets all figures; `page` is the page of those that follow.
    pub fn clear(&mut self, page: &Page<'_>) {
        self.scores.clear();
        self.scores.resize(page.runs().len(), f32::NAN);
        self.probabilities.clear();
        self.areas.clear();
    }

    /// The score of a run. `None` if the method gives it none.
    pub fn score(&self, run: u32) -> Option<f32> {
        self.scores.get(run as usize).copied().filter(|score| score.is_finite())
    }

    /// The probability that a run is content, 0 to 1. `None` if the method gives it none.
    pub fn probability(&self, run: u32) -> Option<f32> {
        self.probabilities.get(run as usize).copied().filter(|probability| probability.is_finite())
    }

    /// Where a run lies. `None` if the method estimates no layout.
    pub fn area(&self, run: u32) -> Option<Area> {
        self.areas.get(run as usize).copied().flatten()
    }

    /// Gives runs a score.
    pub fn set_score(&mut self, runs: Range<u32>, score: f64) {
        self.scores[runs.start as usize..runs.end as usize].fill(score as f32);
    }

    /// Gives a run a probability of being content, 0 to 1.
    pub fn set_probability(&mut self, run: u32, probability: f64) {
        self.probabilities.resize(self.scores.len(), f32::NAN);
        self.probabilities[run as usize] = probability as f32;
    }

    /// Gives a run an area.
    pub fn set_area(&mut self, run: u32, area: Area) {
        self.areas.resize(self.scores.len(), None);
        self.areas[run as usize] = Some(area);
    }

    /// Gives each run the score of the innermost element around it that has one. `score_of` is
    /// asked about all nodes in document order: a score; not a number for an element in which
    /// nothing has a score; `None` where the score of the element around holds.
    pub fn score_by_node(
        &mut self,
        page: &Page<'_>,
        mut score_of: impl FnMut(u32, &Node) -> Option<f64>,
    ) {
        let RunFigures { scores, of_nodes, .. } = self;
        of_nodes.clear();
        of_nodes.reserve(page.nodes().len());
        for (index, node) in page.nodes().iter().enumerate() {
            let around = of_nodes.get(node.parent as usize).copied().unwrap_or(f32::NAN);
            of_nodes.push(score_of(index as u32, node).map_or(around, |score| score as f32));
        }
        for (score, run) in scores.iter_mut().zip(page.runs()) {
            *score = of_nodes[run.node as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::{PageBuf, Tag};

    #[test]
    fn a_run_has_the_score_of_the_innermost_element_that_has_one() {
        let mut buffer = PageBuf::new();
        let page = buffer.fill("<body>a<div>b<p>c<b>d</b></p><ul>e<li>f</ul></div>");
        let mut figures = RunFigures::default();
        figures.clear(&page);
        assert_eq!((figures.score(0), figures.area(0)), (None, None));
        figures.score_by_node(&page, |_, node| match node.tag {
            Tag::DIV => Some(2.0),
            Tag::P => Some(3.0),
            Tag::UL => Some(f64::NAN),
            _ => None,
        });
        let scores: Vec<_> = (0..6).map(|run| figures.score(run)).collect();
        assert_eq!(scores, [None, Some(2.0), Some(3.0), Some(3.0), None, None]);
        figures.set_score(1..2, 0.5);
        figures.set_area(2, Area { left: 1.0, ..Area::default() });
        assert_eq!(figures.probability(1), None);
        figures.set_probability(1, 0.25);
        assert_eq!((figures.probability(1), figures.probability(2)), (Some(0.25), None));
        assert_eq!((figures.score(1), figures.score(2)), (Some(0.5), Some(3.0)));
        assert_eq!(figures.area(2).map(|area| area.left), Some(1.0));
        assert_eq!(figures.area(1), None);
    }
}
