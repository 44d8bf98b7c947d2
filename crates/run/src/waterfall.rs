//! A waterfall of stages: rows, characters and, if counted, tokens before and after each stage, in
//! total and by language.

use huller_refine::{ChosenText, Reason, RejectionKind, RowTrace, StageTrace};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// Counters of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StageCounts {
    /// Name of the stage.
    pub stage: &'static str,
    /// Rows that reached the stage.
    pub rows: u64,
    /// Rows that the stage dropped.
    pub dropped: u64,
    /// Unicode scalars in the texts of these rows before the stage. 0 for stages that run before a
    /// row has a text.
    pub chars: u64,
    /// Unicode scalars in the texts after the stage.
    pub chars_left: u64,
    /// Tokens in the texts before the stage, in runs that count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Tokens in the texts after the stage, in runs that count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_left: Option<u64>,
}

impl StageCounts {
    /// Returns the counters of a stage that no row has reached.
    fn new(stage: &'static str) -> StageCounts {
        let (tokens, tokens_left) = (None, None);
        StageCounts { stage, rows: 0, dropped: 0, chars: 0, chars_left: 0, tokens, tokens_left }
    }
}

/// Adds a count that only some runs have.
fn add(sum: &mut Option<u64>, more: Option<u64>) {
    if let Some(more) = more {
        *sum = Some(sum.unwrap_or_default() + more);
    }
}

/// Counters of each stage in order, for all rows and for the rows of each known language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waterfall {
    stages: Vec<StageCounts>,
    languages: BTreeMap<[u8; 3], Vec<StageCounts>>,
    /// By the name of the extractor. Only runs that choose among extractors have any.
    extractors: BTreeMap<String, ExtractorYield>,
}

/// The texts that rows kept from one extractor, in runs that choose among several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractorYield {
    /// Rows with its text.
    pub rows: u64,
    /// Unicode scalars of these texts after all stages.
    pub chars: u64,
    /// Tokens of these texts, in runs that count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

impl ExtractorYield {
    fn add(&mut self, more: &ExtractorYield) {
        self.rows += more.rows;
        self.chars += more.chars;
        add(&mut self.tokens, more.tokens);
    }
}

impl Waterfall {
    /// Returns the counters of all rows.
    pub fn stages(&self) -> &[StageCounts] {
        &self.stages
    }

    /// Returns the counters by language code (ISO 639-3). They lack stages that run before the
    /// language is known.
    pub fn languages(&self) -> impl Iterator<Item = (&str, &[StageCounts])> {
        // `add` accepts only ASCII letters.
        let name = |code| std::str::from_utf8(code).unwrap_or_default();
        self.languages.iter().map(move |(code, stages)| (name(code), stages.as_slice()))
    }

    /// Returns what each extractor gave, by name. It is empty unless the run chooses among several.
    pub fn extractors(&self) -> impl Iterator<Item = (&str, &ExtractorYield)> {
        self.extractors.iter().map(|(name, kept)| (name.as_str(), kept))
    }

    /// Whether no row has reached a stage, and none was chosen among extractors.
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty() && self.extractors.is_empty()
    }

    /// Counts a row.
    pub fn add(&mut self, trace: &RowTrace) {
        for passed in trace.iter() {
            count(&mut self.stages, passed);
            // Existing rows may state any text as their language.
            let is_code = |code: &[u8; 3]| code.iter().all(u8::is_ascii_lowercase);
            if let Some(code) = passed.language.filter(is_code) {
                count(self.languages.entry(code).or_default(), passed);
            }
        }
        if let Some(ChosenText { extractor, chars, tokens }) = trace.chosen().copied() {
            self.add_extractor(extractor, &ExtractorYield { rows: 1, chars, tokens });
        }
    }

    fn add_extractor(&mut self, name: &str, more: &ExtractorYield) {
        match self.extractors.get_mut(name) {
            Some(known) => known.add(more),
            None => _ = self.extractors.insert(name.to_owned(), *more),
        }
    }

    /// Adds the counters of another part of the run.
    pub fn add_all(&mut self, other: &Waterfall) {
        sum(&mut self.stages, &other.stages);
        for (code, stages) in &other.languages {
            sum(self.languages.entry(*code).or_default(), stages);
        }
        for (name, more) in &other.extractors {
            self.add_extractor(name, more);
        }
    }
}

