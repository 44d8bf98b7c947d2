//! Code shared by the fuzz targets.

use huller_archive::{ArchivedFile, Fault, Position, Record, Visitor};

/// Returns `bytes` as UTF-8, with each invalid sequence replaced by U+FFFD.
pub fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

/// A file in a ZIP file, with any method, size and flags.
pub struct ZipMember<'a> {
    /// The name.
    pub name: &'a str,
    /// The bytes in the ZIP file.
    pub data: &'a [u8],
    /// The compression method in the header: 0 is stored, 8 deflated.
    pub method: u8,
    /// The flags; 1 is encrypted.
    pub flags: u8,
    /// The length before compression, according to the directory.
    pub size: u32,
}

impl<'a> ZipMember<'a> {
    /// Returns a stored file.
    pub fn stored(name: &'a str, data: &'a [u8]) -> Self {
        ZipMember { name, data, method: 0, flags: 0, size: data.len() as u32 }
    }
}

/// Returns a ZIP file of these files.
pub fn zip(members: &[ZipMember<'_>]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for ZipMember { name, data, method, flags, size } in members {
        let mut header = vec![20, 0, *flags, 0, *method, 0, 0, 0, 0x21, 0, 0, 0, 0, 0];
        header.extend_from_slice(&(data.len() as u32).to_le_bytes());
        header.extend_from_slice(&size.to_le_bytes());
        header.extend_from_slice(&(name.len() as u32).to_le_bytes());
        let offset = file.len() as u32;
        file.extend_from_slice(&[b"PK\x03\x04", &header[..], name.as_bytes(), data].concat());
        directory.extend_from_slice(&[b"PK\x01\x02\x14\0", &header[..], &[0; 10]].concat());
        directory.extend_from_slice(&[&offset.to_le_bytes(), name.as_bytes()].concat());
    }
    let (start, count) = (file.len() as u32, members.len() as u8);
    file.extend_from_slice(&directory);
    file.extend_from_slice(&[b'P', b'K', 5, 6, 0, 0, 0, 0, count, 0, count, 0]);
    file.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    file.extend_from_slice(&start.to_le_bytes());
    file.extend_from_slice(&[0, 0]);
    file
}

/// The files and faults of an archive of pages, in order. The visitor checks that file names stay
/// within the folder of extraction.
#[derive(Default, PartialEq, Debug)]
pub struct Files(pub Vec<Result<(String, Vec<u8>), Fault>>);

impl Visitor for Files {
    fn record(&mut self, record: Record<'_>) {
        self.0.push(Ok((String::new(), record.block.to_vec())));
    }

    fn line(&mut self, line: &[u8], _: Position) {
        self.0.push(Ok((String::new(), line.to_vec())));
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        assert!(!file.name.starts_with('/') && file.name.split('/').all(|part| part != ".."));
        self.0.push(Ok((file.name.to_owned(), file.record.block.to_vec())));
    }

    fn fault(&mut self, fault: &Fault) {
        // Only a reader that began at the start of the input knows the offset in the plain stream.
        let position = Position { stream_offset: None, ..fault.position };
        self.0.push(Err(Fault { position, ..fault.clone() }));
    }
}
