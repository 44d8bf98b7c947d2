//! Prints the worst pages of every system, and word by word how their texts differ from the gold
//! standard.
//!
//! Missing words are red and extra words blue. Without colours they are marked as `[-missing-]` and
//! `{+extra+}`.

use super::cells::{empty_cell, figure_cell, metric_cell};
use crate::terminal::{Screen, printable, thousands};
use huller_eval::diff::{PieceKind, diff};
use huller_eval::{Evaluation, WorstPage};
use std::io::{self, Write};
use unicode_width::UnicodeWidthChar;

/// Spaces before every line of a difference.
const INDENT_SPACES: usize = 4;

pub(crate) fn write(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    worst: &[WorstPage],
    screen: Screen,
) -> io::Result<()> {
    for (index, worst_page) in worst.iter().enumerate() {
        if index == 0 || worst[index - 1].system != worst_page.system {
            let label = evaluation.systems[worst_page.system].label();
            writeln!(out, "\nWorst pages of {}", printable(&label))?;
            writeln!(out, "{:>6}{:>6}{:>6}{:>8}{:>8}  page", "LCS P", "R", "F1", "gold", "tokens")?;
        }
        let score = &evaluation.scores[worst_page.system][worst_page.page];
        let lcs = score.text.map(|text| text.lcs);
        let tokens =
            |count: Option<u32>| count.map_or_else(empty_cell, |count| thousands(u64::from(count)));
        writeln!(
            out,
            "{:>6}{:>6}{:>6}{:>8}{:>8}  {}",
            metric_cell(lcs, |prf| prf.precision),
            metric_cell(lcs, |prf| prf.recall),
            // For a page without a gold text this is the accuracy on its snippets.
            figure_cell(score.figure()),
            tokens(score.text.map(|text| text.gold_tokens)),
            tokens(score.text.map(|text| text.text_tokens)),
            printable(&evaluation.pages[worst_page.page].id),
        )?;
        if lcs.is_some() {
            write_diff(out, &worst_page.gold, &worst_page.text, screen)?;
        }
    }
    Ok(())
}

/// The space between two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum WordGap {
    /// No space.
    None,
    /// A space, or a new line if the word does not fit.
    Space,
    /// A new line.
    Line,
}

fn write_diff(out: &mut dyn Write, gold: &str, text: &str, screen: Screen) -> io::Result<()> {
    let diff = diff(gold, text);
    let mut lines =
        Lines { out, screen, line: String::new(), column: 0, colour: "", gap: WordGap::None };
    for piece in diff.pieces.iter().cloned().chain(diff.omissions()) {
        let is_marked = !screen.is_coloured || piece.kind == PieceKind::Omitted;
        let (open, close) = if is_marked { piece.kind.marks() } else { ("", "") };
        if piece.kind == PieceKind::Omitted {
            lines.gap = lines.gap.max(WordGap::Space);
        }
        let words = piece.text.trim_end();
        let marked = format!("{open}{words}{close}{}", &piece.text[words.len()..]);
        lines.write_piece(piece.kind, &marked)?;
        if piece.kind == PieceKind::Omitted {
            lines.gap = WordGap::Space;
        }
    }
    lines.end_line()
}

/// Breaks words into lines that fit the screen.
struct Lines<'o> {
    out: &'o mut dyn Write,
    screen: Screen,
    line: String,
    /// Columns of the present line that are filled.
    column: usize,
    /// The escape sequence of the present colour, empty for no colour.
    colour: &'static str,
    /// The space before the next word.
    gap: WordGap,
}

