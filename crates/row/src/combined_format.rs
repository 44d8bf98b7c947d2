//! Several formats in one run: every row is encoded in each of them.
//!
//! A worker makes one piece of a batch for each format. The pieces are joined into one, each after
//! its length. So the code that moves, joins or holds pieces treats them as one; only the writer of
//! the files splits them ([`each_piece`]).

use crate::compress::{Compression, Compressor};
use crate::format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice,
};
use crate::layout::Layout;
use crate::row::{Row, RowSink};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// Several formats as one. It has the properties of the first format, where only one format can
/// have them.
struct CombinedFormat {
    formats: Vec<&'static dyn Format>,
    /// Their names, separated by commas.
    name: &'static str,
}

/// The combinations in use. Their number is bounded by the lists of different formats.
static KNOWN: Mutex<Vec<&'static CombinedFormat>> = Mutex::new(Vec::new());

/// Returns these formats as one. A single format is returned itself. `formats` is not empty and
/// repeats no format.
pub(crate) fn combine(formats: &[&'static dyn Format]) -> &'static dyn Format {
    if let [alone] = formats {
        return *alone;
    }
    let names: Vec<_> = formats.iter().map(|format| format.name()).collect();
    let name = names.join(",");
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|several| several.name == name) {
        return *found;
    }
    let made = CombinedFormat { formats: formats.to_vec(), name: name.leak() };
    let made: &'static CombinedFormat = Box::leak(Box::new(made));
    known.push(made);
    made
}

impl Format for CombinedFormat {
    fn name(&self) -> &'static str {
        self.name
    }

    fn formats(&self) -> &[&'static dyn Format] {
        &self.formats
    }

    fn suffix(&self, compression: Compression) -> &'static str {
        self.formats[0].suffix(compression)
    }

    fn compressions(&self) -> &'static [Compression] {
        self.formats[0].compressions()
    }

    fn compresses_inside(&self) -> bool {
        self.formats[0].compresses_inside()
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        let layouts = layouts(&self.formats, layout);
        let mut encoders = self.formats.iter().zip(&layouts).map(|(it, layout)| it.encoder(layout));
        let first = encoders.next().expect("there are several formats");
        join_encoders(first, encoders.zip(layouts[1..].iter().map(|layout| layout.compression)))
    }

    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler> {
        let layout = &layouts(&self.formats, layout)[0];
        let formats = self.formats.len();
        Box::new(FirstFormatAssembler { assembler: self.formats[0].assembler(layout), formats })
    }

    fn has_fields(&self) -> bool {
        self.formats.iter().any(|format| format.has_fields())
    }

    fn has_records(&self) -> bool {
        self.formats.iter().any(|format| format.has_records())
    }

    fn can_continue(&self) -> bool {
        false
    }

    fn has_places(&self) -> bool {
        self.formats[0].has_places()
    }

    fn max_memory_bytes(&self) -> usize {
        self.formats.iter().map(|format| format.max_memory_bytes()).sum()
    }

    fn longest_page(&self) -> Option<usize> {
        self.formats.iter().filter_map(|format| format.longest_page()).min()
    }

    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        self.formats[0].inspect(layout, file, id)
    }

    fn copy_rows(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        choice: &mut RowChoice<'_>,
        out: &mut dyn Write,
    ) -> io::Result<CopiedRows> {
        self.formats[0].copy_rows(layout, file, choice, out)
    }
}

/// Returns an encoder that passes each row to all of these encoders, and joins their pieces. Those
/// after the first come with the compression of their pieces.
pub fn join_encoders(
    first: Box<dyn BatchEncoder>,
    others: impl IntoIterator<Item = (Box<dyn BatchEncoder>, Compression)>,
) -> Box<dyn BatchEncoder> {
    let others = others.into_iter().map(|(encoder, compression)| SecondaryEncoder {
        encoder,
        compression,
        compressor: None,
        marks: Vec::new(),
    });
    Box::new(Encoders { first, marks: Vec::new(), others: others.collect(), spare: Vec::new() })
}

