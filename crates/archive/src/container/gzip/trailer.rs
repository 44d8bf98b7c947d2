//! The checksum and size that end a gzip member.

use libdeflate_sys as sys;

/// Length of the trailer.
pub(crate) const TRAILER_BYTES: usize = 8;

/// The last eight bytes of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trailer {
    /// CRC-32 of the data.
    pub(crate) crc: u32,
    /// Size of the data modulo 2^32.
    pub(crate) size: u32,
}

impl Trailer {
    /// The trailer that belongs to these data.
    pub(crate) fn of(data: &[u8]) -> Self {
        let mut trailer = Trailer::default();
        trailer.update(data);
        trailer
    }

    /// Takes in the data that follow.
    pub(crate) fn update(&mut self, data: &[u8]) {
        self.crc = crc32(self.crc, data);
        self.size = self.size.wrapping_add(data.len() as u32);
    }

    pub(crate) fn read(bytes: [u8; TRAILER_BYTES]) -> Self {
        let [c0, c1, c2, c3, s0, s1, s2, s3] = bytes;
        Trailer {
            crc: u32::from_le_bytes([c0, c1, c2, c3]),
            size: u32::from_le_bytes([s0, s1, s2, s3]),
        }
    }
}

/// CRC-32 of all bytes up to the end of `bytes`. `crc` is the CRC-32 of the bytes before them; it
/// is 0 at the beginning.
fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    // SAFETY: the call reads `bytes.len()` bytes from `bytes.as_ptr()` and keeps no pointer; both
    // come from one slice that is borrowed for the whole call. The one pointer that libdeflate
    // treats otherwise, null, a slice never has.
    unsafe { sys::libdeflate_crc32(crc, bytes.as_ptr().cast(), bytes.len()) }
}
