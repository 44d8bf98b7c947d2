//! Repairs characters: UTF-8 that was read as Windows-1252, control characters, and composition
//! (NFC).
//!
//! The first two follow ftfy 6.3 (Speer, "ftfy: fixes text for you") in the common cases;
//! `mojibake` lists them. The sets of control characters are ftfy's. The agreement of both on real
//! texts has not been measured.

mod mojibake;

use crate::documented::documented;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{ChangedValues, Decision, RowStage, Stage, StagePhase};
use memchr::{memchr_iter, memmem};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

documented! {
    /// Settings of [`Normalise`].
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct NormaliseSettings {
        /// Repair UTF-8 that was read as Windows-1252: `cafÃ©` becomes `café`. Default true, as in
        /// ftfy.
        pub mojibake: bool,
        /// Leave out all control characters but tabs, line ends and form feeds, and also a few
        /// invisible characters such as byte order marks. U+0080 to U+009F become the characters
        /// that Windows-1252 has there. Default true, as in ftfy.
        pub control_characters: bool,
        /// Compose letters with their marks where Unicode has a scalar for both (NFC). Default true
        /// (ftfy: true; datatrove's FTFYFormatter: false).
        pub nfc: bool,
    }
}

impl Default for NormaliseSettings {
    fn default() -> NormaliseSettings {
        NormaliseSettings { mojibake: true, control_characters: true, nfc: true }
    }
}

/// Repairs the characters of texts. Drops no rows.
#[derive(Clone, Debug, Default)]
pub struct Normalise(Arc<NormaliseSettings>);

impl Normalise {
    /// Creates the stage with these settings.
    pub fn new(settings: NormaliseSettings) -> Normalise {
        Normalise(Arc::new(settings))
    }
}

/// A repair step. Reads a text and writes the repaired text. Returns whether it changed anything;
/// if not, the written text has no meaning.
type RepairStep = fn(&str, &mut String) -> bool;

impl NormaliseSettings {
    /// Returns the selected steps in their order, and the names of their signals.
    fn steps(&self) -> impl Iterator<Item = (RepairStep, &'static str)> + use<> {
        let steps: [(bool, RepairStep, _); 3] = [
            (self.mojibake, mojibake::repair, "normalise.mojibake"),
            (self.control_characters, remove_control_characters, "normalise.control_characters"),
            (self.nfc, compose_text, "normalise.nfc"),
        ];
        steps.into_iter().filter(|(is_on, ..)| *is_on).map(|(_, step, name)| (step, name))
    }
}

/// Returns whether a scalar is left out, by ftfy's list (`remove_control_chars`).
fn is_left_out(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}' | '\u{B}' | '\u{E}'..='\u{1F}' | '\u{7F}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFC}'
    )
}

fn remove_control_characters(text: &str, out: &mut String) -> bool {
    if !may_have_control_characters(text.as_bytes()) {
        return false;
    }
    let mut is_changed = false;
    for c in text.chars() {
        let is_c1 = matches!(c, '\u{80}'..='\u{9F}');
        let repaired = if is_c1 { mojibake::windows_1252(c as u8) } else { c };
        is_changed |= repaired != c || is_left_out(c);
        if !is_left_out(c) {
            out.push(repaired);
        }
    }
    is_changed
}

/// Returns whether a text may contain characters that [`remove_control_characters`] repairs. Reads
/// many bytes at a time.
fn may_have_control_characters(bytes: &[u8]) -> bool {
    const CHUNK_BYTES: usize = 256;
    let is_control =
        |byte: &u8| (*byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')) || *byte == 0x7F;
    bytes
        .chunks(CHUNK_BYTES)
        .any(|chunk| chunk.iter().fold(false, |any, byte| any | is_control(byte)))
        || memchr_iter(0xC2, bytes).any(|at| bytes[at + 1] < 0xA0)
        || [&b"\xE2\x81"[..], b"\xEF\xBB\xBF", b"\xEF\xBF"]
            .iter()
            .any(|start| memmem::find(bytes, start).is_some())
}

fn compose_text(text: &str, out: &mut String) -> bool {
    if is_plainly_composed(text.as_bytes()) || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return false;
    }
    out.extend(text.nfc());
    out.as_str() != text
}

/// Returns whether all scalars lie in blocks where every scalar is composed and none composes with
/// the one before it. These are the scalars up to U+02FF, U+0400 to U+047F, U+2010 to U+203F and
/// U+4000 to U+9FFF.
fn is_plainly_composed(bytes: &[u8]) -> bool {
    let mut offset = 0;
    while let Some(distance) = bytes[offset..].iter().position(|byte| *byte >= 0xCC) {
        offset += distance;
        offset += match bytes[offset..] {
            [0xD0 | 0xD1, ..] => 2,
            [0xE2, 0x80, 0x90..=0xBF, ..] | [0xE4..=0xE9, ..] => 3,
            _ => return false,
        };
    }
    true
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

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker { stage: self.clone(), between: String::new() })
    }
}

/// The stage in one worker thread.
struct Worker {
    stage: Normalise,
    /// The text between two steps.
    between: String,
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        for (step, name) in self.stage.0.steps() {
            let is_changed = row_in_progress.text.replace_with(step);
            row_in_progress.signals.record(name, f64::from(u8::from(is_changed)));
        }
        Decision::Keep
    }

    fn changed_values(&self) -> ChangedValues {
        ChangedValues::Page
    }

    fn rewrite(&mut self, form: &str, out: &mut String) -> bool {
        let mut is_changed = false;
        for (step, _) in self.stage.0.steps() {
            self.between.clear();
            let source = if is_changed { out.as_str() } else { form };
            if step(source, &mut self.between) {
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
    fn stretches_that_are_taken_for_composed_are() {
        let plain = ('\0'..=char::MAX)
            .filter(|c| is_plainly_composed(c.encode_utf8(&mut [0; 4]).as_bytes()));
        let mut count = 0;
        for c in plain {
            // A letter before it, a mark of each class after it.
            assert_eq!(is_nfc_quick(['e', c].into_iter()), IsNormalized::Yes, "{c:?}");
            assert_eq!(unicode_normalization::char::canonical_combining_class(c), 0, "{c:?}");
            count += 1;
        }
        assert_eq!(count, 0x300 + 0x80 + 0x30 + 0x6000);
    }

    #[test]
    fn characters_are_repaired_and_all_else_stays() {
        let mut worker = Normalise::default().worker();
        for (text, expected) in [
            ("plain \t text\r\n\u{C}", "plain \t text\r\n\u{C}"),
            ("caf\u{65}\u{301}\0 \u{FEFF}x\u{B}", "café x"),
            ("\u{93}quoted\u{94} \u{85}", "“quoted” …"),
            ("cafÃ© \u{1}e\u{301}", "café é"),
            ("\u{81}", "\u{81}"),
            ("한글 ぱ été \u{1100}\u{1161}", "한글 ぱ été 가"),
        ] {
            let (mut row, mut signals) = (Text::default(), Signals::disabled());
            row.begin().push_str(text);
            worker.apply(&mut RowInProgress::from_text(&mut row, &mut signals));
            assert_eq!(row.as_str(), expected, "{text:?}");
            let mut out = String::new();
            assert_eq!(worker.rewrite(text, &mut out), text != expected);
            assert!(out == expected || text == expected);
        }
    }
}
