//! One file per method.

pub(crate) mod body;
pub(crate) mod boilerpipe;
pub mod ccb;
pub mod ceds;
pub mod cetd;
pub mod cetr;
pub mod dvps;
pub(crate) mod fe;
pub mod hull;
pub mod lineblock;
pub(crate) mod mss;
pub mod nb;
pub(crate) mod nb_table;
pub mod pvalue;
pub(crate) mod readability;
pub(crate) mod td;
pub mod tsd;
pub(crate) mod vips;
