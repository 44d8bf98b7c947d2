//! The writing systems that the identifier distinguishes.

/// A writing system. Letters of other systems are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the tags of ISO 15924")]
pub enum Script {
    Latn,
    Cyrl,
    Arab,
    Deva,
    Beng,
    Grek,
    Armn,
    Hebr,
    Geor,
    Thai,
    Laoo,
    Mymr,
    Khmr,
    Ethi,
    Guru,
    Gujr,
    Orya,
    Taml,
    Telu,
    Knda,
    Mlym,
    Sinh,
    Tibt,
    Thaa,
    Hang,
    Kana,
    Hani,
}

/// Number of scripts.
pub(super) const SCRIPTS: usize = 27;

/// All scripts in the order of their numbers, with their tags.
const TAGS: [(Script, [u8; 4]); SCRIPTS] = [
    (Script::Latn, *b"Latn"),
    (Script::Cyrl, *b"Cyrl"),
    (Script::Arab, *b"Arab"),
    (Script::Deva, *b"Deva"),
    (Script::Beng, *b"Beng"),
    (Script::Grek, *b"Grek"),
    (Script::Armn, *b"Armn"),
    (Script::Hebr, *b"Hebr"),
    (Script::Geor, *b"Geor"),
    (Script::Thai, *b"Thai"),
    (Script::Laoo, *b"Laoo"),
    (Script::Mymr, *b"Mymr"),
    (Script::Khmr, *b"Khmr"),
    (Script::Ethi, *b"Ethi"),
    (Script::Guru, *b"Guru"),
    (Script::Gujr, *b"Gujr"),
    (Script::Orya, *b"Orya"),
    (Script::Taml, *b"Taml"),
    (Script::Telu, *b"Telu"),
    (Script::Knda, *b"Knda"),
    (Script::Mlym, *b"Mlym"),
    (Script::Sinh, *b"Sinh"),
    (Script::Tibt, *b"Tibt"),
    (Script::Thaa, *b"Thaa"),
    (Script::Hang, *b"Hang"),
    (Script::Kana, *b"Kana"),
    (Script::Hani, *b"Hani"),
];

/// Blocks of Unicode 16 whose letters belong to one script: first and last code point. In ascending
/// order.
const BLOCKS: [(u32, u32, Script); 47] = [
    (0x0041, 0x024F, Script::Latn),
    (0x0370, 0x03FF, Script::Grek),
    (0x0400, 0x052F, Script::Cyrl),
    (0x0531, 0x058F, Script::Armn),
    (0x0590, 0x05FF, Script::Hebr),
    (0x0600, 0x06FF, Script::Arab),
    (0x0750, 0x077F, Script::Arab),
    (0x0780, 0x07BF, Script::Thaa),
    (0x08A0, 0x08FF, Script::Arab),
    (0x0900, 0x097F, Script::Deva),
    (0x0980, 0x09FF, Script::Beng),
    (0x0A00, 0x0A7F, Script::Guru),
    (0x0A80, 0x0AFF, Script::Gujr),
    (0x0B00, 0x0B7F, Script::Orya),
    (0x0B80, 0x0BFF, Script::Taml),
    (0x0C00, 0x0C7F, Script::Telu),
    (0x0C80, 0x0CFF, Script::Knda),
    (0x0D00, 0x0D7F, Script::Mlym),
    (0x0D80, 0x0DFF, Script::Sinh),
    (0x0E00, 0x0E7F, Script::Thai),
    (0x0E80, 0x0EFF, Script::Laoo),
    (0x0F00, 0x0FFF, Script::Tibt),
    (0x1000, 0x109F, Script::Mymr),
    (0x10A0, 0x10FF, Script::Geor),
    (0x1100, 0x11FF, Script::Hang),
    (0x1200, 0x139F, Script::Ethi),
    (0x1780, 0x17FF, Script::Khmr),
    (0x1C90, 0x1CBF, Script::Geor),
    (0x1E00, 0x1EFF, Script::Latn),
    (0x1F00, 0x1FFF, Script::Grek),
    (0x2D00, 0x2D2F, Script::Geor),
    (0x2D80, 0x2DDF, Script::Ethi),
    (0x3005, 0x3007, Script::Hani),
    (0x3041, 0x309F, Script::Kana),
    (0x30A1, 0x30FA, Script::Kana),
    (0x30FC, 0x30FF, Script::Kana),
    (0x3131, 0x318E, Script::Hang),
    (0x31F0, 0x31FF, Script::Kana),
    (0x3400, 0x4DBF, Script::Hani),
    (0x4E00, 0x9FFF, Script::Hani),
    (0xA960, 0xA97F, Script::Hang),
    (0xAC00, 0xD7FF, Script::Hang),
    (0xF900, 0xFAFF, Script::Hani),
    (0xFB50, 0xFDFF, Script::Arab),
    (0xFE70, 0xFEFE, Script::Arab),
    (0xFF66, 0xFF9F, Script::Kana),
    (0x20000, 0x323AF, Script::Hani),
];

impl Script {
    /// Returns the script of a letter. `None` for letters of other scripts. The result for signs
    /// has no meaning.
    pub(super) fn from_letter(letter: char) -> Option<Script> {
        let code = u32::from(letter);
        let after = BLOCKS.partition_point(|&(first, _, _)| first <= code);
        let (_, last, script) = *BLOCKS.get(after.checked_sub(1)?)?;
        (code <= last).then_some(script)
    }

    /// Returns the tag of ISO 15924.
    pub fn tag(self) -> [u8; 4] {
        TAGS[self as usize].1
    }

    /// Returns the script of a tag of ISO 15924.
    pub fn from_tag(tag: [u8; 4]) -> Option<Script> {
        TAGS.iter().find(|(_, known)| *known == tag).map(|&(script, _)| script)
    }

    /// Returns the script of a number, its index in `TAGS`.
    pub(super) fn from_number(number: usize) -> Option<Script> {
        TAGS.get(number).map(|&(script, _)| script)
    }

    /// Returns whether n-grams distinguish several languages that use the script.
    pub(super) fn has_grams(self) -> bool {
        matches!(self, Script::Latn | Script::Cyrl | Script::Arab | Script::Deva | Script::Beng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places_in_the_list() {
        for (number, (script, tag)) in TAGS.iter().enumerate() {
            assert_eq!(*script as usize, number);
            assert_eq!(Script::from_number(number), Some(*script));
            assert_eq!(Script::from_tag(*tag), Some(*script));
        }
        assert_eq!(Script::from_number(SCRIPTS), None);
    }

    #[test]
    fn blocks_ascend_and_are_apart() {
        assert!(BLOCKS.iter().all(|(first, last, _)| first <= last));
        assert!(BLOCKS.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn letters_have_their_script() {
        for (letter, script) in
            [('a', Script::Latn), ('я', Script::Cyrl), ('か', Script::Kana), ('漢', Script::Hani)]
        {
            assert_eq!(Script::from_letter(letter), Some(script));
        }
        assert_eq!(Script::from_letter('1'), None);
        assert_eq!(Script::from_letter('\u{10FFFF}'), None);
    }
}
