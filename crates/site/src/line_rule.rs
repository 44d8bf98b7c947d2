//! Decides which rows and lines count.

use huller_corpus::{CorpusRow, RowKeys};
use huller_provenance::Host;
use huller_refine::{LineHasher, MAX_SITE_LINE_BYTES, Reason, RejectionKind};
use serde::Deserialize;
use std::borrow::Cow;
use std::iter;

/// The rows and lines that count.
#[derive(Clone, Debug)]
pub(crate) struct LineRule {
    keys: RowKeys,
    /// Fewest Unicode scalars of a line.
    chars: u64,
    no_url: Reason,
    no_host: Reason,
}

/// The host and the texts of a row.
pub(crate) struct HostText<'a> {
    pub(crate) host: String,
    pub(crate) text: Cow<'a, str>,
    /// The blocks of the page, if the row has them.
    blocks: Vec<Block>,
    hasher: LineHasher,
}

/// A block of a page. The extractor may have left it out of the text.
#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    text: String,
}

/// The field with the blocks of a page.
const BLOCKS: &str = "blocks";

impl LineRule {
    /// Makes the rule. `None` if the table of reasons is full.
    pub(crate) fn new(keys: &RowKeys, chars: u64) -> Option<LineRule> {
        let skipped = |name| Reason::named(name, RejectionKind::Skipped);
        let (no_url, no_host) = (skipped("no_url")?, skipped("no_host")?);
        Some(LineRule { keys: keys.clone(), chars, no_url, no_host })
    }

    /// Reads a row.
    ///
    /// # Errors
    ///
    /// The reason why the row is skipped.
    pub(crate) fn read<'a>(&self, row: &'a [u8]) -> Result<HostText<'a>, Reason> {
        let row = CorpusRow::parse(row).map_err(|fault| fault.reason)?;
        let text = row.text(&self.keys).map_err(|fault| fault.reason)?.text;
        let url = row.url(&self.keys).ok_or(self.no_url)?;
        // The reader of the list has the name alone. Names in other schemes may be odd.
        let is_name = |host: &Host<'_>| Host::parse(host.as_str()).as_ref() == Some(host);
        let host = Host::from_url(&url).filter(is_name).ok_or(self.no_host)?;
        let hasher = LineHasher::new(&host, self.chars);
        let blocks = row.field_json(BLOCKS).unwrap_or_default();
        Ok(HostText { host: host.as_str().to_owned(), text, blocks, hasher })
    }
}

impl HostText<'_> {
    /// Returns the hash of the host.
    pub(crate) fn host_hash(&self) -> u64 {
        self.hasher.host_hash()
    }

    /// Returns the lines that count, without white space at their ends, and their hashes.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, &str)> {
        let texts =
            iter::once(&*self.text).chain(self.blocks.iter().map(|block| block.text.as_str()));
        texts.flat_map(|text| text.split('\n')).filter_map(|line| {
            let line = line.trim();
            let is_short = line.len() <= MAX_SITE_LINE_BYTES;
            self.hasher.hash(line).filter(|_| is_short).map(|hash| (hash, line))
        })
    }
}
