//! Extractors whose settings a user can change by a file, given in place of a model.
//!
//! The file is one JSON object: `format` (a name per extractor), `version`, and the settings of the
//! profiles `paper` and `tuned`. Settings that the file omits keep the values that ship. A file of
//! another format belongs to another extractor, and is not an error here.

use huller_select::{
    Algorithm, Extractor, ExtractorCard, ExtractorFactory, ModelExtractor, Profile, Profiles,
    UserModelResult, Worker,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Version of the files. Raise it when a setting gets another meaning.
const VERSION: u64 = 1;

/// An algorithm whose settings can be written and read.
pub(crate) trait Settable: Algorithm + Clone {
    /// The settings.
    type Options: Serialize + DeserializeOwned;

    /// The value of `format` in the extractor's settings files.
    const FORMAT: &'static str;

    /// The file with the settings that ship.
    const SHIPPED: &'static str;

    /// Returns the present settings.
    fn options(&self) -> Self::Options;

    /// Returns the algorithm with other settings.
    ///
    /// # Errors
    ///
    /// A setting is out of its range. The error names the setting and its range.
    fn with_options(&self, options: Self::Options) -> Result<Self, String>;
}

/// An extractor in two profiles, each with settings that a user can change.
pub(crate) struct AdjustableExtractor<A>(pub(crate) Profiles<A>);

impl<A: Settable + 'static> AdjustableExtractor<A> {
    fn profile(&self, profile: Profile) -> &A {
        match profile {
            Profile::Paper => &self.0.paper,
            Profile::Tuned => &self.0.tuned,
        }
    }

    /// Returns the algorithm with the settings of a file for a profile.
    fn read(&self, mut file: Map<String, Value>, profile: Profile) -> Result<A, String> {
        let context = format!("settings of {}", self.0.card.name);
        if file.get("version").and_then(Value::as_u64) != Some(VERSION) {
            return Err(format!("{context}: `version` is not {VERSION}"));
        }
        let known = ["format", "version", "paper", "tuned"];
        if let Some(unknown) = file.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(format!("{context}: unknown member `{unknown}`"));
        }
        // Both profiles are checked, so that a file is valid or invalid for every profile alike.
        let mut requested = None;
        for file_profile in [Profile::Paper, Profile::Tuned] {
            let location = || format!("{context}, profile {}", file_profile.name());
            let default_algorithm = self.profile(file_profile);
            let members = match file.remove(file_profile.name()) {
                None => Map::new(),
                Some(Value::Object(said)) => said,
                Some(_) => return Err(format!("{}: not an object", location())),
            };
            let mut options = serde_json::to_value(default_algorithm.options()).unwrap_or_default();
            if let Some(options) = options.as_object_mut() {
                for (name, value) in members {
                    if options.insert(name.clone(), value).is_none() {
                        return Err(format!("{}: unknown setting `{name}`", location()));
                    }
                }
            }
            let options = serde_json::from_value(options);
            let options = options.map_err(|error| format!("{}: {error}", location()))?;
            let adjusted = default_algorithm
                .with_options(options)
                .map_err(|why| format!("{}: {why}", location()))?;
            if file_profile == profile {
                requested = Some(adjusted);
            }
        }
        requested.ok_or_else(|| format!("{context}: no profile"))
    }
}

impl<A: Settable + 'static> ExtractorFactory for AdjustableExtractor<A> {
    fn card(&self) -> &ExtractorCard {
        self.0.card()
    }

    fn worker(&self, profile: Profile) -> Box<dyn Extractor> {
        Box::new(Worker::new(self.profile(profile).clone()))
    }

    fn model(&self) -> Option<&'static [u8]> {
        Some(A::SHIPPED.as_bytes())
    }

    fn with_model(&self, model: &[u8], profile: Profile) -> Option<UserModelResult> {
        let file: Map<String, Value> = serde_json::from_slice(model).ok()?;
        if file.get("format").and_then(Value::as_str) != Some(A::FORMAT) {
            return None;
        }
        let to_extractor =
            |algorithm| ModelExtractor { card: self.0.card, algorithm: Arc::new(algorithm) };
        let read = self.read(file, profile).map_err(Into::into);
        Some(read.map(|algorithm| Arc::new(to_extractor(algorithm)) as _))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Checks that the shipped file holds the settings of the program.
    pub(crate) fn check_shipped<A: Settable + 'static>(extractor: &AdjustableExtractor<A>) {
        let value = |algorithm: &A| serde_json::to_value(algorithm.options()).unwrap();
        let shipped: Value = serde_json::from_str(A::SHIPPED).unwrap();
        assert_eq!(shipped["paper"], value(&extractor.0.paper));
        assert_eq!(shipped["tuned"], value(&extractor.0.tuned));
        let read = extractor.with_model(A::SHIPPED.as_bytes(), Profile::Paper);
        assert!(read.unwrap().is_ok());
    }

    /// Returns the message about a file of settings that cannot be used.
    pub(crate) fn refusal(extractor: &dyn ExtractorFactory, file: &str) -> String {
        match extractor.with_model(file.as_bytes(), Profile::Tuned) {
            Some(Err(error)) => error.to_string(),
            Some(Ok(_)) => panic!("{file} is accepted"),
            None => panic!("{file} is accepted as the file of another extractor"),
        }
    }
}
