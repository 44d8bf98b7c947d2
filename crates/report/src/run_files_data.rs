//! The data of run files that a report shows.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// `run.account`: the statistics of every input, and their sum.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RunStats {
    pub(crate) inputs: Vec<Input>,
    pub(crate) total: Counters,
    #[serde(default)]
    pub(crate) unusable: Vec<Unusable>,
}

/// The statistics of one input.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Input {
    /// Its name.
    pub(crate) input: String,
    #[serde(flatten)]
    pub(crate) counters: Counters,
}

/// Counts of records by outcome.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Counters {
    /// Bytes of the input that were read.
    #[serde(default)]
    pub(crate) bytes: u64,
    pub(crate) records: u64,
    /// Records that gave a row.
    pub(crate) written: u64,
    /// Records that were skipped, by reason.
    #[serde(default)]
    pub(crate) skipped: BTreeMap<String, u64>,
    /// Records that failed, by reason.
    #[serde(default)]
    pub(crate) failed: BTreeMap<String, u64>,
    /// Records that gave a row although they are damaged, by kind of damage.
    #[serde(default)]
    pub(crate) repaired: BTreeMap<String, u64>,
    /// Rows and characters before and after each stage.
    #[serde(default)]
    pub(crate) waterfall: Waterfall,
}

/// Rows and characters before and after each stage.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Waterfall {
    /// All rows, stage by stage.
    #[serde(default)]
    pub(crate) stages: Vec<Stage>,
    /// The rows of each language, stage by stage.
    #[serde(default)]
    pub(crate) languages: BTreeMap<String, Vec<Stage>>,
}

/// The counts of one stage.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Stage {
    #[serde(rename = "stage")]
    pub(crate) name: String,
    /// Rows before the stage.
    pub(crate) rows: u64,
    /// Rows that the stage dropped.
    pub(crate) dropped: u64,
    /// Unicode scalars of the texts before the stage.
    pub(crate) chars: u64,
    /// Unicode scalars of the kept texts after the stage.
    pub(crate) chars_left: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Unusable {
    pub(crate) input: String,
    pub(crate) error: String,
}

impl Counters {
    pub(crate) fn skipped_total(&self) -> u64 {
        self.skipped.values().sum()
    }

    pub(crate) fn failed_total(&self) -> u64 {
        self.failed.values().sum()
    }

    /// Returns every reason with its count, and whether it is one of `failed`.
    pub(crate) fn reasons(&self) -> Vec<(&str, u64, bool)> {
        let skipped = self.skipped.iter().map(|(reason, count)| (&**reason, *count, false));
        let failed = self.failed.iter().map(|(reason, count)| (&**reason, *count, true));
        let mut reasons: Vec<_> = skipped.chain(failed).collect();
        reasons.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        reasons
    }
}

/// Costs of runs, as far as they were recorded.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// CPU seconds of readers, workers and writers.
    pub cpu: Option<[f64; 3]>,
    /// Peak memory of a process in bytes.
    pub peak_memory: Option<u64>,
    /// The slowest pages, slowest first.
    pub slow_pages: Option<Vec<SlowPage>>,
}

/// A page that took a worker long.
#[derive(Clone, Debug)]
pub struct SlowPage {
    /// Seconds from its bytes to its row.
    pub seconds: f64,
    /// Name of the input.
    pub input: String,
    /// Offset for `huller get` in bytes, if it is known.
    pub offset: Option<u64>,
    /// URL of the page, if it has one.
    pub url: Option<String>,
}

/// Records without a row, a few for each reason.
///
/// ```
/// let mut examples = huller_report::Examples::default();
/// assert!(examples.add(br#"{"url":"http://a.example/","reason":"status","input":"a.warc.gz","offset":7,"detail":""}"#));
/// assert!(!examples.add(b"{}"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Examples(pub(crate) BTreeMap<String, Vec<RejectedRecord>>);

