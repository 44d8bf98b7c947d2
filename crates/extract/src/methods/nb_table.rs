//! Naive Bayes over tables: the baseline that paper 000 compares its method with.
//!
//! The same as [`nb`](crate::methods::nb), but that only `table` makes a block; text outside every table is one block. On
//! pages laid out without tables that is all text or none. Cost: as `nb`.

use crate::extractor::Citation;
use crate::methods::nb::blocks::{BlockTags, Options};
use crate::methods::nb::model::Definition;
use crate::methods::nb::{NaiveBayes, PAPER_OPTIONS as NB_PAPER, TUNED_OPTIONS as NB_TUNED};
use std::sync::LazyLock;

pub(crate) const CITATION: Citation = Citation { paper: None, subject: "naive Bayes over tables" };

pub(crate) static PAPER: LazyLock<NaiveBayes> =
    LazyLock::new(|| NaiveBayes::shipped(Definition::TablePaper));
pub(crate) static TUNED: LazyLock<NaiveBayes> =
    LazyLock::new(|| NaiveBayes::shipped(Definition::TableTuned));

pub(crate) const PAPER_OPTIONS: Options = Options { tags: BlockTags::Tables, ..NB_PAPER };
pub(crate) const TUNED_OPTIONS: Options = Options { tags: BlockTags::Tables, ..NB_TUNED };
