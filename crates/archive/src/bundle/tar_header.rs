//! Parses the header block of a file in a tar archive (v7, ustar and GNU), and extended headers of
//! pax.

use crate::wacz::directory::is_named_archive;

/// Size of a block in bytes. Headers and the bytes of files begin at multiples of it.
pub(crate) const BLOCK: usize = 512;

/// Offset of the word `ustar` in a header, in bytes.
pub(super) const MAGIC_OFFSET: usize = 257;
pub(super) const MAGIC: &[u8] = b"ustar";

/// The name that writers give to a header of a long name.
const LONG_NAME: &[u8] = b"././@LongLink";

/// The fields of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The path as it is in the block.
    pub(super) name: Vec<u8>,
    /// Number of bytes of the file after the block.
    pub(super) size: u64,
    /// The type flag.
    pub(super) type_flag: u8,
    /// Whether blocks with a map of a sparse file follow.
    pub(super) has_sparse_map: bool,
}

/// The contribution of the checksum field to the sum, as if it were blank.
const BLANKS: u64 = 8 * b' ' as u64;

impl Header {
    /// Parses the header with which `bytes` begin. `None` if its checksum is wrong, or a number in
    /// it cannot be read.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Header> {
        let block: &[u8; BLOCK] = bytes.first_chunk()?;
        // Most blocks that are not headers fail here.
        let sum = octal(&block[148..156])?;
        let rest = block[..148].iter().chain(&block[156..]);
        let unsigned: u64 = rest.clone().map(|byte| u64::from(*byte)).sum();
        let signed: i64 = rest.map(|byte| i64::from(byte.cast_signed())).sum();
        if sum != unsigned + BLANKS && i64::try_from(sum) != Ok(signed + BLANKS.cast_signed()) {
            return None;
        }
        let flag = block[156];
        let mut name = until_nul(&block[..100]).to_vec();
        if block[MAGIC_OFFSET..].starts_with(b"ustar\0") && block[345] != 0 {
            name = [until_nul(&block[345..500]), b"/", &name].concat();
        }
        // Old archives have no flag for folders.
        let is_folder = flag == b'5' || matches!(flag, 0 | b'0') && name.ends_with(b"/");
        let is_sparse = flag == b'S';
        let size = number(&block[124..136])?;
        let size = if is_folder || matches!(flag, b'1'..=b'6') { 0 } else { size };
        let flag = if is_folder { b'5' } else { flag };
        Some(Header { name, size, type_flag: flag, has_sparse_map: is_sparse && block[482] != 0 })
    }

    /// Returns whether it is a file with its own bytes.
    pub(super) fn is_file(&self) -> bool {
        matches!(self.type_flag, 0 | b'0' | b'7')
    }

    /// Returns whether `bytes` are the long name that a header of type `L` or `K` has. A header
    /// with another name than writers give it must be followed by a path in one line.
    pub(super) fn is_long_name(&self, bytes: &[u8]) -> bool {
        let is_path = |byte: &u8| !byte.is_ascii_control() && *byte != b'<';
        self.name == LONG_NAME || !bytes.is_empty() && until_nul(bytes).iter().all(is_path)
    }
}

/// Returns whether `bytes` start a tar archive whose first file is not a web archive. Tar archives
/// of web archives are searched for their records instead.
pub(crate) fn is_tar_of_plain_files(bytes: &[u8]) -> bool {
    let mut at = 0;
    let mut is_tar = false;
    while let Some(header) = bytes.get(at..).and_then(Header::parse) {
        is_tar = true;
        if header.is_file() {
            return !is_named_archive(&header.name);
        }
        let next = usize::try_from(padded_size(header.size)).ok();
        match next.and_then(|size| (at + BLOCK).checked_add(size)) {
            Some(next) => at = next,
            None => break,
        }
    }
    is_tar
}

/// Returns the size in bytes with the padding of its last block.
pub(super) fn padded_size(size: u64) -> u64 {
    size.checked_next_multiple_of(BLOCK as u64).unwrap_or(u64::MAX)
}

/// Returns the first header in `bytes`: at a multiple of a block from their start, or around the
/// word `ustar`, since bytes may be missing.
pub(super) fn find_header(bytes: &[u8]) -> Option<usize> {
    let is_header = |at: &usize| bytes.get(*at..).is_some_and(|it| Header::parse(it).is_some());
    let aligned = (0..bytes.len()).step_by(BLOCK).find(is_header);
    let words = memchr::memmem::find_iter(&bytes[..aligned.unwrap_or(bytes.len())], MAGIC);
    let named = words.filter_map(|at| at.checked_sub(MAGIC_OFFSET)).find(is_header);
    named.into_iter().chain(aligned).min()
}

