//! White space at the borders of runs. The counts of a run leave it out, and a browser shows it as
//! one space: `<p>aaa <a>bbb</a></p>` reads `aaa bbb`.

use crate::removal::Removal;
use crate::sweep::events::{Event, Events};
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class};
use huller_page::{NodeFlags, Page, Run, RunFlags, Tag, TagSet};

/// The space between a run and the run before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BorderSpace {
    /// The words join, or a block or a line break parts them.
    #[default]
    None,
    /// The space lies in a link.
    Linked,
    /// The space lies outside links.
    Unlinked,
}

/// The white space and the breaks since the last kept run.
#[derive(Default)]
struct Gap {
    space: BorderSpace,
    /// Whether a block or a line break begins or ends here, or the page begins.
    breaks: bool,
}

impl Gap {
    /// Notes white space. Of several stretches the first one is shown.
    fn add_space(&mut self, is_space: bool, is_linked: bool) {
        if is_space && self.space == BorderSpace::None {
            self.space = if is_linked { BorderSpace::Linked } else { BorderSpace::Unlinked };
        }
    }
}

/// Fills `out` with the space before each run. A removed run has that of the next kept one.
pub(super) fn fill_border_spaces(
    page: &Page<'_>,
    removal: &Removal,
    decoded: &mut String,
    out: &mut Vec<BorderSpace>,
) {
    let (nodes, runs) = (page.nodes(), page.runs());
    out.clear();
    let mut gap = Gap { breaks: true, ..Gap::default() };
    let is_linked = |node: u32| nodes[node as usize].flags.contains(NodeFlags::IN_LINK);
    for event in Events::new(page, 0, removal) {
        match event {
            Event::Run(index) => {
                let run = &runs[index as usize];
                let is_linked = run.flags.contains(RunFlags::IN_LINK);
                let [begins, ends] = white_ends(page, run, decoded);
                gap.add_space(begins || run.flags.contains(RunFlags::SPACE_BEFORE), is_linked);
                out.resize(
                    index as usize + 1,
                    if gap.breaks { BorderSpace::None } else { gap.space },
                );
                gap = Gap::default();
                gap.add_space(ends, is_linked);
            }
            Event::Open(index) | Event::Removed(index) => {
                let node = &nodes[index as usize];
                gap.add_space(
                    node.flags.contains(NodeFlags::SPACE_BEFORE),
                    is_linked(index) && is_linked(node.parent),
                );
                gap.breaks |= breaks(node.tag);
            }
            Event::Close(index) => {
                let node = &nodes[index as usize];
                gap.add_space(node.flags.contains(NodeFlags::SPACE_AT_END), is_linked(index));
                gap.breaks |= breaks(node.tag);
            }
        }
    }
    out.resize(runs.len(), BorderSpace::None);
}

/// Returns whether text before and after an element of this tag is on different lines.
fn breaks(tag: Tag) -> bool {
    tag.is(TagSet::BLOCK) || tag == Tag::BR
}

/// Returns whether a run begins and ends with white space.
fn white_ends(page: &Page<'_>, run: &Run, decoded: &mut String) -> [bool; 2] {
    let mut text = page.run_source(run);
    if run.flags.contains(RunFlags::REFERENCES) {
        decoded.clear();
        entity::decode(text, Context::Text, decoded);
        text = decoded;
    }
    let is_white = |class: CharClass| class == CharClass::White;
    let unseen = |class: &CharClass| matches!(class, CharClass::White | CharClass::ZeroWidth);
    let classes = text.chars().map(char_class);
    [
        classes.clone().take_while(unseen).any(is_white),
        classes.rev().take_while(unseen).any(is_white),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use huller_select::no_content;

    /// Returns the text of a page with its border spaces: `_` in links, `-` outside.
    fn marked(html: &str) -> String {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let removal = Removal::from_tags(no_content::CORE.with(&[Tag::IMG, Tag::ASIDE]));
        let mut spaces = Vec::new();
        fill_border_spaces(&page, &removal, &mut String::new(), &mut spaces);
        assert_eq!(spaces.len(), page.runs().len());
        let mut text = String::new();
        for (run, space) in page.runs().iter().zip(spaces) {
            text.push_str(match space {
                BorderSpace::None => "",
                BorderSpace::Linked => "_",
                BorderSpace::Unlinked => "-",
            });
            text.push_str(page.run_source(run).trim());
        }
        text
    }

    #[test]
    fn a_space_between_words_counts_once_wherever_it_stands() {
        assert_eq!(marked("<p>a <b>b</b></p>"), "a-b");
        assert_eq!(marked("<p>a<b> b</b></p>"), "a-b");
        assert_eq!(marked("<p>a <b> b </b> c</p>"), "a-b-c");
        assert_eq!(marked("<p><b>a</b> <i>b</i></p>"), "a-b");
        assert_eq!(marked("<p><b>a<i>b</i> </b>c</p>"), "ab-c");
        assert_eq!(marked("<p>a&nbsp;<b>b</b>&#32;<i>c</i></p>"), "a&nbsp;-b-c");
        assert_eq!(marked("<p>a<!-- x --> <b>b</b></p>"), "a-b");
        assert_eq!(marked("<p>a<b>b</b>c</p>"), "abc");
    }

    #[test]
    fn a_space_in_a_link_is_linked() {
        assert_eq!(marked("<p>a <a>b</a> c</p>"), "a-b-c");
        assert_eq!(marked("<p>a<a> b </a>c</p>"), "a_b_c");
        assert_eq!(marked("<p><a>a <b>b</b> <i>c</i></a></p>"), "a_b_c");
        assert_eq!(marked("<p><a>a</a> <a>b</a></p>"), "a-b");
    }

    #[test]
    fn blocks_and_line_breaks_leave_no_space() {
        assert_eq!(marked("<div>\n <p>a</p>\n <p>b</p>\n</div> c"), "abc");
        assert_eq!(marked("<p>a <br> b</p>"), "ab");
        assert_eq!(marked("  a"), "a");
    }

    #[test]
    fn removed_elements_part_words_as_others_do() {
        assert_eq!(marked("<p>a <img> b</p>"), "a-b");
        assert_eq!(marked("<p>a<img>b</p>"), "ab");
        assert_eq!(marked("<p>a <script>x</script>b</p>"), "a-b");
        assert_eq!(marked("a <aside>x</aside> b"), "axb");
    }
}
