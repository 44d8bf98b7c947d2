//! Cuts the Markdown of a page into passages, for search indexes and embeddings.
//!
//! Such indexes take texts of 100 to 500 tokens, and pages are longer. A passage keeps headings
//! with their text, code and tables whole, and the head of a table that goes on. It states its
//! origin: the headings around it, a link to the place on the page, and its offsets in the Markdown
//! and in the text of the row.
//!
//! # The types, and how they work together
//!
//! * [`PassageSettings`] are the limits, the tokenizer and the parts of the prefix.
//! * A [`Splitter`] has valid settings and buffers. Each worker thread has one.
//! * A [`Source`] is a page: its Markdown and, as far as they are known, title, URL, text, and the
//!   identifiers of its headings ([`Anchor`]). A page without Markdown is given as plain text
//!   ([`Source::is_plain`]).
//! * A [`Passage`] has the fields of a row, ready for `serde`.
//!
//! ```
//! use huller_passages::{Anchor, PassageSettings, Source, Splitter};
//!
//! let settings = PassageSettings {
//!     max_tokens: 60,
//!     min_tokens: 10,
//!     tokenizer: "characters".to_owned(),
//!     ..PassageSettings::default()
//! };
//! let mut splitter = Splitter::new(&settings)?;
//! let source = Source {
//!     id: "page-1",
//!     title: Some("Weather"),
//!     markdown: "# Rain\n\nRain fell all day. Roads were shut.\n\n## Wind\n\nNone at all.\n",
//!     anchors: &[Anchor { at: 0, id: "rain" }],
//!     ..Source::default()
//! };
//! let passages: Vec<_> = splitter.split(&source).collect();
//! assert_eq!(passages[0].text, "# Rain\n\nRain fell all day. Roads were shut.\n\n");
//! assert_eq!(passages[0].prefix, "Weather\n\n");
//! assert_eq!(passages[1].text, "## Wind\n\nNone at all.\n");
//! assert_eq!(passages[1].headings, ["Rain", "Wind"]);
//! assert_eq!(passages[1].prefix, "Weather\nRain\n\n");
//! assert_eq!(passages[1].anchor, Some("rain"));
//! # Ok::<(), huller_refine::InvalidSettings>(())
//! ```
//!
//! # What holds for any Markdown
//!
//! * Without overlap the texts of the passages are the Markdown, byte for byte.
//! * Prefix, context and text, counted as one text by the tokenizer, are within the limit.
//! * Code, tables and items of lists stay whole if they fit. Their prefix, the headings directly
//!   before them and the empty lines after them count. Larger ones are cut between lines, rows or
//!   the blocks in an item, then at sentences, then at words.
//! * A heading ends a passage only if it ends the page or its item. There is one exception: a
//!   heading, or headings that follow one another, that exceed the limit together with the first
//!   word after them. The first word of code counts with the fence before it. A single word of code
//!   also counts with the fence after it.
//! * A word of UAX #29 is cut only if it alone exceeds the limit. Then it is cut between graphemes,
//!   and a grapheme that exceeds it between scalars.
//! * The same page and settings give the same passages with the same identifiers.
//!
//! `tests/invariants` checks this on generated Markdown and on the documents of this repository.
//!
//! # How a page becomes passages
//!
//! 1. `scanner` finds the blocks. A *row* is a line with the empty lines after it. It knows how
//!    good a cut before it is, and the heading above it. Items, code and tables are *units*. For
//!    plain text `plain_rows` finds the rows.
//! 2. `length_meter` measures all rows in one pass over the page.
//! 3. `packer` decides which units fit, and chooses the places of cuts. `queue` and
//!    `piece_splitter` cut a row into sentences, words and graphemes, but only a row that no longer
//!    fits.
//! 4. `length_meter` counts each passage with its prefix as one text. If the passage exceeds the
//!    limit, a shorter one is chosen.
//! 5. `align` finds the place of each passage in the text of the row.
//!
//! All steps take time linear in the page, also on hostile pages (`tests/hostile.rs`). Memory is a
//! few times the page.

mod align;
mod cursor;
mod document;
mod headings;
mod inline;
mod kinds;
mod length_meter;
mod level;
mod line_start;
mod packer;
mod passage;
mod piece_splitter;
mod plain_rows;
mod prefix;
mod queue;
mod scanner;
mod settings;
mod splitter;

pub use headings::Anchor;
pub use kinds::{Kind, Kinds};
pub use passage::Passage;
pub use settings::PassageSettings;
pub use splitter::{Passages, Source, Splitter};
