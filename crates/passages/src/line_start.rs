//! Recognises the blocks that a line may begin, by CommonMark 0.31 and GitHub's tables.
//!
//! Each function takes the line from its first visible byte on, without its line end. Each takes
//! time linear in the line.

/// The mark of an item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ItemMark {
    /// Bytes of the mark.
    pub(crate) width: usize,
    /// The byte that all items of the list share: `-`, `+`, `*`, `.` or `)`.
    pub(crate) sign: u8,
    /// Whether it may interrupt a paragraph by its number.
    pub(crate) is_first: bool,
    /// Whether the line holds nothing after it.
    pub(crate) is_alone: bool,
}

/// A fence of code: its byte and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    byte: u8,
    /// Length of the fence in bytes.
    count: usize,
}

/// The end of a block of HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HtmlEnd {
    /// A line with this text, in any case.
    Text(&'static [u8]),
    /// An empty line.
    EmptyLine,
}

fn run(line: &[u8], byte: u8) -> usize {
    line.iter().take_while(|current| **current == byte).count()
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_white_or_end(byte: Option<&u8>) -> bool {
    byte.is_none_or(|byte| is_white(*byte))
}

/// Returns the level of a heading with `#`.
pub(crate) fn heading(line: &[u8]) -> Option<u8> {
    let count = run(line, b'#');
    ((1..=6).contains(&count) && is_white_or_end(line.get(count))).then_some(count as u8)
}

/// Returns the level of the heading that this line underlines.
pub(crate) fn underline(line: &[u8]) -> Option<u8> {
    let level = match line.first() {
        Some(b'=') => 1,
        Some(b'-') => 2,
        _ => return None,
    };
    let count = run(line, line[0]);
    line[count..].iter().all(|byte| is_white(*byte)).then_some(level)
}

/// Returns whether the line is a thematic break.
pub(crate) fn is_rule(line: &[u8]) -> bool {
    let Some(sign @ (b'*' | b'-' | b'_')) = line.first().copied() else { return false };
    let mut count = 0;
    line.iter().all(|byte| {
        count += usize::from(*byte == sign);
        *byte == sign || is_white(*byte)
    }) && count >= 3
}

/// Returns the fence that begins code.
pub(crate) fn fence(line: &[u8]) -> Option<Fence> {
    let byte = *line.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let count = run(line, byte);
    let has_tick = byte == b'`' && memchr::memchr(b'`', &line[count..]).is_some();
    (count >= 3 && !has_tick).then_some(Fence { byte, count })
}

impl Fence {
    /// Returns whether the line ends the code.
    pub(crate) fn is_closed_by(self, line: &[u8]) -> bool {
        let count = run(line, self.byte);
        count >= self.count && line[count..].iter().all(|byte| is_white(*byte))
    }
}

/// Returns the mark of the item that begins.
pub(crate) fn item(line: &[u8]) -> Option<ItemMark> {
    let digits = line.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let sign = *line.get(digits)?;
    match (digits, sign) {
        (0, b'-' | b'+' | b'*') | (1..=9, b'.' | b')') => {}
        _ => return None,
    }
    let after_sign = &line[digits + 1..];
    let is_first = digits == 0 || line[..digits] == *b"1";
    let is_alone = after_sign.iter().all(|byte| is_white(*byte));
    let mark = ItemMark { width: digits + 1, sign, is_first, is_alone };
    is_white_or_end(after_sign.first()).then_some(mark)
}

/// Names of elements that begin a block of HTML wherever they are.
const HTML_BLOCKS: &[&[u8]] = &[
    b"address",
    b"article",
    b"aside",
    b"base",
    b"basefont",
    b"blockquote",
    b"body",
    b"caption",
    b"center",
    b"col",
    b"colgroup",
    b"dd",
    b"details",
    b"dialog",
    b"dir",
    b"div",
    b"dl",
    b"dt",
    b"fieldset",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"frame",
    b"frameset",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hr",
    b"html",
    b"iframe",
    b"legend",
    b"li",
    b"link",
    b"main",
    b"menu",
    b"menuitem",
    b"nav",
    b"noframes",
    b"ol",
    b"optgroup",
    b"option",
    b"p",
    b"param",
    b"search",
    b"section",
    b"summary",
    b"table",
    b"tbody",
    b"td",
    b"tfoot",
    b"th",
    b"thead",
    b"title",
    b"tr",
    b"track",
    b"ul",
];

/// Returns the end of the block of HTML that the line begins. A lone tag of another element begins
/// a paragraph here.
pub(crate) fn html(line: &[u8]) -> Option<HtmlEnd> {
    let inner = line.strip_prefix(b"<")?;
    for (start, end) in
        [(b"!--".as_slice(), b"-->".as_slice()), (b"?", b"?>"), (b"![CDATA[", b"]]>")]
    {
        if inner.starts_with(start) {
            return Some(HtmlEnd::Text(end));
        }
    }
    if inner.first() == Some(&b'!') && inner.get(1).is_some_and(u8::is_ascii_alphabetic) {
        return Some(HtmlEnd::Text(b">"));
    }
    let is_end_tag = inner.first() == Some(&b'/');
    let name = &inner[usize::from(is_end_tag)..];
    let length = name.iter().take(12).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, after_name) = name.split_at(length);
    let is_ended = is_white_or_end(after_name.first()) || after_name[0] == b'>';
    if is_ended && !is_end_tag {
        for (raw, end) in [
            (b"pre".as_slice(), b"</pre>".as_slice()),
            (b"script", b"</script>"),
            (b"style", b"</style>"),
            (b"textarea", b"</textarea>"),
        ] {
            if name.eq_ignore_ascii_case(raw) {
                return Some(HtmlEnd::Text(end));
            }
        }
    }
    let is_block = HTML_BLOCKS.iter().any(|block| name.eq_ignore_ascii_case(block));
    (is_block && (is_ended || after_name.starts_with(b"/>"))).then_some(HtmlEnd::EmptyLine)
}

