//! The upper limit of speed: libdeflate alone, member by member, into one reused buffer.
//!
//! The file is read in pieces of 4 MiB. A member that extends beyond the piece fails, and is tried
//! again after the next read. On average this repeats less than half a member per piece.

use std::ffi::c_void;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::ptr::NonNull;

use anyhow::{Context, Result, bail, ensure};
use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_free_decompressor,
    libdeflate_gzip_decompress_ex, libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE as NO_SPACE,
    libdeflate_result_LIBDEFLATE_SUCCESS as SUCCESS,
};

use crate::report::Counts;

/// Number of bytes read from the file at a time.
const READ: usize = 4 << 20;
/// The largest member in bytes. A larger one means that the file is broken.
const MAX_MEMBER: usize = 1 << 30;

/// Inflates every member of a file, and counts members as records.
pub fn run(path: &Path) -> Result<Counts> {
    let mut file = File::open(path).with_context(|| format!("cannot open '{}'", path.display()))?;
    let mut inflater = Inflater::new()?;
    let mut input = Window::default();
    let mut output = vec![0; 1 << 20];
    let mut counts = Counts::default();

    input.fill(&mut file)?;
    while !input.rest().is_empty() {
        match inflater.member(input.rest(), &mut output) {
            Outcome::Done { read, written } => {
                input.start += read;
                counts.records += 1;
                counts.body_bytes += written as u64;
            }
            Outcome::OutputFull => {
                ensure!(output.len() < MAX_MEMBER, "member {} is too large", counts.records);
                output.resize(output.len() * 2, 0);
            }
            Outcome::CutOrBroken if input.fill(&mut file)? => {}
            Outcome::CutOrBroken => bail!("member {} is cut or broken", counts.records),
        }
        if input.rest().is_empty() {
            input.fill(&mut file)?;
        }
    }
    Ok(counts)
}

/// The unused part of the file that is in memory.
#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
    start: usize,
}

impl Window {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Moves the unused bytes to the front and reads more after them. Returns false at the end of
    /// the file.
    fn fill(&mut self, file: &mut File) -> Result<bool> {
        self.bytes.drain(..self.start);
        self.start = 0;
        let read = file.take(READ as u64).read_to_end(&mut self.bytes)?;
        Ok(read > 0)
    }
}

enum Outcome {
    Done {
        read: usize,
        written: usize,
    },
    OutputFull,
    /// The member is cut or broken; libdeflate does not distinguish the two.
    CutOrBroken,
}

struct Inflater(NonNull<libdeflate_decompressor>);

impl Inflater {
    fn new() -> Result<Self> {
        // SAFETY: no arguments; null is handled below.
        let raw = unsafe { libdeflate_alloc_decompressor() };
        NonNull::new(raw).map(Self).context("libdeflate cannot allocate")
    }

    /// Inflates the gzip member at the start of `input` and checks its CRC and length.
    fn member(&mut self, input: &[u8], output: &mut [u8]) -> Outcome {
        let (mut read, mut written) = (0, 0);
        // SAFETY: the decompressor lives as long as `self`; both slices are valid for their
        // lengths, and libdeflate stays within those.
        let result = unsafe {
            libdeflate_gzip_decompress_ex(
                self.0.as_ptr(),
                input.as_ptr().cast::<c_void>(),
                input.len(),
                output.as_mut_ptr().cast::<c_void>(),
                output.len(),
                &raw mut read,
                &raw mut written,
            )
        };
        match result {
            SUCCESS => Outcome::Done { read, written },
            NO_SPACE => Outcome::OutputFull,
            _ => Outcome::CutOrBroken,
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: allocated in `new`, freed once.
        unsafe { libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}
