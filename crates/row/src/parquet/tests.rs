//! Reads files back with another reader of Parquet.

use super::{GROUP_BYTES, Parquet};
use crate::compress::Compression;
use crate::field::{FieldType, Presence};
use crate::fields::FIELDS;
use crate::layout::Layout;
use crate::row::Row;
use crate::sample::{EXTRACTORS, file_of, full_layout, inspect, numbered};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::serialized_reader::ReadOptionsBuilder;
use parquet::record::Field;

const SMALL_GROUPS: Parquet = Parquet { group_bytes: 20_000 };

const KINDS: [Compression; 3] = Compression::KINDS;

type File = SerializedFileReader<bytes::Bytes>;

fn read(file: &[u8]) -> File {
    let options = ReadOptionsBuilder::new().with_page_index().build();
    SerializedFileReader::new_with_options(bytes::Bytes::copy_from_slice(file), options).unwrap()
}

/// Returns the value that a reader finds for a field of this row.
fn expected(part: FieldType, presence: Presence, row: &Row<'_>) -> Field {
    let value = match part {
        FieldType::Text(of) | FieldType::Json(of) => {
            of(row).map(|text| Field::Str(text.to_owned()))
        }
        FieldType::Int(of) => of(row).map(|value| Field::Int(value.into())),
        // A length that no file has is unknown.
        FieldType::Long(of) => of(row).and_then(|value| value.try_into().ok()).map(Field::Long),
        FieldType::Float(of) => of(row).map(Field::Double),
        FieldType::Flag(of) => of(row).map(Field::Bool),
        FieldType::TextList(_) => unreachable!("only passages have lists"),
        FieldType::Texts => unreachable!("looked at apart"),
    };
    assert!(presence != Presence::Always || value.is_some());
    value.unwrap_or(Field::Null)
}

#[test]
fn another_reader_finds_every_value_of_every_row() {
    for compression in KINDS {
        let layout = full_layout(compression);
        let batches = [1, 0, 7, 90, 90, 90, 40];
        let file = file_of(&SMALL_GROUPS, &layout, &batches);
        let reader = read(&file);
        assert!(reader.metadata().num_row_groups() > 2);
        let mut number = 0;
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            let names: Vec<_> = row.get_column_iter().map(|(name, _)| name.as_str()).collect();
            let known: Vec<_> = FIELDS.iter().map(|field| field.name).collect();
            assert_eq!(names, known);
            numbered(number, |ours| {
                for (field, (name, found)) in FIELDS.iter().zip(row.get_column_iter()) {
                    if let FieldType::Texts = field.value_type {
                        let Field::Group(texts) = found else { panic!("{found:?}") };
                        let names: Vec<_> = texts.get_column_iter().map(|(n, _)| n).collect();
                        assert_eq!(names, EXTRACTORS);
                        for (place, (_, found)) in texts.get_column_iter().enumerate() {
                            let text =
                                ours.texts.map(|texts| Field::Str(texts.texts[place].clone()));
                            assert_eq!(*found, text.unwrap_or(Field::Null), "row {number}");
                        }
                    } else {
                        let expected = expected(field.value_type, field.presence, ours);
                        assert_eq!(*found, expected, "row {number}, {name}");
                    }
                }
            });
            number += 1;
        }
        assert_eq!(number, batches.iter().sum::<usize>());
    }
}

