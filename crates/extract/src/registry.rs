//! Everything there is, in one list.

use crate::extractor::{Citation, Extractor};
use crate::methods::{
    body, boilerpipe, ccb, ceds, cetd, cetr, dvps, fe, hull, lineblock, mss, nb, nb_table, pvalue,
    readability, td, tsd, vips,
};
use crate::profile::Profile;

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

/// All methods: the default, those of the five papers, then what they are compared with.
pub static METHODS: &[Method] = &[
    Method {
        name: "hull",
        summary: "blocks judged by a trained model over the figures of the papers; comments kept only where the page is a thread",
        score: "expected F1 of the text, 0 to 1",
        citation: hull::CITATION,
        paper: &hull::SHIPPED,
        tuned: &hull::SHIPPED,
    },
    Method {
        name: "pvalue",
        summary: "the element with the largest share of text in markup, times its share of the page's unlinked text",
        score: "P of the selected element, 0 to 1; 0.5 and more means that the page has an article",
        citation: pvalue::CITATION,
        paper: &pvalue::PAPER,
        tuned: &pvalue::TUNED,
    },
    Method {
        name: "nb",
        summary: "blocks of table cells and divs, judged by their text, links, punctuation and paragraphs after a trained model",
        score: "logarithm of how much more likely content is than noise in the most likely block; 0 and more means content",
        citation: nb::CITATION,
        paper: &nb::PAPER,
        tuned: &nb::TUNED,
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
        name: "dvps",
        summary: "visual blocks of div subtrees, without a browser; the block that weighs most by place, text and links",
        score: "importance of the block that weighs most, equations (5) and (9) of the paper; below 1 but for odd layouts",
        citation: dvps::CITATION,
        paper: &dvps::PAPER,
        tuned: &dvps::TUNED,
    },
    Method {
        name: "ceds",
        summary: "blocks of neighbouring leaves, divided by a threshold into content and the rest, less what is far too deep",
        score: "variance between content blocks and the others; 0 where no threshold divides them",
        citation: ceds::CITATION,
        paper: &ceds::PAPER,
        tuned: &ceds::TUNED,
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
        name: "nb-table",
        summary: "nb with tables as the only blocks",
        score: "as nb",
        citation: nb_table::CITATION,
        paper: &nb_table::PAPER,
        tuned: &nb_table::TUNED,
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
        name: "cetr",
        summary: "lines of source with much text to few tags, by k-means over smoothed ratios",
        score: "share of the page's text that stands on the lines kept, 0 to 1",
        citation: cetr::CITATION,
        paper: &cetr::PAPER,
        tuned: &cetr::TUNED,
    },
    Method {
        name: "ccb",
        summary: "words in whose neighbourhood there is more text than markup",
        score: "none",
        citation: ccb::CITATION,
        paper: &ccb::PAPER,
        tuned: &ccb::TUNED,
    },
    Method {
        name: "mss",
        summary: "the stretch of the page where words outweigh tags most",
        score: "words of the stretch less 3.25 for each of its tags; 0 where there is no word",
        citation: mss::CITATION,
        paper: &mss::PAPER,
        tuned: &mss::TUNED,
    },
    Method {
        name: "fe",
        summary: "blocks in which text outweighs links, images, list items and form controls (reconstructed from abstracts, not verified)",
        score: "share of the page's text in the largest block, 0 to 1; 0 if there is no such block",
        citation: fe::CITATION,
        paper: &fe::PAPER,
        tuned: &fe::TUNED,
    },
    Method {
        name: "lineblock",
        summary: "segments of the page where three lines in a row hold much text",
        score: "share of the page's text that stands on the lines kept, 0 to 1",
        citation: lineblock::CITATION,
        paper: &lineblock::PAPER,
        tuned: &lineblock::TUNED,
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
        name: "readability",
        summary: "the element around the paragraphs with the most text and commas, with siblings like it, furniture cleaned away",
        score: "points of the best element: about one a comma and one a hundred characters",
        citation: readability::CITATION,
        paper: &readability::PAPER,
        tuned: &readability::TUNED,
    },
    Method {
        name: "boilerpipe",
        summary: "blocks chosen by their words, the words of their neighbours, and their share of links",
        score: "share of the page's words that stand in the blocks kept, 0 to 1",
        citation: boilerpipe::CITATION,
        paper: &boilerpipe::PAPER,
        tuned: &boilerpipe::TUNED,
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
