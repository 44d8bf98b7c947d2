//! Measures the cost of each stage by itself, in one thread of this process.
//!
//! The files are read batch by batch, as in a run, and every record passes through the code of a
//! worker ([`huller_pipeline::ProbedPages`]), with a stopwatch as its probe. After each step the
//! stopwatch reads the clock of the thread. The cost of a reading is measured first and subtracted
//! from each step. A stage is measured on the rows that reach it.

mod measured_pages;
mod stopwatch;

use crate::corpus::Corpus;
use crate::error::BenchError;
use crate::statistics::Spread;
use huller_archive::{Batch, Input, Limits, Packing, UnpackResult, Unpacker};
use huller_pipeline::Settings;
use libdeflater::Decompressor;
use measured_pages::{MeasuredBatch, MeasuredPages};
use serde::Serialize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use stopwatch::Stopwatch;

/// The approximate bytes before compression in one round. Of a larger corpus, one batch in several
/// is taken.
const SAMPLE_BYTES: u64 = 256_000_000;

/// The costs of all stages.
#[derive(Clone, Debug, Serialize)]
pub struct Stages {
    /// The bytes of the processed records, before compression.
    pub raw_bytes: u64,
    /// The number of their pages, without pages that a stage dropped by their URLs.
    pub pages: u64,
    /// The number of records at which a step panicked. Their time until then counts.
    pub panicked: u64,
    /// The number of rounds.
    pub rounds: usize,
    /// The extractor whose steps are in the sum.
    #[serde(rename = "first_method")]
    pub first_extractor: Option<String>,
    /// The format whose steps are in the sum.
    pub format: String,
    /// The stages in the order in which a page passes them.
    pub costs: Vec<StageCost>,
}

/// The cost of one stage.
#[derive(Clone, Debug, Serialize)]
pub struct StageCost {
    /// The name of the stage.
    pub name: String,
    /// CPU seconds of one round.
    pub seconds: Spread,
    /// Whether a run with the first extractor and format has this stage. Other stages are listed
    /// for comparison.
    pub is_in_sum: bool,
}

impl Stages {
    /// Returns the CPU seconds of a run with the first extractor and format, without the writer.
    pub fn sum_s(&self) -> f64 {
        self.costs.iter().filter(|cost| cost.is_in_sum).map(|cost| cost.seconds.median).sum()
    }
}

/// The stages before pages: indexes in the stopwatch.
const READING: usize = 0;
const INFLATING_ALONE: usize = 1;
const UNPACKING: usize = 2;
/// The first index of a page's steps.
const PAGE: usize = 3;

/// Measures every stage. `extractors` has the settings of each extractor, `formats` those of each
/// format. The first of both make the sum. Both must have at least one element.
///
/// # Errors
///
/// A file can no longer be read, no record is a page, or `stop` is set.
pub fn measure(
    corpus: &Corpus,
    extractors: &[Settings],
    formats: &[Settings],
    rounds: usize,
    stop: &AtomicBool,
) -> Result<Stages, BenchError> {
    let mut steps = MeasuredPages::new(extractors, formats, PAGE);
    let names = [("reading and cutting", true), ("inflating alone, the limit", false)]
        .into_iter()
        .chain([("inflating, cutting records", true)])
        .map(|(name, is_in_sum)| (name.to_owned(), is_in_sum))
        .chain(steps.names().iter().cloned());
    let names: Vec<(String, bool)> = names.collect();
    let stride = corpus.raw_bytes.div_ceil(SAMPLE_BYTES).max(1);
    let mut seconds: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    let (mut sample, mut pages, mut panicked) = (Sample::default(), 0, 0);
    // The first round fills caches and buffers and does not count.
    for round in 0..=rounds {
        let watch = Stopwatch::new(names.len());
        sample = sample_once(corpus, &extractors[0].limits, stride, &mut steps, &watch)?;
        (pages, panicked) = steps.take_counts();
        if stop.load(Ordering::Relaxed) {
            return Err(BenchError::Interrupted);
        }
        if pages == 0 {
            return Err(BenchError::NoPages);
        }
        let mut sums = watch.seconds();
        // Every batch is read, but only some are processed.
        sums[READING] *= sample.packed_bytes as f64 / (corpus.packed_bytes as f64).max(1.0);
        if round > 0 {
            seconds.iter_mut().zip(sums).for_each(|(samples, sum)| samples.push(sum));
        }
    }
    let has_limit = sample.inflated_members > 0;
    let costs = names.into_iter().zip(seconds).enumerate();
    Ok(Stages {
        raw_bytes: sample.raw_bytes,
        pages,
        panicked,
        rounds,
        first_extractor: extractors[0]
            .extractors
            .first()
            .map(|extractor| extractor.name().to_owned()),
        format: formats[0].format.name().to_owned(),
        costs: costs
            .filter(|(number, _)| has_limit || *number != INFLATING_ALONE)
            .map(|(_, ((name, is_in_sum), seconds))| StageCost {
                name,
                seconds: Spread::from_figures(seconds),
                is_in_sum,
            })
            .collect(),
    })
}

