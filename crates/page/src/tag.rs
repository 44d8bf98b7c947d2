//! Tags as small integers, and what the tree builder must know of each.
//!
//! A tag name is looked up once, by its first eight bytes and its length, in a table that the compiler fills. After that
//! nothing compares strings: every rule of the builder is a bit of [`TagSet`] or an index.

/// An element's tag. Unknown names share [`Tag::UNKNOWN`]; their bytes stay in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(pub(crate) u8);

/// Sets of tags the rules of tree building speak of, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagSet(u16);

impl TagSet {
    /// In none of the sets.
    pub const NONE: TagSet = TagSet(0);
    /// Has no content and no end tag.
    pub const VOID: TagSet = TagSet(1);
    /// Makes a line break in the rendered text at its start and end.
    pub const BLOCK: TagSet = TagSet(1 << 1);
    /// Its start tag ends an open `p`.
    pub const ENDS_P: TagSet = TagSet(1 << 2);
    /// The search for an open element stops here.
    pub const SCOPE: TagSet = TagSet(1 << 3);
    /// May stand before the body without opening it.
    pub const HEAD: TagSet = TagSet(1 << 4);
    /// A part of a table; its end tag searches up to `table`.
    pub const TABLE_PART: TagSet = TagSet(1 << 5);
    /// HTML content that ends an open `svg` or `math`.
    pub const ENDS_FOREIGN: TagSet = TagSet(1 << 6);
    /// Content is text up to the matching end tag, character references decoded.
    pub const RCDATA: TagSet = TagSet(1 << 7);
    /// Content is text up to the matching end tag, taken as it stands.
    pub const RAW_TEXT: TagSet = TagSet(1 << 8);
    /// Its start tag may end other open elements (list items, table parts, options, links).
    pub const IMPLIES_END: TagSet = TagSet(1 << 9);
    /// Content is not page text (scripts and style sheets).
    pub const CODE: TagSet = TagSet(1 << 10);

    /// Both sets together.
    #[inline]
    #[must_use]
    pub const fn union(self, other: TagSet) -> TagSet {
        TagSet(self.0 | other.0)
    }

    /// Whether the two sets share a bit.
    #[inline]
    pub const fn intersects(self, other: TagSet) -> bool {
        self.0 & other.0 != 0
    }
}

macro_rules! tags {
    ($($name:literal $constant:ident $($set:ident)*;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "never written out: it numbers the constants")]
        #[repr(u8)]
        enum Number { UNKNOWN, $($constant),* }

        /// The known tags.
        impl Tag {
            /// A name that is not in the table.
            pub const UNKNOWN: Tag = Tag(Number::UNKNOWN as u8);
            $(#[doc = concat!("`", $name, "`")]
            pub const $constant: Tag = Tag(Number::$constant as u8);)*
        }

        const NAMES: &[&str] = &["", $($name),*];
        static SETS: [TagSet; 256] = {
            let mut sets = [TagSet::NONE; 256];
            $(sets[Number::$constant as usize] = TagSet::NONE$(.union(TagSet::$set))*;)*
            sets
        };
    };
}

