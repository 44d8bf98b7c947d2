//! One file per method.

pub(crate) mod body;
pub mod ccb;
pub mod ceds;
pub mod cetd;
pub(crate) mod mss;
pub mod pvalue;
pub(crate) mod td;
pub mod tsd;
