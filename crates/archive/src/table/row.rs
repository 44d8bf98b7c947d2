//! Assembles a row from its columns as a JSON object ("record assembly": S. Melnik et al.,
//! *Dremel*, VLDB 2010).

use super::column::{Column, PageSource};
use super::fault::TableFault;
use super::json::ValueWriter;
use super::schema::{LeafColumn, Node, NodeKind, Physical, Schema, ValueMeaning};

/// Assembles rows.
pub(super) struct RowWriter<'r, 's> {
    pub(super) leaves: &'r [LeafColumn],
    pub(super) columns: &'r mut [Column],
    pub(super) source: &'r mut PageSource<'s>,
    pub(super) values: &'r mut ValueWriter,
    pub(super) out: &'r mut Vec<u8>,
    /// Longest row in bytes. A longer row is read to its end, but not kept.
    pub(super) most: usize,
    pub(super) is_too_large: bool,
    /// Number of values of lists that may still be read, nulls and empty lists included.
    pub(super) listed: &'r mut u64,
    /// The column at which reading stopped.
    pub(super) at: usize,
}

impl RowWriter<'_, '_> {
    /// Appends the next row.
    pub(super) fn row(&mut self, schema: &Schema) -> Result<(), TableFault> {
        self.members(&schema.members)?;
        for at in 0..self.columns.len() {
            if self.columns[at].is_repeated() {
                self.at = at;
                let next = self.columns[at].peek(self.source)?;
                if next.is_some_and(|entry| entry.repetition > 0) {
                    return Err(TableFault::corrupt(
                        "its lists are longer than those of its \
                        neighbours",
                    ));
                }
            }
        }
        Ok(())
    }

    fn members(&mut self, members: &[Node]) -> Result<(), TableFault> {
        self.push(b"{");
        for (place, member) in members.iter().enumerate() {
            if place > 0 {
                self.push(b",");
            }
            self.push(member.name.as_bytes());
            self.write_value(member)?;
        }
        self.push(b"}");
        Ok(())
    }

    /// Appends the value of a node.
    fn write_value(&mut self, node: &Node) -> Result<(), TableFault> {
        let definition = self.peek(node)?.1;
        if definition < node.present {
            self.push(b"null");
            return self.pass_over(node);
        }
        match &node.kind {
            NodeKind::Leaf => self.leaf(node.leaves.start),
            NodeKind::Struct(members) => self.members(members),
            NodeKind::List { repetition, filled, element } => {
                if definition < *filled {
                    self.push(b"[]");
                    return self.pass_over(node);
                }
                self.push(b"[");
                self.elements(node, *repetition, |writer| writer.write_value(element))?;
                self.push(b"]");
                Ok(())
            }
            NodeKind::Map { repetition, filled, key, value } => {
                let is_object = value.is_some() && self.is_text(key);
                let [open, close] = if is_object { [b"{", b"}"] } else { [b"[", b"]"] };
                self.push(open);
                if definition < *filled {
                    self.pass_over(node)?;
                } else {
                    self.elements(node, *repetition, |writer| match value {
                        Some(value) if is_object => {
                            writer.write_value(key)?;
                            writer.push(b":");
                            writer.write_value(value)
                        }
                        Some(value) => {
                            writer.push(b"[");
                            writer.write_value(key)?;
                            writer.push(b",");
                            writer.write_value(value)?;
                            writer.push(b"]");
                            Ok(())
                        }
                        None => writer.write_value(key),
                    })?;
                }
                self.push(close);
                Ok(())
            }
        }
    }

    /// Appends elements, separated by commas, while the next entry continues the same list.
    fn elements(
        &mut self,
        node: &Node,
        repetition: u16,
        mut element: impl FnMut(&mut Self) -> Result<(), TableFault>,
    ) -> Result<(), TableFault> {
        loop {
            element(self)?;
            self.at = node.leaves.start;
            let next = self.columns[self.at].peek(self.source)?;
            if next.is_none_or(|entry| entry.repetition < repetition) {
                return Ok(());
            }
            self.push(b",");
        }
    }

    /// Returns whether every value of a node is a string.
    fn is_text(&self, node: &Node) -> bool {
        let leaf = &self.leaves[node.leaves.start];
        matches!(node.kind, NodeKind::Leaf)
            && node.present == 0
            && leaf.physical == Physical::Bytes
            && leaf.meaning == ValueMeaning::Plain
    }

    fn leaf(&mut self, at: usize) -> Result<(), TableFault> {
        self.at = at;
        self.count()?;
        let column = &mut self.columns[at];
        match column.take(self.source)? {
            Some(value) if !self.is_too_large => {
                self.values.push(&self.leaves[at], value, self.out);
                self.trim();
            }
            Some(_) => {}
            None => self.push(b"null"),
        }
        Ok(())
    }

    /// Skips the one entry of each leaf of a node that is null or an empty list.
    fn pass_over(&mut self, node: &Node) -> Result<(), TableFault> {
        for at in node.leaves.clone() {
            self.at = at;
            self.count()?;
            self.columns[at].take(self.source)?;
        }
        Ok(())
    }

    /// Returns the levels of the next entry of a node.
    fn peek(&mut self, node: &Node) -> Result<(u16, u16), TableFault> {
        self.at = node.leaves.start;
        let entry = self.columns[self.at].peek(self.source)?;
        let entry =
            entry.ok_or_else(|| TableFault::corrupt("the column ends before its row group"))?;
        Ok((entry.repetition, entry.definition))
    }

    /// Counts a value of a list against the limit: a few bytes can claim billions of values.
    fn count(&mut self) -> Result<(), TableFault> {
        if self.columns[self.at].is_repeated() {
            *self.listed = self.listed.checked_sub(1).ok_or_else(|| {
                let problem = "its lists have too many values for its number of bytes";
                TableFault::TooLarge(problem.to_owned())
            })?;
        }
        Ok(())
    }

    fn push(&mut self, bytes: &[u8]) {
        if !self.is_too_large {
            self.out.extend_from_slice(bytes);
            self.trim();
        }
    }

    /// Discards a row that has become too long.
    fn trim(&mut self) {
        if self.out.len() > self.most {
            self.is_too_large = true;
            self.out.clear();
            self.out.shrink_to(1 << 20);
        }
    }
}
