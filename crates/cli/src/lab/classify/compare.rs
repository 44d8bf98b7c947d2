//! `huller classify --compare`: compares how well topics are found from the texts of several
//! extractors, by the number of neighbours. It is the experiment of paper 002.
//!
//! The table is CSV: a line for each extractor and number of neighbours, with macro and micro
//! precision, recall and F-beta.

use crate::args::ClassifyArgs;
use crate::exit::{Exit, eprint_line};
use crate::lab::row::{each_row, label, report};
use crate::output_file::OutputFile;
use anyhow::{Context, Result, bail};
use huller_corpus::CorpusRow;
use huller_topics::{Classifier, ConfusionMatrix, Trainer, f_beta};
use std::io::{self, Write};
use std::path::PathBuf;

/// The results for one extractor.
struct ExtractorResults {
    name: String,
    classifier: Classifier,
    /// One matrix for each number of neighbours, from 1.
    matrices: Vec<ConfusionMatrix>,
}

pub(super) fn run(args: &ClassifyArgs) -> Result<Exit> {
    let names = &args.compare;
    let max_neighbours = args.most_neighbours as usize;
    let mut trainers: Vec<Trainer> = names.iter().map(|_| Trainer::new()).collect();
    let mut learn = |label: &str, texts: &[String]| {
        for (trainer, text) in trainers.iter_mut().zip(texts) {
            trainer.add(text, label);
        }
    };
    let mut has_failed = for_each_row(args, &args.train, &mut learn)?;
    let compared = names.iter().zip(trainers).map(|(name, trainer)| {
        let model = trainer.finish().with_context(|| format!("the texts of '{name}'"))?;
        Ok(ExtractorResults {
            name: name.clone(),
            classifier: Classifier::new(model),
            matrices: vec![ConfusionMatrix::default(); max_neighbours],
        })
    });
    let mut compared = compared.collect::<Result<Vec<_>>>()?;
    let mut judge = |label: &str, texts: &[String]| {
        for (ExtractorResults { classifier, matrices, .. }, text) in compared.iter_mut().zip(texts)
        {
            classifier.topics_by_neighbours(text, max_neighbours, |neighbours, topic| {
                matrices[neighbours - 1].add(label, topic);
            });
        }
    };
    has_failed |= for_each_row(args, &args.inputs, &mut judge)?;
    if compared.iter().any(|compared| compared.matrices[0].total() == 0) {
        bail!("no row has a label and the texts of all these extractors");
    }
    match &args.output {
        Some(path) if path.as_os_str() != "-" => {
            let mut output = OutputFile::create(path, args.inputs.iter().chain(&args.train))?;
            write(&mut output, &compared, args.beta)?;
            output.finish()?;
        }
        _ => write(&mut io::stdout().lock(), &compared, args.beta)?,
    }
    Ok(if has_failed { Exit::InputFailed } else { Exit::Success })
}

/// Calls `take` with the label of each row, and its texts by the extractors. Rows without one of
/// them are skipped and counted. Returns whether an input could not be read in full.
fn for_each_row(
    args: &ClassifyArgs,
    inputs: &[PathBuf],
    take: &mut dyn FnMut(&str, &[String]),
) -> Result<bool> {
    let texts = |row: &CorpusRow<'_>| {
        let text = |name: &String| row.string(&format!("texts.{name}")).map(String::from);
        args.compare.iter().map(text).collect::<Option<Vec<_>>>()
    };
    let (mut has_failed, mut ignored) = (false, 0_u64);
    for input in inputs {
        let read = each_row(input, |row| {
            match (label(row, &args.keys.label), texts(row)) {
                (Some(label), Some(texts)) => take(&label, &texts),
                _ => ignored += 1,
            }
            Ok(())
        });
        has_failed |= report(input, read)?;
    }
    if ignored > 0 {
        let label = &args.keys.label;
        let names = args.compare.join("`, `texts.");
        eprint_line(&format!("ignored {ignored} rows without `{label}` or `texts.{names}`"));
    }
    Ok(has_failed)
}

fn write(out: &mut impl Write, compared: &[ExtractorResults], beta: f64) -> io::Result<()> {
    writeln!(out, "method,neighbours,texts,macro_p,macro_r,macro_f,micro_p,micro_r,micro_f")?;
    for ExtractorResults { name, matrices, .. } in compared {
        for (neighbours, matrix) in (1..).zip(matrices) {
            let [precision, recall, _] = matrix.macro_scores();
            let of_classes = [precision, recall, f_beta(precision, recall, beta)];
            let [precision, recall] = matrix.micro_scores();
            let of_texts = [precision, recall, f_beta(precision, recall, beta)];
            write!(out, "{name},{neighbours},{}", matrix.total())?;
            for figure in of_classes.into_iter().chain(of_texts) {
                write!(out, ",{figure:.4}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
