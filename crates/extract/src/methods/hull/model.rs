//! Forests of oblivious trees, and the file they come in.
//!
//! In an oblivious tree every node of one depth asks the same question, so a tree of depth d is d questions and 2^d leaves, and a
//! block's leaf is the number that the answers spell. How they are found for many blocks is in `block_forest`, for one page in
//! `page_forest`.
//!
//! # File
//!
//! Little-endian. `HULL`, version (u32); number of feature names (u32), then each as length (u8) and bytes; number of forests (u32),
//! and for each: name (as above), scale (f32), bias (f32), number of trees (u32), then for each tree depth (u8), for each
//! question the number of a feature (u16) and a border (f32), and 2^depth leaves (i16). A leaf is worth its number times the
//! scale; a forest's sum is its bias and a leaf from each tree. Nothing may follow. The reader refuses another version, a
//! feature it doesn't know, a depth above 8, a border that is no number, more or fewer bytes than said; and
//! whoever takes a forest for blocks from it is refused more than 255 borders of one feature.

mod block_forest;
mod page_forest;
mod trees;

use super::features::Features;
pub(super) use block_forest::{BlockForest, Lanes};
pub(super) use page_forest::PageForest;
use trees::{Question, Trees};

const MAGIC: &[u8; 4] = b"HULL";
const VERSION: u32 = 1;
/// Questions of a tree at most.
const DEEPEST: usize = 8;
/// Trees of a forest at most.
const MOST_TREES: u32 = 10_000;

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// Not a model file at all.
    NotAModel,
    /// Of a version that is not known here.
    Version(u32),
    /// Asks for a feature that is not known here.
    UnknownFeature(String),
    /// Lacks one of the forests that are needed.
    MissingForest(&'static str),
    /// Ends too early, goes on too long, or holds numbers out of bounds.
    Damaged(&'static str),
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ModelError::NotAModel => f.write_str("not a model of hull"),
            ModelError::Version(version) => {
                write!(f, "version {version}; this program reads version {VERSION}")
            }
            ModelError::UnknownFeature(name) => write!(f, "unknown feature '{name}'"),
            ModelError::MissingForest(name) => write!(f, "no forest '{name}'"),
            ModelError::Damaged(what) => write!(f, "damaged: {what}"),
        }
    }
}

impl std::error::Error for ModelError {}

/// All forests of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    forests: Vec<Trees>,
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    ///
    /// The bytes are no model that this version can use.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        let mut input = Input { rest: bytes };
        if input.take(4).ok() != Some(MAGIC) {
            return Err(ModelError::NotAModel);
        }
        let version = input.u32()?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let known = Features::names();
        let count = input.u32()?;
        let mut features = Vec::new();
        for _ in 0..count {
            let name = input.name()?;
            let number = known.iter().position(|known| *known == name);
            let number = number.ok_or(ModelError::UnknownFeature(name))? as u16;
            if features.last().is_some_and(|last| *last >= number) {
                return Err(ModelError::Damaged("features out of order"));
            }
            features.push(number);
        }
        let count = input.u32()?;
        let mut forests = Vec::new();
        for _ in 0..count {
            forests.push(input.forest(&features)?);
        }
        if !input.rest.is_empty() {
            return Err(ModelError::Damaged("goes on behind its end"));
        }
        Ok(Model { forests })
    }

    pub(super) fn forest(&self, name: &'static str) -> Result<&Trees, ModelError> {
        let found = self.forests.iter().find(|forest| forest.name == name);
        found.ok_or(ModelError::MissingForest(name))
    }
}

/// What is left of a file.
struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], ModelError> {
        let (taken, rest) =
            self.rest.split_at_checked(len).ok_or(ModelError::Damaged("ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| ModelError::Damaged("ends too early"))
    }

    fn u32(&mut self) -> Result<u32, ModelError> {
        self.array().map(u32::from_le_bytes)
    }

    fn number(&mut self) -> Result<f32, ModelError> {
        let number = self.array().map(f32::from_le_bytes)?;
        if number.is_finite() { Ok(number) } else { Err(ModelError::Damaged("not a number")) }
    }

    fn name(&mut self) -> Result<String, ModelError> {
        let [len] = self.array()?;
        let bytes = self.take(usize::from(len))?;
        String::from_utf8(bytes.to_vec()).map_err(|_| ModelError::Damaged("a name is no text"))
    }

    /// A forest, whose questions count in this list of features.
    fn forest(&mut self, features: &[u16]) -> Result<Trees, ModelError> {
        let (name, scale, bias) = (self.name()?, self.number()?, self.number()?);
        if scale <= 0.0 {
            return Err(ModelError::Damaged("a scale is not above zero"));
        }
        let count = self.u32()?;
        if count > MOST_TREES {
            return Err(ModelError::Damaged("too many trees"));
        }
        let mut trees = Trees { name, scale, bias, ..Trees::default() };
        for _ in 0..count {
            let [depth] = self.array()?;
            if usize::from(depth) > DEEPEST {
                return Err(ModelError::Damaged("a tree is too deep"));
            }
            for _ in 0..depth {
                let place = self.array().map(u16::from_le_bytes)?;
                let Some(&feature) = features.get(usize::from(place)) else {
                    return Err(ModelError::Damaged("a question for no feature"));
                };
                trees.questions.push(Question { feature, border: self.number()? });
            }
            for _ in 0..1 << depth {
                trees.leaves.push(self.array().map(i16::from_le_bytes)?);
            }
            trees.depths.push(depth);
        }
        Ok(trees)
    }
}

#[cfg(test)]
mod tests;
