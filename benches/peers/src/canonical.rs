//! Writes the tree that crate `tl` makes of a page as canonical HTML.
//!
//! Our tokenizer reads this form back unchanged: every attribute is quoted, every element closed,
//! no `<` is in text. Scripts and style sheets are written empty, because no count includes their
//! content. Comments and document types are left out.

use anyhow::{Result, anyhow};
use tl::{HTMLTag, Node, NodeHandle, ParserOptions};

/// Elements without content or end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Parses a page with `tl` and writes the tree to `out`, whose old contents are dropped.
pub fn canonical(html: &str, out: &mut String) -> Result<()> {
    out.clear();
    let tree = tl::parse(html, ParserOptions::default()).map_err(|error| anyhow!("{error:?}"))?;
    let mut open: Vec<PendingNode<'_>> =
        tree.children().iter().rev().map(|node| PendingNode::Node(*node)).collect();
    while let Some(step) = open.pop() {
        let node = match step {
            PendingNode::End(tag) => {
                write_end(tag, out);
                continue;
            }
            PendingNode::Node(handle) => handle.get(tree.parser()),
        };
        match node {
            Some(Node::Raw(text)) => write_escaped(&text.as_utf8_str(), '<', "&lt;", out),
            Some(Node::Tag(tag)) => {
                let name = tag.name().as_utf8_str();
                write_start(tag, out);
                // `tl` treats `BR` in upper case as an element with content. Write this content
                // after the tag.
                if !VOID.iter().any(|void| name.eq_ignore_ascii_case(void)) {
                    open.push(PendingNode::End(tag));
                }
                if !name.eq_ignore_ascii_case("script") && !name.eq_ignore_ascii_case("style") {
                    let start = open.len();
                    open.extend(tag.children().top().iter().map(|node| PendingNode::Node(*node)));
                    open[start..].reverse();
                }
            }
            Some(Node::Comment(_)) | None => {}
        }
    }
    Ok(())
}

/// One step that is still to be written.
enum PendingNode<'a> {
    Node(NodeHandle),
    End(&'a HTMLTag<'a>),
}

fn write_start(tag: &HTMLTag<'_>, out: &mut String) {
    out.push('<');
    out.push_str(&tag.name().as_utf8_str());
    for (name, value) in tag.attributes().iter() {
        out.push(' ');
        out.push_str(&name);
        if let Some(value) = value {
            out.push_str("=\"");
            write_escaped(&value, '"', "&quot;", out);
            out.push('"');
        }
    }
    out.push('>');
}

fn write_end(tag: &HTMLTag<'_>, out: &mut String) {
    out.push_str("</");
    out.push_str(&tag.name().as_utf8_str());
    out.push('>');
}

/// Writes text and replaces the scalar that would be read as markup. References in the text stay as
/// they are.
fn write_escaped(text: &str, markup: char, reference: &str, out: &mut String) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(markup) {
        out.push_str(before);
        out.push_str(reference);
        rest = after;
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(html: &str) -> String {
        let mut out = "old".to_owned();
        canonical(html, &mut out).unwrap();
        out
    }

    #[test]
    fn a_plain_page_is_written_as_it_is() {
        let html = "<html><head><title>a &amp; b</title></head><body class=\"c\"><p>d<br>e</p></body></html>";
        assert_eq!(written(html), html);
    }

    #[test]
    fn content_that_no_count_includes_is_left_out() {
        let html = "<!DOCTYPE html><p>a</p><!-- b --><script>c()</script><style>d{}</style>";
        assert_eq!(written(html), "<p>a</p><script></script><style></style>");
    }

    #[test]
    fn void_elements_lose_their_content_to_what_follows() {
        assert_eq!(written("<p>a<BR>b</p>"), "<p>a<BR>b</p>");
    }

    #[test]
    fn values_and_texts_cannot_become_markup() {
        assert_eq!(written("<p title='\"x\"'>1</p>"), "<p title=\"&quot;x&quot;\">1</p>");
        let mut out = String::new();
        write_escaped("a <b <c", '<', "&lt;", &mut out);
        assert_eq!(out, "a &lt;b &lt;c");
    }
}
