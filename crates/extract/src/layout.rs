//! Where the elements of a page would lie: a flow estimate instead of a browser (specification 3.2).
//!
//! One forward sweep over the columns. The page is 1,000 px wide, the base font 16 px, a line 1.5 times its font. A CJK scalar is
//! one font size wide, any other half of that. Of style blocks only rules with a simple selector count (`tag`, `.class`, `#id`,
//! `tag.class`, `tag#id`); then `bgcolor`, `width` and `height` attributes; then the `style` attribute. Properties: `width`,
//! `height`, `float`, `margin-top`, `margin-bottom`, `background`, `background-color`, `font-size`, `display: none`.
//!
//! What was ambiguous, and what we chose: style blocks anywhere in the page count for all of it, as in browsers; conditions of
//! at-rules (`@media` and the like) are not looked at, so what they hold counts as it stands; comments and `<!--` are white
//! space; negative and unreadable sizes count as not given; sizes end at a million pixels; no block is narrower than a pixel,
//! so that every figure is finite.
//!
//! Cost: O(bytes of style blocks and attributes + nodes + text that is not ASCII). Nothing is allocated but while a larger page
//! than before is met. Known failures: external style sheets, scripts, grid, flex, absolute positions, real fonts. On pages
//! that use nothing else every block is 1,000 px wide, and only order and amount of text are left.

mod declarations;
mod flow;
mod frame;
mod hash;
mod length;
mod names;
mod places;
mod rules;
mod secret;
mod selectors;
mod sheet;
mod trim;
mod wide;

pub(crate) use flow::{Layout, PAGE_WIDTH};
pub(crate) use places::{Places, Rect};
