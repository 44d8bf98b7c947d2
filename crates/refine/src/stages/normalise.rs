//! Mends characters: UTF-8 that was read as Windows-1252, control characters, and composition (NFC).
//!
//! The first two as ftfy 6.3 does (Speer, "ftfy: fixes text for you"), for the common cases; `mojibake` says which. What each step
//! leaves out is told by `tests/parity.rs` on the texts of the oracle.

mod mojibake;

use crate::draft::Draft;
use crate::reason::Reason;
use crate::stage::{Decision, Needs, RowStage, Stage};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Settings of [`Normalise`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NormaliseSettings {
    /// Mend UTF-8 that was read as Windows-1252: `cafÃ©` becomes `café`. Default true, as in ftfy.
    pub mojibake: bool,
    /// Leave out control characters but for tabs, line ends and form feeds, and a few of Unicode that nothing shows (byte order marks,
    /// interlinear annotations). Those of U+0080 to U+009F become what Windows-1252 has there. Default true, as in ftfy.
    pub control_characters: bool,
    /// Compose letters and their marks where Unicode has a scalar for both (NFC). Default true (ftfy: true; datatrove's FTFYFormatter: false).
    pub nfc: bool,
}

impl Default for NormaliseSettings {
    fn default() -> NormaliseSettings {
        NormaliseSettings { mojibake: true, control_characters: true, nfc: true }
    }
}

/// Mends the characters of texts. Drops nothing.
#[derive(Clone, Debug, Default)]
pub struct Normalise(Arc<NormaliseSettings>);

impl Normalise {
    /// Applies these settings.
    pub fn new(settings: NormaliseSettings) -> Normalise {
        Normalise(Arc::new(settings))
    }
}

/// A step: what is to be done, the text, where to write. Returns whether anything was changed; if not, what was written means
/// nothing.
type Step = fn(&str, &mut String) -> bool;

impl NormaliseSettings {
    /// The steps that are asked for, in their order, and the names of their figures.
    fn steps(&self) -> impl Iterator<Item = (Step, &'static str)> + use<> {
        let steps: [(bool, Step, _); 3] = [
            (self.mojibake, mojibake::mend, "normalise.mojibake"),
            (self.control_characters, control_characters, "normalise.control_characters"),
            (self.nfc, nfc, "normalise.nfc"),
        ];
        steps.into_iter().filter(|(is_on, ..)| *is_on).map(|(_, step, name)| (step, name))
    }
}

/// Whether a scalar is left out. Facts of ftfy (`remove_control_chars`).
fn is_left_out(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}' | '\u{B}' | '\u{E}'..='\u{1F}' | '\u{7F}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFC}'
    )
}

fn control_characters(text: &str, out: &mut String) -> bool {
    let is_c1 = |c: char| matches!(c, '\u{80}'..='\u{9F}');
    let is_touched = |c: char| is_left_out(c) || is_c1(c);
    let Some(at) = text.find(is_touched) else { return false };
    out.push_str(&text[..at]);
    let mut is_changed = false;
    for c in text[at..].chars() {
        let mended = if is_c1(c) { mojibake::windows_1252(c as u8) } else { c };
        is_changed |= mended != c || is_left_out(c);
        if !is_left_out(c) {
            out.push(mended);
        }
    }
    is_changed
}

fn nfc(text: &str, out: &mut String) -> bool {
    // Below U+0300 everything is composed.
    let is_composed = |text: &str| is_nfc_quick(text.chars()) == IsNormalized::Yes;
    if !text.bytes().any(|byte| byte >= 0xCC) || is_composed(text) {
        return false;
    }
    out.extend(text.nfc());
    out.as_str() != text
}

impl Stage for Normalise {
    fn name(&self) -> &'static str {
        "normalise"
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &*self.0)
    }

    fn reasons(&self) -> &[Reason] {
        &[]
    }

    fn needs(&self) -> Needs {
        Needs::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker { stage: self.clone(), between: String::new() })
    }
}

/// Works on the rows of one thread.
struct Worker {
    stage: Normalise,
    /// The form between two steps.
    between: String,
}

impl RowStage for Worker {
    fn apply(&mut self, draft: &mut Draft<'_>) -> Decision {
        for (step, name) in self.stage.0.steps() {
            let is_changed = draft.text.replace_with(step);
            draft.signals.record(name, f64::from(u8::from(is_changed)));
        }
        Decision::Keep
    }

    fn rewrite(&mut self, form: &str, out: &mut String) -> bool {
        let mut is_changed = false;
        for (step, _) in self.stage.0.steps() {
            self.between.clear();
            let from = if is_changed { out.as_str() } else { form };
            if step(from, &mut self.between) {
                std::mem::swap(out, &mut self.between);
                is_changed = true;
            }
        }
        is_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    #[test]
    fn characters_are_mended_and_all_else_stays() {
        let mut worker = Normalise::default().worker();
        for (text, expected) in [
            ("plain \t text\r\n\u{C}", "plain \t text\r\n\u{C}"),
            ("caf\u{65}\u{301}\0 \u{FEFF}x\u{B}", "café x"),
            ("\u{93}quoted\u{94} \u{85}", "“quoted” …"),
            ("cafÃ© \u{1}e\u{301}", "café é"),
            ("\u{81}", "\u{81}"),
            ("한글 ぱ été \u{1100}\u{1161}", "한글 ぱ été 가"),
        ] {
            let (mut row, mut signals) = (Text::default(), Signals::off());
            row.begin().push_str(text);
            worker.apply(&mut Draft::of_text(&mut row, &mut signals));
            assert_eq!(row.as_str(), expected, "{text:?}");
            let mut out = String::new();
            assert_eq!(worker.rewrite(text, &mut out), text != expected);
            assert!(out == expected || text == expected);
        }
    }
}
