//! A file of groups, made of pieces.

use super::footer::push_footer;
use super::group::{Group, GroupFacts};
use super::words::MAGIC;
use crate::compress::Compressor;
use crate::format::Assembler;
use crate::layout::Layout;
use std::io::{self, Write};

/// A file being written. It holds one group, and what the end says of the others.
pub(super) struct File {
    layout: Layout,
    group_bytes: usize,
    group: Group,
    groups: Vec<GroupFacts>,
    /// Length of the file.
    offset: u64,
}

impl File {
    pub(super) fn new(layout: &Layout, group_bytes: usize) -> File {
        File {
            layout: layout.clone(),
            group_bytes,
            group: Group::new(layout),
            groups: Vec::new(),
            offset: 0,
        }
    }

    fn end_group(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        if self.group.rows() > 0 {
            self.groups.push(self.group.write(compressor, &mut self.offset, out)?);
        }
        Ok(())
    }
}

impl Assembler for File {
    fn begin(&mut self, _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        self.offset = MAGIC.len() as u64;
        out.write_all(MAGIC)
    }

    /// Not called: the format cannot continue a file.
    fn resume(&mut self, length: u64, _: &[u8]) {
        self.offset = length;
    }

    fn piece(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.group.add(piece, compressor);
        if self.group.plain_bytes() >= self.group_bytes {
            self.end_group(compressor, out)?;
        }
        Ok(())
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    fn end(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        self.end_group(compressor, out)?;
        let mut footer = Vec::new();
        push_footer(self.group.columns(), &self.groups, &self.layout, self.offset, &mut footer);
        out.write_all(&footer)
    }
}
