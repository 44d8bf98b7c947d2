//! Which elements hold no content: a set of tags, and rules on single elements (specification 0.6).
//!
//! The page knows of each node what the rules ask ([`NodeFlags`]), so all sweeps decide alike, at the cost of a load.
//! A rule is on in a method's tuned profile where it raised LCS F1 on at least three of the ten headline sets and lowered it on none by more
//! than .003 (`benches/NOTES.md` has the table). The specification's words in class and id met that for no method and are left out.

use crate::tags::Tags;
use huller_page::{Node, NodeFlags};

/// What a method takes out of a page before it looks at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Removal {
    tags: Tags,
    /// Elements with one of these are kept, whatever their tag.
    keep: NodeFlags,
    /// Elements with one of these are removed, whatever their tag.
    drop: NodeFlags,
}

impl Removal {
    /// The elements of these tags.
    pub(crate) const fn of(tags: Tags) -> Removal {
        Removal { tags, keep: NodeFlags::NONE, drop: NodeFlags::NONE }
    }

    /// The same, but headers of articles are kept: there the headline stands.
    pub(crate) const fn but_article_headers(self) -> Removal {
        Removal { keep: NodeFlags::ARTICLE_HEADER, ..self }
    }

    /// The same, and small forms.
    pub(crate) const fn and_small_forms(self) -> Removal {
        Removal { drop: NodeFlags::SMALL_FORM, ..self }
    }

    /// Whether the element is removed, with all that is in it.
    #[inline]
    pub(crate) fn removes(&self, node: &Node) -> bool {
        self.tags.contains(node.tag) && !node.flags.intersects(self.keep)
            || node.flags.intersects(self.drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::{PageBuf, Tag};

    fn kept(removal: &Removal) -> String {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(
            "<header>a</header><article><header>b</header>cccc<form>d</form></article><nav>e</nav>",
        );
        let nodes = page.nodes();
        let is_kept = |mut at: u32| {
            while at > 0 && !removal.removes(&nodes[at as usize]) {
                at = nodes[at as usize].parent;
            }
            at == 0
        };
        page.runs().iter().filter(|run| is_kept(run.node)).map(|run| page.run_source(run)).collect()
    }

    #[test]
    fn rules_keep_and_drop_beside_the_tags() {
        let tags = Removal::of(Tags::NONE.and(&[Tag::HEADER, Tag::NAV]));
        assert_eq!(kept(&tags), "ccccd");
        assert_eq!(kept(&tags.but_article_headers()), "bccccd");
        assert_eq!(kept(&tags.and_small_forms()), "cccc");
        assert_eq!(kept(&tags.but_article_headers().and_small_forms()), "bcccc");
    }
}
