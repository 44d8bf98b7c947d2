//! Prints the blocks of a page on a terminal, one per line.

use crate::terminal::{Screen, printable, shorten};
use anyhow::Result;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::io::Write;

/// Columns of a line before its text: the mark, the score, the role.
const FIGURE_COLUMNS: usize = 25;

#[derive(Deserialize)]
struct Row {
    title: Option<String>,
    extractor: String,
    score: Option<f64>,
    page_type: Option<String>,
    blocks: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    /// A block of the page.
    Block(Block),
    /// The last entry of a list that is too long.
    LeftOut { left_out: u64 },
}

#[derive(Deserialize)]
struct Block {
    role: String,
    kept: bool,
    text: String,
    #[serde(rename = "methods")]
    extractors: BTreeMap<String, Judgement>,
    #[serde(rename = "path")]
    _path: IgnoredAny,
}

#[derive(Deserialize)]
struct Judgement {
    kept: bool,
    score: Option<f64>,
}

/// Writes the outline of a row with blocks.
pub(super) fn write(row: &str, screen: Screen, out: &mut impl Write) -> Result<()> {
    let row: Row = serde_json::from_str(row)?;
    let title = printable(row.title.as_deref().unwrap_or("(no title)")).into_owned();
    writeln!(out, "{}", shorten(&title, screen.width))?;
    let score = row.score.map_or("no score".to_owned(), |score| format!("score {score:.3}"));
    let page_type = row.page_type.map_or(String::new(), |name| format!(", {name}"));
    writeln!(out, "{}: {score}{page_type}\n", row.extractor)?;
    let (mut kept_blocks, mut all_blocks) = (0, 0);
    for entry in &row.blocks {
        match entry {
            Entry::Block(block) => {
                all_blocks += 1;
                kept_blocks += usize::from(block.kept);
                line(block, &row.extractor, screen, out)?;
            }
            Entry::LeftOut { left_out } => writeln!(out, "… {left_out} more blocks")?,
        }
    }
    writeln!(
        out,
        "\n{kept_blocks} of {all_blocks} blocks kept (+). The number before the role counts the extractors that \
         keep the block."
    )?;
    Ok(())
}

/// Writes one block: kept or not, its score, how many extractors keep it, its role and its text.
fn line(block: &Block, extractor: &str, screen: Screen, out: &mut impl Write) -> Result<()> {
    let score = block.extractors.get(extractor).and_then(|judgement| judgement.score);
    let score = score.map_or("     –".to_owned(), |score| format!("{score:6.2}"));
    let keep = block.extractors.values().filter(|judgement| judgement.kept).count();
    let mark = if block.kept { '+' } else { ' ' };
    let role: String = block.role.chars().take(13).collect();
    let text = printable(&block.text.replace(['\n', '\t'], " ")).into_owned();
    let text = shorten(&text, screen.width.saturating_sub(FIGURE_COLUMNS).max(8)).into_owned();
    let line = format!("{mark}{score} {keep:2} {role:13} {text}");
    match (screen.is_coloured, block.kept) {
        (true, true) => writeln!(out, "\x1b[32m{line}\x1b[0m")?,
        (true, false) => writeln!(out, "\x1b[2m{line}\x1b[0m")?,
        (false, _) => writeln!(out, "{line}")?,
    }
    Ok(())
}
