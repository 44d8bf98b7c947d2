//! Keeps benchmarks out of a corpus.
//!
//! Two rules are common. datatrove drops a text that shares one run of 12 simplified words with a
//! benchmark. GPT-3 (Brown et al. 2020, appendix C) cuts runs of 13 words out of the text, with 200
//! characters around each. It drops texts with many of them. The program `janitor.py` of lm-eval
//! has that rule. [`crate::contamination`] reads the words of each.

use crate::contamination::NgramReader;
use crate::documented::documented;
use crate::invalid::InvalidSettings;
use crate::reason::Reason;
use crate::rejection_kind::RejectionKind;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use huller_archive::without_mark;
use huller_models::{ModelFile, NgramIndex};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use twox_hash::XxHash64;

documented! {
    /// Settings of [`Decontaminate`].
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct DecontaminateSettings {
        /// The benchmarks: JSON Lines files whose lines have `label` (the answer, or a list of
        /// answers), `query` (the question) and `task`; or an index of datatrove, a folder of files
        /// `TASK.index.hashes`. No default.
        pub against: Vec<PathBuf>,
        /// `datatrove`: one match drops the text. `gpt3`: matches are cut out with 200 characters
        /// on both sides, pieces of up to 200 characters too; more than ten matches drop the text.
        /// Default `datatrove`.
        pub rule: DecontaminationRule,
        /// The words of `datatrove`. Default `spaces`.
        pub words: DecontaminationWords,
        /// Words of an n-gram. By default 12 with `datatrove`, 13 with `gpt3`.
        pub ngram: Option<usize>,
        /// Whether n-grams of the question alone count with `datatrove`. By default those of the
        /// answer count, and those of question and answer together.
        pub query_ngrams: bool,
    }
}

/// The rule by which contaminated texts are found and treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecontaminationRule {
    /// That of datatrove.
    #[default]
    Datatrove,
    /// That of GPT-3, as lm-eval's `janitor.py` has it.
    Gpt3,
}

/// The words of the rule `datatrove`, in the simplified text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecontaminationWords {
    /// Words between spaces. datatrove's default tokenizer cuts few texts in another way.
    #[default]
    Spaces,
    /// The words of the other stages, for languages without spaces.
    Segments,
}

/// The end of the name of a file of datatrove's index.
const INDEX_END: &str = ".index.hashes";

/// The most words of an n-gram.
const MAX_GRAM_WORDS: usize = 100;

/// Keeps benchmarks out of a corpus.
#[derive(Clone, Debug)]
pub struct Decontaminate(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    settings: DecontaminateSettings,
    /// Words of an n-gram.
    length: usize,
    index: NgramIndex,
    /// Digests of all files, in their order.
    digests: Vec<String>,
    /// The reason of each task.
    reasons: Vec<Reason>,
    /// Why answers of the benchmarks are not searched.
    note: Option<String>,
}