/// The attributes that extended headers state for the next file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ExtendedAttributes {
    pub(super) path: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) is_sparse: bool,
}

impl ExtendedAttributes {
    /// Reads the records of a pax header, each `LENGTH KEY=VALUE` and a line end. `None` if one is
    /// damaged.
    pub(super) fn add_pax(&mut self, mut bytes: &[u8]) -> Option<()> {
        while !bytes.is_empty() {
            let blank = bytes.iter().take(20).position(|byte| *byte == b' ')?;
            let len: usize = std::str::from_utf8(&bytes[..blank]).ok()?.parse().ok()?;
            let record = bytes.get(blank + 1..len)?.strip_suffix(b"\n")?;
            let equals = record.iter().position(|byte| *byte == b'=')?;
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            match key {
                b"path" => self.path = Some(value.to_vec()),
                b"size" => self.size = Some(std::str::from_utf8(value).ok()?.parse().ok()?),
                _ => self.is_sparse |= key.starts_with(b"GNU.sparse."),
            }
            bytes = &bytes[len..];
        }
        Some(())
    }
}

/// Returns the bytes before the first zero.
pub(super) fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or(bytes)
}

/// Reads a number in octal digits or, if its first bit is set, in bytes.
fn number(field: &[u8]) -> Option<u64> {
    let (first, rest) = field.split_first()?;
    if first & 0x80 == 0 {
        return if until_nul(field).trim_ascii().is_empty() { Some(0) } else { octal(field) };
    }
    // The second bit is the sign.
    let mut value = u64::from(first & 0x7f);
    for byte in rest {
        value = value.checked_mul(256)?.checked_add(u64::from(*byte))?;
    }
    (i64::try_from(value).is_ok() && first & 0x40 == 0).then_some(value)
}

/// Reads a number in octal digits, with blanks around it.
fn octal(field: &[u8]) -> Option<u64> {
    let digits = until_nul(field).trim_ascii();
    if digits.is_empty() || digits.len() > 20 {
        return None;
    }
    digits.iter().try_fold(0_u64, |value, digit| match digit {
        b'0'..=b'7' => Some(value * 8 + u64::from(digit - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_octal_or_binary() {
        assert_eq!(number(b"00000000017\0"), Some(15));
        assert_eq!(number(b"      17 \0\0\0"), Some(15));
        assert_eq!(number(b"\0\0\0\0\0\0\0\0\0\0\0\0"), Some(0));
        assert_eq!(number(b"\x80\0\0\0\0\0\0\x02\0\0\0\0"), Some(2 << 32));
        assert_eq!(number(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), None);
        assert_eq!(number(b"0000000008\0\0"), None);
        assert_eq!(octal(b"\0\0\0\0\0\0\0\0"), None);
    }

    #[test]
    fn pages_are_no_long_names() {
        let named = |name: &[u8]| Header {
            name: name.to_vec(),
            size: 0,
            type_flag: b'K',
            has_sparse_map: false,
        };
        assert!(named(LONG_NAME).is_long_name(b"a\nb<c>\0"));
        assert!(named(b"odd-writer").is_long_name("pages/\u{e9}.html\0".as_bytes()));
        assert!(!named(b"page.html").is_long_name(b"<p>A page.</p>"));
        assert!(!named(b"page.txt").is_long_name(b"two\nlines"));
        assert!(!named(b"page.html").is_long_name(b""));
    }

    #[test]
    fn records_of_pax_say_path_and_size() {
        let mut extended = ExtendedAttributes::default();
        let records = "30 mtime=1700000000.123456789\n15 path=a\u{e9}=b\n\n14 size=12345\n";
        assert_eq!(extended.add_pax(records.as_bytes()), Some(()));
        assert_eq!(extended.path.as_deref(), Some("a\u{e9}=b\n".as_bytes()));
        assert_eq!((extended.size, extended.is_sparse), (Some(12345), false));
        assert_eq!(extended.add_pax(b"22 GNU.sparse.major=1\n"), Some(()));
        assert!(extended.is_sparse);
        for bad in ["8 path=x\n", "99 path=x\n", "x", "0 path=x\n", "3 \n", "12 size=-12\n"] {
            assert_eq!(ExtendedAttributes::default().add_pax(bad.as_bytes()), None, "{bad}");
        }
    }
}
