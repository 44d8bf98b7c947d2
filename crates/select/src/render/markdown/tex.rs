//! Finds TeX in the text of a page, which MathJax or KaTeX shows: between dollars, `\(` and `\)`,
//! `\[` and `\]`, and in the environments of displayed formulas.
//!
//! The writer escapes the text after an opening delimiter like other text. At the closing delimiter
//! it replaces that text by the source. So it writes each formula twice at most.

use super::open_tex::OpenTex;
use super::{Markdown, literal};

/// The longest formula that is recognised, in bytes.
const MAX_FORMULA_BYTES: usize = 1 << 14;

/// The beginnings and ends of environments that are formulas without a delimiter around them.
#[rustfmt::skip]
const ENVIRONMENTS: [(&str, &str); 19] = [
    (r"\begin{equation}", r"\end{equation}"),
    (r"\begin{equation*}", r"\end{equation*}"),
    (r"\begin{align}", r"\end{align}"),
    (r"\begin{align*}", r"\end{align*}"),
    (r"\begin{alignat}", r"\end{alignat}"),
    (r"\begin{alignat*}", r"\end{alignat*}"),
    (r"\begin{flalign}", r"\end{flalign}"),
    (r"\begin{flalign*}", r"\end{flalign*}"),
    (r"\begin{gather}", r"\end{gather}"),
    (r"\begin{gather*}", r"\end{gather*}"),
    (r"\begin{multline}", r"\end{multline}"),
    (r"\begin{multline*}", r"\end{multline*}"),
    (r"\begin{eqnarray}", r"\end{eqnarray}"),
    (r"\begin{eqnarray*}", r"\end{eqnarray*}"),
    (r"\begin{displaymath}", r"\end{displaymath}"),
    (r"\begin{math}", r"\end{math}"),
    (r"\begin{cases}", r"\end{cases}"),
    (r"\begin{dcases}", r"\end{dcases}"),
    (r"\begin{CD}", r"\end{CD}"),
];

impl Markdown<'_> {
    /// Writes text of a page that shows TeX.
    pub(super) fn escape_around_tex(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(open) = &self.tex {
                let Some(end) = find_closing(rest, open.closing) else {
                    self.push_tex(rest);
                    self.escape(rest);
                    return;
                };
                let (inside, after) = rest.split_at(end);
                self.push_tex(inside);
                match self.tex.take() {
                    Some(open) => self.close_tex(&open),
                    None => self.escape(inside),
                }
                rest = after;
                continue;
            }
            let Some((at, delimiter, closing)) = find_opening(rest) else {
                self.escape(rest);
                return;
            };
            if at > 0 {
                self.escape(&rest[..at]);
            }
            self.tex = Some(OpenTex { at: self.out.len(), line: self.line.content, closing });
            self.scratch.tex.clear();
            self.push_tex(delimiter);
            self.escape(delimiter);
            rest = &rest[at + delimiter.len()..];
        }
    }

    /// Records the source after an opening delimiter.
    pub(super) fn push_tex(&mut self, text: &str) {
        if self.tex.is_some() {
            self.scratch.tex.push_str(text);
            if self.scratch.tex.len() > MAX_FORMULA_BYTES {
                self.tex = None;
            }
        }
    }

    /// Replaces the output since the opening delimiter by its source.
    fn close_tex(&mut self, open: &OpenTex) {
        self.out.truncate(open.at);
        self.line.content = open.line;
        if self.line.dollar.is_some_and(|dollar| dollar >= open.at) {
            self.line.dollar = None;
        }
        if open.closing.starts_with('$') {
            self.escape_dollars();
            self.has_formula = true;
        }
        if self.is_in_cell() {
            literal::pipes(&self.scratch.tex, self.out);
        } else {
            self.out.push_str(&self.scratch.tex);
        }
    }
}

/// Returns the first opening delimiter: its offset, itself, and the delimiter that closes it.
fn find_opening(text: &str) -> Option<(usize, &'static str, &'static str)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = from + memchr::memchr2(b'\\', b'$', &bytes[from..])?;
        let next = bytes.get(at + 1).copied();
        match (bytes[at], next) {
            (b'\\', Some(b'(')) => return Some((at, "\\(", "\\)")),
            (b'\\', Some(b'[')) => return Some((at, "\\[", "\\]")),
            (b'\\', Some(b'b')) => {
                let rest = &text[at..];
                let found = ENVIRONMENTS.iter().find(|(begin, _)| rest.starts_with(begin));
                if let Some((begin, end)) = found {
                    return Some((at, begin, end));
                }
                from = at + 2;
            }
            // A dollar that the page itself escapes, or a line break of TeX.
            (b'\\', Some(b'$' | b'\\')) => from = at + 2,
            (b'$', Some(b'$')) => return Some((at, "$$", "$$")),
            // A formula does not begin with white space.
            (b'$', Some(next)) if !next.is_ascii_whitespace() => return Some((at, "$", "$")),
            _ => from = at + 1,
        }
    }
}

/// Returns the offset after the delimiter that closes a formula.
fn find_closing(text: &str, closing: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = from + memchr::memchr2(b'\\', b'$', &bytes[from..])?;
        if bytes[at..].starts_with(closing.as_bytes()) {
            let end = at + closing.len();
            let is_price = closing == "$"
                && (bytes.get(end).is_some_and(u8::is_ascii_digit)
                    || at > 0 && bytes[at - 1].is_ascii_whitespace());
            if !is_price {
                return Some(end);
            }
        }
        from = at + if bytes[at] == b'\\' { 2 } else { 1 };
        if from >= bytes.len() {
            return None;
        }
    }
}
