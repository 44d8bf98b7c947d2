//! Lists, reads and removes the objects below one URL.

use crate::backoff::pause;
use crate::settings::Settings;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use tokio::time::sleep;

/// Number of attempts in total. The client of the store has already retried each of its requests.
/// These attempts cover answers that the client never retries: one whose body broke off, or one
/// that came after the work had been done.
pub(crate) const MAX_ATTEMPTS: usize = 4;

/// The objects below a URL, and the client that reaches them.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    pub(crate) client: Arc<dyn ObjectStore>,
    /// Key of the URL; empty for the whole bucket.
    pub(crate) prefix: Path,
    /// The URL without its secret parts, and without `/` at its end.
    pub(crate) shown: Arc<str>,
    pub(crate) settings: Settings,
}

impl Objects {
    /// Returns the key of a name.
    pub(crate) fn key(&self, name: &str) -> io::Result<Path> {
        let key = match self.prefix.as_ref() {
            "" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        };
        let refused = |_| {
            let what = "not a valid name for an object: control characters, `.`, `..` and empty \
                parts are not supported";
            io::Error::new(io::ErrorKind::InvalidFilename, what)
        };
        Path::parse(key).map_err(refused)
    }

    /// Repeats an attempt until it succeeds, fails permanently, or has been made [`MAX_ATTEMPTS`]
    /// times. Each attempt has its own time limit.
    pub(crate) async fn retry<T, F: Future<Output = object_store::Result<T>>>(
        &self,
        mut attempt: impl FnMut() -> F,
    ) -> object_store::Result<T> {
        let mut tries = 1;
        loop {
            match attempt().await {
                Err(error) if tries < MAX_ATTEMPTS && may_pass(&error) => {
                    sleep(pause(&self.settings, tries)).await;
                    tries += 1;
                }
                result => return result,
            }
        }
    }

    pub(crate) async fn list(&self) -> object_store::Result<BTreeMap<String, u64>> {
        let prefix = (!self.prefix.as_ref().is_empty()).then_some(&self.prefix);
        let mut listed = self.client.list(prefix);
        let mut objects = BTreeMap::new();
        while let Some(object) = listed.try_next().await? {
            let Some(parts) = object.location.prefix_match(&self.prefix) else { continue };
            let name = parts.map(|part| part.as_ref().to_owned()).collect::<Vec<_>>().join("/");
            // The URL itself may be an object, since some programs create folders so.
            if !name.is_empty() {
                objects.insert(name, object.size);
            }
        }
        Ok(objects)
    }

    pub(crate) async fn read(&self, key: &Path) -> object_store::Result<Option<Vec<u8>>> {
        match self.client.get(key).await {
            Ok(found) => Ok(Some(found.bytes().await?.to_vec())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn remove(&self, key: &Path) -> object_store::Result<()> {
        match self.client.delete(key).await {
            Err(Error::NotFound { .. }) => Ok(()),
            removed => removed,
        }
    }
}

/// Returns whether a retry may succeed.
fn may_pass(error: &Error) -> bool {
    // A retry does not help against errors of this machine.
    let is_here = matches!(error, Error::Generic { source, .. } if source.is::<io::Error>());
    !is_here
        && !matches!(
            error,
            Error::PermissionDenied { .. }
                | Error::Unauthenticated { .. }
                | Error::NotSupported { .. }
                | Error::InvalidPath { .. }
                | Error::UnknownConfigurationKey { .. }
        )
}
