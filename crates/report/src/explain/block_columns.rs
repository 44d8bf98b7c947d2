//! Stores the blocks of a page in columns. They take a tenth of the bytes of a list of objects, and
//! a browser reads them faster.
//!
//! The field `blocks` of the part `data` has lists with one value per block:
//!
//! * `depth`, `start`, `end`, `chars`, `words`, `punctuation`, `linked_chars`, `links`, `tags`: the
//!   number (or null) of the row;
//! * `path`, `role`, `box`: an index into the tables `paths`, `roles` and `boxes`; `box` may be
//!   null;
//! * `text`: an index into the lines of the file.
//!
//! `names` has the names of the extractors, and `left_out` the number of blocks that the row left
//! out.

use super::extractor_columns::ExtractorColumns;
use super::row_block::{LeftOut, RowBlock};
use super::string_table::StringTable;
use serde::Serialize;
use serde_json::value::RawValue;

/// The blocks of a page, and the results of extractors for them.
#[derive(Default)]
pub(super) struct BlockColumns {
    pub(super) extractors: Vec<ExtractorColumns>,
    left_out: u64,
    paths: StringTable,
    roles: StringTable,
    boxes: StringTable,
    columns: Columns,
}

/// One value per block in each column.
#[derive(Default, Serialize)]
struct Columns {
    path: Vec<u32>,
    depth: Vec<u64>,
    role: Vec<u32>,
    start: Vec<Option<u64>>,
    end: Vec<Option<u64>>,
    text: Vec<u32>,
    chars: Vec<u64>,
    words: Vec<u64>,
    punctuation: Vec<u64>,
    linked_chars: Vec<u64>,
    links: Vec<u64>,
    tags: Vec<u64>,
    #[serde(rename = "box")]
    area: Vec<Option<u32>>,
}

#[derive(Serialize)]
struct Written<'a> {
    names: Vec<&'a str>,
    left_out: u64,
    paths: Vec<&'a str>,
    roles: Vec<&'a str>,
    boxes: Vec<&'a RawValue>,
    #[serde(flatten)]
    columns: &'a Columns,
}

impl BlockColumns {
    /// Reads the list of a row, one entry at a time. All entries as objects would take several
    /// times the memory of their JSON. Adds texts to `lines`.
    pub(super) fn read(
        list: &RawValue,
        lines: &mut StringTable,
    ) -> serde_json::Result<BlockColumns> {
        let mut entries: Vec<&RawValue> = serde_json::from_str(list.get())?;
        let mut read = BlockColumns::default();
        let ending = entries.last().map(|last| serde_json::from_str::<LeftOut>(last.get()));
        if let Some(Ok(LeftOut { left_out })) = ending {
            read.left_out = left_out;
            entries.pop();
        }
        for entry in entries {
            read.push(serde_json::from_str(entry.get())?, lines);
        }
        Ok(read)
    }

    /// Adds a block. The first block decides which extractors are shown.
    fn push(&mut self, block: RowBlock<'_>, lines: &mut StringTable) {
        let mut judgements = block.extractors.0;
        if self.columns.path.is_empty() {
            self.extractors =
                judgements.iter().map(|(name, _)| ExtractorColumns::new(name)).collect();
        }
        for extractor in &mut self.extractors {
            let index = judgements.iter().position(|(name, _)| *name == extractor.name);
            extractor.push(index.map(|index| judgements.swap_remove(index).1));
        }
        let columns = &mut self.columns;
        columns.path.push(self.paths.intern(&block.path));
        columns.depth.push(block.depth);
        columns.role.push(self.roles.intern(&block.role));
        columns.start.push(block.start);
        columns.end.push(block.end);
        columns.text.push(lines.intern(&block.text));
        columns.chars.push(block.chars);
        columns.words.push(block.words);
        columns.punctuation.push(block.punctuation);
        columns.linked_chars.push(block.linked_chars);
        columns.links.push(block.links);
        columns.tags.push(block.tags);
        columns.area.push(block.area.map(|area| self.boxes.intern(area.get())));
    }

    /// Returns the field `blocks`.
    pub(super) fn to_json(&self) -> serde_json::Result<Box<RawValue>> {
        let boxes = self.boxes.values();
        serde_json::value::to_raw_value(&Written {
            names: self.extractors.iter().map(|extractor| &*extractor.name).collect(),
            left_out: self.left_out,
            paths: self.paths.values(),
            roles: self.roles.values(),
            boxes: boxes.into_iter().map(serde_json::from_str).collect::<Result<_, _>>()?,
            columns: &self.columns,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn block(path: &str, area: &str, extractors: &str) -> String {
        format!(
            r#"{{"path":"{path}","depth":4,"role":"content","kept":true,"start":null,"end":null,"text":"A \"b\".","chars":4,"words":2,"punctuation":1,"linked_chars":0,"links":0,"tags":3,"box":{area},"methods":{extractors}}}"#
        )
    }

    #[test]
    fn what_recurs_stands_in_tables() {
        let list = [
            block(
                "body/p",
                "[0.0,1.0,2.0,3.0]",
                r#"{"pvalue":{"kept":true,"score":0.5},"body":{"kept":true,"score":null}}"#,
            ),
            block(
                "body/p",
                "null",
                r#"{"body":{"kept":true,"score":null},"pvalue":{"kept":false,"score":1e-9}}"#,
            ),
            block("body", "[0.0,1.0,2.0,3.0]", r#"{"body":{"kept":true,"score":null}}"#),
            r#"{"left_out":7}"#.to_owned(),
        ];
        let list = RawValue::from_string(format!("[{}]", list.join(","))).unwrap();
        let mut lines = StringTable::default();
        let read = BlockColumns::read(&list, &mut lines).unwrap();
        let json: Value = serde_json::from_str(read.to_json().unwrap().get()).unwrap();
        assert_eq!(json["names"], json!(["pvalue", "body"]));
        assert_eq!(
            (&json["paths"], &json["path"]),
            (&json!(["body/p", "body"]), &json!([0, 0, 1]))
        );
        assert_eq!(
            (&json["boxes"], &json["box"]),
            (&json!([[0., 1., 2., 3.]]), &json!([0, null, 0]))
        );
        assert_eq!(
            (&json["text"], &json["start"]),
            (&json!([0, 0, 0]), &json!([null, null, null]))
        );
        assert_eq!((lines.values(), &json["left_out"]), (vec!["A \"b\"."], &json!(7)));
        assert_eq!(
            read.extractors[0].found().unwrap(),
            r#"{"kept":"100","score":[0.5,1e-9,null]}"#
        );
        assert_eq!(read.extractors[1].found().unwrap(), r#"{"kept":"111","score":null}"#);
    }

    #[test]
    fn a_block_of_another_form_is_refused() {
        for list in ["{}", "[1]", r#"[{"path":"a"}]"#, r#"[{"left_out":1},{"left_out":1}]"#] {
            let list = RawValue::from_string(list.to_owned()).unwrap();
            assert!(BlockColumns::read(&list, &mut StringTable::default()).is_err(), "{list}");
        }
    }
}
