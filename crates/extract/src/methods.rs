//! One file per method.

pub(crate) mod body;
pub mod dvps;
pub mod pvalue;
pub(crate) mod vips;
