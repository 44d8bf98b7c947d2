//! A row that exists passes the stages: what `huller refine` does with a line.
//!
//! The line is taken apart into its members, whose values stay as they are written but for those that the stages change. So a row keeps
//! its fields, their order and their bytes, whatever schema it has.

use crate::settings::{RefineKeys, Settings};
use crate::work::dropped::{Refusal, RowSinks};
use crate::work::rejection::Rejection;
use crate::work::signed_rows::RowFacts;
use crate::work::stages::StageWork;
use huller_refine::{Chain, Draft, Language, Needs, Reason, Signals};
use huller_row::{JsonMembers, JsonObject, json_string};
use serde_json::value::RawValue;
use std::fmt;

/// Fields that hold other forms of the text, or words of the page, and are masked as the text is.
const FORMS: [&str; 8] =
    ["title", "author", "site_name", "description", "comments", "markdown", "html", "source_html"];

/// The stages, and memory for rows that exist.
pub(crate) struct RefineWork {
    pub(crate) stages: StageWork,
    line: Vec<u8>,
    text: String,
    form: String,
}

impl RefineWork {
    pub(crate) fn new(settings: &Settings) -> RefineWork {
        RefineWork {
            stages: StageWork::new(settings),
            line: Vec::new(),
            text: String::new(),
            form: String::new(),
        }
    }
}

/// Sends a line through the stages and hands it on, with what they changed.
pub(crate) fn refined_row(
    settings: &Settings,
    keys: &RefineKeys,
    work: &mut RefineWork,
    line: &[u8],
    mut sinks: RowSinks<'_>,
) -> Result<(), Rejection> {
    let invalid = |problem: &dyn fmt::Display| Rejection {
        reason: Reason::InvalidJson,
        detail: problem.to_string(),
    };
    let json = std::str::from_utf8(line).map_err(|error| invalid(&error))?;
    let members: JsonMembers<'_> = serde_json::from_str(json).map_err(|error| invalid(&error))?;
    let RefineWork { stages: stage_work, line: out, text, form } = work;
    let StageWork { chain: stages, text: stage_text, signals, spare, .. } = &mut *stage_work;
    let found = keys.text.iter().find_map(|name| members.member(name));
    let found = found.and_then(|(at, text)| Some((at, json_string(text)?)));
    let (text_at, before) = found.ok_or(Reason::NoTextKey)?;
    text.clear();
    text.push_str(&before);

    let url = members.find(&keys.url).and_then(json_string);
    let page_type = members.text("page_type");
    let extractor = members.text("extractor");
    stages.begin();
    signals.clear();
    if sinks.dropped.is_some() && !signals.is_on() {
        *signals = Signals::on();
    }
    stage_text.begin();
    let mut draft = Draft {
        url: url.as_deref(),
        has_article: members.value("has_article"),
        page_type: page_type.as_deref(),
        score: members.value("score"),
        language: language(&members),
        ..Draft::of_text(stage_text, signals)
    };
    draft.text.swap(text);
    let mut refusal = Refusal::default();
    let kept = refusal.ask(&sinks, || {
        [Needs::Address, Needs::Verdict, Needs::Text, Needs::Final]
            .into_iter()
            .try_for_each(|needs| stages.apply(needs, &mut draft))
    });
    draft.text.give_back(text);
    let told = draft.language;
    kept?;
    if let (Some(reason), Some((dropped, _))) = (refusal.0, &mut sinks.dropped) {
        stage_work.write_signals();
        dropped.push(reason, stage_work.signals_json(), json);
        return Err(reason.into());
    }

    let is_told = settings.has_stage("language");
    // Rows of FineWeb's schema have a name of their own for it.
    let counted = ["tokens", "token_count"].into_iter().find(|name| members.member(name).is_some());
    let counted = settings.has_stage("tokens").then(|| counted.unwrap_or("tokens"));
    let tokens = stage_text.tokens();
    let is_changed = *text != *before;
    out.clear();
    let mut object = JsonObject::new(out);
    let mut writer = Writer { stages, spare, form, is_changed };
    for (at, (name, value)) in members.0.iter().enumerate() {
        match &**name {
            _ if at == text_at && is_changed => {
                object.untrusted(name, text.as_str());
            }
            "language" if is_told => object.text(name, told.as_ref().map(Language::code)),
            "language_script" if is_told => object.text(name, told.as_ref().map(Language::script)),
            "language_score" if is_told => object.value(name, told.map(|told| told.score)),
            "texts" => writer.texts(&mut object, name, value, (extractor.as_deref(), text)),
            "blocks" => writer.blocks(&mut object, name, value),
            "signals" if settings.signals => {}
            name if counted == Some(name) => object.value(name, tokens),
            // The count of another text than this one is now.
            "tokens" | "token_count" if is_changed && is_count(value) => object.raw(name, "null"),
            form if FORMS.contains(&form) => writer.form(&mut object, name, value),
            _ => object.raw(name, value.get()),
        }
    }
    if is_told && members.member("language").is_none() {
        object.text("language", told.as_ref().map(Language::code));
        object.text("language_script", told.as_ref().map(Language::script));
        object.value("language_score", told.map(|told| told.score));
    }
    if settings.signals {
        stage_work.write_signals();
        object.raw("signals", stage_work.signals_json());
    }
    if let Some(name) = counted.filter(|name| members.member(name).is_none()) {
        object.value(name, tokens);
    }
    object.end();
    if sinks.signed.is_some() {
        let (id, date) = (members.text("id"), members.text("date"));
        let score = members.value("score");
        let facts = RowFacts { id: id.as_deref(), date: date.as_deref(), score };
        sinks.sign(facts, stage_work.text.signature());
    }
    sinks.rows.line(std::str::from_utf8(out).expect("JSON made of strings"));
    Ok(())
}

