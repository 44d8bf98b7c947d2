//! The model, its training, and its file format.

use crate::terms::each_term;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use thiserror::Error;

/// Default number of neighbours that decide (K of the paper).
pub const DEFAULT_NEIGHBOURS: usize = 19;

/// Name of the file format, written into each file.
const FORMAT: &str = "huller-topics";
/// Version of the file format. Increase it if this program would misread files of the old format.
const VERSION: u32 = 1;

/// Labelled texts as counted terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    format: String,
    /// Version of the file format.
    version: u32,
    /// Number of neighbours that decide.
    pub(crate) neighbours: usize,
    /// Names of the classes, sorted.
    pub(crate) classes: Vec<String>,
    /// All terms; the index of a term is its number.
    pub(crate) terms: Vec<String>,
    /// The texts in the order in which they were learned.
    pub(crate) texts: Vec<LabelledText>,
}

/// One labelled text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LabelledText {
    /// Its class, as an index into `classes`.
    pub(crate) class: u32,
    /// The numbers of its terms, ascending, each with its number of occurrences.
    pub(crate) terms: Vec<(u32, u32)>,
}

/// The reason why a model cannot be read or built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file is not JSON, or lacks the fields of a model.
    #[error("not a model: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The file has another format.
    #[error("not a topic model (its format is `{0}`, not `{FORMAT}`)")]
    OtherFormat(String),
    /// The file has another version of the format.
    #[error("the model has version {0}, but this program reads version {VERSION}: train it again")]
    OtherVersion(u32),
    /// The contents contradict one another.
    #[error("the model is damaged: {0}")]
    Inconsistent(String),
    /// The trainer learned no text.
    #[error("no labelled text was given")]
    NoText,
}

impl Model {
    /// Reads a model and checks it.
    ///
    /// # Errors
    ///
    /// If the file is not a model, has another version, or its contents contradict one another.
    pub fn read(json: &[u8]) -> Result<Model, ModelError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        // Check format and version first: a file of another version may have other fields.
        let head: Head = serde_json::from_slice(json)?;
        if head.format != FORMAT {
            return Err(ModelError::OtherFormat(head.format));
        }
        if head.version != VERSION {
            return Err(ModelError::OtherVersion(head.version));
        }
        let model: Model = serde_json::from_slice(json)?;
        model.check()?;
        Ok(model)
    }

    fn check(&self) -> Result<(), ModelError> {
        let damaged = |problem: String| Err(ModelError::Inconsistent(problem));
        if self.neighbours == 0 {
            return damaged("its number of neighbours is 0".to_owned());
        }
        if self.texts.is_empty() {
            return Err(ModelError::NoText);
        }
        if !self.classes.is_sorted_by(|a, b| a < b) {
            return damaged("its classes are not in order".to_owned());
        }
        for (index, text) in self.texts.iter().enumerate() {
            if text.class as usize >= self.classes.len() {
                return damaged(format!("text {index} is of class {}", text.class));
            }
            if !text.terms.is_sorted_by(|a, b| a.0 < b.0) {
                return damaged(format!("the terms of text {index} are not in order"));
            }
            if let Some((term, count)) =
                text.terms.iter().find(|(term, n)| *term as usize >= self.terms.len() || *n == 0)
            {
                return damaged(format!("text {index} has term {term} {count} times"));
            }
        }
        Ok(())
    }

    /// Writes the model as one line of JSON.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut out, self)?;
        out.write_all(b"\n")
    }

    /// Returns the same model with another number of neighbours, which must be at least 1.
    #[must_use]
    pub fn with_neighbours(mut self, neighbours: usize) -> Model {
        self.neighbours = neighbours.max(1);
        self
    }

    /// Returns the number of labelled texts.
    pub fn texts(&self) -> usize {
        self.texts.len()
    }

    /// Returns the number of different terms in the labelled texts.
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    /// Returns the classes, in order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }
}

/// Builds a model from labelled texts.
#[derive(Debug, Default)]
pub struct Trainer {
    numbers: HashMap<Box<str>, u32>,
    classes: BTreeMap<String, u32>,
    texts: Vec<LabelledText>,
    term: String,
    /// Numbers of a text's terms, one for each occurrence.
    found: Vec<u32>,
}

impl Trainer {
    /// Returns a trainer that has learned no text.
    pub fn new() -> Trainer {
        Trainer::default()
    }

