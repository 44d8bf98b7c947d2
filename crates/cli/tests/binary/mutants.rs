//! Files with wrong values in their structure cost no run its end, and no row its place in the
//! statistics.

use crate::support::temp;
use huller_testkit::mutants::{FolderKind, FolderMutant, Mutant, MutantFormat};
use std::path::Path;

/// More are for `scripts/lab/run mutants`.
const SEEDS: std::ops::Range<u32> = 0..40;

#[test]
fn wrong_values_cost_no_row_without_a_count() {
    let folder = temp();
    let huller = Path::new(env!("CARGO_BIN_EXE_huller"));
    for form in MutantFormat::ALL {
        for seed in SEEDS {
            let mutant = Mutant::new(form, seed);
            let faults = mutant.judge(huller, &folder.path().join("case")).unwrap();
            assert!(faults.is_empty(), "{} {seed}: {:?}: {faults:?}", form.name(), mutant.edits());
        }
    }
}

#[test]
fn damaged_folders_of_runs_and_indexes_are_refused_or_restored() {
    let folder = temp();
    let huller = Path::new(env!("CARGO_BIN_EXE_huller"));
    for kind in FolderKind::ALL {
        // Seed 2 damages an index so that its library panics.
        for seed in 0..12 {
            let mut mutant = FolderMutant::new(kind, seed);
            let faults = mutant.judge(huller, &folder.path().join("case")).unwrap();
            assert!(faults.is_empty(), "{} {seed}: {:?}: {faults:?}", kind.name(), mutant.edits());
        }
    }
}
