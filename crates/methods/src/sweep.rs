//! Ways to traverse a page that several extractors share.
//!
//! * `sums`: counts over any subtree, as differences of prefix sums.
//! * `events`: nodes and runs in document order, with the ends of elements.
//! * `lines`: the lines of the source, with their tags and text.
//! * `blocks`: the text between two tags of given elements.
//! * `words`: the words of a run.

pub(crate) mod blocks;
pub(crate) mod events;
pub(crate) mod lines;
pub(crate) mod prefix_sums;
pub(crate) mod run_words;
