//! Sends an existing row through the stages: the work of `huller refine` on a line.
//!
//! The line is split into its members. Values that no stage changes keep their bytes. So a row
//! keeps its fields, their order and their bytes in every schema. The table of fields and the
//! schemas state the content of each member.

use crate::probe::NoProbe;
use crate::settings::Settings;
use crate::work::dropped_rows::RowSinks;
use crate::work::rejection::Rejection;
use crate::work::signed_rows::RowFacts;
use crate::work::stages::StageWork;
use crate::work::value_rewriter::{RowValueKind, ValueRewriter, ValueScratch};
use huller_archive::Position;
use huller_corpus::{CorpusRow, RowFault, RowKeys, RowText, generate_id};
use huller_refine::{Language, Perplexity, Reason, RowFields, StagePhase};
use huller_row::{
    Field, FieldContent, FieldType, JsonMembers, JsonObject, MemberContent, Row, RowSource, counts,
    json_number, json_string, member_content, names_of, nest_of, omits_null, parse_row,
};
use huller_run::withdrawals::finder::{Finder, RowIdentity};
use huller_run::withdrawals::keys::reason as withdrawn_reason;
use huller_select::Verdict;
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::str::FromStr;

/// The stages, and buffers for existing rows.
pub(crate) struct RefineWork {
    pub(crate) stages: StageWork,
    line: Vec<u8>,
    text: String,
    value_scratch: ValueScratch,
    value: Vec<u8>,
    /// A generated identifier.
    id: String,
    /// Finds withdrawn rows, if there are any.
    withdrawn: Option<Finder>,
}

impl RefineWork {
    pub(crate) fn new(settings: &Settings) -> RefineWork {
        RefineWork {
            stages: StageWork::new(settings),
            line: Vec::new(),
            text: String::new(),
            value_scratch: ValueScratch::default(),
            value: Vec::new(),
            id: String::new(),
            withdrawn: settings.finder(),
        }
    }
}

/// Sends a line through the stages and passes it to `sinks`, with the changes of the stages.
pub(crate) fn refined_row(
    settings: &Settings,
    keys: &RowKeys,
    work: &mut RefineWork,
    (line, place): (&[u8], RowPlace<'_>),
    mut sinks: RowSinks<'_>,
) -> Result<(), Rejection> {
    let row = RowParts::read(line, keys)?;
    let (language, refused) = pass_stages(&row, work, &sinks)?;
    if let Some(finder) = &mut work.withdrawn {
        let (id, parent_id) = (row.row.id(), row.row.field_string("parent_id"));
        // The text of a passage says nothing about its page.
        let text = Some(work.text.as_str()).filter(|_| parent_id.is_none());
        let (url, id, parent_id) = (row.url.as_deref(), id.as_deref(), parent_id.as_deref());
        if finder.rule(&RowIdentity { url, id, parent_id, text }).is_some() {
            return Err(withdrawn_reason().into());
        }
    }
    if let (Some(reason), Some((dropped, _))) = (refused, &mut sinks.dropped) {
        work.stages.write_signals();
        let json = str::from_utf8(line).expect("a row that was read");
        dropped.push(reason, work.stages.signals_json(), json);
        return Err(reason.into());
    }
    write(settings, &row, work, language);
    if sinks.signed.is_some() {
        let (id, date) = (row.row.id(), row.row.date());
        let score = row.row.score();
        let facts = RowFacts { id: id.as_deref(), date: date.as_deref(), score };
        sinks.sign(facts, work.stages.text.signature());
    }
    let json = str::from_utf8(&work.line).expect("JSON made of strings");
    if sinks.rows.needs_only_line() {
        sinks.rows.existing_row(json, &Row::default());
        return Ok(());
    }
    let Ok(refined) = CorpusRow::parse(json.as_bytes()) else {
        unreachable!("a row that was written")
    };
    let frame_id = refined.frame_id();
    let made_id = generate_id(place.input, place.offset(), &mut work.id);
    let id = frame_id.as_deref().unwrap_or(made_id);
    // Stages leave out members, so that the text may have another place.
    let name = row.row.members().0[row.text.member].0.as_written();
    let text = refined.members().0.iter().rposition(|(known, _)| known.as_written() == name);
    let given = RowSource { text, url: row.url.as_deref(), id, frame: refined.frame() };
    parse_row(refined.members(), given, |row| sinks.rows.existing_row(json, row));
    Ok(())
}

/// The place of a row.
#[derive(Clone, Copy)]
pub(crate) struct RowPlace<'a> {
    /// Name of the input.
    pub(crate) input: &'a str,
    pub(crate) position: Position,
}

