//! Cuts the rows of a batch into passages and encodes these, in a worker.

use huller_passages::{Anchor, Kind, Passage, Source, Splitter};
use huller_row::{BatchEncoder, Compressor, PassagePart, Row, RowSink};

/// Encodes the passages of rows. It takes rows like any encoder. So passages are cut, held and
/// written together with the rows.
pub(crate) struct PassageEncoder {
    splitter: Splitter,
    passages: Box<dyn BatchEncoder>,
    /// For each row so far, the mark of `passages` after it and the number of passages up to it.
    ends: Vec<(usize, u64)>,
    /// The mark of `passages` before the first row.
    start: usize,
}

/// Bytes of the number of passages at the start of a piece.
const COUNT: usize = 8;

impl PassageEncoder {
    pub(crate) fn new(splitter: Splitter, passages: Box<dyn BatchEncoder>) -> PassageEncoder {
        PassageEncoder { splitter, start: passages.mark(), passages, ends: Vec::new() }
    }

    /// Divides a piece into the number of its passages and their bytes.
    pub(crate) fn split_piece(piece: &[u8]) -> (u64, &[u8]) {
        match piece.split_first_chunk::<COUNT>() {
            Some((count, rows)) => (u64::from_le_bytes(*count), rows),
            None => (0, piece),
        }
    }

    /// Returns the mark and the number of passages at the end of so many rows.
    fn end_of(&self, rows: usize) -> (usize, u64) {
        rows.checked_sub(1).map_or((self.start, 0), |last| self.ends[last])
    }
}

impl RowSink for PassageEncoder {
    fn row(&mut self, row: &Row<'_>) {
        let (_, mut count) = self.end_of(self.ends.len());
        let markdown = row.markdown.filter(|markdown| !markdown.is_empty());
        let anchors: Vec<_> =
            row.anchors.iter().map(|anchor| Anchor { at: anchor.at, id: anchor.id }).collect();
        let source = Source {
            id: row.id,
            url: row.url,
            title: row.title,
            language: row.language,
            markdown: markdown.unwrap_or(row.text),
            text: Some(row.text),
            anchors: &anchors,
            is_plain: markdown.is_none(),
        };
        for passage in self.splitter.split(&source) {
            push(&passage, markdown.is_some(), &mut *self.passages);
            count += 1;
        }
        self.ends.push((self.passages.mark(), count));
    }

    fn mark(&self) -> usize {
        self.ends.len()
    }

    fn cut(&mut self, mark: usize) {
        // A panic may have left passages of a row that is not in the list.
        self.ends.truncate(mark);
        let (end, _) = self.end_of(self.ends.len());
        self.passages.cut(end);
    }
}

impl BatchEncoder for PassageEncoder {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        let (_, count) = self.end_of(self.ends.len());
        self.ends.clear();
        if count == 0 {
            return self.passages.clear();
        }
        piece.extend_from_slice(&count.to_le_bytes());
        self.passages.finish(compressor, piece);
        self.start = self.passages.mark();
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.passages.clear();
        self.start = self.passages.mark();
    }
}

