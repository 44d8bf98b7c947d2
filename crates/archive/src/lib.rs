//! Reads records from archives of web pages, for the `huller` commands that extract, select and
//! verify.
//!
//! The formats are WARC, ARC, WACZ, ZIP and tar of pages, JSONL, CSV and Parquet. All but WACZ, ZIP
//! and Parquet may be compressed by gzip, zstd or LZ4. The crate parses HTML only for the `<meta>`
//! prescan of the charset and for the first tags of a page. It starts no threads. It checks each
//! length that the input claims against the bytes and the limits.
//!
//! # The types and how they work together
//!
//! * [`Input`] opens one file or stream, detects its [`Format`] and [`Container`] by the first
//!   bytes, and divides it into [`Batch`]es. It only *cuts* a record-compressed file: a cut is at a
//!   member that begins with a record, and the bytes between stay compressed. Such a batch holds
//!   about [`Limits::batch_bytes`] of the file. Any worker can unpack it, in any order.
//! * [`Unpacker`] belongs to one worker. It decodes the members of a batch into its own buffer and
//!   passes every [`Record`] and every [`Fault`] to a [`Visitor`], in file order.
//! * [`RecordStream`] reads from start to end. It decodes any container, continues after damage,
//!   finds the records, and fills batches with them. An [`Input`] uses it for inputs that cannot be
//!   cut: files compressed as a whole, standard input, plain files. It also uses it for ranges at
//!   which the fast path stopped.
//! * [`PageReader`] turns a record, line or file into a [`RawPage`]. All commands use it.
//! * [`PageRecord`] decides whether a record holds a page.
//! * [`Http`] parses the head of a response and decodes chunking and content encodings.
//! * [`jsonl`] reads a line. The readers of CSV and Parquet convert each row into such a line.
//! * [`charset`] detects the encoding of a page in the order of the HTML standard and decodes it to
//!   UTF-8.
//!
//! # Two speeds, one result
//!
//! A record-compressed WARC is nearly always undamaged. The fast path ([`Unpacker`]) therefore
//! handles only sound members. A sound member has a correct checksum and ends inside its batch. It
//! contains whole records only, from the `WARC/` of the first to the end of the last. At any other
//! member the fast path stops and returns its offset ([`UnpackResult::StoppedAt`]). The caller then
//! opens a [`RecordStream`] at that offset. The stream alone decides which bytes the damage costs.
//! The caller reads from it until it is exactly at the start of a later batch. The records found in
//! a file are therefore the same wherever it was cut.
//!
//! # One record, step by step
//!
//! `Input` reads 1 MiB and searches it for the last `1f 8b 08` whose first bytes inflate to
//! `WARC/`. The bytes before it are the batch. A worker inflates the first member with libdeflate
//! into a reused buffer and parses the WARC header in place. It then calls [`Visitor::record`] with
//! a [`Record`] that borrows header and block from that buffer. The visitor asks a [`PageReader`]
//! for the page. [`Http`] parses the head and removes the chunking of the body in place. It decodes
//! an encoded body into a second buffer of the worker.

mod arc;
mod batch;
mod bundle;
mod byte_order_mark;
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
mod memory_budget;
mod planned;
mod raw_page;
mod record;
mod start_tags;
mod store;
mod stream;
mod table;
mod unpack;
mod wacz;
mod warc;

pub use batch::{Batch, Entry, Packing};
pub use bundle::FileKind;
pub use byte_order_mark::without_mark;
pub use charset::{Charset, CharsetSource};
pub use container::Container;
pub use damage::repairer::Repairer;
pub use damage::zeros::hole_in;
pub use error::ArchiveError;
pub use format::Format;
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
pub use memory_budget::MemoryBudget;
pub use planned::plan::{PlannedRecord, planned_digest};
pub use planned::planned_file::PlannedRecords;
pub use raw_page::{PageContent, PageReader, RawPage};
pub use record::{
    ArchivedFile, Fault, FaultReason, Member, Position, Record, RecordType, Repair, Visitor,
};
pub use start_tags::{BYTES_PER_TAG, start_tags};
pub use store::address::{is_remote, redact_url, resolve_below, resolve_beside};
pub use store::archive_folder::ArchiveFolder;
pub use store::detect::SEARCHED_BYTES;
pub use store::input::Input;
pub use store::input_file::InputFile;
pub use store::output_store::{OutputStore, Upload};
pub use store::placed_records::PlacedRecords;
pub use store::plain_list::plain_list;
pub use store::prefix_digest::{DigestHandle, InputDigest, PrefixDigest};
pub use store::remote::{RemoteFile, Store};
pub use store::stores::{NO_STORE, Stores};
pub use stream::{BatchEnd, RecordStream};
pub use table::rows::TableRows;
pub use unpack::{UnpackResult, Unpacker};
pub use wacz::contents::{WaczArchive, wacz_archives};
pub use wacz::digests::check_wacz;
pub use warc::header::{ContentLengthError, WarcHeader};
pub use warc::page::{NoPageReason, PageBody, PageRecord};
pub use warc::truncation::Truncation;

/// Includes the README, so that its example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
