//! Keeps a copy of the record of a page, for outputs that hold records.

use huller_archive::{Container, Record, WarcHeader};
use huller_row::{Compression, Format, Layout, PageRecord, layouts};

/// Keeps the block of one record after another, because decoding a page changes its bytes.
///
/// ```
/// use huller_archive::WarcHeader;
/// use huller_corpus::RecordBuffer;
/// use huller_row::{Layout, formats};
///
/// let mut buffer = RecordBuffer::new(formats::find("warc").unwrap(), &Layout::default());
/// let header = WarcHeader::parse(b"WARC/1.0\r\nContent-Length: 1\r\n\r\n").unwrap();
/// let record = buffer.keep_part(&header, b"x").expect("the format has records");
/// assert_eq!((record.block, record.is_complete), (b"x".as_slice(), false));
/// ```
#[derive(Default)]
pub struct RecordBuffer {
    /// The compression of the output. `None` if the output holds no records.
    output_compression: Option<Compression>,
    /// The kept block.
    block: Vec<u8>,
    /// Bytes of the last record.
    bytes: usize,
}

/// Largest capacity in bytes that is reused for the next record.
const MAX_KEPT_BYTES: usize = 1 << 20;

impl RecordBuffer {
    /// Returns a buffer for files of this format. If several formats are written at once, the one
    /// that holds records decides.
    pub fn new(format: &'static dyn Format, layout: &Layout) -> RecordBuffer {
        let single = [format];
        let formats = if format.formats().is_empty() { &single } else { format.formats() };
        let mut outputs = formats.iter().zip(layouts(formats, layout));
        let output = outputs.find(|(format, _)| format.has_records());
        let output_compression = output.map(|(_, layout)| layout.compression);
        RecordBuffer { output_compression, ..RecordBuffer::default() }
    }

    /// Returns the number of bytes that the last record adds to the output.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Keeps a record whose block is unchanged since it was read. Returns `None` if the output
    /// holds no records.
    pub fn keep<'a>(
        &'a mut self,
        header: &WarcHeader<'a>,
        record: &Record<'a>,
    ) -> Option<PageRecord<'a>> {
        let output = self.output_compression?;
        let is_complete = header.is_standard(record.block.len());
        let has_output_compression = |container| match output {
            Compression::Gzip { .. } => container == Container::Gzip,
            Compression::Zstd { .. } => container == Container::Zstd,
            Compression::None => false,
        };
        let member =
            record.member.filter(|member| is_complete && has_output_compression(member.container));
        let member = member.map(|member| member.bytes);
        self.begin_record(member.map_or(record.block.len(), <[u8]>::len))?;
        if member.is_none() {
            self.block.extend_from_slice(record.block);
        }
        let (header, block) = (header.as_bytes(), &*self.block);
        Some(PageRecord { header, block, is_complete, member, content_type: "" })
    }

    /// Keeps the readable part of a record.
    pub fn keep_part<'a>(
        &'a mut self,
        header: &WarcHeader<'a>,
        block: &[u8],
    ) -> Option<PageRecord<'a>> {
        self.begin_record(block.len())?;
        self.block.extend_from_slice(block);
        let (header, block) = (header.as_bytes(), &*self.block);
        Some(PageRecord { header, block, is_complete: false, member: None, content_type: "" })
    }

    /// Keeps a page that is a file or a line of JSON. `content_type` describes its bytes.
    pub fn keep_page<'a>(
        &mut self,
        bytes: &'a [u8],
        content_type: &'static str,
    ) -> Option<PageRecord<'a>> {
        self.begin_record(bytes.len())?;
        let (header, block) = (&b""[..], bytes);
        Some(PageRecord { header, block, is_complete: false, member: None, content_type })
    }

    /// Empties the buffer for a record of `bytes` bytes. Returns `None` if the output holds no
    /// records.
    fn begin_record(&mut self, bytes: usize) -> Option<()> {
        self.output_compression?;
        self.bytes = bytes;
        if self.block.len() > MAX_KEPT_BYTES {
            self.block = Vec::new();
        }
        self.block.clear();
        Some(())
    }
}
