//! A random number generator with the same numbers on every machine.
//!
//! It is the Mersenne Twister (Matsumoto and Nishimura: "Mersenne Twister: a 623-dimensionally
//! equidistributed uniform pseudo-random number generator", 1998). It is seeded and read as
//! Python's `random.Random` does it. The bytes of attacks can therefore be compared with those of a
//! generator in Python.

const STATE_WORDS: usize = 624;
const SHIFT: usize = 397;

/// A seeded generator of random numbers.
#[derive(Debug)]
pub struct Random {
    state: [u32; STATE_WORDS],
    next: usize,
}

impl Random {
    /// Returns a generator whose numbers depend on `seed` alone.
    pub fn new(seed: u32) -> Random {
        let mut state = [0_u32; STATE_WORDS];
        state[0] = 19_650_218;
        for i in 1..STATE_WORDS {
            let last = state[i - 1];
            state[i] = 1_812_433_253_u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(i as u32);
        }
        // Two rounds over all words except the first; each round continues with the second word.
        let places = (1..STATE_WORDS).cycle();
        for (round, i) in places.take(2 * STATE_WORDS - 1).enumerate() {
            let last = state[i - 1] ^ (state[i - 1] >> 30);
            state[i] = if round < STATE_WORDS {
                (state[i] ^ last.wrapping_mul(1_664_525)).wrapping_add(seed)
            } else {
                (state[i] ^ last.wrapping_mul(1_566_083_941)).wrapping_sub(i as u32)
            };
            if i == STATE_WORDS - 1 {
                state[0] = state[i];
            }
        }
        state[0] = 1 << 31;
        Random { state, next: STATE_WORDS }
    }

    /// Returns the next 32 random bits.
    pub fn word(&mut self) -> u32 {
        if self.next == STATE_WORDS {
            for i in 0..STATE_WORDS {
                let bits =
                    (self.state[i] & 1 << 31) | (self.state[(i + 1) % STATE_WORDS] & !(1 << 31));
                let twist = if bits & 1 == 0 { 0 } else { 0x9908_b0df };
                self.state[i] = self.state[(i + SHIFT) % STATE_WORDS] ^ (bits >> 1) ^ twist;
            }
            self.next = 0;
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// Returns `len` random bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(len + 3);
        while bytes.len() + 4 <= len {
            bytes.extend(self.word().to_le_bytes());
        }
        let rest = len - bytes.len();
        if rest > 0 {
            bytes.extend(&(self.word() >> (32 - 8 * rest)).to_le_bytes()[..rest]);
        }
        bytes
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: u32) -> u32 {
        let bits = u32::BITS - end.leading_zeros();
        loop {
            let number = self.word() >> (32 - bits);
            if number < end {
                return number;
            }
        }
    }

    /// Returns one of these values.
    pub fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.within(0, among.len())]
    }

    /// Returns a number other than `old_value` that readers may not expect.
    pub fn other_than(&mut self, old_value: i64) -> i64 {
        let near = [
            old_value.wrapping_add(1),
            old_value.wrapping_sub(1),
            old_value.wrapping_mul(2),
            old_value / 2,
            -old_value,
        ];
        let far = [
            0,
            1,
            -1,
            2,
            i32::MAX.into(),
            i32::MIN.into(),
            i64::MAX,
            i64::MIN,
            u32::MAX.into(),
            self.word().into(),
        ];
        let candidates: Vec<i64> =
            near.into_iter().chain(far).filter(|number| *number != old_value).collect();
        self.pick(&candidates)
    }

    /// Returns a number from `start` to `end`, exclusive.
    pub fn within(&mut self, start: usize, end: usize) -> usize {
        start + self.below((end - start) as u32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// Three words, eleven bytes and numbers below 12, as `random.Random(7)` of Python gives them.
    #[test]
    fn the_numbers_are_those_of_python() {
        let mut random = Random::new(7);
        let words = [1_390_851_128, 4_071_050_724, 647_892_279];
        assert_eq!(words, std::array::from_fn(|_| random.word()));
        assert_eq!(random.bytes(11), [14, 39, 19, 101, 80, 164, 163, 166, 127, 92, 12]);
        assert_eq!([1, 8, 1, 5, 9, 0, 8, 3], std::array::from_fn(|_| random.below(12)));
    }
}
