//! The fields of an index.
//!
//! The index stores texts in tantivy's compressed store. A snippet needs the text, but files of
//! rows are compressed as a whole. To read a row in the middle, a reader would have to read all
//! rows before it. The place of the row in its file is also stored.
//!
//! At most 256 KiB of a text and 64 KiB of another field are stored, so that a hit needs a few
//! megabytes at most.

use crate::analysis::{Analysis, NAME};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{LowerCaser, SimpleTokenizer, TextAnalyzer, TokenizerManager};
use tantivy::{Index, IndexSettings};

/// Name of the tokenizer of URLs.
const ADDRESS: &str = "huller-address";

/// The fields of the index. Each has its name here in the index.
#[derive(Clone)]
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    /// Words of the title, of the text and of the author: with positions, not stored.
    pub(crate) title_words: Field,
    pub(crate) text_words: Field,
    pub(crate) author_words: Field,
    /// Words of the URL: letters and digits.
    pub(crate) url_words: Field,
    /// The host, and the domains above it.
    pub(crate) host: Field,
    pub(crate) language: Field,
    pub(crate) page_type: Field,
    /// The whole host, for counts.
    pub(crate) site: Field,
    /// Seconds since 1970.
    pub(crate) date: Field,
    pub(crate) published: Field,
    pub(crate) id: Field,
    /// File and place of the row, the key for deletion.
    pub(crate) row: Field,
    /// A hash of the `id`, which orders hits with equal scores.
    pub(crate) rank: Field,
    /// A hash of the page's `id`, in indexes of passages. It groups the passages of a page.
    pub(crate) page: Field,
    /// Fields that are stored for display only.
    pub(crate) url: Field,
    pub(crate) title: Field,
    pub(crate) text: Field,
    /// The bytes of the whole text.
    pub(crate) text_bytes: Field,
    pub(crate) author: Field,
    pub(crate) date_text: Field,
    pub(crate) published_text: Field,
    pub(crate) warc_filename: Field,
    pub(crate) warc_record_offset: Field,
    pub(crate) parent_id: Field,
    pub(crate) ordinal: Field,
    pub(crate) anchor: Field,
    pub(crate) headings: Field,
}

/// Name of the field `rank`, for sorting.
pub(crate) const RANK: &str = "rank";

/// Name of the field `page`, for grouping.
pub(crate) const PAGE: &str = "page";

/// Names of the fields whose values are counted.
pub(crate) const LANGUAGE: &str = "language";
pub(crate) const PAGE_TYPE: &str = "page_type";
pub(crate) const SITE: &str = "site";

impl Fields {
    pub(crate) fn new() -> Fields {
        let mut schema = Schema::builder();
        let words = |tokenizer: &str, option| {
            let indexing = TextFieldIndexing::default();
            let indexing = indexing.set_tokenizer(tokenizer).set_index_option(option);
            TextOptions::default().set_indexing_options(indexing)
        };
        let placed = || words(NAME, IndexRecordOption::WithFreqsAndPositions);
        let raw = || {
            let indexing = TextFieldIndexing::default().set_tokenizer("raw");
            let indexing = indexing.set_index_option(IndexRecordOption::Basic);
            TextOptions::default().set_indexing_options(indexing.set_fieldnorms(false))
        };
        Fields {
            title_words: schema.add_text_field("title_words", placed()),
            text_words: schema.add_text_field("text_words", placed()),
            author_words: schema.add_text_field("author_words", placed()),
            url_words: schema.add_text_field(
                "url_words",
                words(ADDRESS, IndexRecordOption::WithFreqsAndPositions),
            ),
            host: schema.add_text_field("host", raw()),
            language: schema.add_text_field(LANGUAGE, raw().set_stored().set_fast("raw")),
            page_type: schema.add_text_field(PAGE_TYPE, raw().set_stored().set_fast("raw")),
            site: schema.add_text_field(SITE, TextOptions::default().set_fast("raw")),
            date: schema.add_i64_field("date", INDEXED | FAST),
            published: schema.add_i64_field("published", INDEXED | FAST),
            id: schema.add_text_field("id", raw().set_stored()),
            row: schema.add_text_field("row", raw().set_stored()),
            rank: schema.add_u64_field(RANK, FAST),
            page: schema.add_u64_field(PAGE, FAST),
            url: schema.add_text_field("url", STORED),
            title: schema.add_text_field("title", STORED),
            text: schema.add_text_field("text", STORED),
            text_bytes: schema.add_u64_field("text_bytes", STORED),
            author: schema.add_text_field("author", STORED),
            date_text: schema.add_text_field("date_text", STORED),
            published_text: schema.add_text_field("published_text", STORED),
            warc_filename: schema.add_text_field("warc_filename", STORED),
            warc_record_offset: schema.add_u64_field("warc_record_offset", STORED),
            parent_id: schema.add_text_field("parent_id", STORED),
            ordinal: schema.add_u64_field("ordinal", STORED),
            anchor: schema.add_text_field("anchor", STORED),
            headings: schema.add_text_field("headings", STORED),
            schema: schema.build(),
        }
    }

    /// Returns the settings of a new index.
    pub(crate) fn settings() -> IndexSettings {
        IndexSettings::default()
    }
}

/// Registers the tokenizers of the fields.
pub(crate) fn register(index: &mut Index) {
    let tokenizers = TokenizerManager::default();
    tokenizers.register(NAME, TextAnalyzer::builder(Analysis::default()).build());
    let address = TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser);
    tokenizers.register(ADDRESS, address.build());
    index.set_tokenizers(tokenizers);
}

/// Returns the words of a URL, as the index has them.
pub(crate) fn address_words(url: &str) -> Vec<String> {
    let words = url.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word.chars().flat_map(char::to_lowercase).collect()).collect()
}
