//! Finds text without meaning: glyphs of icon fonts, escaped markup, copies for other screens.

use huller_page::entity::Scalars;
use huller_page::{AttributeName, Node, Page, Run, RunFlags, Tag};

/// Returns whether a run holds only scalars for private use, which icon fonts draw as pictures.
#[inline]
pub(super) fn is_glyph(page: &Page<'_>, run: &Run) -> bool {
    run.counts.chars <= 2 && run.counts.chars > 0 && visible(page, run).all(is_private)
}

/// Returns whether a run is markup for browsers without scripts that was escaped by mistake:
/// `&lt;img src=…` in `noscript`.
#[inline]
pub(super) fn is_escaped_markup(page: &Page<'_>, run: &Run) -> bool {
    run.flags.contains(RunFlags::REFERENCES) && begins_with_tag(page, run) && {
        /// Number of elements around the run that are tested.
        const ASKED: usize = 8;
        let around =
            std::iter::successors(Some(run.node), |at| Some(page.nodes()[*at as usize].parent));
        around.take(ASKED).any(|at| page.nodes()[at as usize].tag == Tag::NOSCRIPT)
    }
}

fn begins_with_tag(page: &Page<'_>, run: &Run) -> bool {
    let mut source = page.run_source(run).trim_start();
    // Some markup is escaped twice.
    if !source.starts_with('&') {
        return false;
    }
    source = source[1..].strip_prefix("amp;").unwrap_or(&source[1..]);
    let escapes = ["lt;", "LT;", "#60;", "#060;", "#x3c;", "#x3C;", "#X3C;", "lt"];
    let rest = escapes.iter().find_map(|escape| source.strip_prefix(escape));
    rest.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'))
    })
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

/// Returns whether an element is an icon whose font turns a name (`arrow_forward`) into a picture.
pub(super) fn is_icon(page: &Page<'_>, at: u32, node: &Node) -> bool {
    if !matches!(node.tag, Tag::I | Tag::SPAN) || node.end != at + 1 {
        return false;
    }
    let [run] = &page.runs()[node.runs()] else { return false };
    if run.counts.gaps > 0 || run.counts.chars > 40 {
        return false;
    }
    let class = page.attribute(node, AttributeName::Class).unwrap_or_default();
    class
        .split_ascii_whitespace()
        .any(|word| word.starts_with("material-icons") || word.starts_with("material-symbols"))
}

/// Returns whether an image is the label of a button.
pub(super) fn is_in_button(page: &Page<'_>, image: &Node) -> bool {
    /// Number of elements around the image that are tested.
    const ASKED: usize = 3;
    let around =
        std::iter::successors(Some(image.parent), |at| Some(page.nodes()[*at as usize].parent));
    around.take(ASKED).any(|at| page.nodes()[at as usize].tag == Tag::BUTTON)
}

/// Returns whether an inline element repeats the element directly before it. A price, for example,
/// may be written once for screen readers and once, in pieces, for the eye.
pub(super) fn is_copy(page: &Page<'_>, at: u32, node: &Node) -> bool {
    /// Fewest visible scalars of a copy. The author may have repeated shorter text on purpose.
    const MIN_COPY_CHARS: u32 = 4;
    const MAX_RUNS: usize = 8;
    let Some(before) = at.checked_sub(1).map(|before| &page.nodes()[before as usize]) else {
        return false;
    };
    if before.end != at || before.parent != node.parent || before.run_end != node.run_start {
        return false;
    }
    let ([first], again) = (&page.runs()[before.runs()], &page.runs()[node.runs()]) else {
        return false;
    };
    if first.counts.chars < MIN_COPY_CHARS || again.is_empty() || again.len() > MAX_RUNS {
        return false;
    }
    let chars = again.iter().map(|run| run.counts.chars).sum::<u32>();
    chars == first.counts.chars
        && visible(page, first).eq(again.iter().flat_map(|run| visible(page, run)))
}

/// Returns whether the name of an element has a hyphen, as names of custom elements do.
pub(super) fn is_custom(page: &Page<'_>, node: &Node) -> bool {
    let source = page.html().as_bytes();
    let name = source.get(node.byte_start as usize + 1..).unwrap_or_default();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    name.iter().take(64).take_while(|byte| !ends(byte)).any(|byte| *byte == b'-')
}

/// Returns the scalars of a run except for white space.
pub(super) fn visible<'a>(page: &Page<'a>, run: &Run) -> impl Iterator<Item = char> + use<'a> {
    let source = page.run_source(run);
    let has_references = run.flags.contains(RunFlags::REFERENCES);
    let scalars = if has_references { Scalars::decoded(source) } else { Scalars::verbatim(source) };
    scalars.map(|(c, _)| c).filter(|c| !c.is_whitespace())
}
