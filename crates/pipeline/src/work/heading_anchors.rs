//! Finds the identifiers of the headings in a page's Markdown, for links to passages.
//!
//! The renderer notes where headings begin. Stages may then change characters, which moves all
//! offsets. They add and remove no lines, so a heading is found again by the number of its line.

use huller_page::Page;
use huller_row::HeadingAnchor;
use huller_select::HeadingPlace;
use memchr::memchr_iter;

/// The lines of the headings in Markdown, in ascending order, from 0.
#[derive(Debug, Default)]
pub(crate) struct HeadingLines(Vec<usize>);

impl HeadingLines {
    /// Finds the lines of headings in Markdown as the renderer wrote it.
    pub(crate) fn fill(&mut self, headings: &[HeadingPlace], markdown: &str) {
        self.0.clear();
        let mut ends = memchr_iter(b'\n', markdown.as_bytes()).peekable();
        let mut line = 0;
        for heading in headings {
            while ends.next_if(|end| *end < heading.at).is_some() {
                line += 1;
            }
            self.0.push(line);
        }
    }

    /// Returns the identifiers of the headings, with their places in Markdown of the same lines.
    pub(crate) fn anchors<'p>(
        &self,
        headings: &[HeadingPlace],
        page: &Page<'p>,
        markdown: &str,
    ) -> Vec<HeadingAnchor<'p>> {
        let ends = memchr_iter(b'\n', markdown.as_bytes()).map(|end| end + 1);
        let mut starts = std::iter::once(0).chain(ends).enumerate().peekable();
        let mut anchors = Vec::new();
        for (heading, line) in headings.iter().zip(&self.0) {
            while starts.next_if(|(number, _)| number < line).is_some() {}
            let Some((_, at)) = starts.peek() else { break };
            if let Some(id) = heading.id(page) {
                anchors.push(HeadingAnchor { at: *at, id });
            }
        }
        anchors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    #[test]
    fn headings_are_found_again_after_a_change_of_characters() {
        let mut columns = PageBuf::default();
        let page = columns.fill("<h2 id=a>A</h2><p>x<h2>B</h2><h2 id=c>C</h2>");
        let nodes = page.nodes();
        let nodes = (0..).zip(nodes).filter(|(_, node)| node.tag == huller_page::Tag::H2);
        let markdown = "## A\n\nx\n\n## B\n\n## C\n";
        let places = markdown.match_indices("##").map(|(at, _)| at);
        let headings: Vec<_> =
            places.zip(nodes).map(|(at, (node, _))| HeadingPlace { at, node }).collect();
        let mut lines = HeadingLines::default();
        lines.fill(&headings, markdown);
        let changed = "## A, longer\n\nxyz\n\n## B\n\n## C\n";
        let at = changed.find("## C").unwrap();
        let expected =
            [HeadingAnchor { at: 0, id: "a".into() }, HeadingAnchor { at, id: "c".into() }];
        assert_eq!(lines.anchors(&headings, &page, changed), expected);
        assert_eq!(lines.anchors(&headings, &page, "## A"), expected[..1]);
    }
}
