//! Finds the nearest neighbours of a text with an inverted index.

use crate::model::{Model, count_sorted};
use crate::terms::each_term;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The topic found for a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Topic<'a> {
    /// Name of the class.
    pub name: &'a str,
    /// The class's share of the summed similarity of all neighbours, above 0, at most 1.
    pub score: f64,
}

/// One occurrence in the index: a labelled text that contains a term.
#[derive(Clone, Copy, Debug)]
struct Posting {
    /// Index of the text.
    text: u32,
    /// Weight of the term in that text, divided by the norm of the text.
    weight: f64,
}

/// A model prepared for classifying: weights, and an index from terms to labelled texts.
#[derive(Debug)]
pub struct Classifier {
    /// Number of neighbours that vote.
    neighbours: usize,
    classes: Vec<String>,
    /// Class of every labelled text.
    class_of: Vec<u32>,
    numbers: HashMap<Box<str>, u32>,
    /// ln(N / n) of every term.
    rarity: Vec<f64>,
    /// Index of the first posting of each term. One more element holds the number of postings.
    starts: Vec<usize>,
    postings: Vec<Posting>,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    term: String,
    /// Numbers of the text's terms, one for each occurrence.
    found: Vec<u32>,
    /// Similarity to every labelled text; all 0 between two calls.
    similarity: Vec<f64>,
    /// The labelled texts with a similarity above 0.
    near: Vec<u32>,
    /// For each class, the sum in equation (10).
    sums: Vec<f64>,
}

impl Classifier {
    /// Prepares a model: computes weights and norms, and builds the index.
    pub fn new(model: Model) -> Classifier {
        let Model { neighbours, classes, terms, texts, .. } = model;
        let mut lengths = vec![0_usize; terms.len()];
        for (term, _) in texts.iter().flat_map(|text| &text.terms) {
            lengths[*term as usize] += 1;
        }
        let text_count = texts.len() as f64;
        let rarity: Vec<f64> = lengths
            .iter()
            .map(|texts_with_term| {
                if *texts_with_term == 0 {
                    0.0
                } else {
                    (text_count / *texts_with_term as f64).ln()
                }
            })
            .collect();
        let mut starts = Vec::with_capacity(terms.len() + 1);
        let mut start = 0;
        for (length, rarity) in lengths.iter().zip(&rarity) {
            starts.push(start);
            start += if *rarity > 0.0 { *length } else { 0 };
        }
        starts.push(start);
        let mut postings = vec![Posting { text: 0, weight: 0.0 }; start];
        let mut next_posting = starts.clone();
        for (number, text) in texts.iter().enumerate() {
            let weight = |(term, count): &(u32, u32)| f64::from(*count) * rarity[*term as usize];
            let norm = text.terms.iter().map(|term| weight(term).powi(2)).sum::<f64>().sqrt();
            for term in text.terms.iter().filter(|term| rarity[term.0 as usize] > 0.0) {
                let index = &mut next_posting[term.0 as usize];
                postings[*index] = Posting { text: number as u32, weight: weight(term) / norm };
                *index += 1;
            }
        }
        let scratch = Scratch {
            similarity: vec![0.0; texts.len()],
            sums: vec![0.0; classes.len()],
            ..Scratch::default()
        };
        let numbers = terms.into_iter().zip(0..).map(|(term, number)| (term.into(), number));
        Classifier {
            neighbours,
            classes,
            class_of: texts.iter().map(|text| text.class).collect(),
            numbers: numbers.collect(),
            rarity,
            starts,
            postings,
            scratch,
        }
    }