/// Returns the layout of each of these formats, derived from the run's. Settings that a format does
/// not use are left out. [`Layout::further_compressions`] has the compressions of all but the
/// first.
pub fn layouts(formats: &[&'static dyn Format], layout: &Layout) -> Vec<Layout> {
    let compressions = std::iter::once(&layout.compression).chain(&layout.further_compressions);
    let of_format = |(format, compression): (&&'static dyn Format, &Compression)| {
        let schema = layout.schema.filter(|_| format.name() == "jsonl");
        let chosen = layout.chosen.clone().filter(|_| format.has_fields() && schema.is_none());
        let further_compressions = Vec::new();
        Layout { schema, chosen, compression: *compression, further_compressions, ..layout.clone() }
    };
    formats.iter().zip(compressions).map(of_format).collect()
}

/// Splits the joined pieces of the encoders of several formats. Calls `take` with the index of the
/// format and its piece.
///
/// # Errors
///
/// The first error of `take`.
///
/// # Panics
///
/// If the bytes are not joined pieces.
pub fn each_piece<E>(
    mut joined: &[u8],
    formats: usize,
    mut take: impl FnMut(usize, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    while !joined.is_empty() {
        for number in 0..formats {
            let (len, rest) = joined.split_first_chunk().expect("a length stands before a piece");
            let len = usize::try_from(u64::from_le_bytes(*len)).expect("the piece is in memory");
            let (piece, rest) = rest.split_at(len);
            take(number, piece)?;
            joined = rest;
        }
    }
    Ok(())
}

/// The encoders of all formats. Each encodes every row.
struct Encoders {
    first: Box<dyn BatchEncoder>,
    /// The mark of the first encoder after each row.
    marks: Vec<usize>,
    others: Vec<SecondaryEncoder>,
    spare: Vec<u8>,
}

/// The encoder of a format after the first.
struct SecondaryEncoder {
    encoder: Box<dyn BatchEncoder>,
    compression: Compression,
    /// Created on first use. Encoders move between threads, and waiting encoders need no
    /// compressor.
    compressor: Option<Compressor>,
    /// The marks of its encoder: before the first row, and after each row.
    marks: Vec<usize>,
}

impl Encoders {
    /// Passes a row to every encoder.
    fn for_each_encoder(&mut self, pass: impl Fn(&mut dyn BatchEncoder)) {
        if self.marks.is_empty() {
            for other in &mut self.others {
                other.marks.clear();
                other.marks.push(other.encoder.mark());
            }
        }
        pass(&mut *self.first);
        for other in &mut self.others {
            pass(&mut *other.encoder);
        }
        self.marks.push(self.first.mark());
        for other in &mut self.others {
            other.marks.push(other.encoder.mark());
        }
    }
}

impl RowSink for Encoders {
    fn row(&mut self, row: &Row<'_>) {
        self.for_each_encoder(|encoder| encoder.row(row));
    }

    fn existing_row(&mut self, json: &str, row: &Row<'_>) {
        self.for_each_encoder(|encoder| encoder.existing_row(json, row));
    }

    fn mark(&self) -> usize {
        self.first.mark()
    }

    fn cut(&mut self, mark: usize) {
        self.first.cut(mark);
        let rows = self.marks.partition_point(|end| *end <= mark);
        self.marks.truncate(rows);
        for other in &mut self.others {
            // The list is empty before the first row.
            if let Some(mark) = other.marks.get(rows) {
                other.encoder.cut(*mark);
                other.marks.truncate(rows + 1);
            }
        }
    }
}

impl BatchEncoder for Encoders {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        self.marks.clear();
        let start = piece.len();
        let mut add = |encoder: &mut dyn BatchEncoder, compressor: &mut Compressor| {
            self.spare.clear();
            encoder.finish(compressor, &mut self.spare);
            piece.extend_from_slice(&(self.spare.len() as u64).to_le_bytes());
            piece.extend_from_slice(&self.spare);
            !self.spare.is_empty()
        };
        let mut has_rows = add(&mut *self.first, compressor);
        for SecondaryEncoder { encoder, compression, compressor, marks } in &mut self.others {
            marks.clear();
            let compressor = compressor.get_or_insert_with(|| Compressor::new(*compression));
            has_rows |= add(&mut **encoder, compressor);
        }
        if !has_rows {
            piece.truncate(start);
        }
    }

    fn clear(&mut self) {
        self.first.clear();
        self.marks.clear();
        for other in &mut self.others {
            other.encoder.clear();
            other.marks.clear();
        }
    }
}

/// An assembler of the first format's pieces only, for callers that write one file.
struct FirstFormatAssembler {
    assembler: Box<dyn Assembler>,
    formats: usize,
}

impl Assembler for FirstFormatAssembler {
    fn begin(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        self.assembler.begin(compressor, out)
    }

    fn resume(&mut self, length: u64, state: &[u8]) {
        self.assembler.resume(length, state);
    }

    fn write_piece(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        each_piece(piece, self.formats, |number, piece| match number {
            0 => self.assembler.write_piece(piece, compressor, out),
            _ => Ok(()),
        })
    }

    fn state(&self) -> Vec<u8> {
        self.assembler.state()
    }

    fn end(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        self.assembler.end(compressor, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::CSV;
    use crate::jsonl::Jsonl;
    use crate::sample::{full_layout, numbered};
    use crate::wet::Wet;

    const FORMATS: [&dyn Format; 3] = [&Jsonl, &CSV, &Wet];
    const KINDS: [Compression; 3] =
        [Compression::None, Compression::DEFAULT_ZSTD, Compression::DEFAULT_GZIP];

    /// Returns the piece of a format alone, with the rows of these numbers.
    fn alone(place: usize, rows: &[usize]) -> Vec<u8> {
        let layout = full_layout(KINDS[place]);
        let mut encoder = FORMATS[place].encoder(&layout);
        for number in rows {
            numbered(*number, |row| encoder.row(row));
        }
        let mut piece = Vec::new();
        encoder.finish(&mut Compressor::new(KINDS[place]), &mut piece);
        piece
    }

    #[test]
    fn each_format_gets_the_piece_that_it_has_alone_whatever_is_cut() {
        let format = combine(&FORMATS);
        assert_eq!(format.name(), "jsonl,csv,wet");
        assert!(std::ptr::eq(format.name(), combine(&FORMATS).name()), "it is made once");
        let layout = Layout { further_compressions: KINDS[1..].to_vec(), ..full_layout(KINDS[0]) };
        let mut encoder = format.encoder(&layout);
        let mut compressor = Compressor::new(KINDS[0]);
        let mut joined = Vec::new();
        encoder.finish(&mut compressor, &mut joined);
        assert!(joined.is_empty(), "no rows append nothing");
        let add = |encoder: &mut dyn BatchEncoder, number| {
            numbered(number, |row| encoder.row(row));
        };
        for _ in 0..2 {
            let start = encoder.mark();
            add(&mut *encoder, 7);
            encoder.cut(start);
            add(&mut *encoder, 1);
            let mark = encoder.mark();
            add(&mut *encoder, 8);
            add(&mut *encoder, 9);
            encoder.cut(mark);
            add(&mut *encoder, 2);
            encoder.finish(&mut compressor, &mut joined);
        }
        add(&mut *encoder, 3);
        encoder.clear();
        encoder.finish(&mut compressor, &mut joined);
        let mut pieces = [const { Vec::new() }; 3];
        let taken = each_piece(&joined, 3, |number, piece| {
            pieces[number].push(piece.to_vec());
            Ok::<_, ()>(())
        });
        assert_eq!(taken, Ok(()));
        for (number, pieces) in pieces.into_iter().enumerate() {
            let wanted = alone(number, &[1, 2]);
            assert!(pieces == [wanted.clone(), wanted], "{number}");
        }
        let mut file = Vec::new();
        let mut assembler = format.assembler(&layout);
        assembler.write_piece(&joined, &mut compressor, &mut file).unwrap();
        assert!(file == alone(0, &[1, 2]).repeat(2), "one file is of the first");
    }
}
