//! Writes one line per page and system, with the columns of `score.py --per-page` and a column for
//! the system, then `CleanEval`'s measure and the grade.

use crate::evaluation::{Evaluation, PrecisionRecall, TextScores};
use std::io::{self, Write};

/// The columns.
pub const COLUMNS: [&str; 25] = [
    "id",
    "dataset",
    "lang",
    "page_type",
    "system",
    "n_gold",
    "n_pred",
    "exact",
    "bag_P",
    "bag_R",
    "bag_F1",
    "sh_P",
    "sh_R",
    "sh_F1",
    "lcs_P",
    "lcs_R",
    "lcs_F1",
    "tp",
    "fn",
    "fp",
    "tn",
    "cleaneval",
    "lost_sentences",
    "noise_blocks",
    "grade",
];

/// Writes the table, system by system. Values are not rounded.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write(out: &mut dyn Write, evaluation: &Evaluation) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    for (system, scores) in evaluation.systems.iter().zip(&evaluation.scores) {
        let label = system.label();
        for (page, score) in evaluation.pages.iter().zip(scores) {
            let mut cells = vec![
                page.id.clone(),
                page.dataset.clone(),
                page.lang.clone().unwrap_or_default(),
                page.page_type.clone().unwrap_or_default(),
                label.clone(),
            ];
            match score.text {
                Some(text) => {
                    let PrecisionRecall { precision, recall, f1 } = text.bag;
                    let (shingles, lcs) = (text.shingles, text.lcs);
                    cells.extend(
                        [text.gold_tokens, text.text_tokens, text.exact.into()]
                            .map(|n| n.to_string()),
                    );
                    let values =
                        [precision, recall, f1, shingles.precision, shingles.recall, shingles.f1];
                    cells.extend(values.map(|value| value.to_string()));
                    cells
                        .extend([lcs.precision, lcs.recall, lcs.f1].map(|value| value.to_string()));
                }
                None => cells.extend(vec![String::new(); 12]),
            }
            match score.snippets {
                Some(counts) => cells.extend(
                    [
                        counts.true_positives,
                        counts.false_negatives,
                        counts.false_positives,
                        counts.true_negatives,
                    ]
                    .map(|count| count.to_string()),
                ),
                None => cells.extend(vec![String::new(); 4]),
            }
            match score.text {
                Some(TextScores { cleaneval, mistakes, .. }) => cells.extend([
                    cleaneval.to_string(),
                    mistakes.lost_sentences.to_string(),
                    mistakes.noise_blocks.to_string(),
                    mistakes.grade().name().to_owned(),
                ]),
                None => cells.extend(vec![String::new(); 4]),
            }
            writer.write_record(cells)?;
        }
    }
    writer.flush()
}