/// Returns the counters of a stage. A new stage is appended.
fn counters_of<'a>(stages: &'a mut Vec<StageCounts>, stage: &'static str) -> &'a mut StageCounts {
    let place = stages.iter().position(|known| known.stage == stage).unwrap_or_else(|| {
        stages.push(StageCounts::new(stage));
        stages.len() - 1
    });
    &mut stages[place]
}

fn count(stages: &mut Vec<StageCounts>, passed: &StageTrace) {
    let counts = counters_of(stages, passed.stage);
    counts.rows += 1;
    counts.chars += passed.chars;
    match passed.chars_left {
        Some(left) => counts.chars_left += left,
        None => counts.dropped += 1,
    }
    add(&mut counts.tokens, passed.tokens);
    // The stage may have dropped all rows.
    add(&mut counts.tokens_left, passed.tokens.map(|_| passed.tokens_left.unwrap_or_default()));
}

/// Adds counters. A batch may have no row that reached a late stage. A stage that is missing from
/// `stages` is inserted after the stage that precedes it in `more`.
fn sum(stages: &mut Vec<StageCounts>, more: &[StageCounts]) {
    let mut next = 0;
    for new in more {
        let known = stages.iter().position(|known| known.stage == new.stage);
        let place = known.unwrap_or_else(|| {
            stages.insert(next, StageCounts::new(new.stage));
            next
        });
        let counts = &mut stages[place];
        counts.rows += new.rows;
        counts.dropped += new.dropped;
        counts.chars += new.chars;
        counts.chars_left += new.chars_left;
        add(&mut counts.tokens, new.tokens);
        add(&mut counts.tokens_left, new.tokens_left);
        next = place + 1;
    }
}

/// The languages as a JSON object.
struct Languages<'a>(&'a Waterfall);

impl Serialize for Languages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (code, stages) in self.0.languages() {
            map.serialize_entry(code, stages)?;
        }
        map.end()
    }
}

impl Serialize for Waterfall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("stages", &self.stages)?;
        map.serialize_entry("languages", &Languages(self))?;
        if !self.extractors.is_empty() {
            map.serialize_entry("extractors", &self.extractors)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for StageCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StageCounts, D::Error> {
        #[derive(Deserialize)]
        struct Members {
            stage: String,
            rows: u64,
            dropped: u64,
            chars: u64,
            chars_left: u64,
            #[serde(default)]
            tokens: Option<u64>,
            #[serde(default)]
            tokens_left: Option<u64>,
        }
        let Members { stage, rows, dropped, chars, chars_left, tokens, tokens_left } =
            Members::deserialize(deserializer)?;
        // Names of reasons are interned and live as long as the program. Names of stages must do so
        // too.
        let stage = Reason::named(&stage, RejectionKind::Skipped).map(Reason::name);
        let stage = stage.ok_or_else(|| serde::de::Error::custom("too many unknown stages"))?;
        Ok(StageCounts { stage, rows, dropped, chars, chars_left, tokens, tokens_left })
    }
}

