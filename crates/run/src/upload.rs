//! Uploads outputs to object storage.
//!
//! A run writes its files in a local folder, the staging folder, with temporary names, checkpoints
//! and journal as usual. When an input is finished, a separate thread uploads its files and removes
//! them from the staging folder. Object storage cannot append, so the journal grows there in
//! segments ([`segment`]). A segment follows the files of its inputs and marks these inputs as
//! done.
//!
//! * [`uploads`]: the destination, and how much may wait.
//! * [`reconciliation`]: compares the objects of earlier runs with the staging folder when a run
//!   begins.
//! * [`uploader`]: the upload thread.

pub mod reconciliation;
pub mod segment;
pub mod uploader;
pub mod uploads;
