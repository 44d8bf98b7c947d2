//! The two simpler extractors that hull asks on some pages, and their choices as blocks.

use crate::blocks::Segmentation;
use huller_methods::{readability, tsd};
use huller_page::Page;
use huller_select::{Extractor, Profile, Selection};
use std::fmt;

/// A simpler extractor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SimpleExtractor {
    /// The extractor `readability`.
    Readability,
    /// The extractor `tsd`.
    Tsd,
}

/// The two extractors, created when the first page needs them, and buffers for their choices.
#[derive(Default)]
pub(crate) struct SimpleExtractors {
    /// In the order of [`SimpleExtractor`].
    workers: Option<[Box<dyn Extractor>; 2]>,
    selection: Selection,
    /// For each extractor and every block, whether the extractor chose it when last asked.
    taken: [Vec<bool>; 2],
}

impl fmt::Debug for SimpleExtractors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimpleExtractors").field("taken", &self.taken).finish_non_exhaustive()
    }
}

impl SimpleExtractors {
    /// Runs an extractor on a page. [`SimpleExtractors::taken`] has the result.
    pub(crate) fn ask(
        &mut self,
        extractor: SimpleExtractor,
        page: &Page<'_>,
        blocks: &Segmentation,
    ) {
        let SimpleExtractors { workers, selection, taken } = self;
        let workers = workers.get_or_insert_with(|| {
            [readability::EXTRACTOR, tsd::EXTRACTOR]
                .map(|extractor| extractor.worker(Profile::Tuned))
        });
        workers[extractor as usize].extract(page, selection);
        blocks_of(page, blocks, selection, &mut taken[extractor as usize]);
    }

    /// Returns for every block whether an extractor chose it when last asked. Readers' comments are
    /// never chosen.
    pub(crate) fn taken(&self, extractor: SimpleExtractor) -> &[bool] {
        &self.taken[extractor as usize]
    }
}

/// Sets for every block whether a selection has more than half of its scalars. Readers' comments
/// are never taken.
fn blocks_of(page: &Page<'_>, blocks: &Segmentation, selection: &Selection, taken: &mut Vec<bool>) {
    taken.clear();
    taken.resize(blocks.blocks.len(), false);
    let mut kept_runs = selection.kept_runs(page).peekable();
    for (block, taken) in taken.iter_mut().enumerate() {
        let mut chars = 0;
        for run in blocks.runs(block) {
            while kept_runs.next_if(|kept_run| *kept_run < run).is_some() {}
            if kept_runs.next_if_eq(&run).is_some() {
                chars += page.runs()[run as usize].counts.chars;
            }
        }
        let is_most = 2 * u64::from(chars) > u64::from(blocks.blocks[block].chars);
        *taken = is_most && !blocks.is_comment(block);
    }
}
