//! The importance of a block (specification 3.5, equations (5) and (9) of paper 002).
//!
//! ```text
//! Imp_s = .5 (1 - distance / (sqrt 2 / 2)) + .2 (1 - min(BW, BH) / max(BW, BH)) + .3 (BW / PW + BH / PH)         (5)
//! Imp_y = .7 U / U_page + .2 (1 - L / U) + .1 (1 - tags / tags_page)                                             (9)
//! Imp   = (1 - lambda) Imp_y + lambda Imp_s
//! ```
//!
//! where the distance is that between the centres of the block and of the page, as fractions of the page's width and height;
//! BW x BH is the size of the block, PW x PH that of the page; U and L are the numbers of all scalars and of those in links. The
//! second term of (5) rewards narrow blocks, although the paper's text calls them advertisements; it is taken as printed
//! [C-7]. The bracket of the third term can reach 2, so (5) may exceed 1 [C-8]. The paper does not say how the two are combined:
//! lambda is half of the share of text in blocks with a declared width, so it is 0 if no width is declared [C-10].

use super::View;
use super::segment::VisualBlock;
use super::separators::Group;
use crate::layout::{PAGE_WIDTH, Rect};
use std::f64::consts::FRAC_1_SQRT_2;

/// Smallest height of a block in pixels, so that the ratio of its sides is finite.
const LOWEST: f64 = 1e-9;

/// Eq (5) for a block on a page of the given width and height in pixels; a height of 0 means unknown.
pub(crate) fn spatial(block: Rect, page_width: f64, page_height: f64) -> f64 {
    let (width, height) = (block.width, block.height);
    let x = (block.left + width / 2.0) / page_width;
    let (y, tall) = if page_height > 0.0 {
        ((block.top + height / 2.0) / page_height, height / page_height)
    } else {
        (0.5, 0.0)
    };
    let distance = (x - 0.5).hypot(y - 0.5) / FRAC_1_SQRT_2;
    0.5 * (1.0 - distance)
        + 0.2 * (1.0 - width.min(height) / width.max(height))
        + 0.3 * (width / page_width + tall)
}

/// The quantities in eq (9), for a block or for the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amounts {
    pub(crate) chars: u32,
    pub(crate) linked_chars: u32,
    pub(crate) tags: u32,
}

/// Eq (9) for a block that has text.
pub(crate) fn semantic(block: Amounts, page: Amounts) -> f64 {
    let ratio = |part: u32, whole: u32| {
        if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) }
    };
    0.7 * ratio(block.chars, page.chars)
        + 0.2 * (1.0 - ratio(block.linked_chars, block.chars))
        + 0.1 * (1.0 - ratio(block.tags, page.tags))
}

/// Computes the importance of all groups. Returns lambda; `None` if there are no groups.
pub(crate) fn weigh(view: View<'_>, blocks: &[VisualBlock], groups: &mut [Group]) -> Option<f64> {
    if groups.is_empty() {
        return None;
    }
    let body = view.sums.of(view.body, &view.page.nodes()[view.body as usize]);
    let page = Amounts { chars: body.chars, linked_chars: body.linked_chars, tags: body.tags - 1 };
    let page_height = view.layout.page_height();
    let mut declared = 0;
    for group in groups.iter_mut() {
        let of_group = &blocks[group.blocks()];
        let rects = of_group.iter().map(|block| view.layout.rect(block.node));
        group.rect = around(rects);
        if view.layout.is_declared(of_group[0].node) {
            declared += group.chars;
        }
        let Group { chars, linked_chars, tags, .. } = *group;
        group.spatial = spatial(group.rect, PAGE_WIDTH, page_height);
        group.semantic = semantic(Amounts { chars, linked_chars, tags }, page);
    }
    let lambda = 0.5 * f64::from(declared) / f64::from(page.chars);
    for group in groups {
        group.importance = (1.0 - lambda) * group.semantic + lambda * group.spatial;
        debug_assert!(group.importance.is_finite());
    }
    Some(lambda)
}

/// The smallest rectangle around the given ones.
fn around(rects: impl Iterator<Item = Rect>) -> Rect {
    let (mut left, mut top) = (f64::INFINITY, f64::INFINITY);
    let (mut right, mut bottom) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for rect in rects {
        left = left.min(rect.left);
        top = top.min(rect.top);
        right = right.max(rect.left + rect.width);
        bottom = bottom.max(rect.top + rect.height);
    }
    Rect { left, top, width: right - left, height: (bottom - top).max(LOWEST) }
}
