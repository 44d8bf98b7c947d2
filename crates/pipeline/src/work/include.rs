//! Parts of a page that the text includes besides its body.
//!
//! Conventions differ: some corpora want the headline in the text, some the byline, some the
//! comments of readers. The row has all of them as fields. Included parts are also in the text,
//! each on lines of its own.

use huller_metadata::Metadata;
use huller_page::Page;
use huller_select::{Renderer, Selection};

/// Optional parts of a page that the text includes besides the body. The default is no part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// The headline, before the body, unless the body begins with it.
    pub title: bool,
    /// Author and date of publication, before the body.
    pub byline: bool,
    /// Comments that the extractor separates from the text, after the body.
    pub comments: bool,
    /// Captions of figures within the body, at their places.
    pub captions: bool,
}

impl Include {
    /// Writes the text of a selection with the included parts. Captions become part of the
    /// selection. Returns the number of bytes before the body.
    pub(crate) fn write(
        self,
        page: &Page<'_>,
        selection: &mut Selection,
        metadata: &Metadata,
        renderer: &mut Renderer,
        text: &mut String,
    ) -> usize {
        if self.title {
            push_line(&metadata.title, text);
        }
        let title_end = text.len();
        if self.byline {
            push_line(&metadata.author, text);
            push_line(&metadata.published, text);
        }
        let mut body = text.len();
        if self.captions {
            selection.add_captions(page);
        }
        renderer.text(page, selection, text);
        if title_end > 0 && text[body..].starts_with(&metadata.title) {
            text.drain(..title_end);
            body -= title_end;
        }
        if self.comments && !selection.comments.is_empty() {
            let has_text = !text.is_empty();
            let length_before = text.len();
            if has_text {
                text.push('\n');
            }
            renderer.comments(page, selection, text);
            if text.len() == length_before + usize::from(has_text) {
                text.truncate(length_before);
            }
        }
        while text.ends_with('\n') {
            text.pop();
        }
        body
    }
}

fn push_line(line: &str, text: &mut String) {
    if !line.is_empty() {
        text.push_str(line);
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use huller_select::RunRange;

    fn written(include: Include, title: &str, body: &str, has_comment: bool) -> String {
        let html = format!("<div>{body}</div><p>I agree.");
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let is_body = |node: &huller_page::Node| node.tag == huller_page::Tag::DIV;
        let root = page.nodes().iter().position(is_body).unwrap() as u32;
        let mut selection = Selection { roots: vec![root], ..Selection::default() };
        let last = page.runs().len() as u32 - 1;
        if has_comment {
            selection.comments.push(RunRange::whole_run(&page, last));
        }
        let metadata = Metadata {
            title: title.to_owned(),
            author: "Ann Ray".to_owned(),
            published: "2010-01-30".to_owned(),
            ..Metadata::default()
        };
        let mut text = String::new();
        include.write(&page, &mut selection, &metadata, &mut Renderer::default(), &mut text);
        text
    }

    #[test]
    fn only_what_is_asked_for_is_included() {
        let all = Include { title: true, byline: true, comments: true, captions: true };
        assert_eq!(written(Include::default(), "Rain", "It fell.", true), "It fell.");
        assert_eq!(
            written(all, "Rain", "It fell.", true),
            "Rain\nAnn Ray\n2010-01-30\nIt fell.\nI agree."
        );
        assert_eq!(
            written(Include { title: true, ..Include::default() }, "", "It fell.", true),
            "It fell."
        );
        assert_eq!(
            written(Include { comments: true, ..Include::default() }, "Rain", "It fell.", false),
            "It fell."
        );
    }

    #[test]
    fn a_title_that_the_body_begins_with_stands_once() {
        let title = Include { title: true, ..Include::default() };
        assert_eq!(written(title, "Rain", "<h1>Rain</h1>It fell.", false), "Rain\nIt fell.");
    }
}
