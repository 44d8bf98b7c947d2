//! Makes random corpora of dirty files.

use super::file::DirtyFile;
use crate::random::Random;
use std::io;
use std::path::Path;

/// How the command line names the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CorpusArguments {
    Folder,
    Folders,
    Files,
}

/// A random corpus of dirty files.
#[derive(Clone, Debug)]
pub struct DirtyCorpus {
    /// The seed that decides the corpus.
    pub seed: u32,
    pub(super) files: Vec<DirtyFile>,
    naming: CorpusArguments,
}

/// The folder of the corpus.
pub(super) const FOLDER: &str = "in";

impl DirtyCorpus {
    /// Returns the corpus of this seed.
    pub fn new(seed: u32) -> DirtyCorpus {
        let mut random = Random::new(seed);
        let naming = [
            CorpusArguments::Folder,
            CorpusArguments::Folder,
            CorpusArguments::Folders,
            CorpusArguments::Files,
        ][random.below(4) as usize];
        let count = 1 + random.below(5);
        let files = (0..count).map(|nth| {
            // The two folders have files of equal names.
            let folder = if nth % 2 == 0 { "monday/" } else { "tuesday/" };
            DirtyFile::new(&mut random, folder, &format!("part-{}", nth / 2), nth * 100)
        });
        DirtyCorpus { seed, files: files.collect(), naming }
    }

    /// Returns the inputs as a command line names them, relative to the folder above the corpus.
    pub(super) fn inputs(&self) -> Vec<String> {
        let mut inputs: Vec<String> = match self.naming {
            CorpusArguments::Folder => vec![FOLDER.to_owned()],
            CorpusArguments::Folders => {
                let folder = |file: &DirtyFile| file.path.split('/').next().map(str::to_owned);
                self.files
                    .iter()
                    .filter_map(folder)
                    .map(|folder_name| format!("{FOLDER}/{folder_name}"))
                    .collect()
            }
            CorpusArguments::Files => {
                self.files.iter().map(|file| format!("{FOLDER}/{}", file.path)).collect()
            }
        };
        inputs.sort();
        inputs.dedup();
        inputs
    }

    /// Writes the files below `place`. `parquet` turns lines into a table.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    pub(super) fn write(
        &self,
        place: &Path,
        parquet: impl Fn(&[u8]) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        for file in &self.files {
            let path = place.join(FOLDER).join(&file.path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, file.bytes(&parquet)?)?;
        }
        Ok(())
    }

    /// Returns simpler corpora, for a search of one that still fails.
    pub(super) fn smaller(&self) -> impl Iterator<Item = DirtyCorpus> + '_ {
        let without_one = (0..self.files.len()).filter(|_| self.files.len() > 1).map(|nth| {
            let mut corpus = self.clone();
            corpus.files.remove(nth);
            corpus
        });
        let simpler = self.files.iter().enumerate().flat_map(move |(nth, file)| {
            file.smaller().into_iter().map(move |file| {
                let mut corpus = self.clone();
                corpus.files[nth] = file;
                corpus
            })
        });
        without_one.chain(simpler)
    }
}
