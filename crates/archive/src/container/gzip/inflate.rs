//! Inflates whole gzip members with libdeflate.
//!
//! libdeflate inflates a whole buffer in one call, half as fast again as the streaming inflaters.
//! In return it only learns the length of a member by inflating it, and returns no data if the
//! output buffer is too small. The output buffer therefore starts large and is kept. If it is too
//! small, it grows to the size that the end of the member states. The end is guessed: before the
//! next magic number, or at the end of the input. If no guess fits, the buffer doubles.

use super::header::{MAGIC, MemberHeader, NAME_BYTES, member_header};
use super::trailer::{TRAILER_BYTES, Trailer};
use libdeflate_sys as sys;
use memchr::memmem;
use std::ptr::NonNull;

/// Initial size of the output buffer, in bytes: most records fit.
const OUTPUT_BYTES: usize = 1 << 20;

/// Size in bytes above which the output buffer is freed after an unusually large member.
const OUTPUT_KEPT_BYTES: usize = 2 << 20;

/// The result of inflating a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InflateResult {
    /// The member is sound and takes up this many bytes of the input.
    Whole(usize),
    /// The member inflated, but its checksum or size is wrong.
    BadChecksum,
    /// The member does not inflate, or the input ends before it does: libdeflate does not
    /// distinguish the two.
    Broken,
    /// The member inflates to more than the cap.
    OverCap,
}

/// Inflates whole members into a buffer that it keeps.
pub(crate) struct Inflater {
    decompressor: NonNull<sys::libdeflate_decompressor>,
    /// The buffer is always initialised to its full length, so that no member pays for zeroing it.
    output: Vec<u8>,
    filled: usize,
    /// The largest `filled` since the last [`Inflater::trim`].
    needed: usize,
}

// SAFETY: the pointer is the only field that isn't `Send` by itself. This struct alone owns the
// decompressor behind it: `new` allocates it, no method returns the pointer, and `drop` frees it.
// The library keeps all state of a decompressor in that memory. Any thread may therefore use it, as
// long as only one does at a time: each use takes `&mut self` or ownership.
unsafe impl Send for Inflater {}

impl Inflater {
    pub(crate) fn new() -> Self {
        // SAFETY: the call takes no arguments and has no preconditions. It returns null if memory
        // ran out, handled below.
        let decompressor = unsafe { sys::libdeflate_alloc_decompressor() };
        let Some(decompressor) = NonNull::new(decompressor) else {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 16 << 10]>())
        };
        Inflater { decompressor, output: Vec::new(), filled: 0, needed: 0 }
    }

    /// Returns the data of the last member that was [`InflateResult::Whole`] or
    /// [`InflateResult::BadChecksum`].
    pub(crate) fn output(&mut self) -> &mut [u8] {
        &mut self.output[..self.filled]
    }

    /// Frees the output buffer if it is large and every member since the last call filled less than
    /// half of it. Giant members often come one after another, so the buffer stays as long as they
    /// do.
    pub(crate) fn trim(&mut self) {
        let needed = std::mem::take(&mut self.needed);
        if self.output.len() > OUTPUT_KEPT_BYTES.max(2 * needed) {
            self.output = Vec::new();
            self.filled = 0;
        }
    }

    /// Inflates the member with which `input` begins, to at most `cap` bytes. It calls `wait_for`
    /// before the output grows beyond its usual size.
    pub(crate) fn member(
        &mut self,
        input: &[u8],
        cap: usize,
        mut wait_for: impl FnMut(usize),
    ) -> InflateResult {
        let MemberHeader::Whole(header) = member_header(input, NAME_BYTES) else {
            return InflateResult::Broken;
        };
        let body = &input[header..];
        if self.output.is_empty() {
            self.output = vec![0; OUTPUT_BYTES.min(cap)];
        }
        if input.len() > self.output.len() && self.output.len() < cap {
            self.enlarge(input, cap, &mut wait_for);
        }
        let used = loop {
            match self.deflate(body) {
                Ok(used) => break used,
                Err(sys::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE) => {
                    if self.output.len() >= cap {
                        return InflateResult::OverCap;
                    }
                    self.enlarge(input, cap, &mut wait_for);
                }
                Err(_) => return InflateResult::Broken,
            }
        };
        let Some(trailer) = body[used..].first_chunk::<TRAILER_BYTES>() else {
            return InflateResult::Broken;
        };
        if Trailer::compute(&self.output[..self.filled]) == Trailer::read(*trailer) {
            InflateResult::Whole(header + used + TRAILER_BYTES)
        } else {
            InflateResult::BadChecksum
        }
    }

    /// Grows the output buffer to the size that the member seems to state, or else to twice its
    /// size; at most `cap` bytes.
    fn enlarge(&mut self, input: &[u8], cap: usize, wait_for: &mut dyn FnMut(usize)) {
        let length = self.output.len();
        let larger = stated_size(input, length).unwrap_or(2 * length).min(cap);
        wait_for(larger);
        // A new buffer consists of untouched zero pages; growing the old one would copy it.
        self.output = Vec::new();
        self.output = vec![0; larger];
    }

    /// Inflates the deflate stream with which `body` begins into the output, whose length stays.
    /// Returns the number of bytes it read from `body`.
    fn deflate(&mut self, body: &[u8]) -> Result<usize, sys::libdeflate_result> {
        let (mut used, mut filled) = (0_usize, 0_usize);
        // SAFETY:
        // - The decompressor was allocated in `new` and is freed only in `drop`; `&mut self` rules
        //   out any other use now.
        // - libdeflate reads `body.len()` bytes from `body.as_ptr()`: a slice, borrowed for the
        //   whole call.
        // - It writes at most `output.len()` bytes from `output.as_mut_ptr()`: initialised memory
        //   of a vector borrowed through `&mut self`, so `body` can't overlap it.
        // - It writes the two results to locals of the type it expects, `usize`, which live longer
        //   than the call.
        // - It keeps none of these pointers.
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
        // SAFETY: `new` got the pointer from `libdeflate_alloc_decompressor`. `drop` runs once, and
        // the struct is unusable after it.
        unsafe { sys::libdeflate_free_decompressor(self.decompressor.as_ptr()) }
    }
}

