//! Keeps, drops or annotates rows by rules of the user: regular expressions and lists of words.
//!
//! A rule looks at the text, the title, the URL or any other text field of a row. Rules that need
//! less than the text decide earlier, so a page that they drop is never parsed or rendered.

use crate::documented::documented;
use crate::first_failure::{FirstFailure, share};
use crate::invalid::InvalidSettings;
use crate::reason::Reason;
use crate::rejection_kind::RejectionKind;
use crate::row_in_progress::RowInProgress;
use crate::signals::figure_name;
use crate::stage::{Decision, PhaseWorker, RowStage, Stage, StagePhase};
use crate::word_list::{WordList, WordSearch};
use aho_corasick::AhoCorasick;
use huller_models::ModelFile;
use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

documented! {
    /// Settings of [`Match`].
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MatchSettings {
        /// The rules, by names of your own. A rule has `patterns` (regular expressions), `words`,
        /// or `word_files` (one entry per line). `fields` are the fields to look at: `text`
        /// (default), `title`, `url` or others. `action` is `drop` (default), `keep` or `annotate`.
        /// `whole_words` (default true), `ignore_case` (default false), `min_count` (default 1) and
        /// `min_share` (default 0) say what a match is. No default.
        pub rules: BTreeMap<String, MatchRuleSettings>,
    }
}

/// Settings of one rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatchRuleSettings {
    /// The names of the fields that the rule looks at.
    #[serde(deserialize_with = "one_or_more")]
    pub fields: Vec<String>,
    /// Regular expressions, which match anywhere in a field.
    #[serde(deserialize_with = "one_or_more")]
    pub patterns: Vec<String>,
    /// Words or phrases.
    #[serde(deserialize_with = "one_or_more")]
    pub words: Vec<String>,
    /// Files of words or phrases, one per line.
    #[serde(deserialize_with = "one_or_more")]
    pub word_files: Vec<PathBuf>,
    /// The effect of the rule.
    pub action: MatchAction,
    /// Whether words match only at boundaries of words. If not, they match anywhere.
    pub whole_words: bool,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// The least number of matches in all fields together.
    pub min_count: usize,
    /// The least share of the characters of the fields that lie in matches, 0 to 1.
    pub min_share: f64,
}

impl Default for MatchRuleSettings {
    fn default() -> MatchRuleSettings {
        MatchRuleSettings {
            fields: vec![TEXT_FIELD.to_owned()],
            patterns: Vec::new(),
            words: Vec::new(),
            word_files: Vec::new(),
            action: MatchAction::Drop,
            whole_words: true,
            ignore_case: false,
            min_count: 1,
            min_share: 0.,
        }
    }
}

/// The effect of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchAction {
    /// Rows that the rule matches are dropped.
    #[default]
    Drop,
    /// Rows that the rule does not match are dropped.
    Keep,
    /// The rule only counts its matches, in the signals.
    Annotate,
}

/// Reads a string or a list of strings.
fn one_or_more<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text or a list of texts")]
    enum OneOrMore<T> {
        One(T),
        More(Vec<T>),
    }
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(one) => vec![one],
        OneOrMore::More(more) => more,
    })
}

const TEXT_FIELD: &str = "text";
const URL_FIELD: &str = "url";

/// Most matches of an expression that are counted in a field. In the worst case the next match
/// takes a look at the whole rest of the field, so that without this limit time would be quadratic.
const MAX_MATCHES: usize = 1000;

/// Most expressions of a rule.
const MAX_PATTERNS: usize = 1000;

/// Most bytes of the expressions of a rule after compilation.
const PATTERN_BYTES: usize = 32 << 20;

/// Most bytes of the words of a rule that match at boundaries of words.
const WORD_BYTES: usize = 64 << 20;

/// Most bytes of the words of a rule that match anywhere. Their automaton is larger.
const PART_BYTES: usize = 8 << 20;

/// Keeps, drops or annotates rows by rules of the user.
#[derive(Clone, Debug)]
pub struct Match(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    settings: MatchSettings,
    rules: Vec<Rule>,
    reasons: Vec<Reason>,
    /// All phases in which rules decide, in their order.
    phases: Vec<StagePhase>,
    /// The digests of the files of each rule.
    digests: BTreeMap<String, Vec<String>>,
}

