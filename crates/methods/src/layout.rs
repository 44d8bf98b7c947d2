//! Estimates where a browser would place the elements of a page (specification 3.2).
//!
//! One forward sweep over the columns. The page is 1,000 px wide, the base font is 16 px high, a
//! line is 1.5 times its font high. A CJK scalar is one font size wide, any other scalar half of
//! that. Styles come from three sources:
//!
//! - rules in style blocks with a simple selector (`tag`, `.class`, `#id`, `tag.class`, `tag#id`);
//! - the `style` attribute;
//! - the attributes `bgcolor`, `width` and `height`, for properties that the other two do not
//!   declare.
//!
//! Properties: `width`, `height`, `float`, `margin-top`, `margin-bottom`, `background`,
//! `background-color`, `font-size`, `display: none`.
//!
//! Our choices:
//!
//! - A style block applies to the whole page wherever it is, as in browsers.
//! - Conditions of at-rules (such as `@media`) are ignored, so the rules inside them always apply.
//! - Comments and `<!--` are white space.
//! - Negative and unreadable sizes count as not given.
//! - Sizes are at most a million pixels, and every block is at least one pixel wide, so that every
//!   figure is finite.
//!
//! Cost: O(bytes of style blocks and attributes + nodes + text that is not ASCII). The layout
//! allocates only if a page is larger than all before. Known failures: external style sheets,
//! scripts, grid, flex, absolute positions, real fonts. On a page styled only by these, every block
//! is 1,000 px wide, and the estimate reflects only the order and the amount of text.

mod boxes;
mod declarations;
mod flow;
mod frame;
mod length;
mod rules;
mod selectors;
mod style_sheet;
mod trim;
mod wide_scalars;

pub(crate) use boxes::{Boxes, Rect};
pub(crate) use flow::{Layout, PAGE_WIDTH};
