//! Reads inputs from object stores (`s3://`, `gs://`, `az://`) and web servers (`https://`,
//! `http://`), and writes outputs to folders in object stores.
//!
//! [`Remote`] is a [`Store`](huller_archive::Store). A program that is built with the feature
//! `remote` passes it to the archive reader. The crate `object_store` makes requests and signatures
//! and reads credentials. This crate adds the reading of files: in ranges, ahead of the reader by a
//! bounded number of bytes, and all in one version.
//!
//! # The types and how they work together
//!
//! * [`Remote`] opens URLs. For the first URL it starts a runtime of one thread, which it keeps,
//!   and creates a client for the bucket or host. Before that it uses no resources.
//! * `Address` (`address.rs`) parses a URL; `Clients` (`clients.rs`) has a client of `object_store`
//!   for each bucket or host.
//! * `connector.rs` stops the retries to hosts that never answer.
//! * `Object` (`fetch.rs`) fetches one range: request, body, and their errors. All retries of reads
//!   are in this module.
//! * `Source` (`source.rs`) is an open file: its length and identity from the first answer, and the
//!   first bytes from it. `File` (`file.rs`) is the [`RemoteFile`](huller_archive::RemoteFile) over
//!   it. All files share the runtime and a budget of bytes (`shared_resources.rs`).
//! * `Stream` (`stream.rs`) reads a file in order. It requests pieces in advance while the budget
//!   of [`Settings::read_ahead`] allows.
//! * `Folder` (`folder.rs`) is the [`OutputStore`](huller_archive::OutputStore) at a URL: `Objects`
//!   (`objects.rs`) lists, reads and removes objects, and `upload.rs` uploads files.
//! * `io_error.rs` converts errors into messages without secrets.
//!
//! # One read, step by step
//!
//! `Input::open_in` opens `https://host/a.warc.gz`. One request fetches its first 64 KiB. The
//! answer (206) has the length (`Content-Range`) and the identity (`ETag`, else `Last-Modified`).
//! Its bytes are kept; the format is detected by them. The archive reader then cuts the file into
//! batches, and therefore reads it in order: `InputFile` opens a `Stream`. Its first piece is 256
//! KiB, and each is twice as long as the one before, up to 4 MiB. From half a MiB on, the stream
//! requests further pieces while the reader is busy with the first. Each piece takes its length
//! from a shared budget of [`Settings::read_ahead`] bytes, and returns it when it has been read. If
//! the budget is used up, no piece is requested in advance. A piece that the reader waits for is
//! then 256 KiB long, so reading always continues.
//!
//! A piece is a request for a range, with `If-Match` if the server sent an `ETag`. The client
//! retries answers of 500 and above, 429 and 408, and failed connections, after a pause, which is
//! random and doubles on average. If a body breaks off, ends too early, or sends no bytes for
//! [`Settings::idle`], the rest is requested from that byte on. Every answer must have the length
//! and identity of the first. Status 412, or a difference in either, means that the file changed,
//! which ends the input. An error that remains after [`Settings::retries`], or after
//! [`Settings::longest`] for one piece, ends the input too.
//!
//! If a batch is damaged, a worker opens the same file again at another offset. It gets a separate
//! `Stream` with the same budget.
//!
//! # One upload, step by step
//!
//! A file of up to 8 MiB is one request. A larger one is uploaded in parts of 8 MiB. At most four
//! parts are held and sent at once, for any number of files. The object exists only after the store
//! has joined the parts. Every request to S3 has a SHA-256, which the store compares with the
//! received bytes. Afterwards this crate requests length and `ETag` of the object. If an upload
//! still fails after the client's own retries, it starts again a few times. For an aborted upload
//! the store is asked to discard the parts.
//!
//! # Secrets
//!
//! Credentials come only from the environment, as `object_store` reads it. User and password of a
//! URL become a header, and the query after `?` is sent unchanged; neither appears in an error.
//! `object_store` puts URLs into its errors, so their texts pass through `io_error.rs`.
//!
//! # Example
//!
//! ```no_run
//! use huller_archive::{Input, Limits, Stores};
//! use huller_remote::{Remote, Settings};
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! let stores = Stores::with_store(Arc::new(Remote::new(Settings::default())));
//! let mut input = Input::open_in(&stores, Path::new("https://host/a.warc.gz"), &Limits::default())?;
//! # Ok::<(), huller_archive::ArchiveError>(())
//! ```

mod address;
mod backoff;
mod clients;
mod connector;
mod fetch;
mod file;
mod folder;
mod io_error;
mod objects;
mod remote;
mod settings;
mod shared_resources;
mod source;
mod stream;
mod upload;

pub use remote::Remote;
pub use settings::Settings;
