//! CETR, content extraction by tag ratios (Weninger, Hsu and Han 2010).
//!
//! ```text
//! TR = text / max(1, tags)                       of each line that isn't blank
//! S  = TR smoothed by e^(-j^2/2), j = -1..1      weights made to sum to 1 at the ends too
//! G  = | mean of the next up to 3 S - S |        smoothed in the same way
//! ```
//!
//! The points (S, G) are parted into three clusters by k-means; one centre stays at the origin, and the lines of the other
//! two clusters are content. Or, the threshold form (CETR-TM): content is where S exceeds the standard deviation of S.
//!
//! What is open, and what we chose (specification section 6): text is measured in visible scalars and gaps, character
//! references decoded; G is taken of the smoothed values (implementations differ); the second centre begins at the
//! mean, the third at the point of largest norm, where the original draws them at random, so that a page always gives the
//! same; a point at equal distance goes to the first centre; 50 rounds at most. A page counts as minified, and is
//! wrapped at 65 scalars, if it has fewer lines than there are clusters. `paper` is the k-means form and takes out scripts,
//! style sheets, the head, `noscript`, and what browsers read as text of frames.
//!
//! `tuned` is the threshold form with lambda 1, over lines that also end where blocks end, without the set TUNED of the
//! specification (0.6). It falls back to the P value.
//! Beside that set it removes small forms (`removal.rs`).
//!
//! Cost: O(lines) a round, so O(n). Known failures: on a page with few and long lines menus are kept along with the text
//! beside them; short lines of content are lost beyond the smoothing's reach; text without tags is content, whatever it
//! says.

use crate::chosen::settle;
use crate::extractor::{Citation, Extractor, Verdict};
use crate::lines::{Breaks, Lines};
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use huller_page::{Page, Tag};

pub(crate) const CITATION: Citation = Citation { paper: None, subject: "CETR" };

pub(crate) static PAPER: Cetr = Cetr {
    removal: Removal::of(Tags::CORE.and(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    breaks: Breaks::Source,
    choice: Choice::Clusters,
    fall_back: false,
};

pub(crate) static TUNED: Cetr = Cetr {
    removal: Removal::of(Tags::TUNED.and(&[Tag::TITLE])).and_small_forms(),
    breaks: Breaks::Blocks,
    choice: Choice::Threshold,
    fall_back: true,
};

pub(crate) struct Cetr {
    removal: Removal,
    breaks: Breaks,
    choice: Choice,
    /// Select what the P value selects where no line is content.
    fall_back: bool,
}

/// Which lines are content.
#[derive(Clone, Copy, Debug)]
enum Choice {
    /// Those outside the cluster at the origin.
    Clusters,
    /// Those whose smoothed ratio exceeds the standard deviation.
    Threshold,
}

/// How many clusters the lines are parted into.
const CLUSTERS: usize = 3;

/// Most rounds of k-means.
const ROUNDS: u32 = 50;

/// How many lines ahead the derivative looks.
const AHEAD: usize = 3;

/// Values of the lines that aren't blank.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Which lines these are.
    lines: Vec<u32>,
    ratios: Vec<f64>,
    smoothed: Vec<f64>,
    derivative: Vec<f64>,
    smoothed_derivative: Vec<f64>,
    clusters: Vec<u8>,
}

/// Smooths values by a Gauss curve of radius 1.
pub fn smooth(values: &[f64], out: &mut Vec<f64>) {
    let side = (-0.5_f64).exp();
    out.clear();
    out.extend(values.iter().enumerate().map(|(at, value)| {
        let before = at.checked_sub(1).map(|before| values[before]);
        let after = values.get(at + 1);
        let (mut sum, mut weight) = (0.0, 0.0);
        if let Some(before) = before {
            sum += side * before;
            weight += side;
        }
        sum += value;
        weight += 1.0;
        if let Some(after) = after {
            sum += side * after;
            weight += side;
        }
        sum / weight
    }));
}

/// How far the mean of the next up to three values lies from each; 0 for the last.
pub fn derivative(values: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(values.iter().enumerate().map(|(at, value)| {
        let next = &values[at + 1..values.len().min(at + 1 + AHEAD)];
        if next.is_empty() {
            return 0.0;
        }
        (next.iter().sum::<f64>() / next.len() as f64 - value).abs()
    }));
}

/// Parts points into three clusters, of which the first stays around the origin; gives the cluster of each.
fn cluster(points: &(impl Iterator<Item = (f64, f64)> + Clone), clusters: &mut Vec<u8>) {
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
    // No cluster has this number, so the first round changes something.
    clusters.resize(points.clone().count(), u8::MAX);
    for _ in 0..ROUNDS {
        let mut means = [Mean::default(), Mean::default()];
        let mut has_changed = false;
        for (point, cluster) in points.clone().zip(clusters.iter_mut()) {
            let distance = |centre: (f64, f64)| norm((point.0 - centre.0, point.1 - centre.1));
            let mut nearest = 0;
            for centre in 1..CLUSTERS {
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
    sum: (f64, f64),
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
    /// Selects the lines that are content; gives their visible scalars.
    fn select(&self, lines: &Lines, scratch: &mut Scratch, out: &mut Selection) -> u32 {
        scratch.lines.clear();
        scratch.ratios.clear();
        for (index, line) in lines.all().iter().enumerate().filter(|(_, line)| !line.is_blank) {
            scratch.lines.push(index as u32);
            scratch.ratios.push(f64::from(line.chars + line.gaps) / f64::from(line.tags.max(1)));
        }
        smooth(&scratch.ratios, &mut scratch.smoothed);
        let smoothed = &scratch.smoothed;
        scratch.clusters.clear();
        match self.choice {
            Choice::Clusters => {
                derivative(smoothed, &mut scratch.derivative);
                smooth(&scratch.derivative, &mut scratch.smoothed_derivative);
                let slopes = &scratch.smoothed_derivative;
                let points = smoothed.iter().copied().zip(slopes.iter().copied());
                cluster(&points, &mut scratch.clusters);
            }
            Choice::Threshold => {
                let threshold = standard_deviation(smoothed);
                debug_assert!(threshold.is_finite());
                scratch.clusters.extend(smoothed.iter().map(|value| u8::from(*value > threshold)));
            }
        }
        let mut chars = 0;
        for (line, cluster) in scratch.lines.iter().zip(&scratch.clusters) {
            if *cluster > 0 {
                lines.select(*line as usize, out);
                chars += lines.all()[*line as usize].chars;
            }
        }
        chars
    }
}

impl Extractor for Cetr {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let lines = &mut scratch.lines;
        lines.fill(page, &self.removal, self.breaks, &[], &mut out.removed);
        if lines.all().iter().filter(|line| !line.is_blank).take(CLUSTERS).count() < CLUSTERS {
            out.removed.clear();
            lines.fill(page, &self.removal, Breaks::Wrapped, &[], &mut out.removed);
        }
        let chars = self.select(lines, &mut scratch.cetr, out);
        let score = f64::from(chars) / f64::from(lines.chars().max(1));
        settle(page, self.fall_back, scratch, out);
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
