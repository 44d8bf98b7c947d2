//! Classifies many bytes of text at once. The result for a register of bytes has one bit for each
//! byte. This module holds the code for sixteen bytes, which runs on every processor.

use crate::bytes16::Bytes16;

/// The class of each byte of a register, as bits.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    /// ASCII white space.
    pub(super) white: u32,
    /// ASCII punctuation.
    pub(super) punctuation: u32,
    /// Not the first byte of a scalar.
    pub(super) continuation: u32,
    /// NUL, and first bytes of scalars some of which are white, zero width or punctuation:
    /// U+0080-00BF, U+1000-3FFF, U+F000-FFFF.
    pub(super) unclear: u32,
}

/// The bytes of a register that cannot be copied without a closer look, as bits.
#[derive(Clone, Copy)]
pub(super) struct StopBits {
    /// Blanks.
    pub(super) blank: u32,
    /// Control characters, and first bytes of scalars some of which are white, zero width or
    /// control characters.
    pub(super) other: u32,
}

/// One SIMD register of bytes. Bit `i` of a result is for byte `i`; bits from [`Register::LEN`] on
/// are 0.
pub(super) trait Register: Copy {
    /// Number of bytes.
    const LEN: usize;

    /// The proof that the processor has the instructions.
    type Proof: Copy;

    /// Loads the bytes at `offset`. Beyond the end of `bytes` they may be anything.
    fn load_at(proof: Self::Proof, bytes: &[u8], offset: usize) -> Self;

    /// Returns which bytes equal `b`.
    fn equal_bits(self, b: u8) -> u32;

    /// Returns the class of each byte.
    fn classes(self) -> Classes;

    /// Returns the bytes that cannot be copied without a closer look.
    fn stops(self) -> StopBits;

    /// Counts the set bits of each of three results.
    fn count_ones(answers: [u32; 3]) -> [u32; 3];
}

/// Returns the bytes from `offset` on, of which fewer than `LEN` are left, padded with zeros.
#[cold]
pub(super) fn padded<const LEN: usize>(bytes: &[u8], offset: usize) -> [u8; LEN] {
    let mut padded = [0; LEN];
    let remaining = &bytes[offset..];
    padded[..remaining.len()].copy_from_slice(remaining);
    padded
}

impl Register for Bytes16 {
    const LEN: usize = 16;

    type Proof = ();

    #[inline(always)]
    fn load_at((): (), bytes: &[u8], offset: usize) -> Bytes16 {
        match bytes.get(offset..).and_then(<[u8]>::first_chunk) {
            Some(chunk) => Bytes16::load(chunk),
            None => Bytes16::load(&padded(bytes, offset)),
        }
    }

    #[inline(always)]
    fn equal_bits(self, b: u8) -> u32 {
        self.equal(b).bits()
    }

    #[inline(always)]
    fn classes(self) -> Classes {
        let punctuation = self
            .mark_range(b'!', b'"')
            .or(self.equal(b'%'))
            .or(self.mark_range(b'\'', b')'))
            .or(self.equal(b','))
            .or(self.equal(b'.'))
            .or(self.mark_range(b':', b';'))
            .or(self.equal(b'?'))
            .bits();
        let (mut unclear, mut continuation) = (self.equal(0), 0);
        if self.bits() != 0 {
            unclear = unclear.or(unclear_first_bytes(self));
            continuation = self.mark_range(0x80, 0xBF).bits();
        }
        Classes { white: self.white().bits(), punctuation, continuation, unclear: unclear.bits() }
    }

    #[inline(always)]
    fn stops(self) -> StopBits {
        let control = self.at_most(0x1F).or(self.equal(0x7F));
        let other = control.or(unclear_first_bytes(self));
        StopBits { blank: self.equal_bits(b' '), other: other.bits() }
    }

    /// Counts all three with the same instructions, since not every x86-64 has one that counts
    /// bits.
    #[inline(always)]
    fn count_ones([a, b, c]: [u32; 3]) -> [u32; 3] {
        let bits = u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32;
        let pairs = bits - (bits >> 1 & 0x5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F;
        let sums = bytes + (bytes >> 8);
        [sums, sums >> 16, sums >> 32].map(|sum| sum as u32 & 0x1F)
    }
}

/// Marks the first bytes of scalars some of which are white, zero width, punctuation or control
/// characters.
#[inline(always)]
fn unclear_first_bytes(bytes: Bytes16) -> Bytes16 {
    bytes.equal(0xC2).or(bytes.mark_range(0xE1, 0xE3)).or(bytes.equal(0xEF))
}