/// A rule that is ready to look at rows.
#[derive(Debug)]
struct Rule {
    phase: StagePhase,
    fields: Vec<String>,
    words: Words,
    patterns: Vec<Regex>,
    /// All expressions together, to learn whether any of them matches.
    any_pattern: RegexSet,
    action: MatchAction,
    ignore_case: bool,
    min_count: usize,
    min_share: f64,
    reason: Reason,
    count_name: &'static str,
    share_name: &'static str,
}

/// The words of a rule.
#[derive(Debug)]
enum Words {
    /// The rule has no words.
    None,
    /// Words that must not be a part of longer words.
    Whole(WordList),
    /// Words that may be a part of longer words.
    Anywhere(AhoCorasick),
}

impl Match {
    /// Creates the stage with these settings, and reads the files of words.
    ///
    /// # Errors
    ///
    /// There is no rule, a rule has nothing to find, an expression is invalid or too large, or a
    /// file cannot be read or is too large.
    pub fn new(settings: MatchSettings) -> Result<Match, InvalidSettings> {
        if settings.rules.is_empty() {
            let problem =
                "no rule is given; give one with --set 'match.rules.NAME.words=[\"one\", \"two\"]'";
            return Err(InvalidSettings::new("rules", problem));
        }
        let (mut rules, mut digests) = (Vec::new(), BTreeMap::new());
        for (name, rule) in &settings.rules {
            let compiled = Rule::new(name, rule)
                .map_err(|problem| InvalidSettings::new("rules", format!("{name}: {problem}")));
            let (compiled, of_files) = compiled?;
            rules.push(compiled);
            digests.insert(name.clone(), of_files);
        }
        let reasons = rules.iter().map(|rule| rule.reason).collect();
        let mut phases: Vec<_> = rules.iter().map(|rule| rule.phase).collect();
        phases.sort_unstable();
        phases.dedup();
        Ok(Match(Arc::new(SharedStage { settings, rules, reasons, phases, digests })))
    }

    fn worker_of(&self, phase: Option<StagePhase>) -> Box<dyn RowStage> {
        Box::new(Worker {
            stage: self.clone(),
            phase,
            folded: String::new(),
            search: WordSearch::default(),
        })
    }
}

impl Rule {
    /// Makes a rule, and returns it with the digests of its files.
    fn new(name: &str, settings: &MatchRuleSettings) -> Result<(Rule, Vec<String>), String> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if !(1..=64).contains(&name.len()) || !name.bytes().all(is_name) {
            return Err("a name has 1 to 64 letters, digits, `_` or `-`".to_owned());
        }
        let MatchRuleSettings { fields, patterns, ignore_case, .. } = settings;
        if fields.is_empty() || fields.iter().any(String::is_empty) {
            return Err("`fields` names no field: leave it out for the text".to_owned());
        }
        if settings.min_count == 0 || settings.min_count > MAX_MATCHES {
            return Err(format!("give a `min_count` from 1 to {MAX_MATCHES}"));
        }
        if !(0. ..=1.).contains(&settings.min_share) {
            return Err("give a `min_share` from 0 to 1".to_owned());
        }
        let (patterns, any_pattern) = compile_expressions(patterns, *ignore_case)?;
        let (words, digests) = Words::new(settings)?;
        if patterns.is_empty() && matches!(words, Words::None) {
            return Err("there is nothing to find: give `patterns`, `words` or `word_files`".into());
        }
        let reason = Reason::named(&format!("match:{name}"), RejectionKind::Skipped)
            .ok_or("too many reasons")?;
        let phase = fields.iter().map(|field| match field.as_str() {
            URL_FIELD => StagePhase::Address,
            TEXT_FIELD => StagePhase::Text,
            _ => StagePhase::Verdict,
        });
        let rule = Rule {
            phase: phase.max().expect("a rule has a field"),
            fields: fields.clone(),
            words,
            patterns,
            any_pattern,
            action: settings.action,
            ignore_case: *ignore_case,
            min_count: settings.min_count,
            min_share: settings.min_share,
            reason,
            count_name: figure_name(&format!("match.{name}")),
            share_name: figure_name(&format!("match.{name}.share")),
        };
        Ok((rule, digests))
    }

    /// Returns whether the rule drops a row with these matches.
    fn drops(&self, counts: MatchCounts) -> bool {
        let is_found = counts.count >= self.min_count && counts.share() >= self.min_share;
        match self.action {
            MatchAction::Drop => is_found,
            MatchAction::Keep => !is_found,
            MatchAction::Annotate => false,
        }
    }
}

