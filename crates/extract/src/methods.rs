//! One file per method.

pub(crate) mod body;
pub mod cetd;
pub mod dvps;
pub mod pvalue;
pub(crate) mod td;
pub mod tsd;
pub(crate) mod vips;