/// The bytes and members that one round processed.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    /// Bytes of records, before compression.
    raw_bytes: u64,
    /// Bytes of the file.
    packed_bytes: u64,
    inflated_members: u64,
}

fn sample_once(
    corpus: &Corpus,
    limits: &Limits,
    stride: u64,
    steps: &mut MeasuredPages,
    watch: &Stopwatch,
) -> Result<Sample, BenchError> {
    let (mut unpacker, mut batch) = (Unpacker::new(limits), Batch::default());
    let (mut libdeflate, mut plain) = (Decompressor::new(), Vec::new());
    let mut sample = Sample::default();
    let mut number = 0;
    for path in &corpus.paths {
        let mut input = Input::open(path, limits)?;
        loop {
            watch.restart();
            let more = input.next_batch(&mut batch)?;
            watch.lap(READING);
            if !more {
                break;
            }
            number += 1;
            if (number - 1) % stride > 0 {
                batch.clear();
                continue;
            }
            sample.packed_bytes += batch.bytes.len() as u64;
            let MeasuredBatch { outcome, raw_bytes, members } =
                steps.work(&mut unpacker, &mut batch, watch, UNPACKING);
            sample.raw_bytes += raw_bytes;
            if let UnpackResult::StoppedAt(offset) = outcome {
                input.restart_at(offset)?;
            } else if matches!(batch.packing, Packing::Gzip) {
                watch.restart();
                for member in members {
                    let member_bytes = member_in_batch(&member, &batch);
                    let is_sound = member_bytes
                        .is_some_and(|bytes| inflate_member(&mut libdeflate, bytes, &mut plain));
                    sample.inflated_members += u64::from(is_sound);
                }
                watch.lap(INFLATING_ALONE);
            }
            batch.clear();
        }
    }
    Ok(sample)
}

/// Returns the bytes of a member, if it is in this batch.
fn member_in_batch<'b>(member: &Range<u64>, batch: &'b Batch) -> Option<&'b [u8]> {
    let start = usize::try_from(member.start.checked_sub(batch.start)?).ok()?;
    let end = usize::try_from(member.end.checked_sub(batch.start)?).ok()?;
    batch.bytes.get(start..end)
}

/// Inflates one gzip member by libdeflate, into memory that is reused. Every reader of the file has
/// at least this cost.
fn inflate_member(libdeflate: &mut Decompressor, member: &[u8], plain: &mut Vec<u8>) -> bool {
    // ISIZE, the last four bytes (RFC 1952, section 2.3.1). A wrong value makes us reserve at
    // most `MAX_RESERVED_BYTES`.
    const MAX_RESERVED_BYTES: usize = 1 << 28;
    let Some((_, length)) = member.split_last_chunk::<4>() else { return false };
    let length = u32::from_le_bytes(*length) as usize;
    if length > MAX_RESERVED_BYTES {
        return false;
    }
    if plain.len() < length {
        plain.resize(length, 0);
    }
    libdeflate.gzip_decompress(member, &mut plain[..length]).is_ok()
}
