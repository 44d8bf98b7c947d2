//! Estimates where the elements of a page would lie in a browser (specification 3.2).
//!
//! One forward sweep over the columns. The page is 1,000 px wide, the base font is 16 px high, a
//! line is 1.5 times its font high. A CJK scalar is one font size wide, any other scalar half of
//! that. Styles come from rules in style blocks with a simple selector (`tag`, `.class`, `#id`,
//! `tag.class`, `tag#id`), from the `style` attribute, and, where these declare nothing, from the
//! attributes `bgcolor`, `width` and `height`. Properties: `width`, `height`, `float`,
//! `margin-top`, `margin-bottom`, `background`, `background-color`, `font-size`, `display: none`.
//!
//! What was ambiguous, and what we chose: a style block applies to the whole page wherever it
//! stands, as in browsers; conditions of at-rules (such as `@media`) are ignored, so the rules
//! inside them always apply; comments and `<!--` are white space; negative and unreadable sizes
//! count as not given; sizes are at most a million pixels, and no block is narrower than one pixel,
//! so that every figure is finite.
//!
//! Cost: O(bytes of style blocks and attributes + nodes + text that is not ASCII). The layout
//! allocates only when a page is larger than all before. Known failures: external style sheets,
//! scripts, grid, flex, absolute positions, real fonts. On a page styled only by these, every block
//! is 1,000 px wide, and the estimate reflects only the order and the amount of text.

mod boxes;
mod declarations;
mod flow;
mod frame;
mod length;
mod rules;
mod selectors;
mod sheet;
mod trim;
mod wide;

pub(crate) use boxes::{Boxes, Rect};
pub(crate) use flow::{Layout, PAGE_WIDTH};
