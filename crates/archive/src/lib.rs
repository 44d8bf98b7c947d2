//! Bytes to records.
//!
//! This crate turns archives of web pages (WARC, JSONL or CSV; plain, gzip or zstd; Parquet) into
//! records. Of HTML it knows only the `<meta>` prescan that the charset needs and the first tags of
//! a page. It starts no threads, and never trusts a length that the input claims.
//!
//! # The types, and how they meet
//!
//! * [`Input`] opens one file or stream, finds out by its first bytes what it is ([`Format`],
//!   [`Container`]), and hands it out in [`Batch`]es. A record-compressed file it only *cuts*, at
//!   members that begin with a WARC record, without inflating what lies between. Such a batch holds
//!   about [`Limits::batch_bytes`] of the file, and any worker can unpack it, in any order.
//! * [`Unpacker`] belongs to one worker. It decodes the members of a batch into its own buffer and
//!   shows every [`Record`] and every [`Fault`] to a [`Visitor`], in file order.
//! * [`RecordStream`] reads from start to end: it decodes any container, goes on after damage,
//!   finds the records, and fills batches with them. [`Input`] uses it for everything that can't be
//!   cut (files compressed as a whole, standard input, plain files), and for stretches at which the
//!   fast path stopped.
//! * [`PageReader`] turns a record, line or file into a [`RawPage`]. It is the one way from entries
//!   to pages.
//! * [`PageRecord`] decides whether a record holds a page.
//! * [`Http`] reads the head of a response and undoes chunking and content encodings.
//! * [`jsonl`] reads a line. Rows of tables, CSV or Parquet, come as such lines.
//! * [`charset`] finds the encoding of a page in the order of the HTML standard and gives UTF-8.
//!
//! # Two speeds, one result
//!
//! A record-compressed WARC is nearly always undamaged. So the fast path ([`Unpacker`]) handles
//! only that case: a member that inflates with a right checksum, ends inside its batch, and whose
//! data are whole records, from the `WARC/` of the first to the end of the last. Anything else
//! makes it stop and say where ([`Unpacked::StoppedAt`]). Its caller then opens a [`RecordStream`]
//! at that offset, which alone decides what the damage costs, and reads from it until it stands
//! exactly at the start of a later batch. So the records found in a file never depend on where it
//! was cut.
//!
//! # One record, step by step
//!
//! `Input` reads 1 MiB and looks for the last `1f 8b 08` whose first bytes inflate to `WARC/`; the
//! bytes before it are the batch. A worker inflates the first member with libdeflate into a reused
//! buffer and parses the WARC header in place. It then calls [`Visitor::record`] with a [`Record`]
//! that borrows header and block from that buffer. The visitor asks a [`PageReader`] for the page.
//! [`Http`] reads the head and removes the chunking of the body in place. An encoded body is
//! decoded into a second buffer of the worker.

mod arc;
mod batch;
mod bundle;
pub mod charset;
mod container;
mod csv;
mod damage;
mod dialect;
mod error;
mod format;
mod http;
mod index;
mod input_kind;
pub mod jsonl;
mod latin1;
mod limits;
mod planned;
mod raw_page;
mod record;
mod room;
mod start_tags;
mod store;
mod stream;
mod table;
mod unpack;
mod wacz;
mod warc;

pub use batch::{Batch, Entry, Packing};
pub use bundle::FileKind;
pub use charset::{Charset, CharsetSource};
pub use damage::repairer::Repairer;
pub use damage::zeros::hole_in;
pub use error::ArchiveError;
pub use format::{Container, Format};
pub use http::sniff::{is_binary, looks_like_html};
pub use http::{
    BodyFault, Chunking, ContentEncoding, ContentEncodings, DecodedBody, Decoder, HeadFault, Http,
    HttpHead, charset_parameter, is_html_media_type,
};
pub use index::{Index, IndexEntry};
pub use input_kind::InputKind;
pub use jsonl::{JsonlFault, JsonlKeys, JsonlPage, JsonlReader, JsonlReason};
pub use latin1::utf8_or_latin1;
pub use limits::Limits;
pub use planned::file::PlannedRecords;
pub use planned::plan::{Planned, planned_seen};
pub use raw_page::{PageContent, PageReader, RawPage};
pub use record::{ArchivedFile, Fault, FaultReason, Position, Record, RecordType, Repair, Visitor};
pub use room::Room;
pub use start_tags::{BYTES_PER_TAG, start_tags};
pub use store::address::{below, beside, is_remote, shown};
pub use store::detect::SEARCHED_BYTES;
pub use store::input::Input;
pub use store::input_file::InputFile;
pub use store::output_store::{OutputStore, Upload};
pub use store::remote::{RemoteFile, Store};
pub use store::seen::{InputDigest, PrefixDigest, Seen};
pub use store::stores::{NO_STORE, Stores};
pub use stream::{Reached, RecordStream};
pub use table::rows::TableRows;
pub use unpack::{Unpacked, Unpacker};
pub use wacz::contents::{WaczArchive, wacz_archives};
pub use wacz::digests::check_wacz;
pub use warc::header::{ContentLengthError, WarcHeader};
pub use warc::page::{NotAPage, PageBody, PageRecord};
pub use warc::truncation::Truncation;

/// What crates.io shows, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
