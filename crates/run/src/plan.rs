//! Turns the paths of the user into inputs and outputs.

mod collisions;
mod error;
mod indexed;
mod inputs;
mod inside;
mod job;
mod listed;
mod listing;
mod manifest;
mod names;
mod shares;

pub use error::{Collision, PlanError};
pub use indexed::{IndexFilter, IndexOptions, Selected};
pub use inputs::{Plan, PlanOptions};
pub use job::{HtmlFile, Job, Source};
pub use names::name_of;
pub use names::{is_archive, path_of};
pub use shares::ShardBy;