impl<'de> Deserialize<'de> for Waterfall {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Waterfall, D::Error> {
        #[derive(Deserialize)]
        struct Members {
            stages: Vec<StageCounts>,
            languages: BTreeMap<String, Vec<StageCounts>>,
            #[serde(default)]
            extractors: BTreeMap<String, ExtractorYield>,
        }
        let Members { stages, languages, extractors } = Members::deserialize(deserializer)?;
        let code = |name: String| <[u8; 3]>::try_from(name.as_bytes()).ok();
        let is_code = |code: &[u8; 3]| code.iter().all(u8::is_ascii_lowercase);
        let languages = languages.into_iter().map(|(name, stages)| {
            code(name)
                .filter(is_code)
                .map(|code| (code, stages))
                .ok_or("a language is not a language code")
        });
        let languages = languages.collect::<Result<_, _>>().map_err(serde::de::Error::custom)?;
        Ok(Waterfall { stages, languages, extractors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_refine::stages::{Length, LengthSettings, MinChars};
    use huller_refine::{Chain, Language, RowInProgress, Signals, Stage, StagePhase, Text};

    /// Returns the waterfall of rows with these texts and languages.
    fn of_rows(rows: &[(&str, [u8; 3])]) -> Waterfall {
        let settings = LengthSettings { max_chars: 6, ..LengthSettings::default() };
        let stages: [Box<dyn Stage>; 2] =
            [Box::new(MinChars::new(3)), Box::new(Length::new(settings))];
        let mut chain = Chain::new(&stages);
        let (mut text, mut signals) = (Text::default(), Signals::disabled());
        let mut waterfall = Waterfall::default();
        for (content, code) in rows {
            text.begin().push_str(content);
            let language = Some(Language { code: *code, script: *b"Latn", score: 1. });
            let draft = RowInProgress::from_text(&mut text, &mut signals);
            chain.begin();
            let _ = chain.apply(StagePhase::Text, &mut RowInProgress { language, ..draft });
            waterfall.add(chain.trace());
        }
        waterfall
    }

    #[test]
    fn rows_and_characters_are_counted_by_stage_and_language() {
        let rows =
            [("ab", *b"eng"), ("abcd", *b"eng"), ("é bcdefg", *b"fra"), ("abc", *b"\0\n\xff")];
        let waterfall = of_rows(&rows);
        let json = serde_json::to_string(&waterfall).unwrap();
        let expected = r#"{"stages":[{"stage":"min_chars","rows":4,"dropped":1,"chars":17,"chars_left":15},{"stage":"length","rows":3,"dropped":1,"chars":15,"chars_left":7}],"languages":{"eng":[{"stage":"min_chars","rows":2,"dropped":1,"chars":6,"chars_left":4},{"stage":"length","rows":1,"dropped":0,"chars":4,"chars_left":4}],"fra":[{"stage":"min_chars","rows":1,"dropped":0,"chars":8,"chars_left":8},{"stage":"length","rows":1,"dropped":1,"chars":8,"chars_left":0}]}}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Waterfall>(&json).unwrap(), waterfall);

        // Sums parts, of which the first has only one stage.
        let mut sum = Waterfall::default();
        for row in &rows {
            sum.add_all(&of_rows(std::slice::from_ref(row)));
        }
        assert_eq!(sum, waterfall);
        let mut late_first = of_rows(&rows[1..]);
        late_first.add_all(&of_rows(&rows[..1]));
        assert_eq!(late_first, waterfall);
    }

    #[test]
    fn texts_are_counted_by_their_extractor() {
        let mut waterfall = Waterfall::default();
        for (extractor, chars, tokens) in
            [("hull", 7, None), ("dvps", 5, Some(2)), ("hull", 4, None), ("dvps", 1, Some(1))]
        {
            let mut chain = Chain::default();
            chain.begin();
            chain.choose(ChosenText { extractor, chars, tokens });
            let mut of_row = Waterfall::default();
            of_row.add(chain.trace());
            assert!(!of_row.is_empty());
            waterfall.add_all(&of_row);
        }
        let json = serde_json::to_string(&waterfall).unwrap();
        let expected = r#"{"stages":[],"languages":{},"extractors":{"dvps":{"rows":2,"chars":6,"tokens":3},"hull":{"rows":2,"chars":11}}}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Waterfall>(&json).unwrap(), waterfall);
    }
}
