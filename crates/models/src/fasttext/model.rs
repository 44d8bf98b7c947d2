//! A supervised model of fastText.

use super::best::{Prediction, TopLabels};
use super::dictionary::{Buffers, Dictionary, GramSettings};
use super::exp::exp;
use super::line::Line;
use super::loss::{Loss, Search};
use super::matrix::Matrix;
use crate::bytes::Reader;
use crate::error::ModelError;
use crate::file::ModelFile;
use std::sync::Arc;

const MAGIC: [u8; 4] = 793_712_314i32.to_le_bytes();

/// The rows that are added at a time: few enough for the first cache, and enough to wait for their
/// memory together.
const ROWS_PER_STEP: usize = 32;

/// A supervised model of fastText. All threads share it.
#[derive(Debug)]
pub struct Model {
    file: Arc<ModelFile>,
    dictionary: Dictionary,
    input: Matrix,
    output: Matrix,
    loss: Loss,
}

/// The buffers of one thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    buffers: Buffers,
    /// Rows that are added next.
    rows: Vec<u32>,
    /// Mean of the rows of the line.
    mean: Vec<f32>,
    /// Score of each label.
    scores: Vec<f32>,
    stack: Vec<(u32, f32)>,
    best: TopLabels,
}

impl Model {
    /// Returns whether the bytes begin as a model of fastText does.
    pub fn is_in(file: &ModelFile) -> bool {
        file.bytes().starts_with(&MAGIC)
    }

    /// Reads a model and checks all of it, in time linear in the file.
    ///
    /// # Errors
    ///
    /// The file is no supervised model of fastText (`.bin` or `.ftz`, version 11 or 12), or a value
    /// in it breaks the format.
    pub fn read(file: Arc<ModelFile>) -> Result<Model, ModelError> {
        if !Model::is_in(&file) {
            return Err(ModelError::NotAModel { expected: "model of fastText" });
        }
        let bytes = file.bytes();
        let reader = &mut Reader::new(bytes);
        reader.range(MAGIC.len() as u64)?;
        let version = reader.i32()?;
        if !(11..=12).contains(&version) {
            return Err(ModelError::Unsupported { feature: format!("version {version}") });
        }
        let columns = reader.count()? as usize;
        let [_window, _epochs, _least_count, _negatives] =
            [reader.i32()?, reader.i32()?, reader.i32()?, reader.i32()?];
        let words = reader.count()?;
        let loss = reader.i32()?;
        if reader.i32()? != 3 {
            let feature = "a model of word vectors, without labels,".to_owned();
            return Err(ModelError::Unsupported { feature });
        }
        let (buckets, fewest, most) = (reader.count()?, reader.count()?, reader.count()?);
        let [_rate, _sampling] = [i64::from(reader.i32()?), reader.i64()?];
        // Models of version 11 have no n-grams of letters, whatever they state.
        let most = if version == 11 { 0 } else { most };
        let settings = GramSettings::new(words, buckets, (fewest, most))?;
        let dictionary = Dictionary::read(reader, bytes, settings)?;
        let is_quantised = reader.flag()?;
        let input = if is_quantised {
            Matrix::read_quantised(reader, bytes)?
        } else {
            Matrix::read_plain(reader, bytes)?
        };
        if dictionary.is_pruned() && !is_quantised {
            return Err(reader.damaged("a dictionary is pruned, but the rows are not quantised"));
        }
        let rows = dictionary.rows();
        let rows = rows.ok_or_else(|| reader.damaged("n-grams have no buckets"))?;
        let output = if reader.flag()? && is_quantised {
            Matrix::read_quantised(reader, bytes)?
        } else {
            Matrix::read_plain(reader, bytes)?
        };
        if input.columns() != columns || output.columns() != columns {
            return Err(reader.damaged("the matrices have other columns than the model"));
        }
        if input.rows() < rows || output.rows() != u64::from(dictionary.labels()) {
            return Err(reader.damaged("the matrices have fewer rows than the dictionary"));
        }
        if reader.remaining() > 0 {
            return Err(reader.damaged("bytes follow the model"));
        }
        let loss = Loss::new(loss, dictionary.label_counts(), reader)?;
        Ok(Model { file, dictionary, input, output, loss })
    }

    /// Returns the number of labels.
    pub fn labels(&self) -> u32 {
        self.dictionary.labels()
    }

    /// Returns a label as the model has it, mostly with `__label__` before it.
    ///
    /// # Panics
    ///
    /// If there are not that many labels.
    pub fn label(&self, label: u32) -> &str {
        assert!(label < self.labels(), "a label of the model");
        str::from_utf8(self.dictionary.label(self.file.bytes(), label)).unwrap_or_default()
    }

    /// Returns the digest of the file.
    pub fn digest(&self) -> &str {
        self.file.digest()
    }

    /// Returns the best labels of a line with at least this probability, the best first: at most
    /// `max_labels`, or all. A line of which the model knows no word has no labels.
    pub fn predict<'s>(
        &self,
        line: &Line,
        max_labels: Option<usize>,
        threshold: f32,
        scratch: &'s mut Scratch,
    ) -> &'s [Prediction] {
        if self.read_line(line, scratch) { self.best(max_labels, threshold, scratch) } else { &[] }
    }

    /// Computes the mean of a line's vectors, for [`Model::best`]. Returns false if the model knows
    /// no word of the line.
    pub fn read_line(&self, line: &Line, scratch: &mut Scratch) -> bool {
        let Model { file, dictionary, input, .. } = self;
        let Scratch { buffers, rows, mean, .. } = scratch;
        let bytes = file.bytes();
        mean.clear();
        mean.resize(input.columns(), 0.);
        rows.clear();
        let (mut count, mut add) = (0u64, |rows: &mut Vec<u32>| {
            input.add_rows(bytes, rows, mean);
            rows.clear();
        });
        dictionary.for_each_row(bytes, line, buffers, |row| {
            rows.push(row);
            count += 1;
            if rows.len() == ROWS_PER_STEP {
                add(rows);
            }
        });
        add(rows);
        let factor = (1. / count as f64) as f32;
        for number in mean.iter_mut() {
            *number *= factor;
        }
        count > 0
    }

    /// Returns the best labels of the line that this model read last with these buffers, as
    /// [`Model::predict`] does.
    ///
    /// # Panics
    ///
    /// If a model of another size read that line.
    pub fn best<'s>(
        &self,
        max_labels: Option<usize>,
        threshold: f32,
        scratch: &'s mut Scratch,
    ) -> &'s [Prediction] {
        let Model { file, output, loss, .. } = self;
        let Scratch { mean, scores, stack, best, .. } = scratch;
        assert_eq!(mean.len(), output.columns(), "a line that this model read");
        let labels = self.labels() as usize;
        best.begin(max_labels.unwrap_or(labels));
        scores.resize(labels, 0.);
        let bytes = file.bytes();
        loss.find(&mut Search { bytes, output, mean, scores, stack, best }, threshold);
        let found = best.sorted();
        for found in found.iter_mut() {
            found.score = exp(found.score);
        }
        found
    }
}
