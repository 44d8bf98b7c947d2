//! Builds the tree of a row's members from the schema.

use super::fault::TableFault;
use super::footer::{Element, Footer, LogicalType, TimeUnit};
use crate::jsonl::json_name;
use std::ops::Range;

/// Deepest nesting of groups.
const MAX_DEPTH: usize = 64;

/// The storage type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Physical {
    Flag,
    Int32,
    Int64,
    Int96,
    Float,
    Double,
    Bytes,
    /// Values of this many bytes each.
    Fixed(usize),
}

/// The meaning of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueMeaning {
    /// The values as they are stored. Bytes are text.
    Plain,
    Unsigned,
    /// Text that is already a JSON value.
    Json,
    Uuid,
    Half,
    Date,
    Time(TimeUnit),
    Timestamp {
        unit: TimeUnit,
        is_utc: bool,
    },
    Decimal {
        scale: u32,
    },
    Null,
}

/// A column that has values.
#[derive(Clone, Debug)]
pub(super) struct LeafColumn {
    /// Its path in the schema, for messages.
    pub(super) name: String,
    pub(super) physical: Physical,
    pub(super) meaning: ValueMeaning,
    /// Definition level at which it has a value.
    pub(super) max_definition: u16,
    /// Number of lists that contain it.
    pub(super) max_repetition: u16,
}

/// A member of a row or of a nested value.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Its name as JSON, with quotes and the colon.
    pub(super) name: String,
    /// Definition level from which on it is not null. 0 if it is never null.
    pub(super) present: u16,
    /// The leaves below it.
    pub(super) leaves: Range<usize>,
    pub(super) kind: NodeKind,
}

/// The kind of a node.
#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Leaf,
    Struct(Vec<Node>),
    /// Elements follow one another at this repetition level. The list has an element from the
    /// definition level `filled` on.
    List {
        repetition: u16,
        filled: u16,
        element: Box<Node>,
    },
    /// Like `List`, but each element is a key with an optional value.
    Map {
        repetition: u16,
        filled: u16,
        key: Box<Node>,
        value: Option<Box<Node>>,
    },
}

/// The members and the leaves of a row.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub(super) members: Vec<Node>,
    pub(super) leaves: Vec<LeafColumn>,
}

/// Columns in which this program writes JSON as text.
const OUR_JSON: [&str; 3] = ["blocks", "signals", "source"];

impl Schema {
    pub(super) fn from_footer(footer: &Footer) -> Result<Schema, TableFault> {
        let root = footer.schema.first().ok_or_else(|| TableFault::corrupt("it has no schema"))?;
        let mut builder = SchemaBuilder {
            elements: &footer.schema,
            at: 1,
            leaves: Vec::new(),
            path: Vec::new(),
            is_ours: footer.is_ours,
        };
        let members = builder.members(root.children, Levels::default())?;
        if builder.at != footer.schema.len() || members.is_empty() {
            return Err(TableFault::corrupt("its schema is invalid"));
        }
        Ok(Schema { members, leaves: builder.leaves })
    }
}

#[derive(Clone, Copy, Default)]
struct Levels {
    definition: u16,
    repetition: u16,
}

struct SchemaBuilder<'a> {
    elements: &'a [Element],
    at: usize,
    leaves: Vec<LeafColumn>,
    path: Vec<&'a str>,
    is_ours: bool,
}

impl<'a> SchemaBuilder<'a> {
    fn members(&mut self, count: usize, levels: Levels) -> Result<Vec<Node>, TableFault> {
        let mut members = Vec::new();
        for _ in 0..count {
            members.push(self.node(levels)?);
        }
        Ok(members)
    }

