//! The places of headings in Markdown, and the identifiers by which links reach them.

use huller_page::entity::{self, Context};
use huller_page::{AttributeName, Page, Tag};
use std::borrow::Cow;

/// A heading in the Markdown of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadingPlace {
    /// Offset in bytes of its first `#` in the Markdown.
    pub at: usize,
    /// Index of its element.
    pub node: u32,
}

/// Most elements in a heading that are searched for an identifier.
const MAX_SEARCHED_DESCENDANTS: usize = 16;

/// Most elements around a heading that are searched.
const MAX_SEARCHED_ANCESTORS: usize = 4;

impl HeadingPlace {
    /// Returns the identifier that leads a browser to the heading. It belongs to the heading
    /// itself, to an element in it, to an empty link before it, or to the section that it begins.
    /// Identifiers with white space lead nowhere.
    pub fn id<'p>(&self, page: &Page<'p>) -> Option<Cow<'p, str>> {
        let nodes = page.nodes();
        let id = |place: usize| {
            let id = decode_references(page.attribute(&nodes[place], AttributeName::Id)?);
            (!id.is_empty() && !id.contains(char::is_whitespace)).then_some(id)
        };
        let place = self.node as usize;
        let heading = nodes.get(place)?;
        let inside = place..(heading.end as usize).min(place + MAX_SEARCHED_DESCENDANTS);
        let before = place.checked_sub(1).filter(|before| {
            let link = &nodes[*before];
            link.tag == Tag::A && link.runs().is_empty() && link.parent == heading.parent
        });
        let mut ancestor = heading.parent as usize;
        let sections = std::iter::from_fn(|| {
            let section = &nodes[ancestor];
            let is_section = matches!(section.tag, Tag::SECTION | Tag::ARTICLE | Tag::DIV);
            let begins_with_it = section.run_start == heading.run_start;
            (is_section && begins_with_it)
                .then(|| std::mem::replace(&mut ancestor, section.parent as usize))
        });
        inside.chain(before).chain(sections.take(MAX_SEARCHED_ANCESTORS)).find_map(id)
    }
}

/// Returns the value of an attribute with its character references decoded.
fn decode_references(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return value.into();
    }
    let mut decoded = String::with_capacity(value.len());
    entity::decode(value, Context::Attribute, &mut decoded);
    decoded.into()
}

#[cfg(test)]
mod tests {
    use crate::{MarkdownOptions, Renderer, Selection};
    use huller_page::PageBuf;

    fn ids(html: &str) -> Vec<(String, Option<String>)> {
        let mut columns = PageBuf::default();
        let page = columns.fill(html);
        let mut selection = Selection::default();
        selection.roots.push(page.body());
        let (mut renderer, mut markdown) = (Renderer::default(), String::new());
        renderer.note_headings();
        renderer.markdown(&page, &selection, None, MarkdownOptions::default(), &mut markdown);
        let line = |at: usize| markdown[at..].lines().next().unwrap_or_default().to_owned();
        let headings = renderer.headings().iter();
        headings.map(|place| (line(place.at), place.id(&page).map(Into::into))).collect()
    }

    #[test]
    fn headings_have_the_identifier_that_leads_to_them() {
        let html = "<h1 id=top>A</h1><p>a<section id=b><h2>B</h2><p>b</section>\
            <ul><li><h3><span id=c>C</span></h3></ul><a id=d></a><h2>D</h2>\
            <div id=e><p>e<h2>E</h2></div><h2 id='f g'>F</h2>\
            <h2 id='g&amp;h'>G</h2><h2 id='h&#32;i'>H</h2>";
        let found = ids(html);
        let found: Vec<_> = found.iter().map(|(line, id)| (line.as_str(), id.as_deref())).collect();
        assert_eq!(
            found,
            [
                ("# A", Some("top")),
                ("## B", Some("b")),
                ("### C", Some("c")),
                ("## D", Some("d")),
                ("## E", None),
                ("## F", None),
                ("## G", Some("g&h")),
                ("## H", None),
            ]
        );
    }

    #[test]
    fn headings_are_noted_only_on_request_and_per_page() {
        let (mut columns, mut markdown) = (PageBuf::default(), String::new());
        let page = columns.fill("<h1>A</h1>");
        let mut selection = Selection::default();
        selection.roots.push(page.body());
        let mut renderer = Renderer::default();
        let options = MarkdownOptions::default();
        renderer.markdown(&page, &selection, None, options, &mut markdown);
        assert_eq!(renderer.headings(), []);
        renderer.note_headings();
        for _ in 0..2 {
            markdown.clear();
            renderer.markdown(&page, &selection, None, options, &mut markdown);
            assert_eq!(renderer.headings().len(), 1);
        }
    }
}
