//! Stages between extraction and writing: what each row has to pass, and how its text is mended on
//! the way.
//!
//! # The types, and how they meet
//!
//! * A [`Stage`] is a setting of the run that decides about rows. It makes a [`RowStage`] for every
//!   worker thread.
//! * A [`Draft`] is what stages see of a row that is being made: address, verdict of the method,
//!   [`Language`], [`Text`]. A stage keeps the row, changed or not, or drops it for a [`Reason`].
//! * A [`Text`] holds the text with what is found in it once and shared by all stages of the row:
//!   its words, their numbers, its length. When a stage changes the text, that is forgotten.
//!   [`Words`] says what a word is.
//! * [`Signals`] takes the figures behind each decision, if the run asks for them.
//! * A [`Chain`] holds the stages of a run in one thread and applies each as soon as the row has
//!   what the stage [`Needs`]. Its [`Passage`] tells how the row fared at each.
//! * A [`Reason`] says why a record gave no row, and has an [`Outcome`]. Built-in reasons are
//!   variants. Stages and accounts of other versions bring more reasons, which are registered by
//!   name: `stage:reason`.
//! * A [`BlockList`] holds addresses that the stage `url` drops, eight bytes each.
//!
//! One file a stage, in [`stages`]: its settings (every field with its default and source), its
//! rules, its tests. A new stage is one such file, one line in `stages.rs`, and an entry of
//! [`STAGES`], by which configurations name it.
//!
//! # One row's walk
//!
//! 1. The address is known. [`Chain::apply`] with [`Needs::Address`] calls `url`; a row that it
//!    drops is never parsed.
//! 2. The method has looked at the page. [`Needs::Verdict`] calls `judge` and `page`; a row that
//!    they drop is never rendered.
//! 3. The text is written into [`Text::begin`]. [`Needs::Text`] calls all others in the order of
//!    the run. The first that asks finds the words; the next ones use them. `mask`, `normalise`,
//!    `lines` and `c4` may replace the text.
//! 4. The text is as it will be written. [`Needs::Final`] calls `tokens`, which counts it
//!    ([`tokens`]), and `signature`, which signs it ([`signature`]).
//! 5. The row is kept. The run renders its other forms (Markdown, HTML, comments) and passes each
//!    through [`Chain::rewrite`], so that an address masked in the text stands in no other form.
//! 6. [`Signals`] is read, and cleared for the next row.
//!
//! All memory belongs to the worker, so in steady state a row allocates nothing
//! (`tests/allocations.rs`). Every stage takes time in proportion to the text, whatever stands in
//! it (`tests/hostile.rs`). Stages that repeat published rules are held to the programs that people
//! cite (`tests/parity.rs`).
//!
//! ```
//! use huller_refine::stages::{GopherQuality, MinChars};
//! use huller_refine::{Chain, Draft, Needs, Reason, Signals, Stage, Text};
//!
//! let stages: [Box<dyn Stage>; 2] = [Box::new(MinChars::new(10)), Box::new(GopherQuality::default())];
//! let mut chain = Chain::new(&stages);
//! let (mut text, mut signals) = (Text::default(), Signals::off());
//!
//! text.begin().push_str("Too short");
//! let dropped = chain.apply(Needs::Text, &mut Draft::of_text(&mut text, &mut signals));
//! assert_eq!(dropped, Err(Reason::TooShort));
//!
//! text.begin().push_str("Long enough for the first stage, and too short for the second.");
//! let dropped = chain.apply(Needs::Text, &mut Draft::of_text(&mut text, &mut signals));
//! assert_eq!(dropped.unwrap_err().name(), "gopher-quality:short_doc");
//! ```

mod abbreviations;
mod block_list;
mod chain;
mod documented;
mod draft;
mod duplicates;
mod invalid;
mod kept;
pub mod language;
mod lines;
mod named;
mod outcome;
mod passage;
mod reason;
mod registry;
mod ruling;
mod scalars;
mod sentences;
mod signals;
pub mod signature;
mod stage;
pub mod stages;
mod table;
mod text;
pub mod tokens;
mod words;

pub use block_list::{BlockList, ListError};
pub use chain::Chain;
pub use draft::{Draft, Language};
pub use invalid::InvalidSettings;
pub use named::Named;
pub use outcome::Outcome;
pub use passage::{Passage, Passed};
pub use reason::Reason;
pub use registry::{Registered, STAGES, StageError};
pub use signals::Signals;
pub use stage::{Decision, Needs, Reach, RowStage, Stage};
pub use text::Text;
pub use words::{NumberedWords, Word, Words};
