//! Writes formulas without TeX: MathML on one line, as one would type it.
//!
//! Fractions have a slash, roots their sign. Powers and indices have the scalars that Unicode has
//! for them, or a mark. An operand of several tokens has brackets. Cost: O(elements and text in the
//! formula).

use super::render_kind::RenderKind;
use super::scripts;
use huller_page::entity::Scalars;
use huller_page::{Attributes, Node, Page, Tag};

/// Appends a formula to `out`; `at` is its `math`. Without a visible scalar, appends no text.
pub(super) fn write(page: &Page<'_>, at: u32, out: &mut String) {
    let start = out.len();
    let mut linear = Linear { page, out, start, script: start, attributes: Attributes::default() };
    linear.row(at);
    let end = out.trim_end().len();
    out.truncate(end.max(start));
}

/// Returns the name of an element as written, without a prefix of its name space.
pub(super) fn local_name<'a>(page: &Page<'a>, node: &Node) -> &'a str {
    /// Known names are at most this long, in bytes.
    const MAX_NAME_BYTES: usize = 32;
    let source = page.html().as_bytes();
    let rest = source.get(node.byte_start as usize + 1..).unwrap_or_default();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'_');
    let length = rest.iter().take(MAX_NAME_BYTES).take_while(|byte| is_of_name(byte)).count();
    let name = std::str::from_utf8(&rest[..length]).unwrap_or_default();
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Returns whether white space is shown at the ends of a token too. Other white space there only
/// formats the source, or is narrower than a space between words.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{2000}'..='\u{2004}' | '\u{3000}')
}

/// The meaning of an element of a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormulaElement {
    Row,
    Token,
    Fraction,
    Root,
    Power,
    Index,
    Both,
    Many,
    Fenced,
    Table,
    TableRow,
    /// Only the first child is shown.
    First,
    Space,
    Nothing,
}

fn element_kind(name: &str) -> FormulaElement {
    const PARTS: &[(&str, FormulaElement)] = &[
        ("mi", FormulaElement::Token),
        ("mn", FormulaElement::Token),
        ("mo", FormulaElement::Token),
        ("mtext", FormulaElement::Token),
        ("ms", FormulaElement::Token),
        ("mfrac", FormulaElement::Fraction),
        ("msqrt", FormulaElement::Root),
        ("mroot", FormulaElement::Root),
        ("msup", FormulaElement::Power),
        ("mover", FormulaElement::Power),
        ("msub", FormulaElement::Index),
        ("munder", FormulaElement::Index),
        ("msubsup", FormulaElement::Both),
        ("munderover", FormulaElement::Both),
        ("mmultiscripts", FormulaElement::Many),
        ("mfenced", FormulaElement::Fenced),
        ("mtable", FormulaElement::Table),
        ("mtr", FormulaElement::TableRow),
        ("mlabeledtr", FormulaElement::TableRow),
        ("semantics", FormulaElement::First),
        ("maction", FormulaElement::First),
        ("mspace", FormulaElement::Space),
        ("mphantom", FormulaElement::Nothing),
        ("annotation", FormulaElement::Nothing),
        ("annotation-xml", FormulaElement::Nothing),
        ("none", FormulaElement::Nothing),
        ("mprescripts", FormulaElement::Nothing),
    ];
    let found = PARTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map_or(FormulaElement::Row, |(_, part)| *part)
}

struct Linear<'a, 'b> {
    page: &'a Page<'a>,
    out: &'b mut String,
    /// Length of `out` before the formula.
    start: usize,
    /// Length of `out` before the power or index that is being written.
    script: usize,
    attributes: Attributes,
}

