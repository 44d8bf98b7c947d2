//! The files of a run besides its outputs: their contents, and how they are written and read.

pub mod case_conflicts;
pub mod checkpoint;
pub mod earlier_run;
pub mod finished_run;
pub mod folder;
pub mod input_list;
pub mod journal;
pub mod links;
pub mod lock;
pub mod marks;
pub mod merge;
pub mod output_folders;
pub mod output_names;
pub mod overwrite;
pub mod paths;
pub mod redo_log;
pub mod run_config;
pub mod side_tables;
pub mod stats;
pub mod timing;
