//! Decides how superscripts and subscripts are written. On the line they mean something else:
//! `10<sup>15</sup>` is not 1015.

use super::render_kind::RenderKind;
use huller_page::entity::Scalars;
use huller_page::{Node, Page, Tag};

/// The notation of a superscript or subscript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// Unchanged: marks of footnotes, ordinals, trade marks, and scripts apart from other text.
    Plain,
    /// With the scalars that Unicode has for it.
    Unicode(RenderKind),
    /// After `^` or `_`.
    Marked(char),
}

/// Largest number of scalars of an exponent. Longer ones are text that is set small.
const MAX_EXPONENT_CHARS: usize = 12;

/// Returns the scalar that Unicode has for a scalar of a superscript or subscript.
pub(super) fn unicode(c: char, kind: RenderKind) -> Option<char> {
    let (from_chars, to_chars) = match kind {
        RenderKind::Superscript => ("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ"),
        _ => ("0123456789+-−=()aeoxhklmnpstijruv", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ"),
    };
    from_chars
        .chars()
        .position(|known| known == c)
        .and_then(|position| to_chars.chars().nth(position))
}

/// Returns the notation of an element directly after the scalar `char_before`.
pub(super) fn script(
    page: &Page<'_>,
    index: u32,
    node: &Node,
    kind: RenderKind,
    char_before: char,
) -> Script {
    let has_link = || {
        let inner_nodes = &page.nodes()[index as usize..node.end as usize];
        inner_nodes.iter().take(MAX_EXPONENT_CHARS).any(|inner| inner.tag == Tag::A)
    };
    let runs = &page.runs()[node.runs()];
    if !(char_before.is_alphanumeric() || matches!(char_before, ')' | ']' | '}'))
        || runs.len() > MAX_EXPONENT_CHARS
    {
        return Script::Plain;
    }
    let scalars = || {
        let of = |run| Scalars::decoded(page.run_source(run)).map(|(c, _)| c);
        runs.iter().flat_map(of).filter(|c| !c.is_whitespace()).take(MAX_EXPONENT_CHARS + 1)
    };
    let count = scalars().count();
    if count == 0
        || count > MAX_EXPONENT_CHARS
        || has_link()
        || scalars().any(|c| "[]*†‡".contains(c))
    {
        return Script::Plain;
    }
    if scalars().all(|c| unicode(c, kind).is_some()) {
        return Script::Unicode(kind);
    }
    if !scalars().all(|c| c.is_alphanumeric() || "+-−=.,/()∞′*".contains(c)) {
        return Script::Plain;
    }
    if kind == RenderKind::Subscript {
        return Script::Marked('_');
    }
    if is_ordinal(char_before, scalars()) { Script::Plain } else { Script::Marked('^') }
}

/// Returns whether a superscript is the end of an ordinal (1st, 2e, Nº), of an abbreviation (Mme),
/// or a trade mark.
fn is_ordinal(char_before: char, mut scalars: impl Iterator<Item = char> + Clone) -> bool {
    const ENDINGS: &[&str] = &[
        "st", "nd", "rd", "th", "e", "er", "re", "ère", "ème", "eme", "nde", "o", "a", "os", "as",
        "me", "mes", "lle", "le", "te", "de", "ste", "tm", "sm", "r", "c", "s", "es",
    ];
    let is = |ending: &str| scalars.clone().flat_map(char::to_lowercase).eq(ending.chars());
    let known = ENDINGS.iter().any(|ending| is(ending));
    // `x^a` and `n^o` look alike, but in prose the second is likelier.
    known
        || !char_before.is_numeric()
            && scalars.all(char::is_alphabetic)
            && !char_before.is_lowercase()
}
