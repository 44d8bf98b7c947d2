//! ZIP files, as they should be and as they should not.

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
    /// In place of where it lies.
    offset: Option<u32>,
}

impl ZipEntry {
    /// A file as it is.
    pub fn stored(name: &str, data: impl Into<Vec<u8>>) -> ZipEntry {
        let data = data.into();
        let mut crc = Crc::new();
        crc.update(&data);
        let (size, crc) = (data.len() as u64, crc.sum());
        ZipEntry { name: name.to_owned(), data, size, method: 0, crc, flags: 0, offset: None }
    }

    /// A file, deflated.
    pub fn deflated(name: &str, data: &[u8]) -> ZipEntry {
        let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(data).expect("memory takes all");
        let deflated = encoder.finish().expect("memory takes all");
        ZipEntry { data: deflated, method: 8, ..ZipEntry::stored(name, data) }
    }

    /// With another size in the directory.
    #[must_use]
    pub fn size(self, size: u64) -> ZipEntry {
        ZipEntry { size, ..self }
    }

    /// With another method in the directory.
    #[must_use]
    pub fn method(self, method: u16) -> ZipEntry {
        ZipEntry { method, ..self }
    }

    /// With another name.
    #[must_use]
    pub fn named(self, name: &str) -> ZipEntry {
        ZipEntry { name: name.to_owned(), ..self }
    }

    /// With another checksum in the directory.
    #[must_use]
    pub fn crc(self, crc: u32) -> ZipEntry {
        ZipEntry { crc, ..self }
    }

    /// Marked as encrypted.
    #[must_use]
    pub fn encrypted(self) -> ZipEntry {
        ZipEntry { flags: 1, ..self }
    }

    /// With another place in the directory.
    #[must_use]
    pub fn at(self, offset: u32) -> ZipEntry {
        ZipEntry { offset: Some(offset), ..self }
    }

    /// The bytes that lie in the ZIP file, to be changed.
    pub fn data_mut(&mut self) -> &mut Vec<u8> {
        &mut self.data
    }

    /// What headers in the file and in the directory have in common.
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

/// A ZIP file of these files.
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

/// A WACZ of these archives: with an index that is wrong, since no reader may need it.
pub fn wacz(archives: Vec<ZipEntry>) -> Vec<u8> {
    let mut entries = vec![
        ZipEntry::stored("indexes/index.cdx.gz", pack::gzip(b"nonsense")),
        ZipEntry::deflated("pages/pages.jsonl", b"{\"format\":\"json-pages-1.0\"}\n"),
    ];
    entries.extend(archives);
    entries.push(ZipEntry::deflated("datapackage.json", b"{\"profile\":\"data-package\"}"));
    zip(&entries)
}
