//! Makes workers of an extractor.

use crate::card::ExtractorCard;
use crate::extractor::Extractor;
use crate::profile::Profile;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// An extractor: a way to find the main content of pages. It holds settings and models, which all
/// threads share, and makes a worker for each thread.
pub trait ExtractorFactory: Send + Sync {
    /// Returns the description for users.
    fn card(&self) -> &ExtractorCard;

    /// Makes a worker in one of the two settings. Call this once for each thread, not for each
    /// page: the call may read a model.
    fn worker(&self, profile: Profile) -> Box<dyn Extractor>;

    /// Returns the extractor with a model of the user in place of the model that ships, in the
    /// settings of `profile`. `model` is the content of the model's file. Ask the new extractor for
    /// workers in the same profile.
    ///
    /// `None` if the extractor has no model.
    ///
    /// # Errors
    ///
    /// The bytes are not a model that this extractor can use.
    fn with_model(&self, model: &[u8], profile: Profile) -> Option<UserModelResult> {
        let _ = (model, profile);
        None
    }

    /// Returns the model that ships with the extractor, as the bytes of its file. `None` if the
    /// extractor has no model.
    fn model(&self) -> Option<&'static [u8]> {
        None
    }

    /// Returns the name that users type, and that rows and tables show.
    fn name(&self) -> &'static str {
        self.card().name
    }
}

impl fmt::Debug for dyn ExtractorFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ExtractorFactory").field(&self.name()).finish()
    }
}

/// An extractor with a model of the user, or the reason why the model cannot be used.
pub type UserModelResult = Result<Arc<dyn ExtractorFactory>, Box<dyn Error + Send + Sync>>;
