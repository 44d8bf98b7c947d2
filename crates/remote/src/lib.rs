//! Files in object stores (`s3://`, `gs://`, `az://`) and on web servers (`https://`, `http://`) as
//! inputs, and folders in stores for outputs.
//!
//! [`Remote`] is the [`Store`](huller_archive::Store) that the program gives the archive reader
//! where it was built with the feature `remote`. Requests, signatures and credentials are those of
//! the crate `object_store`; what this crate adds is how files are read: in ranges, ahead of the
//! reader by a bounded number of bytes, and all of one version.
//!
//! # The types, and how they meet
//!
//! * [`Remote`] opens addresses. It holds nothing until the first one: then it starts a runtime of
//!   one thread, which it keeps, and makes a client for the bucket or host.
//! * An address is taken apart by `Address` (`address.rs`); `Clients` (`clients.rs`) has a client
//!   of `object_store` for each bucket or host.
//! * `connector.rs` gives up hosts that never answer.
//! * `Object` (`fetch.rs`) fetches one range: request, body, and what went wrong with them.
//!   Everything that may be tried again is tried again there, and nowhere else.
//! * `Source` (`source.rs`) is an open file: its length and identity as the first answer told them,
//!   and the beginning that came with it. `File` (`file.rs`) is the
//!   [`RemoteFile`](huller_archive::RemoteFile) over it. All share the runtime and an account of
//!   bytes (`shared.rs`).
//! * `Stream` (`stream.rs`) reads a file in order. It asks for pieces before they are wanted, as
//!   long as [`Settings::read_ahead`] has room.
//! * `Folder` (`folder.rs`) is the [`OutputStore`](huller_archive::OutputStore) at an address:
//!   `Objects` (`objects.rs`) lists, reads and removes what is there, and `upload.rs` makes objects
//!   of files.
//! * `fault.rs` turns what went wrong into words that give away no secret.
//!
//! # The walk of one read
//!
//! `Input::open_in` opens `https://host/a.warc.gz`. One request asks for its first 64 KiB: the
//! answer (206) tells the length (`Content-Range`), the identity (`ETag`, else `Last-Modified`),
//! and brings the bytes by which the format is found out, which are kept. The archive reader then
//! cuts the file into batches, and so reads it in order: `InputFile` opens a `Stream`. Its first
//! piece is 256 KiB, and each is twice as long as the one before, up to 4 MiB. From half a MiB on
//! further pieces are asked for while the reader is busy with the first; each takes its length from
//! a common account of [`Settings::read_ahead`] bytes, and gives it back when it has been read. A
//! piece for which there is no room in the account is not asked for ahead, and if the reader waits
//! for it, it is 256 KiB long, so reading never stands still.
//!
//! A piece is a request for a range, with `If-Match` if the server gave an `ETag`. Answers of 500
//! and above, 429 and 408, and connections that fail, are asked again after a pause, which is
//! random and doubles in the mean. Where a body breaks off, ends too early, or stands still for
//! [`Settings::idle`], the rest is asked for from that byte on. Every answer must be of the length
//! and identity of the first; 412, or another of them, means that the file changed, which ends the
//! input. So does whatever is still wrong after [`Settings::retries`], or after
//! [`Settings::longest`] for one piece.
//!
//! Where a batch is damaged, a worker opens the same file again at a byte of its own: that is a
//! `Stream` of its own, with the same account.
//!
//! # The walk of one upload
//!
//! A file of up to 8 MiB is one request. A larger one is an upload in parts of 8 MiB, four of which
//! are held and on their way at once, whatever the number of files; the object is there when the
//! store has put them together, and not before. To S3 every request tells a SHA-256, which the
//! store compares with what it got. Then the store is asked for length and `ETag` of the object.
//! What went wrong after the client of the store has made its request again often enough is begun
//! anew a few times; an upload that is given up is forgotten by the store.
//!
//! # Secrets
//!
//! Credentials come from the environment alone, as `object_store` reads it. User and password of a
//! URL become a header, and what follows `?` is sent as it is; neither is in any error.
//! `object_store` puts URLs into its errors, so their texts pass through `fault.rs`.
//!
//! # Example
//!
//! ```no_run
//! use huller_archive::{Input, Limits, Stores};
//! use huller_remote::{Remote, Settings};
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! let stores = Stores::of(Arc::new(Remote::new(Settings::default())));
//! let mut input = Input::open_in(&stores, Path::new("https://host/a.warc.gz"), &Limits::default())?;
//! # Ok::<(), huller_archive::ArchiveError>(())
//! ```

mod address;
mod backoff;
mod clients;
mod connector;
mod fault;
mod fetch;
mod file;
mod folder;
mod objects;
mod remote;
mod settings;
mod shared;
mod source;
mod stream;
mod upload;

pub use remote::Remote;
pub use settings::Settings;
