//! Sets `cfg(shared)` if the project's shared files are there, so that tests that need them are
//! ignored where they are not.

use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(shared)");
    println!("cargo::rerun-if-env-changed=HULLER_SHARED");
    println!("cargo::rerun-if-changed=build.rs");
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("HULLER_SHARED").map_or_else(beside, PathBuf::from);
    // A path that does not exist would make cargo build the test kit anew each time.
    let mark = folder.join("README.md");
    if mark.exists() {
        println!("cargo::rerun-if-changed={}", mark.display());
        println!("cargo::rustc-cfg=shared");
    }
}
