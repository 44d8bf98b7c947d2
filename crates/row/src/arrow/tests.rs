//! Reads files back with another reader of Arrow.

use super::Arrow;
use crate::compress::Compression;
use crate::field::FieldType;
use crate::fields::FIELDS;
use crate::format::Format;
use crate::layout::Layout;
use crate::sample::{EXTRACTORS, file_of, full_layout, inspect, numbered};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::FileReader;
use std::io::Cursor;

fn read(file: &[u8]) -> (Vec<RecordBatch>, String) {
    let reader = FileReader::try_new(Cursor::new(file), None).unwrap();
    let said = reader.schema().metadata()["huller.config"].clone();
    (reader.map(Result::unwrap).collect(), said)
}

fn text(column: &ArrayRef, row: usize) -> Option<&str> {
    (!column.is_null(row)).then(|| column.as_string::<i32>().value(row))
}

#[test]
fn another_reader_finds_every_value_of_every_row() {
    for compression in Arrow.compressions() {
        let layout = full_layout(*compression);
        let file = file_of(&Arrow, &layout, &[1, 0, 70, 3]);
        let (batches, said) = read(&file);
        assert_eq!((batches.len(), said), (5, layout.configuration.clone()), "of parts");
        let mut number = 0;
        for batch in batches {
            let schema = batch.schema();
            let names = schema.fields().iter().map(|field| field.name().as_str());
            assert!(names.eq(FIELDS.iter().map(|field| field.name)));
            for row in 0..batch.num_rows() {
                numbered(number, |ours| {
                    for (field, column) in FIELDS.iter().zip(batch.columns()) {
                        let is_there = !column.is_null(row);
                        let name = field.name;
                        match field.value_type {
                            FieldType::Text(of) | FieldType::Json(of) => {
                                assert_eq!(text(column, row), of(ours), "{name}");
                            }
                            FieldType::Int(of) => {
                                let column = column.as_primitive::<Int32Type>();
                                let found = is_there.then(|| column.value(row));
                                assert_eq!(found, of(ours).map(i32::from), "{name}");
                            }
                            FieldType::Long(of) => {
                                let column = column.as_primitive::<Int64Type>();
                                let found = is_there.then(|| column.value(row));
                                let expected = of(ours).and_then(|value| i64::try_from(value).ok());
                                assert_eq!(found, expected, "{name}");
                            }
                            FieldType::Float(of) => {
                                let column = column.as_primitive::<Float64Type>();
                                assert_eq!(is_there.then(|| column.value(row)), of(ours), "{name}");
                            }
                            FieldType::Flag(of) => {
                                let column = column.as_boolean();
                                assert_eq!(is_there.then(|| column.value(row)), of(ours), "{name}");
                            }
                            FieldType::TextList(_) => unreachable!("only passages have lists"),
                            FieldType::Texts => {
                                let texts = column.as_struct();
                                assert_eq!(texts.column_names(), EXTRACTORS);
                                for (place, column) in texts.columns().iter().enumerate() {
                                    let made = ours.texts.map(|made| made.texts[place].as_str());
                                    assert_eq!(text(column, row), made);
                                }
                            }
                        }
                    }
                });
                number += 1;
            }
        }
        assert_eq!(number, 74);
        let (found, ids) = inspect(&Arrow, &layout, &file);
        assert!(found.error.is_none(), "{found:?}");
        let expected: Vec<_> = (0..74).map(|n| numbered(n, |row| row.id.to_owned())).collect();
        assert_eq!((found.rows, ids), (74, expected));
    }
}

#[test]
fn a_file_without_rows_and_one_of_few_columns_are_read() {
    let layout = Layout { chosen: Some(vec!["url", "status"]), ..full_layout(Compression::None) };
    let file = file_of(&Arrow, &layout, &[3]);
    let (batches, _) = read(&file);
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    assert_eq!((rows, batches[0].num_columns()), (3, 2));
    let (found, ids) = inspect(&Arrow, &layout, &file);
    assert_eq!((found.rows, ids.len()), (3, 0), "{found:?}");
    let empty = file_of(&Arrow, &layout, &[]);
    assert!(read(&empty).0.is_empty() && inspect(&Arrow, &layout, &empty).0.error.is_none());
}

#[test]
fn damage_is_an_error_and_never_more() {
    for compression in Arrow.compressions() {
        let layout = full_layout(*compression);
        let file = file_of(&Arrow, &layout, &[4]);
        for length in 0..file.len() {
            assert!(inspect(&Arrow, &layout, &file[..length]).0.error.is_some(), "{length}");
        }
        for place in 0..file.len() {
            for bit in [0x01, 0x80] {
                let mut damaged = file.clone();
                damaged[place] ^= bit;
                // Only the end of the call is checked. The digest of the file finds the damage that
                // this reader misses.
                inspect(&Arrow, &layout, &damaged);
            }
        }
    }
}
