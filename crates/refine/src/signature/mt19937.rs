//! The random numbers of datatrove's hash functions: numpy's `RandomState`.

/// A Mersenne Twister (Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally
/// equidistributed uniform pseudo-random number generator", 1998), seeded with a number as in
/// numpy.
pub(super) struct Mt19937 {
    state: [u32; N],
    /// Index of the next word of the state; `N` if all are used.
    position: usize,
}

const N: usize = 624;
const M: usize = 397;

impl Mt19937 {
    pub(super) fn new(seed: u32) -> Mt19937 {
        let mut state = [seed; N];
        for index in 1..N {
            let previous = state[index - 1];
            state[index] = (previous ^ (previous >> 30))
                .wrapping_mul(1_812_433_253)
                .wrapping_add(index as u32);
        }
        Mt19937 { state, position: N }
    }

    fn next_u32(&mut self) -> u32 {
        if self.position == N {
            for index in 0..N {
                let joined_bits =
                    (self.state[index] & 0x8000_0000) | (self.state[(index + 1) % N] & 0x7FFF_FFFF);
                let twisted =
                    (joined_bits >> 1) ^ if joined_bits & 1 == 1 { 0x9908_B0DF } else { 0 };
                self.state[index] = self.state[(index + M) % N] ^ twisted;
            }
            self.position = 0;
        }
        let mut y = self.state[self.position];
        self.position += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9D2C_5680;
        y ^= (y << 15) & 0xEFC6_0000;
        y ^ (y >> 18)
    }

    /// Returns a number of the range `low..high`: `randint(low, high, dtype=np.uint64)`. numpy
    /// takes as many bits as the largest number has, and draws again while the result is too large.
    pub(super) fn uniform(&mut self, low: u64, high: u64) -> u64 {
        let max_offset = high - 1 - low;
        let mask = u64::MAX >> max_offset.leading_zeros();
        loop {
            let upper = u64::from(self.next_u32()) << 32;
            let value = (upper | u64::from(self.next_u32())) & mask;
            if value <= max_offset {
                return low + value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_paper() {
        // The first output of the authors' mt19937ar.c for `init_genrand(5489)`, its default.
        let mut random = Mt19937::new(5489);
        assert_eq!(random.next_u32(), 3_499_211_612);
        // C++ requires this value of `std::mt19937` (ISO C++, rand.predef).
        assert_eq!((2..=10_000).map(|_| random.next_u32()).last(), Some(4_123_659_995));
    }
}
