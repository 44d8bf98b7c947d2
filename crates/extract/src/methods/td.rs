//! Text density without symbols (paper 001, equation (2)): what the paper measures its symbol density against.
//!
//! ```text
//! score = ln SD * TD * log10(PNum + 2)                            (2)
//! ```
//!
//! The quantities and what we chose are those of [`tsd`]; `ND` in the printed equation is `TD` (B-6). The `tuned` profile removes
//! the set TUNED (specification 0.6) and falls back to the P value; it keeps the element's own density, so that the pair of
//! methods shows what symbols are worth in the paper's form. Cost and known failures are those of `tsd`.
//! Beside that set it removes small forms (`removal.rs`).

use crate::extractor::Citation;
use crate::methods::tsd::{self, Rank, TextDensity};
use crate::removal::Removal;
use crate::tags::Tags;

pub(crate) const CITATION: Citation =
    Citation { paper: Some("001"), subject: "text density without symbols, equation (2)" };

pub(crate) static PAPER: TextDensity =
    TextDensity { removal: tsd::REMOVAL, rank: Rank::Own, symbols: false, fall_back: false };

pub(crate) static TUNED: TextDensity = TextDensity {
    removal: Removal::of(Tags::TUNED).and_small_forms(),
    rank: Rank::Own,
    symbols: false,
    fall_back: true,
};
