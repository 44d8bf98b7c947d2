//! Reads the footer of a Parquet file: its schema, and the positions of the columns of each row
//! group.

use super::fault::TableFault;
use super::thrift::{Reader, ThriftValue};
use crate::jsonl::name_of;

/// An element of the schema as it is stored: the tree in preorder.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    /// The physical type. `None` for a group.
    pub(super) physical: Option<i64>,
    /// Length of values of fixed length, in bytes.
    pub(super) length: i64,
    /// 0 is required, 1 optional, 2 repeated.
    pub(super) repetition: i64,
    pub(super) children: usize,
    /// The older annotation of the meaning of values.
    pub(super) converted: Option<i64>,
    pub(super) scale: i64,
    pub(super) logical: Option<LogicalType>,
}

/// The meaning of values, in the newer annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogicalType {
    Text,
    Map,
    List,
    Decimal { scale: i64 },
    Date,
    Time { unit: TimeUnit },
    Timestamp { is_utc: bool, unit: TimeUnit },
    Integer { is_signed: bool },
    Null,
    Json,
    Uuid,
    Half,
}

/// The unit of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeUnit {
    Millis,
    Micros,
    Nanos,
}

/// The position of a column of a row group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunk {
    /// Offset of its first page in the file.
    pub(super) start: u64,
    /// Size of its pages in the file, in bytes.
    pub(super) length: u64,
    /// Size of its pages before compression in bytes, as the file claims.
    pub(super) plain: u64,
    pub(super) codec: i64,
    /// Number of its values, nulls included.
    pub(super) values: u64,
}

/// Rows that are stored together.
#[derive(Clone, Debug)]
pub(super) struct RowGroup {
    pub(super) rows: u64,
    /// Its columns, in the order of the schema's leaves.
    pub(super) chunks: Vec<Chunk>,
    /// The defect of the file, if the group replaces rows that the file claims but no group has.
    /// The group then has no columns.
    pub(super) missing: Option<String>,
}

/// The contents of the footer.
#[derive(Clone, Debug, Default)]
pub(super) struct Footer {
    pub(super) schema: Vec<Element>,
    pub(super) groups: Vec<RowGroup>,
    /// Number of rows of all groups, as the file claims.
    rows: Option<u64>,
    /// Whether this program wrote the file.
    pub(super) is_ours: bool,
}

/// Key under which this program stores the configuration of the run that wrote a file.
const CONFIGURATION: &[u8] = b"huller.config";

/// Most elements of a schema.
const MAX_ELEMENTS: usize = 100_000;

impl Footer {
    /// Reads the bytes between the last page and the length at the end of a file of `file_bytes`
    /// bytes.
    pub(super) fn read(words: &[u8], file_bytes: u64) -> Result<Footer, TableFault> {
        let mut footer = Footer::default();
        let mut reader = Reader::new(words);
        let Footer { schema, groups, rows, is_ours } = &mut footer;
        reader.structure(|number, item| match (number, item) {
            (2, ThriftValue::List(list)) => list.structs(|reader| {
                if schema.len() >= MAX_ELEMENTS {
                    return Err(TableFault::corrupt("its schema has too many columns"));
                }
                schema.push(element(reader)?);
                Ok(())
            }),
            (3, ThriftValue::Int(claimed)) => {
                *rows = u64::try_from(claimed).ok();
                Ok(())
            }
            (4, ThriftValue::List(list)) => {
                let leaves = schema.iter().filter(|element| element.physical.is_some()).count();
                list.structs(|reader| {
                    groups.push(group(reader, leaves)?);
                    Ok(())
                })
            }
            (5, ThriftValue::List(list)) => list.structs(|reader| {
                reader.structure(|number, item| {
                    *is_ours |= matches!((number, item), (1, ThriftValue::Binary(CONFIGURATION)));
                    Ok(())
                })
            }),
            (8, ThriftValue::Struct(_)) => Err(TableFault::corrupt("it is encrypted")),
            _ => Ok(()),
        })?;
        // The format requires the number. Without it, lost groups would be undetected.
        if footer.rows.is_none() {
            return Err(TableFault::corrupt("its footer has no number of rows"));
        }
        footer.note_missing();
        footer.check(file_bytes)?;
        Ok(footer)
    }