impl RowPlace<'_> {
    /// Returns the number that, with the input, identifies a row without an identifier.
    fn offset(self) -> u64 {
        let Position { member, stream_offset } = self.position;
        stream_offset.or(member.map(|(offset, _)| offset)).unwrap_or_default()
    }
}

/// The parts of a row that stages use.
struct RowParts<'a> {
    row: CorpusRow<'a>,
    text: RowText<'a>,
    url: Option<Cow<'a, str>>,
    /// The nested object for fields without a member of their own: its index and its members.
    nest: Option<(usize, JsonMembers<'a>)>,
    /// Whether new fields belong into that object.
    is_nested: bool,
}

impl<'a> RowParts<'a> {
    fn read(line: &'a [u8], keys: &RowKeys) -> Result<RowParts<'a>, RowFault> {
        let row = CorpusRow::parse(line)?;
        let (text, url) = (row.text(keys)?, row.url(keys));
        let members = row.members();
        let nest = nest_of(members);
        let is_nested = nest.is_some_and(|(_, is_home)| is_home);
        let nest =
            nest.and_then(|(at, _)| Some((at, serde_json::from_str(members.0[at].1.get()).ok()?)));
        Ok(RowParts { row, text, url, nest, is_nested })
    }

    /// Returns the value of a field that is not null. Looks under all names that schemas give the
    /// field, in the row and in its nested object, which may be JSON text.
    fn field(&self, field: &str) -> Option<&RawValue> {
        let is_value = |value: &&RawValue| value.get() != "null";
        let objects = [Some(self.row.members()), self.nest.as_ref().map(|(_, members)| members)];
        let found = objects.into_iter().flatten().find_map(|members| {
            let values = names_of(field).filter_map(|name| members.member(name));
            values.map(|(_, value)| value).find(is_value)
        });
        found.or_else(|| {
            names_of(field).filter_map(|name| self.row.metadata_value(name)).find(is_value)
        })
    }

    /// Returns whether the row has the field, null or not.
    fn has(&self, field: &str) -> bool {
        let is_in =
            |members: &JsonMembers<'_>| names_of(field).any(|name| members.member(name).is_some());
        is_in(self.row.members()) || self.nest.as_ref().is_some_and(|(_, members)| is_in(members))
    }

    fn text_of(&self, field: &str) -> Option<Cow<'_, str>> {
        self.field(field).and_then(json_string)
    }

    /// Returns a field that is a number or a flag.
    fn number_of<T: FromStr>(&self, field: &str) -> Option<T> {
        json_number(self.field(field)?)
    }

    /// Returns the language that the row states.
    fn language(&self) -> Option<Language> {
        let code = self.text_of("language")?.as_bytes().try_into().ok()?;
        let script = self.text_of("language_script");
        let script = script.and_then(|text| text.as_bytes().try_into().ok());
        let score = self.number_of("language_score").unwrap_or_default();
        Some(Language { code, script: script.unwrap_or(*b"Zyyy"), score })
    }
}

impl RowFields for RowParts<'_> {
    /// Looks for a member of this name. Then it looks for the field under the names that schemas
    /// give it.
    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        let text = self.row.string(name).or_else(|| self.text_of(name));
        // Statements of rights are a list, which a table has as text.
        text.or_else(|| self.field(name).filter(|_| name == "rights").map(|list| list.get().into()))
    }
}