/// Compiles expressions, each by itself and all together.
fn compile_expressions(
    patterns: &[String],
    ignore_case: bool,
) -> Result<(Vec<Regex>, RegexSet), String> {
    if patterns.len() > MAX_PATTERNS {
        return Err(format!(
            "there are more than {MAX_PATTERNS} `patterns`: give words as `words` or \
             `word_files`, or divide the rule"
        ));
    }
    let problem = |error: regex::Error| match error {
        regex::Error::CompiledTooBig(_) => format!(
            "`patterns` are too large (more than {} MiB after compilation): repeat parts less \
             often, as in `x{{1,9}}`, or give words as `words`",
            PATTERN_BYTES >> 20
        ),
        error => error.to_string().replace('\n', " "),
    };
    let any = RegexSetBuilder::new(patterns)
        .case_insensitive(ignore_case)
        .size_limit(PATTERN_BYTES)
        .build()
        .map_err(problem)?;
    let each = patterns.iter().map(|pattern| {
        let compiled = RegexBuilder::new(pattern)
            .case_insensitive(ignore_case)
            .size_limit(PATTERN_BYTES)
            .build();
        let compiled = compiled.map_err(problem)?;
        if compiled.is_match("") {
            return Err(format!("the expression '{pattern}' matches the empty text"));
        }
        Ok(compiled)
    });
    Ok((each.collect::<Result<_, _>>()?, any))
}

impl Words {
    /// Reads the words of a rule, and returns them with the digests of its files.
    fn new(settings: &MatchRuleSettings) -> Result<(Words, Vec<String>), String> {
        let most = if settings.whole_words { WORD_BYTES } else { PART_BYTES };
        let (mut text, mut digests) = (settings.words.join("\n"), Vec::new());
        if settings.words.iter().any(|word| word.contains('\n')) {
            return Err("an entry of `words` has a line feed".to_owned());
        }
        for path in &settings.word_files {
            let problem = |problem: String| format!("'{}': {problem}", path.display());
            let file = read_word_file(path, most).map_err(problem)?;
            digests.push(file.digest().to_owned());
            text.push('\n');
            text.push_str(word_file_text(file.bytes()).map_err(problem)?);
        }
        if text.len() > most {
            return Err(too_long(most));
        }
        if settings.ignore_case {
            let mut folded = String::new();
            push_lowercase(&text, &mut folded);
            text = folded;
        }
        let entries = text.split('\n').map(str::trim).filter(|entry| !entry.is_empty());
        let is_empty = entries.clone().next().is_none();
        if is_empty && !settings.word_files.is_empty() {
            return Err("the files have no entries".to_owned());
        }
        let words = if is_empty {
            Words::None
        } else if settings.whole_words {
            Words::Whole(WordList::new(entries))
        } else {
            Words::Anywhere(AhoCorasick::new(entries).map_err(|error| error.to_string())?)
        };
        Ok((words, digests))
    }

    /// Calls `visit` with the characters of each match, until it returns false.
    fn search(&self, text: &str, search: &mut WordSearch, mut visit: impl FnMut(&str) -> bool) {
        match self {
            Words::None => {}
            Words::Whole(list) => list.search(text, search, |range| visit(&text[range])),
            Words::Anywhere(automaton) => {
                let mut matches = automaton.find_iter(text);
                while matches.next().is_some_and(|range| visit(&text[range.range()])) {}
            }
        }
    }
}

fn too_long(max_bytes: usize) -> String {
    let more = if max_bytes == PART_BYTES { ", or keep `whole_words`" } else { "" };
    format!("the words have more than {} MiB: divide the rule{more}", max_bytes >> 20)
}

/// Reads a file of words.
fn read_word_file(path: &Path, max_bytes: usize) -> Result<ModelFile, String> {
    let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    if metadata.len() > max_bytes as u64 {
        return Err(too_long(max_bytes));
    }
    Ok(ModelFile::from_bytes(fs::read(path).map_err(|error| error.to_string())?))
}

/// Returns the text of a file of words, without a byte order mark.
fn word_file_text(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = memchr::memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count() + 1;
        format!("line {line} is not UTF-8: give the list as plain text in UTF-8")
    })?;
    Ok(text.trim_start_matches('\u{FEFF}'))
}

