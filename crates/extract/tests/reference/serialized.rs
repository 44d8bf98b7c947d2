//! Writes a page as well-formed HTML, from which every HTML parser builds the same tree.
//!
//! Every element has its tags, every attribute its quotes, every reserved character its reference.
//! Where ref.py is known to differ from the standard (specification 0.1), the cause is left out:
//! the content of scripts, control characters, markup in raw text.

use huller_page::entity::{self, Context};
use huller_page::{
    Attributes, Node, NodeFlags, Page, Run, RunFlags, Tag, TagSet, Token, Tokenizer,
};

/// The name of a node in lower case, also if its tag is unknown.
pub(crate) fn name(page: &Page<'_>, node: &Node) -> String {
    if node.tag != Tag::UNKNOWN {
        return node.tag.name().to_owned();
    }
    match Tokenizer::new(page.node_source(node)).next(&mut Attributes::default()) {
        Some(Token::Start { name, .. }) => page.node_source(node)
            [name.start as usize..name.end as usize]
            .chars()
            .map(|c| if c.is_ascii_graphic() { c.to_ascii_lowercase() } else { '-' })
            .collect(),
        _ => String::new(),
    }
}

/// The page as well-formed HTML.
pub(crate) fn serialized(page: &Page<'_>) -> String {
    let (nodes, runs) = (page.nodes(), page.runs());
    let mut out = Html { page, text: "<!doctype html>\n".to_owned(), after_run: false };
    let mut open: Vec<u32> = Vec::new();
    let (mut at, mut run) = (0, 0);
    loop {
        let node = nodes.get(at).filter(|node| node.run_start as usize <= run);
        while let Some(last) = open.pop_if(|last| {
            let last = &nodes[*last as usize];
            last.end as usize <= at && last.run_end as usize <= run
        }) {
            out.end(&nodes[last as usize]);
        }
        if let Some(node) = node {
            out.start(node);
            if node.is(TagSet::CODE) {
                out.code(node);
                (at, run) = (node.end as usize, run.max(node.run_end as usize));
            } else {
                open.push(at as u32);
                at += 1;
            }
        } else if let Some(next) = runs.get(run) {
            out.run(next);
            run += 1;
        } else {
            break;
        }
    }
    out.text
}

struct Html<'a> {
    page: &'a Page<'a>,
    text: String,
    after_run: bool,
}

impl Html<'_> {
    fn start(&mut self, node: &Node) {
        self.after_run = false;
        if node.flags.contains(NodeFlags::SPACE_BEFORE) {
            self.text.push('\n');
        }
        self.text.push('<');
        self.text.push_str(&name(self.page, node));
        // The page may have `html` and `body` without a tag, or with a tag elsewhere in the source.
        let tag = match node.tag {
            Tag::HTML | Tag::BODY => first_tag(self.page.html(), node.tag),
            _ => Some(&self.page.html()[node.byte_start as usize..]),
        };
        if let Some(source) = tag {
            self.attributes(source);
        }
        self.text.push('>');
    }

    fn attributes(&mut self, source: &str) {
        let mut attributes = Attributes::default();
        Tokenizer::new(source).next(&mut attributes);
        for attribute in attributes.list() {
            let name = &source[attribute.name.start as usize..attribute.name.end as usize];
            let value = &source[attribute.value.start as usize..attribute.value.end as usize];
            let plain =
                |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '/' | '=' | '<' | '>');
            if !name.chars().all(plain) {
                continue;
            }
            self.text.push(' ');
            self.text.push_str(&name.to_ascii_lowercase());
            if !value.is_empty() {
                let quote = if value.contains('"') { '\'' } else { '"' };
                self.text.push('=');
                self.text.push(quote);
                self.text.extend(value.chars().filter(|c| *c != quote && *c != '\0'));
                self.text.push(quote);
            }
        }
    }

    fn end(&mut self, node: &Node) {
        self.after_run = false;
        if node.flags.contains(NodeFlags::SPACE_AT_END) {
            self.text.push('\n');
        }
        if !node.is(TagSet::VOID) {
            self.text.push_str("</");
            self.text.push_str(&name(self.page, node));
            self.text.push('>');
        }
    }

    /// Writes the end tag of a script or style sheet, and the content of a style sheet, which some
    /// extractors read.
    fn code(&mut self, node: &Node) {
        let source = self.page.node_source(node);
        let content = source.split_once('>').map_or("", |(_, content)| content);
        let content = content.rsplit_once("</").map_or("", |(content, _)| content);
        if node.tag == Tag::STYLE && !content.contains('<') && !content.contains('\0') {
            self.text.push_str(content);
        }
        self.end(node);
    }

    fn run(&mut self, run: &Run) {
        // A comment keeps two adjacent runs apart, as in the source. It is written between two runs
        // only: ref.py may read other places as raw text (`title` in a drawing).
        if std::mem::replace(&mut self.after_run, true) {
            self.text.push_str("<!-- -->");
        }
        if run.flags.contains(RunFlags::SPACE_BEFORE) {
            self.text.push_str("\n<!-- -->");
        }
        let node = &self.page.nodes()[run.node as usize];
        let mut decoded = String::new();
        let source = self.page.run_source(run);
        if run.flags.contains(RunFlags::REFERENCES) {
            entity::decode(source, Context::Text, &mut decoded);
        } else {
            decoded.push_str(source);
        }
        for c in decoded.chars().filter(|c| c.is_whitespace() || !c.is_control()) {
            match c {
                '&' | '<' | '>' if node.is(TagSet::RAW_TEXT) => {}
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                _ => self.text.push(c),
            }
        }
    }
}

/// The source from the first start tag of this kind on.
fn first_tag(html: &str, wanted: Tag) -> Option<&str> {
    let mut tokenizer = Tokenizer::new(html);
    let mut attributes = Attributes::default();
    while let Some(token) = tokenizer.next(&mut attributes) {
        match token {
            Token::Start { span, tag, .. } if tag == wanted => {
                return Some(&html[span.start as usize..]);
            }
            _ => {}
        }
    }
    None
}
