//! Classes of many bytes at once. A block answers in bits, one a byte; here is that of any processor, sixteen bytes long.

use crate::lanes::Lanes;

/// Which bytes of a block are of which class.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    /// White space in ASCII.
    pub(super) white: u32,
    /// Punctuation in ASCII.
    pub(super) punctuation: u32,
    /// Not the first byte of a scalar.
    pub(super) continuation: u32,
    /// NUL, and first bytes of scalars some of which are white, zero width or punctuation: U+0080-00BF, U+1000-3FFF,
    /// U+F000-FFFF.
    pub(super) unclear: u32,
}

/// Which bytes of a block cannot simply be copied.
#[derive(Clone, Copy)]
pub(super) struct Stops {
    /// Blanks.
    pub(super) blank: u32,
    /// Control characters, and first bytes of scalars some of which are white, zero width or control characters.
    pub(super) other: u32,
}

/// So many bytes that a machine looks at at once. All other bits of its answers are 0.
pub(super) trait Block: Copy {
    /// How many.
    const LEN: usize;

    /// Those at `at`; what lies beyond the end is any bytes.
    fn load(bytes: &[u8], at: usize) -> Self;

    /// Which are `b`.
    fn equal(self, b: u8) -> u32;

    /// What they are.
    fn classes(self) -> Classes;

    /// What of them must be looked at before they are copied.
    fn stops(self) -> Stops;

    /// How many bits are set in each of three answers.
    fn ones(bits: [u32; 3]) -> [u32; 3];
}

/// What is left from `at` on, and zeros.
#[cold]
pub(super) fn last<const LEN: usize>(bytes: &[u8], at: usize) -> [u8; LEN] {
    let mut last = [0; LEN];
    let rest = &bytes[at..];
    last[..rest.len()].copy_from_slice(rest);
    last
}

/// The block of any processor.
#[derive(Clone, Copy)]
pub(super) struct Sixteen(Lanes);

impl Block for Sixteen {
    const LEN: usize = 16;

    #[inline(always)]
    fn load(bytes: &[u8], at: usize) -> Sixteen {
        match bytes.get(at..).and_then(<[u8]>::first_chunk) {
            Some(chunk) => Sixteen(Lanes::load(chunk)),
            None => Sixteen(Lanes::load(&last(bytes, at))),
        }
    }

    #[inline(always)]
    fn equal(self, b: u8) -> u32 {
        self.0.equal(b).bits()
    }

    #[inline(always)]
    fn classes(self) -> Classes {
        let lanes = self.0;
        let punctuation = lanes
            .between(b'!', b'"')
            .or(lanes.equal(b'%'))
            .or(lanes.between(b'\'', b')'))
            .or(lanes.equal(b','))
            .or(lanes.equal(b'.'))
            .or(lanes.between(b':', b';'))
            .or(lanes.equal(b'?'))
            .bits();
        let (mut unclear, mut continuation) = (lanes.equal(0), 0);
        if lanes.bits() != 0 {
            let first = lanes.equal(0xC2).or(lanes.between(0xE1, 0xE3)).or(lanes.equal(0xEF));
            unclear = unclear.or(first);
            continuation = lanes.between(0x80, 0xBF).bits();
        }
        Classes { white: lanes.white().bits(), punctuation, continuation, unclear: unclear.bits() }
    }

    #[inline(always)]
    fn stops(self) -> Stops {
        let lanes = self.0;
        let first = lanes.equal(0xC2).or(lanes.between(0xE1, 0xE3)).or(lanes.equal(0xEF));
        let other = lanes.at_most(0x1F).or(lanes.equal(0x7F)).or(first);
        Stops { blank: lanes.equal(b' ').bits(), other: other.bits() }
    }

    /// In one go, since the instruction for it is not in every x86-64.
    #[inline(always)]
    fn ones([a, b, c]: [u32; 3]) -> [u32; 3] {
        let bits = u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32;
        let pairs = bits - (bits >> 1 & 0x5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F;
        let sums = bytes + (bytes >> 8);
        [sums, sums >> 16, sums >> 32].map(|sum| sum as u32 & 0x1F)
    }
}
