//! Reads only the records of an archive that an index names.
//!
//! The plan of an archive is the list of these records ([`PlannedRecord`], in `plan.rs`), ordered
//! by offset. It divides the file as rows divide a table. A batch is a range of the plan with the
//! file's bytes for it (`cutter.rs`). Every record is a border, and offsets are numbers of records.
//! Workers decode a sound record in one call. A separate reader (`reader.rs`) handles records that
//! differ from the plan.
//!
//! The result for a planned record depends only on the file and the plan. A record is read at most
//! to the eighth planned place after its own, and at most to the length in the index. Every byte of
//! the file is therefore read at most nine times, for any plan and file.

pub(crate) mod cutter;
pub(crate) mod plan;
pub(crate) mod planned_file;
pub(crate) mod reader;
