//! Every attack at a hundredth of its size; `scripts/lab/run attacks` runs them whole.

use crate::support::temp;
use huller_testkit::attack::{Scale, all, run};
use std::fs;
use std::path::Path;

#[test]
fn every_attack_in_small_gets_its_right_answer() {
    const SCALE: Scale = Scale(0.01);
    let work = temp();
    let inputs = work.path().join("inputs");
    fs::create_dir(&inputs).unwrap();
    let huller = Path::new(env!("CARGO_BIN_EXE_huller"));
    let mut wrong = Vec::new();
    for attack in all() {
        attack.write(&inputs, SCALE).unwrap();
        let (_, faults) = run::attack(huller, attack, SCALE, &inputs, work.path()).unwrap();
        wrong.extend(faults.into_iter().map(|fault| format!("{}: {fault}", attack.name)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(all().count(), 199);
}