/// Whether a value is a whole number.
fn is_count(value: &RawValue) -> bool {
    value.get().bytes().all(|byte| byte.is_ascii_digit())
}

/// The language that the row states.
fn language(members: &JsonMembers<'_>) -> Option<Language> {
    let code = members.text("language")?.as_bytes().try_into().ok()?;
    let script = members.text("language_script").and_then(|text| text.as_bytes().try_into().ok());
    Some(Language {
        code,
        script: script.unwrap_or(*b"Zyyy"),
        score: members.value("language_score").unwrap_or_default(),
    })
}

/// Writes values that stages may change.
struct Writer<'a> {
    stages: &'a mut Chain,
    spare: &'a mut String,
    form: &'a mut String,
    /// Whether the text was changed, so that places in it are no longer right.
    is_changed: bool,
}

impl Writer<'_> {
    /// A string as the stages change it, or any other value as it is.
    fn form(&mut self, object: &mut JsonObject<'_>, name: &str, value: &RawValue) {
        let Some(text) = json_string(value) else { return object.raw(name, value.get()) };
        self.form.clear();
        self.form.push_str(&text);
        if self.stages.rewrite(self.form, self.spare) {
            object.untrusted(name, self.form.as_str());
        } else {
            object.raw(name, value.get());
        }
    }

    /// An object of strings, of which that of the row's own method is the row's text again.
    fn texts(
        &mut self,
        object: &mut JsonObject<'_>,
        name: &str,
        value: &RawValue,
        (own, text): (Option<&str>, &str),
    ) {
        let Ok(JsonMembers(texts)) = serde_json::from_str(value.get()) else {
            return object.raw(name, value.get());
        };
        object.object(name, |object| {
            for (name, value) in &texts {
                if self.is_changed && own == Some(&**name) {
                    object.untrusted(name, text);
                } else {
                    self.form(object, name, value);
                }
            }
        });
    }

    /// A list of objects with texts and places.
    fn blocks(&mut self, object: &mut JsonObject<'_>, name: &str, value: &RawValue) {
        let Ok(blocks) = serde_json::from_str::<Vec<JsonMembers<'_>>>(value.get()) else {
            return object.raw(name, value.get());
        };
        object.list(name, blocks.iter(), |object, JsonMembers(block)| {
            for (name, value) in block {
                match &**name {
                    "text" => self.form(object, name, value),
                    "start" | "end" if self.is_changed => object.raw(name, "null"),
                    _ => object.raw(name, value.get()),
                }
            }
        });
    }
}
