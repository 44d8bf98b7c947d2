//! Options whose value is one of a few words.

use serde::{Deserialize, Serialize};

/// Names all extractors in a list of them.
pub(super) const ALL: &str = "all";

/// Makes enums whose variants have the same word on a command line, in a file and in Python. The
/// docs of variants are not part of the program's help. There the line of the option explains them.
macro_rules! choices {
    ($($(#[doc = $about:literal])+ $Name:ident { $($(#[doc = $doc:literal])+ $Variant:ident $word:literal;)+ })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $Name { $($(#[doc = $doc])+ #[serde(rename = $word)] $Variant),+ }

        impl $Name {
            /// All choices.
            pub const ALL: &'static [$Name] = &[$($Name::$Variant),+];

            /// Returns the word of the choice.
            pub fn word(self) -> &'static str {
                match self { $($Name::$Variant => $word),+ }
            }
        }

        #[cfg(feature = "flags")]
        impl clap::ValueEnum for $Name {
            fn value_variants<'a>() -> &'a [$Name] {
                $Name::ALL
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                Some(clap::builder::PossibleValue::new(self.word()))
            }
        }
    )+};
}

choices! {
    /// Choice of the extractors' settings.
    ProfileChoice {
        /// The settings that measured best.
        Tuned "tuned";
        /// The closest reading of the paper.
        Paper "paper";
    }

    /// The extractor whose text a row gets.
    RuleChoice {
        /// The first one; rows have the texts of the others too.
        First "first";
        /// The first one whose text no stage drops.
        Surviving "surviving";
        /// The one with the longest text.
        Longest "longest";
        /// The one that agrees most with the others.
        Expected "expected";
    }

    /// A part of a page that its text may include besides the body.
    IncludeChoice {
        /// The headline.
        Title "title";
        /// Author and date of publication.
        Byline "byline";
        /// Comments that the extractor keeps apart.
        Comments "comments";
        /// Captions of figures.
        Captions "captions";
    }

    /// A part of the form of a text that the text may leave out.
    TextChoice {
        /// Numbers of ordered lists, and the indentation of lists in lists.
        Lists "lists";
        /// Empty lines between stanzas and in preformatted text.
        EmptyLines "empty-lines";
        /// Marks of superscripts and subscripts.
        Scripts "scripts";
        /// The headline at the start, if the extractor distinguishes it.
        Title "title";
    }

    /// A part of a page that its Markdown may leave out.
    MarkdownChoice {
        /// The URLs of links. The text of links stays.
        Links "links";
        /// Images.
        Images "images";
    }

    /// The HTTP responses to take.
    StatusChoice {
        /// Responses with a 2xx status or none.
        Ok "ok";
        /// All responses.
        Any "any";
    }

    /// The format of the outputs.
    FormatChoice {
        /// JSON Lines: one object per line.
        Jsonl "jsonl";
        /// Apache Parquet.
        Parquet "parquet";
        /// Arrow's file format.
        Arrow "arrow";
        /// Values separated by commas.
        Csv "csv";
        /// Values separated by tabs.
        Tsv "tsv";
        /// WARC records of texts.
        Wet "wet";
        /// WARC records of the pages themselves.
        Warc "warc";
        /// Texts alone.
        Text "text";
    }

    /// The compression of the output.
    CompressChoice {
        /// zstd frames.
        Zstd "zstd";
        /// gzip members.
        Gzip "gzip";
        /// Bytes as they are.
        None "none";
    }
}
