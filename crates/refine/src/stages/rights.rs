//! Annotates and drops pages by what their owners state about the use of them.
//!
//! The crate [`huller_rights`] reads the statements, and `docs/rights.md` lists them. A row has
//! those of its page in the field `rights`. This stage adds those of the files of its server, and
//! decides. A statement counts if it concerns all robots or a robot whose name the user gives.

use crate::crawl_files;
use crate::documented::documented;
use crate::first_failure::FirstFailure;
use crate::invalid::InvalidSettings;
use crate::reason::Reason;
use crate::rejection_kind::RejectionKind;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use huller_rights::{CrawlRights, Signal, Statement, license_matches, read_statements};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

documented! {
    /// Settings of [`Rights`]. By default it drops no pages.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct RightsSettings {
        /// Names of robots for which the corpus answers, such as `GPTBot`. A statement that names
        /// another robot drops nothing. `*` alone is a robot that no owner names.
        pub agents: Vec<String>,
        /// Drop pages with one of these signals: `noindex`, `noai`, `noimageai`, `nosnippet`,
        /// `noarchive`, `nocache`, `unavailable_after`, `tdm-reservation`, `disallow`, `ai-train`,
        /// `ai-input`, `search`. Default: none.
        pub drop: Vec<String>,
        /// Keep only pages with one of these licences, such as `CC-BY-*` or `CC0-1.0`. `*` stands
        /// for any characters. Default: empty, which means all pages.
        pub keep_licenses: Vec<String>,
        /// Archives, or folders of archives, with the records of `robots.txt` and `tdmrep.json`:
        /// those of the crawl itself, or the `robotstxt` archives of Common Crawl. Default: none.
        pub robots: Vec<PathBuf>,
    }
}

impl Default for RightsSettings {
    fn default() -> RightsSettings {
        RightsSettings {
            agents: vec!["*".to_owned()],
            drop: Vec::new(),
            keep_licenses: Vec::new(),
            robots: Vec::new(),
        }
    }
}

/// Annotates pages with the statements of their servers, and drops pages by statements and
/// licences.
#[derive(Clone, Debug)]
pub struct Rights(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    settings: RightsSettings,
    drops: Vec<(Signal, Reason)>,
    license_reason: Option<Reason>,
    reasons: Vec<Reason>,
    /// The files of the servers. `None` if the settings name no archives.
    crawl: Option<CrawlRights>,
    /// Digest of these files.
    digest: Option<String>,
}

/// The name of the row's field.
const FIELD: &str = "rights";

/// The name of the figure: how many statements refuse a use to the robots of the settings.
const REFUSALS: &str = "rights.refusals";

impl Rights {
    /// Creates the stage with these settings, and reads the files of the servers.
    ///
    /// # Errors
    ///
    /// A signal is unknown, there is no robot, or an archive cannot be read.
    pub fn new(settings: RightsSettings) -> Result<Rights, InvalidSettings> {
        let is_name = |name: &String| !name.trim().is_empty();
        if settings.agents.is_empty() || !settings.agents.iter().all(is_name) {
            return Err(InvalidSettings::new("agents", "give names of robots, or `*` alone"));
        }
        let mut drops = Vec::new();
        for name in &settings.drop {
            let known = Signal::refusals().iter().find(|(known, _)| known == name);
            let Some((name, signal)) = known else {
                let names: Vec<_> = Signal::refusals().iter().map(|(name, _)| *name).collect();
                let problem =
                    format!("no signal '{name}' refuses a use: give {}", names.join(", "));
                return Err(InvalidSettings::new("drop", problem));
            };
            drops.push((*signal, reason(name)?));
        }
        let has_licenses = !settings.keep_licenses.is_empty();
        let license_reason = has_licenses.then(|| reason("license")).transpose()?;
        let reasons = drops.iter().map(|(_, reason)| *reason).chain(license_reason).collect();
        let crawl = match settings.robots.as_slice() {
            [] => None,
            paths => Some(
                crawl_files::read(paths, &settings.agents)
                    .map_err(|error| InvalidSettings::new("robots", error.to_string()))?,
            ),
        };
        let digest = crawl.as_ref().map(CrawlRights::digest);
        Ok(Rights(Arc::new(SharedStage {
            settings,
            drops,
            license_reason,
            reasons,
            crawl,
            digest,
        })))
    }
}

/// Registers a reason of the stage.
fn reason(name: &str) -> Result<Reason, InvalidSettings> {
    Reason::named(&format!("rights:{name}"), RejectionKind::Skipped)
        .ok_or_else(|| InvalidSettings::new("drop", "too many reasons"))
}

impl SharedStage {
    /// Returns the statements of the files of the server that the row does not list yet.
    fn server_statements(
        &self,
        url: Option<&str>,
        listed: &[Statement<'_>],
    ) -> Vec<Statement<'static>> {
        let mut new_statements: Vec<Statement<'static>> = Vec::new();
        if let (Some(crawl), Some(url)) = (&self.crawl, url) {
            crawl.for_each_statement(url, |statement| {
                if !listed.contains(&statement) && !new_statements.contains(&statement) {
                    new_statements.push(statement.into_owned());
                }
            });
        }
        new_statements
    }

