//! The model: how many blocks of each class fell into each bin. Counts and not probabilities, so that models add up.
//!
//! The file is one JSON object: `format` and `version`, `pages` (how many it was trained on), and the counts of each of the
//! four ways to cut a page into blocks ([`Definition`]). A reader refuses any other format or version, fields it
//! doesn't know, and counts that contradict one another.

use super::blocks::Options;
use super::features::Bins;
use crate::methods::{nb, nb_table};
use crate::profile::Profile;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

const FORMAT: &str = "huller-nb";
const VERSION: u32 = 1;
/// More blocks than any collection of pages holds; sums of a few such numbers are far from overflow.
const MOST: u64 = 1 << 48;

/// The ways to cut a page into blocks that the methods ship with. Each needs counts of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// `nb`, profile `paper`.
    Paper,
    /// `nb`, profile `tuned`.
    Tuned,
    /// `nb-table`, profile `paper`.
    TablePaper,
    /// `nb-table`, profile `tuned`.
    TableTuned,
}

impl Definition {
    /// All of them.
    pub const ALL: [Definition; 4] =
        [Definition::Paper, Definition::Tuned, Definition::TablePaper, Definition::TableTuned];

    /// That of a method in one of its profiles, if the method learns from blocks.
    pub fn of(method: &str, profile: Profile) -> Option<Definition> {
        Definition::ALL
            .into_iter()
            .find(|definition| definition.method() == method && definition.profile() == profile)
    }

    /// The method's name.
    pub fn method(self) -> &'static str {
        match self {
            Definition::Paper | Definition::Tuned => "nb",
            Definition::TablePaper | Definition::TableTuned => "nb-table",
        }
    }

    /// The method's profile.
    pub fn profile(self) -> Profile {
        match self {
            Definition::Paper | Definition::TablePaper => Profile::Paper,
            Definition::Tuned | Definition::TableTuned => Profile::Tuned,
        }
    }

    /// Its settings.
    pub fn options(self) -> Options {
        match self {
            Definition::Paper => nb::PAPER_OPTIONS,
            Definition::Tuned => nb::TUNED_OPTIONS,
            Definition::TablePaper => nb_table::PAPER_OPTIONS,
            Definition::TableTuned => nb_table::TUNED_OPTIONS,
        }
    }
}

/// Counts for every [`Definition`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    format: String,
    version: u32,
    /// How many pages it was trained on.
    pub pages: u64,
    paper: Counts,
    tuned: Counts,
    table_paper: Counts,
    table_tuned: Counts,
}

/// Counts of both classes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Blocks that hold content.
    pub theme: ClassCounts,
    /// Blocks that don't.
    pub noise: ClassCounts,
}

/// Counts of the blocks of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassCounts {
    /// All blocks; each feature's counts add up to this.
    pub blocks: u64,
    unlinked: [u64; 6],
    links: [u64; 4],
    punctuation: [u64; 3],
    paragraphs: [u64; 3],
}

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// Not a model, or not one of this version, or with fields that this version doesn't know.
    Unreadable(String),
    /// Counts contradict one another, or are larger than can be.
    Counts,
    /// There is no block of one of the classes, so nothing is known of it.
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
            paper: Counts::default(),
            tuned: Counts::default(),
            table_paper: Counts::default(),
            table_tuned: Counts::default(),
        }
    }
}

impl Model {
    /// The model that ships.
    pub fn shipped() -> &'static Model {
        static SHIPPED: LazyLock<Model> = LazyLock::new(|| {
            let json = include_str!("../../../../../data/models/nb.json");
            Model::from_json(json).expect("a test reads the model that ships")
        });
        &SHIPPED
    }

    /// Reads a model.
    ///
    /// # Errors
    ///
    /// The text is no model of this version, or contradicts itself.
    pub fn from_json(json: &str) -> Result<Model, ModelError> {
        let model: Model = serde_json::from_str(json)
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
        if consistent && model.pages <= MOST { Ok(model) } else { Err(ModelError::Counts) }
    }

    /// The model as one line of JSON, always the same for the same counts.
    ///
    /// # Panics
    ///
    /// Never: integers and names can be written.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string(self).expect("integers and names can be written");
        json.push('\n');
        json
    }

    /// The counts for one way to cut pages.
    pub fn counts(&self, definition: Definition) -> &Counts {
        match definition {
            Definition::Paper => &self.paper,
            Definition::Tuned => &self.tuned,
            Definition::TablePaper => &self.table_paper,
            Definition::TableTuned => &self.table_tuned,
        }
    }

    /// The same, to count more.
    pub fn counts_mut(&mut self, definition: Definition) -> &mut Counts {
        match definition {
            Definition::Paper => &mut self.paper,
            Definition::Tuned => &mut self.tuned,
            Definition::TablePaper => &mut self.table_paper,
            Definition::TableTuned => &mut self.table_tuned,
        }
    }

    /// Adds the counts of another model, as if one had been trained on the pages of both.
    pub fn add(&mut self, other: &Model) {
        self.pages = (self.pages + other.pages).min(MOST);
        for definition in Definition::ALL {
            let Counts { theme, noise } = other.counts(definition);
            let counts = self.counts_mut(definition);
            counts.theme.add(theme);
            counts.noise.add(noise);
        }
    }
}

impl Counts {
    /// Counts one more block.
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
        self.blocks <= MOST
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

/// Logarithms of what the counts say, one table a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    theme: ClassLogs,
    noise: ClassLogs,
}

#[derive(Clone, Debug, PartialEq)]
struct ClassLogs {
    prior: f64,
    unlinked: [f64; 6],
    links: [f64; 4],
    punctuation: [f64; 3],
    paragraphs: [f64; 3],
}

impl Classifier {
    /// Takes logarithms once for all blocks.
    ///
    /// # Errors
    ///
    /// There is no block of one of the classes.
    pub fn new(counts: &Counts, options: &Options) -> Result<Classifier, ModelError> {
        let all = counts.theme.blocks + counts.noise.blocks;
        if counts.theme.blocks == 0 || counts.noise.blocks == 0 {
            return Err(ModelError::OneClass);
        }
        let logs = |class: &ClassCounts| ClassLogs {
            prior: if options.prior { (class.blocks as f64 / all as f64).ln() } else { 0.0 },
            unlinked: logs(&class.unlinked, !options.plain_bins),
            links: logs(&class.links, false),
            punctuation: logs(&class.punctuation, !options.plain_bins),
            paragraphs: logs(&class.paragraphs, false),
        };
        Ok(Classifier { theme: logs(&counts.theme), noise: logs(&counts.noise) })
    }

    /// The logarithms of the likelihood of both classes: theme, noise.
    pub fn scores(&self, bins: Bins) -> (f64, f64) {
        (self.theme.score(bins), self.noise.score(bins))
    }

    /// How much more likely theme is than noise; theme from 0 on.
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

/// Logarithms of one feature's probabilities, smoothed by one block a bin. If `cumulative`, of a bin and those below.
fn logs<const N: usize>(counts: &[u64; N], cumulative: bool) -> [f64; N] {
    let all = counts.iter().sum::<u64>() + N as u64;
    let mut below = 0;
    counts.map(|count| {
        let smoothed = count + 1;
        below += smoothed;
        (if cumulative { below } else { smoothed } as f64 / all as f64).ln()
    })
}
