//! The model: for each class, the number of training blocks that fell into each bin. It holds
//! counts instead of probabilities, so that two models can be added.
//!
//! The file is one JSON object: `format` and `version`, `pages` (the number of training pages), and
//! the counts for each [`Definition`]. The reader refuses any other format or version, unknown
//! fields, and counts that contradict one another.

use super::definition::Definition;
use super::features::Bins;
use super::options::{BlockKind, Options};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

const FORMAT: &str = "huller-nb";
const VERSION: u32 = 1;
/// Largest count that is accepted. Every collection of pages has far fewer blocks, and sums of a
/// few such numbers don't overflow.
const MAX_COUNT: u64 = 1 << 48;

/// Counts for every [`Definition`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    format: String,
    version: u32,
    /// Number of pages that the model was trained on.
    pub pages: u64,
    /// Whether the model counts blocks as whole subtrees. The blocks to classify are then cut
    /// in the same way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    overlap: bool,
    /// Whether the blocks of `nb` have more tags than the paper's four.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    more_tags: bool,
    paper: Counts,
    tuned: Counts,
    table_paper: Counts,
    table_tuned: Counts,
}

/// Feature counts of content blocks and of other blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Blocks that hold content.
    pub theme: ClassCounts,
    /// Blocks without content.
    pub noise: ClassCounts,
}

/// Counts of the blocks of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassCounts {
    /// Number of all blocks; the counts of each feature sum to this.
    pub blocks: u64,
    /// Blocks by bin of the unlinked scalars.
    unlinked: [u64; 6],
    /// Blocks by bin of the links.
    links: [u64; 4],
    /// Blocks by bin of the punctuation.
    punctuation: [u64; 3],
    /// Blocks by bin of the paragraphs.
    paragraphs: [u64; 3],
}

/// The reason why a model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// The bytes are not a model of this version, or contain unknown fields.
    Unreadable(String),
    /// The counts contradict one another or are too large.
    Counts,
    /// One of the classes has no block.
    OneClass,
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ModelError::Unreadable(why) => {
                write!(f, "not a naive Bayes model of version {VERSION}: {why}")
            }
            ModelError::Counts => f.write_str("the counts of the model contradict one another"),
            ModelError::OneClass => f.write_str("the model has blocks of one class only"),
        }
    }
}

impl std::error::Error for ModelError {}

impl Default for Model {
    fn default() -> Model {
        Model {
            format: FORMAT.to_owned(),
            version: VERSION,
            pages: 0,
            overlap: false,
            more_tags: false,
            paper: Counts::default(),
            tuned: Counts::default(),
            table_paper: Counts::default(),
            table_tuned: Counts::default(),
        }
    }
}

/// The file of the model that ships.
pub(super) static SHIPPED: &[u8] = include_bytes!("../../models/nb.json");

impl Model {
    /// Returns the built-in model.
    pub fn shipped() -> &'static Model {
        static MODEL: LazyLock<Model> = LazyLock::new(|| {
            Model::from_bytes(SHIPPED).expect("a test reads the model that ships")
        });
        &MODEL
    }

    /// Returns the kind of blocks that it counts.
    pub fn blocks(&self) -> BlockKind {
        BlockKind { overlap: self.overlap, more_tags: self.more_tags }
    }

    /// Returns a model of such blocks without counts.
    pub fn of_blocks(BlockKind { overlap, more_tags }: BlockKind) -> Model {
        Model { overlap, more_tags, ..Model::default() }
    }

    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// The bytes are not a model of this version, or its counts contradict one another.
    pub fn from_bytes(json: &[u8]) -> Result<Model, ModelError> {
        let model: Model = serde_json::from_slice(json)
            .map_err(|error| ModelError::Unreadable(error.to_string()))?;
        if model.format != FORMAT {
            return Err(ModelError::Unreadable(format!("format `{}`", model.format)));
        }
        if model.version != VERSION {
            return Err(ModelError::Unreadable(format!("version {}", model.version)));
        }
        let consistent = Definition::ALL.iter().all(|definition| {
            let Counts { theme, noise } = model.counts(*definition);
            theme.is_consistent() && noise.is_consistent()
        });
        if consistent && model.pages <= MAX_COUNT { Ok(model) } else { Err(ModelError::Counts) }
    }

    /// Returns the model as one line of JSON; equal models give equal bytes.
    ///
    /// # Panics
    ///
    /// Never: integers and names can always be written.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string(self).expect("integers and names can be written");
        json.push('\n');
        json
    }

    /// Returns the counts for a definition.
    pub fn counts(&self, definition: Definition) -> &Counts {
        match definition {
            Definition::Paper => &self.paper,
            Definition::Tuned => &self.tuned,
            Definition::TablePaper => &self.table_paper,
            Definition::TableTuned => &self.table_tuned,
        }
    }

    /// Returns the counts for a definition, for adding blocks.
    pub fn counts_mut(&mut self, definition: Definition) -> &mut Counts {
        match definition {
            Definition::Paper => &mut self.paper,
            Definition::Tuned => &mut self.tuned,
            Definition::TablePaper => &mut self.table_paper,
            Definition::TableTuned => &mut self.table_tuned,
        }
    }

    /// Adds the counts of another model, which must count the same kind of blocks. The sum equals a
    /// model that was trained on the pages of both.
    pub fn add(&mut self, other: &Model) {
        self.pages = (self.pages + other.pages).min(MAX_COUNT);
        for definition in Definition::ALL {
            let Counts { theme, noise } = other.counts(definition);
            let counts = self.counts_mut(definition);
            counts.theme.add(theme);
            counts.noise.add(noise);
        }
    }
}

