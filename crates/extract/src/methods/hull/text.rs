//! What the bytes of a block's text say of it, without knowing its language.
//!
//! Bytes are looked at as they stand in the source: a character reference counts as its letters. Cost: one table look-up a byte.

/// Counts over the bytes of a block's text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextFacts {
    pub(crate) digits: u32,
    pub(crate) commas: u32,
    /// Marks that stand between items: `|`, `»`, `›`, `·`, `•`, `/`, `©`.
    pub(crate) separators: u32,
    /// `@` and `://`.
    pub(crate) addresses: u32,
    pub(crate) quotes: u32,
    /// Signs of currencies: `$`, `€`, `£`, `¥`.
    pub(crate) currencies: u32,
    /// Ends of sentences.
    pub(crate) stops: u32,
    /// The last byte that is no white space.
    pub(crate) last: u8,
}

mod class {
    pub(super) const OTHER: u8 = 0;
    pub(super) const DIGIT: u8 = 1;
    pub(super) const COMMA: u8 = 2;
    pub(super) const SEPARATOR: u8 = 3;
    pub(super) const QUOTE: u8 = 4;
    pub(super) const STOP: u8 = 5;
    pub(super) const ADDRESS: u8 = 6;
    pub(super) const CURRENCY: u8 = 7;
    /// First byte of a scalar beyond ASCII.
    pub(super) const LEAD: u8 = 8;
    pub(super) const CLASSES: usize = 9;
}

static CLASSES: [u8; 256] = {
    let mut table = [class::OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' => class::DIGIT,
            b',' => class::COMMA,
            b'|' | b'/' => class::SEPARATOR,
            b'"' => class::QUOTE,
            b'.' | b'!' | b'?' => class::STOP,
            b'@' => class::ADDRESS,
            b'$' => class::CURRENCY,
            0xC2..=0xF4 => class::LEAD,
            _ => class::OTHER,
        };
        byte += 1;
    }
    table
};

impl TextFacts {
    /// Adds a run, and gives how many words it has beyond those that white space parts.
    pub(super) fn add(&mut self, source: &str) -> u32 {
        let bytes = source.as_bytes();
        let trimmed = bytes.trim_ascii();
        if let [.., last] = trimmed {
            self.last = *last;
        }
        let mut counts = [0_u32; class::CLASSES];
        for byte in trimmed {
            counts[CLASSES[*byte as usize] as usize] += 1;
        }
        self.digits += counts[class::DIGIT as usize];
        self.commas += counts[class::COMMA as usize];
        self.separators += counts[class::SEPARATOR as usize];
        self.quotes += counts[class::QUOTE as usize];
        self.stops += counts[class::STOP as usize];
        self.addresses += counts[class::ADDRESS as usize];
        self.currencies += counts[class::CURRENCY as usize];
        if counts[class::LEAD as usize] == 0 { 0 } else { self.add_beyond_ascii(trimmed) }
    }

    /// Counts marks beyond ASCII; gives how many scalars are of scripts that are written without spaces.
    fn add_beyond_ascii(&mut self, bytes: &[u8]) -> u32 {
        let mut unspaced = 0;
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            if byte < 0xC2 {
                at += 1;
                continue;
            }
            let second = bytes.get(at + 1).copied().unwrap_or_default();
            let third = bytes.get(at + 2).copied().unwrap_or_default();
            match (byte, second, third) {
                // « » “ ” „ ‘ ’ 「 」
                (0xC2, 0xAB | 0xBB, _) | (0xE2, 0x80, 0x98..=0x9F) | (0xE3, 0x80, 0x8C..=0x8F) => {
                    self.quotes += 1;
                }
                // £ ¥ € ￥
                (0xC2, 0xA3 | 0xA5, _) | (0xE2, 0x82, 0xAC) | (0xEF, 0xBF, 0xA5) => {
                    self.currencies += 1;
                }
                // © ·
                (0xC2, 0xA9 | 0xB7, _) | (0xE2, 0x80, 0xA2 | 0xB9 | 0xBA) => self.separators += 1,
                // ， 、 ،
                (0xEF, 0xBC, 0x8C) | (0xE3, 0x80, 0x81) | (0xD8, 0x8C, _) => self.commas += 1,
                // 。 ！ ？ …
                (0xE3, 0x80, 0x82) | (0xEF, 0xBC, 0x81 | 0x9F) | (0xE2, 0x80, 0xA6) => {
                    self.stops += 1;
                    if at + 3 >= bytes.len() {
                        self.last = b'.';
                    }
                }
                // Thai and Lao, kana, ideographs, hangul.
                (0xE0, 0xB8..=0xBB, _)
                | (0xE3, 0x81..=0x83, _)
                | (0xEA, 0xB0..=0xBF, _)
                | (0xE4..=0xE9 | 0xEB..=0xED, ..) => unspaced += 1,
                _ => {}
            }
            at += match byte {
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                _ => 4,
            };
        }
        unspaced
    }
}
