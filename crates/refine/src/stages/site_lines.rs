//! Leaves out lines that recur on the pages of a host: author bios, teasers, notices, share texts.
//!
//! One page alone cannot show them. `huller site-lines` counts the lines of a corpus and writes a
//! list, and this stage takes the list. It keeps the headline of a page, which other pages of the
//! host may quote in teasers.

use crate::documented::documented;
use crate::invalid::InvalidSettings;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::site_line_list::{SiteLineList, SiteLineListError};
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use huller_provenance::Host;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// The field with the headline of a page.
const TITLE_FIELD: &str = "title";

documented! {
    /// Settings of [`SiteLines`].
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct SiteLinesSettings {
        /// The lists of lines, as `huller site-lines` writes them. No default.
        pub lists: Vec<PathBuf>,
        /// Leave out only lines that are on at least so many different pages. Default 0: all lines
        /// of the lists.
        pub min_pages: u64,
    }
}

/// Leaves out lines that recur on the pages of a host. Drops no row.
#[derive(Clone, Debug)]
pub struct SiteLines(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    list: SiteLineList,
    /// Digest of the lines, independent of the names of the files.
    digest: String,
}

impl SiteLines {
    /// Creates the stage with these settings, and reads the lists.
    ///
    /// # Errors
    ///
    /// There is no list, or a list cannot be used.
    pub fn new(settings: SiteLinesSettings) -> Result<SiteLines, InvalidSettings> {
        let SiteLinesSettings { lists, min_pages } = settings;
        if lists.is_empty() {
            let problem = "no list is given; write one with `huller site-lines`, and give it with \
                           --set 'site-lines.lists=[\"site-lines.jsonl.zst\"]'";
            return Err(InvalidSettings::new("lists", problem));
        }
        let mut list = SiteLineList::default();
        for path in lists {
            let read = list.read(&path, min_pages, SiteLineList::MAX_LINES);
            read.map_err(|error| {
                let problem = match error {
                    // The message of the reader names the file.
                    SiteLineListError::Archive(error) => error.to_string(),
                    error => format!("'{}': {error}", path.display()),
                };
                InvalidSettings::new("lists", problem)
            })?;
        }
        list.finish();
        let digest = list.digest();
        Ok(SiteLines(Arc::new(SharedStage { list, digest })))
    }
}

impl Stage for SiteLines {
    fn name(&self) -> &'static str {
        "site-lines"
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &serde_json::json!({ "lines": self.0.digest }))
    }

    fn reasons(&self) -> &[Reason] {
        &[]
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn fields(&self) -> Vec<&str> {
        vec![TITLE_FIELD]
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(self.clone())
    }
}

impl RowStage for SiteLines {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let RowInProgress { url, fields, text, signals, .. } = row_in_progress;
        let host = url.and_then(Host::from_url);
        let lines = host.map(|host| self.0.list.of_host(&host)).filter(|lines| !lines.is_empty());
        let removed = lines.map_or(0, |lines| {
            let title = fields.and_then(|fields| fields.text(TITLE_FIELD));
            let title = title.and_then(|title| lines.hash(&title));
            let first_hash = text.as_str().split('\n').find_map(|line| lines.hash(line));
            text.remove_lines(|line| {
                let is_headline = |hash| Some(hash) == title || Some(hash) == first_hash;
                lines.hash(line).is_some_and(|hash| lines.has(hash) && !is_headline(hash))
            })
        });
        signals.record("site_lines.removed", f64::from(removed));
        Decision::Keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_fields::RowFields;
    use crate::signals::Signals;
    use crate::text::Text;
    use std::borrow::Cow;
    use std::fs;
    use std::path::Path;

    /// A row with this title.
    struct Titled(&'static str);

    impl RowFields for Titled {
        fn text(&self, name: &str) -> Option<Cow<'_, str>> {
            (name == "title").then_some(Cow::Borrowed(self.0))
        }
    }

    fn stage(folder: &Path, lines: &[&str]) -> SiteLines {
        let path = folder.join("list.jsonl");
        let row = |line: &&str| {
            format!("{}\n", serde_json::json!({"host": "a.test", "line": line, "pages": 6}))
        };
        fs::write(&path, lines.iter().map(row).collect::<String>()).unwrap();
        SiteLines::new(SiteLinesSettings { lists: vec![path], min_pages: 0 }).unwrap()
    }

    fn cleaned(stage: &SiteLines, url: Option<&str>, title: &'static str, content: &str) -> String {
        let (mut text, mut signals, title) = (Text::default(), Signals::disabled(), Titled(title));
        text.begin().push_str(content);
        let row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
        let fields = Some(&title as &dyn RowFields);
        let decision = stage.worker().apply(&mut RowInProgress { url, fields, ..row_in_progress });
        assert_eq!(decision, Decision::Keep);
        text.as_str().to_owned()
    }

    #[test]
    fn listed_lines_go_and_headlines_stay() {
        let folder = tempfile::tempdir().unwrap();
        let stage = stage(folder.path(), &["Share it", "The ferry", "About Ann"]);
        let url = Some("http://A.test/1");
        for (title, text, expected) in [
            ("", "Rain.\n Share it \n\nSun.\nAbout Ann", "Rain.\n\nSun."),
            ("", "The ferry\nRain.\nThe ferry\nShare it", "The ferry\nRain.\nThe ferry"),
            (" The ferry", "Ann\nThe ferry\nShare it\nRain.", "Ann\nThe ferry\nRain."),
            ("Share it", "Share it", "Share it"),
            ("", "\n \nAbout Ann\nShare it\n", "\n \nAbout Ann"),
            ("", "Rain.\nShare it with all", "Rain.\nShare it with all"),
            ("", "", ""),
        ] {
            assert_eq!(cleaned(&stage, url, title, text), expected, "{text}");
        }
        let text = "Rain.\nShare it";
        for url in [None, Some("http://b.test/1"), Some("mailto:a@a.test"), Some("")] {
            assert_eq!(cleaned(&stage, url, "", text), text, "{url:?}");
        }
    }

    #[test]
    fn the_fingerprint_is_that_of_the_lines() {
        let folder = tempfile::tempdir().unwrap();
        let of = |lines: &[&str]| stage(folder.path(), lines).fingerprint();
        assert_eq!(of(&["a", "b"]), of(&["b", "a", "a"]));
        assert_ne!(of(&["a", "b"]), of(&["a"]));
        assert_eq!(cleaned(&stage(folder.path(), &[]), Some("http://a.test/"), "", "a"), "a");
        let settings = SiteLinesSettings { lists: vec![folder.path().into()], min_pages: 0 };
        let error = SiteLines::new(settings).unwrap_err();
        assert_eq!(error.setting, "lists");
        let error = SiteLines::new(SiteLinesSettings::default()).unwrap_err().to_string();
        assert!(error.contains("huller site-lines"), "{error}");
    }

    #[test]
    fn a_long_line_and_a_million_equal_lines_take_linear_time() {
        let folder = tempfile::tempdir().unwrap();
        let stage = stage(folder.path(), &["Share it"]);
        let url = Some("http://a.test/1");
        let long = "x".repeat(10 << 20);
        assert_eq!(cleaned(&stage, url, "", &long), long);
        let many = format!("Rain.\n{}Sun.", "Share it\n".repeat(1_000_000));
        assert_eq!(cleaned(&stage, url, "", &many), "Rain.\nSun.");
    }
}