tags! {
    "a" A IMPLIES_END;
    "abbr" ABBR; "acronym" ACRONYM;
    "address" ADDRESS BLOCK ENDS_P;
    "applet" APPLET;
    "area" AREA VOID;
    "article" ARTICLE BLOCK ENDS_P;
    "aside" ASIDE BLOCK ENDS_P;
    "audio" AUDIO;
    "b" B ENDS_FOREIGN;
    "base" BASE VOID HEAD;
    "basefont" BASEFONT VOID HEAD;
    "bdi" BDI; "bdo" BDO;
    "bgsound" BGSOUND VOID HEAD;
    "big" BIG ENDS_FOREIGN;
    "blockquote" BLOCKQUOTE BLOCK ENDS_P ENDS_FOREIGN;
    "body" BODY BLOCK SCOPE ENDS_FOREIGN;
    "br" BR VOID ENDS_FOREIGN;
    "button" BUTTON SCOPE;
    "canvas" CANVAS;
    "caption" CAPTION BLOCK SCOPE TABLE_PART;
    "center" CENTER BLOCK ENDS_P ENDS_FOREIGN;
    "channel" CHANNEL;
    "cite" CITE;
    "code" CODE ENDS_FOREIGN;
    "col" COL VOID;
    "colgroup" COLGROUP;
    "data" DATA; "datalist" DATALIST;
    "dd" DD BLOCK IMPLIES_END ENDS_FOREIGN;
    "del" DEL; "desc" DESC;
    "details" DETAILS BLOCK ENDS_P;
    "dfn" DFN;
    "dialog" DIALOG BLOCK ENDS_P;
    "dir" DIR BLOCK ENDS_P;
    "div" DIV BLOCK ENDS_P ENDS_FOREIGN;
    "dl" DL BLOCK ENDS_P ENDS_FOREIGN;
    "dt" DT BLOCK IMPLIES_END ENDS_FOREIGN;
    "em" EM ENDS_FOREIGN;
    "embed" EMBED VOID ENDS_FOREIGN;
    "fieldset" FIELDSET BLOCK ENDS_P;
    "figcaption" FIGCAPTION BLOCK ENDS_P;
    "figure" FIGURE BLOCK ENDS_P;
    "font" FONT;
    "footer" FOOTER BLOCK ENDS_P;
    "foreignobject" FOREIGNOBJECT;
    "form" FORM BLOCK ENDS_P;
    "frame" FRAME VOID;
    "frameset" FRAMESET;
    "h1" H1 BLOCK ENDS_P ENDS_FOREIGN;
    "h2" H2 BLOCK ENDS_P ENDS_FOREIGN;
    "h3" H3 BLOCK ENDS_P ENDS_FOREIGN;
    "h4" H4 BLOCK ENDS_P ENDS_FOREIGN;
    "h5" H5 BLOCK ENDS_P ENDS_FOREIGN;
    "h6" H6 BLOCK ENDS_P ENDS_FOREIGN;
    "head" HEAD_ELEMENT HEAD ENDS_FOREIGN;
    "header" HEADER BLOCK ENDS_P;
    "hgroup" HGROUP BLOCK ENDS_P;
    "hr" HR VOID BLOCK ENDS_P ENDS_FOREIGN;
    "html" HTML BLOCK SCOPE;
    "i" I ENDS_FOREIGN;
    "iframe" IFRAME RAW_TEXT;
    "img" IMG VOID ENDS_FOREIGN;
    "input" INPUT VOID;
    "ins" INS; "kbd" KBD;
    "keygen" KEYGEN VOID;
    "label" LABEL; "legend" LEGEND BLOCK;
    "li" LI BLOCK IMPLIES_END ENDS_FOREIGN;
    "link" LINK VOID HEAD;
    "listing" LISTING ENDS_FOREIGN;
    "main" MAIN BLOCK ENDS_P;
    "map" MAP; "mark" MARK; "marquee" MARQUEE;
    "math" MATH;
    "menu" MENU BLOCK ENDS_P ENDS_FOREIGN;
    "meta" META VOID HEAD ENDS_FOREIGN;
    "meter" METER;
    "nav" NAV BLOCK ENDS_P;
    "nobr" NOBR ENDS_FOREIGN;
    "noembed" NOEMBED RAW_TEXT;
    "noframes" NOFRAMES RAW_TEXT;
    "noscript" NOSCRIPT HEAD;
    "object" OBJECT SCOPE;
    "ol" OL BLOCK ENDS_P ENDS_FOREIGN;
    "optgroup" OPTGROUP IMPLIES_END;
    "option" OPTION BLOCK IMPLIES_END;
    "output" OUTPUT;
    "p" P BLOCK ENDS_P ENDS_FOREIGN;
    "param" PARAM VOID;
    "picture" PICTURE;
    "plaintext" PLAINTEXT;
    "pre" PRE BLOCK ENDS_P ENDS_FOREIGN;
    "progress" PROGRESS; "q" Q; "rp" RP; "rt" RT;
    "ruby" RUBY ENDS_FOREIGN;
    "s" S ENDS_FOREIGN;
    "samp" SAMP;
    "script" SCRIPT HEAD RAW_TEXT CODE;
    "section" SECTION BLOCK ENDS_P;
    "select" SELECT; "slot" SLOT;
    "small" SMALL ENDS_FOREIGN;
    "source" SOURCE VOID;
    "span" SPAN ENDS_FOREIGN;
    "strike" STRIKE ENDS_FOREIGN;
    "strong" STRONG ENDS_FOREIGN;
    "style" STYLE HEAD RAW_TEXT CODE;
    "sub" SUB ENDS_FOREIGN;
    "summary" SUMMARY BLOCK;
    "sup" SUP ENDS_FOREIGN;
    "svg" SVG;
    "table" TABLE BLOCK ENDS_P SCOPE TABLE_PART ENDS_FOREIGN;
    "tbody" TBODY BLOCK TABLE_PART IMPLIES_END;
    "td" TD BLOCK SCOPE TABLE_PART IMPLIES_END;
    "template" TEMPLATE HEAD;
    "textarea" TEXTAREA RCDATA;
    "tfoot" TFOOT BLOCK TABLE_PART IMPLIES_END;
    "th" TH BLOCK SCOPE TABLE_PART IMPLIES_END;
    "thead" THEAD BLOCK TABLE_PART IMPLIES_END;
    "time" TIME;
    "title" TITLE HEAD RCDATA;
    "tr" TR BLOCK TABLE_PART IMPLIES_END;
    "track" TRACK VOID;
    "tt" TT ENDS_FOREIGN;
    "u" U ENDS_FOREIGN;
    "ul" UL BLOCK ENDS_P ENDS_FOREIGN;
    "var" VAR ENDS_FOREIGN;
    "video" VIDEO;
    "wbr" WBR VOID;
    "xmp" XMP RAW_TEXT;
}

