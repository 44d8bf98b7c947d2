//! The figures of an extractor for single parts of a page.

use huller_page::{Node, Page};
use std::ops::Range;

/// An extractor's figures for each run of its last page: the score by which it ranks parts of
/// pages, and the estimated place. Made once and refilled.
#[derive(Debug, Default)]
pub struct RunFigures {
    /// A score for each run; not a number if the run has no score.
    scores: Vec<f32>,
    /// A probability for each run; empty if the extractor has no probabilities.
    probabilities: Vec<f32>,
    areas: Vec<Option<PageArea>>,
    /// Scratch buffer of [`RunFigures::score_by_node`].
    of_nodes: Vec<f32>,
}

/// An estimated rectangle on a page, in pixels of a page 1,280 pixels wide.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageArea {
    /// Distance from the left edge of the page.
    pub left: f32,
    /// Distance from the top of the page.
    pub top: f32,
    /// Width of the rectangle.
    pub width: f32,
    /// Height of the rectangle; 0 if it is not known.
    pub height: f32,
}

impl RunFigures {
    /// Forgets all figures. The next figures are for `page`.
    pub fn clear(&mut self, page: &Page<'_>) {
        self.scores.clear();
        self.scores.resize(page.runs().len(), f32::NAN);
        self.probabilities.clear();
        self.areas.clear();
    }

    /// Returns the score of a run; `None` if the extractor does not score it.
    pub fn score(&self, run: u32) -> Option<f32> {
        self.scores.get(run as usize).copied().filter(|score| score.is_finite())
    }

    /// Returns the probability that a run is content, 0 to 1; `None` if the extractor has none for
    /// it.
    pub fn probability(&self, run: u32) -> Option<f32> {
        self.probabilities.get(run as usize).copied().filter(|probability| probability.is_finite())
    }

    /// Returns the rectangle of a run; `None` if the extractor does not estimate the layout.
    pub fn area(&self, run: u32) -> Option<PageArea> {
        self.areas.get(run as usize).copied().flatten()
    }

    /// Sets the score of some runs.
    pub fn set_score(&mut self, runs: Range<u32>, score: f64) {
        self.scores[runs.start as usize..runs.end as usize].fill(score as f32);
    }

    /// Sets the probability that a run is content, 0 to 1.
    pub fn set_probability(&mut self, run: u32, probability: f64) {
        self.probabilities.resize(self.scores.len(), f32::NAN);
        self.probabilities[run as usize] = probability as f32;
    }

    /// Sets the rectangle of a run.
    pub fn set_area(&mut self, run: u32, area: PageArea) {
        self.areas.resize(self.scores.len(), None);
        self.areas[run as usize] = Some(area);
    }

    /// Sets the score of each run to that of the innermost element around it that has one.
    /// `score_of` is called for all nodes in document order.
    ///
    /// It returns a score, or not a number for an element without scores in it. `None` means the
    /// score of the element around.
    pub fn score_by_node(
        &mut self,
        page: &Page<'_>,
        mut score_of: impl FnMut(u32, &Node) -> Option<f64>,
    ) {
        let RunFigures { scores, of_nodes, .. } = self;
        of_nodes.clear();
        of_nodes.reserve(page.nodes().len());
        for (index, node) in page.nodes().iter().enumerate() {
            let parent_score = of_nodes.get(node.parent as usize).copied().unwrap_or(f32::NAN);
            of_nodes.push(score_of(index as u32, node).map_or(parent_score, |score| score as f32));
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
        figures.set_area(2, PageArea { left: 1.0, ..PageArea::default() });
        assert_eq!(figures.probability(1), None);
        figures.set_probability(1, 0.25);
        assert_eq!((figures.probability(1), figures.probability(2)), (Some(0.25), None));
        assert_eq!((figures.score(1), figures.score(2)), (Some(0.5), Some(3.0)));
        assert_eq!(figures.area(2).map(|area| area.left), Some(1.0));
        assert_eq!(figures.area(1), None);
    }
}
