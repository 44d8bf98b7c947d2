//! The objects below one address, asked for one by one.

use crate::backoff::pause;
use crate::settings::Settings;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use tokio::time::sleep;

/// How often something is begun anew after the client of the store has given it up. That has made
/// each of its requests again already, so this is for what it never makes again: an answer whose
/// body broke off, or that came after the work had been done.
pub(crate) const TRIES: usize = 4;

/// These objects, and the client that reaches them.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    pub(crate) client: Arc<dyn ObjectStore>,
    /// Key of the address; empty for the whole bucket.
    pub(crate) prefix: Path,
    /// The address without what is secret, and without `/` at its end.
    pub(crate) shown: Arc<str>,
    pub(crate) settings: Settings,
}

impl Objects {
    /// The key of a name.
    pub(crate) fn key(&self, name: &str) -> io::Result<Path> {
        let key = match self.prefix.as_ref() {
            "" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        };
        let refused = |_| {
            let what = "no object of a store can be called so: control characters, `.`, `..` and empty parts are not written";
            io::Error::new(io::ErrorKind::InvalidFilename, what)
        };
        Path::parse(key).map_err(refused)
    }

    /// Tries until something succeeds, is refused for good, or has been tried often enough. Each
    /// trial ends in time by itself.
    pub(crate) async fn again<T, F: Future<Output = object_store::Result<T>>>(
        &self,
        mut attempt: impl FnMut() -> F,
    ) -> object_store::Result<T> {
        let mut tries = 1;
        loop {
            match attempt().await {
                Err(error) if tries < TRIES && may_pass(&error) => {
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
            // The address itself may be an object, as some programs make folders.
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

/// Whether it may go better the next time.
fn may_pass(error: &Error) -> bool {
    // What went wrong on this machine is no better for being tried again.
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
