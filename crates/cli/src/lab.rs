//! Commands of the laboratory, which measure extractors and train models. Crawls do not need them.

pub(crate) mod classify;
pub(crate) mod eval;
pub(crate) mod features;
mod row;
pub(crate) mod train;