    /// Returns the next element.
    fn peek(&self) -> Result<&'a Element, TableFault> {
        self.elements.get(self.at).ok_or_else(|| TableFault::corrupt("its schema is invalid"))
    }

    /// Reads a member and its descendants.
    fn node(&mut self, above: Levels) -> Result<Node, TableFault> {
        let element = self.peek()?;
        if element.repetition == 2 {
            // A list without a group around it.
            let levels =
                Levels { definition: above.definition + 1, repetition: above.repetition + 1 };
            let inside = self.content(levels)?;
            let (name, leaves) = (inside.name.clone(), inside.leaves.clone());
            let kind = NodeKind::List {
                repetition: levels.repetition,
                filled: levels.definition,
                element: Box::new(inside),
            };
            return Ok(Node { name, present: 0, leaves, kind });
        }
        let mut levels = above;
        levels.definition += u16::from(element.repetition == 1);
        let mut node = self.content(levels)?;
        if element.repetition == 1 {
            node.present = levels.definition;
        }
        Ok(node)
    }

    /// Reads an element and its descendants. The levels include its own repetition.
    fn content(&mut self, levels: Levels) -> Result<Node, TableFault> {
        let element = self.peek()?;
        self.at += 1;
        self.path.push(&element.name);
        if self.path.len() > MAX_DEPTH {
            return Err(TableFault::corrupt("its schema is nested too deeply"));
        }
        let first = self.leaves.len();
        let kind = if let Some(number) = element.physical {
            let name = self.path.join(".");
            let is_our_json = self.is_ours && OUR_JSON.contains(&name.as_str());
            let physical = physical(number, element.length)?;
            let meaning = if is_our_json { ValueMeaning::Json } else { meaning(element, physical) };
            self.leaves.push(LeafColumn {
                name,
                physical,
                meaning,
                max_definition: levels.definition,
                max_repetition: levels.repetition,
            });
            NodeKind::Leaf
        } else if is_map(element) && self.has_repeated_pair()? {
            self.map(levels)?
        } else if is_list(element) && self.peek()?.repetition == 2 && element.children == 1 {
            self.list(levels)?
        } else {
            NodeKind::Struct(self.members(element.children, levels)?)
        };
        self.path.pop();
        let leaves = first..self.leaves.len();
        if leaves.is_empty() {
            return Err(TableFault::corrupt("its schema has a group without columns"));
        }
        Ok(Node { name: json_name(&element.name), present: 0, leaves, kind })
    }

    /// Returns whether the next element is a repeated group of a key and perhaps a value.
    fn has_repeated_pair(&self) -> Result<bool, TableFault> {
        let pair = self.peek()?;
        let has_pair = pair.physical.is_none() && (1..=2).contains(&pair.children);
        Ok(pair.repetition == 2 && has_pair)
    }

    fn map(&mut self, above: Levels) -> Result<NodeKind, TableFault> {
        let pair = self.peek()?;
        self.at += 1;
        let levels = Levels { definition: above.definition + 1, repetition: above.repetition + 1 };
        self.path.push(&pair.name);
        let mut members = self.members(pair.children, levels)?.into_iter();
        self.path.pop();
        let key = members.next().expect("a pair has one or two members");
        Ok(NodeKind::Map {
            repetition: levels.repetition,
            filled: levels.definition,
            key: Box::new(key),
            value: members.next().map(Box::new),
        })
    }

    /// Reads a list in a group of its own. The repeated element is a group around the list's
    /// element or, by the older rules of the format, that element itself.
    fn list(&mut self, above: Levels) -> Result<NodeKind, TableFault> {
        let list = self.path.last().copied().unwrap_or_default();
        let repeated = self.peek()?;
        let levels = Levels { definition: above.definition + 1, repetition: above.repetition + 1 };
        let is_element = repeated.physical.is_some()
            || repeated.children != 1
            || repeated.name == "array"
            || repeated.name.strip_suffix("_tuple") == Some(list);
        let element = if is_element {
            self.content(levels)?
        } else {
            self.at += 1;
            self.path.push(&repeated.name);
            let element = self.node(levels)?;
            self.path.pop();
            element
        };
        Ok(NodeKind::List {
            repetition: levels.repetition,
            filled: levels.definition,
            element: Box::new(element),
        })
    }
}

