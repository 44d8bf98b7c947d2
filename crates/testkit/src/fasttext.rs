//! Small models of fastText, for tests that need one. Their numbers follow from a formula.

/// A supervised model of fastText to be written.
#[derive(Clone, Debug)]
pub struct FastTextModel {
    /// The version of the format.
    pub version: i32,
    /// The columns of the matrices.
    pub columns: i32,
    /// Words, without `</s>` unless it is among them.
    pub words: Vec<String>,
    /// Labels and their occurrences.
    pub labels: Vec<(String, i64)>,
    /// Hierarchical softmax is 1, negative sampling 2, softmax 3, one-vs-all 4.
    pub loss: i32,
    /// The kind of the model; 3 is a classifier.
    pub kind: i32,
    /// The most words of an n-gram.
    pub word_grams: i32,
    /// The rows that n-grams share.
    pub buckets: i32,
    /// The fewest and the most letters of an n-gram.
    pub letters: (i32, i32),
    /// Pairs of a bucket and its row, in a pruned model.
    pub pruned: Option<Vec<(i32, i32)>>,
    /// Whether the input is quantised.
    pub is_quantised: bool,
    /// Whether the output is quantised too.
    pub is_output_quantised: bool,
    /// Whether the norms of rows are quantised apart.
    pub has_norms: bool,
    /// The columns of a part of the quantiser.
    pub part: i32,
}

impl Default for FastTextModel {
    /// A plain model with softmax of the labels `good` and `bad`: rain and rivers are good.
    fn default() -> FastTextModel {
        let words = ["</s>", "rain", "river", "cookies", "offer", "the"];
        FastTextModel {
            version: 12,
            columns: 4,
            words: words.map(str::to_owned).to_vec(),
            labels: vec![("__label__good".to_owned(), 30), ("__label__bad".to_owned(), 20)],
            loss: 3,
            kind: 3,
            word_grams: 1,
            buckets: 0,
            letters: (0, 0),
            pruned: None,
            is_quantised: false,
            is_output_quantised: false,
            has_norms: false,
            part: 2,
        }
    }
}

impl FastTextModel {
    /// Returns a model of the default words and labels with n-grams of words and letters.
    #[must_use]
    pub fn with_grams() -> FastTextModel {
        FastTextModel { word_grams: 2, buckets: 64, letters: (2, 4), ..FastTextModel::default() }
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let (words, labels) = (len(&self.words), len(&self.labels));
        let head = [
            793_712_314,
            self.version,
            self.columns,
            5, // words of context
            1, // epochs
            1, // least occurrences
            5, // negatives
            self.word_grams,
            self.loss,
            self.kind,
            self.buckets,
            self.letters.0,
            self.letters.1,
            100, // words between changes of the rate
        ];
        push_ints(&mut out, &head);
        out.extend(1e-4f64.to_le_bytes());
        push_ints(&mut out, &[words + labels, words, labels]);
        let pruned = self.pruned.as_ref().map_or(-1, |pairs| len(pairs).into());
        out.extend([50i64, pruned].iter().flat_map(|number| number.to_le_bytes()));
        let of_words = self.words.iter().map(|word| (word, 3, 0));
        let of_labels = self.labels.iter().map(|(label, count)| (label, *count, 1));
        for (string, count, kind) in of_words.chain(of_labels) {
            out.extend(string.bytes().chain([0]));
            out.extend(count.to_le_bytes());
            out.push(kind);
        }
        for (bucket, row) in self.pruned.iter().flatten() {
            push_ints(&mut out, &[*bucket, *row]);
        }
        let grams = self.pruned.as_ref().map_or(self.buckets, |pairs| len(pairs));
        out.push(u8::from(self.is_quantised));
        if self.is_quantised {
            self.push_quantised(&mut out, words + grams);
        } else {
            self.push_plain(&mut out, words + grams, false);
        }
        out.push(u8::from(self.is_output_quantised));
        if self.is_quantised && self.is_output_quantised {
            self.push_quantised(&mut out, labels);
        } else {
            self.push_plain(&mut out, labels, true);
        }
        out
    }

    /// Writes a matrix of plain numbers. Of the default words the first two after the end of the
    /// line fit the first label, and the next two the second.
    fn push_plain(&self, out: &mut Vec<u8>, rows: i32, is_output: bool) {
        push_size(out, rows, self.columns);
        for row in 0..rows {
            let label =
                if is_output { Some(row) } else { (1..5).contains(&row).then(|| (row - 1) / 2) };
            for column in 0..self.columns {
                let fit = match label {
                    Some(label) if column % 2 == label % 2 => 1.,
                    Some(_) => -1.,
                    None => 0.,
                };
                let number: f32 = noise(row * self.columns + column) * 0.25 + fit;
                out.extend(number.to_le_bytes());
            }
        }
    }

    fn push_quantised(&self, out: &mut Vec<u8>, rows: i32) {
        out.push(u8::from(self.has_norms));
        push_size(out, rows, self.columns);
        let parts = (self.columns + self.part - 1) / self.part;
        push_ints(out, &[rows * parts]);
        out.extend((0..rows * parts).map(|code| (code * 37 % 251).to_le_bytes()[0]));
        let last = self.columns - (parts - 1) * self.part;
        push_ints(out, &[self.columns, parts, self.part, last]);
        out.extend((0..self.columns * 256).flat_map(|index| noise(index).to_le_bytes()));
        if self.has_norms {
            out.extend((0..rows).map(|row| (row * 91 % 253).to_le_bytes()[0]));
            push_ints(out, &[1, 1, 1, 1]);
            out.extend((0..256).flat_map(|index| (noise(index) + 1.5).to_le_bytes()));
        }
    }
}

fn len<T>(list: &[T]) -> i32 {
    i32::try_from(list.len()).expect("a small model")
}

fn push_ints(out: &mut Vec<u8>, numbers: &[i32]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn push_size(out: &mut Vec<u8>, rows: i32, columns: i32) {
    out.extend([rows, columns].iter().flat_map(|number| i64::from(*number).to_le_bytes()));
}

/// Returns a number between -1 and 1.
fn noise(seed: i32) -> f32 {
    let bits = (seed + 1).cast_unsigned().wrapping_mul(2_654_435_761) >> 8;
    bits as f32 / (1 << 23) as f32 - 1.
}