impl Decontaminate {
    /// Creates the stage with these settings, and reads the benchmarks.
    ///
    /// # Errors
    ///
    /// There is no benchmark, or a file cannot be read or has another form.
    pub fn new(settings: DecontaminateSettings) -> Result<Decontaminate, InvalidSettings> {
        if settings.against.is_empty() {
            let problem = "no benchmark is given; give files with --set \
                           'decontaminate.against=[\"tasks.jsonl\"]'";
            return Err(InvalidSettings::new("against", problem));
        }
        let of_rule = match settings.rule {
            DecontaminationRule::Datatrove => 12,
            DecontaminationRule::Gpt3 => 13,
        };
        let length = settings.ngram.unwrap_or(of_rule);
        if !(1..=MAX_GRAM_WORDS).contains(&length) {
            return Err(InvalidSettings::new("ngram", format!("give 1 to {MAX_GRAM_WORDS} words")));
        }
        if settings.words == DecontaminationWords::Segments
            && settings.rule == DecontaminationRule::Gpt3
        {
            return Err(InvalidSettings::new(
                "words",
                "`segments` fits the rule `datatrove` alone",
            ));
        }
        let mut builder = Builder::new(&settings, length);
        for path in &settings.against {
            builder.read_path(path).map_err(|problem| {
                InvalidSettings::new("against", format!("'{}': {problem}", path.display()))
            })?;
        }
        let note = builder.note();
        let Builder { index, digests, .. } = builder;
        if index.is_empty() {
            let mut problem = format!("no text of the benchmarks has {length} words");
            if settings.rule == DecontaminationRule::Datatrove {
                problem += "; languages without spaces need --set decontaminate.words=segments";
            }
            return Err(InvalidSettings::new("against", problem));
        }
        let reasons = index.names().iter().map(|task| {
            Reason::named(&format!("decontaminate:{task}"), RejectionKind::Skipped)
                .ok_or_else(|| InvalidSettings::new("against", "too many tasks"))
        });
        let reasons = reasons.collect::<Result<_, _>>()?;
        Ok(Decontaminate(Arc::new(SharedStage { settings, length, index, digests, reasons, note })))
    }
}

/// Reads benchmarks into an index.
struct Builder {
    rule: DecontaminationRule,
    has_segments: bool,
    /// Words of an n-gram.
    length: usize,
    has_query_ngrams: bool,
    index: NgramIndex,
    digests: Vec<String>,
    reader: NgramReader,
    /// N-grams of all labels, equal ones included.
    inserted: u64,
    labels: u64,
    /// Labels without an n-gram.
    short_labels: u64,
}

/// A line of a file of tasks.
#[derive(Deserialize)]
struct TaskLine {
    label: Labels,
    query: Option<String>,
    task: Option<String>,
}

/// One answer or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Labels {
    /// One answer.
    One(String),
    /// A list of answers.
    Several(Vec<String>),
}

impl Builder {
    fn new(settings: &DecontaminateSettings, length: usize) -> Builder {
        Builder {
            rule: settings.rule,
            has_segments: settings.words == DecontaminationWords::Segments,
            length,
            has_query_ngrams: settings.query_ngrams,
            index: NgramIndex::default(),
            digests: Vec::new(),
            reader: NgramReader::default(),
            inserted: 0,
            labels: 0,
            short_labels: 0,
        }
    }

    /// Reads a file of tasks, a file of an index, or a folder of such files.
    fn read_path(&mut self, path: &Path) -> Result<(), String> {
        let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
        if !metadata.is_dir() {
            return self.read_file(path);
        }
        let entries = fs::read_dir(path).map_err(|error| error.to_string())?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut paths = paths.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        paths.retain(|path| index_task(path).is_some());
        paths.sort();
        if paths.is_empty() {
            return Err(format!("the folder has no files TASK{INDEX_END}"));
        }
        paths.iter().try_for_each(|path| self.read_file(path))
    }

