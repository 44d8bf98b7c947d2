//! `huller classify`: adds topics to rows, or reports how well topics agree with labels.

mod compare;

use super::row::{each_row, label, report};
use crate::args::ClassifyArgs;
use crate::exit::{Exit, eprint_line};
use crate::output_file::OutputFile;
use crate::terminal::printable;
use anyhow::{Context, Result};
use huller_corpus::{CorpusRow, RowEdit};
use huller_eval::open_packed;
use huller_row::escape_controls;
use huller_topics::{Classifier, ConfusionMatrix, Model, Topic};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The fields that are added to a row.
const TOPIC_FIELD: &str = "topic";
const SCORE_FIELD: &str = "topic_score";

pub(crate) fn run(args: &ClassifyArgs) -> Result<Exit> {
    let Some(model) = &args.model else { return compare::run(args) };
    let mut classifier = Classifier::new(read_model(model)?);
    let output_path = match (&args.output, args.report) {
        (Some(path), _) => Some(path.clone()),
        (None, true) => None,
        (None, false) => Some(PathBuf::from("-")),
    };
    let read = args.inputs.iter().chain([model]);
    let mut output = output_path
        .as_deref()
        .map(|output_path| OutputFile::create(output_path, read))
        .transpose()?;
    let (mut matrix, mut exit) = (ConfusionMatrix::default(), Exit::Success);
    let mut row_edit = RowEdit::default();
    for input in &args.inputs {
        let read = each_row(input, |row| {
            let text = row.string(&args.keys.text);
            let topic = text.as_deref().and_then(|text| classifier.topic(text));
            if args.report
                && let Some(label) = label(row, &args.keys.label)
            {
                matrix.add(&label, topic.map(|topic| topic.name));
            }
            if let Some(output) = &mut output {
                write_row(output, row, &mut row_edit, topic)?;
            }
            Ok(())
        });
        if report(input, read)? {
            exit = Exit::InputFailed;
        }
    }
    if let Some(output) = output {
        output.finish()?;
    }
    if args.report {
        if matrix.total() == 0 {
            let label = &args.keys.label;
            eprint_line(&format!("error: nothing to compare: no row has a `{label}`"));
            return Ok(Exit::InputFailed);
        }
        // Only rows may go to a standard output that has rows.
        if output_path.is_some_and(|output_path| output_path.as_os_str() == "-") {
            print_scores(&matrix, &mut io::stderr().lock())?;
        } else {
            print_scores(&matrix, &mut io::stdout().lock())?;
        }
    }
    Ok(exit)
}

fn read_model(path: &Path) -> Result<Model> {
    let name = format!("cannot use '{}'", path.display());
    let mut json = Vec::new();
    let read = open_packed(path).and_then(|mut file| file.read_to_end(&mut json));
    // A text, because the exit status treats every `io::Error` as an error of the output.
    read.map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    Model::read(&json).context(name)
}

/// Writes a row with its topic. All other fields stay unchanged, except that control characters,
/// which terminals obey, are escaped.
fn write_row(
    out: &mut impl Write,
    row: &CorpusRow<'_>,
    edit: &mut RowEdit,
    topic: Option<Topic<'_>>,
) -> io::Result<()> {
    let score = topic.map_or(0.0, |topic| topic.score);
    edit.clear();
    edit.put(TOPIC_FIELD, topic.map(|topic| topic.name));
    edit.put_json(SCORE_FIELD, |json| json.extend_from_slice(format!("{score:.4}").as_bytes()));
    let mut line = Vec::new();
    edit.write(row, &mut line);
    line.push(b'\n');
    escape_controls(&mut line, 0);
    out.write_all(&line)
}

/// Prints the scores and the confusion matrix of labels and topics.
fn print_scores(matrix: &ConfusionMatrix, out: &mut impl Write) -> io::Result<()> {
    const NONE: &str = "(none)";
    let [precision, recall, f1] = matrix.macro_scores();
    let classes = matrix.classes();
    let texts = matrix.total();
    writeln!(
        out,
        "{texts} texts, macro precision {precision:.4}, recall {recall:.4}, F1 {f1:.4}\n"
    )?;
    let names: Vec<_> = classes.iter().map(|class| printable(class)).collect();
    let width = |name: &str| name.chars().count();
    let name_width = names.iter().map(|name| width(name)).max().unwrap_or(0).max("label".len());
    write!(out, "{:<name_width$}  {:>6}  {:>9}  {:>6}", "label", "texts", "precision", "recall")?;
    for name in names.iter().map(|name| &**name).chain([NONE]) {
        write!(out, "  {name:>6}")?;
    }
    writeln!(out)?;
    for (class, name) in classes.iter().zip(&names) {
        let score = matrix.class_score(class);
        let (labelled, precision, recall) = (score.labelled, score.precision, score.recall);
        write!(out, "{name:<name_width$}  {labelled:>6}  {precision:>9.4}  {recall:>6.4}")?;
        let columns = classes.iter().zip(&names).map(|(topic, name)| (Some(*topic), &**name));
        for (topic, name) in columns.chain([(None, NONE)]) {
            let column = width(name).max(6);
            write!(out, "  {:>column$}", matrix.count(class, topic))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
