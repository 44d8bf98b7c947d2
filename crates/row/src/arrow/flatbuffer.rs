//! Flatbuffers, as far as Arrow's messages need them: tables, lists of tables and of structs, strings.
//!
//! A buffer is written from its beginning on: first a table, whose references to what stands after it are filled in later.

/// A buffer being written. Places are counted from its beginning, and are multiples of the size of what stands there.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) bytes: Vec<u8>,
}

/// A member of a table.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    /// Left out: it has its default.
    None,
    Byte(u8),
    Short(i16),
    Int(i32),
    Long(i64),
    /// A reference, which [`Builder::point`] fills in.
    Reference,
}

/// A table that was written.
pub(super) struct Table {
    pub(super) start: usize,
    /// Where the members are; 0 for those that are left out.
    slots: Vec<usize>,
}

impl Table {
    /// Where a member is.
    pub(super) fn slot(&self, number: usize) -> usize {
        self.slots[number]
    }
}

impl Builder {
    /// A buffer with a table at its root.
    pub(super) fn with_root(slots: &[Slot]) -> (Builder, Table) {
        let mut builder = Builder { bytes: vec![0; 4] };
        let root = builder.table(slots);
        builder.point(0, root.start);
        (builder, root)
    }

    /// Appends a table.
    pub(super) fn table(&mut self, slots: &[Slot]) -> Table {
        // Members lie behind the reference to the list of their places.
        let mut length: usize = 4;
        let places: Vec<usize> = slots
            .iter()
            .map(|slot| {
                let size = slot.size();
                if size == 0 {
                    return 0;
                }
                let place = length.next_multiple_of(size);
                length = place + size;
                place
            })
            .collect();
        self.align(2);
        let list = self.bytes.len();
        self.short((4 + 2 * slots.len()) as u16);
        self.short(length as u16);
        for place in &places {
            self.short(*place as u16);
        }
        self.align(8);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&((start - list) as i32).to_le_bytes());
        self.bytes.resize(start + length, 0);
        for (slot, place) in slots.iter().zip(&places) {
            let at = start + place;
            match slot {
                Slot::None | Slot::Reference => {}
                Slot::Byte(value) => self.bytes[at] = *value,
                Slot::Short(value) => self.put(at, &value.to_le_bytes()),
                Slot::Int(value) => self.put(at, &value.to_le_bytes()),
                Slot::Long(value) => self.put(at, &value.to_le_bytes()),
            }
        }
        let slots = places.iter().map(|place| if *place == 0 { 0 } else { start + place });
        Table { start, slots: slots.collect() }
    }

    /// Makes the reference at `slot` lead to `target`, which stands after it.
    pub(super) fn point(&mut self, slot: usize, target: usize) {
        self.put(slot, &((target - slot) as u32).to_le_bytes());
    }

    /// Appends a string, and makes the reference at `slot` lead to it.
    pub(super) fn string(&mut self, slot: usize, text: &str) {
        self.align(4);
        self.point(slot, self.bytes.len());
        self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(0);
    }

    /// Appends a list of references, and makes the one at `slot` lead to it. Returns where they are.
    pub(super) fn references(&mut self, slot: usize, count: usize) -> Vec<usize> {
        self.align(4);
        let start = self.bytes.len();
        self.point(slot, start);
        self.bytes.extend_from_slice(&(count as u32).to_le_bytes());
        self.bytes.resize(start + 4 + 4 * count, 0);
        (0..count).map(|place| start + 4 + 4 * place).collect()
    }

    /// Appends a list of structs that are made of numbers of eight bytes, and makes the reference at `slot` lead to it.
    pub(super) fn structs<const N: usize>(&mut self, slot: usize, structs: &[[i64; N]]) {
        while !(self.bytes.len() + 4).is_multiple_of(8) {
            self.bytes.push(0);
        }
        self.point(slot, self.bytes.len());
        self.bytes.extend_from_slice(&(structs.len() as u32).to_le_bytes());
        for number in structs.as_flattened() {
            self.bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    fn align(&mut self, size: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(size), 0);
    }

    fn short(&mut self, value: u16) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }
}

impl Slot {
    fn size(self) -> usize {
        match self {
            Slot::None => 0,
            Slot::Byte(_) => 1,
            Slot::Short(_) => 2,
            Slot::Int(_) | Slot::Reference => 4,
            Slot::Long(_) => 8,
        }
    }
}

/// A table in a buffer of a stranger. Whatever is not where it should be is not there.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl<'a> View<'a> {
    /// The table at the root.
    pub(super) fn root(bytes: &'a [u8]) -> Option<View<'a>> {
        Some(View { bytes, start: int(bytes, 0)? as usize })
    }

    /// Where a member is.
    fn member(self, number: usize) -> Option<usize> {
        let list = self
            .start
            .checked_add_signed(-(int(self.bytes, self.start)?.cast_signed() as isize))?;
        let size = short(self.bytes, list)?;
        let place = list.checked_add(4 + 2 * number)?;
        let is_there = 4 + 2 * number < size.into();
        let offset =
            is_there.then(|| short(self.bytes, place)).flatten().filter(|offset| *offset > 0)?;
        self.start.checked_add(offset.into())
    }

    pub(super) fn byte(self, number: usize) -> Option<u8> {
        self.bytes.get(self.member(number)?).copied()
    }

    pub(super) fn long(self, number: usize) -> Option<i64> {
        let bytes = self.bytes.get(self.member(number)?..)?;
        bytes.first_chunk().map(|bytes| i64::from_le_bytes(*bytes))
    }

    pub(super) fn table(self, number: usize) -> Option<View<'a>> {
        Some(View { start: self.target(number)?, ..self })
    }

    fn target(self, number: usize) -> Option<usize> {
        let slot = self.member(number)?;
        slot.checked_add(int(self.bytes, slot)? as usize)
    }

    /// The tables of a list.
    pub(super) fn tables(self, number: usize) -> Option<Vec<View<'a>>> {
        let list = self.target(number)?;
        let count = int(self.bytes, list)? as usize;
        let references = self.bytes.get(list + 4..)?.as_chunks::<4>().0.get(..count)?;
        let tables = references.iter().enumerate().map(|(place, offset)| {
            let start = (list + 4 + 4 * place).checked_add(u32::from_le_bytes(*offset) as usize)?;
            Some(View { start, ..self })
        });
        tables.collect()
    }

    /// The structs of a list, each of so many numbers of eight bytes.
    pub(super) fn structs<const N: usize>(self, number: usize) -> Option<Vec<[i64; N]>> {
        let list = self.target(number)?;
        let count = int(self.bytes, list)? as usize;
        let numbers = self.bytes.get(list + 4..)?.as_chunks::<8>().0;
        let numbers = numbers.get(..count.checked_mul(N)?)?;
        let structs = numbers.as_chunks::<N>().0.iter();
        Some(structs.map(|numbers| numbers.map(i64::from_le_bytes)).collect())
    }

    pub(super) fn string(self, number: usize) -> Option<&'a [u8]> {
        let start = self.target(number)?;
        let length = int(self.bytes, start)? as usize;
        self.bytes.get(start + 4..)?.get(..length)
    }
}

fn int(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}
