//! Opens the archives of a WACZ one after another.

use super::directory::Member;
use super::inflated_entry::{InflateProblem, InflatedEntry};
use crate::error::ArchiveError;
use crate::format::Format;
use crate::limits::Limits;
use crate::record::{Fault, FaultReason, Position};
use crate::store::archive_file::ArchiveFile;
use crate::store::detect::{DetectedArchive, detect};
use crate::store::input_place::InputPlace;
use crate::store::prefix_digest::OrderedHasher;
use crate::store::raw_reader::RawReader;
use crate::stream::RecordStream;
use std::sync::{Arc, PoisonError};

/// Opens the archives of a WACZ in the order of their positions.
pub(crate) struct Members {
    /// The name of the file in errors, in quotes.
    name: Arc<str>,
    place: InputPlace,
    archives: Arc<[Member]>,
    next: usize,
    limits: Limits,
    /// The index and the problem of the last opened archive, if that is deflated.
    problem: Option<(usize, InflateProblem)>,
}

/// An archive of a WACZ.
pub(crate) struct OpenedArchive {
    pub(crate) archive: ArchiveFile,
    pub(crate) detected: DetectedArchive,
    /// Offset of a deflated archive, whose records have no position in the file.
    pub(crate) deflated_at: Option<u64>,
}

impl OpenedArchive {
    /// Converts the archive into a stream.
    pub(crate) fn into_stream(self) -> RecordStream {
        let OpenedArchive { archive, detected, deflated_at } = self;
        RecordStream::detected(&archive.name, detected, &archive.limits).placed_at(deflated_at)
    }
}

impl Members {
    /// Returns the archives among the members of a file, which are in the order of their positions.
    pub(crate) fn new(
        name: &str,
        place: InputPlace,
        members: Vec<Member>,
        limits: &Limits,
    ) -> Members {
        let archives = members.into_iter().filter(Member::is_archive).collect();
        Members {
            name: Arc::from(name),
            place,
            archives,
            next: 0,
            limits: limits.clone(),
            problem: None,
        }
    }

    /// Returns the next archive, or the reason why it or the previous one is incomplete. `None`
    /// after the last. A `hasher` has seen the bytes before the archive and sees each byte that is
    /// read.
    pub(crate) fn next(
        &mut self,
        hasher: Option<&OrderedHasher>,
    ) -> Option<Result<Result<OpenedArchive, Box<Fault>>, ArchiveError>> {
        if let Some((at, problem)) = self.problem.take()
            && let Some(problem) = problem.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            return Some(Ok(Err(self.fault(at, FaultReason::CorruptMember, &problem))));
        }
        let at = self.next;
        if at == self.archives.len() {
            return None;
        }
        self.next += 1;
        Some(match self.open(at, hasher) {
            Ok((opened, problem)) => {
                self.problem = problem.map(|problem| (at, problem));
                Ok(Ok(opened))
            }
            Err(ArchiveError::Empty { problem, .. }) => {
                Ok(Err(self.fault(at, FaultReason::Garbage, problem)))
            }
            Err(ArchiveError::NotAnArchive { detected_format, hint, .. }) => {
                let problem = format!("{detected_format}not a WARC or ARC file{hint}");
                Ok(Err(self.fault(at, FaultReason::Garbage, &problem)))
            }
            Err(ArchiveError::Dictionary { problem, .. }) => {
                Ok(Err(self.fault(at, FaultReason::Garbage, &problem)))
            }
            Err(error) => Err(error),
        })
    }

    /// Returns the archive that contains an offset of the file, if it is stored.
    pub(crate) fn containing(&self, offset: u64) -> Option<Result<OpenedArchive, ArchiveError>> {
        let is_there = |member: &Member| !member.is_deflated && member.bytes.contains(&offset);
        let at = self.archives.iter().position(is_there)?;
        Some(self.open(at, None).map(|(opened, _)| opened))
    }

    /// Returns the archives whose records have positions in the file: stored ones that can be read.
    pub(crate) fn stored_archives(mut self) -> Result<Vec<ArchiveFile>, ArchiveError> {
        let mut stored = Vec::new();
        while let Some(opened) = self.next(None) {
            let Ok(OpenedArchive { archive, deflated_at: None, .. }) = opened? else { continue };
            if matches!(archive.format, Format::Warc | Format::Arc) {
                stored.push(archive);
            }
        }
        Ok(stored)
    }

    fn open(
        &self,
        at: usize,
        hasher: Option<&OrderedHasher>,
    ) -> Result<(OpenedArchive, Option<InflateProblem>), ArchiveError> {
        let Member { name, bytes, size, is_deflated, .. } = &self.archives[at];
        let name: String = name.chars().filter(|it| !it.is_control()).collect();
        let name = format!("{} ({name})", self.name);
        let io_error = |error| ArchiveError::io(&name, bytes.start, error);
        let mut file = self.place.open().map_err(io_error)?;
        if let Some(hasher) = hasher {
            hasher.hash_up_to(bytes.start, &mut file).map_err(io_error)?;
        }
        if *is_deflated {
            let (inflated, problem) = InflatedEntry::open(file, bytes, *size).map_err(io_error)?;
            let detected = detect(&name, RawReader::pipe(Box::new(inflated)), None, &self.limits)?;
            let archive = ArchiveFile::new(&name, None, &detected, &self.limits);
            return Ok((
                OpenedArchive { archive, detected, deflated_at: Some(bytes.start) },
                Some(problem),
            ));
        }
        let raw = RawReader::open_part(file, bytes.clone()).map_err(io_error)?;
        let raw = match hasher {
            Some(hasher) => raw.with_hasher(hasher.clone()),
            None => raw,
        };
        let detected = detect(&name, raw, None, &self.limits)?;
        let archive = ArchiveFile::new(&name, Some(self.place.clone()), &detected, &self.limits);
        let archive = ArchiveFile { part: Some(bytes.clone()), ..archive };
        Ok((OpenedArchive { archive, detected, deflated_at: None }, None))
    }

    fn fault(&self, at: usize, reason: FaultReason, problem: &str) -> Box<Fault> {
        let Member { name, bytes, .. } = &self.archives[at];
        let name: String = name.chars().filter(|it| !it.is_control()).collect();
        let length = bytes.end - bytes.start;
        Box::new(Fault {
            reason,
            position: Position { member: Some((bytes.start, length)), stream_offset: None },
            header: Vec::new(),
            block: Vec::new(),
            detail: format!("'{name}' in the WACZ: {problem} (byte {})", bytes.start),
            at_end: None,
        })
    }
}
