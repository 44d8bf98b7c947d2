//! The settings of passages.

use huller_refine::InvalidSettings;
use huller_refine::tokens::Tokenizer;
use serde::{Deserialize, Serialize};

/// Settings of a [`Splitter`](crate::Splitter).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PassageSettings {
    /// Most tokens of a passage with its prefix and its context. At least 16. Default 300.
    pub max_tokens: u64,
    /// Shorter passages are joined with the next section or block where the limit allows it. At
    /// most half of `max_tokens`. Default 75.
    pub min_tokens: u64,
    /// The unit of all lengths: `characters` (Unicode scalars), `gpt2`, which is built in, or a
    /// file as in the stage `tokens`. Default `gpt2`.
    pub tokenizer: String,
    /// The expression that cuts texts first, as in the stage `tokens`. Default: empty.
    pub pattern: String,
    /// Most tokens that a passage repeats from the one before it, in whole sentences. At most a
    /// third of `max_tokens`. Default 0.
    pub overlap: u64,
    /// The parts of the prefix: `title`, `headings`, both with a comma, or empty. Default
    /// `title,headings`.
    pub prefix: String,
}

impl Default for PassageSettings {
    fn default() -> PassageSettings {
        PassageSettings {
            max_tokens: 300,
            min_tokens: 75,
            tokenizer: "gpt2".to_owned(),
            pattern: String::new(),
            overlap: 0,
            prefix: "title,headings".to_owned(),
        }
    }
}

/// Raised when the same Markdown gives other passages than before.
const VERSION: u32 = 1;

/// Least `max_tokens`. A third each for prefix and context leaves room for any scalar.
const MIN_TOKENS: u64 = 16;

/// The name of the unit that needs no tokenizer.
const CHARACTERS: &str = "characters";

/// Settings that were checked, in the form that the splitter uses.
#[derive(Clone, Debug)]
pub(crate) struct ValidSettings {
    /// Maximum length of a passage with its prefix and its context, in tokens or scalars.
    pub(crate) max_length: u64,
    /// Length below which a passage is joined with a neighbour, in the same unit.
    pub(crate) min_length: u64,
    /// Length that a passage repeats of the passage before it, in the same unit.
    pub(crate) overlap: u64,
    pub(crate) has_title: bool,
    pub(crate) has_headings: bool,
    /// `None`: lengths are in scalars.
    pub(crate) tokenizer: Option<Tokenizer>,
    /// A digest of everything that passages depend on besides the page.
    pub(crate) digest: String,
}

impl ValidSettings {
    pub(crate) fn new(settings: &PassageSettings) -> Result<ValidSettings, InvalidSettings> {
        let PassageSettings { max_tokens: max, min_tokens: min, overlap, .. } = *settings;
        let invalid = |setting, problem: String| Err(InvalidSettings { setting, problem });
        if max < MIN_TOKENS || max > u64::from(u32::MAX) {
            return invalid(
                "max_tokens",
                format!("must be {MIN_TOKENS} to {}, not {max}", u32::MAX),
            );
        }
        if min > max / 2 {
            return invalid(
                "min_tokens",
                format!("must be at most half of max_tokens, {}", max / 2),
            );
        }
        if overlap > max / 3 {
            return invalid(
                "overlap",
                format!("must be at most a third of max_tokens, {}", max / 3),
            );
        }
        let (mut has_title, mut has_headings) = (false, false);
        for part in settings.prefix.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match part {
                "title" => has_title = true,
                "headings" => has_headings = true,
                _ => {
                    let problem = format!("unknown part `{part}`; the parts are title, headings");
                    return invalid("prefix", problem);
                }
            }
        }
        let tokenizer = match settings.tokenizer.as_str() {
            CHARACTERS => None,
            name => Some(
                Tokenizer::open(name, &settings.pattern)
                    .map_err(|problem| InvalidSettings { setting: "tokenizer", problem })?,
            ),
        };
        let unit = tokenizer.as_ref().map_or(CHARACTERS, Tokenizer::digest);
        let canonical =
            format!("{VERSION} {max} {min} {overlap} {has_title} {has_headings} {unit}");
        let digest = format!("{:032x}", twox_hash::XxHash3_128::oneshot(canonical.as_bytes()));
        Ok(ValidSettings {
            max_length: max,
            min_length: min,
            overlap,
            has_title,
            has_headings,
            tokenizer,
            digest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(change: impl FnOnce(&mut PassageSettings)) -> Result<ValidSettings, String> {
        let mut settings =
            PassageSettings { tokenizer: CHARACTERS.to_owned(), ..PassageSettings::default() };
        change(&mut settings);
        ValidSettings::new(&settings).map_err(|error| error.to_string())
    }

    #[test]
    fn wrong_settings_are_refused_with_the_remedy() {
        let wrong = |change: fn(&mut PassageSettings)| of(change).unwrap_err();
        assert_eq!(wrong(|s| s.max_tokens = 15), "`max_tokens`: must be 16 to 4294967295, not 15");
        assert_eq!(
            wrong(|s| s.min_tokens = 151),
            "`min_tokens`: must be at most half of max_tokens, 150"
        );
        assert_eq!(
            wrong(|s| s.overlap = 101),
            "`overlap`: must be at most a third of max_tokens, 100"
        );
        assert_eq!(
            wrong(|s| s.prefix = "title, url".to_owned()),
            "`prefix`: unknown part `url`; the parts are title, headings"
        );
        assert!(wrong(|s| s.tokenizer = "gpt3".to_owned()).starts_with("`tokenizer`: read `gpt3`"));
    }

    #[test]
    fn the_digest_depends_on_all_that_changes_passages() {
        let digest = |change: fn(&mut PassageSettings)| of(change).unwrap().digest;
        let usual = digest(|_| {});
        assert_eq!(digest(|s| s.prefix = " headings,title,".to_owned()), usual);
        let changes: [fn(&mut PassageSettings); 5] = [
            |s| s.max_tokens = 301,
            |s| s.min_tokens = 74,
            |s| s.overlap = 1,
            |s| s.prefix = "title".to_owned(),
            |s| s.tokenizer = "gpt2".to_owned(),
        ];
        assert!(changes.into_iter().all(|change| digest(change) != usual));
    }
}
