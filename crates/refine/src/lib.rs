//! Filters and transformations of rows between extraction and writing: each stage keeps a row,
//! changes its text, or drops it.
//!
//! # The types, and how they work together
//!
//! * A [`Stage`] holds the settings of one filter or transformation. It makes a [`RowStage`] for
//!   every worker thread.
//! * A [`RowInProgress`] is the row in progress that stages see: its URL, the extractor's verdict,
//!   its [`Language`], its [`Text`]. A stage keeps the row, changed or not, or drops it for a
//!   [`Reason`].
//! * A [`Text`] holds the text, and caches its words, their numbers and its length for all stages
//!   of the row. The cache is cleared when a stage changes the text. [`Words`] defines a word.
//! * [`Signals`] records the figures behind each decision, if the run asks for them.
//! * A [`Chain`] holds the stages of a run in one thread and applies each as soon as the row has
//!   what the stage [`StagePhase`]. Its [`RowTrace`] records what each stage did to the row.
//! * A [`Reason`] explains why a record gave no row, and has a [`RejectionKind`]. Built-in reasons
//!   are variants. Stages and statistics of other versions add more reasons, which are registered
//!   by name: `stage:reason`.
//! * A [`BlockList`] holds the hosts and URL prefixes that the stage `url` drops, eight bytes each.
//!
//! Each file in [`stages`] is one stage: its settings (every field with its default and source),
//! its rules, its tests. A new stage needs such a file, one line in `stages.rs`, and an entry of
//! [`STAGES`], the table of names for configurations.
//!
//! # One row's walk
//!
//! 1. The URL is known. [`Chain::apply`] with [`StagePhase::Address`] calls `url`; a row that it
//!    drops is never parsed.
//! 2. The extractor has judged the page. [`StagePhase::Verdict`] calls `judge` and `page`; a row
//!    that they drop is never rendered.
//! 3. The text is written into [`Text::begin`]. [`StagePhase::Text`] calls all other stages in the
//!    order of the run. The first stage that asks for words computes them, and later stages reuse
//!    them. `mask`, `normalise`, `lines` and `c4` may replace the text.
//! 4. The text has its final form. [`StagePhase::Final`] calls `tokens`, which counts it
//!    ([`tokens`]), and `signature`, which signs it ([`signature`]).
//! 5. The row is kept. The run renders its other forms (Markdown, HTML, comments) and passes each
//!    through [`Chain::rewrite`], so that an e-mail address masked in the text is masked in every
//!    form.
//! 6. The run reads [`Signals`], and clears it for the next row.
//!
//! All memory belongs to the worker, so in steady state a row allocates no memory
//! (`tests/allocations.rs`). Every stage takes time linear in the text, also on hostile texts
//! (`tests/hostile.rs`). Stages that repeat published rules are compared with the programs that
//! users cite (`tests/parity.rs`).
//!
//! ```
//! use huller_refine::stages::{GopherQuality, MinChars};
//! use huller_refine::{Chain, RowInProgress, StagePhase, Reason, Signals, Stage, Text};
//!
//! let stages: [Box<dyn Stage>; 2] = [Box::new(MinChars::new(10)), Box::new(GopherQuality::default())];
//! let mut chain = Chain::new(&stages);
//! let (mut text, mut signals) = (Text::default(), Signals::disabled());
//!
//! text.begin().push_str("Too short");
//! let dropped = chain.apply(StagePhase::Text, &mut RowInProgress::from_text(&mut text, &mut signals));
//! assert_eq!(dropped, Err(Reason::TooShort));
//!
//! text.begin().push_str("Long enough for the first stage, and too short for the second.");
//! let dropped = chain.apply(StagePhase::Text, &mut RowInProgress::from_text(&mut text, &mut signals));
//! assert_eq!(dropped.unwrap_err().name(), "gopher-quality:short_doc");
//! ```

mod abbreviations;
mod block_list;
mod chain;
mod contamination;
mod crawl_files;
mod decomposed;
mod documented;
mod duplicates;
mod first_failure;
mod invalid;
mod kept_lines;
pub mod language;
mod line_hasher;
mod lines;
mod named_reason;
mod perplexity;
mod reason;
mod registry;
mod rejection_kind;
mod row_fields;
mod row_in_progress;
mod row_trace;
mod scalars;
pub mod sentences;
mod signals;
pub mod signature;
mod site_line_list;
mod stage;
pub mod stages;
mod table;
mod text;
pub mod tokens;
mod word_list;
mod words;

pub use block_list::{BlockList, ListError};
pub use chain::Chain;
pub use invalid::InvalidSettings;
pub use line_hasher::LineHasher;
pub use named_reason::NamedReason;
pub use perplexity::{Bucket, Perplexity};
pub use reason::Reason;
pub use registry::{STAGES, StageEntry, StageError};
pub use rejection_kind::RejectionKind;
pub use row_fields::RowFields;
pub use row_in_progress::{Language, RowInProgress};
pub use row_trace::{ChosenText, RowTrace, StageTrace};
pub use signals::Signals;
pub use site_line_list::{MAX_SITE_LINE_BYTES, SiteLine, SiteLineList, SiteLineListError};
pub use stage::{ChangedValues, Decision, PhaseWorker, RowStage, Stage, StagePhase};
pub use text::Text;
pub use words::{NumberedWords, Word, Words};
