//! The points that a paragraph gives to its ancestors.

/// Paragraphs with fewer scalars than this give no points.
pub const MIN_PARAGRAPH_CHARS: u32 = 25;

/// The shares of a paragraph's points for its parent, its grandparent and the next three ancestors.
pub const SHARES: [f64; 5] = [1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 9.0, 1.0 / 12.0];

/// Returns the points of a paragraph: two, plus one per comma, plus one per 100 scalars but at most
/// three.
pub fn points(chars: u32, commas: u32) -> u32 {
    2 + commas + (chars / 100).min(3)
}
