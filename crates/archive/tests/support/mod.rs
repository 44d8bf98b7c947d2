//! What the tests of this crate share.
#![allow(dead_code, clippy::allow_attributes, reason = "every test file uses a part of it")]

pub(crate) mod drive;