/// Appends a text in lower case, scalar by scalar.
fn push_lowercase(text: &str, out: &mut String) {
    /// Bytes that are tried as ASCII at once.
    const CHUNK_BYTES: usize = 32;
    let mut rest = text;
    while !rest.is_empty() {
        let (mut checked, mut text_after) = rest.split_at(rest.floor_char_boundary(CHUNK_BYTES));
        if checked.is_ascii() {
            let start = out.len();
            out.push_str(checked);
            out[start..].make_ascii_lowercase();
        } else {
            // Up to the last of the scalars that follow one another beyond ASCII.
            let mut scalars = rest.char_indices();
            let ascii = scalars.find(|(_, c)| !c.is_ascii()).map_or(0, |(at, _)| at);
            let end = scalars.find(|(_, c)| c.is_ascii()).map_or(rest.len(), |(at, _)| at);
            (checked, text_after) = rest.split_at(end);
            let start = out.len();
            out.push_str(&checked[..ascii]);
            out[start..].make_ascii_lowercase();
            out.extend(checked[ascii..].chars().flat_map(char::to_lowercase));
        }
        rest = text_after;
    }
}

impl Stage for Match {
    fn name(&self) -> &'static str {
        "match"
    }

    fn fingerprint(&self) -> serde_json::Value {
        let SharedStage { settings, digests, .. } = &*self.0;
        let mut settings = serde_json::json!(settings);
        // The fingerprint depends on the contents of the files, not on their places.
        for (name, digests) in digests {
            settings["rules"][name]["word_files"] = digests.as_slice().into();
        }
        super::fingerprint(1, &settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn phase(&self) -> StagePhase {
        *self.0.phases.last().expect("a stage has a rule")
    }

    fn fields(&self) -> Vec<&str> {
        let fields = self.0.rules.iter().flat_map(|rule| &rule.fields).map(String::as_str);
        fields.filter(|field| *field != TEXT_FIELD && *field != URL_FIELD).collect()
    }

    fn worker(&self) -> Box<dyn RowStage> {
        self.worker_of(None)
    }

    fn workers(&self) -> Vec<PhaseWorker> {
        let phases = &self.0.phases;
        let worker = |phase: &StagePhase| {
            let name = match phase {
                _ if phases.len() == 1 => self.name(),
                StagePhase::Address => "match.url",
                StagePhase::Verdict => "match.fields",
                StagePhase::Text | StagePhase::Final => "match.text",
            };
            PhaseWorker { name, phase: *phase, worker: self.worker_of(Some(*phase)) }
        };
        phases.iter().map(worker).collect()
    }
}

/// The rules of one phase in one thread.
struct Worker {
    stage: Match,
    /// `None` is all phases.
    phase: Option<StagePhase>,
    /// The field in lower case.
    folded: String,
    search: WordSearch,
}

/// The matches of a rule in a row.
#[derive(Clone, Copy, Default)]
struct MatchCounts {
    /// Number of matches.
    count: usize,
    /// Unicode scalars of the matches. One that lies in matches of two expressions counts twice.
    chars: usize,
    /// Unicode scalars of the fields.
    all_chars: usize,
}

impl MatchCounts {
    fn share(self) -> f64 {
        share(self.chars, self.all_chars).min(1.)
    }
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let Worker { stage: Match(stage), phase, folded, search } = self;
        let RowInProgress { url, text, fields, signals, .. } = row_in_progress;
        let mut first_failure = FirstFailure::new(signals.is_on());
        for rule in stage
            .rules
            .iter()
            .filter(|rule| phase.is_none_or(|filter_phase| filter_phase == rule.phase))
        {
            let mut counts = MatchCounts::default();
            for field in &rule.fields {
                let value = match field.as_str() {
                    TEXT_FIELD => Some(Cow::Borrowed(text.as_str())),
                    URL_FIELD => url.map(Cow::Borrowed),
                    other => fields.and_then(|fields| fields.text(other)),
                };
                if let Some(value) = value {
                    rule.look_at(&value, signals.is_on(), folded, search, &mut counts);
                }
            }
            signals.record(rule.count_name, counts.count as f64);
            if rule.min_share > 0. {
                signals.record(rule.share_name, counts.share());
            }
            if first_failure.note_rule(rule.drops(counts), rule.reason) {
                break;
            }
        }
        first_failure.decision()
    }
}

