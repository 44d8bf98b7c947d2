//! Fixtures shared by the benches.