/// Passes a passage on as a row.
fn push(passage: &Passage<'_>, is_markdown: bool, to: &mut dyn BatchEncoder) {
    let kinds: Vec<_> = passage.kinds.iter().map(Kind::name).collect();
    let part = PassagePart {
        parent_id: passage.parent_id,
        ordinal: passage.ordinal,
        of: passage.of,
        anchor: passage.anchor,
        headings: &passage.headings,
        prefix: passage.prefix,
        context: passage.context,
        start: is_markdown.then_some(passage.start),
        end: is_markdown.then_some(passage.end),
        text_start: passage.text_start,
        text_end: passage.text_end,
        kinds: &kinds,
        tokens: passage.tokens,
        digest: &passage.digest,
    };
    to.row(&Row {
        id: &passage.id,
        url: passage.url,
        title: passage.title,
        language: passage.language,
        text: passage.text,
        passage: Some(part),
        ..Row::default()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_passages::PassageSettings;
    use huller_row::{Compression, JSONL, Layout, PASSAGE_FIELDS};
    use serde_json::Value;

    fn encoder() -> PassageEncoder {
        let settings = PassageSettings {
            max_tokens: 40,
            min_tokens: 5,
            tokenizer: "characters".to_owned(),
            ..PassageSettings::default()
        };
        let splitter = Splitter::new(&settings).unwrap();
        let compression = Compression::None;
        let layout = Layout { table: PASSAGE_FIELDS, compression, ..Layout::default() };
        PassageEncoder::new(splitter, JSONL.encoder(&layout))
    }

    fn finished(encoder: &mut PassageEncoder) -> (u64, Vec<Value>) {
        let mut piece = Vec::new();
        encoder.finish(&mut Compressor::new(Compression::None), &mut piece);
        let (count, lines) = PassageEncoder::split_piece(&piece);
        let lines = std::str::from_utf8(lines).unwrap().lines();
        (count, lines.map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    fn row(id: &str) -> Row<'_> {
        let markdown =
            "# Rain\n\nIt fell for two whole days.\n\n## Wind\n\nNone at all, say all.\n";
        Row {
            id,
            text: "Rain\nIt fell for two whole days.\nWind\nNone at all, say all.",
            markdown: Some(markdown),
            ..Row::default()
        }
    }

    #[test]
    fn rows_become_passages_with_all_fields() {
        let mut encoder = encoder();
        encoder.row(&row("a"));
        let (count, passages) = finished(&mut encoder);
        assert_eq!(count as usize, passages.len());
        let texts: String = passages.iter().map(|it| it["text"].as_str().unwrap()).collect();
        assert_eq!(texts, row("a").markdown.unwrap());
        for (ordinal, passage) in passages.iter().enumerate() {
            let names: Vec<_> = passage.as_object().unwrap().keys().map(String::as_str).collect();
            let mut expected: Vec<_> = PASSAGE_FIELDS.iter().map(|field| field.name).collect();
            expected.sort_unstable();
            assert_eq!(names, expected);
            assert_eq!(passage["ordinal"], ordinal);
            assert_eq!(passage["of"], passages.len());
            assert_eq!(passage["parent_id"], "a");
        }
        assert_eq!(passages.last().unwrap()["headings"][1], "Wind");
    }

    #[test]
    fn a_cut_removes_the_passages_of_the_rows_after_it() {
        let mut encoder = encoder();
        for _ in 0..2 {
            encoder.row(&row("a"));
            let mark = encoder.mark();
            encoder.row(&row("b"));
            encoder.row(&row("c"));
            encoder.cut(mark);
            encoder.row(&row("d"));
            let (count, passages) = finished(&mut encoder);
            assert_eq!(count as usize, passages.len());
            let parents: Vec<_> = passages.iter().map(|it| it["parent_id"].clone()).collect();
            assert!(parents.contains(&"a".into()) && parents.contains(&"d".into()));
            assert!(!parents.contains(&"b".into()) && !parents.contains(&"c".into()));
        }
        encoder.row(&row("e"));
        encoder.cut(0);
        assert_eq!(finished(&mut encoder), (0, Vec::new()));
        encoder.row(&row("f"));
        encoder.clear();
        assert_eq!(finished(&mut encoder), (0, Vec::new()));
    }

    #[test]
    fn a_row_without_markdown_is_cut_as_plain_text() {
        let mut encoder = encoder();
        let text = "# no heading\nThe first line.\nThe second line is longer.\nThe third.";
        encoder.row(&Row { id: "a", text, ..Row::default() });
        let (_, passages) = finished(&mut encoder);
        let texts: String = passages.iter().map(|it| it["text"].as_str().unwrap()).collect();
        assert_eq!(texts, text);
        for passage in passages {
            assert_eq!((&passage["start"], &passage["headings"][0]), (&Value::Null, &Value::Null));
            assert!(passage["text_start"].is_u64());
        }
    }
}