impl Rule {
    /// Adds the matches in a field to those found before. Unless all are wanted, it stops as soon
    /// as there are enough.
    fn look_at(
        &self,
        value: &str,
        is_thorough: bool,
        folded: &mut String,
        search: &mut WordSearch,
        counts: &mut MatchCounts,
    ) {
        const MAX_KEPT_BYTES: usize = 1 << 20;
        let has_share = self.min_share > 0.;
        let max_count = if is_thorough || has_share { usize::MAX } else { self.min_count };
        if counts.count >= max_count {
            return;
        }
        if has_share {
            counts.all_chars += value.chars().count();
        }
        let mut note = |matched: &str| {
            counts.count += 1;
            if has_share {
                counts.chars += matched.chars().count();
            }
            counts.count < max_count
        };
        let in_words = if self.ignore_case && !matches!(self.words, Words::None) {
            folded.clear();
            folded.shrink_to(MAX_KEPT_BYTES);
            push_lowercase(value, folded);
            folded
        } else {
            value
        };
        self.words.search(in_words, search, &mut note);
        if max_count == 1 {
            if self.any_pattern.is_match(value) {
                note("");
            }
            return;
        }
        for pattern in &self.patterns {
            for matched in pattern.find_iter(value).take(MAX_MATCHES) {
                if !note(matched.as_str()) {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_fields::RowFields;
    use crate::signals::Signals;
    use crate::text::Text;
    use serde_json::{Value, json};

    fn made(rules: &Value) -> Result<Match, InvalidSettings> {
        Match::new(serde_json::from_value(json!({ "rules": rules })).unwrap())
    }

    /// A row with a title.
    struct Titled(&'static str);

    impl RowFields for Titled {
        fn text(&self, name: &str) -> Option<Cow<'_, str>> {
            (name == "title").then_some(Cow::Borrowed(self.0))
        }
    }

    /// Returns the reason for which a worker drops a row, and the figures.
    fn applied(worker: &mut dyn RowStage, content: &str, signals: &mut Signals) -> String {
        let mut text = Text::default();
        text.begin().push_str(content);
        let row = RowInProgress::from_text(&mut text, signals);
        let fields: Option<&dyn RowFields> = Some(&Titled("Used cars"));
        let url = Some("http://shop.test/a");
        match worker.apply(&mut RowInProgress { url, fields, ..row }) {
            Decision::Keep => String::new(),
            Decision::Drop(reason) => reason.name().to_owned(),
        }
    }

    /// Applies one rule with the name `r`. The decision is the same with and without signals.
    fn decided(rule: &Value, content: &str) -> (String, f64) {
        let stage = made(&json!({ "r": rule })).unwrap();
        let (mut off, mut on) = (Signals::disabled(), Signals::enabled());
        let reason = applied(&mut *stage.worker(), content, &mut off);
        assert_eq!(reason, applied(&mut *stage.worker(), content, &mut on), "{content}");
        (reason, on.get("match.r").unwrap())
    }

    #[test]
    fn words_and_expressions_drop_keep_and_annotate() {
        let dropped = |count| ("match:r".to_owned(), count);
        let kept = |count| (String::new(), count);
        let text = "Cheap pills, cheap Pills and cheaper.";
        assert_eq!(decided(&json!({"words": ["cheap"]}), text), dropped(1.));
        assert_eq!(decided(&json!({"words": "cheap", "ignore_case": true}), text), dropped(2.));
        assert_eq!(decided(&json!({"words": "cheap", "whole_words": false}), text), dropped(2.));
        assert_eq!(decided(&json!({"words": ["cheap"], "min_count": 2}), text), kept(1.));
        assert_eq!(decided(&json!({"words": ["dear"], "action": "keep"}), text), dropped(0.));
        assert_eq!(decided(&json!({"words": ["cheap"], "action": "keep"}), text), kept(1.));
        assert_eq!(decided(&json!({"words": ["cheap"], "action": "annotate"}), text), kept(1.));
        assert_eq!(decided(&json!({"patterns": ["(?i)cheap\\w+", "[.]$"]}), text), dropped(2.));
        let both =
            json!({"patterns": "PILLS", "words": "CHEAP", "ignore_case": true, "min_count": 4});
        assert_eq!(decided(&both, text), dropped(4.));
        assert_eq!(
            decided(&json!({"words": "straße", "ignore_case": true}), "STRASSE Straße"),
            dropped(1.)
        );
    }

    #[test]
    fn the_share_counts_characters() {
        let share = |least: f64, content: &str| {
            decided(&json!({"words": ["née", "ab"], "min_share": least}), content).0
        };
        // Six of twelve characters.
        assert_eq!(share(0.5, "née née xyzu"), "match:r");
        assert_eq!(share(0.51, "née née xyzu"), "");
        assert_eq!(share(0.1, ""), "");
    }

    #[test]
    fn other_fields_are_looked_at_as_soon_as_they_are_known() {
        let stage = made(&json!({
            "cars": {"fields": "title", "words": ["cars"], "min_count": 2},
            "host": {"fields": "url", "patterns": "^http://bad[.]test/"},
            "lacking": {"fields": ["subject", "url"], "words": ["x"]},
            "text": {"fields": ["title", "text"], "words": ["cars"], "min_count": 2},
        }))
        .unwrap();
        assert_eq!(
            (stage.phase(), stage.fields()),
            (StagePhase::Text, vec!["title", "subject", "title"])
        );
        let mut workers = stage.workers();
        let names: Vec<_> = workers.iter().map(|worker| (worker.name, worker.phase)).collect();
        let expected = [
            ("match.url", StagePhase::Address),
            ("match.fields", StagePhase::Verdict),
            ("match.text", StagePhase::Text),
        ];
        assert_eq!(names, expected);
        let mut signals = Signals::enabled();
        let reasons = workers.iter_mut().map(|of| applied(&mut *of.worker, "cars", &mut signals));
        assert_eq!(reasons.collect::<Vec<_>>(), ["", "", "match:text"]);
        let names: Vec<_> = signals.figures().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["match.host", "match.cars", "match.lacking", "match.text"]);
        let stage = made(&json!({"host": {"fields": "url", "words": ["shop"]}})).unwrap();
        let [worker] = &mut stage.workers()[..] else { panic!("one phase") };
        assert_eq!((worker.name, worker.phase), ("match", StagePhase::Address));
        assert_eq!(applied(&mut *worker.worker, "", &mut Signals::disabled()), "match:host");
    }

    #[test]
    fn files_have_an_entry_a_line_and_are_known_by_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.txt");
        let stage = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            made(&json!({"r": {"word_files": path, "words": ["inline"]}}))
        };
        let made = stage("\u{FEFF}first one\r\n\n  # hash \nlast".as_bytes()).unwrap();
        for content in ["the first  one", "a # hash", "last", "inline"] {
            let reason = applied(&mut *made.worker(), content, &mut Signals::disabled());
            assert_eq!(reason, "match:r", "{content}");
        }
        assert_eq!(applied(&mut *made.worker(), "first", &mut Signals::disabled()), "");
        assert_eq!(
            made.fingerprint(),
            stage("\u{FEFF}first one\r\n\n  # hash \nlast".as_bytes()).unwrap().fingerprint()
        );
        assert_ne!(made.fingerprint(), stage(b"last").unwrap().fingerprint());
        let problem = stage(b"a\n\xFF\n").unwrap_err().to_string();
        assert!(problem.contains("line 2 is not UTF-8"), "{problem}");
        assert!(stage(b"\n").is_ok(), "there is an inline word");
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_remedy() {
        let problem = |rule: Value| made(&json!({ "r": rule })).unwrap_err().to_string();
        assert!(
            made(&json!({})).unwrap_err().to_string().contains("--set 'match.rules.NAME.words=")
        );
        for (rule, expected) in [
            (json!({}), "r: there is nothing to find: give `patterns`"),
            (json!({"words": [" "]}), "nothing to find"),
            (json!({"words": ["a\nb"]}), "has a line feed"),
            (json!({"patterns": "("}), "unclosed group"),
            (json!({"patterns": "x*"}), "matches the empty text"),
            (json!({"patterns": "(?:\\w{1000}){100}"}), "repeat parts less often"),
            (json!({"patterns": vec!["a"; 1001]}), "more than 1000 `patterns`"),
            (json!({"words": "a", "fields": []}), "`fields` names no field"),
            (json!({"words": "a", "min_count": 0}), "`min_count` from 1 to 1000"),
            (json!({"words": "a", "min_share": 1.5}), "`min_share` from 0 to 1"),
            (json!({"word_files": "/nowhere.txt"}), "'/nowhere.txt': No such file"),
            (json!({"words": "x".repeat(9 << 20), "whole_words": false}), "or keep `whole_words`"),
        ] {
            let said = problem(rule);
            assert!(said.contains(expected), "{said}");
        }
        let named = made(&json!({"a b": {"words": "a"}})).unwrap_err().to_string();
        assert!(named.contains("1 to 64 letters"), "{named}");
    }
}