impl HtmlEnd {
    /// Returns whether the block ends with this line.
    pub(crate) fn is_in(self, line: &[u8]) -> bool {
        match self {
            HtmlEnd::EmptyLine => false,
            HtmlEnd::Text(end) => {
                line.windows(end.len()).any(|window| window.eq_ignore_ascii_case(end))
            }
        }
    }
}

/// Returns the number of columns of a table, if the line can be the one below its head.
pub(crate) fn delimiter_columns(line: &[u8]) -> Option<usize> {
    if !line.iter().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t')) {
        return None;
    }
    // One column without a pipe or a colon is an underline or a rule.
    if !line.iter().any(|byte| matches!(byte, b'|' | b':')) {
        return None;
    }
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"|").unwrap_or(line);
    let line = line.strip_suffix(b"|").unwrap_or(line);
    let mut columns = 0;
    let are_cells = line.split(|byte| *byte == b'|').all(|cell| {
        columns += 1;
        let cell = cell.trim_ascii();
        let cell = cell.strip_prefix(b":").unwrap_or(cell);
        let cell = cell.strip_suffix(b":").unwrap_or(cell);
        !cell.is_empty() && cell.iter().all(|byte| *byte == b'-')
    });
    are_cells.then_some(columns)
}

/// Returns the number of cells of a row of a table.
pub(crate) fn cells(line: &[u8]) -> usize {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"|").unwrap_or(line);
    let (mut cells, mut is_escaped, mut ends_in_pipe) = (1, false, false);
    for byte in line {
        ends_in_pipe = *byte == b'|' && !is_escaped;
        cells += usize::from(ends_in_pipe);
        is_escaped = *byte == b'\\' && !is_escaped;
    }
    cells - usize::from(ends_in_pipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_underlines() {
        let levels =
            ["# a", "######", "####### a", "#a", "## "].map(|line| heading(line.as_bytes()));
        assert_eq!(levels, [Some(1), Some(6), None, None, Some(2)]);
        let levels = ["===  ", "-", "--- -", "a"].map(|line| underline(line.as_bytes()));
        assert_eq!(levels, [Some(1), Some(2), None, None]);
    }

    #[test]
    fn rules_and_items() {
        assert!(["***", "- - -", "__  _\t_"].iter().all(|line| is_rule(line.as_bytes())));
        assert!(["**", "*-*", "--- a", ""].iter().all(|line| !is_rule(line.as_bytes())));
        let mark = item(b"10. a").unwrap();
        assert_eq!(mark, ItemMark { width: 3, sign: b'.', is_first: false, is_alone: false });
        assert_eq!(item(b"+ ").map(|mark| (mark.width, mark.is_alone)), Some((1, true)));
        assert_eq!(item(b"1)").map(|mark| mark.is_first), Some(true));
        assert!(
            ["-a", "1234567890. a", "1", "", "a. b"].iter().all(|l| item(l.as_bytes()).is_none())
        );
    }

    #[test]
    fn fences_are_closed_by_as_many_signs() {
        let opened = fence(b"````rust").unwrap();
        assert!(opened.is_closed_by(b"`````  ") && !opened.is_closed_by(b"```"));
        assert!(!opened.is_closed_by(b"````a") && fence(b"``` a`b").is_none());
        assert!(fence(b"~~~ a`b").is_some() && fence(b"``").is_none());
    }

    #[test]
    fn tables_have_as_many_cells_as_their_delimiters() {
        let columns = ["|---|---|", ":-:|-", "---", "| a |", "|--|", ":--", "||", "|-|-|-"]
            .map(|line| delimiter_columns(line.as_bytes()));
        assert_eq!(columns, [Some(2), Some(2), None, None, Some(1), Some(1), None, Some(3)]);
        let counts = ["| a | b |", "a|b", r"a \| b", "", "|a\\\\|b| "].map(|l| cells(l.as_bytes()));
        assert_eq!(counts, [2, 2, 1, 1, 2]);
    }

    #[test]
    fn html_ends_at_its_own_mark() {
        let end = html(b"<!-- a").unwrap();
        assert!(end.is_in(b"b --> c") && !end.is_in(b"b"));
        assert!(html(b"<SCRIPT>").unwrap().is_in(b"x</Script>"));
        assert_eq!(html(b"<div class=a>"), Some(HtmlEnd::EmptyLine));
        assert_eq!(html(b"</td>"), Some(HtmlEnd::EmptyLine));
        assert!(
            ["<span>", "<divs>", "< div>", "<", "<http://a.b>"]
                .iter()
                .all(|l| html(l.as_bytes()).is_none())
        );
    }
}
