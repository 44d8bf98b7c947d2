//! Text density without symbols: the baseline to which paper 001 compares its own extractor
//! ([`tsd`]).
//!
//! Hong Honghui (洪鸿辉), Ding Shitao, Huang Ao, Guo Zhiyuan: 基于文本及符号密度的网页正文提取方法,
//! 2019; equation (2).
//!
//! ```text
//! score = ln SD * ND * log10(PNum + 2)                            (2)
//! ```
//!
//! The quantities and the choices are those of [`tsd`], so that comparing the `paper` profiles of
//! the two shows the effect of the symbols. The `tuned` profile removes the set TUNED and small
//! forms (specification 0.6, `removal.rs`), and takes another reading: `SD` is the deviation of the
//! densities of the element's children, at least 1, and `ND` is the `TD` of the element itself
//! (B-4). The body is a candidate there. Cost and known failures are those of `tsd`.

use crate::removal::Removal;
use crate::tsd::{self, RankQuantity, TextDensity};
use huller_select::{Citation, ExtractorCard, ExtractorFactory, Profiles, no_content};

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "td",
        summary: "like `tsd`, without symbols: selects the element with most text per tag and \
            most paragraphs",
        score: "the sum of the selected element's children's text densities times ln of the deviation of the lengths of its texts (tuned: its own text density times ln of the deviation of its children's) times log10(paragraphs + 2); 0 and up",
        citation: Citation {
            paper: Some("001"),
            subject: "text density without symbols, equation (2)",
        },
        source: "Hong Honghui et al. 2019, equation (2)",
        selects: "an element",
        cost: "O(n)",
        tuned: "forms; the deviation of the children's densities",
        failures: "articles split over several sibling elements",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: TextDensity = TextDensity {
    removal: tsd::REMOVAL,
    rank: RankQuantity::LeafDeviation,
    symbols: false,
    or_without_symbols: false,
};

const TUNED: TextDensity = TextDensity {
    removal: Removal::from_tags(no_content::TUNED).and_small_forms(),
    rank: RankQuantity::ChildDeviation,
    symbols: false,
    or_without_symbols: false,
};