/// Sends the text of a row through the stages, and returns its language. The final text is in
/// `work`.
fn pass_stages(
    row: &RowParts<'_>,
    work: &mut RefineWork,
    sinks: &RowSinks<'_>,
) -> Result<(Option<Language>, Option<Reason>), Reason> {
    let RefineWork { stages, text: staged_text, .. } = work;
    staged_text.clear();
    staged_text.push_str(&row.text.text);
    stages.text.begin();
    let verdict = Verdict { has_article: row.number_of("has_article"), ..Verdict::default() };
    let (page_type, has_article) =
        (row.text_of("page_type"), verdict.with_text(&row.text.text).has_article);
    let mut staged = stages.begin(row.url.as_deref(), sinks);
    staged.states(page_type.as_deref(), has_article, row.row.score(), row.language());
    staged.note_fields(row);
    staged.pass(StagePhase::Address, sinks, &mut NoProbe)?;
    staged.pass(StagePhase::Verdict, sinks, &mut NoProbe)?;
    staged.pass_text(staged_text, sinks, &mut NoProbe)?;
    Ok(staged.outcome())
}

/// Writes the row, as the stages leave it, to the line in `work`.
fn write(
    settings: &Settings,
    row: &RowParts<'_>,
    work: &mut RefineWork,
    language: Option<Language>,
) {
    let RefineWork { stages, line, text, value_scratch, value, .. } = work;
    if settings.signals {
        stages.write_signals();
    }
    let tokens = stages.text.tokens();
    let (chain, text_in_stages, signals) = stages.results();
    let made = StageResults {
        language: settings.has_stage("language").then_some(StageResult(language)),
        signals: settings.signals.then_some(signals),
        classes: settings.has_stage("fasttext").then_some(StageResult(text_in_stages.classes())),
        perplexity: settings
            .has_stage("perplexity")
            .then_some(StageResult(text_in_stages.perplexity())),
        tokens: settings.has_stage("tokens").then_some(StageResult(tokens)),
        rights: text_in_stages.rights(),
    };
    line.clear();
    let is_changed = *text != *row.text.text;
    let extractor = row.text_of("extractor");
    let mut writer = RowWriter {
        row,
        made,
        rewriter: ValueRewriter::new(chain, value_scratch),
        text,
        extractor: extractor.as_deref(),
        is_changed,
        value,
        omits_null: OnceCell::new(),
        edits: 0,
    };
    row.row.write_in_frame(line, |line| {
        let mut object = JsonObject::new(line);
        writer.members(row.row.members(), true, &mut object);
        object.end();
    });
}

/// Result of a stage of the run, empty if the stage found nothing.
#[derive(Clone, Copy)]
struct StageResult<T>(Option<T>);

/// Results of the stages besides the text. `None` if the stage is not in the run.
struct StageResults<'a> {
    language: Option<StageResult<Language>>,
    signals: Option<&'a str>,
    classes: Option<StageResult<&'a str>>,
    perplexity: Option<StageResult<Perplexity>>,
    tokens: Option<StageResult<u64>>,
    rights: Option<&'a str>,
}

/// Treatment of a member.
enum MemberTreatment {
    Keep,
    LeaveOut,
    /// Its new value was written to [`RowWriter::value`].
    Replace,
}

/// Writes a row with the changes of the stages.
struct RowWriter<'a, 'r> {
    row: &'a RowParts<'r>,
    made: StageResults<'a>,
    rewriter: ValueRewriter<'a>,
    text: &'a str,
    /// The extractor that made the text.
    extractor: Option<&'a str>,
    /// Whether the text was changed, so that counts of it and places in it are out of date.
    is_changed: bool,
    value: &'a mut Vec<u8>,
    /// Whether the schema of the row leaves out nulls, computed on first use.
    omits_null: OnceCell<bool>,
    /// Number of members that were changed.
    edits: usize,
}

impl RowWriter<'_, '_> {
    /// Writes the members of the row, or of the object within it that holds fields.
    fn members(
        &mut self,
        JsonMembers(members): &JsonMembers<'_>,
        is_row: bool,
        object: &mut JsonObject<'_>,
    ) {
        for (at, (name, value)) in members.iter().enumerate() {
            if is_row && at == self.row.text.member && self.is_changed {
                object.untrusted(name.as_written(), self.text);
                continue;
            }
            let is_nest = is_row && self.row.nest.as_ref().is_some_and(|(nest, _)| *nest == at);
            let fate = if is_row && at == self.row.text.member {
                MemberTreatment::Keep
            } else if is_nest {
                self.nest()
            } else {
                self.member(name, value, is_row)
            };
            self.edits += usize::from(!matches!(fate, MemberTreatment::Keep));
            match fate {
                MemberTreatment::Keep => object.raw(name.as_written(), value.get()),
                MemberTreatment::LeaveOut => {}
                MemberTreatment::Replace => {
                    let value = str::from_utf8(self.value).expect("JSON made of strings");
                    object.raw(name.as_written(), value);
                }
            }
        }
        if self.row.is_nested != is_row {
            self.new_members(object);
        }
    }

