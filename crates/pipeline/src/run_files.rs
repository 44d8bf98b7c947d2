//! The files of a run besides its outputs: what each holds, and how it is written and read.

pub(crate) mod checkpoint;
mod earlier_run;
pub(crate) mod folder;
pub(crate) mod input_list;
pub(crate) mod journal;
mod letter_case;
pub(crate) mod links;
pub(crate) mod lock;
pub(crate) mod marks;
pub(crate) mod merge;
mod overwrite;
pub(crate) mod paths;
pub(crate) mod run_config;
pub(crate) mod stats;
pub(crate) mod timing;