impl Lines<'_> {
    fn write_piece(&mut self, kind: PieceKind, text: &str) -> io::Result<()> {
        for word in text.split_inclusive(char::is_whitespace) {
            let bare = word.trim_end_matches(char::is_whitespace);
            // Scripts with wide letters have no spaces, so a line may end after any letter.
            for segment in bare.split_inclusive(|c: char| c.width() == Some(2)) {
                self.write_word(kind, &printable(segment))?;
                self.gap = WordGap::None;
            }
            let gap = match &word[bare.len()..] {
                "" => WordGap::None,
                space if space.contains(['\n', '\r']) => WordGap::Line,
                _ => WordGap::Space,
            };
            self.gap = self.gap.max(gap);
        }
        Ok(())
    }

    fn write_word(&mut self, kind: PieceKind, word: &str) -> io::Result<()> {
        let room = self.screen.width - INDENT_SPACES;
        let width: usize = word.chars().filter_map(UnicodeWidthChar::width).sum();
        let space = usize::from(self.gap == WordGap::Space && self.column > 0);
        if self.gap == WordGap::Line || self.column + space + width > room {
            self.end_line()?;
        } else if space > 0 {
            if self.colour != self.colour_of(kind) {
                self.paint("");
            }
            self.line.push(' ');
            self.column += 1;
        }
        self.paint(self.colour_of(kind));
        for c in word.chars() {
            let width = c.width().unwrap_or(0);
            if self.column + width > room {
                self.end_line()?;
                self.paint(self.colour_of(kind));
            }
            self.line.push(c);
            self.column += width;
        }
        Ok(())
    }

    fn colour_of(&self, kind: PieceKind) -> &'static str {
        match kind {
            _ if !self.screen.is_coloured => "",
            PieceKind::Same => "",
            PieceKind::Missing => "\x1b[31m",
            PieceKind::Extra => "\x1b[34m",
            PieceKind::Omitted => "\x1b[2m",
        }
    }

    fn paint(&mut self, colour: &'static str) {
        if self.colour == colour {
            return;
        }
        if !self.colour.is_empty() {
            self.line.push_str("\x1b[0m");
        }
        self.line.push_str(colour);
        self.colour = colour;
    }

    /// Ends the line, unless it is empty.
    fn end_line(&mut self) -> io::Result<()> {
        self.paint("");
        if self.column > 0 {
            writeln!(self.out, "{:INDENT_SPACES$}{}", "", self.line)?;
        }
        self.line.clear();
        self.column = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(gold: &str, text: &str, width: usize, is_coloured: bool) -> String {
        let mut out = Vec::new();
        write_diff(&mut out, gold, text, Screen { width, is_coloured }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn differences_are_marked_or_coloured() {
        let (gold, text) = ("Rain fell all day.", "Home\nRain fell all night.");
        assert_eq!(
            shown(gold, text, 80, false),
            "    {+Home+}\n    Rain fell all [-day.-]{+night.+}\n"
        );
        assert_eq!(
            shown(gold, text, 80, true),
            "    \x1b[34mHome\x1b[0m\n    Rain fell all \x1b[31mday.\x1b[0m\x1b[34mnight.\x1b[0m\n"
        );
    }

    #[test]
    fn lines_are_no_wider_than_the_screen() {
        let gold = "雨がいちにちじゅう降っていました。 averyveryverylongwordindeed b c";
        for is_coloured in [false, true] {
            let all = shown(gold, "雨が降っていました。 c d", 20, is_coloured);
            let plain = ["\x1b[31m", "\x1b[34m", "\x1b[2m", "\x1b[0m"]
                .iter()
                .fold(all, |text, code| text.replace(code, ""));
            for line in plain.lines() {
                let width: usize = line.chars().filter_map(UnicodeWidthChar::width).sum();
                assert!(width <= 20, "{line}");
            }
            assert!(plain.lines().count() > 3, "{plain}");
        }
    }

    #[test]
    fn escape_sequences_of_pages_are_neutralised() {
        for is_coloured in [false, true] {
            let all = shown("a", "a \u{1b}[2J\u{9b}31m b\u{202e}c", 80, is_coloured);
            let ours = all.replace("\x1b[34m", "").replace("\x1b[0m", "");
            assert!(!ours.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{ours:?}");
            assert!(ours.contains("\\u{1b}[2J"), "{ours:?}");
        }
    }
}
