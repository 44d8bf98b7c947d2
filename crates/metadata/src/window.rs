//! The part of a page that is searched for a byline and a date.

use huller_page::{Page, Tag};
use std::ops::Range;

/// The nodes around the headline, where byline and date usually are: indices of nodes and runs.
pub(crate) struct Window {
    /// Index of the headline's node.
    pub(crate) headline: usize,
    /// Indices of nodes.
    pub(crate) nodes: Range<usize>,
    /// Indices of runs.
    pub(crate) runs: Range<usize>,
}

impl Window {
    /// Number of nodes before and after the headline that are searched for a byline.
    pub(crate) const BYLINE: (usize, usize) = (40, 120);
    /// The same for a date, which is easier to recognise.
    pub(crate) const DATE: (usize, usize) = (60, 240);
    /// Number of bytes of the source before and after the start of the headline that are searched
    /// for marked elements.
    const BYTES: (usize, usize) = (4 << 10, 16 << 10);

    /// Number of bytes of a start tag that are searched.
    pub(crate) const TAG: usize = 512;

    /// Returns the window around the headline, or around the beginning of the body if there is no
    /// headline.
    pub(crate) fn around_headline(
        page: &Page<'_>,
        headline: Option<u32>,
        (before, behind): (usize, usize),
    ) -> Window {
        let nodes = page.nodes();
        let body = nodes.iter().take(1 << 10).position(|node| node.tag == Tag::BODY);
        let (body, headline) = (body.unwrap_or(0), headline.map(|node| node as usize));
        let start = headline.map_or(body, |node| node.saturating_sub(before).max(body).min(node));
        let end = headline.map_or(start, |node| nodes[node].end as usize) + behind;
        let end = end.min(nodes.len());
        let run_end = nodes.get(end).map_or(page.runs().len(), |next| next.run_start as usize);
        Window {
            headline: headline.unwrap_or(start),
            nodes: start..end,
            runs: nodes[start].run_start as usize..run_end,
        }
    }

    /// Returns the bytes of the source with the start tags of the window's nodes, limited to a
    /// distance from the headline.
    pub(crate) fn bytes(&self, page: &Page<'_>) -> Range<usize> {
        let start_of = |node: usize| page.nodes()[node].byte_start as usize;
        let headline = start_of(self.headline);
        let (before, behind) = Window::BYTES;
        let start = start_of(self.nodes.start).max(headline.saturating_sub(before));
        let end = start_of(self.nodes.end - 1) + Window::TAG;
        start..end.min(headline + behind).min(page.html().len()).max(start)
    }

    /// Returns the last node that begins at or before the byte `offset` of the source.
    pub(crate) fn node_at(&self, page: &Page<'_>, offset: usize) -> u32 {
        let nodes = &page.nodes()[self.nodes.clone()];
        if page.is_moved() {
            let begun =
                nodes.iter().enumerate().filter(|(_, node)| node.byte_start as usize <= offset);
            let last_begun =
                begun.max_by_key(|(_, node)| node.byte_start).map_or(0, |(index, _)| index);
            return (self.nodes.start + last_begun) as u32;
        }
        let begun = nodes.partition_point(|node| node.byte_start as usize <= offset);
        (self.nodes.start + begun.saturating_sub(1)) as u32
    }
}
