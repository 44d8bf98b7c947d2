//! Numbers the items of ordered lists, as browsers count and show them.

use huller_page::{AttributeName, Attributes, Node, Page, Tag};

/// The numbering of the items of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbering {
    /// The number of the next item, unless the item has its own.
    next: i32,
    step: i32,
    style: NumberStyle,
}

/// The style of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberStyle {
    Decimal,
    /// `a`, `b`, …, `z`, `aa`.
    Letters {
        first: u8,
    },
    /// `i`, `ii`, `iii`, `iv`.
    Roman {
        is_upper: bool,
    },
}

/// The marks of items, as a `style` attribute states them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marks {
    /// No mark, or a bullet.
    None,
    Numbers(NumberStyle),
}

impl Marks {
    /// Returns the marks of the last `list-style` or `list-style-type` of an element's own style
    /// with a known value.
    fn of(page: &Page<'_>, node: &Node) -> Option<Marks> {
        let style = page.attribute(node, AttributeName::Style)?;
        let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
        let mut of_list = declarations.rev().filter(|(name, _)| {
            let name = name.trim();
            name.eq_ignore_ascii_case("list-style") || name.eq_ignore_ascii_case("list-style-type")
        });
        of_list.find_map(|(_, value)| Marks::from_value(value))
    }

    fn from_value(value: &str) -> Option<Marks> {
        const NAMES: [(&str, Marks); 12] = [
            ("none", Marks::None),
            ("disc", Marks::None),
            ("circle", Marks::None),
            ("square", Marks::None),
            ("decimal", Marks::Numbers(NumberStyle::Decimal)),
            ("decimal-leading-zero", Marks::Numbers(NumberStyle::Decimal)),
            ("lower-alpha", Marks::Numbers(NumberStyle::Letters { first: b'a' })),
            ("lower-latin", Marks::Numbers(NumberStyle::Letters { first: b'a' })),
            ("upper-alpha", Marks::Numbers(NumberStyle::Letters { first: b'A' })),
            ("upper-latin", Marks::Numbers(NumberStyle::Letters { first: b'A' })),
            ("lower-roman", Marks::Numbers(NumberStyle::Roman { is_upper: false })),
            ("upper-roman", Marks::Numbers(NumberStyle::Roman { is_upper: true })),
        ];
        let mut words = value.split(|c: char| c.is_ascii_whitespace() || c == '!');
        words.find_map(|word| {
            let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
            known.map(|(_, marks)| *marks)
        })
    }
}

/// Class words of an ordered list that sites show without numbers.
const UNNUMBERED: &[&str] = &[
    "breadcrumb",
    "comment",
    "unstyled",
    "no-bullet",
    "nobullet",
    "nav",
    "menu",
    "post",
    "message",
    "thread",
    "carousel",
    "slide",
    "pagination",
    "tabs",
    "share",
    "social",
    // Lines of code.
    "line",
    "dp-",
];

/// Longest class, in bytes, that is read to its end.
const MAX_CLASS_BYTES: usize = 256;

impl Numbering {
    /// Returns the numbering of a list. `None` if it is not ordered, or is shown without numbers.
    /// Such a list has a `style` that says so, or a `role` (which authors write for that reason).
    /// Others have a class of a part of a page whose lists have no numbers.
    pub(super) fn from_list(
        page: &Page<'_>,
        at: u32,
        attributes: &mut Attributes,
    ) -> Option<Numbering> {
        let node = &page.nodes()[at as usize];
        if node.tag != Tag::OL || page.attribute(node, AttributeName::Role).is_some() {
            return None;
        }
        let stated = Marks::of(page, node);
        if stated == Some(Marks::None) {
            return None;
        }
        let class = page.attribute(node, AttributeName::Class).unwrap_or_default();
        let class = &class[..class.floor_char_boundary(MAX_CLASS_BYTES)];
        let is_unnumbered = |word: &&[u8]| {
            let begins = |at: usize| at == 0 || !class.as_bytes()[at - 1].is_ascii_alphanumeric();
            let windows = class.as_bytes().windows(word.len()).enumerate();
            { windows }.any(|(at, window)| begins(at) && window.eq_ignore_ascii_case(word))
        };
        if UNNUMBERED.iter().map(|word| word.as_bytes()).any(|word| is_unnumbered(&word)) {
            return None;
        }
        let (mut start, mut is_reversed) = (None, false);
        if has_attributes(page, node) {
            for (name, value) in page.all_attributes(node, attributes) {
                if name.eq_ignore_ascii_case("start") {
                    start = value.trim().parse().ok();
                }
                is_reversed |= name.eq_ignore_ascii_case("reversed");
            }
        }
        let next = start.unwrap_or_else(|| if is_reversed { count_items(page, at) } else { 1 });
        let by_type = match page.attribute(node, AttributeName::Type) {
            Some("a") => Some(NumberStyle::Letters { first: b'a' }),
            Some("A") => Some(NumberStyle::Letters { first: b'A' }),
            Some("i") => Some(NumberStyle::Roman { is_upper: false }),
            Some("I") => Some(NumberStyle::Roman { is_upper: true }),
            _ => None,
        };
        // Word processors write the style of a list at its items.
        let first = page.nodes().get(at as usize + 1).filter(|first| first.tag == Tag::LI);
        let at_first = || first.and_then(|first| Marks::of(page, first));
        let style = match stated.or_else(at_first) {
            Some(Marks::Numbers(style)) => style,
            _ => by_type.unwrap_or(NumberStyle::Decimal),
        };
        Some(Numbering { next, step: if is_reversed { -1 } else { 1 }, style })
    }

