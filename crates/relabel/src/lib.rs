//! Puts the labels of a user's model into the rows of a finished run.
//!
//! `huller extract --escalate` writes the pages with a low score as lists of their blocks. A model
//! of the user says which blocks are content. This crate rebuilds the texts from these blocks, and
//! replaces only the rows of labelled pages.
//!
//! # The types, and how they work together
//!
//! * [`Labels`] holds the numbers of the content blocks of each labelled page.
//! * `NewTexts` holds the texts that the blocks of an input's escalated
//!   pages make.
//! * `RowFile` copies a file of rows, and edits those with a new text.
//! * [`relabel`] takes the inputs of a run one by one, and returns a [`Summary`].
//!
//! # One row's walk
//!
//! 1. The labels are read. A line that is no label ends the command before anything has changed.
//! 2. The escalated pages of an input are read. A labelled page gives a text: its content blocks,
//!    each on lines of its own.
//! 3. The rows of the input are read. A row of such a page with another text is edited. It gets the
//!    new `text`, and its `extractor` is `labels`. Fields that were made of the old text become
//!    null. All other rows keep their bytes.
//! 4. `huller_run` gives the new file its name, and puts its length and digest into the journal. A
//!    killed command leaves whole files. A repeated command gives the files that an undisturbed
//!    command gives.
//!
//! Memory: the labels, about 100 bytes and four for each block of a page, and the new texts of one
//! input.

mod error;
mod labels;
mod new_texts;
mod relabelling;
mod row_file;
mod summary;

pub use error::RelabelError;
pub use labels::Labels;
pub use relabelling::relabel;
pub use summary::Summary;