/// Slots of the table from names to tags. So many that a multiplier could be found under which no two names meet.
const SLOTS: usize = 2048;

/// The first eight bytes of a name in lower case, as a number; short names are padded with zeros.
#[inline]
pub(crate) fn key(name: &[u8]) -> u64 {
    if let Some(first) = name.first_chunk::<8>() {
        return u64::from_le_bytes(*first) | LOWER;
    }
    let mut bytes = [0; 8];
    bytes[..name.len()].copy_from_slice(name);
    u64::from_le_bytes(bytes) | (LOWER & mask(name.len()))
}

/// [`key`] of the name at `start`, without a copy where eight bytes follow.
#[inline]
pub(crate) fn key_at(input: &[u8], start: usize, len: usize) -> u64 {
    match input.get(start..).and_then(<[u8]>::first_chunk::<8>) {
        Some(eight) => (u64::from_le_bytes(*eight) | LOWER) & mask(len),
        None => key(&input[start..start + len]),
    }
}

/// The lower-case bit of eight bytes. Letters differ in nothing else, and no other byte becomes a letter by it.
const LOWER: u64 = 0x2020_2020_2020_2020;

/// All bits of the first `len` bytes.
#[inline]
fn mask(len: usize) -> u64 {
    static MASKS: [u64; 9] = {
        let mut masks = [0; 9];
        let mut len = 1;
        while len <= 8 {
            masks[len] = u64::MAX >> (64 - 8 * len);
            len += 1;
        }
        masks
    };
    MASKS[len.min(8)]
}

pub(crate) const fn const_key(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = 0;
    while i < name.len() && i < 8 {
        key |= (name[i] as u64) << (8 * i);
        i += 1;
    }
    key
}

