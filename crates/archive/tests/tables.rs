//! Tables that pyarrow and `DuckDB` wrote, against the rows that pyarrow reads from them
//! (`scripts/lab/tables/make.py`); and what becomes of them when they are damaged.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_archive::{
    ArchiveError, Batch, Fault, FaultReason, Format, Input, Limits, Position, Record, RecordStream,
    UnpackResult, Unpacker, Visitor,
};
use huller_testkit::random::Random;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables")
}

/// All tables, in the order of their names.
fn tables() -> Vec<PathBuf> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut tables: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "parquet")).collect();
    tables.sort();
    assert!(tables.len() > 30);
    tables
}

/// What was found, in order: rows with their numbers, and faults.
#[derive(Debug, Default, PartialEq)]
struct TableEntries {
    rows: Vec<(u64, String)>,
    faults: Vec<Fault>,
    /// Rows after which the visitor is full.
    most: Option<usize>,
    /// Rows of the batch.
    in_batch: usize,
}

impl Visitor for TableEntries {
    fn record(&mut self, _: Record<'_>) {
        unreachable!("tables hold no records")
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let number = position.stream_offset.unwrap();
        self.rows.push((number, String::from_utf8(line.to_vec()).unwrap()));
        self.in_batch += 1;
    }

    fn fault(&mut self, fault: &Fault) {
        self.faults.push(fault.clone());
    }

    fn is_full(&self) -> bool {
        self.most.is_some_and(|most| self.in_batch >= most)
    }
}

/// Reads a table batch by batch, with `workers` unpackers in turn, whose visitors are full after
/// `most` rows.
fn read(
    path: &Path,
    limits: &Limits,
    workers: usize,
    most: Option<usize>,
) -> Result<TableEntries, ArchiveError> {
    let mut input = Input::open(path, limits)?;
    let mut unpackers: Vec<_> = (0..workers).map(|_| Unpacker::new(limits)).collect();
    let mut batch = Batch::default();
    let mut found = TableEntries { most, ..TableEntries::default() };
    let mut number = 0;
    while input.next_batch(&mut batch)? {
        found.in_batch = 0;
        number += 1;
        if let UnpackResult::StoppedAt(row) =
            unpackers[number % workers].unpack(&mut batch, &mut found)
        {
            input.restart_at(row)?;
        }
    }
    assert_eq!(input.prefix_digest().bytes, fs::metadata(path).unwrap().len());
    Ok(TableEntries { most: None, in_batch: 0, ..found })
}

fn stream(path: &Path, limits: &Limits) -> Result<TableEntries, ArchiveError> {
    let mut stream = RecordStream::open(path, limits)?;
    let mut unpacker = Unpacker::new(limits);
    let (mut batch, mut found) = (Batch::default(), TableEntries::default());
    while stream.next_batch(&mut batch)? {
        assert_eq!(unpacker.unpack(&mut batch, &mut found), UnpackResult::Complete);
    }
    Ok(TableEntries { in_batch: 0, ..found })
}

/// Parts of a few rows.
fn small_parts() -> Limits {
    Limits { batch_bytes: 64, ..Limits::default() }
}

#[test]
fn every_value_is_the_one_that_pyarrow_reads() {
    for path in tables() {
        let family = path.file_stem().unwrap().to_str().unwrap().split('-').next().unwrap();
        let expected = fs::read_to_string(folder().join(family).with_extension("jsonl")).unwrap();
        let expected: Vec<Value> =
            expected.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found = read(&path, &Limits::default(), 1, None).unwrap();
        assert_eq!(found.faults, [], "{path:?}");
        assert_eq!(found.rows.len(), expected.len(), "{path:?}");
        for (place, ((number, row), expected)) in found.rows.iter().zip(&expected).enumerate() {
            assert_eq!(*number, place as u64);
            let row: Value = serde_json::from_str(row).unwrap();
            assert!(!row.as_object().unwrap().is_empty());
            for (name, value) in row.as_object().unwrap() {
                assert!(
                    is_same(value, &expected[name]),
                    "{path:?} {place} {name}: {value} {}",
                    expected[name]
                );
            }
        }
    }
}