fn is_list(element: &Element) -> bool {
    element.logical == Some(LogicalType::List) || element.converted == Some(3)
}

fn is_map(element: &Element) -> bool {
    element.logical == Some(LogicalType::Map) || matches!(element.converted, Some(1 | 2))
}

fn physical(number: i64, length: i64) -> Result<Physical, TableFault> {
    /// Longest value of fixed length, in bytes.
    const MAX_FIXED_BYTES: usize = 1 << 20;
    Ok(match number {
        0 => Physical::Flag,
        1 => Physical::Int32,
        2 => Physical::Int64,
        3 => Physical::Int96,
        4 => Physical::Float,
        5 => Physical::Double,
        6 => Physical::Bytes,
        7 => {
            let length = usize::try_from(length).ok().filter(|length| *length <= MAX_FIXED_BYTES);
            Physical::Fixed(length.ok_or_else(|| TableFault::corrupt("its values are too long"))?)
        }
        _ => return Err(TableFault::corrupt(format!("a column has the unknown type {number}"))),
    })
}

/// Returns the meaning of the values, if their storage type allows it.
fn meaning(element: &Element, physical: Physical) -> ValueMeaning {
    let is_int = matches!(physical, Physical::Int32 | Physical::Int64);
    let is_bytes = matches!(physical, Physical::Bytes | Physical::Fixed(_));
    let wide = |unit| ValueMeaning::Timestamp { unit, is_utc: true };
    let meaning = match (element.logical, element.converted) {
        (Some(LogicalType::Decimal { scale }), _) => decimal(scale),
        (None, Some(5)) => decimal(element.scale),
        (Some(LogicalType::Date), _) | (None, Some(6)) => ValueMeaning::Date,
        (Some(LogicalType::Time { unit }), _) => ValueMeaning::Time(unit),
        (None, Some(7)) => ValueMeaning::Time(TimeUnit::Millis),
        (None, Some(8)) => ValueMeaning::Time(TimeUnit::Micros),
        (Some(LogicalType::Timestamp { unit, is_utc }), _) => {
            ValueMeaning::Timestamp { unit, is_utc }
        }
        (None, Some(9)) => wide(TimeUnit::Millis),
        (None, Some(10)) => wide(TimeUnit::Micros),
        (Some(LogicalType::Integer { is_signed: false }), _) | (None, Some(11..=14)) => {
            ValueMeaning::Unsigned
        }
        (Some(LogicalType::Json), _) | (None, Some(19)) => ValueMeaning::Json,
        (Some(LogicalType::Uuid), _) => ValueMeaning::Uuid,
        (Some(LogicalType::Half), _) => ValueMeaning::Half,
        (Some(LogicalType::Null), _) => ValueMeaning::Null,
        _ => ValueMeaning::Plain,
    };
    let is_possible = match meaning {
        ValueMeaning::Plain | ValueMeaning::Null => true,
        ValueMeaning::Unsigned
        | ValueMeaning::Date
        | ValueMeaning::Time(_)
        | ValueMeaning::Timestamp { .. } => is_int,
        ValueMeaning::Json => physical == Physical::Bytes,
        ValueMeaning::Uuid => physical == Physical::Fixed(16),
        ValueMeaning::Half => physical == Physical::Fixed(2),
        ValueMeaning::Decimal { .. } => is_int || is_bytes,
    };
    if is_possible { meaning } else { ValueMeaning::Plain }
}

fn decimal(scale: i64) -> ValueMeaning {
    /// Most digits after the point: no type of a library has more.
    const MAX_SCALE: i64 = 100;
    match scale {
        0..=MAX_SCALE => ValueMeaning::Decimal { scale: scale.cast_unsigned() as u32 },
        _ => ValueMeaning::Plain,
    }
}
