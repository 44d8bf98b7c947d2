//! Reads models that the user trained, and files of settings, which replace the built-in ones.

use crate::usage_error::UsageError;
use anyhow::{Context, Result, anyhow};
use huller_extract::{Extractor, ExtractorCard, ExtractorFactory, Profile, Thesaurus};
use huller_methods::nb::model::Model;
use huller_pipeline::{OwnThesaurus, Settings, TrainedExtractor, Withdrawals};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the thesaurus of a user, and its phrases.
pub(crate) fn read_thesaurus(path: &Path) -> Result<(OwnThesaurus, Vec<String>)> {
    let refused = |why: String| UsageError(format!("cannot use '{}': {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let thesaurus = OwnThesaurus::new(&text).map_err(|error| refused(error.to_string()))?;
    Ok((thesaurus, Thesaurus::phrases(&text).map_err(|error| refused(error.to_string()))?))
}

/// Reads the tombstones of withdrawn pages at these paths.
pub(crate) fn read_withdrawn(paths: &[PathBuf]) -> Result<Vec<Arc<Withdrawals>>> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let read = Withdrawals::read(paths);
    let keys = read.map_err(|error| UsageError(format!("cannot use --withdrawn: {error}")))?;
    Ok(vec![Arc::new(keys)])
}

/// Returns whether the extractor finds function blocks by a thesaurus.
pub(crate) fn has_thesaurus(extractor: &dyn ExtractorFactory) -> bool {
    extractor.name() == "dvps"
}

/// Gives the phrases of a thesaurus to `dvps`, together with the settings that `model` holds, or
/// with the built-in ones.
pub(crate) fn add_phrases(
    phrases: &[String],
    model: Option<&Path>,
    settings: &mut Settings,
) -> Result<()> {
    let extractors = settings.extractors.clone();
    for extractor in extractors.into_iter().filter(|extractor| has_thesaurus(*extractor)) {
        let is_known = |trained: &TrainedExtractor| trained.name == extractor.name();
        let own = model.filter(|_| settings.trained.iter().any(is_known));
        let file = own.map_or_else(|| Ok(extractor.model().unwrap_or_default().to_vec()), bytes)?;
        let mut file: Value = serde_json::from_slice(&file)?;
        for profile in ["paper", "tuned"] {
            let Some(file) = file.as_object_mut() else { continue };
            let profile_settings = file.entry(profile).or_insert_with(|| Value::Object(Map::new()));
            if let Some(profile_settings) = profile_settings.as_object_mut() {
                let known = profile_settings.get("phrases").and_then(Value::as_array).cloned();
                let known_phrases = known.unwrap_or_default().into_iter();
                let known_phrases =
                    known_phrases.chain(phrases.iter().map(|phrase| Value::from(phrase.as_str())));
                profile_settings.insert("phrases".to_owned(), known_phrases.collect());
            }
        }
        let file = serde_json::to_vec(&file)?;
        settings.trained.retain(|trained| !is_known(trained));
        if let Some(trained) = TrainedExtractor::new(extractor, settings.profile, &file) {
            settings.trained.push(trained.map_err(|error| anyhow!(error))?);
        }
    }
    Ok(())
}

/// Reads a model or settings, and gives them to the extractors that can take them.
pub(crate) fn read(
    path: &Path,
    extractors: &[&'static dyn ExtractorFactory],
    profile: Profile,
) -> Result<Vec<TrainedExtractor>> {
    let bytes = bytes(path)?;
    let trained = extractors
        .iter()
        .filter_map(|extractor| TrainedExtractor::new(*extractor, profile, &bytes));
    let trained = trained
        .map(|trained| trained.map_err(|error| anyhow!(error)))
        .collect::<Result<Vec<_>>>()
        .with_context(|| format!("cannot use '{}'", path.display()))?;
    if trained.is_empty() {
        return Err(fits_no_extractor(path));
    }
    Ok(trained)
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    let read = std::fs::read(path);
    Ok(read.map_err(|error| {
        UsageError(format!("cannot read the model '{}': {error}", path.display()))
    })?)
}

fn fits_no_extractor(path: &Path) -> anyhow::Error {
    let path = path.display();
    UsageError(format!(
        "'{path}' is neither a model nor a settings file of any of these extractors"
    ))
    .into()
}

/// Returns the extractors that can use a model, with it, in each of the profiles. They are called
/// `EXTRACTOR:NAME`, with the file's name without its last suffix. They live as long as the
/// program.
pub(crate) fn variants(
    path: &Path,
    extractors: &[&'static dyn ExtractorFactory],
    profiles: &[Profile],
) -> Result<Vec<(&'static dyn ExtractorFactory, Profile)>> {
    let bytes = bytes(path)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut variants: Vec<(&'static dyn ExtractorFactory, Profile)> = Vec::new();
    for extractor in extractors {
        for profile in profiles {
            let Some(variant) = extractor.with_model(&bytes, *profile) else { continue };
            let variant = variant
                .map_err(|error| anyhow!(error))
                .with_context(|| format!("cannot use '{}'", path.display()))?;
            let name: &'static str = format!("{}:{stem}", variant.name()).leak();
            let card = ExtractorCard { name, ..*variant.card() };
            variants.push((Box::leak(Box::new(NamedModel { card, extractor: variant })), *profile));
        }
    }
    if variants.is_empty() { Err(fits_no_extractor(path)) } else { Ok(variants) }
}

/// An extractor with a model, under a name of its own.
struct NamedModel {
    card: ExtractorCard,
    extractor: Arc<dyn ExtractorFactory>,
}

impl ExtractorFactory for NamedModel {
    fn card(&self) -> &ExtractorCard {
        &self.card
    }

    fn worker(&self, profile: Profile) -> Box<dyn Extractor> {
        self.extractor.worker(profile)
    }
}

/// Reads a model of the extractors nb and nb-table.
pub(crate) fn read_counts(path: &Path) -> Result<Model> {
    let json = std::fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    Model::from_bytes(&json).with_context(|| format!("cannot use '{}'", path.display()))
}
