//! What is learned, and the file that holds it.

use crate::terms::each_term;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use thiserror::Error;

/// How many neighbours decide, unless told (K of the paper).
pub const DEFAULT_NEIGHBOURS: usize = 19;

/// What a model's file calls itself.
const FORMAT: &str = "huller-topics";
/// Raised when a file no longer means what it meant.
const VERSION: u32 = 1;

/// Labelled texts as counted terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    format: String,
    version: u32,
    /// How many neighbours decide.
    pub(crate) neighbours: usize,
    /// Names of the classes, in order.
    pub(crate) classes: Vec<String>,
    /// All terms; a term's place is its number.
    pub(crate) terms: Vec<String>,
    /// The texts in the order learned.
    pub(crate) texts: Vec<LabelledText>,
}

/// One labelled text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LabelledText {
    /// Its class, as a place in `classes`.
    pub(crate) class: u32,
    /// Numbers of its terms, ascending, and how often each occurs.
    pub(crate) terms: Vec<(u32, u32)>,
}

/// Why there is no model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Not JSON, or not the fields of a model.
    #[error("not a model: {0}")]
    Malformed(#[from] serde_json::Error),
    /// JSON of something else.
    #[error("not a model of topics (its format is `{0}`, not `{FORMAT}`)")]
    OtherFormat(String),
    /// Written by another version of this program.
    #[error("the model has version {0}, this program reads version {VERSION}: train it anew")]
    OtherVersion(u32),
    /// Something in it contradicts itself.
    #[error("the model is damaged: {0}")]
    Inconsistent(String),
    /// Nothing was learned.
    #[error("there is no labelled text")]
    NoText,
}

impl Model {
    /// Reads a model and checks it.
    ///
    /// # Errors
    ///
    /// If it is no model, one of another version, or contradicts itself.
    pub fn read(json: &[u8]) -> Result<Model, ModelError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        // First what it is: a file of another version may have other fields.
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
        let damaged = |what: String| Err(ModelError::Inconsistent(what));
        if self.neighbours == 0 {
            return damaged("it asks for no neighbours".to_owned());
        }
        if self.texts.is_empty() {
            return Err(ModelError::NoText);
        }
        if !self.classes.is_sorted_by(|a, b| a < b) {
            return damaged("its classes are not in order".to_owned());
        }
        for (place, text) in self.texts.iter().enumerate() {
            if text.class as usize >= self.classes.len() {
                return damaged(format!("text {place} is of class {}", text.class));
            }
            if !text.terms.is_sorted_by(|a, b| a.0 < b.0) {
                return damaged(format!("the terms of text {place} are not in order"));
            }
            if let Some((term, count)) =
                text.terms.iter().find(|(term, n)| *term as usize >= self.terms.len() || *n == 0)
            {
                return damaged(format!("text {place} has term {term} {count} times"));
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

    /// The model with another number of neighbours, at least 1.
    #[must_use]
    pub fn with_neighbours(mut self, neighbours: usize) -> Model {
        self.neighbours = neighbours.max(1);
        self
    }

    /// How many texts it holds.
    pub fn texts(&self) -> usize {
        self.texts.len()
    }

    /// How many different terms these have.
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    /// The classes, in order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }
}

/// Learns a model.
#[derive(Debug, Default)]
pub struct Trainer {
    numbers: HashMap<Box<str>, u32>,
    classes: BTreeMap<String, u32>,
    texts: Vec<LabelledText>,
    term: String,
    found: Vec<u32>,
}

impl Trainer {
    /// One that has learned nothing.
    pub fn new() -> Trainer {
        Trainer::default()
    }

    /// Learns a text. One without terms is no neighbour of any and is passed over.
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
        let terms = counted(found).collect();
        self.texts.push(LabelledText { class, terms });
    }

    /// What was learned.
    ///
    /// # Errors
    ///
    /// If there was no text.
    pub fn finish(self) -> Result<Model, ModelError> {
        if self.texts.is_empty() {
            return Err(ModelError::NoText);
        }
        let mut terms = vec![String::new(); self.numbers.len()];
        #[expect(clippy::iter_over_hash_type, reason = "each goes to its own place")]
        for (term, number) in self.numbers {
            terms[number as usize] = term.into();
        }
        // In the order of their names, so that the order of texts decides nothing.
        let mut places = vec![0; self.classes.len()];
        for (place, number) in self.classes.values().enumerate() {
            places[*number as usize] = place as u32;
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

/// Numbers in order, each once, with how often it occurs.
pub(crate) fn counted(sorted: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32))
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
    fn what_is_no_model_is_refused() {
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
        assert!(with("\"neighbours\":19", "\"neighbours\":0").contains("no neighbours"));
        assert!(with("[\"y\",\"z\"]", "[\"z\",\"y\"]").contains("classes are not in order"));
        assert!(with("\"class\":1", "\"class\":2").contains("text 0 is of class 2"));
        assert!(with("[[0,2],[1,1]]", "[[1,2],[0,1]]").contains("terms of text 0"));
        assert!(with("[2,1]", "[3,1]").contains("text 1 has term 3"));
        assert!(with("[0,2]", "[0,0]").contains("0 times"));
        assert!(matches!(Trainer::new().finish(), Err(ModelError::NoText)));
    }
}