    fn decide(&self, statements: &[Statement<'_>], is_thorough: bool) -> Decision {
        let mut failure = FirstFailure::new(is_thorough);
        for (signal, reason) in &self.drops {
            if failure.note_rule(self.is_refused(*signal, statements), *reason) {
                return failure.decision();
            }
        }
        if let Some(reason) = self.license_reason {
            let is_kept = statements.iter().any(|statement| {
                let patterns = &self.settings.keep_licenses;
                statement.signal == Signal::License
                    && patterns.iter().any(|pattern| license_matches(pattern, &statement.value))
            });
            let _ = failure.note_rule(!is_kept, reason);
        }
        failure.decision()
    }

    /// Returns whether a statement with this signal refuses a use. Of reservations the page counts
    /// before its headers, and these before the file of the server.
    fn is_refused(&self, signal: Signal, statements: &[Statement<'_>]) -> bool {
        let mut of_signal = statements.iter().filter(|statement| statement.signal == signal);
        if signal == Signal::TdmReservation {
            let Some(source) = of_signal.clone().map(|statement| statement.source).max() else {
                return false;
            };
            return of_signal.any(|found| found.source == source && signal.refuses(&found.value));
        }
        of_signal.any(|statement| statement.refuses(&self.settings.agents))
    }
}

impl Stage for Rights {
    fn name(&self) -> &'static str {
        "rights"
    }

    fn fingerprint(&self) -> serde_json::Value {
        let SharedStage { settings, digest, .. } = &*self.0;
        let RightsSettings { agents, drop, keep_licenses, robots: _ } = settings;
        let settings = serde_json::json!({
            "agents": agents,
            "drop": drop,
            "keep_licenses": keep_licenses,
            "robots": digest,
        });
        super::fingerprint(1, &settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn fields(&self) -> Vec<&str> {
        vec![FIELD]
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(self.clone())
    }
}

impl RowStage for Rights {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let inner = &*self.0;
        let RowInProgress { url, fields, text, signals, .. } = row_in_progress;
        let field = fields.and_then(|fields| fields.text(FIELD));
        let listed = field.as_deref().map_or(Ok(Vec::new()), read_statements);
        let is_list = listed.is_ok();
        let mut statements = listed.unwrap_or_default();
        let before = statements.len();
        statements.extend(inner.server_statements(*url, &statements));
        let new = &statements[before..];
        // A value that is no list of statements stays as it is.
        if is_list && inner.crawl.is_some() {
            add_statements(field.as_deref().unwrap_or("[]"), new, text.begin_rights());
        }
        let refusals = statements.iter().filter(|found| found.refuses(&inner.settings.agents));
        signals.record(REFUSALS, refusals.count() as f64);
        inner.decide(&statements, signals.is_on())
    }
}

/// Writes a JSON list with more statements. The others keep their bytes.
fn add_statements(list: &str, new_statements: &[Statement<'_>], out: &mut String) {
    let list = list.trim();
    let list = list.strip_suffix(']').unwrap_or(list).trim_end();
    out.push_str(list);
    for (index, statement) in new_statements.iter().enumerate() {
        if index > 0 || !list.ends_with('[') {
            out.push(',');
        }
        out.push_str(&serde_json::to_string(statement).expect("plain fields"));
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_fields::RowFields;
    use crate::signals::Signals;
    use crate::text::Text;
    use huller_testkit::pack::gzip;
    use huller_testkit::warc;
    use serde_json::{Value, json};
    use std::borrow::Cow;

    /// The field of a row.
    struct Field(Option<&'static str>);

    impl RowFields for Field {
        fn text(&self, name: &str) -> Option<Cow<'_, str>> {
            self.0.filter(|_| name == "rights").map(Cow::Borrowed)
        }
    }

    fn made(settings: Value) -> Result<Rights, InvalidSettings> {
        Rights::new(serde_json::from_value(settings).unwrap())
    }

    /// Returns the reason for which the stage drops a row, the field that it sets, and the figure.
    fn applied(stage: &Rights, url: &str, field: Option<&'static str>) -> (String, String, f64) {
        let (mut text, mut signals) = (Text::default(), Signals::enabled());
        text.begin();
        let fields = Field(field);
        let row = RowInProgress::from_text(&mut text, &mut signals);
        let mut row = RowInProgress { url: Some(url), fields: Some(&fields), ..row };
        let reason = match stage.worker().apply(&mut row) {
            Decision::Keep => String::new(),
            Decision::Drop(reason) => reason.name().to_owned(),
        };
        let refusals = signals.get(REFUSALS).unwrap();
        (reason, text.rights().unwrap_or_default().to_owned(), refusals)
    }

    fn reason(settings: Value, field: &'static str) -> String {
        applied(&made(settings).unwrap(), "http://a.test/", Some(field)).0
    }

    const NOAI: &str = r#"[{"signal":"noai","value":"noai","source":"meta"},
        {"signal":"noindex","value":"noindex","source":"header","agent":"GPTBot"}]"#;

    #[test]
    fn statements_drop_pages_only_if_the_user_asks_for_it() {
        assert_eq!(reason(json!({}), NOAI), "");
        assert_eq!(reason(json!({"drop": ["noai", "noindex"]}), NOAI), "rights:noai");
        assert_eq!(reason(json!({"drop": ["noarchive", "ai-train"]}), NOAI), "");
        for (signal, _) in Signal::refusals() {
            let drops: Vec<_> = Signal::refusals().iter().map(|(name, _)| *name).collect();
            for field in ["[]", "", "{}", "null"] {
                assert_eq!(reason(json!({ "drop": drops }), field), "", "{signal}");
            }
        }
    }

    #[test]
    fn statements_for_other_robots_do_not_count() {
        let of = |agents: &[&str]| reason(json!({"drop": ["noindex"], "agents": agents}), NOAI);
        assert_eq!(of(&["*"]), "");
        assert_eq!(of(&["CCBot"]), "");
        assert_eq!(of(&["CCBot", "gptbot"]), "rights:noindex");
        let stage = made(json!({"agents": ["GPTBot"]})).unwrap();
        assert_eq!(applied(&stage, "", Some(NOAI)), (String::new(), String::new(), 2.));
    }

    #[test]
    fn of_reservations_the_page_counts_before_headers_and_files() {
        let drop = || json!({"drop": ["tdm-reservation"]});
        let file = r#"{"signal":"tdm-reservation","value":"1","source":"tdmrep.json"}"#;
        let header = r#"{"signal":"tdm-reservation","value":"0","source":"header"}"#;
        let meta = r#"{"signal":"tdm-reservation","value":"1","source":"meta"}"#;
        let of = |list: &[&str]| {
            let list: &'static str = Box::leak(format!("[{}]", list.join(",")).into());
            reason(drop(), list)
        };
        assert_eq!(of(&[file]), "rights:tdm-reservation");
        assert_eq!(of(&[file, header]), "");
        assert_eq!(of(&[meta, file, header]), "rights:tdm-reservation");
    }

    #[test]
    fn pages_with_other_licences_are_dropped() {
        const BY: &str = r#"[{"signal":"license","value":"CC-BY-4.0","source":"link"}]"#;
        let of = |patterns: &[&str], field| reason(json!({ "keep_licenses": patterns }), field);
        assert_eq!(of(&["CC0-1.0", "cc-by-*"], BY), "");
        assert_eq!(of(&["CC0-1.0"], BY), "rights:license");
        assert_eq!(of(&["*"], "[]"), "rights:license");
    }

    #[test]
    fn statements_of_the_server_are_added_and_drop_pages() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.warc.gz");
        let write = |body: &str| {
            let block = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
            let record = warc::Record::new("response", block).uri(b"http://a.test/robots.txt");
            std::fs::write(&path, gzip(&record.to_bytes())).unwrap();
        };
        write("User-agent: CCBot\nDisallow: /x\nContent-Signal: ai-train=no\n");
        let stage = |agent: &str| {
            made(json!({"robots": [path], "agents": [agent], "drop": ["disallow"]})).unwrap()
        };
        let (dropped, field, _) = applied(&stage("CCBot"), "http://a.test/x", Some(NOAI));
        let list: Vec<Value> = serde_json::from_str(&field).unwrap();
        assert_eq!((dropped.as_str(), list.len()), ("rights:disallow", 4));
        assert!(field.starts_with(NOAI.strip_suffix(']').unwrap()));
        let expected = json!({"signal": "disallow", "value": "/x", "source": "robots.txt",
            "agent": "CCBot", "file": "r.warc.gz", "offset": 0});
        assert_eq!(list[2], expected);
        // Statements are added once, and rows without any get an empty list.
        let field: &'static str = Box::leak(field.into_boxed_str());
        assert_eq!(applied(&stage("CCBot"), "http://a.test/x", Some(field)).1, field);
        let (kept, field, _) = applied(&stage("GPTBot"), "http://a.test/x", None);
        assert_eq!((kept.as_str(), field.as_str()), ("", "[]"));
        assert_eq!(applied(&stage("CCBot"), "http://b.test/x", Some("7")).1, "");
        let before = stage("CCBot").fingerprint();
        write("User-agent: *\nDisallow: /y\n");
        assert_ne!(stage("CCBot").fingerprint(), before);
        assert!(!before.to_string().contains(folder.path().to_str().unwrap()));
    }

    #[test]
    fn settings_that_cannot_be_are_refused_with_the_remedy() {
        let problem = |settings| made(settings).unwrap_err().to_string();
        let unknown = problem(json!({"drop": ["license"]}));
        assert!(
            unknown.contains("no signal 'license' refuses a use: give noindex, noai"),
            "{unknown}"
        );
        assert!(problem(json!({"agents": []})).contains("give names of robots"));
        assert!(problem(json!({"robots": ["/nowhere"]})).contains("read '/nowhere'"));
    }
}
