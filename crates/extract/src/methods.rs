//! One file per method.

pub(crate) mod body;
pub mod ccb;
pub mod ceds;
pub(crate) mod mss;
pub mod pvalue;
