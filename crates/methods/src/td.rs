//! Text density without symbols: the baseline to which paper 001 compares its own extractor
//! ([`tsd`]).
//!
//! Hong Honghui (洪鸿辉) and others: 基于文本及符号密度的网页正文提取方法, 2019; equation (2).
//!
//! ```text
//! score = ln SD * TD * log10(PNum + 2)                            (2)
//! ```
//!
//! The quantities and the choices are those of [`tsd`]; `ND` in the printed equation is read as
//! `TD` (B-6). The `tuned` profile removes the set TUNED and small forms (specification 0.6,
//! `removal.rs`). It ranks like `paper`, so that comparing `td` with the `paper` profile of `tsd`
//! shows the effect of the symbols. Cost and known failures are those of `tsd`.

use crate::removal::Removal;
use crate::tsd::{self, RankQuantity, TextDensity};
use huller_select::{Citation, ExtractorCard, Method, Profiles, no_content};

/// The extractor.
pub static METHOD: &dyn Method = &Profiles {
    card: ExtractorCard {
        name: "td",
        summary: "like `tsd`, without symbols: selects the element with most text per tag and \
            most paragraphs",
        score: "the selected element's text density times ln of the deviation of its children's times log10(paragraphs + 2); 0 and up",
        citation: Citation {
            paper: Some("001"),
            subject: "text density without symbols, equation (2)",
        },
        source: "Hong Honghui et al. 2019, equation (2)",
        selects: "an element",
        cost: "O(n)",
        tuned: "forms",
        failures: "articles split over several sibling elements",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: TextDensity = TextDensity {
    removal: tsd::REMOVAL,
    rank: RankQuantity::Deviation,
    symbols: false,
    or_without_symbols: false,
};

const TUNED: TextDensity = TextDensity {
    removal: Removal::from_tags(no_content::TUNED).and_small_forms(),
    rank: RankQuantity::Deviation,
    symbols: false,
    or_without_symbols: false,
};