    /// Adds results of stages for which the row has no member.
    fn new_members(&mut self, object: &mut JsonObject<'_>) {
        const NAMES: [&str; 9] = [
            "language",
            "language_script",
            "language_score",
            "signals",
            "classes",
            "perplexity",
            "bucket",
            "tokens",
            "rights",
        ];
        let row = self.row;
        let has_language = row.has("language");
        for name in NAMES {
            let is_there = match name {
                "signals" => false,
                "classes" | "perplexity" | "bucket" | "tokens" | "rights" => row.has(name),
                _ => has_language || row.has(name),
            };
            if !is_there
                && matches!(self.stage_treatment(name, true), Some(MemberTreatment::Replace))
            {
                self.edits += 1;
                object.raw(name, str::from_utf8(self.value).expect("JSON made of strings"));
            }
        }
    }

    /// Writes the object within the row that holds fields.
    fn nest(&mut self) -> MemberTreatment {
        let row = self.row;
        let Some((_, members)) = &row.nest else { return MemberTreatment::Keep };
        let mut json = Vec::new();
        let before = self.edits;
        let mut object = JsonObject::new(&mut json);
        self.members(members, false, &mut object);
        object.end();
        if self.edits == before {
            return MemberTreatment::Keep;
        }
        *self.value = json;
        MemberTreatment::Replace
    }

    /// Treats a member by its name.
    fn member(&mut self, name: &str, value: &RawValue, is_row: bool) -> MemberTreatment {
        match member_content(name) {
            Some(MemberContent::Field(field)) => self.field(field, value),
            Some(MemberContent::Chars | MemberContent::Lines)
                if !is_row || !self.counts(name, value) =>
            {
                MemberTreatment::Keep
            }
            Some(MemberContent::Chars) => self.replace(self.text.chars().count()),
            Some(MemberContent::Lines) => self.replace(self.text.lines().count()),
            Some(holds) if holds.content() == FieldContent::Reference => MemberTreatment::Keep,
            _ => self.rewrite_value(value, RowValueKind::Own),
        }
    }

    /// Returns whether a member counts something in the text before its change.
    fn counts(&self, name: &str, value: &RawValue) -> bool {
        let (text, _) = &self.row.row.members().0[self.row.text.member];
        self.is_changed && is_count(value) && counts(name, text)
    }

    /// Treats a member that is a field of the table.
    fn field(&mut self, field: &Field, value: &RawValue) -> MemberTreatment {
        if let Some(fate) = self.stage_treatment(field.name, false) {
            return fate;
        }
        match (field.content, field.value_type) {
            // The count belongs to the text before its change.
            _ if field.name == "tokens" && self.is_changed && is_count(value) => {
                self.replace_or_leave_out(None::<u64>)
            }
            (FieldContent::Reference, _) => MemberTreatment::Keep,
            (FieldContent::MainText | FieldContent::PageText, FieldType::Texts) => {
                let own = self.extractor.filter(|_| self.is_changed);
                self.rewrite_value(value, RowValueKind::Texts(own.map(|own| (own, self.text))))
            }
            (FieldContent::MainText | FieldContent::PageText, FieldType::Json(_)) => {
                self.rewrite_value(value, RowValueKind::Blocks(self.is_changed))
            }
            (FieldContent::MainText | FieldContent::PageText, _) => {
                self.rewrite_value(value, RowValueKind::Page)
            }
            (FieldContent::Figure, _) if !value.get().starts_with('"') => MemberTreatment::Keep,
            (FieldContent::Figure | FieldContent::Own, _) => {
                self.rewrite_value(value, RowValueKind::Own)
            }
        }
    }

