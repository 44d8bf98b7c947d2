//! gzip members (RFC 1952), whole ones, at the speed of libdeflate; and finding where members begin.
//!
//! libdeflate inflates a whole buffer at once and is about half as fast again as any streaming inflater. What it doesn't
//! do is find out how long a member is before inflating it, or give back what it has when the output is too small.
//! So the output buffer starts large and stays. Where it is too small it doubles, or becomes at once as large as the last bytes of
//! the input say that their member is: a giant member comes alone, or last.

use crate::finder::{Finder, Opening};
use flate2::{Decompress, FlushDecompress};
use libdeflate_sys as sys;
use memchr::{memchr, memmem};
use std::ptr::NonNull;

/// How much of the input is looked at to judge whether a member that matters begins there.
pub(crate) const TRIAL_BYTES: usize = 16 << 10;

/// What every member begins with: magic number and the one compression method there is.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Length of the checksum and size that end a member.
pub(crate) const TRAILER_BYTES: usize = 8;

/// Longest name or comment in the header of a member.
pub(crate) const NAME_BYTES: usize = 4 << 20;

/// Longest name or comment when looking for members: each candidate may cost so much, and there may be one every few
/// bytes.
const TRIAL_NAME_BYTES: usize = 1 << 10;

/// Size of the output buffer at first: most records fit.
const OUTPUT_BYTES: usize = 1 << 20;

/// Above this the output buffer is given back after an unusually large member.
const OUTPUT_KEPT_BYTES: usize = 2 << 20;

/// The header of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberHeader {
    /// It is this long.
    Whole(usize),
    /// It goes on beyond the bytes there are.
    Cut,
    /// It is none.
    Bad,
}

/// Reads the header of a member. Names longer than `name_bytes` are not believed.
pub(crate) fn member_header(bytes: &[u8], name_bytes: usize) -> MemberHeader {
    const RESERVED: u8 = 0xe0;
    const CHECKSUM: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let magic = bytes.len().min(MAGIC.len());
    if bytes[..magic] != MAGIC[..magic] || bytes.get(3).is_some_and(|flags| flags & RESERVED != 0) {
        return MemberHeader::Bad;
    }
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

/// CRC-32 of `bytes`, continued from that of the bytes before them (0 for none).
pub(crate) fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    // SAFETY: pointer and length are those of one live slice, which the call only reads.
    unsafe { sys::libdeflate_crc32(crc, bytes.as_ptr().cast(), bytes.len()) }
}

/// What came of inflating a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inflated {
    /// All is well; the member is this long in the input.
    Whole(usize),
    /// It inflated, but its checksum or size is wrong.
    BadChecksum,
    /// It doesn't inflate, or goes on beyond the input: the two can't be told apart here.
    Broken,
    /// It inflates to more than was allowed.
    OverCap,
}

/// Inflates whole members into a buffer that it keeps.
pub(crate) struct Inflater {
    decompressor: NonNull<sys::libdeflate_decompressor>,
    /// Always initialised to its full length, so that no member pays for zeroing it.
    output: Vec<u8>,
    filled: usize,
    /// The most that was filled since the buffer was last looked at.
    needed: usize,
}

// SAFETY: a libdeflate decompressor is plain memory owned by whoever holds the pointer; it has no thread affinity.
unsafe impl Send for Inflater {}

