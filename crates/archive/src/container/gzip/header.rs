//! Parses the header of a gzip member.

use memchr::memchr;

/// The beginning of every member: the magic number, and the only compression method that exists.
pub(crate) const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Length from which a name or comment in the header of a member is refused, in bytes.
pub(crate) const NAME_BYTES: usize = 4 << 20;

/// The result of parsing bytes at the expected start of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberHeader {
    /// A whole header of this length in bytes, with at least one byte after it.
    Whole(usize),
    /// The beginning of a header; the bytes end before it does.
    Cut,
    /// The bytes are not a header.
    Bad,
}

/// Parses the header of a member. A magic number other than [`MAGIC`], a reserved flag, or a name
/// or comment of `name_bytes` or more makes it [`MemberHeader::Bad`].
pub(crate) fn member_header(bytes: &[u8], name_bytes: usize) -> MemberHeader {
    const RESERVED: u8 = 0xe0;
    let magic = bytes.len().min(MAGIC.len());
    if bytes[..magic] != MAGIC[..magic] || bytes.get(3).is_some_and(|flags| flags & RESERVED != 0) {
        return MemberHeader::Bad;
    }
    header_fields(bytes, name_bytes)
}

/// As [`member_header`], but ignores the magic number and the reserved flags. HTTP bodies use it,
/// since their decoder uses all readable bytes.
pub(crate) fn header_fields(bytes: &[u8], name_bytes: usize) -> MemberHeader {
    const CHECKSUM: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let Some(&flags) = bytes.get(3) else { return MemberHeader::Cut };
    let mut at = 10;
    if flags & EXTRA != 0 {
        let Some(size) = bytes.get(at..at + 2) else { return MemberHeader::Cut };
        at += 2 + usize::from(u16::from_le_bytes([size[0], size[1]]));
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let Some(rest) = bytes.get(at..) else { return MemberHeader::Cut };
            match memchr(0, &rest[..rest.len().min(name_bytes)]) {
                Some(end) => at += end + 1,
                None if rest.len() < name_bytes => return MemberHeader::Cut,
                None => return MemberHeader::Bad,
            }
        }
    }
    if flags & CHECKSUM != 0 {
        at += 2;
    }
    if at < bytes.len() { MemberHeader::Whole(at) } else { MemberHeader::Cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_bounded() {
        assert_eq!(member_header(&[0x1f, 0x8b, 7, 0], 9), MemberHeader::Bad);
        assert_eq!(member_header(&[0x1f, 0x8b, 8, 0x80], 9), MemberHeader::Bad);
        assert_eq!(member_header(&[0x1f], 9), MemberHeader::Cut);
        let mut long = vec![0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3];
        long.extend([b'n'; 10]);
        assert_eq!(member_header(&long, 10), MemberHeader::Bad);
        assert_eq!(member_header(&long, 11), MemberHeader::Cut);
        long.extend([0, 1]);
        assert_eq!(member_header(&long, 11), MemberHeader::Whole(21));
    }

    #[test]
    fn only_containers_refuse_reserved_flags() {
        let odd = [0x1f, 0x8b, 8, 0x80, 0, 0, 0, 0, 0, 3, 1];
        assert_eq!(member_header(&odd, 9), MemberHeader::Bad);
        assert_eq!(header_fields(&odd, 9), MemberHeader::Whole(10));
    }
}