    /// Returns the treatment of a field that a stage of the run makes, or `None` if no stage makes
    /// it.
    fn stage_treatment(&mut self, field: &str, is_new: bool) -> Option<MemberTreatment> {
        let StageResults { language, signals, classes, perplexity, tokens, rights } = &self.made;
        match field {
            "language" => {
                let StageResult(language) = (*language)?;
                Some(self.replace_or_leave_out(language.as_ref().map(Language::code)))
            }
            "language_script" => {
                let StageResult(language) = (*language)?;
                Some(self.replace_or_leave_out(language.as_ref().map(Language::script)))
            }
            "language_score" => {
                let StageResult(language) = (*language)?;
                let score = language.map(|language| language.score);
                Some(self.replace_or_leave_out(score))
            }
            "classes" => {
                let StageResult(classes) = (*classes)?;
                let classes: Option<&RawValue> =
                    classes.map(|json| serde_json::from_str(json).expect("JSON of a stage"));
                Some(self.replace_or_leave_out(classes))
            }
            "perplexity" => {
                let StageResult(perplexity) = (*perplexity)?;
                Some(self.replace_or_leave_out(perplexity.and_then(|found| found.value)))
            }
            "bucket" => {
                let StageResult(perplexity) = (*perplexity)?;
                Some(self.replace_or_leave_out(perplexity.map(|found| found.bucket.name())))
            }
            "tokens" => {
                let StageResult(tokens) = (*tokens)?;
                Some(self.replace_or_leave_out(tokens))
            }
            "rights" => {
                let rights: &RawValue = serde_json::from_str((*rights)?).expect("JSON of a stage");
                Some(self.replace(rights))
            }
            // Signals come after all other members.
            "signals" if !is_new => signals.map(|_| MemberTreatment::LeaveOut),
            "signals" => {
                let signals = (*signals)?;
                self.value.clear();
                self.value.extend_from_slice(signals.as_bytes());
                Some(MemberTreatment::Replace)
            }
            _ => None,
        }
    }

    /// Writes a value as the stages change it.
    fn rewrite_value(&mut self, value: &RawValue, kind: RowValueKind<'_>) -> MemberTreatment {
        self.value.clear();
        if self.rewriter.write(value.get(), kind, self.value) {
            MemberTreatment::Replace
        } else {
            MemberTreatment::Keep
        }
    }

    fn replace(&mut self, value: impl Serialize) -> MemberTreatment {
        self.value.clear();
        serde_json::to_writer(&mut *self.value, &value).expect("writing to memory cannot fail");
        MemberTreatment::Replace
    }

    /// Writes a value that may be null. Some schemas leave nulls out.
    fn replace_or_leave_out(&mut self, value: Option<impl Serialize>) -> MemberTreatment {
        let members = self.row.row.members();
        if value.is_none() && *self.omits_null.get_or_init(|| omits_null(members)) {
            return MemberTreatment::LeaveOut;
        }
        self.replace(value)
    }
}

