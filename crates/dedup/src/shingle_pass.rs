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
    /// For each input, its place among the files of all rows.
    pub(crate) places: &'a [Option<usize>],
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
    shingles: Vec<u32>,
    rows_read: u64,
}

impl Texts for ShinglePass<'_, '_> {
    fn begin(&mut self, step: DedupStep) {
        self.monitor.phase(Phase::Decide(step), None);
    }

    fn store_shingles(&mut self, store: &mut ShingleStore) -> Result<PassEnding, DedupError> {
        self.monitor.phase(Phase::Verify, None);
        let places: Vec<_> = (0..self.earlier.len()).map(Some).collect();
        let earlier = FilePass { files: self.earlier, ..*self.inputs };
        let mut done = 0;
        if self.pass(&earlier, &places, store, &mut done)? == PassEnding::Interrupted {
            return Ok(PassEnding::Interrupted);
        }
        self.pass(self.inputs, self.places, store, &mut done)
    }
}

impl ShinglePass<'_, '_> {
    fn pass(
        &mut self,
        pass: &FilePass<'_>,
        places: &[Option<usize>],
        store: &mut ShingleStore,
        done: &mut u64,
    ) -> Result<PassEnding, DedupError> {
        let (settings, rows) = (self.settings, self.rows);
        // Files without a wanted row are not read.
        let has_any = |place: usize| {
            let first = rows.first(place);
            (first..first + rows.files[place].rows as u32).any(|row| store.is_missing(row))
        };
        let inputs = (0..places.len()).filter(|input| places[*input].is_some_and(has_any));
        let inputs: Vec<_> = inputs.collect();
        let wanted: Vec<_> = store.wanted_bits();
        let is_wanted = |row: u32| wanted[row as usize / 64] >> (row % 64) & 1 == 1;
        ShingleSets::new(settings.signatures)?;
        let workers = Pool::new(|| {
            let sets = ShingleSets::new(settings.signatures).expect("the settings were tried");
            (sets, Text::default())
        });
        let mut reader = RecordReader::new(rows, places);
        pass.run(
            inputs,
            |input, chunk| reader.take(input, chunk),
            |input, chunk, records| {
                let signed = &rows.files[places[input].expect("it has signatures")];
                let mut found = ChunkShingles::default();
                workers.with_worker(|(sets, text)| {
                    for_each_line(settings, (&pass.files[input], signed), chunk, &records, |line| {
                        let MatchedLine::Row { row, parsed, .. } = line else { return Ok(()) };
                        found.rows_read += 1;
                        if is_wanted(row) {
                            let before = found.shingles.len();
                            text.begin().push_str(&parsed.text);
                            sets.push(text, &mut found.shingles);
                            found.rows.push((row, found.shingles.len() - before));
                        }
                        Ok(())
                    })
                })?;
                Ok(found)
            },
            |input, event: Event<Result<ChunkShingles, DedupError>>| {
                if let Some(found) = event.chunk(&pass.files[input].name)? {
                    let ChunkShingles { rows, shingles, rows_read: seen } = found?;
                    let mut rest = &*shingles;
                    for (row, count) in rows {
                        let (set, after) = rest.split_at(count);
                        let failed = DedupError::output_error("keep shingles in", self.folder);
                        store.put(row, set).map_err(failed)?;
                        rest = after;
                    }
                    *done += seen;
                    self.monitor.progress(*done);
                }
                Ok(())
            },
        )
    }
}
