//! `huller train topics`: makes a model of labelled rows.

use crate::args::TrainTopicsArgs;
use crate::exit::{Exit, eprint_line};
use crate::lab::row::{each_row, label, report};
use crate::output_file::OutputFile;
use anyhow::Result;
use huller_topics::Trainer;

pub(crate) fn run(args: &TrainTopicsArgs) -> Result<Exit> {
    let mut trainer = Trainer::new();
    let (mut exit, mut ignored) = (Exit::Success, 0_u64);
    for input in &args.inputs {
        let read = each_row(input, |row| {
            match (row.string(&args.keys.text), label(row, &args.keys.label)) {
                (Some(text), Some(label)) => trainer.add(&text, &label),
                _ => ignored += 1,
            }
            Ok(())
        });
        if report(input, read)? {
            exit = Exit::InputFailed;
        }
    }
    if ignored > 0 {
        let (text, label) = (&args.keys.text, &args.keys.label);
        eprint_line(&format!("ignored {ignored} rows without `{text}` or `{label}`"));
    }
    let model = trainer.finish()?.with_neighbours(args.neighbours as usize);
    let mut output = OutputFile::create(&args.output, &args.inputs)?;
    model.write(&mut output)?;
    output.finish()?;
    let (texts, terms, classes) = (model.texts(), model.terms(), model.classes().len());
    eprint_line(&format!("{texts} texts, {terms} terms, {classes} classes"));
    Ok(exit)
}
