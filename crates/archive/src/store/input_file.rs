//! An open file, here or in a store, as all readers of this crate use it.

use super::remote::RemoteFile;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use twox_hash::XxHash3_64;

/// Going forward by no more than this many bytes reads and drops them; a new request would take
/// longer.
const PASSED_BYTES: u64 = 64 << 10;

/// An open file: a local one, or one of a [`Store`](crate::Store).
#[derive(Debug)]
pub struct InputFile(Kind);

#[derive(Debug)]
enum Kind {
    Local(File),
    Remote(Remote),
}

/// A remote file and a place in it.
struct Remote {
    file: Arc<dyn RemoteFile>,
    /// Where the next byte lies.
    at: u64,
    /// Stands at that place. Opened by the first read.
    stream: Option<Box<dyn Read + Send + Sync>>,
}

impl InputFile {
    /// Opens a local file.
    pub(crate) fn local(path: &Path) -> io::Result<InputFile> {
        Ok(InputFile(Kind::Local(File::open(path)?)))
    }

    /// A file of a store.
    pub(crate) fn remote(file: Arc<dyn RemoteFile>) -> InputFile {
        InputFile(Kind::Remote(Remote { file, at: 0, stream: None }))
    }

    /// The file of a store, if it is one.
    pub(crate) fn of_store(&self) -> Option<&Arc<dyn RemoteFile>> {
        match &self.0 {
            Kind::Local(_) => None,
            Kind::Remote(remote) => Some(&remote.file),
        }
    }

    /// The same file, at its start if it is one of a store. A local one keeps sharing its place.
    pub(crate) fn try_clone(&self) -> io::Result<InputFile> {
        match &self.0 {
            Kind::Local(file) => Ok(InputFile(Kind::Local(file.try_clone()?))),
            Kind::Remote(remote) => Ok(InputFile::remote(Arc::clone(&remote.file))),
        }
    }

    /// Its length in bytes. `None` for what can be read only once, such as a pipe.
    ///
    /// # Errors
    ///
    /// It is a folder, or the system does not say.
    pub fn length(&self) -> io::Result<Option<u64>> {
        let file = match &self.0 {
            Kind::Local(file) => file,
            Kind::Remote(remote) => return Ok(Some(remote.file.len())),
        };
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(metadata.is_file().then_some(metadata.len()))
    }

