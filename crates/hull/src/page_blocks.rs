//! The blocks of a page for inspection, as `--blocks` shows them.

use crate::blocks::{Container, Segmentation};
use crate::class_words;
use crate::regions::Regions;
use huller_page::{Page, Tag};
use huller_select::{BlockFacts, PageSegmentation, Role};
use std::ops::Range;

/// The blocks of a page as hull cuts it: maximal pieces of text without a block element or two line
/// breaks in a row inside. Created once and refilled.
#[derive(Debug, Default)]
pub struct PageBlocks(Segmentation);

/// One block of a page.
#[derive(Clone, Copy, Debug)]
pub struct PageBlock<'a> {
    page: &'a Segmentation,
    /// Index of the block.
    index: usize,
}

impl PageBlocks {
    /// Cuts a page.
    pub fn fill(&mut self, page: &Page<'_>) {
        self.0.fill(page);
    }

    /// Returns the blocks in document order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = PageBlock<'_>> {
        (0..self.0.blocks.len()).map(|index| PageBlock { page: &self.0, index })
    }

    /// Returns the blocks by their numbers.
    pub fn segmentation(&self) -> &dyn PageSegmentation {
        &self.0
    }
}

impl PageSegmentation for Segmentation {
    fn first_block(&self, runs: Range<u32>) -> Option<u32> {
        let number = self.first_block_from(runs.start);
        let block = self.blocks.get(number as usize)?;
        (block.first_run < runs.end).then_some(number)
    }

    fn block(&self, number: u32) -> BlockFacts {
        let index = number as usize;
        let block = &self.blocks[index];
        BlockFacts {
            runs: block.first_run..block.end_run,
            chars: block.chars,
            linked_chars: block.linked_chars,
            words: block.words,
            role: shown_role(
                PageBlock { page: self, index }.container(),
                self.is_mostly_links(index),
            ),
        }
    }

    fn element_of(&self, node: u32) -> u32 {
        self.container_at(node) as u32
    }

    fn role_in(&self, element: u32) -> Option<Role> {
        shown_role(self.containers.get(element as usize)?, true)
    }
}

/// A class word at most this many block elements above a block applies to the block.
const MAX_CLASS_WORD_DISTANCE: u8 = 3;

impl<'a> PageBlock<'a> {
    fn block(self) -> &'a crate::blocks::Block {
        &self.page.blocks[self.index]
    }

    fn container(self) -> &'a Container {
        &self.page.containers[self.block().container as usize]
    }

    /// Returns the indices of its runs.
    pub fn runs(self) -> impl Iterator<Item = u32> + 'a {
        self.page.runs(self.index)
    }

    /// Returns the index of its nearest block element.
    pub fn element(self) -> u32 {
        self.container().node
    }

    /// Returns the number of Unicode scalars that are neither white space nor zero width.
    pub fn chars(self) -> u32 {
        self.block().chars
    }

    /// Returns the number of words; each Chinese, Japanese or Thai scalar counts as one.
    pub fn words(self) -> u32 {
        self.block().words
    }

    /// Returns the number of punctuation scalars.
    pub fn punctuation(self) -> u32 {
        self.block().punctuation
    }

    /// Returns the number of scalars in links.
    pub fn linked_chars(self) -> u32 {
        self.block().linked_chars
    }

    /// Returns the number of links that begin in it.
    pub fn links(self) -> u16 {
        self.block().links
    }

    /// Returns the number of inline elements with text that begin in it.
    pub fn tags(self) -> u16 {
        self.block().tags
    }

    /// Returns whether it is a reader's comment, by class names around it.
    pub fn is_comment(self) -> bool {
        self.page.is_comment(self.index)
    }

    /// Returns the role that the elements around it and their class names give it. `None` if they
    /// give no role, or mark it as content.
    pub fn role(self) -> Option<Role> {
        role_in(self.container(), self.page.is_mostly_links(self.index))
    }
}

/// Returns the role of a block in a container. `is_linked` says that most of its text is linked.
fn role_in(container: &Container, is_linked: bool) -> Option<Role> {
    if container.regions.intersects(Regions::HIDDEN) {
        return Some(Role::Hidden);
    }
    shown_role(container, is_linked)
}

/// Returns the role of a block in a container, whether it is hidden or not. Scripts show menus.
fn shown_role(container: &Container, is_linked: bool) -> Option<Role> {
    let near = |group: usize| container.class_words.distance(group) <= MAX_CLASS_WORD_DISTANCE;
    let is_in = |region: Regions| container.regions.intersects(region);
    Some(match () {
        () if container.tag == Tag::FIGCAPTION || container.tag == Tag::CAPTION => Role::Caption,
        () if container.class_words.distance(class_words::COMMENTS) < class_words::FAR => {
            Role::Comment
        }
        () if is_in(Regions::FORM) => Role::Form,
        () if is_in(Regions::NAV) => Role::Navigation,
        () if near(class_words::POPUPS) => Role::Popup,
        () if near(class_words::ADVERTISEMENTS) => Role::Advertisement,
        () if near(class_words::SHARES) => Role::Share,
        () if near(class_words::RELATED) => Role::Related,
        () if is_in(Regions::FOOTER) => Role::Footer,
        () if is_in(Regions::HEADER) => Role::Header,
        () if is_in(Regions::ASIDE) => Role::Sidebar,
        () if is_linked && near(class_words::NAVIGATION) => Role::Navigation,
        () if near(class_words::FEET) => Role::Footer,
        () if near(class_words::SIDES) => Role::Sidebar,
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    #[test]
    fn elements_and_class_words_tell_what_a_block_is_for() {
        let html = "<body><nav>Home</nav><div class=share>Tweet</div><p>It rained.<figure><figcaption>Rain</figcaption></figure>\
            <div class=comments><p>So it did.</p></div><aside>Weather</aside><div class=related-posts><p>Snow</div>\
            <footer>Imprint</footer><div hidden>x</div>";
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut blocks = PageBlocks::default();
        blocks.fill(&page);
        let roles: Vec<_> = blocks.iter().map(|block| block.role().map(Role::name)).collect();
        let expected = [
            Some("navigation"),
            Some("share"),
            None,
            Some("caption"),
            Some("comment"),
            Some("sidebar"),
            Some("related"),
            Some("footer"),
            Some("hidden"),
        ];
        assert_eq!(roles, expected);
        let paragraph = blocks.iter().nth(2).unwrap();
        assert_eq!((paragraph.chars(), paragraph.words(), paragraph.punctuation()), (9, 2, 1));
    }
}
