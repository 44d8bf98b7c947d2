//! Turns the paths of the user into inputs and outputs.

mod collisions;
mod error;
mod indexed_inputs;
mod inputs;
mod job;
mod listed;
mod listing;
mod manifest;
mod names;
mod nested_archive;
mod pattern;
mod shard_inputs;

pub use error::{Collision, PlanError};
pub use indexed_inputs::{IndexFilter, IndexOptions, RecordSelection};
pub use inputs::{Plan, PlanOptions};
pub use job::{HtmlFile, Job, JobSource};
pub use manifest::each_listed;
pub use names::name_of;
pub use names::{is_archive, path_of};
pub use pattern::{PatternError, paths_of};
pub use shard_inputs::ShardBy;
