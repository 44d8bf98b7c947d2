//! The end of a file: the index of its pages, the schema, and where everything is.

use super::bounds::Bounds;
use super::group::{ChunkFacts, GroupFacts};
use super::page::PageFacts;
use super::thrift::Writer;
use super::words::{MAGIC, OPTIONAL, PLAIN, REQUIRED, RLE, UTF8, codec, physical_type};
use crate::columns::{Column, Kind};
use crate::layout::Layout;

/// Version of the format, in the words of the format.
const VERSION: i32 = 2;

/// Who wrote the file. Raised whenever readers should know that files were made in another way; not the version of the program, which
/// decides no byte.
const CREATED_BY: &[u8] = b"huller version 1 (build 1)";

/// Key under which the run's configuration stands.
const CONFIGURATION: &[u8] = b"huller.config";

/// Where the index of a column's pages is in the file.
#[derive(Clone, Copy, Default)]
struct Place {
    offset: u64,
    length: usize,
}

/// Appends the end of a file that has these groups, and `offset` bytes so far.
pub(super) fn push_footer(
    columns: &[Column],
    groups: &[GroupFacts],
    layout: &Layout,
    offset: u64,
    out: &mut Vec<u8>,
) {
    let start = out.len();
    let chunks = || groups.iter().flat_map(|group| columns.iter().zip(&group.chunks));
    let place = |out: &mut Vec<u8>, push: &mut dyn FnMut(&mut Vec<u8>)| {
        let before = out.len();
        push(out);
        Place { offset: offset + (before - start) as u64, length: out.len() - before }
    };
    let bounds: Vec<_> = chunks()
        .map(|(column, chunk)| {
            place(out, &mut |out| push_page_bounds(column.kind, &chunk.pages, out))
        })
        .collect();
    let offsets: Vec<_> =
        chunks().map(|(_, chunk)| place(out, &mut |out| push_page_offsets(chunk, out))).collect();
    let index: Vec<_> = bounds.into_iter().zip(offsets).collect();

    let metadata = out.len();
    Writer::message(out, |file| {
        file.i32(1, VERSION);
        let (count, schema) = schema(columns);
        file.written(2, count, &schema);
        file.i64(3, groups.iter().map(|group| group.rows as i64).sum());
        let numbered: Vec<_> = groups.iter().enumerate().collect();
        file.structures(4, &numbered, |group, (number, facts)| {
            let first = number * columns.len();
            write_group(
                group,
                *number,
                facts,
                columns,
                &index[first..first + columns.len()],
                layout,
            );
        });
        file.structures(5, &[(CONFIGURATION, &layout.configuration)], |entry, (key, value)| {
            entry.binary(1, key);
            entry.binary(2, value.as_bytes());
        });
        file.binary(6, CREATED_BY);
        // Bounds are ordered as the types are.
        file.structures(7, columns, |order, _| order.structure(1, |_| {}));
    });
    let length = (out.len() - metadata) as u32;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(MAGIC);
}

/// The elements of the schema, and their number.
fn schema(columns: &[Column]) -> (usize, Vec<u8>) {
    let mut out = Vec::new();
    let mut count = 1;
    let is_first =
        |place: usize| place == 0 || columns[place - 1].field.name != columns[place].field.name;
    let members = (0..columns.len()).filter(|place| is_first(*place)).count();
    let group = |out: &mut Vec<u8>, name: &str, members: usize, is_root: bool| {
        Writer::message(out, |element| {
            if !is_root {
                element.i32(3, REQUIRED);
            }
            element.binary(4, name.as_bytes());
            element.i32(5, members as i32);
        });
    };
    group(&mut out, "row", members, true);
    for (place, column) in columns.iter().enumerate() {
        let name = column.field.name;
        if column.method.is_some() && is_first(place) {
            let methods = columns.iter().filter(|other| other.field.name == name).count();
            group(&mut out, name, methods, false);
            count += 1;
        }
        Writer::message(&mut out, |element| {
            element.i32(1, physical_type(column.kind));
            element.i32(3, if column.is_required { REQUIRED } else { OPTIONAL });
            element.binary(4, column.method.map_or(name, |(method, _)| method).as_bytes());
            if column.kind == Kind::Text {
                element.i32(6, UTF8);
                element.structure(10, |kind| kind.structure(1, |_| {}));
            }
        });
        count += 1;
    }
    (count, out)
}

