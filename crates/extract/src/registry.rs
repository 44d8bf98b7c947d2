//! Everything there is, in one list.

use crate::extractor::{Citation, Extractor};
use crate::methods::{body, cetd, dvps, pvalue, td, tsd, vips};

/// The two settings of every method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The closest faithful reading of the paper.
    Paper,
    /// What ships: the setting that measured best.
    Tuned,
}

impl Profile {
    /// The name users type.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Paper => "paper",
            Profile::Tuned => "tuned",
        }
    }
}

/// A method as users see it.
#[derive(Clone, Copy)]
pub struct Method {
    /// The name users type, and the one in tables and rows.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// What [`Verdict::score`](crate::Verdict::score) is.
    pub score: &'static str,
    /// Where it comes from.
    pub citation: Citation,
    paper: &'static dyn Extractor,
    tuned: &'static dyn Extractor,
}

impl Method {
    /// The method in one of its settings.
    pub fn profile(&self, profile: Profile) -> &'static dyn Extractor {
        match profile {
            Profile::Paper => self.paper,
            Profile::Tuned => self.tuned,
        }
    }
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Method").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All methods; the first is the default.
pub static METHODS: &[Method] = &[
    Method {
        name: "pvalue",
        summary: "the element with the largest share of text in markup, times its share of the page's unlinked text",
        score: "P of the selected element, 0 to 1; 0.5 and more means that the page has an article",
        citation: pvalue::CITATION,
        paper: &pvalue::PAPER,
        tuned: &pvalue::TUNED,
    },
    Method {
        name: "tsd",
        summary: "the element whose text is densest in its tags, punctuated and in paragraphs",
        score: "the selected element's text density times log10(paragraphs + 2) times ln of its symbol density; 0 and up",
        citation: tsd::CITATION,
        paper: &tsd::PAPER,
        tuned: &tsd::TUNED,
    },
    Method {
        name: "td",
        summary: "tsd without symbols: the element whose text is densest in its tags, and in paragraphs",
        score: "the selected element's text density times log10(paragraphs + 2); 0 and up",
        citation: td::CITATION,
        paper: &td::PAPER,
        tuned: &td::TUNED,
    },
    Method {
        name: "cetd",
        summary: "the element whose children are densest in unlinked text, added up",
        score: "density sum of the selected element, 0 and up",
        citation: cetd::CITATION,
        paper: &cetd::PAPER,
        tuned: &cetd::TUNED,
    },
    Method {
        name: "dvps",
        summary: "visual blocks of div subtrees, without a browser; the block that weighs most by place, text and links",
        score: "importance of the block that weighs most, equations (5) and (9) of the paper; below 1 but for odd layouts",
        citation: dvps::CITATION,
        paper: &dvps::PAPER,
        tuned: &dvps::TUNED,
    },
    Method {
        name: "vips",
        summary: "visual blocks by the rules of VIPS, without rendering; the block that weighs most by text and links",
        score: "semantic importance of the block that weighs most, 0 to 1",
        citation: vips::CITATION,
        paper: &vips::PAPER,
        tuned: &vips::TUNED,
    },
    Method {
        name: "body",
        summary: "all text of the page: the floor that every method must beat",
        score: "none",
        citation: body::CITATION,
        paper: &body::BODY,
        tuned: &body::BODY,
    },
];

/// The method of that name.
pub fn find(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}
