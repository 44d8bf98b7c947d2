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
    "a" A IMPLIES_END FORMATTING;
    "abbr" ABBR; "acronym" ACRONYM;
    "address" ADDRESS BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "applet" APPLET SCOPE SPECIAL ENDS_IN_SCOPE;
    "area" AREA VOID SPECIAL;
    "article" ARTICLE BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "aside" ASIDE BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "audio" AUDIO;
    "b" B ENDS_FOREIGN FORMATTING;
    "base" BASE VOID HEAD SPECIAL;
    "basefont" BASEFONT VOID HEAD SPECIAL;
    "bdi" BDI; "bdo" BDO;
    "bgsound" BGSOUND VOID HEAD SPECIAL;
    "big" BIG ENDS_FOREIGN FORMATTING;
    "blockquote" BLOCKQUOTE BLOCK ENDS_P ENDS_FOREIGN SPECIAL ENDS_IN_SCOPE;
    "body" BODY BLOCK SCOPE ENDS_FOREIGN SINGULAR SPECIAL;
    "br" BR VOID ENDS_FOREIGN UNCOUNTED SPECIAL;
    "button" BUTTON SPECIAL IMPLIES_END ENDS_IN_SCOPE;
    "canvas" CANVAS;
    "caption" CAPTION BLOCK SCOPE TABLE_PART SPECIAL UNFOSTERED IMPLIES_END;
    "center" CENTER BLOCK ENDS_P ENDS_FOREIGN SPECIAL ENDS_IN_SCOPE;
    "channel" CHANNEL; "cite" CITE;
    "code" CODE ENDS_FOREIGN FORMATTING;
    "col" COL VOID SPECIAL UNFOSTERED IMPLIES_END;
    "colgroup" COLGROUP SPECIAL FOSTERS UNFOSTERED IMPLIES_END TABLE_PART;
    "data" DATA; "datalist" DATALIST;
    "dd" DD BLOCK IMPLIES_END ENDS_FOREIGN ENDS_P SPECIAL IMPLIED;
    "del" DEL; "desc" DESC;
    "details" DETAILS BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "dfn" DFN;
    "dialog" DIALOG BLOCK ENDS_P ENDS_IN_SCOPE;
    "dir" DIR BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "div" DIV BLOCK ENDS_P ENDS_FOREIGN SPECIAL ENDS_IN_SCOPE;
    "dl" DL BLOCK ENDS_P ENDS_FOREIGN SPECIAL ENDS_IN_SCOPE;
    "dt" DT BLOCK IMPLIES_END ENDS_FOREIGN ENDS_P SPECIAL IMPLIED;
    "em" EM ENDS_FOREIGN FORMATTING;
    "embed" EMBED VOID ENDS_FOREIGN SPECIAL;
    "fieldset" FIELDSET BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "figcaption" FIGCAPTION BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "figure" FIGURE BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "font" FONT FORMATTING;
    "footer" FOOTER BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "foreignobject" FOREIGNOBJECT;
    "form" FORM BLOCK ENDS_P SINGULAR SPECIAL UNFOSTERED IMPLIES_END;
    "frame" FRAME VOID SPECIAL;
    "frameset" FRAMESET SPECIAL;
    "h1" H1 BLOCK ENDS_P ENDS_FOREIGN SPECIAL IMPLIES_END;
    "h2" H2 BLOCK ENDS_P ENDS_FOREIGN SPECIAL IMPLIES_END;
    "h3" H3 BLOCK ENDS_P ENDS_FOREIGN SPECIAL IMPLIES_END;
    "h4" H4 BLOCK ENDS_P ENDS_FOREIGN SPECIAL IMPLIES_END;
    "h5" H5 BLOCK ENDS_P ENDS_FOREIGN SPECIAL IMPLIES_END;
    "h6" H6 BLOCK ENDS_P ENDS_FOREIGN SPECIAL IMPLIES_END;
    "head" HEAD_ELEMENT HEAD ENDS_FOREIGN SINGULAR SPECIAL;
    "header" HEADER BLOCK ENDS_P SINGULAR SPECIAL ENDS_IN_SCOPE;
    "hgroup" HGROUP BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "hr" HR VOID BLOCK ENDS_P ENDS_FOREIGN SPECIAL IMPLIES_END;
    "html" HTML BLOCK SCOPE SINGULAR SPECIAL;
    "i" I ENDS_FOREIGN FORMATTING;
    "iframe" IFRAME RAW_TEXT SPECIAL;
    "img" IMG VOID ENDS_FOREIGN SPECIAL;
    "input" INPUT VOID SINGULAR SPECIAL IMPLIES_END;
    "ins" INS; "kbd" KBD;
    "keygen" KEYGEN VOID SPECIAL;
    "label" LABEL;
    "legend" LEGEND BLOCK;
    "li" LI BLOCK IMPLIES_END ENDS_FOREIGN ENDS_P SPECIAL IMPLIED;
    "link" LINK VOID HEAD SPECIAL;
    "listing" LISTING ENDS_FOREIGN BLOCK ENDS_P SPECIAL PREFORMATTED ENDS_IN_SCOPE;
    "main" MAIN BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "map" MAP; "mark" MARK;
    "marquee" MARQUEE SCOPE SPECIAL ENDS_IN_SCOPE;
    "math" MATH SINGULAR;
    "menu" MENU BLOCK ENDS_P ENDS_FOREIGN SPECIAL ENDS_IN_SCOPE;
    "meta" META VOID HEAD ENDS_FOREIGN SPECIAL;
    "meter" METER;
    "nav" NAV BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "nobr" NOBR ENDS_FOREIGN FORMATTING IMPLIES_END;
    "noembed" NOEMBED RAW_TEXT SPECIAL;
    "noframes" NOFRAMES HEAD RAW_TEXT SPECIAL;
    "noscript" NOSCRIPT HEAD SPECIAL;
    "object" OBJECT SCOPE SPECIAL ENDS_IN_SCOPE;
    "ol" OL BLOCK ENDS_P ENDS_FOREIGN SPECIAL ENDS_IN_SCOPE;
    "optgroup" OPTGROUP IMPLIES_END IMPLIED;
    "option" OPTION BLOCK IMPLIES_END IMPLIED;
    "output" OUTPUT;
    "p" P BLOCK ENDS_P ENDS_FOREIGN SPECIAL IMPLIED;
    "param" PARAM VOID SPECIAL;
    "picture" PICTURE;
    "plaintext" PLAINTEXT PLAINTEXT BLOCK ENDS_P SPECIAL PREFORMATTED;
    "pre" PRE BLOCK ENDS_P ENDS_FOREIGN SPECIAL PREFORMATTED ENDS_IN_SCOPE;
    "progress" PROGRESS; "q" Q;
    "rb" RB IMPLIED IMPLIES_END;
    "rp" RP IMPLIED IMPLIES_END;
    "rt" RT IMPLIED IMPLIES_END;
    "rtc" RTC IMPLIED IMPLIES_END;
    "ruby" RUBY ENDS_FOREIGN;
    "s" S ENDS_FOREIGN FORMATTING;
    "samp" SAMP;
    "script" SCRIPT HEAD RAW_TEXT CODE SPECIAL UNFOSTERED;
    "search" SEARCH BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "section" SECTION BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "select" SELECT SCOPE SPECIAL IMPLIES_END ENDS_IN_SCOPE;
    "slot" SLOT;
    "small" SMALL ENDS_FOREIGN FORMATTING;
    "source" SOURCE VOID SPECIAL;
    "span" SPAN ENDS_FOREIGN;
    "strike" STRIKE ENDS_FOREIGN FORMATTING;
    "strong" STRONG ENDS_FOREIGN FORMATTING;
    "style" STYLE HEAD RAW_TEXT CODE SPECIAL UNFOSTERED;
    "sub" SUB ENDS_FOREIGN;
    "summary" SUMMARY BLOCK ENDS_P SPECIAL ENDS_IN_SCOPE;
    "sup" SUP ENDS_FOREIGN;
    "svg" SVG SINGULAR;
    "table" TABLE BLOCK ENDS_P SCOPE TABLE_PART ENDS_FOREIGN SPECIAL FOSTERS IMPLIES_END;
    "tbody" TBODY BLOCK TABLE_PART IMPLIES_END SPECIAL FOSTERS UNFOSTERED;
    "td" TD BLOCK SCOPE TABLE_PART IMPLIES_END SPECIAL UNFOSTERED;
    "template" TEMPLATE HEAD SCOPE SPECIAL UNFOSTERED;
    "textarea" TEXTAREA RCDATA SPECIAL PREFORMATTED;
    "tfoot" TFOOT BLOCK TABLE_PART IMPLIES_END SPECIAL FOSTERS UNFOSTERED;
    "th" TH BLOCK SCOPE TABLE_PART IMPLIES_END SPECIAL UNFOSTERED;
    "thead" THEAD BLOCK TABLE_PART IMPLIES_END SPECIAL FOSTERS UNFOSTERED;
    "time" TIME;
    "title" TITLE HEAD RCDATA SINGULAR SPECIAL;
    "tr" TR BLOCK TABLE_PART IMPLIES_END SPECIAL FOSTERS UNFOSTERED;
    "track" TRACK VOID SPECIAL;
    "tt" TT ENDS_FOREIGN FORMATTING;
    "u" U ENDS_FOREIGN FORMATTING;
    "ul" UL BLOCK ENDS_P ENDS_FOREIGN SPECIAL ENDS_IN_SCOPE;
    "var" VAR ENDS_FOREIGN;
    "video" VIDEO;
    "wbr" WBR VOID UNCOUNTED SPECIAL;
    "xmp" XMP RAW_TEXT BLOCK ENDS_P SPECIAL PREFORMATTED;
}

impl Tag {
    /// Returns the name in lower case; empty for [`Tag::UNKNOWN`].
    pub fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// Returns the sets the tag belongs to.
    #[inline]
    pub const fn sets(self) -> TagSet {
        SETS[self.0 as usize]
    }

    /// Returns whether the tag belongs to one of the sets.
    #[inline]
    pub const fn is(self, set: TagSet) -> bool {
        self.sets().intersects(set)
    }

    /// Returns whether the tag is one of `tags`.
    #[inline]
    pub(crate) const fn is_any_of(self, tags: &[Tag]) -> bool {
        let mut i = 0;
        while i < tags.len() {
            if self.0 == tags[i].0 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Returns the tag of that [`Tag::index`].
    pub(crate) const fn from_index(index: usize) -> Tag {
        assert!(index < Tag::count());
        Tag(index as u8)
    }

    /// Returns the number of known tags, [`Tag::UNKNOWN`] included.
    pub const fn count() -> usize {
        NAMES.len()
    }

    /// Returns the tag as an index below [`Tag::count`]. The index is below 256, so a table of 256
    /// needs neither a mask nor a check of bounds.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
