//! Trains models from pages and gold.

pub mod hull;
pub mod nb;
