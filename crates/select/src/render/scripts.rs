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
    let (from, to) = match kind {
        RenderKind::Superscript => ("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ"),
        _ => ("0123456789+-−=()aeoxhklmnpstijruv", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ"),
    };
    from.chars().position(|other| other == c).and_then(|at| to.chars().nth(at))
}

/// Returns the notation of an element directly after the scalar `before`.
pub(super) fn script(
    page: &Page<'_>,
    at: u32,
    node: &Node,
    kind: RenderKind,
    before: char,
) -> Script {
    let has_link = || {
        let inside = &page.nodes()[at as usize..node.end as usize];
        inside.iter().take(MAX_EXPONENT_CHARS).any(|inner| inner.tag == Tag::A)
    };
    let runs = &page.runs()[node.runs()];
    if !(before.is_alphanumeric() || matches!(before, ')' | ']' | '}'))
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
    if is_ordinal(before, scalars()) { Script::Plain } else { Script::Marked('^') }
}

/// Returns whether a superscript is the end of an ordinal (1st, 2e, Nº), of an abbreviation (Mme),
/// or a trade mark.
fn is_ordinal(before: char, mut scalars: impl Iterator<Item = char> + Clone) -> bool {
    const ENDINGS: &[&str] = &[
        "st", "nd", "rd", "th", "e", "er", "re", "ère", "ème", "eme", "nde", "o", "a", "os", "as",
        "me", "mes", "lle", "le", "te", "de", "ste", "tm", "sm", "r", "c", "s", "es",
    ];
    let is = |ending: &str| scalars.clone().flat_map(char::to_lowercase).eq(ending.chars());
    let known = ENDINGS.iter().any(|ending| is(ending));
    // `x^a` and `n^o` look alike, but in prose the second is likelier.
    known || !before.is_numeric() && scalars.all(char::is_alphabetic) && !before.is_lowercase()
}
