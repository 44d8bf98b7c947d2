//! Models made from pages and gold.

pub mod nb;
