//! Makes ZIP files, sound or malformed.

use crate::pack;
use flate2::Crc;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// A file in a ZIP file.
#[derive(Clone, Debug)]
pub struct ZipEntry {
    name: String,
    data: Vec<u8>,
    size: u64,
    method: u16,
    crc: u32,
    flags: u16,
    /// The offset in the directory, instead of the true one.
    offset: Option<u32>,
}

impl ZipEntry {
    /// Returns an uncompressed file.
    pub fn stored(name: &str, data: impl Into<Vec<u8>>) -> ZipEntry {
        let data = data.into();
        let mut crc = Crc::new();
        crc.update(&data);
        let (size, crc) = (data.len() as u64, crc.sum());
        ZipEntry { name: name.to_owned(), data, size, method: 0, crc, flags: 0, offset: None }
    }

    /// Returns a deflated file.
    pub fn deflated(name: &str, data: &[u8]) -> ZipEntry {
        let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(data).expect("memory takes all");
        let deflated = encoder.finish().expect("memory takes all");
        ZipEntry { data: deflated, method: 8, ..ZipEntry::stored(name, data) }
    }

    /// Sets another size in the headers.
    #[must_use]
    pub fn size(self, size: u64) -> ZipEntry {
        ZipEntry { size, ..self }
    }

    /// Sets another compression method in the headers.
    #[must_use]
    pub fn method(self, method: u16) -> ZipEntry {
        ZipEntry { method, ..self }
    }

    /// Sets another name.
    #[must_use]
    pub fn named(self, name: &str) -> ZipEntry {
        ZipEntry { name: name.to_owned(), ..self }
    }

    /// Sets another checksum in the headers.
    #[must_use]
    pub fn crc(self, crc: u32) -> ZipEntry {
        ZipEntry { crc, ..self }
    }

    /// Marks the file as encrypted.
    #[must_use]
    pub fn encrypted(self) -> ZipEntry {
        ZipEntry { flags: 1, ..self }
    }

    /// Sets another offset in the directory.
    #[must_use]
    pub fn at(self, offset: u32) -> ZipEntry {
        ZipEntry { offset: Some(offset), ..self }
    }

    /// Returns the bytes of the file in the ZIP file, to be changed.
    pub fn data_mut(&mut self) -> &mut Vec<u8> {
        &mut self.data
    }

    /// Returns the part that the headers in the file and in the directory share.
    fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        for number in [20_u16, self.flags, self.method, 0, 0x21] {
            header.extend_from_slice(&number.to_le_bytes());
        }
        header.extend_from_slice(&self.crc.to_le_bytes());
        header.extend_from_slice(&(self.data.len() as u32).to_le_bytes());
        header.extend_from_slice(&(self.size as u32).to_le_bytes());
        header.extend_from_slice(&(self.name.len() as u16).to_le_bytes());
        header.extend_from_slice(&[0, 0]);
        header
    }
}

/// Returns a ZIP file of these files.
pub fn zip(entries: &[ZipEntry]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = entry.offset.unwrap_or(file.len() as u32);
        let header = entry.header();
        file.extend_from_slice(b"PK\x03\x04");
        file.extend_from_slice(&header);
        file.extend_from_slice(entry.name.as_bytes());
        file.extend_from_slice(&entry.data);
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&header);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(entry.name.as_bytes());
    }
    let start = file.len() as u32;
    file.extend_from_slice(&directory);
    file.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    for _ in 0..2 {
        file.extend_from_slice(&(entries.len() as u16).to_le_bytes());
    }
    file.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    file.extend_from_slice(&start.to_le_bytes());
    file.extend_from_slice(&[0, 0]);
    file
}

/// Returns a WACZ of these archives. Its index is wrong, since readers must not need it.
pub fn wacz(archives: Vec<ZipEntry>) -> Vec<u8> {
    let mut entries = vec![
        ZipEntry::stored("indexes/index.cdx.gz", pack::gzip(b"nonsense")),
        ZipEntry::deflated("pages/pages.jsonl", b"{\"format\":\"json-pages-1.0\"}\n"),
    ];
    entries.extend(archives);
    entries.push(ZipEntry::deflated("datapackage.json", b"{\"profile\":\"data-package\"}"));
    zip(&entries)
}
