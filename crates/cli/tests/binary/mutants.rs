//! Files with wrong values in their structure cost no run its end, and no row its place in the
//! statistics.

use crate::support::temp;
use huller_testkit::mutants::{Mutant, MutantFormat};
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