impl Counts {
    /// Adds a block with the given bins.
    pub fn push(&mut self, bins: Bins, is_theme: bool) {
        let class = if is_theme { &mut self.theme } else { &mut self.noise };
        class.blocks += 1;
        class.unlinked[bins.unlinked] += 1;
        class.links[bins.links] += 1;
        class.punctuation[bins.punctuation] += 1;
        class.paragraphs[bins.paragraphs] += 1;
    }
}

impl ClassCounts {
    fn is_consistent(&self) -> bool {
        let sum = |counts: &[u64]| counts.iter().try_fold(0, |sum: u64, n| sum.checked_add(*n));
        self.blocks <= MAX_COUNT
            && [
                sum(&self.unlinked),
                sum(&self.links),
                sum(&self.punctuation),
                sum(&self.paragraphs),
            ]
            .iter()
            .all(|sum| *sum == Some(self.blocks))
    }

    fn add(&mut self, other: &ClassCounts) {
        fn add<const N: usize>(to: &mut [u64; N], from: &[u64; N]) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
        self.blocks += other.blocks;
        add(&mut self.unlinked, &other.unlinked);
        add(&mut self.links, &other.links);
        add(&mut self.punctuation, &other.punctuation);
        add(&mut self.paragraphs, &other.paragraphs);
    }
}

/// The logarithms of all probabilities, one table per class.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    theme: ClassLogs,
    noise: ClassLogs,
}

#[derive(Clone, Debug, PartialEq)]
struct ClassLogs {
    /// Logarithm of the prior; 0 if it is off.
    prior: f64,
    /// Logarithm of the probability of each bin.
    unlinked: [f64; 6],
    /// Logarithm of the probability of each bin.
    links: [f64; 4],
    /// Logarithm of the probability of each bin.
    punctuation: [f64; 3],
    /// Logarithm of the probability of each bin.
    paragraphs: [f64; 3],
}

impl Classifier {
    /// Computes the logarithms of all probabilities.
    ///
    /// # Errors
    ///
    /// One of the classes has no block.
    pub fn new(counts: &Counts, options: &Options) -> Result<Classifier, ModelError> {
        let total_blocks = counts.theme.blocks + counts.noise.blocks;
        if counts.theme.blocks == 0 || counts.noise.blocks == 0 {
            return Err(ModelError::OneClass);
        }
        let logs = |class: &ClassCounts| ClassLogs {
            prior: if options.prior {
                (class.blocks as f64 / total_blocks as f64).ln()
            } else {
                0.0
            },
            unlinked: logs(&class.unlinked, !options.plain_bins),
            links: logs(&class.links, false),
            punctuation: logs(&class.punctuation, !options.plain_bins),
            paragraphs: logs(&class.paragraphs, false),
        };
        Ok(Classifier { theme: logs(&counts.theme), noise: logs(&counts.noise) })
    }

    /// Returns the logarithms of the likelihoods of both classes: theme, noise.
    pub fn scores(&self, bins: Bins) -> (f64, f64) {
        (self.theme.score(bins), self.noise.score(bins))
    }

    /// Returns the contribution of each feature to the log-odds, in the order of [`Bins`], and last
    /// the contribution of the prior.
    pub fn terms(&self, bins: Bins) -> [f64; 5] {
        let Classifier { theme, noise } = self;
        [
            theme.unlinked[bins.unlinked] - noise.unlinked[bins.unlinked],
            theme.links[bins.links] - noise.links[bins.links],
            theme.punctuation[bins.punctuation] - noise.punctuation[bins.punctuation],
            theme.paragraphs[bins.paragraphs] - noise.paragraphs[bins.paragraphs],
            theme.prior - noise.prior,
        ]
    }

    /// Returns the log-odds of theme against noise. A block is theme if they are at least 0.
    pub fn log_odds(&self, bins: Bins) -> f64 {
        let (theme, noise) = self.scores(bins);
        theme - noise
    }
}

impl ClassLogs {
    fn score(&self, bins: Bins) -> f64 {
        self.prior
            + self.unlinked[bins.unlinked]
            + self.links[bins.links]
            + self.punctuation[bins.punctuation]
            + self.paragraphs[bins.paragraphs]
    }
}

/// Computes the logarithm of each bin's probability for one feature, smoothed by one block per bin.
/// If `cumulative`, the probability is that of the bin and all bins below it.
fn logs<const N: usize>(counts: &[u64; N], cumulative: bool) -> [f64; N] {
    let total = counts.iter().sum::<u64>() + N as u64;
    let mut sum_below = 0;
    counts.map(|count| {
        let smoothed = count + 1;
        sum_below += smoothed;
        (if cumulative { sum_below } else { smoothed } as f64 / total as f64).ln()
    })
}
