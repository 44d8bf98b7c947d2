//! Finds line numbers beside code, or before each line in it.
//!
//! Highlighters write them as a column of a table, as a `pre` of its own, or as an element at the
//! start of each line. They are recognised by the class of an element that holds only numbers. In a
//! cell of a table they are recognised by counting up line by line.

use huller_page::{AttributeName, Page, Run, RunFlags, Tag};

/// Classes of elements that hold line numbers, in lower case.
const CLASSES: &[&str] = &[
    "blob-num",
    "code-line-number",
    "crayon-num",
    "crayon-nums-content",
    "gutter",
    "hljs-ln-numbers",
    "line-num",
    "line-number",
    "line-numbers",
    "line_number",
    "line_numbers",
    "linenodiv",
    "lineno",
    "linenos",
    "linenr",
    "linenum",
    "linenumber",
    "linenumbers",
    "lnr",
    "lnt",
    "react-line-number",
    "rouge-gutter",
];

/// Number of elements around a number whose class is tested.
const MAX_TESTED_ANCESTORS: usize = 4;

/// Fewest numbers of a column without such a class.
const MIN_NUMBERS: u32 = 3;

/// Returns whether a run is the number of a line, or the numbers of several.
#[inline]
pub(super) fn is_line_number(page: &Page<'_>, run: &Run) -> bool {
    let source = page.run_source(run);
    let first_byte = source.as_bytes()[0];
    (first_byte.is_ascii_digit() || first_byte.is_ascii_whitespace())
        && is_number(source)
        && (is_classed(page, run) || is_column(page, run))
}

/// Returns whether text is digits and white space.
fn is_number(source: &str) -> bool {
    let source = source.strip_suffix("&nbsp;").unwrap_or(source);
    source.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace())
}

/// Returns whether an element around the run holds line numbers by its class, and begins and ends
/// with numbers.
fn is_classed(page: &Page<'_>, run: &Run) -> bool {
    let (nodes, runs) = (page.nodes(), page.runs());
    let mut at = run.node;
    for _ in 0..MAX_TESTED_ANCESTORS {
        let node = &nodes[at as usize];
        // On a whole block of code, such a class means that the block is shown with numbers.
        let is_whole = matches!(node.tag, Tag::CODE | Tag::TABLE)
            || node.tag == Tag::PRE && node.run_end - node.run_start > 1;
        let class = page.attribute(node, AttributeName::Class).filter(|_| !is_whole);
        let class = class.unwrap_or_default();
        let is_telling = |word: &str| CLASSES.iter().any(|known| word.eq_ignore_ascii_case(known));
        if class.split_ascii_whitespace().any(is_telling) {
            let [first, .., last] = &runs[node.runs()] else { return true };
            return is_number(page.run_source(first)) && is_number(page.run_source(last));
        }
        at = node.parent;
    }
    false
}

/// Returns whether the run fills a preformatted table cell with consecutive numbers.
fn is_column(page: &Page<'_>, run: &Run) -> bool {
    let nodes = page.nodes();
    let (mut at, mut is_cell) = (run.node, false);
    for _ in 0..MAX_TESTED_ANCESTORS {
        let node = &nodes[at as usize];
        if node.run_end - node.run_start > 1 {
            break;
        }
        is_cell |= matches!(node.tag, Tag::TD | Tag::TH);
        at = node.parent;
    }
    if !is_cell || !run.flags.contains(RunFlags::PREFORMATTED) {
        return false;
    }
    let mut numbers = page.run_source(run).split_ascii_whitespace().map(str::parse::<u32>);
    let Some(Ok(first)) = numbers.next() else { return false };
    let (mut last_number, mut count) = (first, 1);
    for number in numbers {
        if number != Ok(last_number.wrapping_add(1)) {
            return false;
        }
        (last_number, count) = (last_number.wrapping_add(1), count + 1);
    }
    count >= MIN_NUMBERS
}
