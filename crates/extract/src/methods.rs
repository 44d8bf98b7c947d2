//! One file per method.

pub(crate) mod body;
pub mod pvalue;
