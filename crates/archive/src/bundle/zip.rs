//! Reads ZIP files of pages.

use super::kind::{FileKind, HEAD_BYTES};
use super::member::{begin, fault, tidy};
use crate::batch::{Batch, Entry};
use crate::record::{Fault, FaultReason, Position};
use crate::store::input_file::InputFile;
use crate::store::input_place::InputPlace;
use crate::store::prefix_digest::OrderedHasher;
use crate::wacz::directory::Member;
use crate::wacz::watched_reader::WatchedReader;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};
use std::sync::Arc;

/// A ZIP file of pages: its place and its directory. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct ZipFile {
    pub(crate) place: InputPlace,
    pub(crate) len: u64,
    /// The files, sorted by position.
    pub(crate) files: Arc<[Member]>,
}

/// Reads the files of a ZIP file in the order of their positions.
pub(crate) struct ZipReader {
    zip: ZipFile,
    file: InputFile,
    next: usize,
    /// Longest page in bytes.
    page_bytes: usize,
    /// The hasher that sees all bytes of the file, if there is one.
    hasher: Option<OrderedHasher>,
}

impl ZipReader {
    /// Begins at the first file whose header is at `offset` or after it.
    pub(crate) fn new(zip: &ZipFile, offset: u64, page_bytes: usize) -> io::Result<ZipReader> {
        let file = zip.place.open()?;
        let next = zip.files.partition_point(|member| member.start < offset);
        Ok(ZipReader { zip: zip.clone(), file, next, page_bytes, hasher: None })
    }

    /// Shows all bytes to `hasher`, which has seen no bytes yet.
    pub(crate) fn with_hasher(self, hasher: &OrderedHasher) -> ZipReader {
        ZipReader { hasher: Some(hasher.clone()), ..self }
    }

    /// Returns the number of bytes of the ZIP file before the next file in it.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.zip.files.get(self.next).map_or(self.zip.len, |member| member.start)
    }

    /// Reads the next file or fault into the batch. Returns false at the end.
    pub(crate) fn read_next(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let zip = self.zip.clone();
        let Some(member) = zip.files.get(self.next) else {
            self.digest_up_to(zip.len)?;
            return Ok(false);
        };
        self.next += 1;
        if let Err(fault) = self.read(member, batch)? {
            batch.entries.push(Entry::Fault(*fault));
        }
        self.digest_up_to(member.bytes.end)?;
        Ok(true)
    }

    fn digest_up_to(&mut self, end: u64) -> io::Result<()> {
        match &self.hasher {
            Some(hasher) => hasher.hash_up_to(end, &mut self.file),
            None => Ok(()),
        }
    }

    /// Reads a file into the batch. A defect of the file is a fault; a failed read is an error.
    fn read(&mut self, member: &Member, batch: &mut Batch) -> io::Result<Result<(), Box<Fault>>> {
        let name = tidy(&member.name);
        let place = (member.start, member.bytes.end.saturating_sub(member.start));
        let position = Position { member: Some(place), stream_offset: None };
        let failed =
            |reason, problem: &str| Ok(Err(Box::new(fault(reason, name, problem, position))));
        let corrupt = |problem: &str| failed(FaultReason::CorruptMember, problem);
        if member.name.ends_with('/') {
            begin(batch, name, FileKind::NoFile).finish(batch, position);
            return Ok(Ok(()));
        }
        if let Some(problem) = &member.problem {
            let reason = if problem.is_foreign {
                FaultReason::Unsupported
            } else {
                FaultReason::CorruptMember
            };
            return failed(reason, &problem.description);
        }
        self.file.seek(SeekFrom::Start(member.bytes.start))?;
        let packed = (&mut self.file).take(member.bytes.end - member.bytes.start);
        let packed = BufReader::new(WatchedReader::new(packed));
        let mut source = if member.is_deflated {
            EntryReader::Deflated(DeflateDecoder::new(packed))
        } else {
            EntryReader::Stored(packed)
        };
        let mut head = Vec::new();
        if let Err(problem) = source.append(HEAD_BYTES as u64, &mut head)? {
            return corrupt(&problem);
        }
        let kind = FileKind::detect(name, &head);
        if kind == FileKind::Page && member.size > self.page_bytes as u64 {
            return failed(FaultReason::TooLarge, "is longer than the limit for a page");
        }
        let begun = begin(batch, name, kind);
        if kind == FileKind::Page {
            batch.bytes.extend_from_slice(&head);
            // One more byte shows whether the file is longer than the directory states.
            let rest = (member.size + 1).saturating_sub(head.len() as u64);
            let read = source.append(rest, &mut batch.bytes)?;
            let bytes = &batch.bytes[begun.block..];
            let problem = match read {
                Err(problem) => Some(problem),
                Ok(()) if bytes.len() as u64 != member.size => {
                    Some(format!("does not hold {} bytes, as the directory says", member.size))
                }
                Ok(()) if crc(bytes) != member.crc => Some("has a wrong checksum".to_owned()),
                Ok(()) => None,
            };
            if let Some(problem) = problem {
                begun.discard(batch);
                return corrupt(&problem);
            }
        }
        begun.finish(batch, position);
        Ok(Ok(()))
    }
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The compressed bytes of a file.
type CompressedBytes<'f> = WatchedReader<Take<&'f mut InputFile>>;

/// A reader of the bytes of a file.
enum EntryReader<'f> {
    Stored(BufReader<CompressedBytes<'f>>),
    Deflated(DeflateDecoder<BufReader<CompressedBytes<'f>>>),
}

impl EntryReader<'_> {
    /// Appends up to `most` bytes, or returns the reason why they cannot be read.
    fn append(&mut self, most: u64, out: &mut Vec<u8>) -> io::Result<Result<(), String>> {
        let read = match self {
            EntryReader::Stored(source) => source.take(most).read_to_end(out),
            EntryReader::Deflated(source) => source.take(most).read_to_end(out),
        };
        let packed = match self {
            EntryReader::Stored(source) => source.get_ref(),
            EntryReader::Deflated(source) => source.get_ref().get_ref(),
        };
        match read {
            Ok(_) => Ok(Ok(())),
            // All other errors come from the decoder.
            Err(error) if packed.has_failed => Err(error),
            Err(error) => Ok(Err(format!("is damaged: {error}"))),
        }
    }
}