fn write_group(
    group: &mut Writer<'_>,
    number: usize,
    facts: &GroupFacts,
    columns: &[Column],
    index: &[(Place, Place)],
    layout: &Layout,
) {
    let chunks: Vec<_> = columns.iter().zip(&facts.chunks).zip(index).collect();
    group.structures(1, &chunks, |chunk, ((column, of), (bounds, offsets))| {
        chunk.i64(2, 0);
        chunk.structure(3, |chunk| write_chunk(chunk, column, of, facts.rows, layout));
        chunk.i64(4, offsets.offset as i64);
        chunk.i32(5, offsets.length as i32);
        if bounds.length > 0 {
            chunk.i64(6, bounds.offset as i64);
            chunk.i32(7, bounds.length as i32);
        }
    });
    let sum = |of: fn(&ChunkFacts) -> u64| facts.chunks.iter().map(of).sum::<u64>() as i64;
    group.i64(2, sum(|chunk| chunk.plain_bytes));
    group.i64(3, facts.rows as i64);
    group.i64(5, facts.chunks.first().map_or(0, |chunk| chunk.offset as i64));
    group.i64(6, sum(|chunk| chunk.bytes));
    if let Ok(number) = i16::try_from(number) {
        group.i16(7, number);
    }
}

fn write_chunk(
    chunk: &mut Writer<'_>,
    column: &Column,
    facts: &ChunkFacts,
    rows: u64,
    layout: &Layout,
) {
    chunk.i32(1, physical_type(column.kind));
    chunk.i32s(2, &[PLAIN, RLE]);
    let names = [column.field.name].into_iter().chain(column.method.map(|(method, _)| method));
    let path: Vec<_> = names.map(str::as_bytes).collect();
    chunk.binaries(3, path.into_iter());
    chunk.i32(4, codec(layout.compression));
    chunk.i64(5, rows as i64);
    chunk.i64(6, facts.plain_bytes as i64);
    chunk.i64(7, facts.bytes as i64);
    chunk.i64(9, facts.offset as i64);
    chunk.structure(12, |statistics| {
        statistics.i64(3, facts.nulls as i64);
        if let Some([(least, least_is_one), (greatest, greatest_is_one)]) =
            facts.bounds.shown(column.kind)
        {
            statistics.binary(5, &greatest);
            statistics.binary(6, &least);
            statistics.flag(7, greatest_is_one);
            statistics.flag(8, least_is_one);
        }
    });
}

/// Least and greatest value of each page. Nothing where a page with values has no bounds.
fn push_page_bounds(kind: Kind, pages: &[PageFacts], out: &mut Vec<u8>) {
    let shown = |page: &PageFacts| match &page.bounds {
        Bounds(None) if page.nulls == page.rows => Some([Vec::new(), Vec::new()]),
        bounds => bounds.shown(kind).map(|both| both.map(|(value, _)| value)),
    };
    let Some(bounds) = pages.iter().map(shown).collect::<Option<Vec<_>>>() else { return };
    Writer::message(out, |index| {
        index.flags(1, pages.iter().map(|page| page.nulls == page.rows));
        index.binaries(2, bounds.iter().map(|[least, _]| least.as_slice()));
        index.binaries(3, bounds.iter().map(|[_, greatest]| greatest.as_slice()));
        index.i32(4, 0); // in no order
        index.i64s(5, pages.iter().map(|page| page.nulls.into()));
    });
}

/// Where each page is, and which row comes first in it.
fn push_page_offsets(chunk: &ChunkFacts, out: &mut Vec<u8>) {
    let (mut offset, mut row) = (chunk.offset, 0_i64);
    Writer::message(out, |index| {
        index.structures(1, &chunk.pages, |place, page| {
            place.i64(1, offset as i64);
            place.i32(2, page.bytes as i32);
            place.i64(3, row);
            offset += u64::from(page.bytes);
            row += i64::from(page.rows);
        });
    });
}
