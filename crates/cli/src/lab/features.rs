//! `huller features`: writes a table to train on.
//!
//! The table is a `NumPy` file (format 1.0) of one structured array: `page`, `tokens`, `matched`
//! (u4), `with`, `without` (u8), then one f4 per feature, under its name. Pages are in the order of
//! the archives, blocks in the order of the page.

use crate::args::FeaturesArgs;
use crate::exit::{Exit, eprint_line};
use crate::output_file::OutputFile;
use crate::terminal::thousands;
use anyhow::Result;
use huller_eval::train::hull::{self, TrainingExample};
use huller_eval::{Gold, read_gold};
use huller_hull::Table;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

/// The columns before the features, and their types.
const LABELS: [(&str, &str); 5] =
    [("page", "<u4"), ("tokens", "<u4"), ("matched", "<u4"), ("with", "<u8"), ("without", "<u8")];

/// A page of the table.
#[derive(Serialize)]
struct PageLine<'a> {
    id: &'a str,
    dataset: &'a str,
    domain: Option<&'a str>,
    lang: Option<&'a str>,
    page_type: Option<&'a str>,
    /// Number of blocks.
    blocks: usize,
    /// Number of tokens in the gold text. Null if the gold standard is snippets.
    gold_tokens: Option<u32>,
    with: usize,
    without: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<Vec<&'a str>>,
}

pub(crate) fn run(args: &FeaturesArgs) -> Result<Exit> {
    let gold = read_gold(&args.gold)?;
    let (examples, _) = hull::training_examples(&args.pages, &gold)?;
    let missing = gold.len() - examples.len();
    if missing > 0 {
        eprint_line(&format!("warning: no page for {} golds", thousands(missing as u64)));
    }
    let names = Table::names();
    write_table(args, &examples, &names)?;
    let pages = args.output.with_extension("pages.jsonl");
    write_pages(args, &examples, &gold, &pages)?;
    let blocks: usize = examples.iter().map(|example| example.labels.len()).sum();
    eprint_line(&format!(
        "{} pages, {} blocks, {} features",
        thousands(examples.len() as u64),
        thousands(blocks as u64),
        names.len()
    ));
    Ok(Exit::Success)
}

fn page_inputs(args: &FeaturesArgs) -> impl Iterator<Item = &PathBuf> {
    args.pages.iter().chain(&args.gold)
}

fn write_table(args: &FeaturesArgs, examples: &[TrainingExample], names: &[String]) -> Result<()> {
    let blocks: usize = examples.iter().map(|example| example.labels.len()).sum();
    let mut out = OutputFile::create(&args.output, page_inputs(args))?;
    out.write_all(&numpy_header(names, blocks))?;
    for (page, example) in examples.iter().enumerate() {
        let rows = example.features.chunks_exact(names.len());
        for (label, features) in example.labels.iter().zip(rows) {
            for number in [page as u32, label.tokens, label.matched] {
                out.write_all(&number.to_le_bytes())?;
            }
            for bits in [label.wanted_snippets, label.unwanted_snippets] {
                out.write_all(&bits.to_le_bytes())?;
            }
            for feature in features {
                out.write_all(&feature.to_le_bytes())?;
            }
        }
    }
    out.finish()
}

/// Returns the head of a `NumPy` file of a structured array.
fn numpy_header(names: &[String], rows: usize) -> Vec<u8> {
    let mut fields = String::new();
    let labels = LABELS.iter().copied();
    for (name, dtype) in labels.chain(names.iter().map(|name| (name.as_str(), "<f4"))) {
        // Writing to a string cannot fail.
        let _ = write!(fields, "('{name}', '{dtype}'), ");
    }
    let mut text = format!("{{'descr': [{fields}], 'fortran_order': False, 'shape': ({rows},), }}");
    // The rows begin at a multiple of 64 bytes; magic, version and length take ten.
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend((text.len() as u16).to_le_bytes());
    head.extend(text.as_bytes());
    head
}

fn write_pages(
    args: &FeaturesArgs,
    examples: &[TrainingExample],
    gold: &[Gold],
    path: &std::path::Path,
) -> Result<()> {
    let mut out = OutputFile::create(path, page_inputs(args))?;
    for example in examples {
        let gold = &gold[example.gold];
        let count = |snippets: &Option<Vec<String>>| snippets.as_ref().map_or(0, Vec::len);
        let line = PageLine {
            id: &gold.id,
            dataset: &gold.dataset,
            domain: gold.domain.as_deref(),
            lang: gold.lang.as_deref(),
            page_type: gold.page_type.as_deref(),
            blocks: example.labels.len(),
            gold_tokens: gold.text.is_some().then_some(example.gold_tokens),
            with: count(&gold.with),
            without: count(&gold.without),
            texts: args
                .texts
                .then(|| example.labels.iter().map(|label| label.text.as_str()).collect()),
        };
        serde_json::to_writer(&mut out, &line).map_err(std::io::Error::from)?;
        out.write_all(b"\n")?;
    }
    out.finish()
}
