//! Random runs of the program, several over one output folder, and what must hold after each.
//!
//! A [`Case`] comes from a command and a seed: a folder of 1 to 12 small inputs, and 1 to 6 steps.
//! The command is `extract`, `refine`, `dedup` or `index`. A step runs it, or changes an input, the
//! list, or a file of the output.
//!
//! * A run takes a folder, files, a list or a share of a list. It begins from the start, or with
//!   `--resume` or `--overwrite`, with these or other settings.
//! * It goes to its end, or is killed or interrupted at a chosen change of the disk. Or it stands
//!   still there while an input changes or a second run begins in the same folder.
//!
//! Steps that resume without a fault close the case. [`trial::run`] does all this with the real
//! program in a folder of its own, and looks after each step at the files there.
//!
//! Every record has a marker that no other record and no other version of it has. So a row shows
//! which bytes it was made of. An oracle that shares no code with the program knows the markers of
//! every version of every input. It knows the result of each record under all settings
//! (`expected.rs`), and which of several duplicates is kept (`decisions.rs`).
//!
//! # What must hold
//!
//! At any time, whatever was killed or has changed (`invariants::always`):
//!
//! 1. No marker is in two rows of the outputs of a folder. An output is a file with the suffix of
//!    one; `*.part` is none.
//! 2. Every row is a JSON object with one marker, and an output that was not damaged from outside
//!    can be read to its end.
//! 3. The outputs of an entry of the journal, if they are there, have the rows of exactly one
//!    version of one input, that with the size which the journal notes: every row of it once, in
//!    the order of the input. The entry's account has so many rows, and its records, and the counts
//!    of each reason, are those of the oracle. No input and no output is entered twice. Where rows
//!    of several inputs are compared, the versions of all of them are those of one moment.
//! 4. No run panics or hangs.
//!
//! If a run ends with 0 or 1 (`invariants::ended`):
//!
//! 5. Every input of the plan that can be used is entered once, in the version that it has now. If
//!    it changed during the run, the version is that of then or of now, or the input is reported as
//!    unusable. With rule 3, each of its records is one row or in one line of the account. A share
//!    takes positions i, i+N, … of the list and nothing else. Under `--limit` there are as many
//!    rows as were asked for or are there, and if there are fewer, all of the above.
//! 6. Every path of the plan that cannot be used, and every input without a page or row, is
//!    reported as unusable, and no other.
//! 7. The exit code is 0, and `_SUCCESS` is there, if and only if nothing is unusable. (`--strict`
//!    makes 1 of damage.)
//! 8. If `_SUCCESS` is there, the outputs in the folder are those of the journal, so no row is of
//!    an input's older version.
//! 9. The statistics have the same inputs with the same accounts as the journal, and their sums.
//! 10. If `_SUCCESS` is there, the rejects list every rejected page of the entered inputs once, and
//!     nothing else.
//! 11. The exit code, the entries of the journal, the outputs, signatures and lists of rows to drop
//!     are those of an undisturbed run into an empty folder, byte for byte (`reference.rs`). If the
//!     journal has no other inputs, so are the statistics, and the folder holds the same files.
//! 12. No run changes or removes an input.
//!
//! If a run is killed or interrupted (`invariants::broken_off`): the rules for any time, the
//! entered outputs are there unless the kill came while they were being replaced, and `_SUCCESS` is
//! there only if the run would have ended with 0.
//!
//! If a run is refused (`ledger::refused`): nothing has changed on disk, and there is a reason: an
//! earlier run without `--resume` or `--overwrite`, other settings, another list or share, missing
//! rejects, two inputs with one output, a damaged output that would be replaced, or nothing to do.
//! Where rows of several inputs are compared, other inputs or another order are a reason too. A
//! second run is refused if and only if the first one has locked the folder.
//!
//! After each step (`ledger::verified`, `shares::verified`): `huller verify` says `complete` if and
//! only if the last run that changed the folder left `_SUCCESS` and no file of it has been damaged
//! since. `huller verify DIR… --manifest LIST` says `complete` only if every path of the list is
//! entered in exactly one of the folders, and says so if every share has succeeded with that list
//! since the last change.
//!
//! An index has no journal and no `_SUCCESS`, and `huller verify` does not know it
//! (`run_to_index.rs`). There the notes of the last commit are the journal, and the hits of
//! `huller search` are the rows, by a word of all rows and by all markers. Rules 1 to 5, 7, 11 and
//! 12 hold of them, also after a kill. A resumed run is refused if and only if rows would be in the
//! index twice, or others than those of the inputs.
//!
//! # What is left out
//!
//! * A folder that is shared out is always listed: positions in a folder shift when a file of it is
//!   away.
//! * A search of a damaged index may find its rows or end with an error, as long as it finds no
//!   others.
//! * What a run compares while an input changes (`dedup`) may be of two moments. Such a run ends
//!   with 1, and its outputs are compared with those of either moment.

mod case;
mod change;
mod command;
mod decisions;
mod describe;
mod expected;
mod faults;
mod indexed;
mod inputs;
mod invariants;
mod ledger;
mod left;
mod likeness;
mod plan;
mod program;
mod records;
mod reference;
mod rows;
mod run_to_folder;
mod run_to_index;
mod settings;
mod shares;
pub mod shrink;
mod slot;
pub mod trial;
mod world;

pub use case::Case;
pub use command::Command;
pub use program::Program;
