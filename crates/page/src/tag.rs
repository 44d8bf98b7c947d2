//! Tags as small integers, and what the tree builder must know of each.
//!
//! A tag name is looked up once ([`lookup`]). After that nothing compares strings: every rule of the builder is a bit of
//! [`TagSet`] or an index.

mod lookup;

pub(crate) use lookup::{const_key, key, key_of};

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
    /// Content is text up to the end of the input.
    pub(crate) const PLAINTEXT: TagSet = TagSet(1 << 11);
    /// The tree builder has rules for this very tag.
    pub(crate) const SINGULAR: TagSet = TagSet(1 << 12);
    /// Is no child of its parent, as extractors count children.
    pub(crate) const UNCOUNTED: TagSet = TagSet(1 << 13);

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
    "body" BODY BLOCK SCOPE ENDS_FOREIGN SINGULAR;
    "br" BR VOID ENDS_FOREIGN UNCOUNTED;
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
    "form" FORM BLOCK ENDS_P SINGULAR;
    "frame" FRAME VOID;
    "frameset" FRAMESET;
    "h1" H1 BLOCK ENDS_P ENDS_FOREIGN;
    "h2" H2 BLOCK ENDS_P ENDS_FOREIGN;
    "h3" H3 BLOCK ENDS_P ENDS_FOREIGN;
    "h4" H4 BLOCK ENDS_P ENDS_FOREIGN;
    "h5" H5 BLOCK ENDS_P ENDS_FOREIGN;
    "h6" H6 BLOCK ENDS_P ENDS_FOREIGN;
    "head" HEAD_ELEMENT HEAD ENDS_FOREIGN SINGULAR;
    "header" HEADER BLOCK ENDS_P SINGULAR;
    "hgroup" HGROUP BLOCK ENDS_P;
    "hr" HR VOID BLOCK ENDS_P ENDS_FOREIGN;
    "html" HTML BLOCK SCOPE SINGULAR;
    "i" I ENDS_FOREIGN;
    "iframe" IFRAME RAW_TEXT;
    "img" IMG VOID ENDS_FOREIGN;
    "input" INPUT VOID SINGULAR;
    "ins" INS; "kbd" KBD;
    "keygen" KEYGEN VOID;
    "label" LABEL; "legend" LEGEND BLOCK;
    "li" LI BLOCK IMPLIES_END ENDS_FOREIGN;
    "link" LINK VOID HEAD;
    "listing" LISTING ENDS_FOREIGN;
    "main" MAIN BLOCK ENDS_P;
    "map" MAP; "mark" MARK; "marquee" MARQUEE;
    "math" MATH SINGULAR;
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
    "plaintext" PLAINTEXT PLAINTEXT;
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
    "svg" SVG SINGULAR;
    "table" TABLE BLOCK ENDS_P SCOPE TABLE_PART ENDS_FOREIGN;
    "tbody" TBODY BLOCK TABLE_PART IMPLIES_END;
    "td" TD BLOCK SCOPE TABLE_PART IMPLIES_END;
    "template" TEMPLATE HEAD;
    "textarea" TEXTAREA RCDATA;
    "tfoot" TFOOT BLOCK TABLE_PART IMPLIES_END;
    "th" TH BLOCK SCOPE TABLE_PART IMPLIES_END;
    "thead" THEAD BLOCK TABLE_PART IMPLIES_END;
    "time" TIME;
    "title" TITLE HEAD RCDATA SINGULAR;
    "tr" TR BLOCK TABLE_PART IMPLIES_END;
    "track" TRACK VOID;
    "tt" TT ENDS_FOREIGN;
    "u" U ENDS_FOREIGN;
    "ul" UL BLOCK ENDS_P ENDS_FOREIGN;
    "var" VAR ENDS_FOREIGN;
    "video" VIDEO;
    "wbr" WBR VOID UNCOUNTED;
    "xmp" XMP RAW_TEXT;
}

impl Tag {
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
