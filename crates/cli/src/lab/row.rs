//! Reads rows of inputs of the laboratory, and collects the problems of an input.

use anyhow::{Result, bail};
use huller_archive::{ArchiveError, Input};
use huller_corpus::{CorpusError, CorpusRow, Limits, RowReader};
use std::io;
use std::path::Path;

/// Problems with the lines of an input.
#[derive(Default)]
pub(crate) struct Damage {
    /// Number of lines with a problem.
    lines: u64,
    /// The problem of the first such line.
    first: Option<String>,
}

impl Damage {
    fn add(&mut self, line: String) {
        self.lines += 1;
        self.first.get_or_insert(line);
    }

    /// Returns a line for the user, or `None` without problems.
    pub(crate) fn message(&self, input: &Path) -> Option<String> {
        let (first, name) = (self.first.as_ref()?, input.display());
        let other_lines = match self.lines {
            1 => String::new(),
            lines => format!(" ({lines} such lines)"),
        };
        Some(format!("error: '{name}': {first}{other_lines}"))
    }
}

/// Calls `each` with every row of an input; `-` is standard input. Lines that are not rows are
/// skipped and counted.
pub(crate) fn each_row(
    path: &Path,
    mut each: impl FnMut(&CorpusRow<'_>) -> Result<()>,
) -> Result<Damage> {
    let mut damage = Damage::default();
    let Some(mut reader) = open(path)? else { return Ok(damage) };
    let mut rows = 0_u64;
    while let Some(chunk) = reader.next_chunk()? {
        chunk.faults().iter().for_each(|(_, fault)| damage.add(fault.detail.clone()));
        for (_, line) in chunk.rows() {
            rows += 1;
            match CorpusRow::parse(line) {
                Ok(row) => each(&row)?,
                Err(fault) => damage.add(format!("row {rows} is damaged: {}", fault.detail)),
            }
        }
    }
    Ok(damage)
}

/// Opens an input. Returns `None` if standard input is empty.
fn open(path: &Path) -> Result<Option<RowReader>, CorpusError> {
    let limits = Limits::default();
    if path.as_os_str() != "-" {
        return RowReader::open(path, &limits).map(Some);
    }
    match Input::from_reader(Box::new(io::stdin()), &limits) {
        Err(ArchiveError::Empty { .. }) => Ok(None),
        input => RowReader::from_input(input?, limits.record_bytes).map(Some),
    }
}

/// Returns the value of a name as text, if it is a string, a number or a truth value.
pub(crate) fn label(row: &CorpusRow<'_>, name: &str) -> Option<String> {
    let value = row.value(name)?.get();
    match value.as_bytes().first()? {
        b'"' => row.string(name).map(String::from),
        b'{' | b'[' | b'n' => None,
        _ => Some(value.to_owned()),
    }
}

/// Prints the problems of one of several inputs, and returns whether there were any. A failure of
/// the output is returned as an error instead.
pub(crate) fn report(input: &Path, result: Result<Damage>) -> Result<bool> {
    match result {
        Ok(damage) => {
            let message = damage.message(input);
            if let Some(message) = &message {
                crate::exit::eprint_line(message);
            }
            Ok(message.is_some())
        }
        // Errors of reading have their own types, so an `io::Error` is an error of the output.
        Err(error) if error.is::<io::Error>() => bail!(error),
        Err(error) => {
            let message = crate::exit::message(&error);
            let name = input.display().to_string();
            let prefix =
                if message.contains(&name) { String::new() } else { format!("'{name}': ") };
            crate::exit::eprint_line(&format!("error: {prefix}{message}"));
            Ok(true)
        }
    }
}
