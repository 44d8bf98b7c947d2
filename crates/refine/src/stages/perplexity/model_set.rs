//! The models of languages in a folder, or those of two files.

use crate::language::names_in_files;
use huller_models::{ModelError, ModelFile, kenlm, sentencepiece};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

const PIECES_SUFFIX: &str = ".sp.model";
const NGRAMS_SUFFIX: &str = ".arpa.bin";

/// The two models of a language.
#[derive(Debug)]
pub(super) struct Models {
    pub(super) pieces: sentencepiece::Model,
    pub(super) words: kenlm::Model,
}

impl Models {
    fn read(pieces: &Path, words: &Path) -> Result<Models, String> {
        let problem = |path: &Path, error: ModelError| {
            format!("'{}': {error}; give another file", path.display())
        };
        let read = |file: ModelFile| sentencepiece::Model::read(&file);
        let read_words = |file: ModelFile| kenlm::Model::read(Arc::new(file));
        Ok(Models {
            pieces: ModelFile::open(pieces)
                .and_then(read)
                .map_err(|error| problem(pieces, error))?,
            words: ModelFile::open(words)
                .and_then(read_words)
                .map_err(|error| problem(words, error))?,
        })
    }

    fn digests(&self) -> Value {
        json!([self.pieces.digest(), self.words.digest()])
    }
}

/// The models of a run.
#[derive(Debug)]
pub(super) enum ModelSet {
    /// By the name of the language in the folder.
    ByLanguage(BTreeMap<String, Models>),
    /// For all texts, or for those in these languages.
    One(Box<Models>, Vec<String>),
}

impl ModelSet {
    /// Reads the models in a folder: of these languages, or all if none is given.
    pub(super) fn in_folder(folder: &Path, languages: &[String]) -> Result<ModelSet, String> {
        let names = if languages.is_empty() { all_in(folder)? } else { languages.to_vec() };
        let read = |name: String| {
            if name.contains(['/', '\\']) {
                return Err(format!("'{name}' is not the name of a language"));
            }
            let path = |ending| folder.join(format!("{name}{ending}"));
            let models = Models::read(&path(PIECES_SUFFIX), &path(NGRAMS_SUFFIX))?;
            Ok((name, models))
        };
        names.into_iter().map(read).collect::<Result<_, _>>().map(ModelSet::ByLanguage)
    }

    /// Reads two models for all texts, or for those in some languages.
    pub(super) fn of_files(
        pieces: &Path,
        words: &Path,
        languages: &[String],
    ) -> Result<ModelSet, String> {
        Ok(ModelSet::One(Box::new(Models::read(pieces, words)?), languages.to_vec()))
    }

    /// Returns the models for a language of ISO 639-3, which is `None` if it is not known.
    pub(super) fn for_language(&self, language: Option<&str>) -> Option<&Models> {
        let mut names = language.into_iter().flat_map(names_in_files);
        match self {
            ModelSet::ByLanguage(models) => names.find_map(|name| models.get(name)),
            ModelSet::One(models, languages) => {
                let is_wanted =
                    languages.is_empty() || names.any(|name| languages.iter().any(|l| l == name));
                is_wanted.then_some(models)
            }
        }
    }

    /// Returns the digests of all files, by language.
    pub(super) fn digests(&self) -> Value {
        match self {
            ModelSet::ByLanguage(models) => {
                models.iter().map(|(name, models)| (name.clone(), models.digests())).collect()
            }
            ModelSet::One(models, _) => models.digests(),
        }
    }
}

/// Returns the languages that have both models in a folder, sorted.
fn all_in(folder: &Path) -> Result<Vec<String>, String> {
    let unreadable = |error| format!("'{}': {error}; give another folder", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let language = name.to_str().and_then(|name| name.strip_suffix(PIECES_SUFFIX));
        if let Some(language) = language
            && folder.join(format!("{language}{NGRAMS_SUFFIX}")).exists()
        {
            names.push(language.to_owned());
        }
    }
    if names.is_empty() {
        let folder = folder.display();
        return Err(format!(
            "'{folder}' has no LANG{PIECES_SUFFIX} with a LANG{NGRAMS_SUFFIX}; give another \
             folder with --set perplexity.models=FOLDER"
        ));
    }
    names.sort();
    Ok(names)
}
