//! Uploads files as objects: in one request, or in parts that the store joins at the end.

use crate::io_error;
use crate::objects::Objects;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use huller_archive::Upload;
use object_store::path::Path;
use object_store::{Error, MultipartUpload, ObjectStoreExt, PutPayload, Result};
use std::fs::File;
use std::io::{self, Read};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

/// Size of a part in bytes. Stores require at least 5 MiB, and some require parts of one size.
pub(crate) const PART_BYTES: usize = 8 << 20;

/// Most parts of all files together that are held and sent at once.
pub(crate) const PARTS: usize = 4;

/// Most parts that stores join.
const MAX_PARTS: u64 = 10_000;

/// Interval between checks of the stop flag.
const ASKED: Duration = Duration::from_millis(50);

/// Longest wait for the store to discard the parts of an aborted upload.
const FORGET: Duration = Duration::from_secs(10);

/// Uploads files, several at once. Ends soon after `stop` is set.
pub(crate) async fn upload_all(
    objects: &Objects,
    files: &[Upload],
    stop: &AtomicBool,
) -> io::Result<()> {
    let permit = &Semaphore::new(PARTS);
    let uploads = files.iter().map(|file| upload(objects, file, permit, stop));
    stream::iter(uploads).buffer_unordered(PARTS).try_collect::<Vec<()>>().await.map(|_| ())
}

async fn upload(
    objects: &Objects,
    file: &Upload,
    permit: &Semaphore,
    stop: &AtomicBool,
) -> io::Result<()> {
    let key = &objects.key(&file.name)?;
    let sent = objects.retry(|| attempt_upload(objects, file, key, permit, stop)).await;
    if stop.load(Ordering::Relaxed) && sent.is_err() {
        return Err(stopped_error());
    }
    sent.map_err(|error| io_error::to_io_error(&error))
}

fn stopped_error() -> io::Error {
    io::Error::new(io::ErrorKind::Interrupted, "the upload was stopped")
}

/// Waits until `stop` is set.
async fn wait_for_stop(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        sleep(ASKED).await;
    }
}

/// Makes one attempt to upload a file.
async fn attempt_upload(
    objects: &Objects,
    file: &Upload,
    key: &Path,
    permit: &Semaphore,
    stop: &AtomicBool,
) -> Result<()> {
    if stop.load(Ordering::Relaxed) {
        return Err(wrap_error(stopped_error()));
    }
    let put = if file.bytes <= PART_BYTES as u64 {
        let _room = permit.acquire().await.map_err(closed)?;
        let bytes = read_part(open(file)?, file.bytes, true).await?.1;
        let put = pin!(objects.client.put(key, bytes.into()));
        match select(put, pin!(wait_for_stop(stop))).await {
            Either::Left((put, _)) => put?,
            Either::Right(_) => return Err(wrap_error(stopped_error())),
        }
    } else {
        let mut parts = objects.client.put_multipart(key).await?;
        let sent = {
            let sending = pin!(send(&mut *parts, file, permit));
            match select(sending, pin!(wait_for_stop(stop))).await {
                Either::Left((sent, _)) => sent,
                Either::Right(_) => Err(wrap_error(stopped_error())),
            }
        };
        let completed = match sent {
            Ok(()) => parts.complete().await,
            Err(error) => Err(error),
        };
        if completed.is_err() {
            // Parts that stay cost their owner money until the store's own rule removes them, but
            // have no other effect.
            let _ = timeout(FORGET, parts.abort()).await;
        }
        completed?
    };
    let there = objects.client.head(key).await?;
    let is_other = matches!((&put.e_tag, &there.e_tag), (Some(put), Some(there)) if put != there);
    if there.size != file.bytes || is_other {
        let what = format!("{} bytes were sent, but the object has {}", file.bytes, there.size);
        return Err(Error::Generic { store: "huller", source: what.into() });
    }
    Ok(())
}

/// Sends all parts of a file.
async fn send(parts: &mut dyn MultipartUpload, file: &Upload, permit: &Semaphore) -> Result<()> {
    let part = file.bytes.div_ceil(MAX_PARTS).max(PART_BYTES as u64);
    // A file of more than 80 GB has larger parts, so fewer of them are sent at once.
    let held = u32::try_from(part.div_ceil(PART_BYTES as u64)).unwrap_or(u32::MAX);
    let held = held.min(PARTS as u32);
    let mut open = open(file)?;
    let mut left = file.bytes;
    let mut sending = FuturesUnordered::new();
    while left > 0 {
        // Parts on their way must progress while this waits for a permit.
        let permit = loop {
            let acquired = pin!(permit.acquire_many(held));
            if sending.is_empty() {
                break acquired.await.map_err(closed)?;
            }
            match select(acquired, sending.next()).await {
                Either::Left((permit, _)) => break permit.map_err(closed)?,
                Either::Right((sent, _)) => sent.unwrap_or(Ok(()))?,
            }
        };
        let length = left.min(part);
        left -= length;
        let (again, bytes) = read_part(open, length, left == 0).await?;
        open = again;
        let sent = parts.put_part(PutPayload::from(bytes));
        sending.push(sent.map(move |sent| {
            drop(permit);
            sent
        }));
    }
    while let Some(sent) = sending.next().await {
        sent?;
    }
    Ok(())
}

fn open(file: &Upload) -> Result<File> {
    File::open(&file.path).map_err(wrap_error)
}

/// Reads the next bytes of a file, and returns the file again. A file that is shorter or longer
/// than expected is an error.
async fn read_part(mut file: File, length: u64, is_last: bool) -> Result<(File, Vec<u8>)> {
    let read = spawn_blocking(move || {
        let mut bytes = vec![0; length as usize];
        file.read_exact(&mut bytes)?;
        if is_last && file.read(&mut [0])? > 0 {
            return Err(io::Error::other("the file has grown since it was finished"));
        }
        Ok((file, bytes))
    });
    read.await.map_err(|error| wrap_error(io::Error::other(error)))?.map_err(wrap_error)
}

fn closed(error: tokio::sync::AcquireError) -> Error {
    wrap_error(io::Error::other(error))
}

/// Wraps an error of this machine.
fn wrap_error(error: io::Error) -> Error {
    Error::Generic { store: "huller", source: Box::new(error) }
}
