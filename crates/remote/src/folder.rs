//! What lies below one address of a store, as a run writes it.

use crate::address::Address;
use crate::backoff::pause;
use crate::clients;
use crate::fault;
use crate::settings::Settings;
use crate::shared::{BASE_BYTES, Shared};
use crate::upload::{PART_BYTES, PARTS, upload_all};
use futures_util::{StreamExt, TryStreamExt, stream};
use huller_archive::{OutputStore, Upload, shown};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How often something is begun anew after the client of the store has given it up. That has made each of its requests again already, so
/// this is for what it never makes again: an answer whose body broke off, or that came after the work had been done.
const TRIES: usize = 4;

/// How long to wait for the answer to a part. A part is sent whole before its answer comes, so this bounds how slow a line may be.
const ANSWER: Duration = Duration::from_mins(2);

/// Requests that are made at once where they are small.
const AT_ONCE: usize = 8;

/// The objects below one address.
#[derive(Debug)]
pub(crate) struct Folder {
    shared: Arc<Shared>,
    pub(crate) objects: Objects,
}

/// What tasks need to reach them.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    pub(crate) client: Arc<dyn ObjectStore>,
    /// Key of the address; empty for the whole bucket.
    prefix: Path,
    /// The address without what is secret, and without `/` at its end.
    shown: Arc<str>,
    pub(crate) settings: Settings,
}

impl Folder {
    pub(crate) fn open(
        shared: Arc<Shared>,
        address: &str,
        settings: &Settings,
    ) -> io::Result<Folder> {
        let Address { holder, path } = Address::parse_folder(address)?;
        let settings = Settings { idle: settings.idle.max(ANSWER), ..settings.clone() };
        let client = clients::client(&holder, &settings).map_err(|error| fault::of(&error))?;
        let shown = shown(std::path::Path::new(address)).display().to_string();
        let shown = Arc::from(shown.trim_end_matches('/'));
        Ok(Folder { shared, objects: Objects { client, prefix: path, shown, settings } })
    }
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

    /// Tries until something succeeds, is refused for good, or has been tried often enough. Each trial ends in time by itself.
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

    async fn list(&self) -> object_store::Result<BTreeMap<String, u64>> {
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

    async fn read(&self, key: &Path) -> object_store::Result<Option<Vec<u8>>> {
        match self.client.get(key).await {
            Ok(found) => Ok(Some(found.bytes().await?.to_vec())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn remove(&self, key: &Path) -> object_store::Result<()> {
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

impl OutputStore for Folder {
    fn address(&self) -> &str {
        &self.objects.shown
    }

    fn check_name(&self, name: &str) -> io::Result<()> {
        self.objects.key(name).map(|_| ())
    }

    fn list(&self) -> io::Result<BTreeMap<String, u64>> {
        let objects = &self.objects;
        self.within(objects.again(|| objects.list()))
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let (objects, key) = (&self.objects, &self.objects.key(name)?);
        self.within(objects.again(|| objects.read(key)))
    }

    fn write(&self, name: &str, bytes: Vec<u8>) -> io::Result<()> {
        let (objects, key) = (&self.objects, &self.objects.key(name)?);
        let bytes = object_store::PutPayload::from(bytes);
        self.within(objects.again(|| objects.client.put(key, bytes.clone()))).map(|_| ())
    }

    fn upload(&self, files: &[Upload], stop: &AtomicBool) -> io::Result<()> {
        self.shared.wait_for(upload_all(&self.objects, files, stop))
    }

    fn remove(&self, names: &[String]) -> io::Result<()> {
        let keys: Vec<_> = names.iter().map(|it| self.objects.key(it)).collect::<Result<_, _>>()?;
        let objects = &self.objects;
        let removals = keys.iter().map(|key| objects.again(move || objects.remove(key)));
        let all = stream::iter(removals).buffer_unordered(AT_ONCE).try_collect::<Vec<()>>();
        self.within(all).map(|_| ())
    }

    fn held_bytes(&self) -> usize {
        BASE_BYTES + PARTS * PART_BYTES
    }
}

impl Folder {
    /// Waits for what the store gives, within reason. A listing or removal of very many objects takes many requests, each with its own time.
    fn within<T>(&self, what: impl Future<Output = object_store::Result<T>>) -> io::Result<T> {
        let longest = self.objects.settings.longest.saturating_mul(TRIES as u32 * 2);
        let ended = self.shared.wait_for(async { timeout(longest, what).await });
        match ended {
            Ok(result) => result.map_err(|error| fault::of(&error)),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}