    /// Returns the classes, in order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Returns the topic of a text; `None` if its similarity to all labelled texts is 0.
    pub fn topic(&mut self, text: &str) -> Option<Topic<'_>> {
        self.compare_text(text);
        self.keep_nearest(self.neighbours);
        let topic = self.vote_class();
        self.reset_similarities();
        let (class, score) = topic?;
        Some(Topic { name: &self.classes[class], score })
    }

    /// Calls `each` with every number of neighbours from 1 to `max_neighbours`, and with the topic
    /// of the text by that number of neighbours.
    pub fn topics_by_neighbours(
        &mut self,
        text: &str,
        max_neighbours: usize,
        mut each: impl FnMut(usize, Option<&str>),
    ) {
        self.compare_text(text);
        self.keep_nearest(max_neighbours);
        let compared_texts = std::mem::take(&mut self.scratch.near);
        let mut nearest = compared_texts.clone();
        nearest.sort_unstable_by(|a, b| by_similarity(&self.scratch.similarity, *a, *b));
        for neighbours in 1..=max_neighbours {
            let nearest_few = &nearest[..neighbours.min(nearest.len())];
            self.scratch.near.clear();
            self.scratch.near.extend_from_slice(nearest_few);
            let topic = self.vote_class();
            each(neighbours, topic.map(|(class, _)| &*self.classes[class]));
        }
        self.scratch.near = compared_texts;
        self.reset_similarities();
    }

    /// Computes the similarity of a text to the labelled texts, and lists the texts with a
    /// similarity above 0.
    fn compare_text(&mut self, text: &str) {
        let Scratch { term, found, similarity, near, .. } = &mut self.scratch;
        found.clear();
        each_term(text, term, |term| found.extend(self.numbers.get(term)));
        found.sort_unstable();
        near.clear();
        // Dividing by the text's own norm would change neither the order of neighbours nor any
        // share.
        for (term, count) in count_sorted(found) {
            let weight = f64::from(count) * self.rarity[term as usize];
            let index = term as usize;
            for posting in &self.postings[self.starts[index]..self.starts[index + 1]] {
                let similarity = &mut similarity[posting.text as usize];
                if *similarity == 0.0 {
                    near.push(posting.text);
                }
                *similarity += weight * posting.weight;
            }
        }
    }

    /// Keeps the nearest of the listed texts.
    fn keep_nearest(&mut self, neighbours: usize) {
        let Scratch { similarity, near, .. } = &mut self.scratch;
        if near.len() > neighbours {
            let (nearest, _, farther) = near
                .select_nth_unstable_by(neighbours - 1, |a, b| by_similarity(similarity, *a, *b));
            for text in farther {
                similarity[*text as usize] = 0.0;
            }
            let count = nearest.len() + 1;
            near.truncate(count);
        }
    }

    /// Returns the class with the largest sum (10) over the listed texts, and its share of all
    /// sums.
    fn vote_class(&mut self) -> Option<(usize, f64)> {
        let Scratch { similarity, near, sums, .. } = &mut self.scratch;
        // A sum of floats depends on their order, so the order must be fixed.
        near.sort_unstable();
        sums.fill(0.0);
        for text in near.iter() {
            sums[self.class_of[*text as usize] as usize] += similarity[*text as usize];
        }
        let (mut winner, mut total) = (None, 0.0);
        for (class, sum) in sums.iter().enumerate() {
            total += sum;
            if winner.map_or(0.0, |(_, largest)| largest) < *sum {
                winner = Some((class, *sum));
            }
        }
        winner.map(|(class, sum)| (class, sum / total))
    }

    /// Sets the similarities of the listed texts back to 0.
    fn reset_similarities(&mut self) {
        let Scratch { similarity, near, .. } = &mut self.scratch;
        near.drain(..).for_each(|text| similarity[text as usize] = 0.0);
    }
}

