//! Finds paragraphs that occurred earlier in the corpus: quotations, notices, articles that several
//! sites carry.
//!
//! A paragraph is a line of the text, as in `CCNet` (Wenzek et al., "`CCNet`: Extracting high
//! quality monolingual datasets from web crawl data", 2020) and Dolma (Soldaini et al., "Dolma: an
//! open corpus of three trillion tokens for language model pretraining research", 2024). Of equal
//! paragraphs the first stays, by the order of inputs and lines. Only differences in white space
//! are ignored.
//!
//! There are two sorts, both out of core: by hash, which finds repeated paragraphs, and by row,
//! which is the order of writing.

use crate::decide::Decisions;
use crate::error::DedupError;
use crate::external_sort::ExternalSort;
use crate::file_pass::{Event, FilePass, PassEnding};
use crate::host_lines::HostLines;
use crate::matched_lines::{MatchedLine, RecordReader, for_each_line};
use crate::monitor::{Phase, Reporter};
use crate::rows::CorpusRows;
use crate::settings::Settings;
use huller_refine::signature::text_digest;
use huller_run::nameless;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::ops::Range;
use std::path::Path;

/// The paragraphs that are left out: pairs of row and line, in order.
pub(crate) struct Paragraphs(File);

/// The paragraphs of a chunk.
#[derive(Default)]
struct ChunkParagraphs {
    /// The hash of each paragraph, its row, and its index among the lines of the text.
    paragraphs: Vec<(u64, u32, u32)>,
    /// Number of rows of the chunk.
    rows: u64,
}

/// Joins a row and a line index into one number, which sorts by rows.
fn pack_position(row: u32, line: u32) -> u64 {
    u64::from(row) << 32 | u64::from(line)
}

impl Paragraphs {
    /// Compares the paragraphs of all kept rows. `lines` have been left out of the texts before.
    /// Returns `None` if the run was interrupted.
    pub(crate) fn compare(
        settings: &Settings,
        pass: &FilePass<'_>,
        (rows, signature_indexes): (&CorpusRows, &[Option<usize>]),
        (decisions, lines): (&Decisions, Option<&HostLines>),
        (memory, folder): (u64, &Path),
        monitor: &mut Reporter<'_>,
    ) -> Result<Option<Paragraphs>, DedupError> {
        monitor.phase(Phase::Paragraphs, Some(u64::from(decisions.rows() - decisions.earlier)));
        let failed = || DedupError::output_error("sort in", folder);
        let mut reader = RecordReader::new(rows, signature_indexes);
        // The key orders by hash, then by row and line.
        let mut sort: ExternalSort<u128> = ExternalSort::new((memory / 4) as usize, folder, 0);
        let mut rows_read = 0;
        let inputs = (0..signature_indexes.len())
            .filter(|input| signature_indexes[*input].is_some())
            .collect();
        let ending = pass.run(
            inputs,
            |input, chunk| reader.take(input, chunk),
            |input, chunk, records| {
                let signed = &rows.files[signature_indexes[input].expect("it has signatures")];
                let (mut chunk_paragraphs, mut buffer) = (ChunkParagraphs::default(), Vec::new());
                for_each_line(settings, (&pass.files[input], signed), chunk, &records, |line| {
                    let MatchedLine::Row { row, parsed, .. } = line else { return Ok(()) };
                    chunk_paragraphs.rows += 1;
                    if decisions.dropped_by(row).is_none() {
                        let cleaned = lines
                            .and_then(|of| of.without_repeats(&parsed.text, parsed.url.as_deref()));
                        let text = cleaned.as_deref().unwrap_or(&parsed.text);
                        for (index, paragraph) in (0..).zip(text.split('\n')) {
                            if is_long(paragraph, settings.paragraph_chars) {
                                let hash = text_digest(paragraph, &mut buffer) as u64;
                                chunk_paragraphs.paragraphs.push((hash, row, index));
                            }
                        }
                    }
                    Ok(())
                })?;
                Ok(chunk_paragraphs)
            },
            |input, event: Event<Result<ChunkParagraphs, DedupError>>| {
                if let Some(chunk_paragraphs) = event.chunk(&pass.files[input].name)? {
                    let ChunkParagraphs { paragraphs, rows } = chunk_paragraphs?;
                    for (hash, row, line) in paragraphs {
                        let key = u128::from(hash) << 64 | u128::from(pack_position(row, line));
                        sort.push(key, row).map_err(failed())?;
                    }
                    rows_read += rows;
                    monitor.progress(rows_read);
                }
                Ok(())
            },
        )?;
        if ending == PassEnding::Interrupted {
            return Ok(None);
        }
        write_repeated(sort, (memory, folder)).map(|file| Some(Paragraphs(file))).map_err(failed())
    }
}

