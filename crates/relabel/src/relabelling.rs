//! Relabels the inputs of a run one by one.

use crate::error::RelabelError;
use crate::labels::Labels;
use crate::new_texts::NewTexts;
use crate::row_file::RowFile;
use crate::summary::Summary;
use huller_run::run_files::finished_run::{FinishedRun, OutputContent, RunOutput};
use huller_run::run_files::journal::JournalEntry;
use huller_run::run_files::side_tables::SideTable;
use std::path::Path;

/// Gives the rows of a finished run the texts that `labels` make of their blocks. With `is_dry` it
/// only counts them.
///
/// # Errors
///
/// * [`RelabelError::NotEscalated`]: the run has no escalated pages.
/// * [`RelabelError::OtherOutputs`]: the run has outputs besides JSON Lines that were made of the
///   old texts.
/// * [`RelabelError::Damaged`], [`RelabelError::Read`]: a file is not as the run left it.
/// * [`RelabelError::Run`]: the folder holds no finished run, another command uses it, or it cannot
///   be written.
pub fn relabel(root: &Path, labels: &Labels, is_dry: bool) -> Result<Summary, RelabelError> {
    let run = FinishedRun::open(root)?;
    check(&run)?;
    let mut summary = Summary { labelled: labels.len(), ..Summary::default() };
    let mut known = 0;
    for entry in run.entries() {
        let outputs = run.outputs(entry)?;
        let is_escalated =
            |output: &&RunOutput| output.content == OutputContent::Side(SideTable::Escalated);
        let Some(escalated) = outputs.iter().find(is_escalated) else { continue };
        let wrong_before = summary.wrong;
        let texts = NewTexts::read(&escalated.path, labels, &mut summary)?;
        known += texts.len() + (summary.wrong - wrong_before);
        if !texts.is_empty() {
            relabel_input(&run, entry, &outputs, &texts, is_dry, &mut summary)?;
        }
    }
    summary.unknown = summary.labelled.saturating_sub(known);
    if !is_dry {
        run.finish()?;
    }
    Ok(summary)
}

/// Refuses a run whose rows are not JSON Lines alone, or that escalated nothing.
fn check(run: &FinishedRun) -> Result<(), RelabelError> {
    let path = run.root().to_owned();
    if run.setting(SideTable::Escalated.option()).is_none() {
        return Err(RelabelError::NotEscalated { path });
    }
    let has = |name: &str| run.setting(name).is_some_and(|value| !value.is_null());
    let is_plain = run.setting("format").is_some_and(|format| format == "jsonl") && !has("schema");
    let has_signatures = run.entries().iter().any(|entry| entry.signatures.is_some());
    let other_settings = match () {
        () if !is_plain => "other formats or a schema",
        () if has_signatures => "signatures",
        () if has(SideTable::Passages.option()) => "passages",
        () => return Ok(()),
    };
    Err(RelabelError::OtherOutputs { path, others: other_settings })
}

/// Replaces the files of an input that have rows with new texts.
fn relabel_input(
    run: &FinishedRun,
    entry: &JournalEntry,
    outputs: &[RunOutput],
    texts: &NewTexts,
    is_dry: bool,
    summary: &mut Summary,
) -> Result<(), RelabelError> {
    let mut rewrite = run.rewrite(entry);
    let mut is_changed = false;
    for output in outputs.iter().filter(|output| output.content == OutputContent::Rows) {
        let changed_before = summary.changed;
        let rows = RowFile::new(&output.path, texts).count(summary)?;
        if rows != output.mark.rows {
            let problem = format!("it has {rows} rows, but {} in the journal", output.mark.rows);
            return Err(RelabelError::Damaged { path: output.path.clone(), problem });
        }
        if is_dry || summary.changed == changed_before {
            continue;
        }
        is_changed = true;
        let compression = run.layout(output).compression;
        rewrite.replace(output, |out| RowFile::new(&output.path, texts).write(compression, out))?;
    }
    if is_changed {
        rewrite.commit()?;
    }
    Ok(())
}
