//! Stages between extraction and writing: what each row has to pass.
//!
//! # The types, and how they meet
//!
//! * A [`Stage`] is a setting of the run that decides about rows. It makes a [`RowStage`] for every worker thread.
//! * A [`Draft`] is what stages see of a row that is being made. A stage keeps the row, or drops it for a [`Reason`].
//! * A [`Chain`] holds the stages of a run in one thread and applies each as soon as the row has what the stage [`Needs`].
//! * A [`Reason`] says why a record gave no row, and has an [`Outcome`]. Built-in reasons are variants. Stages and accounts of other
//!   versions bring more reasons, which are registered by name.
//!
//! One file a stage, in `stages/`. A new stage is one such file, one line in `stages.rs`, and the setting that turns it on.
//!
//! ```
//! use huller_refine::stages::MinChars;
//! use huller_refine::{Chain, Draft, Needs, Reason, Stage};
//!
//! let stages: [Box<dyn Stage>; 1] = [Box::new(MinChars::new(10))];
//! let mut chain = Chain::new(&stages);
//! let mut draft = Draft { has_article: None, text: "Too short" };
//! assert_eq!(chain.apply(Needs::Text, &mut draft), Err(Reason::TooShort));
//! ```

mod chain;
mod draft;
mod named;
mod outcome;
mod reason;
mod stage;
pub mod stages;

pub use chain::Chain;
pub use draft::Draft;
pub use named::Named;
pub use outcome::Outcome;
pub use reason::Reason;
pub use stage::{Decision, Needs, RowStage, Stage};
