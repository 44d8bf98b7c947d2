//! Drops pages by their URL, before they are parsed.

use crate::block_list::BlockList;
use crate::documented::documented;
use crate::invalid::InvalidSettings;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use regex::RegexSet;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

documented! {
    /// Settings of [`Url`]. All are empty by default. The URL of a page without one is
    /// empty, so `include` may drop it.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct UrlSettings {
        /// Keep only URLs that match one of these regular expressions anywhere. Default: empty,
        /// which means all.
        pub include: Vec<String>,
        /// Drop URLs that match one of these regular expressions anywhere. Default: none.
        pub exclude: Vec<String>,
        /// Drop URLs on these lists: files with a host or URL prefix per line, hosts files, or
        /// lists of Adblock (`||host^`), plain, gzip or zstd. Or folders with files `domains` and
        /// `urls` in the layout of UT1 (University of Toulouse). Default: none.
        pub block_lists: Vec<PathBuf>,
    }
}

/// Drops pages by patterns of their URL and by block lists.
#[derive(Clone, Debug)]
pub struct Url(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    settings: UrlSettings,
    include: RegexSet,
    exclude: RegexSet,
    block_list: BlockList,
    /// Digest of the entries of all lists, independent of the names of the files.
    digest: String,
    reasons: [Reason; 3],
}

impl Url {
    /// Creates the stage with these settings, and reads the lists.
    ///
    /// # Errors
    ///
    /// If a pattern is not a valid regular expression, or a list cannot be read.
    pub fn new(settings: UrlSettings) -> Result<Url, InvalidSettings> {
        let compile = |setting, patterns: &[String]| {
            RegexSet::new(patterns)
                .map_err(|error| InvalidSettings::new(setting, error.to_string()))
        };
        let include = compile("include", &settings.include)?;
        let exclude = compile("exclude", &settings.exclude)?;
        let mut block_list = BlockList::default();
        for path in &settings.block_lists {
            block_list
                .read(path)
                .map_err(|error| InvalidSettings::new("block_lists", error.to_string()))?;
        }
        block_list.finish();
        let digest = block_list.digest();
        let reasons = Reason::register_for_stage("url", ["not_included", "excluded", "block_list"]);
        Ok(Url(Arc::new(SharedStage { settings, include, exclude, block_list, digest, reasons })))
    }
}

impl Stage for Url {
    fn name(&self) -> &'static str {
        "url"
    }

    fn fingerprint(&self) -> serde_json::Value {
        let SharedStage { settings, digest, .. } = &*self.0;
        let patterns = serde_json::json!([settings.include, settings.exclude]);
        super::fingerprint(2, &serde_json::json!({ "patterns": patterns, "entries": digest }))
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Address
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(self.clone())
    }
}

impl RowStage for Url {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let SharedStage { include, exclude, block_list, reasons, .. } = &*self.0;
        let url = row_in_progress.url.unwrap_or_default();
        if !include.is_empty() && !include.is_match(url) {
            Decision::Drop(reasons[0])
        } else if exclude.is_match(url) {
            Decision::Drop(reasons[1])
        } else if block_list.blocks(url) {
            Decision::Drop(reasons[2])
        } else {
            Decision::Keep
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    #[test]
    fn addresses_are_included_excluded_and_looked_up() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.txt");
        std::fs::write(&file, "ads.test\n").unwrap();
        let settings = UrlSettings {
            include: vec![r"\.test(/|$)".to_owned()],
            exclude: vec!["/tag/".to_owned(), r"(?i)\.PDF$".to_owned()],
            block_lists: vec![file.clone()],
        };
        let stage = Url::new(settings.clone()).unwrap();
        for (url, expected) in [
            (Some("http://a.test/x"), None),
            (Some("http://a.org/x"), Some("url:not_included")),
            (None, Some("url:not_included")),
            (Some("http://a.test/tag/x"), Some("url:excluded")),
            (Some("http://a.test/x.pdf"), Some("url:excluded")),
            (Some("http://b.ads.test/"), Some("url:block_list")),
        ] {
            let (mut text, mut signals) = (Text::default(), Signals::disabled());
            let row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
            let reason = match stage.worker().apply(&mut RowInProgress { url, ..row_in_progress }) {
                Decision::Keep => None,
                Decision::Drop(reason) => Some(reason.name()),
            };
            assert_eq!(reason, expected, "{url:?}");
        }
        std::fs::write(&file, "more.test\n").unwrap();
        assert_ne!(stage.fingerprint(), Url::new(settings).unwrap().fingerprint());
        let wrong = UrlSettings { exclude: vec!["(".to_owned()], ..UrlSettings::default() };
        assert_eq!(Url::new(wrong).unwrap_err().setting, "exclude");
    }
}
