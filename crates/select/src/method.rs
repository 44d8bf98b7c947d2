//! Makes workers.

use crate::card::Card;
use crate::extractor::Extractor;
use crate::profile::Profile;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// A way to find the main content of pages. A method holds settings and models, which all threads
/// share, and makes a worker for each thread.
pub trait Method: Send + Sync {
    /// Describes the method to users.
    fn card(&self) -> &Card;

    /// Makes a worker in one of the two settings. Call this once for each thread, not for each
    /// page: the call may read a model.
    fn worker(&self, profile: Profile) -> Box<dyn Extractor>;

    /// The method with a model of the user in place of the model that ships, in the settings of
    /// `profile`. `model` holds the bytes of the model's file. Ask the new method for workers in
    /// the same profile.
    ///
    /// `None` if the method has no model.
    ///
    /// # Errors
    ///
    /// The bytes are not a model that this method can use.
    fn with_model(&self, model: &[u8], profile: Profile) -> Option<WithModel> {
        let _ = (model, profile);
        None
    }

    /// The model that ships with the method, as the bytes of its file. `None` if the method has no
    /// model.
    fn model(&self) -> Option<&'static [u8]> {
        None
    }

    /// The name that users type, and that rows and tables show.
    fn name(&self) -> &'static str {
        self.card().name
    }
}

impl fmt::Debug for dyn Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Method").field(&self.name()).finish()
    }
}

/// A method with a model of the user, or the reason why the model cannot be used.
pub type WithModel = Result<Arc<dyn Method>, Box<dyn Error + Send + Sync>>;
