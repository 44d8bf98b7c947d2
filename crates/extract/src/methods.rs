//! One file per method.

pub(crate) mod body;
pub mod cetd;
pub mod nb;
pub(crate) mod nb_table;
pub mod pvalue;
pub(crate) mod readability;
pub(crate) mod td;
pub mod tsd;
