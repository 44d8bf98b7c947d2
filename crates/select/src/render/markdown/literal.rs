//! Writes addresses, code and formulas: Markdown takes them as written, except for a few scalars.

use crate::render::lanes;

/// Longest character reference, in bytes.
pub(super) const MAX_REFERENCE_BYTES: usize = 33;

/// Writes an address between the brackets of a link.
pub(super) fn address(address: &str, is_in_cell: bool, out: &mut String) {
    if !lanes::any_matches(address.as_bytes(), |b| lanes::one_of(b, b"&()$|")) {
        out.push_str(address);
        return;
    }
    let mut depth = 0_i32;
    let is_balanced = address.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    }) && depth == 0;
    for (offset, c) in address.char_indices() {
        let is_reference =
            c == '&' && address[offset..].find(';').is_some_and(|end| end <= MAX_REFERENCE_BYTES);
        let is_bracket = matches!(c, '(' | ')') && !is_balanced;
        if is_reference || is_bracket || c == '$' || c == '|' && is_in_cell {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Writes text without other escapes into a cell.
pub(super) fn pipes(text: &str, out: &mut String) {
    for c in text.chars() {
        if c == '|' {
            out.push('\\');
        }
        out.push(c);
    }
}
