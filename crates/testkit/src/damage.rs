//! Archives with damaged records.
//!
//! The functions of this module damage a record, or a gzip member or zstd or LZ4 frame that holds
//! one record. The function [`archives`] damages one record of twenty in each way. The module
//! [`corpus`] writes gigabytes with one record in a hundred damaged, and lists the expected outcome
//! of each.

pub mod corpus;

use crate::pack::{gzip, gzip_at, lz4, zstd};
use crate::sample::{endless_records, id, page_records};

/// The container of the records of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Uncompressed records.
    Plain,
    /// One gzip member per record.
    Gzip,
    /// One zstd frame per record.
    Zstd,
    /// One LZ4 frame per record.
    Lz4,
}

impl Container {
    /// All containers.
    pub const ALL: [Container; 4] =
        [Container::Plain, Container::Gzip, Container::Zstd, Container::Lz4];

    /// Returns the extension of file names.
    pub fn extension(self) -> &'static str {
        match self {
            Container::Plain => "warc",
            Container::Gzip => "warc.gz",
            Container::Zstd => "warc.zst",
            Container::Lz4 => "warc.lz4",
        }
    }

    fn pack(self, record: &[u8]) -> Vec<u8> {
        match self {
            Container::Plain => record.to_vec(),
            Container::Gzip => gzip(record),
            Container::Zstd => zstd(record),
            Container::Lz4 => lz4(record),
        }
    }
}

/// A way to damage a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageKind {
    /// Bytes of the record or of its compressed form are inverted.
    Flipped,
    /// The second half of the block or member is missing; the next record follows directly.
    CutMember,
    /// The record begins with `WARX/1.0`.
    WrongVersion,
    /// Content-Length is 50 too large.
    ContentLength,
    /// The file ends within its last record.
    CutFile,
}

impl DamageKind {
    /// All kinds, each with the place of the record that it damages.
    pub const ALL: [(DamageKind, usize); 5] = [
        (DamageKind::Flipped, 7),
        (DamageKind::CutMember, 11),
        (DamageKind::WrongVersion, 4),
        (DamageKind::ContentLength, 14),
        (DamageKind::CutFile, RECORDS - 1),
    ];

    /// Returns the name of the kind in file names.
    pub fn name(self) -> &'static str {
        match self {
            DamageKind::Flipped => "flipped",
            DamageKind::CutMember => "cut-member",
            DamageKind::WrongVersion => "wrong-version",
            DamageKind::ContentLength => "content-length",
            DamageKind::CutFile => "cut-file",
        }
    }

    /// Returns whether the damaged record is lost. A reader keeps the part of a page before the end
    /// of the file. However, zstd and LZ4 frames give only whole blocks, and these records have one
    /// block.
    pub fn loses_record(self, container: Container) -> bool {
        match self {
            DamageKind::ContentLength => false,
            DamageKind::CutFile => matches!(container, Container::Zstd | Container::Lz4),
            _ => true,
        }
    }

    fn damage_record(self, container: Container, record: &[u8]) -> Vec<u8> {
        let packed = container.pack(record);
        match (self, container) {
            (DamageKind::Flipped, Container::Plain) => flip_header(record),
            (DamageKind::Flipped, _) => flip_middle(&packed),
            (DamageKind::CutMember, Container::Plain) => cut_block(record),
            (DamageKind::CutMember | DamageKind::CutFile, _) => cut_half(&packed).to_vec(),
            (DamageKind::WrongVersion, _) => container.pack(&wrong_version(record)),
            (DamageKind::ContentLength, _) => container.pack(&length_too_long(record)),
        }
    }
}

/// The number of records in each archive of [`archives`].
pub const RECORDS: usize = 20;

