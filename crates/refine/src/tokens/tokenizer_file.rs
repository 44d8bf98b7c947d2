//! Reads `tokenizer.json`, the file of Hugging Face's `tokenizers`, as far as it describes
//! byte-level BPE.

use super::pieces::Pattern;
use super::vocabulary::Vocabulary;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// The contents of the file.
pub(super) struct TokenizerContents {
    pub(super) vocabulary: Vocabulary,
    pub(super) pattern: Pattern,
    /// Whether texts are composed (NFC) first.
    pub(super) composes: bool,
    /// Strings that are one token wherever they occur.
    pub(super) added: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    model: Value,
}

#[derive(Deserialize)]
struct AddedToken {
    content: String,
    #[serde(default)]
    single_word: bool,
    #[serde(default)]
    lstrip: bool,
    #[serde(default)]
    rstrip: bool,
}

#[derive(Deserialize)]
struct Bpe {
    vocab: BTreeMap<String, u32>,
    merges: Vec<Merge>,
    #[serde(default)]
    dropout: Option<f64>,
    #[serde(default)]
    continuing_subword_prefix: Option<String>,
    #[serde(default)]
    end_of_word_suffix: Option<String>,
    #[serde(default)]
    byte_fallback: bool,
    #[serde(default)]
    ignore_merges: bool,
}

/// A merge. Older files have a string with a space, newer ones a list of two.
#[derive(Deserialize)]
#[serde(untagged)]
enum Merge {
    /// Two tokens with a space between them.
    Joined(String),
    /// A list of two tokens.
    Pair(String, String),
}

/// Reads the file.
pub(super) fn read(bytes: &[u8]) -> Result<TokenizerContents, String> {
    let file: File = serde_json::from_slice(bytes)
        .map_err(|error| format!("this is not a tokenizer.json: {error}"))?;
    let composes = composes_first(&file.normalizer)?;
    let pattern = piece_pattern(&file.pre_tokenizer);
    let kind = type_of(&file.model);
    if kind != "BPE" {
        return Err(format!("model {kind} is not supported; only byte-level BPE is"));
    }
    let pattern = pattern?;
    let model: Bpe = serde_json::from_value(file.model)
        .map_err(|error| format!("this is not a tokenizer.json: model: {error}"))?;
    let is_set =
        |setting: &Option<String>| setting.as_ref().is_some_and(|setting| !setting.is_empty());
    for (is_asked, feature) in [
        (model.dropout.is_some_and(|share| share > 0.), "dropout"),
        (is_set(&model.continuing_subword_prefix), "continuing_subword_prefix"),
        (is_set(&model.end_of_word_suffix), "end_of_word_suffix"),
        (model.byte_fallback, "byte_fallback"),
    ] {
        if is_asked {
            return Err(format!("model BPE with {feature} is not supported"));
        }
    }
    let of_shown = bytes_by_letter();
    let bytes_of = |shown: &str| -> Result<Vec<u8>, String> {
        let bytes = shown.chars().map(|letter| of_shown.get(&letter).copied());
        bytes.collect::<Option<_>>().ok_or_else(|| format!("token `{shown}` is not byte-level"))
    };
    let added: Vec<_> =
        file.added_tokens.into_iter().filter(|token| !token.content.is_empty()).collect();
    if let Some(token) =
        added.iter().find(|token| token.single_word || token.lstrip || token.rstrip)
    {
        return Err(format!(
            "added token `{}` strips the spaces around it, which is not supported",
            token.content
        ));
    }
    let added: Vec<String> = added.into_iter().map(|token| token.content).collect();
    let mut tokens = HashMap::with_capacity(model.vocab.len());
    for (shown, token) in &model.vocab {
        match bytes_of(shown) {
            Ok(bytes) => _ = tokens.insert(bytes, *token),
            // Some files repeat added tokens in the vocabulary, where no merge produces them.
            Err(_) if added.contains(shown) => {}
            Err(problem) => return Err(problem),
        }
    }
    let merges = model.merges.iter().map(|merge| {
        let (left, right) = match merge {
            Merge::Pair(left, right) => (left.as_str(), right.as_str()),
            Merge::Joined(both) => {
                both.split_once(' ').ok_or_else(|| format!("merge `{both}` is not a pair"))?
            }
        };
        Ok((bytes_of(left)?, bytes_of(right)?))
    });
    let vocabulary = Vocabulary::from_merges(tokens, merges, model.ignore_merges)?;
    Ok(TokenizerContents { vocabulary, pattern, composes, added })
}

fn type_of(component: &Value) -> &str {
    component["type"].as_str().unwrap_or("without a type")
}

/// Returns whether texts are composed first.
fn composes_first(normalizer: &Value) -> Result<bool, String> {
    if normalizer.is_null() {
        return Ok(false);
    }
    match (type_of(normalizer), normalizer["normalizers"].as_array()) {
        ("NFC", _) => Ok(true),
        ("Sequence", Some(steps)) if steps.is_empty() => Ok(false),
        ("Sequence", Some(steps)) if steps.iter().all(|step| type_of(step) == "NFC") => Ok(true),
        (kind, _) => Err(format!("normalizer {kind} is not supported; only NFC is")),
    }
}

/// Returns the pattern that cuts texts into pieces.
fn piece_pattern(pre_tokenizer: &Value) -> Result<Pattern, String> {
    let is_byte_level = |step: &Value, cuts: bool| {
        type_of(step) == "ByteLevel"
            && step["add_prefix_space"] == Value::Bool(false)
            && step["use_regex"].as_bool().unwrap_or(true) == cuts
    };
    if is_byte_level(pre_tokenizer, true) {
        return Ok(Pattern::Gpt2);
    }
    if let Some([split, bytes]) = pre_tokenizer["pretokenizers"].as_array().map(Vec::as_slice)
        && type_of(split) == "Split"
        && split["behavior"] == "Isolated"
        && split["invert"] == Value::Bool(false)
        && is_byte_level(bytes, false)
        && let Some(expression) = split["pattern"]["Regex"].as_str()
    {
        return Pattern::from_expression(expression)
            .ok_or_else(|| format!("texts are split by an unsupported expression: {expression}"));
    }
    Err("its pre_tokenizer is not supported; only ByteLevel without a prefix space is, alone or \
        after one Split by a supported expression"
        .to_owned())
}

/// Returns the byte of each letter in byte-level vocabularies. Printable bytes are their letters in
/// Latin-1; the others are U+0100 and the scalars after it.
fn bytes_by_letter() -> HashMap<char, u8> {
    let mut other_letters = (0x100..).filter_map(char::from_u32);
    let shown = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    (0..=u8::MAX)
        .filter_map(|byte| {
            let letter = if shown(byte) { Some(char::from(byte)) } else { other_letters.next() };
            letter.map(|letter| (letter, byte))
        })
        .collect()
}
