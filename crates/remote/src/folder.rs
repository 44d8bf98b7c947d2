//! Writes outputs of a run below one URL of a store.

use crate::address::Address;
use crate::clients;
use crate::io_error;
use crate::objects::{MAX_ATTEMPTS, Objects};
use crate::settings::Settings;
use crate::shared_resources::{BASE_BYTES, SharedResources};
use crate::upload::{PART_BYTES, PARTS, upload_all};
use futures_util::{StreamExt, TryStreamExt, stream};
use huller_archive::{OutputStore, Upload, redact_url};
use object_store::ObjectStoreExt;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::time::timeout;

/// Longest wait for the answer to a part. A part is sent completely before its answer comes, so
/// this also limits how slow a line may be.
const ANSWER: Duration = Duration::from_mins(2);

/// Number of simultaneous small requests.
const MAX_CONCURRENT_REQUESTS: usize = 8;

/// The objects below one URL.
#[derive(Debug)]
pub(crate) struct Folder {
    shared: Arc<SharedResources>,
    pub(crate) objects: Objects,
}

impl Folder {
    pub(crate) fn open(
        shared: Arc<SharedResources>,
        address: &str,
        settings: &Settings,
    ) -> io::Result<Folder> {
        let Address { backend, path } = Address::parse_folder(address)?;
        let settings = Settings { idle: settings.idle.max(ANSWER), ..settings.clone() };
        let client =
            clients::client(&backend, &settings).map_err(|error| io_error::to_io_error(&error))?;
        let shown = redact_url(std::path::Path::new(address)).display().to_string();
        let shown = Arc::from(shown.trim_end_matches('/'));
        Ok(Folder { shared, objects: Objects { client, prefix: path, shown, settings } })
    }
}

impl OutputStore for Folder {
    fn display_url(&self) -> &str {
        &self.objects.shown
    }

    fn check_name(&self, name: &str) -> io::Result<()> {
        self.objects.key(name).map(|_| ())
    }

    fn list(&self) -> io::Result<BTreeMap<String, u64>> {
        let objects = &self.objects;
        self.with_timeout(objects.retry(|| objects.list()))
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let (objects, key) = (&self.objects, &self.objects.key(name)?);
        self.with_timeout(objects.retry(|| objects.read(key)))
    }

    fn write(&self, name: &str, bytes: Vec<u8>) -> io::Result<()> {
        let (objects, key) = (&self.objects, &self.objects.key(name)?);
        let bytes = object_store::PutPayload::from(bytes);
        self.with_timeout(objects.retry(|| objects.client.put(key, bytes.clone()))).map(|_| ())
    }

    fn upload(&self, files: &[Upload], stop: &AtomicBool) -> io::Result<()> {
        self.shared.block_on(upload_all(&self.objects, files, stop))
    }

    fn remove(&self, names: &[String]) -> io::Result<()> {
        let keys: Vec<_> = names.iter().map(|it| self.objects.key(it)).collect::<Result<_, _>>()?;
        let objects = &self.objects;
        let removals = keys.iter().map(|key| objects.retry(move || objects.remove(key)));
        let all = stream::iter(removals)
            .buffer_unordered(MAX_CONCURRENT_REQUESTS)
            .try_collect::<Vec<()>>();
        self.with_timeout(all).map(|_| ())
    }

    fn max_memory_bytes(&self) -> usize {
        BASE_BYTES + PARTS * PART_BYTES
    }
}

impl Folder {
    /// Waits for a result of the store, up to a limit. A listing or removal of very many objects
    /// takes many requests, each with its own limit.
    fn with_timeout<T>(
        &self,
        what: impl Future<Output = object_store::Result<T>>,
    ) -> io::Result<T> {
        let longest = self.objects.settings.longest.saturating_mul(MAX_ATTEMPTS as u32 * 2);
        let ended = self.shared.block_on(async { timeout(longest, what).await });
        match ended {
            Ok(result) => result.map_err(|error| io_error::to_io_error(&error)),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}