    /// Returns the number of the next item, and advances. `None` if the item counts but is shown
    /// without its number.
    pub(super) fn take(
        &mut self,
        page: &Page<'_>,
        item: u32,
        attributes: &mut Attributes,
    ) -> Option<i32> {
        let node = &page.nodes()[item as usize];
        let mut number = self.next;
        if has_attributes(page, node) {
            let mut all = page.all_attributes(node, attributes);
            let stated = all.find(|(name, _)| name.eq_ignore_ascii_case("value"));
            number = stated.and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(number);
        }
        self.follow(number);
        match Marks::of(page, node) {
            Some(Marks::None) => return None,
            Some(Marks::Numbers(style)) => self.style = style,
            None => {}
        }
        Some(number)
    }

    /// Sets the number of the next item, and advances. Returns the number that the item would have
    /// had.
    pub(super) fn follow(&mut self, number: i32) -> i32 {
        std::mem::replace(&mut self.next, number.saturating_add(self.step))
    }

    /// Returns the number of the next item, unless the item has its own.
    pub(super) fn next(self) -> i32 {
        self.next
    }

    /// Returns whether the numbers descend.
    pub(super) fn is_reversed(self) -> bool {
        self.step < 0
    }

    /// Returns the value of the attribute `type` for the style of the numbers; `None` if they are
    /// decimal.
    pub(super) fn type_name(self) -> Option<&'static str> {
        match self.style {
            NumberStyle::Decimal => None,
            NumberStyle::Letters { first: b'a' } => Some("a"),
            NumberStyle::Letters { .. } => Some("A"),
            NumberStyle::Roman { is_upper: false } => Some("i"),
            NumberStyle::Roman { is_upper: true } => Some("I"),
        }
    }

    /// Appends a number as it is shown, with its full stop.
    pub(super) fn push(self, number: i32, out: &mut String) {
        match self.style {
            NumberStyle::Letters { first } if number > 0 => {
                push_letters(number.unsigned_abs(), first, out);
            }
            NumberStyle::Roman { is_upper } if (1..4000).contains(&number) => {
                push_roman(number.unsigned_abs(), is_upper, out);
            }
            _ => push_decimal(number, out),
        }
        out.push('.');
    }
}

/// Returns whether the start tag has more than its name. White space counts too.
fn has_attributes(page: &Page<'_>, node: &Node) -> bool {
    let source = page.node_source(node).as_bytes();
    source.get(node.tag.name().len() + 1).is_some_and(|byte| *byte != b'>')
}

/// Returns the number of items that are children of a list. Cost: O(children).
fn count_items(page: &Page<'_>, list: u32) -> i32 {
    let nodes = page.nodes();
    let (mut at, end, mut count) = (list + 1, nodes[list as usize].end, 0);
    while at < end {
        let node = &nodes[at as usize];
        count += i32::from(node.tag == Tag::LI);
        at = node.end;
    }
    count
}

/// Appends a number in decimal digits.
pub(super) fn push_decimal(number: i32, out: &mut String) {
    if number < 0 {
        out.push('-');
    }
    let mut rest = number.unsigned_abs();
    let mut unit = 1;
    while rest / unit >= 10 {
        unit *= 10;
    }
    while unit > 0 {
        out.push(char::from(b'0' + (rest / unit) as u8));
        rest %= unit;
        unit /= 10;
    }
}

/// Appends `a` to `z`, then `aa`: digits of base 26 without a zero.
fn push_letters(number: u32, first: u8, out: &mut String) {
    let mut letters = [0; 8];
    let (mut rest, mut at) = (number, letters.len());
    while rest > 0 && at > 0 {
        at -= 1;
        letters[at] = first + ((rest - 1) % 26) as u8;
        rest = (rest - 1) / 26;
    }
    out.extend(letters[at..].iter().map(|letter| char::from(*letter)));
}

fn push_roman(number: u32, is_upper: bool, out: &mut String) {
    const SIGNS: [(u32, &str, &str); 13] = [
        (1000, "m", "M"),
        (900, "cm", "CM"),
        (500, "d", "D"),
        (400, "cd", "CD"),
        (100, "c", "C"),
        (90, "xc", "XC"),
        (50, "l", "L"),
        (40, "xl", "XL"),
        (10, "x", "X"),
        (9, "ix", "IX"),
        (5, "v", "V"),
        (4, "iv", "IV"),
        (1, "i", "I"),
    ];
    let mut rest = number;
    for (value, lower, upper) in SIGNS {
        while rest >= value {
            out.push_str(if is_upper { upper } else { lower });
            rest -= value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_in_their_style() {
        let shown = |style, number| {
            let mut out = String::new();
            Numbering { next: 1, step: 1, style }.push(number, &mut out);
            out
        };
        let letters = NumberStyle::Letters { first: b'a' };
        let roman = NumberStyle::Roman { is_upper: true };
        for (style, number, wanted) in [
            (NumberStyle::Decimal, 0, "0."),
            (NumberStyle::Decimal, 1203, "1203."),
            (NumberStyle::Decimal, i32::MIN, "-2147483648."),
            (letters, 1, "a."),
            (letters, 26, "z."),
            (letters, 27, "aa."),
            (letters, 702, "zz."),
            (letters, i32::MAX, "fxshrxw."),
            (letters, 0, "0."),
            (roman, 1994, "MCMXCIV."),
            (roman, 4000, "4000."),
        ] {
            assert_eq!(shown(style, number), wanted);
        }
    }
}