/// Whether two values are the same. Decimals have more digits here than Python's numbers.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has = |(name, value): (&String, &Value)| {
                other.get(name).is_some_and(|other| is_same(value, other))
            };
            one.len() == other.len() && one.iter().all(has)
        }
        (one, other) => one == other,
    }
}

#[test]
fn rows_do_not_depend_on_how_they_are_read() {
    for path in tables() {
        let whole = read(&path, &Limits::default(), 1, None).unwrap();
        let limits = small_parts();
        for workers in [1, 3] {
            for most in [None, Some(1), Some(4)] {
                assert_eq!(read(&path, &limits, workers, most).unwrap(), whole, "{path:?}");
            }
        }
        assert_eq!(stream(&path, &limits).unwrap(), whole, "{path:?}");
    }
}

#[test]
fn damage_costs_the_rows_of_its_part_whoever_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("damaged.parquet");
    let mut random = Random::new(7);
    let (mut faulty, mut refused) = (0, 0);
    for path in tables() {
        let bytes = fs::read(&path).unwrap();
        for _ in 0..20 {
            let mut bytes = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.within(0, bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            if random.below(10) == 0 {
                let length = random.within(0, bytes.len());
                bytes.truncate(length);
            }
            fs::write(&damaged, &bytes).unwrap();
            let limits = small_parts();
            let Ok(found) = read(&damaged, &limits, 1, None) else {
                refused += 1;
                continue;
            };
            faulty += usize::from(!found.faults.is_empty());
            for (workers, most) in [(2, None), (3, Some(2))] {
                let again = read(&damaged, &limits, workers, most).unwrap();
                assert_eq!(again.faults, found.faults, "{path:?}");
                assert_eq!(again.rows, found.rows, "{path:?}");
            }
            let again = stream(&damaged, &limits).unwrap();
            assert_eq!((again.rows, again.faults), (found.rows, found.faults), "{path:?}");
        }
    }
    assert!(faulty > 100 && refused > 20, "{faulty} {refused}");
}

/// A table and the place in it of the number of rows that the file says it has: a variable-length
/// number after the byte 0x16, before the list of groups.
fn with_rows(table: &str, rows: u8) -> Vec<u8> {
    let mut bytes = fs::read(folder().join(table)).unwrap();
    // Doubled, as signed numbers are.
    let places: Vec<_> =
        (0..bytes.len() - 2).filter(|at| bytes[*at..at + 3] == [0x16, 60 * 2, 0x19]).collect();
    bytes[*places.last().unwrap() + 1] = rows * 2;
    bytes
}

#[test]
fn rows_that_no_group_has_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    for (rows, detail) in [
        (63, "rows 60 to 62 (row group 1): its footer gives 63 rows, but its row groups have 60"),
        (61, "row 60 (row group 1): its footer gives 61 rows, but its row groups have 60"),
        (40, "row 60 (row group 1): its footer gives 40 rows, but its row groups have 60"),
    ] {
        fs::write(&path, with_rows("scalars-plain.parquet", rows)).unwrap();
        for limits in [Limits::default(), small_parts()] {
            let found = read(&path, &limits, 1, None).unwrap();
            assert_eq!(found.rows.len(), 60);
            let [fault] = &found.faults[..] else { panic!("{:?}", found.faults) };
            assert_eq!((fault.reason, fault.detail.as_str()), (FaultReason::CorruptRows, detail));
            assert_eq!(read(&path, &limits, 3, Some(4)).unwrap(), found);
            assert_eq!(stream(&path, &limits).unwrap(), found);
        }
    }
}

#[test]
fn a_changed_header_of_a_page_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let table = fs::read(self::folder().join("scalars-plain.parquet")).unwrap();
    // The header of the first page: its kind, its lengths, and the field that describes it.
    assert_eq!((table[4], table[12]), (0x15, 0x2c));
    for (place, byte) in
        [(12, 0xac), (12, 0x1c), (12, 0x3c), (5, 0x02), (5, 0x04), (5, 0x06), (5, 0x08)]
    {
        let mut table = table.clone();
        table[place] = byte;
        fs::write(&path, &table).unwrap();
        let found = read(&path, &Limits::default(), 1, None).unwrap();
        assert!(!found.faults.is_empty(), "byte {place} is {byte:#x}: {} rows", found.rows.len());
    }
}

