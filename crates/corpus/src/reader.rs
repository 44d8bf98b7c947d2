//! Reads a file of rows, chunk by chunk.

use crate::chunk::RowChunk;
use crate::chunk_end::{CHUNK, ChunkEnd};
use crate::error::CorpusError;
use crate::fault::RowFault;
use crate::file_name::is_plain;
use huller_archive::{
    Batch, Container, DigestHandle, Entry, Format, Input, Limits, PrefixDigest, RecordStream,
    Stores,
};
use huller_refine::Reason;
use std::path::Path;

/// Number of faults after which a chunk ends.
const MAX_FAULTS: usize = 1 << 14;

/// Limit of a page of a Parquet file, as a multiple of the longest row.
const PAGE_ROWS: usize = 4;

/// Reads a file of rows from its start to its end: JSON Lines, CSV or Parquet, plain or compressed.
/// The bytes of the file decide its format.
pub struct RowReader {
    /// `None` after the last chunk.
    stream: Option<RecordStream>,
    container: Container,
    /// Whether the file is a table.
    is_table: bool,
    /// Longest row in bytes.
    longest: usize,
    /// Bytes after which a chunk ends: [`CHUNK`], or fewer in tests.
    step: u64,
    batch: Batch,
    /// Index of the next entry in the batch.
    next: usize,
    /// Place at which the next chunk begins.
    at: u64,
    /// The capacity of the last chunk.
    room: (usize, usize),
    /// Digest of the bytes of the file that have been read.
    digest: DigestHandle,
    version: Option<u64>,
}

impl RowReader {
    /// Opens a file. Rows of more than [`Limits::record_bytes`] are skipped and counted.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is empty, or holds records, pages or other data instead of rows.
    pub fn open(path: &Path, limits: &Limits) -> Result<RowReader, CorpusError> {
        RowReader::open_in(&Stores::default(), path, limits)
    }

    /// As [`RowReader::open`], but `path` may be a URL, which `stores` opens.
    ///
    /// # Errors
    ///
    /// As [`RowReader::open`], and if a store cannot be reached.
    pub fn open_in(
        stores: &Stores,
        path: &Path,
        limits: &Limits,
    ) -> Result<RowReader, CorpusError> {
        let longest = limits.record_bytes;
        let pages = Limits { record_bytes: longest.saturating_mul(PAGE_ROWS), ..limits.clone() };
        let mut input = Input::open_in(stores, path, &pages);
        // A stream can be read only once, so it keeps the higher limit. Rows over the lower limit
        // are skipped later.
        if let Ok(opened) = &input
            && opened.format() != Format::Parquet
            && opened.len().is_some()
        {
            input = Input::open_in(stores, path, limits);
        }
        RowReader::from_input(input?, longest)
    }

    /// Reads an open input. Rows of more than `longest` bytes are skipped and counted.
    ///
    /// # Errors
    ///
    /// The input holds records or pages in place of rows.
    pub fn from_input(input: Input, longest: usize) -> Result<RowReader, CorpusError> {
        let (format, container) = (input.format(), input.container());
        CorpusError::refuse_archives(format)?;
        let is_table = format != Format::Jsonl;
        Ok(RowReader {
            digest: input.digest_handle(),
            version: input.version(),
            stream: Some(input.into_stream()?),
            container,
            is_table,
            longest,
            step: CHUNK,
            batch: Batch::default(),
            next: 0,
            at: 0,
            room: (0, 0),
        })
    }

    /// Returns the version of the file. It is the time of the last change in nanoseconds since
    /// 1970; in object storage another number takes its place.
    pub fn version(&self) -> Option<u64> {
        self.version
    }

    /// Returns how many bytes of the file have been read so far, in compressed form, and their
    /// digest.
    pub fn prefix_digest(&self) -> PrefixDigest {
        self.digest.prefix_digest()
    }

    /// Refuses a compressed file whose name says that it is not compressed. Made for commands whose
    /// outputs have the names and the compression of their inputs.
    ///
    /// # Errors
    ///
    /// The name is that of uncompressed rows, and the bytes are compressed.
    pub fn check_name(&self, name: &str) -> Result<(), CorpusError> {
        if self.container == Container::Plain || !is_plain(name) {
            return Ok(());
        }
        Err(CorpusError::Misnamed { name: name.to_owned(), container: self.container })
    }

