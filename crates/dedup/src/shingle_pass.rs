//! Reads the texts of rows that may be duplicates, to make their shingles.

use crate::corpus::CorpusFile;
use crate::decide::Texts;
use crate::error::DedupError;
use crate::file_pass::{Event, FilePass, PassEnding};
use crate::matched_lines::{MatchedLine, RecordReader, for_each_line};
use crate::monitor::{Phase, Reporter};
use crate::pool::Pool;
use crate::rows::CorpusRows;
use crate::settings::{DedupStep, Settings};
use crate::shingle_store::ShingleStore;
use huller_refine::Text;
use huller_refine::signature::ShingleSets;
use std::path::Path;

/// The texts of a run.
pub(crate) struct ShinglePass<'a, 'm> {
    pub(crate) settings: &'a Settings,
    pub(crate) rows: &'a CorpusRows,
    pub(crate) inputs: &'a FilePass<'a>,
    /// For each input, the index of its file among those of all rows; `None` without signatures.
    pub(crate) signature_indexes: &'a [Option<usize>],
    /// The rows of earlier corpora. Their files come first among the files of all rows.
    pub(crate) earlier: &'a [CorpusFile],
    pub(crate) monitor: &'a mut Reporter<'m>,
    /// The folder for the store's file.
    pub(crate) folder: &'a Path,
}

/// The shingle sets of a chunk, one after another.
#[derive(Default)]
struct ChunkShingles {
    /// Rows, and the number of shingles of each.
    rows: Vec<(u32, usize)>,
    /// Hashes of shingles, row after row.
    shingles: Vec<u32>,
    /// Number of rows of the chunk.
    rows_read: u64,
}

impl Texts for ShinglePass<'_, '_> {
    fn begin(&mut self, step: DedupStep) {
        self.monitor.phase(Phase::Decide(step), None);
    }

    fn store_shingles(&mut self, store: &mut ShingleStore) -> Result<PassEnding, DedupError> {
        self.monitor.phase(Phase::Verify, None);
        let signature_indexes: Vec<_> = (0..self.earlier.len()).map(Some).collect();
        let earlier = FilePass { files: self.earlier, ..*self.inputs };
        let mut rows_read = 0;
        if self.read_sets(&earlier, &signature_indexes, store, &mut rows_read)?
            == PassEnding::Interrupted
        {
            return Ok(PassEnding::Interrupted);
        }
        self.read_sets(self.inputs, self.signature_indexes, store, &mut rows_read)
    }
}

impl ShinglePass<'_, '_> {
    fn read_sets(
        &mut self,
        pass: &FilePass<'_>,
        signature_indexes: &[Option<usize>],
        store: &mut ShingleStore,
        done: &mut u64,
    ) -> Result<PassEnding, DedupError> {
        let (settings, rows) = (self.settings, self.rows);
        // Files without a wanted row are not read.
        let has_any = |signature_index: usize| {
            let first = rows.first(signature_index);
            (first..first + rows.files[signature_index].rows as u32)
                .any(|row| store.is_missing(row))
        };
        let inputs = (0..signature_indexes.len())
            .filter(|input| signature_indexes[*input].is_some_and(has_any));
        let inputs: Vec<_> = inputs.collect();
        let wanted_rows: Vec<_> = store.wanted_bits();
        let is_wanted = |row: u32| wanted_rows[row as usize / 64] >> (row % 64) & 1 == 1;
        ShingleSets::new(settings.signatures)?;
        let workers = Pool::new(|| {
            let sets = ShingleSets::new(settings.signatures).expect("the settings were tried");
            (sets, Text::default())
        });
        let mut reader = RecordReader::new(rows, signature_indexes);
        pass.run(
            inputs,
            |input, chunk| reader.take(input, chunk),
            |input, chunk, records| {
                let signed = &rows.files[signature_indexes[input].expect("it has signatures")];
                let mut chunk_shingles = ChunkShingles::default();
                workers.with_worker(|(sets, text)| {
                    for_each_line(settings, (&pass.files[input], signed), chunk, &records, |line| {
                        let MatchedLine::Row { row, parsed, .. } = line else { return Ok(()) };
                        chunk_shingles.rows_read += 1;
                        if is_wanted(row) {
                            let count_before = chunk_shingles.shingles.len();
                            text.begin().push_str(&parsed.text);
                            sets.push(text, &mut chunk_shingles.shingles);
                            chunk_shingles
                                .rows
                                .push((row, chunk_shingles.shingles.len() - count_before));
                        }
                        Ok(())
                    })
                })?;
                Ok(chunk_shingles)
            },
            |input, event: Event<Result<ChunkShingles, DedupError>>| {
                if let Some(chunk_shingles) = event.chunk(&pass.files[input].name)? {
                    let ChunkShingles { rows, shingles, rows_read: seen } = chunk_shingles?;
                    let mut rest = &*shingles;
                    for (row, count) in rows {
                        let (set, later_shingles) = rest.split_at(count);
                        let failed = DedupError::output_error("keep shingles in", self.folder);
                        store.put(row, set).map_err(failed)?;
                        rest = later_shingles;
                    }
                    *done += seen;
                    self.monitor.progress(*done);
                }
                Ok(())
            },
        )
    }
}