/// Returns whether a paragraph has at least `chars` Unicode scalars, without white space at its
/// ends.
fn is_long(paragraph: &str, chars: u64) -> bool {
    let paragraph = paragraph.trim();
    !paragraph.is_empty()
        && paragraph.len() as u64 >= chars
        && paragraph.chars().count() as u64 >= chars
}

/// Makes a file of the repeated paragraphs, by rows.
fn write_repeated(sort: ExternalSort<u128>, (memory, folder): (u64, &Path)) -> io::Result<File> {
    let mut by_row: ExternalSort<u64> = ExternalSort::new((memory / 4) as usize, folder, 0);
    let mut last_written = None;
    sort.for_each(|key, row| {
        let hash = (key >> 64) as u64;
        if last_written.replace(hash) == Some(hash) { by_row.push(key as u64, row) } else { Ok(()) }
    })?;
    let mut out = BufWriter::with_capacity(1 << 18, nameless::create(folder)?);
    by_row.for_each(|position, _| out.write_all(&position.to_le_bytes()))?;
    let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// Returns the paragraphs to leave out of rows as their chunks are read, in order.
pub(crate) struct ParagraphReader<'a> {
    file: BufReader<&'a File>,
    /// The next packed position of a paragraph; `None` at the end.
    next: Option<u64>,
}

impl<'a> ParagraphReader<'a> {
    pub(crate) fn new(paragraphs: &'a Paragraphs) -> io::Result<ParagraphReader<'a>> {
        (&paragraphs.0).rewind()?;
        let mut reader = ParagraphReader { file: BufReader::new(&paragraphs.0), next: None };
        reader.advance()?;
        Ok(reader)
    }

    fn advance(&mut self) -> io::Result<()> {
        let mut number = [0; 8];
        self.next = match self.file.read_exact(&mut number) {
            Ok(()) => Some(u64::from_le_bytes(number)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => return Err(error),
        };
        Ok(())
    }

    /// Returns the paragraphs to leave out of these rows. The rows must come after those of the
    /// last call, with or without a gap.
    pub(crate) fn take(&mut self, rows: Range<u32>) -> io::Result<LeftOutParagraphs> {
        let mut positions = Vec::new();
        while let Some(position) = self.next
            && position < pack_position(rows.end, 0)
        {
            if position >= pack_position(rows.start, 0) {
                positions.push(position);
            }
            self.advance()?;
        }
        Ok(LeftOutParagraphs(positions))
    }
}

/// The paragraphs to leave out of the rows of a chunk.
#[derive(Default)]
pub(crate) struct LeftOutParagraphs(Vec<u64>);

impl LeftOutParagraphs {
    /// Returns the text of a row without these paragraphs, or `None` if it has none of them.
    pub(crate) fn without_paragraphs(&self, row: u32, text: &str) -> Option<String> {
        let start = self.0.partition_point(|known| *known < pack_position(row, 0));
        let end =
            start + self.0[start..].partition_point(|known| *known <= pack_position(row, u32::MAX));
        let mut left_out = self.0[start..end].iter().map(|position| *position as u32).peekable();
        left_out.peek()?;
        let lines = (0..).zip(text.split('\n'));
        let kept_lines: Vec<_> = lines
            .filter(|(index, _)| left_out.next_if_eq(index).is_none())
            .map(|(_, line)| line)
            .collect();
        Some(kept_lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(places: &[(u32, u32)]) -> Paragraphs {
        let mut file = tempfile::tempfile().unwrap();
        for (row, line) in places {
            file.write_all(&pack_position(*row, *line).to_le_bytes()).unwrap();
        }
        Paragraphs(file)
    }

    #[test]
    fn rows_lose_the_lines_that_are_theirs() {
        let paragraphs = file(&[(1, 0), (3, 1), (3, 2), (4, 0), (u32::MAX - 2, 5)]);
        let mut reader = ParagraphReader::new(&paragraphs).unwrap();
        let left_out = reader.take(2..4).unwrap();
        assert_eq!(left_out.without_paragraphs(3, "a\nb\nc\n\nd"), Some("a\n\nd".to_owned()));
        assert_eq!(left_out.without_paragraphs(2, "a"), None);
        // This happens if an input between them is done already.
        let left_out = reader.take(9..10).unwrap();
        assert_eq!(left_out.without_paragraphs(9, "a"), None);
        assert!(reader.take(9..u32::MAX).unwrap().without_paragraphs(u32::MAX - 2, "a").is_some());
        // A resumed run reads them again.
        let mut again = ParagraphReader::new(&paragraphs).unwrap();
        assert_eq!(again.take(0..2).unwrap().without_paragraphs(1, "a\nb"), Some("b".to_owned()));
    }

    #[test]
    fn length_counts_scalars_between_white_space() {
        for (paragraph, chars, expected) in [
            ("  été ", 3, true),
            ("été", 4, false),
            ("", 0, false),
            (" ", 0, false),
            ("a", 0, true),
        ] {
            assert_eq!(is_long(paragraph, chars), expected, "{paragraph:?}");
        }
    }
}
