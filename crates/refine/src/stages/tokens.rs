//! Counts the tokens of each row.

use crate::documented::documented;
use crate::invalid::InvalidSettings;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use crate::tokens::{Counter, Tokenizer};
use serde::{Deserialize, Serialize};

documented! {
    /// Settings of [`Tokens`].
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TokensSettings {
        /// The tokenizer: `gpt2`, which is built in and which FineWeb uses, or a file. The file is
        /// the `tokenizer.json` of a byte-level BPE (Llama 3, Qwen, GPT-NeoX and the like), or a
        /// list of ranks (`cl100k_base.tiktoken`). Default `gpt2`.
        pub tokenizer: String,
        /// The expression that cuts texts first, if the file has none: `gpt2`, `cl100k`, `llama3`,
        /// `qwen2` or `o200k`. Default: empty, which means by the name of a list of ranks.
        pub pattern: String,
    }
}

impl Default for TokensSettings {
    fn default() -> TokensSettings {
        TokensSettings { tokenizer: "gpt2".to_owned(), pattern: String::new() }
    }
}

/// Counts the tokens of each row ([`tokens`](crate::tokens)) and drops none. It counts the text in
/// its final form, after all stages of [`StagePhase::Text`]. The count is in
/// [`Text::tokens`](crate::Text::tokens) until the next row begins. In chains with this stage the
/// [`RowTrace`](crate::RowTrace) also has tokens.
#[derive(Clone, Debug)]
pub struct Tokens(Tokenizer);

impl Tokens {
    /// Creates the stage with these settings, and reads the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or its kind of tokenizer is not supported.
    pub fn new(settings: TokensSettings) -> Result<Tokens, InvalidSettings> {
        let TokensSettings { tokenizer, pattern } = settings;
        let tokenizer = Tokenizer::open(&tokenizer, &pattern);
        tokenizer.map(Tokens).map_err(|problem| InvalidSettings::new("tokenizer", problem))
    }
}

impl Stage for Tokens {
    fn name(&self) -> &'static str {
        "tokens"
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &self.0.digest())
    }

    fn reasons(&self) -> &[Reason] {
        &[]
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Final
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker(Counter::new(self.0.clone())))
    }

    fn counter(&self) -> Option<Counter> {
        Some(Counter::new(self.0.clone()))
    }
}

/// The stage in one worker thread.
struct Worker(Counter);

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        self.0.count_once(row_in_progress.text);
        Decision::Keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;
    use crate::signals::Signals;
    use crate::stages::Mask;
    use crate::text::Text;

    #[test]
    fn the_last_text_is_counted_and_the_trace_tells_tokens_at_each_stage() {
        let tokens = Tokens::new(TokensSettings::default()).unwrap();
        let stages: [Box<dyn Stage>; 2] = [Box::new(tokens), Box::new(Mask::default())];
        let (mut chain, mut text, mut signals) =
            (Chain::new(&stages), Text::default(), Signals::disabled());
        text.begin().push_str("Write to a.very.long.name@some.site.org today");
        let mut row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
        for needs in [StagePhase::Text, StagePhase::Final] {
            chain.apply(needs, &mut row_in_progress).unwrap();
        }
        let mut content = String::new();
        text.give_back(&mut content);
        assert_eq!(content, "Write to email@example.com today");
        assert_eq!(text.tokens(), Some(8));
        let trace =
            chain.trace().iter().map(|passed| (passed.stage, passed.tokens, passed.tokens_left));
        assert_eq!(
            trace.collect::<Vec<_>>(),
            [("mask", Some(16), Some(8)), ("tokens", Some(8), Some(8))]
        );
    }
}