/// Returns the size in bytes that the member at the beginning of `input` seems to state, if it is
/// more than `least`. It is the first plausible value of the four bytes before a magic number, or
/// before the end. A wrong guess costs one more attempt.
fn stated_size(input: &[u8], least: usize) -> Option<usize> {
    // The most bytes to which deflate expands one byte.
    const MAX_BYTES_PER_BYTE: usize = 1032;
    let mut ends = memmem::find_iter(input, &MAGIC).chain([input.len()]);
    ends.find_map(|end| {
        let size = u32::from_le_bytes(*input[..end].last_chunk()?) as usize;
        (size > least && size / MAX_BYTES_PER_BYTE <= end).then_some(size)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzBuilder::new().write(Vec::new(), Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    fn decorated(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzBuilder::new()
            .extra(vec![b'e'; 300])
            .filename("name")
            .comment("comment")
            .write(Vec::new(), Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_of_all_headers_inflate() {
        let mut inflater = Inflater::new();
        for member in [gzip(b"data"), decorated(b"data")] {
            let input = [member.as_slice(), b"next"].concat();
            assert_eq!(inflater.member(&input, 100, |_| {}), InflateResult::Whole(member.len()));
            assert_eq!(inflater.output(), b"data");
        }
        let mut checked = gzip(b"data");
        checked[3] = 2;
        checked.splice(10..10, [0xaa, 0xbb]);
        assert_eq!(inflater.member(&checked, 100, |_| {}), InflateResult::Whole(checked.len()));
    }

    #[test]
    fn the_buffer_grows_up_to_the_cap() {
        let data = vec![7; 5 << 20];
        let member = gzip(&data);
        let mut inflater = Inflater::new();
        assert_eq!(inflater.member(&member, data.len() - 1, |_| {}), InflateResult::OverCap);
        assert_eq!(
            inflater.member(&member, data.len(), |_| {}),
            InflateResult::Whole(member.len())
        );
        assert_eq!(inflater.output(), data);
    }

    #[test]
    fn the_buffer_grows_at_once_to_what_the_member_states() {
        let giant = gzip(&vec![7; 5 << 20]);
        for after in [gzip(b"next"), Vec::new(), b"no member".to_vec()] {
            let mut inflater = Inflater::new();
            let mut sizes = Vec::new();
            let input = [giant.as_slice(), &after].concat();
            let result = inflater.member(&input, 1 << 30, |size| sizes.push(size >> 20));
            assert_eq!(result, InflateResult::Whole(giant.len()));
            let expected: &[usize] = if after == b"no member" { &[2, 4, 8] } else { &[5] };
            assert_eq!(sizes, expected);
        }
    }

    #[test]
    fn the_buffer_stays_as_long_as_giants_come() {
        let giant = gzip(&vec![7; 5 << 20]);
        let small = gzip(b"small");
        let mut inflater = Inflater::new();
        for (member, kept) in [(&giant, true), (&giant, true), (&small, false)] {
            assert_eq!(
                inflater.member(member, 1 << 30, |_| {}),
                InflateResult::Whole(member.len())
            );
            inflater.trim();
            assert_eq!(inflater.output.len() >= 5 << 20, kept);
        }
    }

    #[test]
    fn damage_is_reported() {
        let data: Vec<u8> = (0..5000_u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        let member = gzip(&data);
        let mut inflater = Inflater::new();
        for cut in [0, 5, 12, member.len() - 9, member.len() - 8, member.len() - 1] {
            assert_eq!(
                inflater.member(&member[..cut], 1 << 20, |_| {}),
                InflateResult::Broken,
                "{cut}"
            );
        }
        for at in member.len() - 8..member.len() {
            let mut bad = member.clone();
            bad[at] ^= 1;
            assert_eq!(inflater.member(&bad, 1 << 20, |_| {}), InflateResult::BadChecksum);
            assert_eq!(inflater.output(), data);
        }
    }
}