/// Returns whether a value is a whole number. Tables hold it as a text.
fn is_count(value: &RawValue) -> bool {
    json_number::<u64>(value).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use huller_row::{
        Compression, Compressor, Extras, FIELDS, JSONL, Layout, Row, RowSink, SCHEMAS, Texts,
    };
    use serde_json::Value;

    const SECRET: &str = "ann@site.org";
    const MASKED: &str = "email@example.com";

    /// A sink that takes lines.
    #[derive(Default)]
    struct Lines(String);

    impl RowSink for Lines {
        fn row(&mut self, _: &Row<'_>) {}

        fn existing_row(&mut self, json: &str, _: &Row<'_>) {
            self.0.push_str(json);
        }

        fn needs_only_line(&self) -> bool {
            true
        }

        fn mark(&self) -> usize {
            self.0.len()
        }

        fn cut(&mut self, mark: usize) {
            self.0.truncate(mark);
        }
    }

    /// A run with some stages.
    struct Run {
        settings: Settings,
        work: RefineWork,
    }

    impl Run {
        fn new(stages: &[&str]) -> Run {
            Run::with_settings(stages, &[])
        }

        fn with_settings(stages: &[&str], set: &[&str]) -> Run {
            let owned = |list: &[&str]| Some(list.iter().map(|&it| it.to_owned()).collect());
            let (stages, set) = (owned(stages), owned(set));
            let config = Config { stages, set, ..Config::default() };
            let settings = config.settings_of_rows(RowKeys::default()).unwrap();
            Run { work: RefineWork::new(&settings), settings }
        }

        fn refined(&mut self, line: &str) -> Result<String, Reason> {
            let (mut lines, keys) = (Lines::default(), RowKeys::default());
            let sinks = RowSinks { rows: &mut lines, dropped: None, signed: None };
            let place = RowPlace { input: "rows.jsonl", position: Position::default() };
            refined_row(&self.settings, &keys, &mut self.work, (line.as_bytes(), place), sinks)
                .map_err(|rejection| rejection.reason)?;
            Ok(lines.0)
        }
    }

    fn refined(line: &str, stages: &[&str]) -> Result<String, Reason> {
        Run::new(stages).refined(line)
    }

    /// Makes a row with the text in all fields that hold one, in a run that asks for all of them.
    fn with_row<T>(text: &str, show: impl FnOnce(&Row<'_>, &Layout) -> T) -> T {
        let json = |value: Value| value.to_string();
        let blocks = json(serde_json::json!([{"text": text, "start": 1, "end": 2}]));
        let source = json(serde_json::json!({"note": text, "tags": [text]}));
        let texts = [text.to_owned(), text.to_owned()];
        let names = ["hull", "body"];
        let some = Some(text);
        let all = Extras {
            texts: true,
            markdown: true,
            html: true,
            source_html: true,
            blocks: true,
            signals: true,
            classes: true,
            perplexity: true,
            tokens: true,
            rights: true,
            source: true,
        };
        let row = Row {
            id: text,
            url: some,
            date: some,
            title: some,
            text,
            language: some,
            language_script: some,
            language_score: Some(0.5),
            author: some,
            published: some,
            site_name: some,
            description: some,
            extractor: "hull",
            score: Some(0.5),
            page_type: some,
            has_article: Some(true),
            comments: some,
            charset: text,
            charset_source: text,
            replaced: 0,
            content_type: some,
            status: Some(200),
            digest: some,
            file_path: text,
            warc_filename: some,
            warc_record_offset: Some(1),
            warc_record_length: Some(1),
            stream_offset: None,
            truncated: some,
            texts: Some(Texts { names: &names, texts: &texts }),
            markdown: some,
            html: some,
            source_html: some,
            blocks: Some(&blocks),
            signals: Some("{\"a.b\":1}"),
            classes: Some("{\"quality\":{\"label\":\"hq\",\"score\":0.5}}"),
            rights: Some("[{\"signal\":\"noai\",\"value\":\"noai\"}]"),
            perplexity: Some(20.5),
            bucket: Some("head"),
            tokens: Some(7),
            source: Some(&source),
            record: None,
            anchors: &[],
            links: &[],
            link: None,
            passage: None,
            extras: all,
        };
        let compression = Compression::None;
        let extractors = names.to_vec();
        show(&row, &Layout { extras: all, extractors, compression, ..Layout::default() })
    }

    /// Returns the lines of the row under each schema, and without a schema.
    fn lines(text: &str) -> Vec<(&'static str, String)> {
        let none = [("", None)].into_iter();
        // Lines in the frame of a loader have no text that a stage could read.
        let readable = SCHEMAS.iter().filter(|schema| schema.text().is_some());
        let schemas = none.chain(readable.map(|schema| (schema.name, Some(schema))));
        let write = |schema| {
            with_row(text, |row, layout| {
                let layout = Layout { schema, ..layout.clone() };
                let (mut encoder, mut piece) = (JSONL.encoder(&layout), Vec::new());
                encoder.row(row);
                encoder.finish(&mut Compressor::new(Compression::None), &mut piece);
                String::from_utf8(piece).unwrap().trim_end().to_owned()
            })
        };
        schemas.map(|(name, schema)| (name, write(schema))).collect()
    }

    #[test]
    fn stages_reach_the_text_in_every_field_of_every_schema() {
        let old = format!("cafe\u{301} {SECRET} \"\\\n words");
        let escaped = Value::from(old.as_str()).to_string();
        let old_json = escaped.trim_matches('"');
        let new_json = old_json.replace(SECRET, MASKED).replace("e\u{301}", "é");
        for (schema, line) in lines(&old) {
            let line = line.lines().last().unwrap();
            let row = refined(line, &["mask", "normalise"]).unwrap();
            let [before, after] =
                [line, &row].map(|line| serde_json::from_str::<Value>(line).unwrap());
            let mut seen = 0;
            for (before, after) in [(&before, &after), (&before["metadata"], &after["metadata"])] {
                for (name, value) in after.as_object().into_iter().flatten() {
                    let Some(MemberContent::Field(field)) = member_content(name) else { continue };
                    seen += 1;
                    let json = value.to_string();
                    match field.content {
                        FieldContent::Reference => {
                            assert_eq!(*value, before[name], "{schema} {name}");
                        }
                        FieldContent::MainText | FieldContent::PageText => assert!(
                            json.contains(&new_json) && !json.contains(old_json),
                            "{schema} {name}: {json}"
                        ),
                        FieldContent::Own => {
                            assert!(!json.contains(SECRET), "{schema} {name}: {json}");
                        }
                        FieldContent::Figure => assert!(!json.contains(MASKED), "{schema} {name}"),
                    }
                }
            }
            let has_all = !matches!(schema, "fineweb" | "ccnet" | "anserini");
            // Rows for Quickwit leave nulls out: `stream_offset`, and `tokens` of a text that was
            // changed.
            assert_eq!(has_all, seen >= FIELDS.len() - 2, "{schema}: {seen}");
        }
    }

    #[test]
    fn the_language_and_counts_of_every_schema_are_written_where_they_stand() {
        let text =
            "The ferry to the island leaves at nine in the morning, and it comes back at night. "
                .repeat(3);
        let spoilt = text.clone() + SECRET;
        let mut counting = Run::new(&["mask", "language", "tokens"]);
        let mut masking = Run::new(&["mask"]);
        let (plain, spoilt) = (lines(&text), lines(&spoilt));
        for ((schema, line), (_, spoilt)) in plain.iter().zip(&spoilt) {
            let refined = |line: &str, run: &mut Run| -> (String, Value) {
                let line = run.refined(line.lines().last().unwrap()).unwrap();
                let row = serde_json::from_str(&line).unwrap();
                (line, row)
            };
            let (line, row) = refined(line, &mut counting);
            let nest =
                if matches!(*schema, "dolma" | "datatrove") { &row["metadata"] } else { &row };
            assert_eq!(nest["language"], "eng", "{schema}: {line}");
            let tokens = if *schema == "fineweb" { "token_count" } else { "tokens" };
            assert!(nest[tokens].as_u64().is_some_and(|count| count > 40), "{schema}: {line}");
            for name in ["language", "language_script", "language_score", "tokens", "token_count"] {
                let count = line.matches(&format!("\"{name}\":")).count();
                assert!(count <= 1, "{schema}: {name} stands {count} times: {line}");
            }
            // Counts of the earlier text are removed.
            let (line, row) = refined(spoilt, &mut masking);
            let nest =
                if matches!(*schema, "dolma" | "datatrove") { &row["metadata"] } else { &row };
            assert!(nest[tokens].is_null(), "{schema}: {line}");
            if *schema == "quickwit" {
                assert!(row.as_object().unwrap().values().all(|it| !it.is_null()), "{line}");
            }
            if *schema == "ccnet" {
                let masked = row["raw_content"].as_str().unwrap();
                assert!(masked.ends_with(MASKED));
                assert_eq!(row["length"].as_u64(), Some(masked.chars().count() as u64));
                assert_eq!(row["nlines"].as_u64(), Some(masked.lines().count() as u64));
            }
        }
    }

    #[test]
    fn figures_in_quotes_decide_as_those_without() {
        for (set, line, is_kept) in [
            ("page.min_score=0.5", r#"{"text":"a b","score":"0.2"}"#, false),
            ("page.min_score=0.5", r#"{"text":"a b","score":"0.9"}"#, true),
            ("page.require_article=true", r#"{"text":"a b","has_article":"FALSE"}"#, false),
            ("page.require_article=true", r#"{"text":"a b","has_article":"True"}"#, true),
        ] {
            let kept = Run::with_settings(&["page"], &[set]).refined(line);
            assert_eq!(kept.is_ok(), is_kept, "{set}: {line}");
        }
        let line = r#"{"text":"a b","metadata":"{\"score\":0.2,\"has_article\":false}"}"#;
        for set in ["page.min_score=0.5", "page.require_article=true"] {
            assert!(Run::with_settings(&["page"], &[set]).refined(line).is_err(), "{set}");
        }
        assert_eq!(refined(line, &["normalise"]).as_deref(), Ok(line));
        let counted = refined(r#"{"text":"a@b.org","tokens":"7.0"}"#, &["mask"]).unwrap();
        assert_eq!(counted, r#"{"text":"email@example.com","tokens":null}"#);
    }

    #[test]
    fn rows_in_frames_of_loaders_stay_in_them() {
        for (line, expected) in [
            (
                r#"{"put":"id:page:page::1","fields":{"text":"a@b.org","id":"1"}}"#,
                r#"{"put":"id:page:page::1","fields":{"text":"email@example.com","id":"1"}}"#,
            ),
            (
                r#"{"id":"1","vector":[0.50],"payload":{"title":"a@b.org","text":"x"}}"#,
                r#"{"id":"1","vector":[0.50],"payload":{"title":"email@example.com","text":"x"}}"#,
            ),
        ] {
            assert_eq!(refined(line, &["mask"]).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn the_first_key_with_a_string_holds_the_text() {
        for (line, expected) in [
            (
                r#"{"text":null,"content":"a@b.org"}"#,
                Ok(r#"{"text":null,"content":"email@example.com"}"#),
            ),
            (
                r#"{"contents":"a@b.org","text":["x"]}"#,
                Ok(r#"{"contents":"email@example.com","text":["x"]}"#),
            ),
            (r#"{"text":null}"#, Err(Reason::NoTextKey)),
            (r#"{"text":{"text":"a"}}"#, Err(Reason::NoTextKey)),
        ] {
            assert_eq!(refined(line, &["mask"]).as_deref(), expected.as_deref());
        }
    }

    #[test]
    fn what_is_not_changed_keeps_its_bytes() {
        for line in [
            r#"{"text":"cut \ud83d","a\"b":"\ud800","\ud800":1.50,"metadata":{ "n" : [ 1.50 ] }}"#,
            r#"{"text":"\u0041","title":"\u0042","texts":{ "a":"b" },"blocks":[ {"start":1} ]}"#,
            r#"{"text":"a","tokens":7,"length":3,"metadata":{"tokens":"7","language":null}}"#,
        ] {
            assert_eq!(refined(line, &["mask", "normalise"]).as_deref(), Ok(line));
        }
    }

    #[test]
    fn no_masked_address_is_left_in_others_members() {
        let line = r#"{"text":"a@b.org \ud83d","title":"\ud83d a@b.org","tags":["x",{"y":"a@b.org"}],"author":["a@b.org"],"a\u0040b":"ask a\u0040b.org","id":"a@b.org","link":"https://a@b.org/","tokens":"7","metadata":{ "url":"a@b.org", "by":"a@b.org","title":"a@b.org","texts":{"hull":"a@b.org"}},"text":"a@b.org","texts":"{\"hull\":\"a@b.org\"}"}"#;
        let expected = r#"{"text":"email@example.com �","title":"� email@example.com","tags":["x",{"y":"email@example.com"}],"author":["email@example.com"],"a\u0040b":"ask email@example.com","id":"a@b.org","link":"https://a@b.org/","tokens":null,"metadata":{"url":"a@b.org","by":"email@example.com","title":"email@example.com","texts":{"hull":"email@example.com"}},"text":"email@example.com","texts":"{\"hull\":\"email@example.com\"}"}"#;
        assert_eq!(refined(line, &["mask"]).as_deref(), Ok(expected));
    }
}
