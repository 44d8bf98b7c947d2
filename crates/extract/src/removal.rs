//! Which elements hold no content: a set of tags, and rules on single elements (specification 0.6).
//!
//! The page knows of each node what the rules ask ([`NodeFlags`]), so all sweeps decide alike, at the cost of a load.
//! A rule is on in a method's tuned profile where it raised LCS F1 on at least three of the ten headline sets and lowered it on none by more
//! than .003 (`benches/NOTES.md` has the table). The specification's words in class and id met that for no method and are left out.

use crate::tags::Tags;
use huller_page::{Node, NodeFlags, Tag};

/// What happens to the elements of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Removed,
    /// Removed but for [`NodeFlags::ARTICLE_HEADER`].
    KeptInArticles,
    /// Kept but for [`NodeFlags::SMALL_FORM`].
    RemovedIfSmall,
}

impl Fate {
    /// A call, lest every sweep become a table of jumps.
    #[inline(never)]
    fn removes(self, flags: NodeFlags) -> bool {
        match self {
            Fate::Kept => false,
            Fate::Removed => true,
            Fate::KeptInArticles => !flags.contains(NodeFlags::ARTICLE_HEADER),
            Fate::RemovedIfSmall => flags.contains(NodeFlags::SMALL_FORM),
        }
    }
}

/// What a method takes out of a page before it looks at it: a fate for each tag, since all rules on single elements are on
/// elements of one tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Removal([Fate; 256]);

impl Removal {
    /// The elements of these tags.
    pub(crate) const fn of(tags: Tags) -> Removal {
        let mut fates = [Fate::Kept; 256];
        let mut tag = 0;
        while tag < fates.len() {
            if tags.0[tag] {
                fates[tag] = Fate::Removed;
            }
            tag += 1;
        }
        Removal(fates)
    }

    /// The same, but headers of articles are kept: there the headline stands.
    pub(crate) const fn but_article_headers(mut self) -> Removal {
        let header = &mut self.0[Tag::HEADER.index()];
        if let Fate::Removed = *header {
            *header = Fate::KeptInArticles;
        }
        self
    }

    /// The same, and small forms.
    pub(crate) const fn and_small_forms(mut self) -> Removal {
        let form = &mut self.0[Tag::FORM.index()];
        if let Fate::Kept = *form {
            *form = Fate::RemovedIfSmall;
        }
        self
    }

    /// Whether the element is removed, with all that is in it.
    #[inline]
    pub(crate) fn removes(&self, node: &Node) -> bool {
        let fate = self.0[node.tag.index() & 0xFF];
        // Of nearly all elements nothing else is asked.
        fate != Fate::Kept && fate.removes(node.flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

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
