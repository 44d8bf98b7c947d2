//! The elements that an extractor removes before it reads a page: a set of tags, and two rules on
//! single elements (specification 0.6).
//!
//! The tree builder has already flagged the nodes that the rules apply to ([`NodeFlags`]), so all
//! sweeps decide alike, at the cost of one load. A rule is part of an extractor's `tuned` profile
//! if it met a condition on the ten headline sets (`benches/NOTES.md` has the table). It had to
//! raise LCS F1 on at least three of them, and to lower it by at most .003 on each of the others. A
//! third rule, on words in class and id, met that condition for no extractor and is not
//! implemented.

use huller_page::TagTable;
use huller_page::{Node, NodeFlags, Tag};

/// The treatment of elements with one tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagTreatment {
    /// The elements are kept.
    Kept,
    /// The elements are removed with all their content.
    Removed,
    /// Removed, except those with [`NodeFlags::ARTICLE_HEADER`].
    KeptInArticles,
    /// Kept, except those with [`NodeFlags::SMALL_FORM`].
    RemovedIfSmall,
}

impl TagTreatment {
    /// Returns whether an element with these flags is removed. Kept out of line: otherwise every
    /// sweep would contain a jump table.
    #[inline(never)]
    fn removes(self, flags: NodeFlags) -> bool {
        match self {
            TagTreatment::Kept => false,
            TagTreatment::Removed => true,
            TagTreatment::KeptInArticles => !flags.contains(NodeFlags::ARTICLE_HEADER),
            TagTreatment::RemovedIfSmall => flags.contains(NodeFlags::SMALL_FORM),
        }
    }
}

/// The elements that an extractor removes: a fate for each tag. This suffices because each rule on
/// single elements concerns one tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Removal([TagTreatment; 256]);

impl Removal {
    /// Returns a removal of all elements with these tags.
    pub(crate) const fn from_tags(tags: TagTable) -> Removal {
        let mut fates = [TagTreatment::Kept; 256];
        let mut tag = 0;
        while tag < fates.len() {
            if tags.table()[tag] {
                fates[tag] = TagTreatment::Removed;
            }
            tag += 1;
        }
        Removal(fates)
    }

    /// Returns the same removal, but with headers of articles kept, because they hold the headline.
    pub(crate) const fn but_article_headers(mut self) -> Removal {
        let header = &mut self.0[Tag::HEADER.index()];
        if let TagTreatment::Removed = *header {
            *header = TagTreatment::KeptInArticles;
        }
        self
    }

    /// Returns the same removal, extended to small forms.
    pub(crate) const fn and_small_forms(mut self) -> Removal {
        let form = &mut self.0[Tag::FORM.index()];
        if let TagTreatment::Kept = *form {
            *form = TagTreatment::RemovedIfSmall;
        }
        self
    }

    /// Returns whether the element is removed, with all its content.
    #[inline]
    pub(crate) fn removes(&self, node: &Node) -> bool {
        let fate = self.0[node.tag.index()];
        // Nearly all elements are kept, and this comparison alone decides for them.
        fate != TagTreatment::Kept && fate.removes(node.flags)
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
    fn rules_change_the_fate_of_single_elements() {
        let tags = Removal::from_tags(TagTable::NONE.with(&[Tag::HEADER, Tag::NAV]));
        assert_eq!(kept(&tags), "ccccd");
        assert_eq!(kept(&tags.but_article_headers()), "bccccd");
        assert_eq!(kept(&tags.and_small_forms()), "cccc");
        assert_eq!(kept(&tags.but_article_headers().and_small_forms()), "bcccc");
    }
}