/// Orders texts by their similarity, then by their number.
fn by_similarity(similarity: &[f64], a: u32, b: u32) -> Ordering {
    let (similarity_a, similarity_b) = (similarity[a as usize], similarity[b as usize]);
    similarity_b.total_cmp(&similarity_a).then(a.cmp(&b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trainer;
    use proptest::prelude::*;

    fn classifier(texts: &[(&str, &str)], neighbours: usize) -> Classifier {
        let mut trainer = Trainer::new();
        for (text, label) in texts {
            trainer.add(text, label);
        }
        Classifier::new(trainer.finish().unwrap().with_neighbours(neighbours))
    }

    #[test]
    fn of_equal_sums_the_first_class_wins_and_of_equal_neighbours_the_first_learned() {
        let texts = [("x", "b"), ("x", "a"), ("y", "a"), ("y", "c")];
        let mut two = classifier(&texts, 2);
        assert_eq!(two.topic("x"), Some(Topic { name: "a", score: 0.5 }));
        let mut one = classifier(&texts, 1);
        assert_eq!(one.topic("x"), Some(Topic { name: "b", score: 1.0 }));
        assert_eq!(one.topic("z"), None);
        // A term that occurs in all texts has weight 0.
        assert_eq!(classifier(&[("x", "a"), ("x", "b")], 2).topic("x"), None);
    }

    /// The result of the formulas.
    enum Naive {
        Topic(Option<(u8, f64)>),
        /// The similarities of the last neighbour and of the next text are almost equal, so
        /// rounding decides which of them is the neighbour.
        Tie,
    }

    /// Computes the formulas directly, without an index.
    fn naive(texts: &[(String, u8)], text: &str, neighbours: usize) -> Naive {
        let terms = |text: &str| {
            text.split(' ').filter(|t| !t.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        let texts: Vec<_> = texts
            .iter()
            .map(|(text, class)| (terms(text), *class))
            .filter(|(t, _)| !t.is_empty())
            .collect();
        let with = |term: &String| texts.iter().filter(|(terms, _)| terms.contains(term)).count();
        let weight = |term: &String, terms: &[String]| match with(term) {
            0 => 0.0,
            n => {
                terms.iter().filter(|t| *t == term).count() as f64
                    * (texts.len() as f64 / n as f64).ln()
            }
        };
        let mut all: Vec<String> = texts.iter().flat_map(|(terms, _)| terms.clone()).collect();
        all.sort();
        all.dedup();
        let x = terms(text);
        let norm = |d: &[String]| all.iter().map(|t| weight(t, d).powi(2)).sum::<f64>().sqrt();
        let mut near: Vec<(f64, usize)> = texts
            .iter()
            .enumerate()
            .map(|(i, (d, _))| {
                let dot: f64 = all.iter().map(|t| weight(t, &x) * weight(t, d)).sum();
                (if dot == 0.0 { 0.0 } else { dot / (norm(&x) * norm(d)) }, i)
            })
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        if let Some([last, next]) = near.get(neighbours - 1..=neighbours)
            && last.0 - next.0 < 1e-9
        {
            return Naive::Tie;
        }
        near.truncate(neighbours);
        let sum = |class: u8| -> f64 {
            near.iter().filter(|(_, i)| texts[*i].1 == class).map(|(s, _)| s).sum()
        };
        let total: f64 = near.iter().map(|(s, _)| s).sum();
        let best = (b'a'..=b'c').rev().max_by(|a, b| sum(*a).total_cmp(&sum(*b)));
        let topic = best.map(|best| (best, sum(best) / total));
        Naive::Topic(topic.filter(|_| total > 0.0))
    }

    proptest! {
        #[test]
        fn the_index_gives_the_result_of_the_formulas(
            texts in prop::collection::vec(("[p-t ]{1,12}", b'a'..=b'c'), 1..12),
            asked in prop::collection::vec("[p-u ]{0,12}", 1..4),
            neighbours in 1_usize..6,
        ) {
            // Words are single letters, so that texts share many words.
            let spaced = |text: &str| text.chars().flat_map(|c| [c, ' ']).collect::<String>();
            let texts: Vec<_> = texts.iter().map(|(text, class)| (spaced(text), *class)).collect();
            let mut trainer = Trainer::new();
            for (text, class) in &texts {
                trainer.add(text, &char::from(*class).to_string());
            }
            let Ok(model) = trainer.finish() else { return Ok(()) };
            let mut classifier = Classifier::new(model.with_neighbours(neighbours));
            for text in &asked {
                let text = spaced(text);
                let most = 6;
                let mut by_neighbours = Vec::new();
                classifier.topics_by_neighbours(&text, most, |k, topic| {
                    by_neighbours.push((k, topic.map(str::to_owned)));
                });
                let got = classifier.topic(&text);
                // The same number of neighbours gives the same topic, and each number is passed
                // once.
                prop_assert_eq!(by_neighbours.len(), most);
                let (k, topic) = &by_neighbours[neighbours - 1];
                prop_assert_eq!((*k, topic.as_deref()), (neighbours, got.map(|got| got.name)));
                let Naive::Topic(expected) = naive(&texts, &text, neighbours) else { continue };
                prop_assert_eq!(got.is_some(), expected.is_some());
                if let (Some(got), Some((_, score))) = (got, expected) {
                    // Of classes with nearly equal sums, rounding decides which one wins; the score
                    // is the same.
                    prop_assert!((got.score - score).abs() < 1e-6, "{:?} {}", got, score);
                }
            }
        }
    }
}