/// Whether the second byte of a name of two is what its key says. Names of two are where digits stand, and a control character
/// has the key of a digit.
#[inline(always)]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "a branch here would be guessed wrong half of the time"
)]
fn digit_or_letter(len: usize, name: u64) -> bool {
    (len != 2) | ((name >> 8) as u8 >= b'0')
}

#[inline]
const fn slot_of(key: u64) -> usize {
    (key.wrapping_mul(0x230D_977E_E225_7159) >> 53) as usize
}

/// The only tag that a key can be of.
static TABLE: [u8; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut number = 1;
    while number < NAMES.len() {
        let slot = slot_of(const_key(NAMES[number].as_bytes()));
        assert!(table[slot] == 0, "two names meet: look for another multiplier");
        table[slot] = number as u8;
        number += 1;
    }
    table
};

/// [`key`] of every name.
static KEYS: [u64; NAMES.len()] = {
    let mut keys = [0; NAMES.len()];
    let mut number = 1;
    while number < NAMES.len() {
        keys[number] = const_key(NAMES[number].as_bytes());
        number += 1;
    }
    keys
};

impl Tag {
    /// The tag of a name as it stands in the source, in any case.
    pub fn from_name(name: &[u8]) -> Tag {
        Tag::lookup(key(name), name)
    }

    /// The tag of the name at `start`.
    #[inline]
    pub(crate) fn at(input: &[u8], start: usize, len: usize) -> Tag {
        match input.get(start..).and_then(<[u8]>::first_chunk::<8>) {
            Some(eight) if len <= 8 => {
                let eight = u64::from_le_bytes(*eight);
                let key = (eight | LOWER) & mask(len);
                let number = TABLE[slot_of(key)];
                // Without branches: nobody can foretell a tag.
                let same = (KEYS[number as usize] == key) & digit_or_letter(len, eight);
                Tag(if same { number } else { Tag::UNKNOWN.0 })
            }
            _ => Tag::from_name(&input[start..start + len]),
        }
    }

    #[inline(always)]
    fn lookup(key: u64, name: &[u8]) -> Tag {
        let number = TABLE[slot_of(key)];
        if KEYS[number as usize] != key {
            return Tag::UNKNOWN;
        }
        // The key says all of a short name, but for whether a digit was a control character.
        let same = match name {
            [_, second] => digit_or_letter(2, u64::from(*second) << 8),
            _ if name.len() <= 8 => true,
            _ => NAMES[number as usize].as_bytes().eq_ignore_ascii_case(name),
        };
        if same { Tag(number) } else { Tag::UNKNOWN }
    }

    /// The name in lower case; empty for [`Tag::UNKNOWN`].
    pub fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// The sets the tag belongs to.
    #[inline]
    pub fn sets(self) -> TagSet {
        SETS[self.0 as usize]
    }

    /// Whether the tag belongs to one of the sets.
    #[inline]
    pub fn is(self, set: TagSet) -> bool {
        self.sets().intersects(set)
    }

    /// How many tags are known, [`Tag::UNKNOWN`] included.
    pub const fn count() -> usize {
        NAMES.len()
    }

    /// The tag as an index below [`Tag::count`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_in_any_case() {
        for (number, name) in NAMES.iter().enumerate().skip(1) {
            assert_eq!(Tag::from_name(name.as_bytes()).index(), number, "{name}");
            assert_eq!(Tag::from_name(name.to_uppercase().as_bytes()).index(), number, "{name}");
        }
    }

    #[test]
    fn names_that_only_look_alike_are_unknown() {
        for name in
            ["", "h7", "h\x11", "divx", "blockquot", "blockquotes", "my-tag", "foreignobjects"]
        {
            assert_eq!(Tag::from_name(name.as_bytes()), Tag::UNKNOWN, "{name:?}");
        }
    }
}
