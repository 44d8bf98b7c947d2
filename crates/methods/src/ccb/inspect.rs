//! Intermediate results of CCB, for the worked examples.

use super::*;

/// The blurred value of every token of a page.
pub(crate) fn values(page: &Page<'_>, blur: Blur) -> Vec<f64> {
    let mut memory = Memory::default();
    Blurring { blur, ..PAPER }.blur(page, &mut memory);
    memory.values
}

/// The `paper` profile with other constants.
pub(crate) fn with(blur: Blur) -> Blurring {
    Blurring { blur, ..PAPER }
}
