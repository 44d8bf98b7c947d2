//! Decides whether the comments of a page are a thread of its readers, and which of its blocks are.
//!
//! Class names speak of comments around the form to write one, around a note that there are none, and around the
//! place where a service would put them. A reader's comment is a text that somebody signed: a name or a date stands
//! right before it or after it. Two of these are a thread; so is one below a heading that counts comments or names them.
//!
//! Cost: O(blocks), with the first bytes of each block of comments.

use crate::blocks::{Block, Segmentation};
use crate::class_words;
use crate::comment_words as words;
use crate::regions::Regions;
use huller_page::{AttributeName, Page, Tag};

/// Of longer blocks only the beginning is read, in bytes.
const READ: usize = 400;

/// A block with more words is a text, whatever else it holds.
const LONGEST_LINE: u32 = 12;

/// Notes and labels have at most so many words.
const LONGEST_NOTE: u32 = 60;

/// What a block is in a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Names the comments that follow, or counts them.
    Heading,
    /// Somebody's name, a date, or both.
    Signature,
    /// A short link, which may be a name.
    Link,
    Text,
    /// A text that begins with its signature.
    Signed,
    /// Asks for a comment, or states something about comments: part of the form, and of what a service shows.
    Note,
    /// Belongs to nothing: controls, numbers.
    Other,
}

/// Memory for the comments of a page, reused from page to page.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    /// The beginning of a block, in small letters.
    line: String,
    /// The blocks of the thread; empty unless there is a thread.
    thread: Vec<u32>,
}

/// What was found of a thread so far.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    has_heading: bool,
    /// Texts with a signature.
    signed: u32,
    /// Texts with a link that may be a name.
    linked: u32,
    /// The kind of the signature or text before, if it belongs to nothing yet.
    open: Option<Kind>,
}

impl Found {
    fn add(&mut self, kind: Kind) {
        match (self.open, kind) {
            (_, Kind::Heading) => (self.has_heading, self.open) = (true, None),
            (_, Kind::Signed) => self.pair(false),
            (Some(Kind::Text), Kind::Signature) | (Some(Kind::Signature), Kind::Text) => {
                self.pair(false);
            }
            (Some(Kind::Link), Kind::Text) => self.pair(true),
            (Some(Kind::Signature), Kind::Link) | (_, Kind::Other) => {}
            (_, Kind::Note) => self.open = None,
            (_, kind) => self.open = Some(kind),
        }
    }

    fn pair(&mut self, by_link: bool) {
        *(if by_link { &mut self.linked } else { &mut self.signed }) += 1;
        self.open = None;
    }

    fn is_thread(self) -> bool {
        let linked = if self.has_heading { self.linked } else { 0 };
        self.signed + linked >= 2 || self.has_heading && self.signed > 0
    }
}

impl Comments {
    /// The blocks of the readers' comments among those that are not taken, in document order; none unless they are a
    /// thread.
    pub(crate) fn of(&mut self, page: &Page<'_>, blocks: &Segmentation, taken: &[bool]) -> &[u32] {
        let Comments { line, thread } = self;
        thread.clear();
        let mut found = Found::default();
        for block in 0..blocks.blocks.len() {
            if taken[block] || !blocks.is_comment(block) {
                continue;
            }
            let kind = kind(page, blocks, block, line);
            found.add(kind);
            if kind != Kind::Note && !blocks.is_mostly_links(block) {
                thread.push(block as u32);
            }
        }
        if !found.is_thread() {
            thread.clear();
        }
        thread
    }
}

fn kind(page: &Page<'_>, blocks: &Segmentation, index: usize, line: &mut String) -> Kind {
    let block = &blocks.blocks[index];
    read(page, blocks, index, line);
    let has_letters = line.chars().any(char::is_alphabetic);
    let is_line = block.words <= LONGEST_LINE;
    let has_date = words::has_date(line);
    if block.words <= LONGEST_NOTE && is_in_form(page, blocks, index) {
        return Kind::Note;
    }
    if is_line {
        if words::is_reply(line) {
            return Kind::Signature;
        }
        if words::is_note(line) {
            return Kind::Note;
        }
        if !has_date && words::is_heading(line) {
            return Kind::Heading;
        }
        if has_date || words::is_said(line) {
            return Kind::Signature;
        }
        if !has_letters {
            return Kind::Other;
        }
        if is_name(page, blocks, block, index) {
            return Kind::Signature;
        }
        return if blocks.is_mostly_links(index) { Kind::Link } else { Kind::Text };
    }
    if block.words <= LONGEST_NOTE && words::is_note(line) {
        return Kind::Note;
    }
    if blocks.is_mostly_links(index) {
        return Kind::Other;
    }
    let mut start = line.split_whitespace().take(LONGEST_LINE as usize);
    let head = start.by_ref().fold(0, |end, word| end + word.len() + 1).min(line.len());
    let head = &line[..line.floor_char_boundary(head)];
    if has_date && words::has_date(head) { Kind::Signed } else { Kind::Text }
}

/// Reads the beginning of a block, in small letters, with single spaces.
fn read(page: &Page<'_>, blocks: &Segmentation, block: usize, line: &mut String) {
    line.clear();
    for run in blocks.runs(block) {
        for word in page.run_source(&page.runs()[run as usize]).split_whitespace() {
            if line.len() >= READ {
                return;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            let word = &word[..word.floor_char_boundary(READ)];
            line.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
}

/// Whether a block belongs to a form: a small one, or the label of a control.
fn is_in_form(page: &Page<'_>, blocks: &Segmentation, block: usize) -> bool {
    let Block { first_run, container, .. } = blocks.blocks[block];
    let container = &blocks.containers[container as usize];
    container.regions.intersects(Regions::FORM)
        || around(page, first_run, container.node).any(|node| page.nodes()[node].tag == Tag::LABEL)
}

/// Whether elements in a block, or right around it, say that it is a name or a date.
fn is_name(page: &Page<'_>, blocks: &Segmentation, block: &Block, index: usize) -> bool {
    /// The class of the element, or of the element around it.
    const NEAR: u8 = 1;
    let container = &blocks.containers[block.container as usize];
    let names = |node: usize| {
        let node = &page.nodes()[node];
        let class = || page.attribute(node, AttributeName::Class);
        let property = || page.attribute(node, AttributeName::Itemprop);
        matches!(node.tag, Tag::TIME | Tag::CITE)
            || [class(), property()].into_iter().flatten().any(words::is_name_class)
    };
    container.class_words.near(class_words::META) <= NEAR
        || blocks.runs(index).take(4).any(|run| around(page, run, container.node).any(names))
}

/// The elements around a run, from the innermost up to `last`, a few at most.
fn around<'a>(page: &Page<'a>, run: u32, last: u32) -> impl Iterator<Item = usize> + use<'a> {
    /// More elements than lie around the words of a line.
    const MOST: usize = 8;
    let nodes = page.nodes();
    let first = page.runs()[run as usize].node;
    let up = move |node: &u32| (*node > last).then(|| nodes[*node as usize].parent);
    std::iter::successors(Some(first), up).take(MOST).map(|node| node as usize)
}
