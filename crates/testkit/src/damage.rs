//! Archives with damaged records.
//!
//! The functions of this module damage a record or a gzip member or zstd or LZ4 frame that holds
//! one. [`archives`] damages one record of twenty in each way; [`corpus`] writes gigabytes with a
//! record in a hundred damaged, and says what must become of each.

pub mod corpus;

use crate::pack::{gzip, gzip_at, lz4, zstd};
use crate::sample::{endless, id, page_records};

/// How records stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// As they are.
    Plain,
    /// Each in a gzip member.
    Gzip,
    /// Each in a zstd frame.
    Zstd,
    /// Each in an LZ4 frame.
    Lz4,
}

impl Container {
    /// All containers.
    pub const ALL: [Container; 4] =
        [Container::Plain, Container::Gzip, Container::Zstd, Container::Lz4];

    /// The end of file names.
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
pub enum Kind {
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

impl Kind {
    /// All kinds, each with the place of the record that it damages.
    pub const ALL: [(Kind, usize); 5] = [
        (Kind::Flipped, 7),
        (Kind::CutMember, 11),
        (Kind::WrongVersion, 4),
        (Kind::ContentLength, 14),
        (Kind::CutFile, RECORDS - 1),
    ];

    /// Its name in file names.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Flipped => "flipped",
            Kind::CutMember => "cut-member",
            Kind::WrongVersion => "wrong-version",
            Kind::ContentLength => "content-length",
            Kind::CutFile => "cut-file",
        }
    }

    /// Whether the damaged record is lost. What is there of a page at the end of a file is not; but
    /// a zstd or LZ4 frame gives whole blocks only, and these records have one.
    pub fn loses_record(self, container: Container) -> bool {
        match self {
            Kind::ContentLength => false,
            Kind::CutFile => matches!(container, Container::Zstd | Container::Lz4),
            _ => true,
        }
    }

    fn damaged(self, container: Container, record: &[u8]) -> Vec<u8> {
        let packed = container.pack(record);
        match (self, container) {
            (Kind::Flipped, Container::Plain) => flip_header(record),
            (Kind::Flipped, _) => flip_middle(&packed),
            (Kind::CutMember, Container::Plain) => cut_block(record),
            (Kind::CutMember | Kind::CutFile, _) => cut_half(&packed).to_vec(),
            (Kind::WrongVersion, _) => container.pack(&wrong_version(record)),
            (Kind::ContentLength, _) => container.pack(&length_too_long(record)),
        }
    }
}

/// How many records each archive of [`archives`] has.
pub const RECORDS: usize = 20;

/// An archive of twenty pages.
#[derive(Debug)]
pub struct Archive {
    /// Its file name: `whole` or the kind of damage, and the container.
    pub name: String,
    /// Its container.
    pub container: Container,
    /// What was damaged, and the place of that record from 0; `None` if nothing was.
    pub damage: Option<(Kind, usize)>,
    /// The UUIDs of the records that a reader must give, in their order.
    pub expected: Vec<String>,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The first twenty pages of the sample, undamaged and with each kind of damage, in each container.
pub fn archives() -> Vec<Archive> {
    let records: Vec<_> = page_records().into_iter().take(RECORDS).collect();
    let ids: Vec<_> = records.iter().map(|record| id(record)).collect();
    let mut archives = Vec::new();
    for container in Container::ALL {
        let packed: Vec<_> = records.iter().map(|record| container.pack(record)).collect();
        let mut add = |damage: Option<(Kind, usize)>| {
            let (mut packed, mut expected) = (packed.clone(), ids.clone());
            if let Some((kind, place)) = damage {
                packed[place] = kind.damaged(container, &records[place]);
                if kind.loses_record(container) {
                    expected.remove(place);
                }
            }
            let name = damage.map_or("whole", |(kind, _)| kind.name());
            let name = format!("{name}.{}", container.extension());
            archives.push(Archive { name, container, damage, expected, bytes: packed.concat() });
        };
        add(None);
        for damage in Kind::ALL {
            add(Some(damage));
        }
    }
    archives
}

/// An archive of the sample again and again, at least so many bytes uncompressed, each record in a
/// gzip member. One member in fifty is damaged: bytes are inverted, the second half is missing,
/// junk stands before it, or the version line is wrong.
pub fn large_archive(bytes: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let mut done = 0;
    for (number, record) in endless().enumerate() {
        if done >= bytes {
            break;
        }
        done += record.len();
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

/// The record with its version line and the digits of Content-Length inverted.
pub fn flip_header(record: &[u8]) -> Vec<u8> {
    let mut record = record.to_vec();
    let (start, end) = length_digits(&record);
    invert(&mut record[..8]);
    invert(&mut record[start..end]);
    record
}

/// A member or frame with 64 bytes in its middle inverted.
pub fn flip_middle(packed: &[u8]) -> Vec<u8> {
    let mut packed = packed.to_vec();
    let middle = packed.len() / 2;
    invert(&mut packed[middle - 32..middle + 32]);
    packed
}

/// The first half of a member or frame.
pub fn cut_half(packed: &[u8]) -> &[u8] {
    &packed[..packed.len() / 2]
}

/// The record without the second half of its block and without the empty lines after it;
/// Content-Length stays.
pub fn cut_block(record: &[u8]) -> Vec<u8> {
    let block = find(record, b"\r\n\r\n") + 4;
    record[..block + (record.len() - 4 - block) / 2].to_vec()
}

/// The record with a version line that is none.
pub fn wrong_version(record: &[u8]) -> Vec<u8> {
    [b"WARX/1.0", &record[8..]].concat()
}

/// The record with a Content-Length that is 50 too large.
pub fn length_too_long(record: &[u8]) -> Vec<u8> {
    let (start, end) = length_digits(record);
    let digits = std::str::from_utf8(&record[start..end]).expect("digits");
    let length: u64 = digits.parse().expect("a number");
    with_length(record, &(length + 50).to_string())
}

/// The record with a Content-Length that is no number.
pub fn length_no_number(record: &[u8]) -> Vec<u8> {
    with_length(record, "12x")
}

/// The record without Content-Length.
pub fn length_missing(record: &[u8]) -> Vec<u8> {
    let (start, end) = length_digits(record);
    [&record[..start - FIELD.len() + 2], &record[end + 2..]].concat()
}

/// A gzip member with its checksum inverted in part.
pub fn wrong_checksum(member: &[u8]) -> Vec<u8> {
    let mut member = member.to_vec();
    let trailer = member.len() - 8;
    member[trailer..trailer + 4].iter_mut().for_each(|byte| *byte ^= 0x55);
    member
}

const FIELD: &[u8] = b"\r\nContent-Length: ";

/// Where the digits of the record's Content-Length stand: its header comes before that of HTTP.
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
