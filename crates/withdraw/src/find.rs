//! Reads the rows of a run's outputs.

use crate::error::WithdrawError;
use huller_corpus::{CorpusRow, Limits, RowKeys, RowReader};
use huller_row::formats::format_of_name;
use huller_row::{InspectedFile, Layout, Schema};
use huller_run::run_files::finished_run::{OutputContent, RunOutput};
use huller_run::withdrawals::finder::RowIdentity;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Longest row that is read, in bytes. A journalled file has no longer ones.
const MAX_ROW_BYTES: usize = 1 << 30;

/// Formats whose files readers of corpora know.
const OF_CORPORA: [&str; 4] = ["jsonl", "csv", "tsv", "parquet"];

/// All formats, from the one by which rows are recognised best. WARC has no texts, and plain text
/// has neither URLs nor identifiers.
const BY_VALUES: [&str; 8] = ["jsonl", "parquet", "csv", "tsv", "arrow", "wet", "warc", "text"];

/// Returns the outputs by which the rows of an input are recognised, each row in exactly one of
/// them. Of several formats it takes the best.
pub(crate) fn read_outputs(outputs: Vec<RunOutput>) -> Vec<RunOutput> {
    let rank = |output: &RunOutput| {
        let (format, _) = format_of_name(&output.mark.output);
        BY_VALUES.iter().position(|name| *name == format.name())
    };
    let is_of_rows = |output: &RunOutput| !matches!(output.content, OutputContent::Side(_));
    let has_several = outputs.iter().any(|output| output.content == OutputContent::SameRows);
    let mut outputs: Vec<_> = outputs.into_iter().filter(is_of_rows).collect();
    if has_several {
        outputs.sort_by_key(rank);
        outputs.truncate(1);
    }
    outputs
}

/// Calls `each` with every row of an output, and its number. Rows have texts only if `has_texts` is
/// set.
///
/// # Errors
///
/// The file cannot be read, has no rows that can be recognised, or is not as its run left it.
pub(crate) fn each_row(
    output: &RunOutput,
    layout: &Layout,
    (keys, has_texts): (&RowKeys, bool),
    mut each: impl FnMut(u64, &RowIdentity<'_>),
) -> Result<(), WithdrawError> {
    let path = &output.path;
    let (format, _) = format_of_name(&output.mark.output);
    let rows = if OF_CORPORA.contains(&format.name()) {
        let has_actions = layout.schema.is_some_and(Schema::has_actions);
        each_line(path, has_actions, (keys, has_texts), &mut each)?
    } else if format.name() == "text" {
        return Err(WithdrawError::Usage(format!(
            "'{}' is plain text, which has neither URLs nor identifiers: withdraw from the corpus \
             that it was made of, and make it again",
            path.display()
        )));
    } else {
        let mut rows = 0;
        let mut file = open(path)?;
        let read = format.each_row(layout, &mut file, &mut |row| {
            let identity =
                RowIdentity { url: row.url, id: row.id, parent_id: row.parent_id, text: row.text };
            each(rows, &identity);
            rows += 1;
        });
        read.map_err(|error| WithdrawError::damaged(path, error.to_string()))?;
        rows
    };
    if rows != output.mark.rows {
        let noted = output.mark.rows;
        let problem = format!("it has {rows} rows, but {noted} in the journal");
        return Err(WithdrawError::damaged(path, problem));
    }
    Ok(())
}

/// Reads rows as commands on corpora do. Returns their number.
fn each_line(
    path: &Path,
    has_actions: bool,
    keys: (&RowKeys, bool),
    each: &mut impl FnMut(u64, &RowIdentity<'_>),
) -> Result<u64, WithdrawError> {
    let failed = |source| WithdrawError::Rows { path: path.to_owned(), source };
    let limits = Limits { record_bytes: MAX_ROW_BYTES, ..Limits::default() };
    let mut reader = RowReader::open(path, &limits).map_err(failed)?;
    let (mut lines, mut rows) = (0_u64, 0);
    while let Some(chunk) = reader.next_chunk().map_err(failed)? {
        if let Some((place, fault)) = chunk.faults().first() {
            let problem = format!("{} at {place}", fault.reason.name());
            return Err(WithdrawError::damaged(path, problem));
        }
        for (_, line) in chunk.rows() {
            let is_action = has_actions && lines % 2 == 0;
            lines += 1;
            if is_action {
                continue;
            }
            with_identity(line, keys, |identity| each(rows, identity));
            rows += 1;
        }
    }
    Ok(rows)
}

/// Calls `then` with the identity of a line. A line that is no row has none. The text, which costs
/// most, is read only if the caller needs it.
pub(crate) fn with_identity<R>(
    line: &[u8],
    (keys, has_texts): (&RowKeys, bool),
    then: impl FnOnce(&RowIdentity<'_>) -> R,
) -> R {
    let Ok(row) = CorpusRow::parse(line) else { return then(&RowIdentity::default()) };
    let (url, text) = (row.url(keys), has_texts.then(|| row.text(keys).ok()).flatten());
    let (id, parent_id) = (row.id(), row.field_string("parent_id"));
    then(&RowIdentity {
        url: url.as_deref(),
        id: id.as_deref(),
        parent_id: parent_id.as_deref(),
        text: text.as_ref().map(|text| text.text.as_ref()),
    })
}

/// A file that is read from its beginning, and whose end can be read before.
pub(crate) struct OutputReader(BufReader<File>);

/// Opens an output.
pub(crate) fn open(path: &Path) -> Result<OutputReader, WithdrawError> {
    let file = File::open(path)
        .map_err(|source| WithdrawError::Input { path: path.to_owned(), source })?;
    Ok(OutputReader(BufReader::with_capacity(1 << 17, file)))
}

impl Read for OutputReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl BufRead for OutputReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl InspectedFile for OutputReader {
    fn tail(&mut self, bytes: usize) -> io::Result<Vec<u8>> {
        let length = self.length()?;
        let start = length.saturating_sub(bytes as u64);
        let mut tail = vec![0; (length - start) as usize];
        self.0.get_ref().read_exact_at(&mut tail, start)?;
        Ok(tail)
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.0.get_ref().metadata()?.len())
    }

    fn as_reader(&mut self) -> &mut dyn BufRead {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_frames_of_loaders_are_recognised() {
        let keys = RowKeys::default();
        let seen = |line: &str| {
            with_identity(line.as_bytes(), (&keys, true), |row| {
                let own = |value: Option<&str>| value.unwrap_or_default().to_owned();
                [own(row.url), own(row.id), own(row.parent_id), own(row.text)]
            })
        };
        for (line, expected) in [
            (r#"{"id":"1","url":"u","text":"t"}"#, ["u", "1", "", "t"]),
            (
                r#"{"put":"id:p:p::1","fields":{"id":"1","url":"u","text":"t"}}"#,
                ["u", "1", "", "t"],
            ),
            (
                r#"{"id":"1","payload":{"parent_id":"p","url":"u","text":"t"}}"#,
                ["u", "1", "p", "t"],
            ),
            (r#"{"id":"1","metadata":{"url":"u"},"text":"t"}"#, ["u", "1", "", "t"]),
            ("no row", ["", "", "", ""]),
        ] {
            assert_eq!(seen(line), expected, "{line}");
        }
    }
}
