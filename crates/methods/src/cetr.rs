//! CETR: selects the lines of the source with much text and few tags.
//!
//! Tim Weninger, William H. Hsu, Jiawei Han: *CETR: Content Extraction via Tag Ratios*, 2010.
//!
//! ```text
//! TR = text / max(1, tags)                       for each line that isn't blank
//! S  = TR smoothed by e^(-j^2/2), j = -1..1      the weights sum to 1 at the ends too
//! G  = | mean of S of the next up to 3 lines - S |      smoothed in the same way
//! ```
//!
//! k-means divides the points (S, G) into three clusters. One centre stays at the origin; the lines
//! of the other two clusters are content. In the threshold form (CETR-TM) content is where S
//! exceeds the standard deviation of S.
//!
//! Our choices where the paper is open (specification section 6):
//!
//! - Text is measured in visible scalars and gaps, with character references decoded.
//! - G is computed from the smoothed values (implementations differ).
//! - The second centre begins at the mean and the third at the point of largest norm. The original
//!   draws them at random; here a page always gives the same result.
//! - A point at equal distance goes to the first centre. There are at most 50 rounds.
//! - A page counts as minified, and is wrapped at 65 scalars, if it has fewer non-blank lines than
//!   there are clusters.
//!
//! `paper` is the k-means form. It removes scripts, style sheets, the head, `noscript`, and
//! elements whose content browsers treat as raw text of frames (`iframe`, `noembed`, `noframes`).
//!
//! `tuned` is the threshold form with lambda 1. Its lines end also where blocks end. It removes the
//! set TUNED, `title` and small forms (specification 0.6, `removal.rs`).
//!
//! Cost: O(lines) per round, so O(n). Known failures: on a page with few long lines it keeps menus
//! together with the text on the same line. It loses short lines of content out of reach of the
//! smoothing. Text without tags is always content.

