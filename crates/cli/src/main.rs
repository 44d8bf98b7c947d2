//! The huller program.
fn main() {}
