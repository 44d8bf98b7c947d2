//! The attacks of the shared generator at a hundredth of their size; `make hostile` runs them whole.

use crate::support::{repository, shared};
use std::process::Command;

#[test]
fn every_attack_in_small_gets_its_right_answer() {
    let Some(shared) = shared("") else {
        return;
    };
    let python = std::env::var_os("HULLER_PYTHON").unwrap_or_else(|| "python3".into());
    if !shared.join("gen_hostile.py").is_file() || Command::new(&python).arg("-V").output().is_err()
    {
        eprintln!("skipped: no gen_hostile.py, or no python3 to run it with");
        return;
    }
    let output = Command::new(python)
        .arg(repository().join("scripts/hostile.py"))
        .args(["--in-check", "--scale", "0.01", "--huller", env!("CARGO_BIN_EXE_huller")])
        .env("HULLER_SHARED", shared)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let wrong: Vec<_> = said.lines().filter(|line| !line.ends_with(" right")).collect();
    assert!(output.status.success(), "{wrong:#?}\n{}", output.stderr.escape_ascii());
    // Without its two optional modules the generator makes twelve fewer.
    let right = said.lines().filter(|line| line.ends_with("  right")).count();
    assert!(right == 148 || right == 160, "{right} attacks were made");
}