/// An archive of twenty pages.
#[derive(Debug)]
pub struct Archive {
    /// The file name: `whole` or the kind of damage, and the extension of the container.
    pub name: String,
    /// The container of its records.
    pub container: Container,
    /// The kind of damage and the index of the damaged record; `None` for an undamaged archive.
    pub damage: Option<(DamageKind, usize)>,
    /// The UUIDs of the records that a reader must return, in order.
    pub expected: Vec<String>,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// Returns the first twenty pages of the sample, undamaged and with each kind of damage, in each
/// container.
pub fn archives() -> Vec<Archive> {
    let records: Vec<_> = page_records().into_iter().take(RECORDS).collect();
    let ids: Vec<_> = records.iter().map(|record| id(record)).collect();
    let mut archives = Vec::new();
    for container in Container::ALL {
        let packed: Vec<_> = records.iter().map(|record| container.pack(record)).collect();
        let mut add = |damage: Option<(DamageKind, usize)>| {
            let (mut packed, mut expected) = (packed.clone(), ids.clone());
            if let Some((kind, damage_place)) = damage {
                packed[damage_place] = kind.damage_record(container, &records[damage_place]);
                if kind.loses_record(container) {
                    expected.remove(damage_place);
                }
            }
            let name = damage.map_or("whole", |(kind, _)| kind.name());
            let name = format!("{name}.{}", container.extension());
            archives.push(Archive { name, container, damage, expected, bytes: packed.concat() });
        };
        add(None);
        for damage in DamageKind::ALL {
            add(Some(damage));
        }
    }
    archives
}

/// Returns an archive of the sample repeated to at least `bytes` uncompressed bytes, one gzip
/// member per record. One member in fifty is damaged: bytes are inverted, the second half is
/// missing, junk precedes it, or the version line is wrong.
pub fn large_archive(bytes: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let mut bytes_done = 0;
    for (number, record) in endless_records().enumerate() {
        if bytes_done >= bytes {
            break;
        }
        bytes_done += record.len();
        let member = gzip_at(&record, 1);
        match number % 200 {
            37 => file.extend(flip_middle(&member)),
            87 => file.extend_from_slice(cut_half(&member)),
            137 => {
                file.extend_from_slice(b"bytes between two members that belong to neither");
                file.extend(member);
            }
            187 => file.extend(gzip_at(&wrong_version(&record), 1)),
            _ => file.extend(member),
        }
    }
    file
}

/// Returns the record with its version line and the digits of Content-Length inverted.
pub fn flip_header(record: &[u8]) -> Vec<u8> {
    let mut record = record.to_vec();
    let (start, end) = length_digits(&record);
    invert(&mut record[..8]);
    invert(&mut record[start..end]);
    record
}

/// Returns a member or frame with 64 bytes in its middle inverted.
pub fn flip_middle(packed: &[u8]) -> Vec<u8> {
    let mut packed = packed.to_vec();
    let middle = packed.len() / 2;
    invert(&mut packed[middle - 32..middle + 32]);
    packed
}

/// Returns the first half of a member or frame.
pub fn cut_half(packed: &[u8]) -> &[u8] {
    &packed[..packed.len() / 2]
}

/// Returns the record without the second half of its block and the empty lines after it.
/// Content-Length stays.
pub fn cut_block(record: &[u8]) -> Vec<u8> {
    let block = find(record, b"\r\n\r\n") + 4;
    record[..block + (record.len() - 4 - block) / 2].to_vec()
}

/// Returns the record with an invalid version line.
pub fn wrong_version(record: &[u8]) -> Vec<u8> {
    [b"WARX/1.0", &record[8..]].concat()
}

/// Returns the record with a Content-Length that is 50 too large.
pub fn length_too_long(record: &[u8]) -> Vec<u8> {
    let (start, end) = length_digits(record);
    let digits = std::str::from_utf8(&record[start..end]).expect("digits");
    let length: u64 = digits.parse().expect("a number");
    with_length(record, &(length + 50).to_string())
}

/// Returns the record with a Content-Length that is not a number.
pub fn length_no_number(record: &[u8]) -> Vec<u8> {
    with_length(record, "12x")
}

/// Returns the record without Content-Length.
pub fn length_missing(record: &[u8]) -> Vec<u8> {
    let (start, end) = length_digits(record);
    [&record[..start - FIELD.len() + 2], &record[end + 2..]].concat()
}

/// Returns a gzip member with some bits of its checksum inverted.
pub fn wrong_checksum(member: &[u8]) -> Vec<u8> {
    let mut member = member.to_vec();
    let trailer = member.len() - 8;
    member[trailer..trailer + 4].iter_mut().for_each(|byte| *byte ^= 0x55);
    member
}

const FIELD: &[u8] = b"\r\nContent-Length: ";

/// Returns the byte range of the digits of the record's Content-Length, which precedes any of HTTP.
fn length_digits(record: &[u8]) -> (usize, usize) {
    let start = find(record, FIELD) + FIELD.len();
    (start, start + find(&record[start..], b"\r\n"))
}

fn with_length(record: &[u8], value: &str) -> Vec<u8> {
    let (start, end) = length_digits(record);
    [&record[..start], value.as_bytes(), &record[end..]].concat()
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).expect("a record has it")
}

fn invert(bytes: &mut [u8]) {
    for byte in bytes {
        *byte ^= 0xff;
    }
}
