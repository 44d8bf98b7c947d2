//! The known tags: names, numbers, and the sets each belongs to.

use super::tag_set::TagSet;

/// An element's tag. Unknown names share [`Tag::UNKNOWN`]; their bytes stay in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(pub(super) u8);

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

        pub(super) const NAMES: &[&str] = &["", $($name),*];
        /// The sets each tag belongs to.
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
    pub const fn sets(self) -> TagSet {
        SETS[self.0 as usize]
    }

    /// Whether the tag belongs to one of the sets.
    #[inline]
    pub const fn is(self, set: TagSet) -> bool {
        self.sets().intersects(set)
    }

    /// How many tags are known, [`Tag::UNKNOWN`] included.
    pub const fn count() -> usize {
        NAMES.len()
    }

    /// The tag as an index below [`Tag::count`], which is below 256: a table of 256 needs neither mask nor check of bounds.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
