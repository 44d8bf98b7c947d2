//! Forests of oblivious trees, and the file format that holds them.
//!
//! In an oblivious tree all nodes of one depth ask the same question. So a tree of depth d has d
//! questions and 2^d leaves, and the answers to the questions are the bits of the leaf's index. A
//! question asks whether a feature is above a border. *Border* is `CatBoost`'s word for a
//! threshold; the training script and the code use it too. `block_forest` finds the leaves of many
//! blocks, `page_forest` those of one page.
//!
//! # File format
//!
//! All numbers are little-endian. The file consists of:
//!
//! 1. `HULL`, and the version (u32).
//! 2. The number of feature names (u32), then each name as its length in bytes (u8) and its bytes
//!    (UTF-8).
//! 3. The number of forests (u32), then each forest: name (as above), scale (f32), bias (f32),
//!    number of trees (u32), and the trees.
//!
//! A tree has its depth (u8), for each question the index of a feature name (u16) and a border
//! (f32), and 2^depth leaves (i16). The value of a leaf is its number times the scale. A forest's
//! sum, in log-odds, is its bias plus one leaf value from each tree.
//!
//! The reader refuses:
//!
//! - another version, missing or extra bytes;
//! - an unknown feature, or features in another order than the program's;
//! - a depth above 8, or more than 10,000 trees in a forest;
//! - a number that is not finite, or a scale that is not above 0.
//!
//! A forest for blocks must also have at most 255 borders of each feature.

mod block_forest;
mod error;
mod page_forest;
mod trees;

use crate::features::Features;
pub(super) use block_forest::{BlockForest, Lanes, Means};
pub use error::ModelError;
use error::VERSION;
pub(super) use page_forest::PageForest;
use trees::{TreeSplit, Trees};

const MAGIC: &[u8; 4] = b"HULL";
/// Largest number of questions of a tree.
const MAX_DEPTH: usize = 8;
/// Largest number of trees of a forest.
const MAX_TREES: u32 = 10_000;

/// All forests of a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    forests: Vec<Trees>,
}

impl Model {
    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the bytes are not a model that this version can use.
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
            return Err(ModelError::Damaged("has data after its end"));
        }
        Ok(Model { forests })
    }

    pub(super) fn forest(&self, name: &'static str) -> Result<&Trees, ModelError> {
        let trees = self.forests.iter().find(|forest| forest.name == name);
        trees.ok_or(ModelError::MissingForest(name))
    }
}

/// The unread rest of a file.
struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], ModelError> {
        let (bytes, rest) =
            self.rest.split_at_checked(len).ok_or(ModelError::Damaged("ends too early"))?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| ModelError::Damaged("ends too early"))
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
        String::from_utf8(bytes.to_vec()).map_err(|_| ModelError::Damaged("a name is not text"))
    }

    /// Reads a forest. `features` maps the file's indices of features to the program's.
    fn forest(&mut self, features: &[u16]) -> Result<Trees, ModelError> {
        let (name, scale, bias) = (self.name()?, self.number()?, self.number()?);
        if scale <= 0.0 {
            return Err(ModelError::Damaged("a scale is not above zero"));
        }
        let count = self.u32()?;
        if count > MAX_TREES {
            return Err(ModelError::Damaged("too many trees"));
        }
        let mut trees = Trees { name, scale, bias, ..Trees::default() };
        for _ in 0..count {
            let [depth] = self.array()?;
            if usize::from(depth) > MAX_DEPTH {
                return Err(ModelError::Damaged("a tree is too deep"));
            }
            for _ in 0..depth {
                let feature_index = self.array().map(u16::from_le_bytes)?;
                let Some(&feature) = features.get(usize::from(feature_index)) else {
                    return Err(ModelError::Damaged("a split on an unknown feature"));
                };
                trees.questions.push(TreeSplit { feature, border: self.number()? });
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
