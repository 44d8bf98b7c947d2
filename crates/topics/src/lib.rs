//! Finds the topic of a text by its nearest neighbours among labelled texts (paper 002 in
//! docs/papers.md).
//!
//! # The types, and how they work together
//!
//! * A [`Trainer`] takes texts with labels and builds a [`Model`]: the labelled texts as counted
//!   terms.
//! * A model is written and read as versioned JSON; reading checks it.
//! * A [`Classifier`] is a prepared model: weights, and an index from terms to texts. It returns
//!   the [`Topic`] of a text.
//! * A [`ConfusionMatrix`] compares topics with labels. It gives macro and micro precision, recall
//!   and F1 ([`f_beta`] for other values of beta), and the number of confusions between each two
//!   classes.
//!
//! # The formulas
//!
//! ```text
//! weight(t, d) = tf(t, d) * ln(N / n(t))                                    N texts, n(t) of them with term t
//! sim(x, d)    = sum of weight(t, x) weight(t, d) / (|x| |d|)               0 if either is 0
//! y(x, c)      = sum of sim(x, d) over the K nearest d of class c, less b(c)                               (10)
//! macro F1     = 2 P R / (P + R) of macro P and macro R                                                    (12)
//! ```
//!
//! Our choices where the paper is open (specification 3.5):
//!
//! - The indicator in (10) is printed inverted; here a neighbour counts for its own class [C-11].
//! - K is 19 and b is 0.
//! - Terms are lower-cased words. In scripts without spaces, such as Chinese, they are pairs of
//!   neighbouring scalars, so that no segmenter is needed.
//! - Of classes with equal sums the first by name wins; of equally near neighbours, the one learned
//!   first.
//! - A term that the model lacks is ignored, also in the text's norm. A text without any term of
//!   the model has no topic.
//!
//! Cost of a topic: O(terms of the text + length of their postings). A term that occurs in all
//! texts has weight 0 and no postings. Known failures: short texts; classes of very different
//! sizes, because larger classes have more neighbours.
//!
//! # Example
//!
//! ```
//! use huller_topics::{Classifier, Trainer};
//!
//! let mut trainer = Trainer::new();
//! trainer.add("The team won the match", "sport");
//! trainer.add("The match ended in a draw", "sport");
//! trainer.add("Parliament passed the budget", "politics");
//! let model = trainer.finish()?;
//!
//! let mut file = Vec::new();
//! model.write(&mut file)?;
//! let mut classifier = Classifier::new(huller_topics::Model::read(&file)?);
//! assert_eq!(classifier.topic("A match without goals").unwrap().name, "sport");
//! assert!(classifier.topic("Rain").is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod classifier;
mod confusion_matrix;
mod model;
mod terms;

pub use classifier::{Classifier, Topic};
pub use confusion_matrix::{ClassScore, ConfusionMatrix, f_beta};
pub use model::{DEFAULT_NEIGHBOURS, Model, ModelError, Trainer};
