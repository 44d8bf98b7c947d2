//! JSON Lines: one object a line, in frames that can each be decompressed alone.

use crate::compress::{Compression, Compressor};
use crate::field::Field;
use crate::format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice,
};
use crate::frames::{Frames, clear_and_shrink};
use crate::json_members::{JsonMembers, json_string};
use crate::layout::Layout;
use crate::line::push_line_of;
use crate::plain_lines::each_line;
use crate::row::{Row, RowSink};
use crate::row_copy::{RowCutter, copy_line, copy_rows, invalid};
use crate::schemas::Schema;
use serde_json::Value;
use std::io::{self, BufRead, Write};

/// The JSON Lines format.
pub(crate) struct Jsonl;

impl Format for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn suffix(&self, compression: Compression) -> &'static str {
        match compression {
            Compression::Zstd { .. } => ".jsonl.zst",
            Compression::Gzip { .. } => ".jsonl.gz",
            Compression::None => ".jsonl",
        }
    }

    fn has_places(&self) -> bool {
        true
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        Box::new(Lines {
            fields: layout.fields().collect(),
            layout: layout.clone(),
            rows: Vec::new(),
        })
    }

    fn assembler(&self, _: &Layout) -> Box<dyn Assembler> {
        Box::<Frames>::default()
    }

    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut inspector = Inspector::new(layout, id);
        let read = inspector.read(layout.compression, file);
        Inspection { error: read.err(), ..inspector.found }
    }

    fn copy_rows(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        choice: &mut RowChoice<'_>,
        out: &mut dyn Write,
    ) -> io::Result<CopiedRows> {
        let lines = if layout.schema.is_some_and(Schema::has_actions) { 2 } else { 1 };
        copy_rows(&mut LineCutter { lines }, layout.compression, file.as_reader(), choice, out)
    }
}

/// Cuts rows of some lines each.
struct LineCutter {
    lines: usize,
}

impl RowCutter for LineCutter {
    fn row(&mut self, file: &mut dyn BufRead, row: &mut Vec<u8>) -> io::Result<()> {
        for line in 0..self.lines {
            match (copy_line(file, row)?, line) {
                (true, _) => {}
                (false, 0) => return Ok(()),
                (false, _) => return Err(invalid("the row after its action line is missing")),
            }
        }
        Ok(())
    }
}

/// The rows of a batch, as lines.
struct Lines {
    fields: Vec<&'static Field>,
    layout: Layout,
    rows: Vec<u8>,
}

impl RowSink for Lines {
    fn row(&mut self, row: &Row<'_>) {
        match self.layout.schema {
            Some(schema) => {
                schema.push(row, self.layout.fields(), &self.layout.index, &mut self.rows);
            }
            None => push_line_of(self.fields.iter().copied(), row, &mut self.rows),
        }
    }

    fn existing_row(&mut self, json: &str, row: &Row<'_>) {
        if self.layout.keeps_members() {
            self.rows.extend_from_slice(json.as_bytes());
            self.rows.push(b'\n');
        } else {
            self.row(row);
        }
    }

    fn needs_only_line(&self) -> bool {
        self.layout.keeps_members()
    }

    fn mark(&self) -> usize {
        self.rows.len()
    }

    fn cut(&mut self, mark: usize) {
        self.rows.truncate(mark);
    }
}

impl BatchEncoder for Lines {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        compressor.frame(&self.rows, piece);
        self.clear();
    }

    fn clear(&mut self) {
        clear_and_shrink(&mut self.rows);
    }
}

/// A reader that counts the sound and the faulty rows.
struct Inspector<'a> {
    found: Inspection,
    /// Members that every row must have, each a string: the identifier and the text.
    needed: [Option<&'static str>; 2],
    /// Whether an action line precedes each row.
    has_actions: bool,
    /// Whether the next line is an action line.
    at_action: bool,
    id: &'a mut dyn FnMut(&str),
}