/// A record without a row.
#[derive(Clone, Debug)]
pub(crate) struct RejectedRecord {
    pub(crate) url: Option<String>,
    pub(crate) input: String,
    /// Offset for `huller get` in bytes.
    pub(crate) offset: Option<u64>,
    pub(crate) detail: String,
}

impl Examples {
    /// Most examples of one reason.
    const MAX_PER_REASON: usize = 5;
    /// Most reasons. A file that is not a list of rejects could have any number.
    const MAX_REASONS: usize = 200;

    /// Adds a line of a file of rejects. Returns whether the line is a reject.
    pub fn add(&mut self, line: &[u8]) -> bool {
        let Ok(value) = serde_json::from_slice::<Value>(line) else { return false };
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let (Some(reason), Some(input)) = (text("reason"), text("input")) else { return false };
        if self.0.len() >= Examples::MAX_REASONS && !self.0.contains_key(&reason) {
            return true;
        }
        let examples = self.0.entry(reason).or_default();
        if examples.len() < Examples::MAX_PER_REASON {
            examples.push(RejectedRecord {
                url: text("url"),
                input,
                offset: value["offset"].as_u64(),
                detail: text("detail").unwrap_or_default(),
            });
        }
        true
    }
}

/// The speed of runs over time: for each run, the bytes and the seconds of its finished inputs in
/// order.
#[derive(Clone, Debug, Default)]
pub struct SpeedHistory(pub Vec<Vec<(u64, f64)>>);

impl SpeedHistory {
    /// Returns the length of the longest run in seconds.
    pub(crate) fn longest_run_seconds(&self) -> f64 {
        self.0.iter().map(|run| run.iter().map(|(_, seconds)| seconds).sum()).fold(0.0, f64::max)
    }

    /// Returns bytes per second for `parts` equal parts of this time. All runs count as if they had
    /// begun at once.
    pub(crate) fn rates(&self, parts: usize) -> Vec<f64> {
        let width = self.longest_run_seconds() / parts as f64;
        let mut rates = vec![0.0; parts];
        if width <= 0.0 {
            return rates;
        }
        for run in &self.0 {
            let mut from = 0.0;
            for (bytes, seconds) in run.iter().filter(|(_, seconds)| *seconds > 0.0) {
                let (rate, to) = (*bytes as f64 / seconds, from + seconds);
                let first = (floor_to_u64(from / width) as usize).min(parts - 1);
                let last = (floor_to_u64(to / width) as usize).min(parts - 1);
                for (bin, sum) in rates.iter_mut().enumerate().take(last + 1).skip(first) {
                    let (start, end) = (bin as f64 * width, (bin + 1) as f64 * width);
                    *sum += rate * ((to.min(end) - from.max(start)).max(0.0) / width);
                }
                from = to;
            }
        }
        rates
    }
}

/// Returns the whole part of a number. A negative number becomes 0.
#[expect(clippy::cast_sign_loss, reason = "what is below 0 becomes 0")]
pub(crate) fn floor_to_u64(value: f64) -> u64 {
    value as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_add_up_to_the_bytes_of_all_runs() {
        let course = SpeedHistory(vec![vec![(100, 1.0), (300, 1.0), (5, 0.0)], vec![(80, 0.5)]]);
        let rates = course.rates(4);
        assert_eq!(rates, [100.0 + 160.0, 100.0, 300.0, 300.0]);
        assert!(SpeedHistory::default().rates(3).iter().all(|rate| *rate == 0.0));
    }

    #[test]
    fn a_few_records_of_each_reason_are_kept() {
        let mut examples = Examples::default();
        for number in 0..900 {
            let line = format!(r#"{{"reason":"r{}","input":"a","offset":{number}}}"#, number % 300);
            assert!(examples.add(line.as_bytes()));
        }
        assert_eq!(examples.0.len(), Examples::MAX_REASONS);
        assert!(examples.0.values().all(|of| of.len() == 3));
    }
}