    fn read_file(&mut self, path: &Path) -> Result<(), String> {
        let file = ModelFile::open(path).map_err(|error| error.to_string())?;
        if let Some(task) = index_task(path) {
            if self.rule == DecontaminationRule::Gpt3 {
                return Err("an index of datatrove fits the rule `datatrove` alone".to_owned());
            }
            self.digests.push(format!("{task} {}", file.digest()));
            let task = self.task_number(&task)?;
            return self.index.insert_file(file.bytes(), task).map_err(|error| error.to_string());
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.digests.push(format!("{stem} {}", file.digest()));
        for (number, line) in file.bytes().split(|byte| *byte == b'\n').enumerate() {
            let line = without_mark(line);
            if line.trim_ascii().is_empty() {
                continue;
            }
            let line: TaskLine = serde_json::from_slice(line).map_err(|_| {
                format!(
                    "line {} is no object with `label`, a text or a list of texts, and perhaps \
                     `query` and `task`",
                    number + 1
                )
            })?;
            self.read_task(&line, &stem)?;
        }
        Ok(())
    }

    fn read_task(&mut self, line: &TaskLine, stem: &str) -> Result<(), String> {
        let task = self.task_number(line.task.as_deref().unwrap_or(stem))?;
        let labels = match &line.label {
            Labels::One(label) => std::slice::from_ref(label),
            Labels::Several(labels) => labels,
        };
        for label in labels {
            let inserted_before = self.inserted;
            match self.rule {
                DecontaminationRule::Datatrove => self.add(label, line.query.as_deref(), task),
                DecontaminationRule::Gpt3 => {
                    let query_and_label =
                        [line.query.as_deref().unwrap_or_default(), label].join("\n");
                    self.reader.read_plain_task(&query_and_label);
                    self.add_ngrams(task);
                }
            }
            self.labels += 1;
            self.short_labels += u64::from(self.inserted == inserted_before);
        }
        Ok(())
    }

    /// Adds the n-grams of a label, and the n-grams that begin in the query and end in the label
    /// (`NGramsDecontIndexer.compute_hashes` of datatrove 0.10.1).
    fn add(&mut self, label: &str, query: Option<&str>, task: u32) {
        let Some(query) = query else {
            self.reader.read_simplified(label, self.has_segments);
            return self.add_ngrams(task);
        };
        let context_words = self.length - 1;
        self.reader.read_simplified(query, self.has_segments);
        if self.has_query_ngrams {
            self.add_ngrams(task);
        }
        let words = self.reader.len();
        let last = words.min(context_words);
        let mut joined = match last {
            0 => String::new(),
            _ => self.reader.words(words - last, words).to_owned(),
        };
        self.reader.read_simplified(label, self.has_segments);
        self.add_ngrams(task);
        let first = self.reader.len().min(context_words);
        if last == 0 || first == 0 {
            return;
        }
        // The words on both sides of the border, each n-gram of which crosses it.
        joined.push(' ');
        joined.push_str(self.reader.words(0, first));
        let words: Vec<&str> = joined.split(' ').collect();
        for ngram in words.windows(self.length) {
            self.index.insert(XxHash64::oneshot(0, ngram.join(" ").as_bytes()), task);
            self.inserted += 1;
        }
    }

    /// Adds all n-grams of the text that was read.
    fn add_ngrams(&mut self, task: u32) {
        for (_, hash) in self.reader.ngrams(self.length) {
            self.index.insert(hash, task);
            self.inserted += 1;
        }
    }

    /// Returns how many answers have no n-gram, if some have none.
    fn note(&self) -> Option<String> {
        let Builder { short_labels, labels, length, .. } = self;
        (*short_labels > 0).then(|| {
            format!(
                "stage decontaminate does not search {short_labels} of {labels} answers: they have \
                 fewer than {length} words with their questions"
            )
        })
    }

    /// Returns the number of a task. Its name becomes part of a reason.
    fn task_number(&mut self, name: &str) -> Result<u32, String> {
        const MAX_NAME_CHARS: usize = 100;
        let is_plain = |c: char| c.is_alphanumeric() || "_-.:|+".contains(c);
        let name = name.chars().take(MAX_NAME_CHARS);
        let name: String = name.map(|c| if is_plain(c) { c } else { '_' }).collect();
        self.index.task(&name).map_err(|error| error.to_string())
    }
}

/// Returns the task of a file of datatrove's index.
fn index_task(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(INDEX_END).map(str::to_owned)
}

impl Stage for Decontaminate {
    fn name(&self) -> &'static str {
        "decontaminate"
    }

