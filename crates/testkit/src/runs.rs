//! Random runs of the program, several over one output folder, and what must hold after each.
//!
//! A [`Case`] comes from a seed: a folder of 1 to 12 small inputs, and 1 to 6 steps. A step runs `huller extract` (over a folder,
//! files, a list or a share of a list; anew, with `--resume` or with `--overwrite`; with these or other settings; to its end, killed
//! or interrupted at a chosen change of the disk, or with an input that changes meanwhile), or changes an input, the list or an
//! output. Steps that resume without a fault close the case. [`trial::run`] does all this with the real program in a folder of its
//! own, and looks after each step at what lies there.
//!
//! Every record has a marker that no other record and no other version of it has, so a row says which bytes it was made of. An
//! oracle (`expected.rs`) that shares no code with the program knows the markers of every version of every input, and what becomes of
//! each record under which settings.
//!
//! # What must hold
//!
//! At any time, whatever was killed or has changed (`invariants::always`):
//!
//! 1. No marker is in two rows of the outputs of a folder. An output is a file with the suffix of one; `*.part` is none.
//! 2. Every row is a JSON object with one marker in its text, and an output that nobody has damaged can be read to its end.
//! 3. An output that the journal names, if it is there, has the rows of exactly one version of one input, that with the size which
//!    the journal notes: every page of it once, in the order of the input. The entry's account has so many rows, and its records,
//!    and the counts of each reason, are those of the oracle. No input and no output is entered twice.
//! 4. No run panics or hangs.
//!
//! If a run ends with 0 or 1 (`invariants::ended`):
//!
//! 5. Every input of the plan that can be used is entered once, in the version that it has now (or, if it changed during the run, had
//!    then or has now, or is reported as unusable); with rule 3, each of its records is one row or in one line of the account.
//!    A share takes positions i, i+N, … of the list and nothing else. Under `--limit` there are as many rows as were asked for or are
//!    there, and if there are fewer, all of the above.
//! 6. Every path of the plan that cannot be used, and every input without a page, is reported as unusable, and no other.
//! 7. The exit code is 0, and `_SUCCESS` is there, if and only if nothing is unusable. (`--strict` makes 1 of damage.)
//! 8. If `_SUCCESS` is there, the outputs in the folder are those of the journal, so no row is of an input's older version.
//! 9. The statistics have the same inputs with the same accounts as the journal, and their sums.
//! 10. If `_SUCCESS` is there, the rejects list every rejected page of the entered inputs once, and nothing else; after an input was
//!     done anew, each at least once (see below).
//!
//! If a run is killed or interrupted (`invariants::broken_off`): the rules for any time, the entered outputs are there unless the
//! kill came while they were being replaced, and `_SUCCESS` is there only if the run would have ended with 0.
//!
//! If a run is refused (`ledger::refused`): nothing has changed on disk, and there is a reason: an earlier run without `--resume`
//! or `--overwrite`, other settings, another list or share, missing rejects, two inputs with one output, or nothing to do.
//!
//! After each step (`ledger::verified`, `shares::verified`): `huller verify` says `complete` if and only if the last run that changed the folder left
//! `_SUCCESS` and no file of it has been damaged since. `huller verify DIR… --manifest LIST` says `complete` only if every path of the
//! list is entered in exactly one of the folders, and says so if every share has succeeded with that list since the last change.
//!
//! # What is left out
//!
//! * Lines of the rejects stay where they are when a resumed run does their input anew, if those of another input come after them. So
//!   the list may then have pages of an older version too (`has_old_rejects`).
//! * A folder that is shared out is always listed: positions in a folder shift when a file of it is away.

mod case;
mod change;
mod describe;
mod expected;
mod inputs;
mod invariants;
mod ledger;
mod left;
mod plan;
mod program;
mod records;
mod shares;
pub mod shrink;
mod slot;
pub mod trial;
mod world;

pub use case::Case;
pub use program::Program;
