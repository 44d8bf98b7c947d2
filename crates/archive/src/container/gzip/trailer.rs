//! The checksum and size at the end of a gzip member.

use libdeflate_sys as sys;

/// Length of the trailer in bytes.
pub(crate) const TRAILER_BYTES: usize = 8;

/// The last eight bytes of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trailer {
    /// CRC-32 of the data.
    pub(crate) crc: u32,
    /// Size of the data in bytes, modulo 2^32.
    pub(crate) size: u32,
}

impl Trailer {
    /// Computes the trailer of these data.
    pub(crate) fn compute(data: &[u8]) -> Self {
        let mut trailer = Trailer::default();
        trailer.update(data);
        trailer
    }

    /// Adds the next data.
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

/// Returns the CRC-32 of all bytes up to the end of `bytes`. `crc` is the CRC-32 of the bytes
/// before them; it is 0 at the beginning.
fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    // SAFETY: the call reads `bytes.len()` bytes from `bytes.as_ptr()` and keeps no pointer. Both
    // come from one slice, borrowed for the whole call. The library treats only null differently,
    // and the pointer of a slice is never null.
    unsafe { sys::libdeflate_crc32(crc, bytes.as_ptr().cast(), bytes.len()) }
}