impl Inflater {
    pub(crate) fn new() -> Self {
        // SAFETY: the call has no preconditions; null means that memory ran out.
        let decompressor = unsafe { sys::libdeflate_alloc_decompressor() };
        let Some(decompressor) = NonNull::new(decompressor) else {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 16 << 10]>())
        };
        Inflater { decompressor, output: Vec::new(), filled: 0, needed: 0 }
    }

    /// The data of the last member that was [`Inflated::Whole`] or [`Inflated::BadChecksum`].
    pub(crate) fn output(&mut self) -> &mut [u8] {
        &mut self.output[..self.filled]
    }

    /// Gives back memory that only an unusually large member needed: that no member has needed since this was last asked, since
    /// giants often come one after another.
    pub(crate) fn trim(&mut self) {
        let needed = std::mem::take(&mut self.needed);
        if self.output.len() > OUTPUT_KEPT_BYTES.max(2 * needed) {
            self.output = Vec::new();
            self.filled = 0;
        }
    }

    /// Inflates the member that `input` begins with, to no more than `cap` bytes.
    pub(crate) fn member(&mut self, input: &[u8], cap: usize) -> Inflated {
        let MemberHeader::Whole(header) = member_header(input, NAME_BYTES) else {
            return Inflated::Broken;
        };
        let body = &input[header..];
        if self.output.is_empty() {
            self.output = vec![0; OUTPUT_BYTES.min(cap)];
        }
        if input.len() > self.output.len() && self.output.len() < cap {
            self.enlarge(input, cap);
        }
        let used = loop {
            match self.deflate(body) {
                Ok(used) => break used,
                Err(sys::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE) => {
                    if self.output.len() >= cap {
                        return Inflated::OverCap;
                    }
                    self.enlarge(input, cap);
                }
                Err(_) => return Inflated::Broken,
            }
        };
        let Some(trailer) = body[used..].first_chunk::<TRAILER_BYTES>() else {
            return Inflated::Broken;
        };
        if Trailer::of(&self.output[..self.filled]) == Trailer::read(*trailer) {
            Inflated::Whole(header + used + TRAILER_BYTES)
        } else {
            Inflated::BadChecksum
        }
    }

    /// Makes the output twice as large, or as large as the last member of `input` says it is; never larger than `cap`.
    fn enlarge(&mut self, input: &[u8], cap: usize) {
        // Deflate makes no more of a byte.
        const MOST_OF_A_BYTE: usize = 1032;
        let said = input.last_chunk().map_or(0, |size| u32::from_le_bytes(*size) as usize);
        let possible = input.len().saturating_mul(MOST_OF_A_BYTE);
        let larger = self.output.len().saturating_mul(2).max(said.min(possible)).min(cap);
        // A fresh buffer comes as untouched pages; growing the old one would copy it.
        self.output = Vec::new();
        self.output = vec![0; larger];
    }

    /// Inflates a deflate stream into the output as it is; gives the number of bytes it took from the input.
    fn deflate(&mut self, body: &[u8]) -> Result<usize, sys::libdeflate_result> {
        let (mut used, mut filled) = (0_usize, 0_usize);
        // SAFETY: the decompressor is live and `&mut self` makes this its only use. The pointers and lengths are those of
        // two live slices, one read, one written, which can't overlap since the output is borrowed exclusively. The two
        // results point to live locals.
        let result = unsafe {
            sys::libdeflate_deflate_decompress_ex(
                self.decompressor.as_ptr(),
                body.as_ptr().cast(),
                body.len(),
                self.output.as_mut_ptr().cast(),
                self.output.len(),
                &raw mut used,
                &raw mut filled,
            )
        };
        if result == sys::libdeflate_result_LIBDEFLATE_SUCCESS {
            self.filled = filled;
            self.needed = self.needed.max(filled);
            Ok(used)
        } else {
            self.filled = 0;
            Err(result)
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: the pointer came from libdeflate's allocator, is freed once, and not used after.
        unsafe { sys::libdeflate_free_decompressor(self.decompressor.as_ptr()) }
    }
}

/// The last eight bytes of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trailer {
    pub(crate) crc: u32,
    /// Size of the data modulo 2^32.
    pub(crate) size: u32,
}

impl Trailer {
    fn of(data: &[u8]) -> Self {
        Trailer { crc: crc32(0, data), size: data.len() as u32 }
    }

    /// Goes on with the data that follow.
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

/// Finds members by their magic number and by inflating their first bytes.
pub(crate) struct MemberFinder {
    magic: memmem::Finder<'static>,
    magic_back: memmem::FinderRev<'static>,
    inflate: Decompress,
    opening: Opening,
}

impl MemberFinder {
    pub(crate) fn new(opening: Opening) -> Self {
        const PATTERN: &[u8] = &MAGIC;
        MemberFinder {
            magic: memmem::Finder::new(PATTERN),
            magic_back: memmem::FinderRev::new(PATTERN),
            inflate: Decompress::new(false),
            opening,
        }
    }

    /// The last member that begins behind the start of `bytes` and not behind `to`. `None` if there is none, or none that
    /// can be told for sure from what `bytes` holds, of which more may follow unless they are `whole`.
    pub(crate) fn find_last(&mut self, bytes: &[u8], to: usize, whole: bool) -> Option<usize> {
        let settled = if whole { bytes.len() } else { bytes.len().saturating_sub(TRIAL_BYTES) };
        let mut end = bytes.len().min(to.min(settled).saturating_add(MAGIC.len()));
        while let Some(at) = self.magic_back.rfind(&bytes[..end]).filter(|at| *at > 0) {
            if self.begins_here(&bytes[at..bytes.len().min(at + TRIAL_BYTES)]) {
                return Some(at);
            }
            end = at + MAGIC.len() - 1;
        }
        None
    }
}

impl Finder for MemberFinder {
    const NAME: &'static str = "gzip member";
    const TRIAL_BYTES: usize = TRIAL_BYTES;

    fn magic(&self) -> &memmem::Finder<'static> {
        &self.magic
    }

    fn begins_here(&mut self, bytes: &[u8]) -> bool {
        let MemberHeader::Whole(header) = member_header(bytes, TRIAL_NAME_BYTES) else {
            return false;
        };
        let mut data = [0; Opening::BYTES];
        self.inflate.reset(false);
        // An error may come after the first bytes; they were right nonetheless.
        let _ = self.inflate.decompress(&bytes[header..], &mut data, FlushDecompress::None);
        let filled = (self.inflate.total_out() as usize).min(data.len());
        self.opening.fits(&data[..filled])
    }
}

#[cfg(test)]
#[path = "gzip_tests.rs"]
mod tests;