#[test]
fn groups_say_what_is_in_them() {
    let file = file_of(&SMALL_GROUPS, &full_layout(KINDS[0]), &[100, 100, 100]);
    let reader = read(&file);
    let metadata = reader.metadata();
    let about = metadata.file_metadata();
    assert_eq!(about.num_rows(), 300);
    let said = about.key_value_metadata().unwrap();
    assert_eq!(
        (said[0].key.as_str(), said[0].value.as_deref()),
        ("huller.config", Some("{\"settings\":{}}"))
    );
    let place = |name: &str| {
        let columns = about.schema_descr().columns();
        columns.iter().position(|column| column.name() == name).unwrap()
    };
    let (id, url, text, score) = (place("id"), place("url"), place("text"), place("score"));
    let mut first = 0;
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let rows = group.num_rows();
        let statistics = |place: usize| group.column(place).statistics().unwrap();
        let bound = |number: i64| format!("{number:08}-0000-0000-0000-000000000000");
        assert_eq!(statistics(id).min_bytes_opt().unwrap(), bound(first).as_bytes());
        assert_eq!(statistics(id).max_bytes_opt().unwrap(), bound(first + rows - 1).as_bytes());
        assert_eq!(statistics(id).null_count_opt(), Some(0));
        assert_eq!(statistics(url).null_count_opt(), Some(rows.cast_unsigned() / 2));
        assert_eq!(statistics(text).min_bytes_opt(), None, "the least of texts tells nothing");
        assert_eq!(statistics(score).max_bytes_opt().unwrap(), 0.123_456_789_f64.to_le_bytes());
        assert_eq!(group.column(score).num_values(), rows);
        first += rows;

        let index = metadata.page_index_for_row_group(number);
        assert!(index.column_index(id).is_none(), "its only page has the bounds of the group");
        assert!(index.column_index(text).is_none());
        let places = index.offset_index(text).unwrap();
        assert!(!places.page_locations().is_empty());
    }
    assert_eq!(first, 300);
}

#[test]
fn pages_of_a_large_column_have_bounds() {
    let file = file_of(&Parquet { group_bytes: GROUP_BYTES }, &full_layout(KINDS[0]), &[40_000]);
    let reader = read(&file);
    let index = reader.metadata().page_index_for_row_group(0);
    let pages = index.offset_index(0).unwrap().page_locations().len();
    assert_eq!(index.column_index(0).unwrap().null_counts().unwrap(), &vec![0; pages]);
    assert!(pages > 1, "{pages}");
}

#[test]
fn groups_are_as_large_as_they_should_be() {
    let format = Parquet { group_bytes: GROUP_BYTES };
    let batches = vec![2000; 80];
    let file = file_of(&format, &full_layout(KINDS[0]), &batches);
    let reader = read(&file);
    let groups = reader.metadata().row_groups();
    assert!(groups.len() > 1, "{}", groups.len());
    let (_, before) = groups.split_last().unwrap();
    for group in before {
        // Batches fill a group, and dictionaries make it smaller than its values.
        assert_eq!((group.num_rows() % 2000, group.num_rows()), (0, before[0].num_rows()));
        let bytes = group.total_byte_size().cast_unsigned() as usize;
        assert!((GROUP_BYTES / 4..GROUP_BYTES * 11 / 10).contains(&bytes), "{bytes}");
    }
}

#[test]
fn groups_of_many_rows_have_dictionaries_of_the_same_values() {
    let layout = full_layout(KINDS[0]);
    let format = Parquet { group_bytes: GROUP_BYTES };
    let mut contents = Vec::new();
    for rows in [999, 1000] {
        let file = file_of(&format, &layout, &[rows - 1, 1]);
        let reader = read(&file);
        let group = reader.metadata().row_group(0);
        let of_name = |name: &str| {
            let found = group.columns().iter().find(|column| column.column_path().string() == name);
            found.unwrap().dictionary_page_offset().is_some()
        };
        assert_eq!((of_name("charset"), of_name("status")), (rows == 1000, rows == 1000));
        assert!(!of_name("id") && !of_name("text"));
        let found = reader.get_row_iter(None).unwrap().map(Result::unwrap);
        contents.push(found.take(999).map(|row| row.to_string()).collect::<Vec<_>>());
        assert_eq!(inspect(&format, &layout, &file).0.rows, rows as u64);
    }
    assert!(contents[0] == contents[1]);
}

