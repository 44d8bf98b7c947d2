//! Arrow's messages: the schema, a batch of rows, the end of a file.

use super::flatbuffer::{Builder, Slot, Table};
use crate::columns::{Column, Kind};
use crate::compress::Compression;

/// Stands at the beginning of a file, filled up to eight bytes, and at its end.
pub(super) const MAGIC: &[u8; 6] = b"ARROW1";
pub(super) const BEGINNING: &[u8; 8] = b"ARROW1\0\0";

/// Version 5 of the metadata, which all readers of today know.
const V5: i16 = 4;

/// Kinds of messages.
const SCHEMA: u8 = 1;
const RECORD_BATCH: u8 = 3;

/// Stands before the length of a message.
pub(super) const CONTINUES: [u8; 4] = [0xFF; 4];

/// Key under which the run's configuration stands.
const CONFIGURATION: &str = "huller.config";

/// Where a message is in the file: its place, the length of what describes it, and that of its body.
pub(super) type Block = [i64; 3];

/// The message with the schema.
pub(super) fn schema(columns: &[Column], configuration: &str) -> Vec<u8> {
    let (mut builder, message) =
        Builder::with_root(&[Slot::Short(V5), Slot::Byte(SCHEMA), Slot::Reference, Slot::Long(0)]);
    push_schema(&mut builder, message.slot(2), columns, configuration);
    framed(builder.bytes)
}

/// A batch of rows: what describes it. Nodes are lengths and numbers of nulls; buffers are places in the body and lengths.
pub(super) fn record_batch(
    rows: i64,
    nodes: &[[i64; 2]],
    buffers: &[[i64; 2]],
    compression: Compression,
    body: i64,
) -> Vec<u8> {
    let (mut builder, message) = Builder::with_root(&[
        Slot::Short(V5),
        Slot::Byte(RECORD_BATCH),
        Slot::Reference,
        Slot::Long(body),
    ]);
    let is_compressed = compression != Compression::None;
    let codec = if is_compressed { Slot::Reference } else { Slot::None };
    let batch = builder.table(&[Slot::Long(rows), Slot::Reference, Slot::Reference, codec]);
    builder.point(message.slot(2), batch.start);
    builder.structs(batch.slot(1), nodes);
    builder.structs(batch.slot(2), buffers);
    if is_compressed {
        let zstd = builder.table(&[Slot::Byte(1), Slot::Byte(0)]);
        builder.point(batch.slot(3), zstd.start);
    }
    framed(builder.bytes)
}

/// The end of a file, with its length and without the magic.
pub(super) fn footer(columns: &[Column], configuration: &str, blocks: &[Block]) -> Vec<u8> {
    let (mut builder, footer) =
        Builder::with_root(&[Slot::Short(V5), Slot::Reference, Slot::Reference, Slot::Reference]);
    builder.structs::<3>(footer.slot(2), &[]);
    builder.structs(footer.slot(3), blocks);
    push_schema(&mut builder, footer.slot(1), columns, configuration);
    let mut out = CONTINUES.to_vec();
    out.extend_from_slice(&[0; 4]);
    let length = builder.bytes.len() as u32;
    out.append(&mut builder.bytes);
    out.extend_from_slice(&length.to_le_bytes());
    out
}

/// A message after its length, up to where a body may begin.
fn framed(mut message: Vec<u8>) -> Vec<u8> {
    message.resize(message.len().next_multiple_of(8), 0);
    let mut out = CONTINUES.to_vec();
    out.extend_from_slice(&(message.len() as u32).to_le_bytes());
    out.append(&mut message);
    out
}

fn push_schema(builder: &mut Builder, slot: usize, columns: &[Column], configuration: &str) {
    let schema = builder.table(&[Slot::Short(0), Slot::Reference, Slot::Reference]);
    builder.point(slot, schema.start);
    let names: Vec<_> = columns.iter().map(|column| column.field.name).collect();
    let firsts: Vec<_> =
        (0..columns.len()).filter(|at| *at == 0 || names[at - 1] != names[*at]).collect();
    let fields = builder.references(schema.slot(1), firsts.len());
    for (slot, first) in fields.into_iter().zip(firsts) {
        let column = &columns[first];
        if column.method.is_some() {
            let methods = columns.iter().filter(|other| other.field.name == column.field.name);
            let methods: Vec<_> =
                methods.filter_map(|of| of.method.map(|(name, _)| (of, name))).collect();
            let field = push_field(builder, slot, column.field.name, false, STRUCT);
            let kind = builder.table(&[]);
            builder.point(field.slot(3), kind.start);
            let children = builder.references(field.slot(5), methods.len());
            for (slot, (column, name)) in children.into_iter().zip(methods) {
                push_leaf(builder, slot, name, column);
            }
        } else {
            push_leaf(builder, slot, column.field.name, column);
        }
    }
    let entries = builder.references(schema.slot(2), 1);
    let entry = builder.table(&[Slot::Reference, Slot::Reference]);
    builder.point(entries[0], entry.start);
    builder.string(entry.slot(0), CONFIGURATION);
    builder.string(entry.slot(1), configuration);
}

/// Numbers of types.
const INT: u8 = 2;
const FLOAT: u8 = 3;
const UTF8: u8 = 5;
const BOOL: u8 = 6;
const STRUCT: u8 = 13;

/// A field of one column.
fn push_leaf(builder: &mut Builder, slot: usize, name: &str, column: &Column) {
    let (number, members): (_, &[Slot]) = match column.kind {
        Kind::Text => (UTF8, &[]),
        Kind::Int => (INT, &[Slot::Int(32), Slot::Byte(1)]),
        Kind::Long => (INT, &[Slot::Int(64), Slot::Byte(1)]),
        Kind::Float => (FLOAT, &[Slot::Short(2)]),
        Kind::Flag => (BOOL, &[]),
    };
    let field = push_field(builder, slot, name, !column.is_required, number);
    let kind = builder.table(members);
    builder.point(field.slot(3), kind.start);
    builder.references(field.slot(5), 0);
}

fn push_field(builder: &mut Builder, slot: usize, name: &str, nullable: bool, kind: u8) -> Table {
    let field = builder.table(&[
        Slot::Reference,
        Slot::Byte(nullable.into()),
        Slot::Byte(kind),
        Slot::Reference,
        Slot::None,
        Slot::Reference,
    ]);
    builder.point(slot, field.start);
    builder.string(field.slot(0), name);
    field
}