    /// Learns a text. A text without terms is ignored, because it can never be a neighbour.
    pub fn add(&mut self, text: &str, label: &str) {
        let Trainer { numbers, found, term, .. } = self;
        found.clear();
        each_term(text, term, |term| {
            let next = numbers.len() as u32;
            let number = match numbers.get(term) {
                Some(number) => *number,
                None => *numbers.entry(term.into()).or_insert(next),
            };
            found.push(number);
        });
        if found.is_empty() {
            return;
        }
        let next = self.classes.len() as u32;
        let class = match self.classes.get(label) {
            Some(class) => *class,
            None => *self.classes.entry(label.to_owned()).or_insert(next),
        };
        found.sort_unstable();
        let terms = count_sorted(found).collect();
        self.texts.push(LabelledText { class, terms });
    }

    /// Returns the model.
    ///
    /// # Errors
    ///
    /// If the trainer learned no text.
    pub fn finish(self) -> Result<Model, ModelError> {
        if self.texts.is_empty() {
            return Err(ModelError::NoText);
        }
        let mut terms = vec![String::new(); self.numbers.len()];
        #[expect(clippy::iter_over_hash_type, reason = "each goes to its own place")]
        for (term, number) in self.numbers {
            terms[number as usize] = term.into();
        }
        // Classes are sorted by name, so that their numbers do not depend on the order of the
        // texts.
        let mut places = vec![0; self.classes.len()];
        for (index, number) in self.classes.values().enumerate() {
            places[*number as usize] = index as u32;
        }
        let mut texts = self.texts;
        for text in &mut texts {
            text.class = places[text.class as usize];
        }
        Ok(Model {
            format: FORMAT.to_owned(),
            version: VERSION,
            neighbours: DEFAULT_NEIGHBOURS,
            classes: self.classes.into_keys().collect(),
            terms,
            texts,
        })
    }
}

/// Returns each number in a sorted slice once, with its number of occurrences.
pub(crate) fn count_sorted(sorted: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    sorted
        .chunk_by(|a, b| a == b)
        .map(|equal_numbers| (equal_numbers[0], equal_numbers.len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        let mut trainer = Trainer::new();
        trainer.add("b a b", "z");
        trainer.add("...", "unseen");
        trainer.add("a c", "y");
        trainer.finish().unwrap()
    }

    #[test]
    fn a_model_is_written_and_read() {
        let model = model();
        assert_eq!(model.classes(), ["y", "z"]);
        assert_eq!((model.texts(), model.terms()), (2, 3));
        let mut file = Vec::new();
        model.write(&mut file).unwrap();
        assert_eq!(
            String::from_utf8(file.clone()).unwrap(),
            "{\"format\":\"huller-topics\",\"version\":1,\"neighbours\":19,\"classes\":[\"y\",\"z\"],\"terms\":[\"b\",\"a\",\"c\"],\
             \"texts\":[{\"class\":1,\"terms\":[[0,2],[1,1]]},{\"class\":0,\"terms\":[[1,1],[2,1]]}]}\n"
        );
        assert_eq!(Model::read(&file).unwrap(), model);
    }

    #[test]
    fn files_that_are_no_model_are_refused() {
        let mut file = Vec::new();
        model().write(&mut file).unwrap();
        let file = String::from_utf8(file).unwrap();
        let message = |json: &str| Model::read(json.as_bytes()).unwrap_err().to_string();
        let with = |from: &str, to: &str| {
            assert!(file.contains(from), "{from}");
            message(&file.replace(from, to))
        };
        assert!(message("[]").starts_with("not a model: "));
        assert!(message(&file[..50]).starts_with("not a model: "));
        assert!(with("huller-topics", "huller-nb").contains("`huller-nb`"));
        assert!(with("\"version\":1,", "\"version\":2,\"more\":0,").contains("version 2"));
        assert!(with("\"neighbours\":19", "\"neighbours\":0").contains("number of neighbours"));
        assert!(with("[\"y\",\"z\"]", "[\"z\",\"y\"]").contains("classes are not in order"));
        assert!(with("\"class\":1", "\"class\":2").contains("text 0 is of class 2"));
        assert!(with("[[0,2],[1,1]]", "[[1,2],[0,1]]").contains("terms of text 0"));
        assert!(with("[2,1]", "[3,1]").contains("text 1 has term 3"));
        assert!(with("[0,2]", "[0,0]").contains("0 times"));
        assert!(matches!(Trainer::new().finish(), Err(ModelError::NoText)));
    }
}