use crate::removal::Removal;
use crate::sweep::lines::{LineBreaks, Lines};
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, ExtractorCard, ExtractorFactory, Profiles, Selection, Verdict, no_content,
};

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "cetr",
        summary: "selects lines of the source with much text and few tags, by k-means over \
            smoothed ratios",
        score: "fraction of the page's text on the kept lines, 0 to 1",
        citation: Citation { paper: None, subject: "CETR" },
        source: "Weninger, Hsu and Han 2010, *CETR: Content Extraction via Tag Ratios*",
        selects: "lines",
        cost: "O(l)",
        tuned: "forms; a threshold instead of k-means; lines also end where blocks end",
        failures: "minified pages; short lines of content",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: Cetr = Cetr {
    removal: Removal::from_tags(no_content::CORE.with(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    breaks: LineBreaks::Source,
    criterion: Criterion::Clusters,
};

const TUNED: Cetr = Cetr {
    removal: Removal::from_tags(no_content::TUNED.with(&[Tag::TITLE])).and_small_forms(),
    breaks: LineBreaks::Blocks,
    criterion: Criterion::Threshold,
};

#[derive(Clone)]
pub(crate) struct Cetr {
    removal: Removal,
    breaks: LineBreaks,
    criterion: Criterion,
}

/// The rule that decides which lines are content.
#[derive(Clone, Copy, Debug)]
enum Criterion {
    /// Lines outside the cluster at the origin.
    Clusters,
    /// Lines whose smoothed ratio exceeds the standard deviation.
    Threshold,
}

/// Number of clusters.
const CLUSTER_COUNT: usize = 3;

/// Largest number of rounds of k-means.
const MAX_ROUNDS: u32 = 50;

/// Number of lines that the derivative looks ahead.
const LINES_AHEAD: usize = 3;

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    page_lines: Lines,
    values: Values,
}

/// Values of the non-blank lines.
#[derive(Debug, Default)]
struct Values {
    /// The indices of these lines.
    lines: Vec<u32>,
    /// Text scalars per tag of each line.
    ratios: Vec<f64>,
    /// The smoothed ratios.
    smoothed: Vec<f64>,
    /// For each smoothed ratio, its distance from the mean of up to three after it.
    derivative: Vec<f64>,
    /// The smoothed derivative.
    smoothed_derivative: Vec<f64>,
    /// Number of each line's cluster; cluster 0 is noise.
    clusters: Vec<u8>,
}

/// Smooths values with a Gaussian kernel of radius 1.
pub fn smooth(values: &[f64], out: &mut Vec<f64>) {
    let side = (-0.5_f64).exp();
    out.clear();
    out.extend(values.iter().enumerate().map(|(index, value)| {
        let value_before = index.checked_sub(1).map(|before| values[before]);
        let value_after = values.get(index + 1);
        let (mut sum, mut weight) = (0.0, 0.0);
        if let Some(value_before) = value_before {
            sum += side * value_before;
            weight += side;
        }
        sum += value;
        weight += 1.0;
        if let Some(value_after) = value_after {
            sum += side * value_after;
            weight += side;
        }
        sum / weight
    }));
}

/// Computes for each value its distance from the mean of the next up to three values; 0 for the
/// last.
pub fn derivative(values: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(values.iter().enumerate().map(|(index, value)| {
        let next_values = &values[index + 1..values.len().min(index + 1 + LINES_AHEAD)];
        if next_values.is_empty() {
            return 0.0;
        }
        (next_values.iter().sum::<f64>() / next_values.len() as f64 - value).abs()
    }));
}

/// Divides points into three clusters, the first with its centre fixed at the origin. Writes the
/// cluster of each point to `clusters`.
fn cluster_points(points: &(impl Iterator<Item = (f64, f64)> + Clone), clusters: &mut Vec<u8>) {
    let mut mean = Mean::default();
    let mut far = (0.0, 0.0);
    let norm = |(x, y): (f64, f64)| x * x + y * y;
    for point in points.clone() {
        mean.add(point);
        if norm(point) > norm(far) {
            far = point;
        }
    }
    let mut centres = [(0.0, 0.0), mean.get().unwrap_or_default(), far];
    clusters.clear();
    // `u8::MAX` is no cluster's number, so the first round changes every point.
    clusters.resize(points.clone().count(), u8::MAX);
    for _ in 0..MAX_ROUNDS {
        let mut means = [Mean::default(), Mean::default()];
        let mut has_changed = false;
        for (point, cluster) in points.clone().zip(clusters.iter_mut()) {
            let distance = |centre: (f64, f64)| norm((point.0 - centre.0, point.1 - centre.1));
            let mut nearest = 0;
            for centre in 1..CLUSTER_COUNT {
                if distance(centres[centre]) < distance(centres[nearest]) {
                    nearest = centre;
                }
            }
            has_changed |= usize::from(*cluster) != nearest;
            *cluster = nearest as u8;
            if nearest > 0 {
                means[nearest - 1].add(point);
            }
        }
        if !has_changed {
            break;
        }
        for (centre, mean) in centres[1..].iter_mut().zip(means) {
            *centre = mean.get().unwrap_or(*centre);
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Mean {
    /// Sum of the points, by coordinate.
    sum: (f64, f64),
    /// Number of points.
    count: u32,
}

impl Mean {
    fn add(&mut self, point: (f64, f64)) {
        self.sum.0 += point.0;
        self.sum.1 += point.1;
        self.count += 1;
    }

    fn get(self) -> Option<(f64, f64)> {
        let count = f64::from(self.count);
        (self.count > 0).then(|| (self.sum.0 / count, self.sum.1 / count))
    }
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt()
}

impl Cetr {
    /// Selects the lines that are content. Returns the number of their visible scalars.
    fn select_lines(&self, lines: &Lines, values: &mut Values, out: &mut Selection) -> u32 {
        values.lines.clear();
        values.ratios.clear();
        for (index, line) in lines.all().iter().enumerate().filter(|(_, line)| !line.is_blank) {
            values.lines.push(index as u32);
            values.ratios.push(f64::from(line.chars + line.gaps) / f64::from(line.tags.max(1)));
        }
        smooth(&values.ratios, &mut values.smoothed);
        let smoothed = &values.smoothed;
        values.clusters.clear();
        match self.criterion {
            Criterion::Clusters => {
                derivative(smoothed, &mut values.derivative);
                smooth(&values.derivative, &mut values.smoothed_derivative);
                let slopes = &values.smoothed_derivative;
                let points = smoothed.iter().copied().zip(slopes.iter().copied());
                cluster_points(&points, &mut values.clusters);
            }
            Criterion::Threshold => {
                let threshold = standard_deviation(smoothed);
                debug_assert!(threshold.is_finite());
                values.clusters.extend(smoothed.iter().map(|value| u8::from(*value > threshold)));
            }
        }
        let mut chars = 0;
        for (line, cluster) in values.lines.iter().zip(&values.clusters) {
            if *cluster > 0 {
                lines.select(*line as usize, out);
                chars += lines.all()[*line as usize].chars;
            }
        }
        chars
    }
}

impl Algorithm for Cetr {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let Scratch { page_lines: lines, values } = scratch;
        lines.fill(page, &self.removal, self.breaks, &[], &mut out.removed);
        if lines.all().iter().filter(|line| !line.is_blank).take(CLUSTER_COUNT).count()
            < CLUSTER_COUNT
        {
            out.removed.clear();
            lines.fill(page, &self.removal, LineBreaks::Wrapped, &[], &mut out.removed);
        }
        let chars = self.select_lines(lines, values, out);
        let score = f64::from(chars) / f64::from(lines.chars().max(1));
        out.finish_ranges(page);
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
