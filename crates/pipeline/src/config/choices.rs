//! Options whose value is one of a few words.

use serde::{Deserialize, Serialize};

/// Stands for all methods in a list of them.
pub(super) const ALL: &str = "all";

/// Makes enums whose variants are written as the same word on a command line, in a file and in
/// Python. Variants are documented here and not in the help of the program, where the line of the
/// option says what they mean.
macro_rules! choices {
    ($($(#[doc = $about:literal])+ $Name:ident { $($(#[doc = $doc:literal])+ $Variant:ident $word:literal;)+ })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $Name { $($(#[doc = $doc])+ #[serde(rename = $word)] $Variant),+ }

        impl $Name {
            /// The word that stands for it.
            pub fn word(self) -> &'static str {
                match self { $($Name::$Variant => $word),+ }
            }
        }

        #[cfg(feature = "flags")]
        impl clap::ValueEnum for $Name {
            fn value_variants<'a>() -> &'a [$Name] {
                &[$($Name::$Variant),+]
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                Some(clap::builder::PossibleValue::new(self.word()))
            }
        }
    )+};
}

choices! {
    /// Which setting of the methods to use.
    ProfileChoice {
        /// What measured best.
        Tuned "tuned";
        /// The closest reading of the paper.
        Paper "paper";
    }

    /// A part of a page that its text may include besides the body.
    IncludeChoice {
        /// The headline.
        Title "title";
        /// Author and date of publication.
        Byline "byline";
        /// Comments that the method keeps apart.
        Comments "comments";
        /// Captions of figures.
        Captions "captions";
    }

    /// A part of the form of a text that it may leave out.
    TextChoice {
        /// Numbers of ordered lists, and the indentation of lists in lists.
        Lists "lists";
        /// Empty lines between stanzas and in preformatted text.
        EmptyLines "empty-lines";
        /// Marks of superscripts and subscripts.
        Scripts "scripts";
    }

    /// A part of a page that its Markdown may leave out.
    MarkdownChoice {
        /// The addresses of links; their text stays.
        Links "links";
        /// Images.
        Images "images";
    }

    /// Which HTTP responses to take.
    StatusChoice {
        /// Those with a 2xx or no status.
        Ok "ok";
        /// All.
        Any "any";
    }

    /// The format of the outputs.
    FormatChoice {
        /// JSON Lines: one object a line.
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
        /// Texts alone.
        Text "text";
    }

    /// How to compress the output.
    CompressChoice {
        /// zstd frames.
        Zstd "zstd";
        /// gzip members.
        Gzip "gzip";
        /// Bytes as they are.
        None "none";
    }
}
