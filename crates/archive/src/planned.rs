//! Reading those records of an archive alone that an index names.
//!
//! The plan of an archive is the list of these records ([`Planned`], in `plan.rs`), by their
//! offsets. It divides the file as rows divide a table: a batch is a range of the plan with the
//! bytes that the file has there (`cutter.rs`), every record is a border, and offsets are numbers
//! of records. Workers decode sound records in one call; what is not as planned is read by a reader
//! of its own (`reader.rs`).
//!
//! What a planned record gives follows from the file and the plan alone. A record is read as far as
//! the index says, where it says that, and never beyond the eighth planned place after its own, so
//! every byte of the file is read at most nine times, whatever plan and file hold.

pub(crate) mod cutter;
pub(crate) mod file;
pub(crate) mod plan;
pub(crate) mod reader;