    /// Returns the next chunk, which holds rows or faults, or `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read any further.
    pub fn next_chunk(&mut self) -> Result<Option<RowChunk>, CorpusError> {
        let chunk = if self.is_table { self.next_of_table()? } else { self.next_of_lines()? };
        (self.at, self.room) = (chunk.end(), chunk.room());
        Ok((!chunk.is_empty()).then_some(chunk))
    }

    /// Reads the next batch if all entries of this one are taken. Returns false at the end of the
    /// file.
    fn read_batch(&mut self) -> Result<bool, CorpusError> {
        while self.next == self.batch.entries.len() {
            let Some(stream) = &mut self.stream else { return Ok(false) };
            self.next = 0;
            if !stream.next_batch(&mut self.batch)? {
                self.stream = None;
            }
        }
        Ok(true)
    }

    /// Reads a chunk of lines, up to the end that [`ChunkEnd`] decides, and the faults before,
    /// between and after them.
    fn next_of_lines(&mut self) -> Result<RowChunk, CorpusError> {
        let (step, longest) = (self.step, self.longest as u64);
        let end_of = move |start| ChunkEnd::new(step, longest, start);
        let (mut chunk, mut chunk_end) =
            (RowChunk::starting_at(self.at, self.room), end_of(self.at));
        // Bytes between two rows are blank, unless they gave a fault.
        let mut is_after_fault = false;
        while self.read_batch()? {
            match &self.batch.entries[self.next] {
                Entry::Line { bytes, position, length, line_end }
                    if bytes.len() <= self.longest =>
                {
                    let start = position.stream_offset.unwrap_or(chunk.end());
                    let row = &self.batch.bytes[bytes.clone()];
                    let line = start..start + length;
                    if is_after_fault && !chunk.has_rows() {
                        chunk_end = end_of(start);
                    }
                    match chunk_end.take(&line, *line_end > 0) {
                        None => chunk.push(start, row, *line_end == 2, line.end),
                        Some(_) if is_after_fault => return Ok(chunk.followed_at(start)),
                        Some(next) if chunk.has_rows() => return Ok(chunk.followed_at(next)),
                        Some(next) => {
                            (chunk, chunk_end) =
                                (RowChunk::starting_at(next, self.room), end_of(next));
                            continue;
                        }
                    }
                    is_after_fault = false;
                }
                entry => {
                    let (fault, place) = no_row(entry);
                    if chunk.faults().len() >= MAX_FAULTS {
                        let end = place.unwrap_or_default().max(chunk.last_row_end());
                        return Ok(chunk.followed_at(end));
                    }
                    chunk.push_fault(fault, place);
                    is_after_fault = true;
                }
            }
            self.next += 1;
        }
        Ok(chunk)
    }

    /// Reads rows of a table, batch by batch, until they make a chunk.
    fn next_of_table(&mut self) -> Result<RowChunk, CorpusError> {
        let mut chunk = RowChunk::starting_at(self.at, self.room);
        let mut bytes = 0;
        while bytes < self.step && chunk.faults().len() < MAX_FAULTS && self.read_batch()? {
            for entry in &self.batch.entries {
                match entry {
                    Entry::Line { bytes: row, position, .. } if row.len() <= self.longest => {
                        let start = position.stream_offset.unwrap_or(chunk.end()).max(chunk.end());
                        bytes += row.len() as u64 + 1;
                        chunk.push(start, &self.batch.bytes[row.clone()], false, start + 1);
                    }
                    entry => {
                        let (fault, place) = no_row(entry);
                        chunk.push_fault(fault, place);
                    }
                }
            }
            self.next = self.batch.entries.len();
        }
        Ok(chunk)
    }
}

