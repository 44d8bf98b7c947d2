//! Outputs that go to a store.
//!
//! A run writes its files in a folder of this machine, the staging folder, as any run does, with
//! temporary names, checkpoints and journal. What an input gave is uploaded when the input is
//! finished, in a thread of its own, and removed here. A store has no way to append, so the journal
//! grows there in segments ([`segment`]): one after the files of some inputs are there, which is
//! the mark that these are done.
//!
//! * [`uploads`]: where to, and how much may wait.
//! * [`left`]: what is in the store when a run begins, and how it is brought together with what is
//!   in the staging folder.
//! * [`uploader`]: the thread.

pub mod left;
pub mod segment;
pub mod uploader;
pub mod uploads;
