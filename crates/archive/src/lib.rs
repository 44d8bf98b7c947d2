//! Bytes to records and back.
//!
//! This crate turns the files people have (WARC plain, gzip or zstd; JSONL plain, gzip or zstd; single HTML files) into
//! records, and rows into compressed frames. It knows nothing of HTML beyond the `<meta>` prescan that the charset
//! needs, starts no threads, and never trusts a length that the input claims.
//!
//! # The types, and how they meet
//!
//! * [`Input`] opens one file or stream, finds out by its first bytes what it is ([`Format`], [`Packing`]) and hands out
//!   [`Batch`]es. It only *cuts*: for record-compressed files it finds a place where a member that begins a WARC record
//!   starts, without inflating what lies between. A batch holds about [`Limits::batch_bytes`] of the file and can
//!   be unpacked by any worker, in any order.
//! * [`Unpacker`] belongs to one worker. It inflates the members of a batch into its own buffer and shows every
//!   [`Record`] and every [`Fault`] to a [`Visitor`], in file order.
//! * [`RecordStream`] is the same thing one byte after another: it decodes any container, survives damage, frames the
//!   records, and fills batches of plain records. It is what `Input` uses for everything that can't be cut
//!   (whole-file compression, standard input, plain files), and what repairs a stretch which the fast path refuses.
//! * [`Http`] reads the head of a response and undoes chunking and content encodings; [`charset`] finds the encoding by
//!   the WHATWG order and gives UTF-8; [`jsonl`] reads a line; [`Encoder`] writes frames.
//!
//! # One semantic, two speeds
//!
//! A record-compressed WARC is nearly always perfect. So the fast path ([`Unpacker`]) handles perfection only: a member
//! that inflates with a right checksum, ends inside its batch, begins with `WARC/`, and holds whole records that fill it
//! exactly. At the first thing that is otherwise it stops and says where ([`Unpacked::StoppedAt`]). Whoever
//! drives it then opens a [`RecordStream`] at that offset, which alone decides what damage means, and goes on with it until
//! it stands exactly on the start of a later batch. What the file holds therefore never depends on where it was cut.
//!
//! # Walk of one record
//!
//! `Input` reads 256 KiB and finds the next `1f 8b 08` whose first bytes inflate to `WARC/`; the bytes before it are the
//! batch. A worker inflates its first member with libdeflate into a reused buffer, parses the WARC header where it lies, and
//! calls [`Visitor::record`] with a [`Record`] that borrows header and block from that buffer. The visitor asks
//! [`Http`] for the body, which is de-chunked in place and, only if it is encoded, decoded into the worker's second buffer.

mod batch;
pub mod charset;
mod cut;
mod detect;
mod dictionary;
mod digest;
mod encode;
mod error;
mod event;
mod feed;
mod finder;
mod format;
mod frame;
mod framer;
mod gzip;
mod gzip_feed;
mod header;
mod http;
mod input;
pub mod jsonl;
mod limits;
mod lines;
mod oversize;
mod raw;
mod record;
mod repairer;
mod resync;
mod salvage;
mod search;
mod sniff;
mod stream;
mod tell;
mod unpack;
mod window;
mod zstd;
mod zstd_feed;

pub use batch::{Batch, Entry, Packing};
pub use charset::{Charset, CharsetSource};
pub use detect::SEARCHED_BYTES;
pub use encode::{Compression, Encoder};
pub use error::ArchiveError;
pub use format::{Container, Format};
pub use header::{ContentLengthError, WarcHeader};
pub use http::{
    BodyFault, Chunking, ContentEncoding, ContentEncodings, DecodedBody, Decoder, HeadFault, Http,
    HttpHead, charset_parameter, is_html_media_type,
};
pub use input::Input;
pub use jsonl::{JsonlFault, JsonlKeys, JsonlPage, JsonlReader, JsonlReason};
pub use limits::Limits;
pub use record::{Fault, FaultReason, Position, Record, RecordType, Repair, Visitor};
pub use repairer::Repairer;
pub use sniff::looks_like_html;
pub use stream::{Reached, RecordStream};
pub use unpack::{Unpacked, Unpacker};