impl<'a> Linear<'a, '_> {
    fn children(&self, at: u32) -> impl Iterator<Item = u32> + use<'a> {
        let nodes = self.page.nodes();
        let (mut next, end) = (at + 1, nodes[at as usize].end);
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = nodes[child as usize].end;
            Some(child)
        })
    }

    fn node(&self, at: u32) -> &'a Node {
        &self.page.nodes()[at as usize]
    }

    /// Writes all of an element: its children, and text between them.
    fn row(&mut self, at: u32) {
        let mut run = self.node(at).run_start;
        for child in self.children(at) {
            let node = self.node(child);
            self.text(run, node.run_start);
            self.element(child);
            run = node.run_end;
        }
        self.text(run, self.node(at).run_end);
    }

    fn element(&mut self, at: u32) {
        let node = self.node(at);
        let name = local_name(self.page, node);
        let part = if node.tag == Tag::MATH { FormulaElement::Row } else { element_kind(name) };
        let mut children = self.children(at);
        match part {
            FormulaElement::Row => self.row(at),
            FormulaElement::Token if node.run_start == node.run_end => self.white_token(node),
            FormulaElement::Token => self.text(node.run_start, node.run_end),
            FormulaElement::Space => self.space(),
            FormulaElement::Nothing => {}
            FormulaElement::First => {
                if let Some(first) = children.next() {
                    self.element(first);
                }
            }
            FormulaElement::Fraction => {
                self.operand(children.next());
                self.out.push('/');
                self.operand(children.next());
            }
            FormulaElement::Root => self.root(at, name),
            FormulaElement::Power => {
                self.operand(children.next());
                self.script(children.next(), RenderKind::Superscript);
            }
            FormulaElement::Index => {
                self.operand(children.next());
                self.script(children.next(), RenderKind::Subscript);
            }
            FormulaElement::Both => {
                self.operand(children.next());
                self.script(children.next(), RenderKind::Subscript);
                self.script(children.next(), RenderKind::Superscript);
            }
            FormulaElement::Many => self.scripts(at),
            FormulaElement::Fenced => self.fenced(at),
            FormulaElement::Table => self.list(at, "; "),
            FormulaElement::TableRow => self.list(at, ", "),
        }
    }

    fn space(&mut self) {
        if self.out.len() > self.script.max(self.start) && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
    }

    /// Writes a space for a token that holds only white space, if any of it is wide.
    fn white_token(&mut self, node: &Node) {
        /// Longest source in bytes of such a token that is read. Others hold elements or comments.
        const MAX_TOKEN_BYTES: u32 = 64;
        if node.byte_end - node.byte_start <= MAX_TOKEN_BYTES
            && let Some((_, content)) = self.page.node_source(node).split_once('>')
            && Scalars::decoded(content).any(|(c, _)| is_wide(c))
        {
            self.space();
        }
    }

    /// Writes the scalars of some runs, with a space between two numbers or two names that meet.
    fn text(&mut self, from: u32, to: u32) {
        let mut is_first = true;
        for run in &self.page.runs()[from as usize..to as usize] {
            let mut is_white = false;
            for (c, _) in Scalars::decoded(self.page.run_source(run)) {
                let is_function = c == '\u{2061}';
                if c.is_whitespace() || is_function {
                    is_white |= !is_first || is_function || is_wide(c);
                    continue;
                }
                // Signs that are not shown: times, comma and plus between letters, and scalars
                // without width.
                if c.is_control() || matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}')
                {
                    continue;
                }
                let last = self.out[self.script..].chars().next_back();
                let meets = std::mem::take(&mut is_first)
                    && last.is_some_and(|last| {
                        last.is_numeric() && c.is_numeric()
                            || self.ends_in_name() && c.is_alphanumeric()
                    });
                if is_white || meets {
                    self.space();
                }
                is_white = false;
                self.out.push(c);
            }
            if is_white {
                self.space();
            }
        }
    }

    /// Returns whether the output ends with a name of several letters, such as `sin`.
    fn ends_in_name(&self) -> bool {
        let mut last = self.out[self.script..].chars().rev();
        last.by_ref().take(2).filter(|c| c.is_alphabetic()).count() == 2
    }

    /// Writes an operand: in brackets if it has several tokens.
    fn operand(&mut self, at: Option<u32>) {
        let Some(at) = at else { return };
        let node = self.node(at);
        let is_one = node.run_end - node.run_start < 2
            || matches!(
                element_kind(local_name(self.page, node)),
                FormulaElement::Power
                    | FormulaElement::Index
                    | FormulaElement::Both
                    | FormulaElement::Many
                    | FormulaElement::Root
                    | FormulaElement::Fenced
            );
        if is_one || self.is_bracketed(node) {
            self.element(at);
        } else {
            self.out.push('(');
            self.element(at);
            self.out.push(')');
        }
    }

    /// Returns whether the first and the last token of an element are brackets.
    fn is_bracketed(&self, node: &Node) -> bool {
        let runs = &self.page.runs()[node.runs()];
        let is = |run: Option<&huller_page::Run>, signs: &[&str]| {
            run.is_some_and(|run| signs.contains(&self.page.run_source(run).trim()))
        };
        is(runs.first(), &["(", "[", "{", "|"]) && is(runs.last(), &[")", "]", "}", "|"])
    }

    fn root(&mut self, at: u32, name: &str) {
        if name.eq_ignore_ascii_case("mroot") {
            let mut children = self.children(at);
            let radicand = children.next();
            if let Some(index) = children.next() {
                let start = self.out.len();
                self.element(index);
                self.raise(start, RenderKind::Superscript, false);
            }
            self.out.push('√');
            self.operand(radicand);
            return;
        }
        let node = self.node(at);
        self.out.push('√');
        let is_one = node.run_end - node.run_start < 2 || self.is_bracketed(node);
        if !is_one {
            self.out.push('(');
        }
        self.row(at);
        if !is_one {
            self.out.push(')');
        }
    }

    /// Writes a power or an index: with scalars of its own, or after a mark.
    fn script(&mut self, at: Option<u32>, kind: RenderKind) {
        /// Largest number of bytes of source of a script that is moved. A longer one is marked
        /// before it is written, because moving it costs more.
        const LONG: u32 = 512;
        let Some(at) = at else { return };
        let node = self.node(at);
        if node.byte_end - node.byte_start > LONG {
            self.out.push_str(if kind == RenderKind::Superscript { "^(" } else { "_(" });
            self.element(at);
            self.out.push(')');
            return;
        }
        let start = self.out.len();
        let around = std::mem::replace(&mut self.script, start);
        self.element(at);
        self.script = around;
        self.raise(start, kind, node.run_end - node.run_start > 1);
    }

    /// Turns the output from `start` on into a power or an index.
    fn raise(&mut self, start: usize, kind: RenderKind, has_several: bool) {
        /// Longest script in bytes that is written with scalars of its own. Longer ones are marked.
        const MAX_SCRIPT_BYTES: usize = 24;
        let written = &self.out[start..];
        if written.is_empty() {
            return;
        }
        if written.len() <= MAX_SCRIPT_BYTES {
            let raised: Option<String> =
                written.chars().map(|c| scripts::unicode(c, kind)).collect();
            if let Some(raised) = raised {
                self.out.truncate(start);
                self.out.push_str(&raised);
                return;
            }
            // Primes, accents and similar signs need no mark.
            if written.chars().all(|c| !c.is_alphanumeric() && c != '*' && c != '∞') {
                return;
            }
        }
        let mark = if kind == RenderKind::Superscript { "^" } else { "_" };
        if has_several {
            self.out.insert_str(start, mark);
            self.out.insert(start + 1, '(');
            self.out.push(')');
        } else {
            self.out.insert_str(start, mark);
        }
    }

    /// Writes a base with any number of indices and powers, in turn. Scripts before the base are
    /// written after it.
    fn scripts(&mut self, at: u32) {
        let mut is_power = false;
        for (place, child) in self.children(at).enumerate() {
            if place == 0 {
                self.operand(Some(child));
                continue;
            }
            if local_name(self.page, self.node(child)).eq_ignore_ascii_case("mprescripts") {
                is_power = false;
                continue;
            }
            let kind = if is_power { RenderKind::Superscript } else { RenderKind::Subscript };
            self.script(Some(child), kind);
            is_power = !is_power;
        }
    }

    fn fenced(&mut self, at: u32) {
        let (mut open, mut close, mut separators) = ("(", ")", ",");
        for (name, value) in self.page.all_attributes(self.node(at), &mut self.attributes) {
            match () {
                () if name.eq_ignore_ascii_case("open") => open = value,
                () if name.eq_ignore_ascii_case("close") => close = value,
                () if name.eq_ignore_ascii_case("separators") => separators = value,
                () => {}
            }
        }
        // A sign is one scalar. A reference is not decoded.
        let sign = |value: &str| value.trim().chars().next().filter(|c| *c != '&');
        let separator = sign(separators);
        self.out.extend(sign(open));
        for (place, child) in self.children(at).enumerate() {
            if place > 0 {
                self.out.extend(separator);
            }
            self.element(child);
        }
        self.out.extend(sign(close));
    }

    /// Writes the children with a separator between them.
    fn list(&mut self, at: u32, between: &str) {
        for (place, child) in self.children(at).enumerate() {
            if place > 0 {
                self.out.push_str(between);
            }
            self.element(child);
        }
    }
}
