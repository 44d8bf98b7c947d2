//! Naive Bayes over tables: the baseline to which paper 000 compares its extractor.
//!
//! Equal to [`nb`](crate::nb), but with `table` as the only block tag; all text outside tables is
//! one block. Cost: that of `nb`. Known failure: on pages laid out without tables it selects all
//! text or nothing.

use crate::nb::{BuiltInClassifier, Definition};
use huller_select::{Citation, ExtractorCard, ExtractorFactory};

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &BuiltInClassifier {
    card: ExtractorCard {
        name: "nb-table",
        summary: "like `nb`, with tables as the only blocks",
        score: "as nb",
        citation: Citation { paper: None, subject: "naive Bayes over tables" },
        source: "the comparison in paper 000",
        selects: "runs",
        cost: "O(n)",
        tuned: "as `nb`",
        failures: "pages without tables are selected as a whole or not at all",
    },
    paper: Definition::TablePaper,
    tuned: Definition::TableTuned,
};
