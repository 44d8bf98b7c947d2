//! The tree builder: turns tokens into columns.
//!
//! It makes one pass with a stack of open elements. It follows the rules of the HTML standard
//! (section 13.2.6) as far as they concern text. They decide which text is visible, in which order,
//! and where words and blocks end. Elements that the standard adds where tags are missing (`tbody`,
//! `head`) and copies of formatting elements change none of that, and are left out. Content of a
//! `template` does not open the body.
//!
//! One page's walk: [`PageBuf::fill`] starts the `builder`, which asks the tokenizer for text and
//! markup in turn. A start tag closes the elements that it ends (`starts`), becomes a
//! [`Node`](crate::Node) and, unless void, an entry of the stack (`open_tree`).
//!
//! A text is measured once and becomes a [`Run`](crate::Run) of the innermost element. If it is
//! only white space, it becomes a flag of the next node or run. In preformatted text (`style`) it
//! also becomes a [`WhiteRun`](crate::WhiteRun).
//!
//! An end tag closes elements down to its partner (`ends`); closing an element writes the ends of
//! its node's ranges. At the end `fostered` moves misplaced content of tables before them, on the
//! few pages that have some. `shadow_roots` hides what shadow roots hide, and `forms` marks the
//! small forms.

mod builder;
mod ends;
mod forms;
mod foster_moves;
mod non_ascii;
mod open_tree;
mod shadow_roots;
mod starts;
mod style;

use crate::columns::Columns;
use crate::page::Page;
use crate::span::assert_addressable;
use builder::{PageBuilder, Scratch};

/// The memory of a page, reused for one page after another. Each worker has one.
#[derive(Debug, Default)]
pub struct PageBuf {
    columns: Columns,
    scratch: Scratch,
}

impl PageBuf {
    /// Returns an empty buffer.
    pub fn new() -> PageBuf {
        PageBuf::default()
    }

    /// Reads a page. It replaces the page before.
    ///
    /// # Panics
    ///
    /// If `html` is longer than [`MAX_INPUT_LEN`](crate::MAX_INPUT_LEN) bytes. Callers cut pages
    /// far below that.
    pub fn fill<'a>(&'a mut self, html: &'a str) -> Page<'a> {
        assert_addressable(html.len());
        self.columns.clear();
        self.scratch.clear();
        PageBuilder::new(html, &mut self.columns, &mut self.scratch).build();
        Page::new(html, &self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::NodeFlags;
    use crate::tag::Tag;

    /// Returns, for each element of a tag, whether it has a flag.
    fn flags(html: &str, tag: Tag, flag: NodeFlags) -> Vec<bool> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let nodes = page.nodes().iter().filter(|node| node.tag == tag);
        nodes.map(|node| node.flags.contains(flag)).collect()
    }

    #[test]
    fn headers_of_articles_are_told_from_those_of_pages() {
        let html = "<header>a</header><main><header>b</header></main><header>c</header>
            <article><div><header>d</header></div></article>";
        assert_eq!(flags(html, Tag::HEADER, NodeFlags::ARTICLE_HEADER), [false, true, false, true]);
    }

    #[test]
    fn forms_are_small_by_their_text_or_their_fields_but_never_most_of_the_page() {
        let small = |html: &str| flags(html, Tag::FORM, NodeFlags::SMALL_FORM);
        let text = |chars: usize| "x".repeat(chars);
        let form = |inside: &str| format!("<p>{}</p><form>{inside}</form>", text(300));
        assert_eq!(small(&form(&text(199))), [true]);
        assert_eq!(small(&form(&text(200))), [false]);
        assert_eq!(small(&form(&format!("{}<input type=PassWord>", text(250)))), [true]);
        assert_eq!(small(&form(&format!("<b><input type=search></b>{}", text(250)))), [true]);
        assert_eq!(small(&form(&format!("<input type=text>{}", text(250)))), [false]);
        assert_eq!(small(&form(&format!("<input type=search>{}", text(301)))), [false]);
        // A field after a form does not belong to it. A form in a form is not an element.
        assert_eq!(small(&(form(&text(250)) + "<input type=search>")), [false]);
        let nested = format!("{}<form><input type=search>q</form>", text(250));
        assert_eq!(small(&form(&nested)), [true]);
        assert_eq!(small("<form>all there is</form>"), [false]);
        assert_eq!(small("<form></form>"), [true]);
    }
}
