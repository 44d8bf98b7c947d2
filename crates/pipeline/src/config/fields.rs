//! All options, each with the text that help and documentation show.

use super::choices::{
    CompressChoice, FormatChoice, IncludeChoice, MarkdownChoice, ProfileChoice, RuleChoice,
    StatusChoice, TextChoice,
};
use super::lists::one_or_more;
#[cfg(feature = "flags")]
use super::values;
#[cfg(feature = "flags")]
use huller_extract::EXTRACTORS;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// An option as the documents of other interfaces list it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigOption {
    /// Its name, with `_` between words.
    pub name: &'static str,
    /// Its help, whose lines each begin with a space.
    pub doc: &'static str,
    /// The Rust type of its values, such as `bool` or `Vec<String>`.
    pub value_type: &'static str,
}

/// Defines the struct, and the code that treats every field alike. `#[flag(…)]` is passed to clap
/// where there are flags. A default in it is only shown in the help (see `Flags`).
macro_rules! options {
    (
        $(#[$about:meta])* pub struct $Config:ident {
            $($(#[doc = $doc:literal])+ $(#[serde($($serde:tt)*)])? #[flag($($flag:tt)*)] pub $name:ident: $Type:ty,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "flags", derive(clap::Args))]
        #[serde(default, deny_unknown_fields)]
        pub struct $Config {
            $(
                $(#[doc = $doc])+
                $(#[serde($($serde)*)])?
                #[cfg_attr(feature = "flags", arg($($flag)*))]
                pub $name: Option<$Type>,
            )+
        }

        impl $Config {
            /// All options, in the order of the help.
            pub const OPTIONS: &[ConfigOption] = &[
                $(ConfigOption {
                    name: stringify!($name),
                    doc: concat!($($doc),+),
                    value_type: stringify!($Type),
                }),+
            ];

            /// Returns this configuration, completed by `lower` where an option is absent.
            ///
            /// ```
            /// use huller_pipeline::Config;
            ///
            /// let file = Config { min_chars: Some(200), judge: Some(true), ..Config::default() };
            /// let flags = Config { min_chars: Some(50), ..Config::default() };
            /// let both = flags.or(file);
            /// assert_eq!((both.min_chars, both.judge), (Some(50), Some(true)));
            /// ```
            #[must_use]
            pub fn or(self, lower: $Config) -> $Config {
                $Config { $($name: self.$name.or(lower.$name)),+ }
            }

            /// Removes every option whose name `is_kept` refuses.
            pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
                $(if !is_kept(stringify!($name)) {
                    self.$name = None;
                })+
            }
        }
    };
}

options! {
    /// The options for the rows of a run. `None` is an option that was not given.
    ///
    /// Names are those of flags (with `_` for `-`), of Python's keywords, and of
    /// [`_huller/run.config`](crate#what-is-on-disk-when).
    pub struct Config {
        /// Extractor of the main text, see `huller extractors`. `auto` is the default one, `all`
        /// are all of them. With several, split by commas, each row has all `texts`, and the first
        /// is its `text`
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, visible_alias = "extractors", value_name = "NAME", default_value = EXTRACTORS[0].name(), value_delimiter = ',', value_parser = values::extractor)]
        pub extractor: Vec<String>,
        /// Text of a row, with several extractors: that of the `first`, the first one `surviving`
        /// all stages, the `longest`, or the one with the highest `expected` F1. Rows have `texts`
        /// only with `first`
        #[flag(long, value_enum, value_name = "RULE", default_value = "first")]
        pub choose: RuleChoice,
        /// Settings of the extractors: `tuned` measured best, `paper` is the closest reading of the
        /// paper
        #[flag(long, value_enum, default_value = "tuned")]
        pub profile: ProfileChoice,
        /// Model for the extractor hull, nb or nb-table, or settings for dvps or ceds
        /// (docs/methods.md) [default: built in]
        #[flag(long, value_name = "FILE")]
        pub model: PathBuf,
        /// Phrases of search forms, rows of buttons and the like, one per line. They are added to
        /// the built-in phrases, for the roles of --blocks and for dvps
        #[flag(long, value_name = "FILE")]
        pub thesaurus: PathBuf,
        /// Parts that the text includes besides the body: headline, author and date, comments that
        /// the extractor keeps apart, captions of figures [default: none]
        #[flag(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
        pub include: Vec<IncludeChoice>,
        /// Skip pages judged to have no main content: by `pvalue` if it is listed, else by the
        /// first extractor
        #[flag(long, action = clap::ArgAction::SetTrue)]
        pub judge: bool,
        /// Skip pages whose text has fewer than N characters
        #[flag(long, value_name = "N", default_value = "0", allow_negative_numbers = true, value_parser = values::characters)]
        pub min_chars: usize,
        /// Stages that rows pass, in this order; see `huller stages` [default: none]
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Stages")]
        pub stages: Vec<String>,
        /// Named set of stages and settings; options given besides override it; see
        /// `huller stages --presets`
        #[flag(long, value_name = "NAME", help_heading = "Stages")]
        pub preset: String,
        /// Keep texts in these languages, by ISO 639-3 codes such as zho,eng. Adds the stage
        /// `language` if it is not among the stages
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, value_name = "CODES", value_delimiter = ',', help_heading = "Stages")]
        pub lang: Vec<String>,
        /// Setting of a stage, such as `gopher-quality.min_words=30`; may be given several times
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, value_name = "STAGE.SETTING=VALUE", help_heading = "Stages")]
        pub set: Vec<String>,
        /// Leave out the pages that were withdrawn from other corpora: folders from which
        /// `huller withdraw` removed pages, or their files of tombstones [default: none]
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, value_name = "PATHS", value_delimiter = ',')]
        pub withdrawn: Vec<PathBuf>,
        /// Add to each row the figures behind the decisions of the stages
        #[flag(long, action = clap::ArgAction::SetTrue, help_heading = "Stages")]
        pub signals: bool,
        /// Add to each row what the page states about its use: `noindex`, `noai`, reservations,
        /// licences; see `docs/rights.md`. The stage `rights` adds it too
        #[flag(long, action = clap::ArgAction::SetTrue)]
        pub rights: bool,
        /// HTTP responses to take: `ok` takes those with a 2xx status or none, `any` takes all
        #[flag(long, value_enum, value_name = "WHICH", default_value = "ok")]
        pub status: StatusChoice,
        /// End after N rows [default: no limit]
        #[flag(long, value_name = "N", allow_negative_numbers = true, value_parser = values::rows)]
        pub limit: u64,
        /// Parts that the texts leave out: numbers and indentation of lists, empty lines of verse
        /// and code, marks of superscripts and subscripts, or the headline of an article
        /// [default: none]
        #[flag(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
        pub text_without: Vec<TextChoice>,
        /// Add the main text as Markdown to each row
        #[flag(long, action = clap::ArgAction::SetTrue)]
        pub markdown: bool,
        /// Parts that the Markdown leaves out: URLs of links, images [default: none]
        #[flag(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
        pub markdown_without: Vec<MarkdownChoice>,
        /// Add the main text as clean HTML to each row: no scripts, styles or forms, absolute URLs
        #[flag(long, action = clap::ArgAction::SetTrue)]
        pub html: bool,
        /// Add the source HTML of the selection to each row
        #[flag(long, action = clap::ArgAction::SetTrue)]
        pub source_html: bool,
        /// List the blocks of the page in each row: path, role, figures, kept or not, and the
        /// scores of the extractors
        #[flag(long, action = clap::ArgAction::SetTrue)]
        pub blocks: bool,
        /// Compute the payload's SHA-1 if the record does not give it
        #[flag(long, action = clap::ArgAction::SetTrue)]
        pub digest: bool,
        /// Format of the outputs. With several, split by commas, each input has one file per
        /// format; see `docs/formats.md`
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, value_enum, value_name = "NAMES", default_value = "jsonl", value_delimiter = ',', help_heading = "Outputs")]
        pub format: Vec<FormatChoice>,
        /// Write the JSON objects that another tool reads: dolma, datatrove, fineweb, ccnet,
        /// anserini, `es-bulk`, quickwit, vespa or qdrant
        #[flag(long, value_name = "NAME", help_heading = "Outputs")]
        pub schema: String,
        /// Write only these fields, in the order of `docs/rows.md` [default: all]
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Outputs")]
        pub fields: Vec<String>,
        /// Index name in `es-bulk` lines [default: from the request URL]; document type in `vespa`
        /// lines [default: page]
        #[flag(long, value_name = "NAME", help_heading = "Outputs")]
        pub es_index: String,
        /// Line after each page of `--format text` [default: an empty line]
        #[flag(long, value_name = "LINE", help_heading = "Outputs")]
        pub separator: String,
        /// Add Bloom filters of `id` and `url` to Parquet, so that readers can skip row groups
        #[flag(long, action = clap::ArgAction::SetTrue, help_heading = "Outputs")]
        pub bloom_filters: bool,
        /// Write the text of each page after its record, as a `conversion` record, in `--format
        /// warc`
        #[flag(long, action = clap::ArgAction::SetTrue, help_heading = "Outputs")]
        pub conversions: bool,
        /// Write several files per input, each of at most N rows; see `docs/formats.md` [default:
        /// one file]
        #[flag(long, value_name = "N", value_parser = values::rows, help_heading = "Outputs")]
        pub rows_per_file: u64,
        /// Write several files per input, each of at most SIZE bytes [default: one file]
        #[flag(long, value_name = "SIZE", value_parser = values::bytes, help_heading = "Outputs")]
        pub bytes_per_file: usize,
        /// Compression of the output [default: zstd, gzip for wet and warc, none for `-o -`]
        #[flag(long, value_enum, value_name = "HOW", help_heading = "Outputs")]
        pub compress: CompressChoice,
        /// Compression level [default: 1 for zstd, 6 for gzip]
        #[flag(long, value_name = "N", allow_negative_numbers = true, help_heading = "Outputs")]
        pub level: i32,
        /// Write the passages of the rows too, for search indexes and embeddings: one file in DIR
        /// for each file of rows; see `docs/passages.md` [default: none]
        #[flag(long, value_name = "DIR", help_heading = "Passages")]
        pub passages: PathBuf,
        /// Format of the passages [default: the first format of the rows that has fields]
        #[flag(long, value_enum, value_name = "NAME", help_heading = "Passages")]
        pub passages_format: FormatChoice,
        /// Write passages as the loader of an engine reads them: `es-bulk`, quickwit, vespa or
        /// qdrant
        #[flag(long, value_name = "NAME", help_heading = "Passages")]
        pub passages_schema: String,
        /// Setting of the splitter, such as `max_tokens=200`; may be given several times
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, value_name = "SETTING=VALUE", help_heading = "Passages")]
        pub passages_set: Vec<String>,
        /// Write the links of the pages too, each with its target, text and role: one file in DIR
        /// for each file of rows; see `docs/links.md` [default: none]
        #[flag(long, value_name = "DIR", help_heading = "Links and hard pages")]
        pub links: PathBuf,
        /// Format of the links [default: the first format of the rows that has fields]
        #[flag(long, value_enum, value_name = "NAME", help_heading = "Links and hard pages")]
        pub links_format: FormatChoice,
        /// Write the pages with a low score as numbered blocks too, for a model of your own: one
        /// file in DIR for each file of rows; see `docs/escalation.md` [default: none]
        #[flag(long, value_name = "DIR", help_heading = "Links and hard pages")]
        pub escalate: PathBuf,
        /// The score below which pages are escalated, such as 0.6. The default extractor's score is
        /// the expected F1 of the text, 0 to 1
        #[flag(long, value_name = "SCORE", allow_negative_numbers = true, help_heading = "Links and hard pages")]
        pub below: f64,
        /// Key of the page in JSONL inputs [default: html, h, content, `raw_content`, body]
        #[flag(long, value_name = "KEY", help_heading = "JSONL inputs")]
        pub html_key: String,
        /// Key of the URL [default: url, u, `warc_url`]
        #[flag(long, value_name = "KEY", help_heading = "JSONL inputs")]
        pub url_key: String,
        /// Key of the identifier [default: id]
        #[flag(long, value_name = "KEY", help_heading = "JSONL inputs")]
        pub id_key: String,
        /// Keys whose values each row has under `source`, exactly as in the line
        #[serde(deserialize_with = "one_or_more")]
        #[flag(long, value_name = "KEYS", value_delimiter = ',', help_heading = "JSONL inputs")]
        pub keep_keys: Vec<String>,
        /// Cut pages after SIZE bytes; the row is marked `truncated`
        #[flag(long, value_name = "SIZE", default_value = "16M", value_parser = values::bytes, help_heading = "Limits")]
        pub max_page_bytes: usize,
        /// Skip records longer than SIZE bytes
        #[flag(long, value_name = "SIZE", default_value = "128M", value_parser = values::bytes, help_heading = "Limits")]
        pub max_record_bytes: usize,
        /// Refuse WARC and HTTP headers longer than SIZE bytes
        #[flag(long, value_name = "SIZE", default_value = "16M", value_parser = values::bytes, help_heading = "Limits")]
        pub max_header_bytes: usize,
        /// Skip pages whose decoded HTTP body is longer than SIZE bytes
        #[flag(long, value_name = "SIZE", default_value = "128M", value_parser = values::bytes, help_heading = "Limits")]
        pub max_body_bytes: usize,
        /// Skip pages whose HTTP body grows to more than N times its size when decoded
        #[flag(long, value_name = "N", default_value = "1000", help_heading = "Limits")]
        pub max_decode_ratio: usize,
        /// Maximum number of content encodings of one body
        #[flag(long, value_name = "N", default_value = "4", help_heading = "Limits")]
        pub max_encodings: usize,
        /// Largest zstd window in bytes, as a power of two: LOG is the exponent
        #[flag(long, value_name = "LOG", default_value = "27", value_parser = clap::value_parser!(u32).range(10..=31), help_heading = "Limits")]
        pub max_zstd_window: u32,
    }
}
