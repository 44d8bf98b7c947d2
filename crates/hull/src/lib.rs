//! hull, the default extractor: a trained model judges every block of a page. It uses the figures
//! of the papers' extractors for the block, the elements around it and its neighbours.
//! `docs/papers.md` lists the papers by number.
//!
//! 1. `blocks` cuts the page into blocks of text and records the block elements around them.
//! 2. `scores` sums counts over every block element and derives the papers' figures:
//!    - the P value (paper 003);
//!    - the text density and its sum over child elements (001), where the sum is the idea of CETD;
//!    - linked and unlinked text of the nearest table cell or `div` (000);
//!    - points as in Readability;
//!    - the stretch of blocks in which words outweigh tags (maximum subsequence segmentation, MSS).
//! 3. `features` converts these figures into columns of numbers. It adds counts over the block, its
//!    position, its neighbours and the blocks that look like it.
//! 4. [`model`] reads forests of oblivious trees; a forest gives each block the log-odds that it is
//!    content. `page_types` finds the type of the page with smaller forests over features of the
//!    whole page. These are its shape, its stated URL, its Open Graph and schema.org data, and the
//!    words of its title, buttons and labels. The type decides which forest judges the blocks.
//!    `judge` asks the first trees of that forest about every block, and the other trees only about
//!    blocks that may still be content.
//! 5. `block_selector` selects the blocks whose expected F1 is largest; that F1 is the page's
//!    score.
//! 6. `low_confidence_fallback` replaces them on pages where the forest is unsure and the
//!    extractors `readability` and `tsd` agree on less.
//! 7. On articles, `narrow` leaves out what `readability` leaves out if the text is Japanese, Thai,
//!    Lao, Khmer or Burmese. `headline` adds the headline if the text lacks it.
//!
//! Readers' comments, recognised by class names, are usually not content. On a thread (a forum,
//! questions and answers) they are the purpose of the page, and count as content. A page is treated
//! as a thread in three cases:
//!
//! - Forum is its likeliest type.
//! - Forum is a possible type, and comments hold more than three times the words of the selected
//!   text.
//! - The expected F1 is below 0.5 and is higher with comments.
//!
//! On other pages the comments go to `Selection::comments`.
//!
//! Three things depend on a language. Class names and ids are compared with lists of English words.
//! So are the stated URL, title and short texts, but only to find the type of the page. Every
//! Chinese character counts as a word. No other feature reads the words of the text.
//!
//! All figures are the same on every processor: they use IEEE 754 addition, subtraction,
//! multiplication and division, and an exponential function from the crate `libm`.
//!
//! The model that ships was trained on data sets whose licences permit it (`NOTICE`).
//! `research/train/hull.sh` repeats the training.
//!
//! Cost: a few passes over nodes, runs and blocks; O(m log m) to choose among m blocks; for each
//! block at most as many questions as the model has.
//!
//! Known failures: comments without a telling class name on pages with little other text; grids of
//! teasers; hidden content; content that the page contains twice, once hidden.

mod accordions;
mod block_selector;
mod blocks;
mod bytes8;
mod class_words;
mod columns;
mod comment_words;
mod comments;
mod consent;
mod contributions;
mod extractor;
mod features;
mod footnotes;
mod headline;
mod judge;
mod low_confidence_fallback;
pub mod model;
mod narrow;
mod page_blocks;
mod page_types;
mod regions;
mod scores;
mod script;
mod simple_extractors;
mod table;
mod text_marks;
mod whole_containers;

pub use extractor::{EXTRACTOR, Hull};
pub use page_blocks::{PageBlock, PageBlocks};
pub use table::Table;