    /// A number that changes when the file does: the time of its last change in nanoseconds since
    /// 1970, or a hash of its [identity](RemoteFile::identity). `None` where nothing is known.
    pub fn version(&self) -> Option<u64> {
        match &self.0 {
            Kind::Local(file) => {
                let time = file.metadata().ok()?.modified().ok()?;
                // Of a time before 1970 it is enough to know that it is one.
                Some(time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64))
            }
            Kind::Remote(remote) => {
                remote.file.identity().map(|identity| XxHash3_64::oneshot(identity.as_bytes()))
            }
        }
    }

    /// Reads up to so many bytes and appends them; fewer mean that the file has ended. Room for
    /// them should have been reserved.
    pub(crate) fn append_to(&mut self, bytes: &mut Vec<u8>, most: u64) -> io::Result<()> {
        // What reads by `Read::read` alone, as this type does, has the room zeroed first. A file
        // needs not: a fourteenth of what reading costs.
        match &mut self.0 {
            Kind::Local(file) => Read::take(file, most).read_to_end(bytes),
            Kind::Remote(_) => self.take(most).read_to_end(bytes),
        }?;
        Ok(())
    }

    /// Reads bytes at an offset, whatever the place in the file. Fewer than fit do not mean its
    /// end.
    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match &self.0 {
            Kind::Local(file) => file.read_at(buffer, offset),
            Kind::Remote(remote) => remote.file.read_at(buffer, offset),
        }
    }

    /// As [`InputFile::read_at`], but appends all `wanted` bytes, or those before the end of the
    /// file.
    pub(crate) fn append_at(
        &self,
        bytes: &mut Vec<u8>,
        wanted: usize,
        offset: u64,
    ) -> io::Result<()> {
        let start = bytes.len();
        if let Kind::Local(file) = &self.0 {
            bytes.reserve_exact(wanted);
            // Where there is not much more room than wanted, all of it is filled, and what is too
            // much cut off: to zero the room first costs half as much as to read, and what limits a
            // read to a part of it takes zeroed bytes.
            while bytes.len() - start < wanted && bytes.capacity() - start <= wanted + wanted / 4 {
                let at = offset + (bytes.len() - start) as u64;
                match rustix::io::pread(file, rustix::buffer::spare_capacity(bytes), at) {
                    Ok(0) => return Ok(()),
                    Ok(_) | Err(rustix::io::Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        let mut at = bytes.len();
        bytes.resize(start + wanted, 0);
        while at < bytes.len() {
            match self.read_at(&mut bytes[at..], offset + (at - start) as u64) {
                Ok(0) => break,
                Ok(read) => at += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(at);
        Ok(())
    }

    /// Asks the system to read this stretch of a local file, without waiting for it. That is
    /// advice, which can be ignored.
    pub(crate) fn will_need(&self, offset: u64, bytes: u64) {
        #[cfg(target_os = "linux")]
        if let (Kind::Local(file), Some(bytes)) = (&self.0, std::num::NonZeroU64::new(bytes)) {
            let _ = rustix::fs::fadvise(file, offset, Some(bytes), rustix::fs::Advice::WillNeed);
        }
    }

    /// As [`InputFile::read_at`], but fills the buffer.
    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        match &self.0 {
            Kind::Local(file) => file.read_exact_at(buffer, offset),
            Kind::Remote(remote) => {
                let read = remote.file.read_at(buffer, offset)?;
                if read < buffer.len() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                Ok(())
            }
        }
    }
}

impl Read for InputFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Local(file) => file.read(buffer),
            Kind::Remote(remote) => remote.read(buffer),
        }
    }
}

impl Seek for InputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Kind::Local(file) => file.seek(to),
            Kind::Remote(remote) => remote.seek(to),
        }
    }
}

impl Remote {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.file.len() || buffer.is_empty() {
            return Ok(0);
        }
        let (file, at) = (&self.file, self.at);
        let stream = self.stream.get_or_insert_with(|| Arc::clone(file).read_from(at));
        let read = stream.read(buffer)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += read as u64;
        Ok(read)
    }

    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, by) = match to {
            SeekFrom::Start(offset) => (offset, 0),
            SeekFrom::End(by) => (self.file.len(), by),
            SeekFrom::Current(by) => (self.at, by),
        };
        let to = base.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput)?;
        if let Some(stream) = &mut self.stream
            && to != self.at
        {
            let ahead = to.checked_sub(self.at).filter(|ahead| *ahead <= PASSED_BYTES);
            let passed = ahead.map(|ahead| io::copy(&mut stream.take(ahead), &mut io::sink()));
            if !matches!((ahead, passed), (Some(ahead), Some(Ok(passed))) if ahead == passed) {
                self.stream = None;
            }
        }
        self.at = to;
        Ok(to)
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("file", &self.file)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_appended_whatever_room_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let content: Vec<u8> = (0..=255).collect();
        std::fs::write(&path, &content).unwrap();
        let file = InputFile(Kind::Local(File::open(&path).unwrap()));
        for (room, wanted, offset) in
            [(0, 100, 0), (103, 100, 7), (115, 100, 7), (1000, 100, 7), (0, 300, 200), (0, 1, 256)]
        {
            let mut bytes = Vec::with_capacity(room);
            bytes.extend_from_slice(b"xyz");
            file.append_at(&mut bytes, wanted, offset as u64).unwrap();
            let there = &content[offset..content.len().min(offset + wanted)];
            assert_eq!(bytes, [b"xyz", there].concat(), "{room} {wanted} {offset}");
        }
    }
}