#[test]
fn the_encoding_of_levels_that_a_column_does_not_have_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let mut table = fs::read(self::folder().join("scalars-plain.parquet")).unwrap();
    let whole = read(&self::folder().join("scalars-plain.parquet"), &Limits::default(), 1, None);
    // In the header of the first page the encodings of definition and repetition levels, 3 doubled.
    assert_eq!(table[17..21], [0x15, 6, 0x15, 6]);
    table[20] = 4 * 2;
    fs::write(&path, &table).unwrap();
    assert_eq!(read(&path, &Limits::default(), 1, None).unwrap(), whole.unwrap());
    table[18] = 4 * 2;
    fs::write(&path, &table).unwrap();
    let faults = read(&path, &Limits::default(), 1, None).unwrap().faults;
    assert!(faults[0].detail.contains("obsolete"), "{faults:?}");
}

#[test]
fn what_is_no_table_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let table = fs::read(tables().last().unwrap()).unwrap();
    for (bytes, why) in [
        (&b"PAR1"[..], "its footer is incomplete"),
        (b"PAR1\0\0\0\0\0\0\0\0PARE", "it is encrypted"),
        (&table[..table.len() - 1], "it does not end like a Parquet file"),
        (b"PAR1\xff\xff\xff\xffPAR1", "more than the limit of"),
        (b"PAR1\0\0\0\0PAR1", "incomplete"),
    ] {
        fs::write(&path, bytes).unwrap();
        let Err(error) = Input::open(&path, &Limits::default()) else { panic!("{why}") };
        assert!(error.to_string().contains(why), "{error}");
    }
    let Err(error) = Input::from_reader(Box::new(std::io::Cursor::new(table)), &Limits::default())
    else {
        panic!("a pipe has no end")
    };
    assert!(error.to_string().contains("give huller the file itself"), "{error}");
}

/// Reads a table of text, compressed or not.
fn csv(name: &str, bytes: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let mut input = Input::open(&path, &Limits::default()).unwrap();
    assert!(matches!(input.format(), Format::Csv(_)));
    let (mut batch, mut unpacker) = (Batch::default(), Unpacker::new(&Limits::default()));
    let mut found = TableEntries::default();
    while input.next_batch(&mut batch).unwrap() {
        assert_eq!(unpacker.unpack(&mut batch, &mut found), UnpackResult::Complete);
    }
    let faults = found.faults.into_iter().map(|fault| {
        assert_eq!(fault.reason, FaultReason::BadRow);
        fault.detail
    });
    found.rows.into_iter().map(|(_, row)| row).chain(faults).collect()
}

#[test]
fn csv_is_told_by_its_name_and_read_from_any_container() {
    let table = "\u{feff}id,html\r\n1,\"<p>a\r\nb\"\r\n\r\n2,é\n";
    let expected = [r#"{"id":"1","html":"<p>a\r\nb"}"#, r#"{"id":"2","html":"é"}"#];
    assert_eq!(csv("a.csv", table.as_bytes()), expected);
    assert_eq!(csv("A.TSV", table.replace(',', "\t").as_bytes()), expected);
    assert_eq!(csv("a.csv.gz", &huller_testkit::pack::gzip_at(table.as_bytes(), 1)), expected);
    assert_eq!(csv("a.csv.zst", &huller_testkit::pack::zstd(table.as_bytes())), expected);
    let open = "id,html\n1,\"<p>never closed\n2,b\n3,c\n";
    let found = csv("a.csv", open.as_bytes());
    assert_eq!(found[..2], [r#"{"id":"2","html":"b"}"#, r#"{"id":"3","html":"c"}"#]);
    assert!(found[2].starts_with("a quote is never closed"), "{found:?}");
}
