//! Random runs of the program, several over one output folder, and the rules that hold after each.
//!
//! A [`Case`] comes from a command and a seed. It has a folder of 1 to 12 small inputs, and 1 to 6
//! steps. The command is `extract`, `refine`, `dedup` or `index`. A step runs it, or changes an
//! input, the list, or a file of the output.
//!
//! * A run takes a folder, files, a list or a shard of a list. It begins from the start, or with
//!   `--resume` or `--overwrite`, with the same or other settings.
//! * A run reaches its end, or is killed or interrupted at a chosen change of the disk. It may also
//!   pause there, while an input changes or a second run begins in the same folder.
//!
//! A case ends with steps that resume without a fault. [`trial::run`] does all this with the real
//! program in its own folder, and checks the files there after each step.
//!
//! Every record has a marker that is unique to this record and to this version of it. A row
//! therefore shows from which bytes it was made. An oracle that shares no code with the program
//! knows the markers of every version of every input. It also knows the result of each record under
//! all settings (`expected.rs`), and which of several duplicates is kept (`decisions.rs`).
//!
//! # Rules
//!
//! At any time, whatever was killed or has changed (`invariants::check_always`):
//!
//! 1. No marker is in two rows of the outputs of a folder. An output is a file with the suffix of
//!    an output; `*.part` files do not count.
//! 2. Every row is a JSON object with one marker. An output that was not damaged from outside can
//!    be read to its end.
//! 3. The outputs of a journal entry, if they exist, have the rows of exactly one version of one
//!    input, whose size the journal notes. They hold every row of it once, in the order of the
//!    input. The entry's statistics have the same number of rows, and their records and their
//!    counts by reason are those of the oracle. No input and no output is entered twice. Where rows
//!    of several inputs are compared, the versions of all inputs are those of one moment.
//! 4. No run panics or hangs.
//!
//! If a run ends with 0 or 1 (`invariants::check_ended`):
//!
//! 5. Every usable input of the plan is entered once, in its present version. If it changed during
//!    the run, the version is the earlier or the present one, or the input is reported as unusable.
//!    With rule 3, each of its records is one row or counts for one reason in the statistics. A
//!    shard takes exactly the positions i, i+N, … of the list. Under `--limit` the run writes as
//!    many rows as were requested or exist. If it writes fewer than requested, this rule holds in
//!    full.
//! 6. Exactly the unusable paths of the plan, and the inputs without a page or row, are reported as
//!    unusable.
//! 7. The exit code is 0, and `_SUCCESS` exists, if and only if all inputs are usable. (With
//!    `--strict`, damage makes the exit code 1.)
//! 8. If `_SUCCESS` exists, the outputs in the folder are those of the journal, so every row is of
//!    its input's present version.
//! 9. The statistics have the same inputs with the same counts as the journal, and their sums.
//! 10. If `_SUCCESS` exists, the rejects list every rejected page of the entered inputs exactly
//!     once, and nothing else.
//! 11. The exit code, the journal's entries, the outputs, signatures and lists of rows to drop are
//!     those of an undisturbed run into an empty folder, byte for byte (`reference.rs`). If the
//!     journal has no other inputs, the statistics and the folder's files are the same too.
//! 12. No run changes or removes an input.
//!
//! If a run is killed or interrupted (`invariants::broken_off`), the rules for any time hold. The
//! entered outputs exist, unless the kill came while they were being replaced. `_SUCCESS` exists
//! only if the run would have ended with 0.
//!
//! If a run is refused (`ledger::check_refused`), the disk is unchanged and there is a reason:
//!
//! * an earlier run without `--resume` or `--overwrite`;
//! * other settings, or another list or shard;
//! * missing rejects;
//! * two inputs with one output;
//! * a damaged output that would be replaced;
//! * nothing to do;
//! * other inputs or another order, where rows of several inputs are compared.
//!
//! A second run is refused if and only if the first one has locked the folder.
//!
//! After each step (`ledger::verified`, `shares::verified`), `huller verify` reports `complete` if
//! and only if two conditions hold: the last run that changed the folder left `_SUCCESS`, and the
//! files are undamaged since. `huller verify DIR… --manifest LIST` reports `complete` only if every
//! path of the list is entered in exactly one of the folders. It does report `complete` if every
//! shard has succeeded with that list since the last change.
//!
//! An index has no journal and no `_SUCCESS`, and `huller verify` does not support it
//! (`run_to_index.rs`). There the notes of the last commit serve as the journal. The hits of
//! `huller search`, by a word of all rows and by all markers, serve as the rows. Rules 1 to 5, 7,
//! 11 and 12 hold for them, also after a kill. A resumed run is refused if and only if the index
//! would get rows twice, or rows that differ from those of the inputs.
//!
//! # Limits
//!
//! * A sharded folder is always listed, because positions in a folder shift when a file disappears.
//! * A search of a damaged index may find its rows or end with an error. It must not find other
//!   rows.
//! * A run that compares inputs while one changes (`dedup`) may see two moments. Such a run ends
//!   with 1, and its outputs are compared with those of either moment.

mod case;
mod change;
mod command;
mod decisions;
mod describe;
mod expected;
mod faults;
mod index_contents;
mod inputs;
mod invariants;
mod ledger;
mod plan;
mod program;
mod records;
mod reference;
mod row_similarity;
mod rows;
mod run_artifacts;
mod run_to_folder;
mod run_to_index;
mod settings;
mod shares;
pub mod shrink;
mod slot;
mod test_world;
pub mod trial;

pub use case::Case;
pub use command::Command;
pub use program::Program;
