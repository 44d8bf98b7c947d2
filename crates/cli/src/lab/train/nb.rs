//! `huller train nb`: counts blocks, and writes the texts of a cross-validation.

use crate::args::TrainNbArgs;
use crate::exit::{Exit, eprint_line};
use crate::models;
use crate::output_file::{OutputFile, WriteError};
use crate::terminal::thousands;
use anyhow::{Result, bail};
use huller_eval::train::nb::{self, TrainingExample};
use huller_eval::{Gold, read_gold};
use huller_methods::nb::model::Model;
use huller_methods::nb::{BlockKind, Definition};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &TrainNbArgs) -> Result<Exit> {
    if !args.add.is_empty() {
        let mut sum: Option<Model> = None;
        for path in &args.add {
            let model = models::read_counts(path)?;
            match &mut sum {
                None => sum = Some(model),
                Some(sum) => {
                    check_kinds(sum.blocks(), model.blocks(), path)?;
                    sum.add(&model);
                }
            }
        }
        let sum = sum.unwrap_or_default();
        return write(args, &sum);
    }
    let gold = read_gold(&args.gold)?;
    let kind = BlockKind { overlap: args.overlap, more_tags: args.more_tags };
    let (mut examples, _) = nb::training_examples(&args.pages, &gold, kind)?;
    let missing = gold.iter().filter(|gold| gold.text.is_some()).count() - examples.len();
    if missing > 0 {
        eprint_line(&format!("warning: no page for {} gold texts", thousands(missing as u64)));
    }
    if let Some(wanted) = &args.page_type {
        examples.retain(|example| {
            let page_type = gold[example.gold].page_type.as_ref();
            page_type.is_none_or(|page_type| page_type == wanted)
        });
    }
    if examples.is_empty() {
        bail!("no training page has a gold text");
    }
    if let (Some(folds), Some(folder)) = (args.folds, &args.predictions) {
        cross_validate(args, &gold, &examples, folds, folder)?;
    }
    write(args, &nb::sum(examples.iter()))
}

/// Refuses to add two models that count different blocks.
fn check_kinds(sum: BlockKind, model: BlockKind, path: &Path) -> Result<()> {
    let outcome = match () {
        () if sum.overlap != model.overlap => "counts overlapping blocks",
        () if sum.more_tags != model.more_tags => "counts blocks of more tags",
        () => return Ok(()),
    };
    bail!("cannot add '{}': one of the two models {outcome}, the other does not", path.display());
}

fn inputs(args: &TrainNbArgs) -> impl Iterator<Item = &PathBuf> {
    args.pages.iter().chain(&args.gold).chain(&args.add)
}

fn write(args: &TrainNbArgs, model: &Model) -> Result<Exit> {
    let json = model.to_json();
    if let Some(path) = &args.output {
        OutputFile::write_whole(path, inputs(args), json.as_bytes())?;
    }
    let tuned = model.counts(Definition::Tuned);
    eprint_line(&format!(
        "{} pages; by profile tuned {} blocks of content, {} others",
        thousands(model.pages),
        thousands(tuned.theme.blocks),
        thousands(tuned.noise.blocks)
    ));
    Ok(Exit::Success)
}

/// The text of a page, as `huller eval --predictions` reads it.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    text: &'a str,
}

fn cross_validate(
    args: &TrainNbArgs,
    gold: &[Gold],
    examples: &[TrainingExample],
    folds: u32,
    folder: &Path,
) -> Result<()> {
    let fold_of = nb::folds(gold, folds as usize);
    let predictions = nb::cross_validate(&args.pages, gold, examples, &fold_of)?;
    std::fs::create_dir_all(folder).map_err(WriteError::for_path(folder))?;
    for (index, definition) in Definition::ALL.iter().enumerate() {
        let path = folder.join(format!(
            "{}-{}.jsonl",
            definition.extractor(),
            definition.profile().name()
        ));
        let mut file = OutputFile::create(&path, inputs(args))?;
        for prediction in &predictions {
            let row = Row { id: &gold[prediction.gold].id, text: &prediction.texts[index] };
            serde_json::to_writer(&mut file, &row).map_err(std::io::Error::from)?;
            file.write_all(b"\n")?;
        }
        file.finish()?;
    }
    Ok(())
}
