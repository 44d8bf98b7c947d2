//! Commands of the laboratory: they measure methods and train models, and no crawl needs them.

pub(crate) mod classify;
pub(crate) mod eval;
pub(crate) mod features;
mod row;
pub(crate) mod train;
