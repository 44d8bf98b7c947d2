//! Opens and closes blocks and inline elements.

use super::{Block, Element, Flow, Inline, MarkupSink, Role, Table};
use crate::render::numbers::Numbering;
use huller_page::Tag;

/// Largest number of inline elements that are open at a time.
const MAX_INLINES: usize = 6;

/// Largest number of leaves in which one inline element is opened.
const MAX_LEAVES: u32 = 16;

impl<S: MarkupSink> Flow<'_, S> {
    /// Begins a block. The next output in it opens it.
    pub(super) fn push_block(&mut self, node: u32, tag: Tag, role: Role) {
        self.has_crossed_boundary = true;
        // Between the rows of a table only its caption is a block of its own kind.
        let is_misplaced = self.table.is_some() != (tag == Tag::CAPTION);
        let (tag, role) = if is_misplaced { (Tag::DIV, Role::Leaf) } else { (tag, role) };
        let index = self.scratch.blocks.len() as u32;
        let outer_container = self.scratch.blocks.last().map_or(u32::MAX, |block| block.container);
        let outer_tag = self.scratch.blocks.get(outer_container as usize).map(|block| block.tag);
        // An item directly in an item would end it.
        let would_end = match tag {
            Tag::LI => outer_tag == Some(Tag::LI),
            Tag::DT | Tag::DD => matches!(outer_tag, Some(Tag::DT | Tag::DD)),
            _ => false,
        };
        let (tag, role) = if would_end { (Tag::DIV, Role::Leaf) } else { (tag, role) };
        let attributes = &mut self.scratch.attributes;
        let numbering = match tag {
            Tag::OL => Numbering::from_list(self.page, node, attributes),
            _ => None,
        };
        let mut item_number = None;
        if tag == Tag::LI
            && let Some(list) = self.scratch.blocks.get_mut(outer_container as usize)
            && let Some(numbering) = &mut list.numbering
        {
            item_number = numbering.take(self.page, node, attributes);
        }
        let container = if role == Role::Container { index } else { outer_container };
        let (is_open, has_content) = (false, false);
        self.scratch.blocks.push(Block {
            node,
            tag,
            role,
            is_open,
            has_content,
            container,
            numbering,
            item_number,
        });
    }

    /// Ends a block, if it was pushed.
    pub(super) fn pop_block(&mut self, node: u32) {
        let Some(block) = self.scratch.blocks.pop_if(|block| block.node == node) else { return };
        self.has_crossed_boundary = true;
        if block.is_open {
            self.close_leaf();
            self.sink.close_block(element(&block));
        } else if block.role == Role::Leaf {
            self.close_leaf();
        }
        self.considered_blocks = self.considered_blocks.min(self.scratch.blocks.len());
    }

    /// Begins an inline element; false if it is inside one with the same tag, or too many are open.
    pub(super) fn push_inline(&mut self, node: u32, tag: Tag) -> bool {
        let inlines = &mut self.scratch.inlines;
        let is_new = inlines.len() < MAX_INLINES && inlines.iter().all(|other| other.tag != tag);
        if is_new {
            inlines.push(Inline { node, tag, open_count: 0 });
        }
        is_new
    }

    /// Ends the inline elements that were pushed for this node.
    pub(super) fn pop_inline(&mut self, node: u32) {
        while let Some(inline) = self.scratch.inlines.pop_if(|inline| inline.node == node) {
            if self.open_inlines > self.scratch.inlines.len() {
                self.open_inlines -= 1;
                self.close_one(inline);
            }
        }
    }

    /// Opens the inline elements that are not open.
    pub(super) fn open_inlines(&mut self) {
        while let Some(inline) = self.scratch.inlines.get_mut(self.open_inlines) {
            self.open_inlines += 1;
            inline.open_count += 1;
            let Inline { node, tag, open_count } = *inline;
            if open_count <= MAX_LEAVES {
                self.sink.open_inline(Element::new(node, tag));
            }
        }
    }

    /// Closes all inline elements; the next words open them again.
    pub(super) fn close_inlines(&mut self) {
        while let Some(last) = self.open_inlines.checked_sub(1) {
            self.open_inlines = last;
            let inline = self.scratch.inlines[last];
            self.close_one(inline);
        }
    }

    fn close_one(&mut self, Inline { node, tag, open_count }: Inline) {
        if open_count <= MAX_LEAVES {
            self.sink.close_inline(Element::new(node, tag));
        }
    }

    /// Closes the open leaf.
    pub(super) fn close_leaf(&mut self) {
        self.close_inlines();
        if std::mem::take(&mut self.is_leaf_open) {
            let leaf = self.scratch.leaf;
            self.sink.close_block(leaf);
        }
    }

    fn open_leaf(&mut self, leaf: Element) {
        self.scratch.leaf = leaf;
        self.is_leaf_open = true;
        self.sink.open_block(leaf);
    }

    /// Opens the blocks that hold the next output, and closes the others.
    pub(super) fn open_pending_blocks(&mut self) {
        self.has_crossed_boundary = false;
        self.last_chars = ['\n'; 3];
        self.has_rule &= self.table.is_none();
        self.close_leaf();
        self.leave_table_for_stray_text();
        for index in self.considered_blocks..self.scratch.blocks.len() {
            let block = self.scratch.blocks[index];
            let is_table = self.table.as_ref().is_some_and(|table| table.block <= index);
            if block.role == Role::Leaf || block.is_open || is_table && !self.wants_table() {
                continue;
            }
            self.write_rule();
            self.open_container(index);
        }
        self.considered_blocks = self.scratch.blocks.len();
        self.write_rule();
        if self.is_in_row() {
            self.open_row();
            return;
        }
        let Some(block) = self.scratch.blocks.last().copied() else {
            self.open_leaf(Element::default());
            return;
        };
        let has_content = self
            .scratch
            .blocks
            .get_mut(block.container as usize)
            .is_some_and(|container| std::mem::replace(&mut container.has_content, true));
        if block.role == Role::Leaf {
            self.open_leaf(element(&block));
        } else if has_content || !block.is_open {
            self.open_leaf(Element::default());
        }
    }

    /// Writes the start of a container, and marks the container around it as non-empty.
    fn open_container(&mut self, index: usize) {
        if let Some(outer_block) = index.checked_sub(1) {
            let outer_container = self.scratch.blocks[outer_block].container;
            if let Some(outer_container) = self.scratch.blocks.get_mut(outer_container as usize) {
                outer_container.has_content = true;
            }
        }
        let block = &mut self.scratch.blocks[index];
        block.is_open = true;
        let block = element(block);
        self.sink.open_block(block);
    }

    fn write_rule(&mut self) {
        if std::mem::take(&mut self.has_rule) {
            self.sink.rule();
        }
    }

    pub(super) fn is_in_row(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.row.is_some())
    }

    /// Returns whether the next output may be in the table of data: rows, and a caption before
    /// them.
    fn wants_table(&self) -> bool {
        let Some(table) = &self.table else { return false };
        let is_caption = self.scratch.blocks.get(table.block + 1..).is_some_and(|inside| {
            inside.first().is_some_and(|block| block.tag == Tag::CAPTION)
                && inside[1..].iter().all(|block| block.role == Role::Leaf)
        });
        table.row.is_some() || is_caption && !table.has_rows
    }

    /// Ends the table at text outside its cells. Rows after that text make another table.
    fn leave_table_for_stray_text(&mut self) {
        let wants_table = self.wants_table();
        let Some(Table { block, has_rows, .. }) = &mut self.table else { return };
        let index = *block;
        let block = &mut self.scratch.blocks[index];
        if block.is_open && !wants_table {
            block.is_open = false;
            *has_rows = false;
            let block = element(block);
            self.sink.close_block(block);
        }
        if !self.scratch.blocks[index].is_open && wants_table {
            self.considered_blocks = self.considered_blocks.min(index);
        }
    }

    pub(super) fn begin_row(&mut self, node: u32) {
        let Some(table) = &mut self.table else { return };
        if table.is_row_open {
            self.end_row();
        }
        self.scratch.cells.clear();
        if let Some(table) = &mut self.table {
            table.row = Some(node);
        }
        self.has_crossed_boundary = true;
    }

    pub(super) fn end_row(&mut self) {
        let Some(Table { row: Some(row), .. }) = self.table else { return };
        self.end_cell();
        self.has_crossed_boundary = true;
        let Some(table) = &mut self.table else { return };
        table.row = None;
        // Cells of rows before it may reach into a row without text.
        let is_empty = S::KEEPS_SPANS && table.has_rows && !table.is_row_open;
        if is_empty && self.scratch.blocks[table.block].is_open {
            self.close_leaf();
            self.sink.open_block(Element::new(row, Tag::TR));
            self.sink.close_block(Element::new(row, Tag::TR));
        } else if let Some(table) = &mut self.table
            && std::mem::take(&mut table.is_row_open)
        {
            self.sink.close_block(Element::new(row, Tag::TR));
        }
    }

    /// Begins a cell. Cells of a row without content wait.
    pub(super) fn begin_cell(&mut self, node: u32) {
        let Some(table) = &self.table else {
            self.require_separator(super::Separator::Space);
            return;
        };
        if self.pending < super::Separator::Break {
            self.pending = super::Separator::None;
        }
        let is_row_open = table.is_row_open;
        // Text in the row before its first cell belongs to that cell.
        if is_row_open && self.scratch.cells.is_empty() {
            self.scratch.cells.push(Element::NO_NODE);
            return;
        }
        self.end_cell();
        self.scratch.cells.push(node);
        if is_row_open {
            self.open_cell(node);
        } else {
            self.has_crossed_boundary = true;
        }
    }

    fn open_row(&mut self) {
        let Some(table) = &mut self.table else { return };
        let Some(row) = table.row else { return };
        if std::mem::replace(&mut table.is_row_open, true) {
            return;
        }
        table.has_rows = true;
        self.close_leaf();
        self.sink.open_block(Element::new(row, Tag::TR));
        for index in 0..self.scratch.cells.len() {
            self.end_cell();
            let node = self.scratch.cells[index];
            self.open_cell(node);
        }
        if self.scratch.cells.is_empty() {
            self.open_cell(Element::NO_NODE);
        }
    }

    fn open_cell(&mut self, node: u32) {
        let tag = self.page.nodes().get(node as usize).map_or(Tag::TD, |node| node.tag);
        self.scratch.leaf = Element::new(node, tag);
        self.sink.open_block(self.scratch.leaf);
        if let Some(table) = &mut self.table {
            table.is_cell_open = true;
        }
    }

    fn end_cell(&mut self) {
        let Some(table) = &mut self.table else { return };
        if std::mem::take(&mut table.is_cell_open) {
            self.close_inlines();
            let cell = self.scratch.leaf;
            self.sink.close_block(cell);
        }
    }
}

fn element(block: &Block) -> Element {
    let Block { node, tag, item_number, .. } = *block;
    Element { node, tag, number: item_number }
}
