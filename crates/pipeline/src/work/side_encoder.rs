//! Turns the rows of a batch into those of a side table and encodes these, in a worker.

use huller_passages::{Anchor, Kind, Passage, Source, Splitter};
use huller_row::{BatchEncoder, Compressor, PassagePart, Row, RowSink};

/// Turns a row into the rows of a side table, in their order.
pub(crate) trait RowExpander: Send {
    /// Passes the rows of the side table on to `push`. Returns their number.
    fn expand(&mut self, row: &Row<'_>, push: &mut dyn RowSink) -> u64;
}

/// Encodes the rows of a side table. It takes rows of pages like any encoder. So the rows of the
/// side table are made, held and written together with those of the pages.
pub(crate) struct SideEncoder {
    expander: Box<dyn RowExpander>,
    rows: Box<dyn BatchEncoder>,
    /// For each row so far, the mark of `rows` after it and the number of rows of the side table
    /// up to it.
    ends: Vec<(usize, u64)>,
    /// The mark of `rows` before the first row.
    start: usize,
}

/// Bytes of the number of rows at the start of a piece.
const ROW_COUNT_BYTES: usize = 8;

impl SideEncoder {
    pub(crate) fn new(expander: Box<dyn RowExpander>, rows: Box<dyn BatchEncoder>) -> SideEncoder {
        SideEncoder { expander, start: rows.mark(), rows, ends: Vec::new() }
    }

    /// Divides a piece into the number of its rows and their bytes.
    pub(crate) fn split_piece(piece: &[u8]) -> (u64, &[u8]) {
        match piece.split_first_chunk::<ROW_COUNT_BYTES>() {
            Some((count, rows)) => (u64::from_le_bytes(*count), rows),
            None => (0, piece),
        }
    }

    /// Returns the mark and the number of rows of the side table at the end of so many rows.
    fn end_of(&self, rows: usize) -> (usize, u64) {
        rows.checked_sub(1).map_or((self.start, 0), |last| self.ends[last])
    }
}

impl RowSink for SideEncoder {
    fn row(&mut self, row: &Row<'_>) {
        let (_, count) = self.end_of(self.ends.len());
        let more = self.expander.expand(row, &mut *self.rows);
        self.ends.push((self.rows.mark(), count + more));
    }

    fn mark(&self) -> usize {
        self.ends.len()
    }

    fn cut(&mut self, mark: usize) {
        // A panic may have left rows of a row that is not in the list.
        self.ends.truncate(mark);
        let (end, _) = self.end_of(self.ends.len());
        self.rows.cut(end);
    }
}

impl BatchEncoder for SideEncoder {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        let (_, count) = self.end_of(self.ends.len());
        self.ends.clear();
        if count == 0 {
            return self.rows.clear();
        }
        piece.extend_from_slice(&count.to_le_bytes());
        self.rows.finish(compressor, piece);
        self.start = self.rows.mark();
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.rows.clear();
        self.start = self.rows.mark();
    }
}

/// Cuts rows into passages.
impl RowExpander for Splitter {
    fn expand(&mut self, row: &Row<'_>, push: &mut dyn RowSink) -> u64 {
        let markdown = row.markdown.filter(|markdown| !markdown.is_empty());
        let anchors: Vec<_> =
            row.anchors.iter().map(|anchor| Anchor { at: anchor.at, id: &anchor.id }).collect();
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
        let mut count = 0;
        for passage in self.split(&source) {
            push_passage(&passage, markdown.is_some(), push);
            count += 1;
        }
        count
    }
}

/// Makes a row of each link of a page.
pub(crate) struct PageLinks;

impl RowExpander for PageLinks {
    fn expand(&mut self, row: &Row<'_>, push: &mut dyn RowSink) -> u64 {
        let mut of_link = Row { id: row.id, url: row.url, ..Row::default() };
        for link in row.links {
            of_link.link = Some(*link);
            push.row(&of_link);
        }
        row.links.len() as u64
    }
}

/// Makes a row of each page that is to be judged by a model of the user.
pub(crate) struct EscalatedPages {
    /// The score below which a page is escalated.
    pub(crate) below: f64,
}

impl RowExpander for EscalatedPages {
    fn expand(&mut self, row: &Row<'_>, push: &mut dyn RowSink) -> u64 {
        let is_low = row.score.is_some_and(|score| score < self.below);
        if is_low {
            push.row(row);
        }
        u64::from(is_low)
    }
}

/// Passes a passage on as a row.
fn push_passage(passage: &Passage<'_>, is_markdown: bool, sink: &mut dyn RowSink) {
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
    sink.row(&Row {
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

    fn encoder() -> SideEncoder {
        let settings = PassageSettings {
            max_tokens: 40,
            min_tokens: 5,
            tokenizer: "characters".to_owned(),
            ..PassageSettings::default()
        };
        let splitter = Splitter::new(&settings).unwrap();
        let compression = Compression::None;
        let layout = Layout { table: PASSAGE_FIELDS, compression, ..Layout::default() };
        SideEncoder::new(Box::new(splitter), JSONL.encoder(&layout))
    }

    fn finished(encoder: &mut SideEncoder) -> (u64, Vec<Value>) {
        let mut piece = Vec::new();
        encoder.finish(&mut Compressor::new(Compression::None), &mut piece);
        let (count, lines) = SideEncoder::split_piece(&piece);
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
