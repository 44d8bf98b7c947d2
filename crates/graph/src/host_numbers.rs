//! Gives hosts their numbers, and joins sorted records with them.

use huller_run::nameless;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// Writes hosts in ascending order. The place of a host is its number.
pub(crate) struct HostNumbers(BufWriter<File>);

impl HostNumbers {
    /// Begins a list without a name in a folder.
    pub(crate) fn create(folder: &Path) -> io::Result<HostNumbers> {
        Ok(HostNumbers(BufWriter::with_capacity(1 << 18, nameless::create(folder)?)))
    }

    /// Adds the next host, which has at most 65,535 bytes.
    pub(crate) fn push(&mut self, host: &[u8]) -> io::Result<()> {
        let length = u16::try_from(host.len()).map_err(io::Error::other)?;
        self.0.write_all(&length.to_le_bytes())?;
        self.0.write_all(host)
    }

    /// Ends the list.
    pub(crate) fn finish(self) -> io::Result<File> {
        self.0.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// Finds the numbers of hosts that are asked for in ascending order.
pub(crate) struct HostCursor<'a> {
    file: BufReader<&'a File>,
    /// The host that was read last.
    host: Vec<u8>,
    /// Number of hosts that were read.
    read_hosts: u64,
}

impl<'a> HostCursor<'a> {
    /// Begins at the first host of a finished list.
    pub(crate) fn new(mut hosts: &'a File) -> io::Result<HostCursor<'a>> {
        hosts.rewind()?;
        let file = BufReader::with_capacity(1 << 18, hosts);
        Ok(HostCursor { file, host: Vec::new(), read_hosts: 0 })
    }

    /// Returns the number of a host that is in the list. It is not less than the one before.
    ///
    /// # Errors
    ///
    /// The list cannot be read, or lacks the host.
    pub(crate) fn number(&mut self, host: &[u8]) -> io::Result<u64> {
        while self.read_hosts == 0 || self.host != host {
            let mut length = [0; 2];
            self.file.read_exact(&mut length)?;
            self.host.resize(usize::from(u16::from_le_bytes(length)), 0);
            self.file.read_exact(&mut self.host)?;
            self.read_hosts += 1;
        }
        Ok(self.read_hosts - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_their_places_as_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let mut hosts = HostNumbers::create(folder.path()).unwrap();
        for host in ["com.a", "com.b", "org"] {
            hosts.push(host.as_bytes()).unwrap();
        }
        let file = hosts.finish().unwrap();
        for _ in 0..2 {
            let mut cursor = HostCursor::new(&file).unwrap();
            let numbers = ["com.a", "com.a", "org"].map(|host| cursor.number(host.as_bytes()));
            assert_eq!(numbers.map(Result::unwrap), [0, 0, 2]);
            assert!(cursor.number(b"zz").is_err());
        }
    }
}