    /// Adds a group without readable rows if the groups have a different number of rows than the
    /// file claims. In such a file a group was lost, emptied or doubled.
    fn note_missing(&mut self) {
        let found = self.groups.iter().fold(0_u64, |all, group| all.saturating_add(group.rows));
        let Some(claimed) = self.rows.filter(|claimed| *claimed != found) else { return };
        let problem = format!("its footer gives {claimed} rows, but its row groups have {found}");
        let rows = claimed.saturating_sub(found).max(1);
        self.groups.push(RowGroup { rows, chunks: Vec::new(), missing: Some(problem) });
    }

    /// Refuses claims that no sound file makes, and claims that would make reading take longer than
    /// linear time.
    fn check(&self, file_bytes: u64) -> Result<(), TableFault> {
        /// Rows that any file may have, and further rows that it may have for each of its bytes.
        const FREE_ROWS: u64 = 1 << 20;
        const ROWS_PER_BYTE: u64 = 100;
        let (mut bytes, mut rows) = (0_u64, 0_u64);
        for group in &self.groups {
            rows = rows.saturating_add(group.rows);
            for chunk in &group.chunks {
                let end = chunk.start.saturating_add(chunk.length);
                if end > file_bytes {
                    let problem = "a column is beyond the end of the file, which may be cut off";
                    return Err(TableFault::corrupt(problem));
                }
                bytes = bytes.saturating_add(chunk.length);
            }
        }
        if bytes > file_bytes {
            return Err(TableFault::corrupt("its columns overlap"));
        }
        if rows > FREE_ROWS.saturating_add(file_bytes.saturating_mul(ROWS_PER_BYTE)) {
            let problem = format!("it claims {rows} rows, too many for its number of bytes");
            return Err(TableFault::Corrupt(problem));
        }
        Ok(())
    }
}

