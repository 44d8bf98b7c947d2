//! Fetches one range of a file, with retries.

use crate::backoff::pause;
use crate::io_error;
use crate::settings::Settings;
use futures_util::StreamExt;
use huller_archive::redact_url;
use object_store::path::Path;
use object_store::{GetOptions, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt};
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::time::{sleep, timeout};

/// A remote file from which ranges can be requested.
#[derive(Clone)]
pub(crate) struct Object {
    pub(crate) client: Arc<dyn ObjectStore>,
    pub(crate) path: Path,
    pub(crate) settings: Settings,
    /// Counter of the received bytes.
    pub(crate) got: Arc<AtomicU64>,
    /// The URL without its secret parts.
    pub(crate) shown: Arc<str>,
}

impl std::fmt::Debug for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Object").field(&self.shown).finish()
    }
}

/// The identifying properties of one version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    /// Length in bytes.
    pub(crate) len: u64,
    e_tag: Option<String>,
    /// `ETag`, or else the time of the last change.
    pub(crate) identity: Option<String>,
}

impl Version {
    fn from_meta(meta: &ObjectMeta) -> Version {
        // If the server does not state it, the client returns 1970.
        let time =
            (meta.last_modified.timestamp_millis() != 0).then(|| meta.last_modified.to_rfc3339());
        let e_tag = meta.e_tag.clone();
        Version { len: meta.size, identity: e_tag.clone().or(time), e_tag }
    }

    /// Returns the `ETag` if it can be used as a condition. A weak one never matches, so it returns
    /// `None`.
    fn condition(&self) -> Option<String> {
        self.e_tag.clone().filter(|tag| !tag.starts_with("W/"))
    }
}

impl Object {
    pub(crate) fn new(
        client: Arc<dyn ObjectStore>,
        path: Path,
        address: &str,
        settings: &Settings,
        got: &Arc<AtomicU64>,
    ) -> Object {
        let shown = redact_url(std::path::Path::new(address)).display().to_string();
        let (settings, got) = (settings.clone(), Arc::clone(got));
        Object { client, path, settings, got, shown: Arc::from(shown) }
    }

    /// Fetches the first bytes, up to `most`, and the version of the file.
    pub(crate) async fn begin(&self, most: u64) -> io::Result<(Vec<u8>, Version)> {
        let (mut bytes, mut version) = (Vec::new(), None);
        let begun = self.with_timeout(self.range(&mut bytes, 0..most, &mut version)).await;
        match (begun, version) {
            (Ok(()), Some(version)) => Ok((bytes, version)),
            (Err(Failure::Beyond(error)), _) => {
                // An empty file has no first byte.
                let head =
                    self.with_timeout(async { Ok(self.client.head(&self.path).await) }).await;
                match head.map_err(Failure::into_error)? {
                    Ok(meta) if meta.size == 0 => Ok((Vec::new(), Version::from_meta(&meta))),
                    _ => Err(error),
                }
            }
            (Err(failure), _) => Err(failure.into_error()),
            (Ok(()), None) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Fetches the bytes of a range in this version. The range must be in the file.
    pub(crate) async fn fetch(&self, range: Range<u64>, version: &Version) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
        let mut known = Some(version.clone());
        let fetched = self.with_timeout(self.range(&mut bytes, range, &mut known)).await;
        fetched.map_err(Failure::into_error)?;
        Ok(bytes)
    }

    /// Waits for a future, at most [`Settings::longest`].
    async fn with_timeout<T>(
        &self,
        what: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let longest = self.settings.longest;
        timeout(longest, what).await.unwrap_or_else(|_| {
            let what = format!("downloading a part of it took longer than {} s", longest.as_secs());
            Err(Failure::Final(io::Error::new(io::ErrorKind::TimedOut, what)))
        })
    }

    /// Fills `bytes` with a range, which is cut at the end of the file. Sets `version` if it is
    /// unknown.
    async fn range(
        &self,
        bytes: &mut Vec<u8>,
        range: Range<u64>,
        version: &mut Option<Version>,
    ) -> Result<(), Failure> {
        let mut broken = 0;
        loop {
            let start = range.start + bytes.len() as u64;
            let condition = version.as_ref().and_then(Version::condition);
            let options =
                GetOptions::new().with_range(Some(start..range.end)).with_if_match(condition);
            let answer = self.client.get_opts(&self.path, options).await.map_err(|error| {
                if io_error::is_range_not_satisfiable(&error) && version.is_none() {
                    Failure::Beyond(io_error::to_io_error(&error))
                } else {
                    Failure::Final(io_error::to_io_error(&error))
                }
            })?;
            let now = Version::from_meta(&answer.meta);
            if *version.get_or_insert_with(|| now.clone()) != now {
                return Err(Failure::Final(io_error::changed_error()));
            }
            let end = range.end.min(now.len);
            if answer.range != (start..end) {
                return Err(Failure::Final(io::Error::other(
                    "the server returned another part of it than was requested",
                )));
            }
            let Err(why) = self.body(answer, bytes, end - range.start).await else { return Ok(()) };
            broken += 1;
            if broken > self.settings.retries {
                let at = range.start + bytes.len() as u64;
                let what = format!(
                    "the connection broke off {broken} times, last at byte {at}: \
                    {why}"
                );
                return Err(Failure::Final(io::Error::other(what)));
            }
            sleep(pause(&self.settings, broken)).await;
        }
    }

    /// Adds a body to `bytes`, until they have the length `wanted`. The error is the reason why the
    /// body is incomplete.
    async fn body(
        &self,
        answer: GetResult,
        bytes: &mut Vec<u8>,
        wanted: u64,
    ) -> Result<(), String> {
        let mut body = answer.into_stream();
        while (bytes.len() as u64) < wanted {
            match timeout(self.settings.idle, body.next()).await {
                Ok(Some(Ok(more))) => {
                    self.got.fetch_add(more.len() as u64, Ordering::Relaxed);
                    // A body that is too long is cut.
                    let permit = wanted - bytes.len() as u64;
                    let permit = usize::try_from(permit).unwrap_or(usize::MAX);
                    bytes.extend_from_slice(&more[..more.len().min(permit)]);
                }
                Ok(Some(Err(error))) => return Err(io_error::to_io_error(&error).to_string()),
                Ok(None) => return Err("the body ended early".to_owned()),
                Err(_) => {
                    let seconds = self.settings.idle.as_secs_f32();
                    return Err(format!("no data arrived for {seconds} s"));
                }
            }
        }
        Ok(())
    }
}

/// The reason why a range cannot be fetched.
enum Failure {
    /// The range begins after the last byte of the file.
    Beyond(io::Error),
    /// A retry is useless, or the retries are used up.
    Final(io::Error),
}

impl Failure {
    fn into_error(self) -> io::Error {
        match self {
            Failure::Beyond(error) | Failure::Final(error) => error,
        }
    }
}