/// Returns the reason why an entry gives no row, and its place in the file.
fn no_row(entry: &Entry) -> (RowFault, Option<u64>) {
    match entry {
        Entry::Fault(fault) => (fault.into(), fault.position.stream_offset),
        Entry::Line { position, .. } => (Reason::TooLarge.into(), position.stream_offset),
        Entry::Record { position, .. } | Entry::File { position, .. } => {
            (Reason::NotARow.into(), position.stream_offset)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_refine::RejectionKind;
    use huller_testkit::pack::{gzip, lz4, zstd};
    use std::fs;

    /// Rows with their places, and reasons of faults, of each chunk.
    type Chunks = Vec<(Vec<(u64, String)>, Vec<Reason>)>;

    fn limits(longest: usize) -> Limits {
        Limits { record_bytes: longest, ..Limits::default() }
    }

    fn reader(name: &str, content: &[u8], longest: usize) -> Result<RowReader, CorpusError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        RowReader::open(&path, &limits(longest))
    }

    fn chunks(mut reader: RowReader) -> Chunks {
        let (mut chunks, mut end) = (Vec::new(), 0);
        while let Some(chunk) = reader.next_chunk().unwrap() {
            assert!(chunk.end() >= end, "chunks come in order");
            let text = |row: &[u8]| String::from_utf8(row.to_vec()).unwrap();
            let rows: Vec<_> = chunk.rows().map(|(place, row)| (place, text(row))).collect();
            assert!(rows.iter().all(|(place, _)| (end..chunk.end()).contains(place)));
            end = chunk.end();
            chunks.push((rows, chunk.faults().iter().map(|(_, fault)| fault.reason).collect()));
        }
        assert!(reader.next_chunk().unwrap().is_none());
        chunks
    }

    fn rows(name: &str, content: &[u8]) -> (Vec<(u64, String)>, Vec<Reason>) {
        let (mut rows, mut faults) = (Vec::new(), Vec::new());
        for (of_chunk, reasons) in chunks(reader(name, content, 1000).unwrap()) {
            rows.extend(of_chunk);
            faults.extend(reasons);
        }
        (rows, faults)
    }

    #[test]
    fn rows_are_the_same_in_every_container_whatever_the_name() {
        let lines = "\u{feff}\n{\"text\":\"a\"}\n\n  \r\n{\"text\":\"b\"}\r\n{\"text\":\"c\"}";
        let expected: Vec<_> =
            [(4, "{\"text\":\"a\"}"), (22, "{\"text\":\"b\"}\r"), (36, "{\"text\":\"c\"}")]
                .map(|(place, row)| (place, row.to_owned()))
                .into();
        let plain = lines.as_bytes();
        let packed = [plain.to_vec(), gzip(plain), zstd(plain), lz4(plain)];
        for (bytes, own) in packed.iter().zip(["", ".gz", ".zst", ".lz4"]) {
            for name in [&format!("a.jsonl{own}"), "a", "a.json.gz", "a.jsonl"] {
                assert_eq!(rows(name, bytes), (expected.clone(), Vec::new()), "{name}");
            }
        }
        for (bytes, better) in packed[1..].iter().zip(["a.jsonl.gz", "a.jsonl.zst", "a.jsonl.lz4"])
        {
            let reader = reader("a", bytes, 1000).unwrap();
            assert!(reader.check_name("a").is_ok() && reader.check_name("a.jsonl.gz").is_ok());
            let refused = reader.check_name("a.jsonl").unwrap_err().to_string();
            assert!(refused.contains(better), "{refused}");
        }
    }

    #[test]
    fn rows_of_tables_come_as_objects_and_faults_between_them() {
        let table = "text,id\none,1\ntoo,many,values\n\"two\nlines\",2\n";
        let expected =
            [(8, r#"{"text":"one","id":"1"}"#), (30, r#"{"text":"two\nlines","id":"2"}"#)]
                .map(|(place, row)| (place, row.to_owned()));
        for (name, bytes) in [("a.csv", table.into()), ("a.csv.gz", gzip(table.as_bytes()))] {
            let bytes: Vec<u8> = bytes;
            assert_eq!(rows(name, &bytes), (expected.to_vec(), vec![Reason::BadRow]), "{name}");
        }
        let (rows, faults) = rows("a.csv", format!("a\n{}\nx\n", "y".repeat(1001)).as_bytes());
        assert_eq!((rows.len(), faults), (1, vec![Reason::TooLarge]));
    }

    #[test]
    fn what_holds_no_rows_is_an_error_with_a_remedy() {
        for (content, remedy) in [
            ("[\n{\"text\":\"a\"}\n]\n", "jq"),
            ("<!DOCTYPE html><html><p>x</p></html>", "an HTML page"),
            (
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n",
                "huller extract",
            ),
        ] {
            let error = reader("a.jsonl", content.as_bytes(), 1000).err().unwrap().to_string();
            assert!(error.contains(remedy), "{error}");
        }
        for (name, content) in [
            ("a.jsonl", Vec::new()),
            ("a.jsonl", b"\n\n".to_vec()),
            ("b.csv", Vec::new()),
            ("a.jsonl.gz", gzip(b"")),
        ] {
            let error = reader(name, &content, 1000).err().unwrap().to_string();
            assert!(error.contains("it is empty") || error.contains("only blank"), "{error}");
        }
        assert!(RowReader::open(Path::new("no/such/file"), &limits(9)).is_err());
    }

    #[test]
    fn rows_that_are_too_long_are_faults_and_a_chunk_begins_after_them() {
        let row = |length: usize| format!("{{{}}}\n", "x".repeat(length - 2));
        let lengths = [50, 10, 201, 20, 199, 200, 201, 201, 30];
        let file: String = lengths.iter().map(|length| row(*length)).collect();
        for bytes in [file.as_bytes().to_vec(), gzip(file.as_bytes())] {
            let mut reader = reader("a", &bytes, 200).unwrap();
            reader.step = 60;
            let found: Vec<(Vec<usize>, usize)> = chunks(reader)
                .into_iter()
                .map(|(rows, faults)| {
                    (rows.iter().map(|(_, row)| row.len()).collect(), faults.len())
                })
                .collect();
            let one = |length| (vec![length], 0);
            let expected = [one(50), (vec![10], 1), one(20), one(199), (vec![200], 2), one(30)];
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn chunks_end_where_the_lines_say_in_every_container() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        for _ in 0..20 {
            let (mut file, mut places) = (Vec::new(), Vec::new());
            for _ in 0..=random(40) {
                places.push(file.len() as u64);
                let length = random(90) as usize;
                file.extend_from_slice(format!("{{{}}}", "x".repeat(length)).as_bytes());
                file.extend_from_slice(if random(3) == 0 { b"\r\n" } else { b"\n" });
                file.extend(std::iter::repeat_n(b'\n', [0, 0, 3, 200][random(4) as usize]));
            }
            if random(2) == 0 {
                places.push(file.len() as u64);
                file.extend_from_slice(b"{}");
            }
            let step = random(150) + 1;
            let of = |bytes: &[u8]| -> Vec<Vec<u64>> {
                let mut reader = reader("a", bytes, 1000).unwrap();
                reader.step = step;
                let places = |(rows, _): (Vec<(u64, String)>, _)| rows.into_iter().map(|row| row.0);
                chunks(reader).into_iter().map(|chunk| places(chunk).collect()).collect()
            };
            let plain = of(&file);
            assert_eq!(plain.concat(), places);
            assert_eq!(of(&gzip(&file)), plain);
            assert_eq!(of(&zstd(&file)), plain);
            assert_eq!(of(&lz4(&file)), plain);
            // Members end at any byte.
            let cut = random(file.len() as u64) as usize;
            assert_eq!(of(&[gzip(&file[..cut]), gzip(&file[cut..])].concat()), plain);
            let mut end = ChunkEnd::new(step, 1000, 0);
            let mut expected = vec![Vec::new()];
            for (at, place) in places.iter().enumerate() {
                let line = &file[*place as usize..];
                let length =
                    line.iter().position(|byte| *byte == b'\n').map_or(line.len(), |at| at + 1);
                let line = *place..*place + length as u64;
                while let Some(next) = end.take(&line, file[line.end as usize - 1] == b'\n') {
                    end = ChunkEnd::new(step, 1000, next);
                    expected.push(Vec::new());
                }
                expected.last_mut().unwrap().push(places[at]);
            }
            expected.retain(|rows| !rows.is_empty());
            assert_eq!(plain, expected);
        }
    }

    #[test]
    fn damage_of_a_container_is_counted_and_reading_goes_on() {
        let (one, two) = (gzip(b"{\"text\":\"a\"}\n"), gzip(b"{\"text\":\"b\"}\n"));
        let mut broken = gzip("{\"text\":\"lost\"}\n".repeat(50).as_bytes());
        let middle = broken.len() / 2;
        broken[middle] ^= 0xff;
        let (rows, faults) = rows("a.jsonl.gz", &[one, broken, two.clone()].concat());
        let texts: Vec<_> = rows.iter().map(|(_, row)| row.as_str()).collect();
        assert_eq!((texts[0], *texts.last().unwrap()), (r#"{"text":"a"}"#, r#"{"text":"b"}"#));
        assert!(!faults.is_empty() && faults.iter().all(|of| of.kind() == RejectionKind::Failed));
        let (rows, faults) = self::rows("a.jsonl.gz", &two[..two.len() - 9]);
        assert!(rows.len() <= 1 && faults.len() == 1);
    }
}
