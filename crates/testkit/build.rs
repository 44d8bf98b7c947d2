//! Sets `cfg(shared)` if the project's shared files exist. Without them, the tests that need them
//! are ignored.

use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(shared)");
    println!("cargo::rerun-if-env-changed=HULLER_SHARED");
    println!("cargo::rerun-if-changed=build.rs");
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("HULLER_SHARED").map_or_else(beside, PathBuf::from);
    // Cargo would rebuild the test kit each time if this path did not exist.
    let mark = folder.join("README.md");
    if mark.exists() {
        println!("cargo::rerun-if-changed={}", mark.display());
        println!("cargo::rustc-cfg=shared");
    }
}