#[test]
fn bloom_filters_know_the_values_of_their_group() {
    let layout = Layout { bloom_filters: true, ..full_layout(KINDS[0]) };
    let file = file_of(&SMALL_GROUPS, &layout, &[100, 100, 100]);
    assert_eq!(inspect(&SMALL_GROUPS, &layout, &file).0.rows, 300);
    let asked = ReaderProperties::builder().set_read_bloom_filter(true).build();
    let options = ReadOptionsBuilder::new().with_reader_properties(asked).build();
    let reader = SerializedFileReader::new_with_options(bytes::Bytes::from(file), options).unwrap();
    let columns = reader.metadata().file_metadata().schema_descr().columns();
    let mut first = 0;
    for number in 0..reader.num_row_groups() {
        let group = reader.get_row_group(number).unwrap();
        let end = first + group.metadata().num_rows() as usize;
        for (place, column) in columns.iter().enumerate() {
            let filter = group.get_column_bloom_filter(place);
            let value: fn(&Row<'_>) -> Option<String> = match column.name() {
                "id" => |row| Some(row.id.to_owned()),
                "url" => |row| row.url.map(str::to_owned),
                _ => {
                    assert!(filter.is_none(), "{}", column.name());
                    continue;
                }
            };
            let is_in = |row| numbered(row, value).is_none_or(|text| filter.unwrap().check(&*text));
            assert!((first..end).all(is_in));
            if column.name() == "id" {
                assert!((1000..2000).filter(|row| is_in(*row)).count() < 50);
            }
        }
        first = end;
    }
    assert_eq!(first, 300);
}

#[test]
fn fields_that_were_not_asked_for_are_no_columns() {
    let layout = Layout { chosen: Some(vec!["id", "status"]), ..full_layout(KINDS[0]) };
    let file = file_of(&SMALL_GROUPS, &layout, &[3]);
    let rows = read(&file).get_row_iter(None).unwrap().count();
    assert_eq!((rows, read(&file).metadata().file_metadata().schema_descr().num_columns()), (3, 2));
    let empty = file_of(&SMALL_GROUPS, &Layout::default(), &[]);
    assert_eq!(read(&empty).get_row_iter(None).unwrap().count(), 0);
    assert_eq!(inspect(&SMALL_GROUPS, &layout, &empty).0.rows, 0);
}

#[test]
fn inspection_reads_every_page() {
    for compression in KINDS {
        let layout = full_layout(compression);
        let file = file_of(&SMALL_GROUPS, &layout, &[200, 200]);
        let (found, ids) = inspect(&SMALL_GROUPS, &layout, &file);
        assert!(found.error.is_none() && found.first_fault.is_none(), "{found:?}");
        let expected: Vec<_> = (0..400).map(|n| numbered(n, |row| row.id.to_owned())).collect();
        assert_eq!((found.rows, ids), (400, expected));
    }
}

#[test]
fn damage_is_an_error_and_never_more() {
    let layout = full_layout(KINDS[0]);
    let file = file_of(&SMALL_GROUPS, &layout, &[60]);
    let whole = inspect(&SMALL_GROUPS, &layout, &file).0;
    assert!(whole.error.is_none());
    for length in (0..file.len()).step_by(41) {
        assert!(inspect(&SMALL_GROUPS, &layout, &file[..length]).0.error.is_some(), "{length}");
    }
    let (mut damaged, mut unseen) = (0, 0);
    for place in (0..file.len()).step_by(13) {
        for bit in [0x01, 0x80] {
            let mut file = file.clone();
            file[place] ^= bit;
            damaged += 1;
            unseen += usize::from(inspect(&SMALL_GROUPS, &layout, &file).0.error.is_none());
        }
    }
    // Statistics and names are not checked here; the digest of the file covers their bytes.
    assert!(unseen < damaged * 3 / 4, "{unseen} of {damaged}");
}

#[test]
fn texts_have_checksums_that_are_looked_at() {
    for compression in [Compression::DEFAULT_ZSTD, Compression::DEFAULT_GZIP] {
        let layout = full_layout(compression);
        let file = file_of(&SMALL_GROUPS, &layout, &[60]);
        let reader = read(&file);
        let texts = reader.metadata().row_group(0).columns().iter();
        let (start, length) = texts
            .filter(|column| column.column_path().string() == "text")
            .map(ColumnChunkMetaData::byte_range)
            .next()
            .unwrap();
        // A zstd frame ends with its checksum, and a gzip member has a length after it.
        let end = start + length - if compression == Compression::DEFAULT_GZIP { 4 } else { 0 };
        for place in (end - 4..end).map(|place| place as usize) {
            let mut damaged = file.clone();
            damaged[place] ^= 0x20;
            let found = inspect(&SMALL_GROUPS, &layout, &damaged).0;
            assert!(found.error.is_some(), "{place} of {compression:?}");
        }
    }
}