impl<'a> Inspector<'a> {
    fn new(layout: &Layout, id: &'a mut dyn FnMut(&str)) -> Inspector<'a> {
        let [id_key, text_key] = match layout.schema {
            // Rows of the user may have any members.
            _ if layout.keeps_members() => [None, None],
            Some(schema) => [schema.id(), schema.text()],
            None => ["id", "text"].map(|name| layout.has(name).then_some(name)),
        };
        let has_actions = layout.schema.is_some_and(Schema::has_actions);
        let found = Inspection::default();
        Inspector { found, needed: [id_key, text_key], has_actions, at_action: has_actions, id }
    }

    fn read(&mut self, compression: Compression, file: &mut dyn InspectedFile) -> io::Result<()> {
        let mut plain = compression.reader(file.as_reader())?;
        let is_whole = each_line(&mut *plain, &mut |line| {
            if self.at_action {
                self.action(line);
            } else {
                self.found.rows += 1;
                self.row(line);
            }
            self.at_action = self.has_actions && !self.at_action;
        })?;
        if !is_whole {
            self.found.fault(self.found.rows + 1, "it has no line end");
        } else if self.has_actions && !self.at_action {
            self.found.fault(self.found.rows + 1, "the row after its action line is missing");
        }
        Ok(())
    }

    /// Checks an action line.
    fn action(&mut self, line: Option<&[u8]>) {
        let is_sound = line
            .and_then(|line| serde_json::from_slice::<Value>(line).ok())
            .is_some_and(|action| action["index"].is_object());
        if !is_sound {
            self.found.fault(self.found.rows + 1, "its action line is not an index action");
        }
    }

    /// Checks a row. A row that is too long to be held is only counted.
    fn row(&mut self, line: Option<&[u8]>) {
        let Some(line) = line else { return };
        let row = std::str::from_utf8(line)
            .map_err(|error| error.to_string())
            .and_then(|row| serde_json::from_str(row).map_err(|error| error.to_string()));
        let members: JsonMembers<'_> = match row {
            Ok(members) => members,
            Err(error) => return self.found.fault(self.found.rows, error),
        };
        let mut sound_id = None;
        for (place, key) in self.needed.iter().enumerate() {
            let Some(key) = key else { continue };
            let Some((_, value)) = members.member(key) else {
                return self.found.fault(self.found.rows, format!("missing field `{key}`"));
            };
            let Some(text) = json_string(value) else {
                return self.found.fault(self.found.rows, format!("`{key}` is not a string"));
            };
            if place == 0 {
                sound_id = Some(text);
            }
        }
        if let Some(sound_id) = sound_id {
            (self.id)(&sound_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{file_of, full_layout, inspect, row};

    const KINDS: [Compression; 3] = Compression::KINDS;

    #[test]
    fn what_is_written_is_what_inspection_finds() {
        for compression in KINDS {
            let layout = full_layout(compression);
            let file = file_of(&Jsonl, &layout, &[2, 0, 2]);
            let (found, ids) = inspect(&Jsonl, &layout, &file);
            assert_eq!((found.rows, found.faults, ids.len()), (4, 0, 4), "{found:?}");
            assert!(found.error.is_none());
        }
    }

    #[test]
    fn only_the_fields_asked_for_are_written() {
        let layout = Layout {
            chosen: Some(vec!["status", "text"]),
            compression: Compression::None,
            ..full_layout(Compression::None)
        };
        let file = file_of(&Jsonl, &layout, &[1]);
        assert_eq!(file, b"{\"status\":null,\"text\":\"one\\ntwo\\t\\\"three\\\"\"}\n");
        assert_eq!(inspect(&Jsonl, &layout, &file).0.rows, 1);
    }

    #[test]
    fn rows_of_a_batch_that_is_given_up_are_in_no_piece() {
        let mut compressor = Compressor::new(Compression::None);
        let mut encoder = Jsonl.encoder(&full_layout(Compression::None));
        row(true, &[], &[], |row| encoder.row(row));
        encoder.clear();
        let mut piece = Vec::new();
        encoder.finish(&mut compressor, &mut piece);
        assert!(piece.is_empty());
    }

    #[test]
    fn only_a_file_without_rows_ends_in_an_empty_frame() {
        for compression in KINDS {
            let mut compressor = Compressor::new(compression);
            let mut end = |length: Option<u64>| {
                let mut assembler = Jsonl.assembler(&full_layout(compression));
                let mut out = Vec::new();
                match length {
                    Some(length) => assembler.resume(length, &assembler.state()),
                    None => assembler.begin(&mut compressor, &mut out).unwrap(),
                }
                assembler.end(&mut compressor, &mut out).unwrap();
                out.len()
            };
            assert_eq!(end(None) > 0, compression != Compression::None);
            assert_eq!(end(Some(0)), end(None));
            assert_eq!(end(Some(9)), 0);
        }
    }

    #[test]
    fn faulty_rows_are_counted_and_the_first_is_described() {
        let file =
            b"{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":\"2\"}\n{\"id\":\"3\",\"text\":null}\n\xff\n{";
        let plain = full_layout(Compression::None);
        let (found, ids) = inspect(&Jsonl, &plain, file);
        assert_eq!((found.rows, found.faults, ids), (4, 4, vec!["1".to_owned()]));
        let (number, what) = found.first_fault.unwrap();
        assert!(number == 2 && what.contains("missing field `text`"), "{what}");
        let mut cut = Vec::new();
        Compressor::new(Compression::DEFAULT_ZSTD).frame(&file[..], &mut cut);
        let cut = &cut[..cut.len() - 9];
        let (found, _) = inspect(&Jsonl, &full_layout(Compression::DEFAULT_ZSTD), cut);
        assert!(found.error.is_some());
    }
}