    fn fingerprint(&self) -> serde_json::Value {
        let SharedStage { settings, length, digests, .. } = &*self.0;
        let mut settings = serde_json::json!(settings);
        // The fingerprint depends on the contents of the files, not on their places.
        settings["against"] = digests.as_slice().into();
        settings["ngram"] = (*length).into();
        super::fingerprint(2, &settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn notes(&self) -> Vec<String> {
        self.0.note.iter().cloned().collect()
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        let reader = NgramReader::default();
        Box::new(Worker { stage: self.clone(), reader, matches: Vec::new() })
    }
}

/// The stage in one thread.
struct Worker {
    stage: Decontaminate,
    reader: NgramReader,
    /// The first words of the n-grams that match.
    matches: Vec<usize>,
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let Worker { stage: Decontaminate(stage), reader, matches } = self;
        let SharedStage { settings, length, index, reasons, .. } = &**stage;
        let RowInProgress { text, signals, .. } = row_in_progress;
        match settings.rule {
            DecontaminationRule::Datatrove => {
                let has_segments = settings.words == DecontaminationWords::Segments;
                reader.read_simplified(text.as_str(), has_segments);
            }
            DecontaminationRule::Gpt3 => reader.read_plain(text.as_str()),
        }
        let needs_all = signals.is_on() || settings.rule == DecontaminationRule::Gpt3;
        matches.clear();
        let mut match_found = None;
        for (first, hash) in reader.ngrams(*length) {
            if let Some(task) = index.find(hash) {
                match_found = match_found.or(Some(task));
                matches.push(first);
                if !needs_all {
                    break;
                }
            }
        }
        signals.record("decontaminate.matches", matches.len() as f64);
        let Some(task) = match_found else { return Decision::Keep };
        signals.record_text("decontaminate.task", index.name(task));
        signals.record_text("decontaminate.ngram", reader.words(matches[0], matches[0] + length));
        let reason = reasons[task as usize];
        match settings.rule {
            DecontaminationRule::Datatrove => Decision::Drop(reason),
            DecontaminationRule::Gpt3 => {
                let is_left = text.replace_with(|old, new| {
                    reader.cut(old, matches, *length, new);
                    !new.is_empty()
                });
                if is_left { Decision::Keep } else { Decision::Drop(reason) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;
    use serde_json::{Value, json};

    /// A sentence of 18 words.
    const ANSWER: &str = "The ferry leaves the northern island at nine and returns, if the wind \
                          allows it, shortly before midnight.";
    const QUERY: &str = "When does the last boat of the day come back to the harbour?";

    /// Makes a stage against these tasks.
    fn made(tasks: &[Value], settings: Value) -> Result<Decontaminate, InvalidSettings> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boats.jsonl");
        let lines: Vec<_> = tasks.iter().map(Value::to_string).collect();
        // Lines of several files may begin with byte order marks.
        fs::write(&path, format!("\u{feff}{}", lines.join("\n\u{feff}\n\u{feff}"))).unwrap();
        against(&path, settings)
    }

    fn against(path: &Path, mut settings: Value) -> Result<Decontaminate, InvalidSettings> {
        settings["against"] = json!([path]);
        Decontaminate::new(serde_json::from_value(settings).unwrap())
    }

    /// Returns the reason and the text that is left.
    fn applied(stage: &Decontaminate, content: &str) -> (String, String) {
        let (mut text, mut signals) = (Text::default(), Signals::disabled());
        text.begin().push_str(content);
        let decision = stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals));
        let reason = match decision {
            Decision::Keep => String::new(),
            Decision::Drop(reason) => reason.name().to_owned(),
        };
        (reason, text.as_str().to_owned())
    }

    #[test]
    fn one_run_of_twelve_words_drops_a_text() {
        let stage = made(&[json!({"label": ANSWER, "query": QUERY})], json!({})).unwrap();
        let reason = |text: &str| applied(&stage, text).0;
        assert_eq!(reason(&format!("I heard it: {ANSWER} So be quick.")), "decontaminate:boats");
        let shouted = "and RETURNS if THE wïnd allows it -- shortly before midnight";
        assert_eq!(reason(&format!("at nine {shouted}")), "decontaminate:boats");
        assert_eq!(reason("and returns if the wind allows it shortly before midnight"), "");
        // Question and answer count together, and the question alone does not.
        assert_eq!(reason("does day come back to the harbour the ferry leaves the northern"), "");
        let across = "of the day come back to the harbour the ferry leaves the northern";
        assert_eq!(reason(across), "decontaminate:boats");
        assert_eq!(reason(QUERY), "");
        let query = json!({"query_ngrams": true});
        let stage = made(&[json!({"label": "x", "query": QUERY})], query).unwrap();
        assert_eq!(applied(&stage, QUERY).0, "decontaminate:boats");
    }

    #[test]
    fn tasks_are_counted_apart_and_signals_name_the_ngram() {
        let tasks = [
            json!({"label": ["a b c", "d e f"], "task": "suite|letters:1 of 2|0"}),
            json!({"label": "1 2 3 x y"}),
        ];
        let stage = made(&tasks, json!({"ngram": 3})).unwrap();
        let names: Vec<_> = stage.reasons().iter().map(|reason| reason.name()).collect();
        assert_eq!(names, ["decontaminate:suite|letters:1_of_2|0", "decontaminate:boats"]);
        let (mut text, mut signals) = (Text::default(), Signals::enabled());
        text.begin().push_str("z, D e F and 7 8 9 X. And a b c!");
        let mut row = RowInProgress::from_text(&mut text, &mut signals);
        assert_eq!(stage.worker().apply(&mut row), Decision::Drop(stage.reasons()[0]));
        assert_eq!(signals.get("decontaminate.matches"), Some(4.));
        let texts = signals.texts().iter().map(|(name, text)| (*name, text.as_str()));
        let expected =
            [("decontaminate.task", "suite|letters:1_of_2|0"), ("decontaminate.ngram", "d e f")];
        assert_eq!(texts.collect::<Vec<_>>(), expected);
        // Numbers are equal in simplified texts: `7 8 9` matches `1 2 3`.
        assert_eq!(applied(&stage, "7 8 9").0, "decontaminate:boats");
    }

    #[test]
    fn languages_without_spaces_need_segments() {
        let task = json!({"label": "渡船九点离开北岛"});
        let problem =
            made(std::slice::from_ref(&task), json!({"ngram": 5})).unwrap_err().to_string();
        assert!(problem.contains("decontaminate.words=segments"), "{problem}");
        let stage = made(&[task], json!({"ngram": 5, "words": "segments"})).unwrap();
        assert_eq!(applied(&stage, "据说，渡船九点离开了。").0, "decontaminate:boats");
        let problem = |label: &str, settings| {
            made(&[json!({"label": label})], settings).unwrap_err().to_string()
        };
        let refused = problem(ANSWER, json!({"rule": "gpt3", "words": "segments"}));
        assert!(refused.contains("fits the rule `datatrove` alone"), "{refused}");
        assert!(problem("北岛", json!({"rule": "gpt3"})).ends_with("has 13 words"));
    }

    #[test]
    fn an_index_of_datatrove_is_read() {
        let folder = tempfile::tempdir().unwrap();
        // xxhash.xxh64_intdigest("one two three"), as datatrove's indexer writes it.
        let hash: u64 = 3_049_840_642_320_943_715;
        fs::write(folder.path().join("my_task.index.hashes"), hash.to_le_bytes()).unwrap();
        let stage = against(folder.path(), json!({"ngram": 3})).unwrap();
        assert_eq!(applied(&stage, "zero, ONE two thrée four").0, "decontaminate:my_task");
        assert_eq!(applied(&stage, "one two four").0, "");
        let problem = against(folder.path(), json!({"rule": "gpt3"})).unwrap_err().to_string();
        assert!(problem.contains("fits the rule `datatrove` alone"), "{problem}");
    }

    /// A text of numbered words, with the answer at the places.
    fn planted(words: usize, places: &[usize]) -> String {
        let mut text = String::new();
        for word in 0..words {
            if places.contains(&word) {
                text += ANSWER;
                text.push('\n');
            }
            text.extend(["wörd", &(10_000 + word).to_string()[1..], " "]);
        }
        text
    }

    #[test]
    fn gpt3_cuts_matches_out_as_lm_eval_does() {
        let stage =
            made(&[json!({"label": ANSWER})], json!({"rule": "gpt3", "ngram": 18})).unwrap();
        let clean = planted(200, &[]);
        assert_eq!(applied(&stage, &clean), (String::new(), clean.clone()));
        // Expected pieces: Janitor(ngram_n=18) of lm-eval 0.4 in Python.
        let (reason, left) = applied(&stage, &planted(200, &[100]));
        let pieces: Vec<_> = left.split('\n').map(|piece| piece.chars().count()).collect();
        assert_eq!((reason.as_str(), pieces), ("", EXPECTED[0].to_vec()));
        let (_, left) = applied(&stage, &planted(300, &[20, 100, 110, 200]));
        let pieces: Vec<_> = left.split('\n').map(|piece| piece.chars().count()).collect();
        assert_eq!(pieces, EXPECTED[1]);
        assert_eq!(applied(&stage, ANSWER).0, "decontaminate:boats");
        let tens: Vec<usize> = (1..=11).map(|n| n * 100).collect();
        assert_eq!(applied(&stage, &planted(1200, &tens[..10])).0, "");
        assert_eq!(applied(&stage, &planted(1200, &tens)).0, "decontaminate:boats");
    }

    const EXPECTED: [&[usize]; 2] = [&[700, 701], &[322, 412, 701]];

    #[test]
    fn punctuation_alone_is_no_word_of_a_task_and_breaks_ngrams_of_a_text() {
        let task = json!({"label": "one - two, THREE"});
        let stage = made(&[task], json!({"rule": "gpt3", "ngram": 3})).unwrap();
        assert_eq!(applied(&stage, "'One' two\u{2003}three!").0, "decontaminate:boats");
        assert_eq!(applied(&stage, "one - two three").0, "");
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_remedy() {
        let settings = DecontaminateSettings::default();
        let problem = Decontaminate::new(settings).unwrap_err().to_string();
        assert!(problem.contains("--set 'decontaminate.against="), "{problem}");
        let short = made(&[json!({"label": [ANSWER, "nine"]})], json!({})).unwrap().notes();
        assert!(short[0].contains("1 of 2 answers: they have fewer than 12 words"), "{short:?}");
        assert!(made(&[json!({"label": ANSWER})], json!({})).unwrap().notes().is_empty());
        let problem = |tasks: &[Value], settings| made(tasks, settings).unwrap_err().to_string();
        assert!(problem(&[json!({"label": "few words"})], json!({})).contains("has 12 words"));
        let lines = [json!({"label": ANSWER}), json!({"query": "x"})];
        assert!(problem(&lines, json!({})).contains("line 3 is no object with `label`"));
        assert!(problem(&lines[..1], json!({"ngram": 0})).contains("1 to 100 words"));
        let nowhere = against(Path::new("/nowhere.jsonl"), json!({})).unwrap_err().to_string();
        assert!(nowhere.contains("'/nowhere.jsonl': No such file"), "{nowhere}");
        let folder = tempfile::tempdir().unwrap();
        let empty = against(folder.path(), json!({})).unwrap_err().to_string();
        assert!(empty.contains("no files TASK.index.hashes"), "{empty}");
    }

    #[test]
    fn the_fingerprint_follows_the_contents_of_the_files() {
        let stage = |label: &str| made(&[json!({"label": label})], json!({})).unwrap();
        assert_eq!(stage(ANSWER).fingerprint(), stage(ANSWER).fingerprint());
        let other = format!("{ANSWER} {QUERY}");
        assert_ne!(stage(ANSWER).fingerprint(), stage(&other).fingerprint());
    }
}