fn element(reader: &mut Reader<'_>) -> Result<Element, TableFault> {
    let mut element = Element::default();
    reader.structure(|number, item| {
        match (number, item) {
            (1, ThriftValue::Int(physical)) => element.physical = Some(physical),
            (2, ThriftValue::Int(length)) => element.length = length,
            (3, ThriftValue::Int(repetition)) => element.repetition = repetition,
            (4, ThriftValue::Binary(name)) => element.name = name_of(name),
            (5, ThriftValue::Int(children)) => {
                element.children = usize::try_from(children)
                    .map_err(|_| TableFault::corrupt("its schema is invalid"))?;
            }
            (6, ThriftValue::Int(converted)) => element.converted = Some(converted),
            (7, ThriftValue::Int(scale)) => element.scale = scale,
            (10, ThriftValue::Struct(reader)) => element.logical = logical(reader)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(element)
}

fn logical(reader: &mut Reader<'_>) -> Result<Option<LogicalType>, TableFault> {
    let mut logical = None;
    reader.structure(|number, item| {
        let ThriftValue::Struct(reader) = item else { return Ok(()) };
        let mut ints = [0; 3];
        let (mut flag, mut unit) = (false, TimeUnit::Millis);
        reader.structure(|number, item| {
            match item {
                ThriftValue::Int(value) => {
                    if let Some(slot) = usize::try_from(number).ok().and_then(|at| ints.get_mut(at))
                    {
                        *slot = value;
                    }
                }
                ThriftValue::Flag(value) => flag = value,
                ThriftValue::Struct(reader) => reader.structure(|number, _| {
                    unit = match number {
                        1 => TimeUnit::Millis,
                        2 => TimeUnit::Micros,
                        _ => TimeUnit::Nanos,
                    };
                    Ok(())
                })?,
                ThriftValue::Binary(_) | ThriftValue::List(_) => {}
            }
            Ok(())
        })?;
        logical = match number {
            1 | 4 => Some(LogicalType::Text),
            2 => Some(LogicalType::Map),
            3 => Some(LogicalType::List),
            5 => Some(LogicalType::Decimal { scale: ints[1] }),
            6 => Some(LogicalType::Date),
            7 => Some(LogicalType::Time { unit }),
            8 => Some(LogicalType::Timestamp { is_utc: flag, unit }),
            10 => Some(LogicalType::Integer { is_signed: flag }),
            11 => Some(LogicalType::Null),
            12 => Some(LogicalType::Json),
            14 => Some(LogicalType::Uuid),
            15 => Some(LogicalType::Half),
            _ => None,
        };
        Ok(())
    })?;
    Ok(logical)
}

fn group(reader: &mut Reader<'_>, leaves: usize) -> Result<RowGroup, TableFault> {
    let mut group = RowGroup { rows: 0, chunks: Vec::new(), missing: None };
    reader.structure(|number, item| match (number, item) {
        (1, ThriftValue::List(list)) => list.structs(|reader| {
            if group.chunks.len() == leaves {
                return Err(TableFault::corrupt("a row group has more columns than the schema"));
            }
            group.chunks.push(chunk(reader)?);
            Ok(())
        }),
        (3, ThriftValue::Int(rows)) => {
            group.rows = u64::try_from(rows)
                .map_err(|_| TableFault::corrupt("a row group has a negative number of rows"))?;
            Ok(())
        }
        _ => Ok(()),
    })?;
    if group.chunks.len() < leaves {
        return Err(TableFault::corrupt("a row group has fewer columns than the schema"));
    }
    group.chunks.shrink_to_fit();
    Ok(group)
}

fn chunk(reader: &mut Reader<'_>) -> Result<Chunk, TableFault> {
    let mut chunk = None;
    let mut is_elsewhere = false;
    reader.structure(|number, item| {
        match (number, item) {
            (1, ThriftValue::Binary(path)) => is_elsewhere = !path.is_empty(),
            (3, ThriftValue::Struct(reader)) => chunk = Some(column(reader)?),
            (8, ThriftValue::Struct(_)) => {
                return Err(TableFault::corrupt("a column is encrypted"));
            }
            _ => {}
        }
        Ok(())
    })?;
    if is_elsewhere {
        return Err(TableFault::corrupt("a column is in another file"));
    }
    chunk.ok_or_else(|| TableFault::corrupt("a column has no description"))
}

fn column(reader: &mut Reader<'_>) -> Result<Chunk, TableFault> {
    let mut numbers = [None; 12];
    reader.structure(|number, item| {
        if let ThriftValue::Int(value) = item
            && let Some(slot) = usize::try_from(number).ok().and_then(|at| numbers.get_mut(at))
        {
            *slot = u64::try_from(value).ok();
        }
        Ok(())
    })?;
    let number = |at: usize| {
        numbers[at].ok_or_else(|| TableFault::corrupt("a column has no place, length or codec"))
    };
    // Some writers state 0 or omit the field if there is no dictionary.
    let data = number(9)?;
    let start = numbers[11].filter(|dictionary| *dictionary > 0).map_or(data, |at| at.min(data));
    Ok(Chunk {
        start,
        length: number(7)?,
        plain: number(6)?,
        codec: number(4)?.cast_signed(),
        values: number(5)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_without_a_number_of_rows_is_refused() {
        // The version; then the number of rows, which is 0.
        let with_rows = [0x15, 2, 0x26, 0, 0];
        assert!(Footer::read(&with_rows, 100).is_ok());
        let without = [0x15, 2, 0];
        let fault = Footer::read(&without, 100).unwrap_err().to_string();
        assert!(fault.contains("no number of rows"), "{fault}");
        // -1 rows.
        assert!(Footer::read(&[0x15, 2, 0x26, 1, 0], 100).is_err());
    }
}
