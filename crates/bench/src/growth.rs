//! How the cost of a run grows with records and bytes.

use crate::corpus::Corpus;
use crate::corpus_maker::Packer;
use crate::error::BenchError;
use crate::fit::Plane;
use crate::generated_pages::GeneratedPages;
use crate::series::{Run, Subject};
use crate::statistics::{Spread, median};
use crate::{Contest, Progress};
use serde::Serialize;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Bytes of a page.
const PAGE_SIZES: [usize; 6] = [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];

/// Shares of the most bytes for each size of page.
const QUARTERS: [u64; 3] = [1, 2, 4];

/// Bytes of different pages of one size, at most; larger inputs repeat them.
const DISTINCT_BYTES: u64 = 16_000_000;

/// A fit of CPU time to records and bytes.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// The method.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// CPU seconds of a run over one small page.
    pub start_s: f64,
    /// CPU seconds beyond that: `a` for each record and `b` for each byte.
    pub plane: Plane,
    /// The inputs.
    pub points: Vec<Point>,
}

/// An input, and what a run over it takes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Point {
    /// Bytes of each page.
    pub page_bytes: u64,
    /// Records, each with a page.
    pub records: u64,
    /// Bytes of the records before compression.
    pub raw_bytes: u64,
    /// CPU seconds of a run with one worker.
    pub cpu_s: Spread,
}

/// What a fit is made with.
#[derive(Debug)]
pub struct Plan<'a> {
    /// This program.
    pub program: &'a Path,
    /// Options of `huller extract` that the user passes on.
    pub options: &'a [OsString],
    /// The method.
    pub extractor: &'a str,
    /// The output format.
    pub format: &'a str,
    /// Runs of each input.
    pub runs: usize,
    /// MB (millions of bytes) of pages of each size, at most.
    pub megabytes: u64,
    /// For inputs and outputs.
    pub folder: &'a Path,
}

impl Growth {
    /// Makes the inputs, runs over each of them with one worker, in alternation, and fits.
    ///
    /// # Errors
    ///
    /// A run fails or does not write every page; the folder has no room; or `stop` is set.
    pub fn measure(
        plan: &Plan<'_>,
        stop: &AtomicBool,
        progress: Progress<'_>,
    ) -> Result<Growth, BenchError> {
        let mut inputs = Vec::new();
        for page_bytes in PAGE_SIZES {
            inputs.extend(make(plan, page_bytes)?);
        }
        let mut start = Vec::new();
        let mut cpu: Vec<Vec<f64>> = vec![Vec::new(); inputs.len()];
        for round in 0..plan.runs {
            let mut turn: Vec<usize> = (0..inputs.len()).collect();
            if round % 2 == 1 {
                turn.reverse();
            }
            for index in turn {
                let (path, point) = &inputs[index];
                let runs = once(plan, path, point, round, stop, progress)?;
                let [empty, full] = runs;
                start.push(empty.usage.cpu_s());
                cpu[index].push(full.usage.cpu_s());
            }
        }
        let start_s = median(start);
        let points: Vec<Point> = (inputs.into_iter().zip(cpu))
            .map(|((_, point), cpu)| Point { cpu_s: Spread::of(cpu), ..point })
            .collect();
        let causes: Vec<_> = (points.iter())
            .map(|point| {
                (point.records as f64, point.raw_bytes as f64, point.cpu_s.median - start_s)
            })
            .collect();
        let plane = Plane::fit(&causes).ok_or(BenchError::Degenerate)?;
        let (extractor, format) = (plan.extractor.to_owned(), plan.format.to_owned());
        Ok(Growth { extractor, format, start_s, plane, points })
    }
}

/// A run over one small page, and one over an input.
fn once(
    plan: &Plan<'_>,
    path: &Path,
    point: &Point,
    round: usize,
    stop: &AtomicBool,
    progress: Progress<'_>,
) -> Result<[Run; 2], BenchError> {
    let corpus = Corpus {
        paths: vec![path.to_owned()],
        inputs: 1,
        packed_bytes: 0,
        raw_bytes: point.raw_bytes,
        records: point.records,
        damaged: 0,
        digest: String::new(),
    };
    let (extractor, format) = (plan.extractor.to_owned(), plan.format.to_owned());
    let contest = Contest {
        program: plan.program,
        options: plan.options,
        corpus: &corpus,
        subjects: vec![Subject::Start, Subject::Extract { workers: 1, extractor, format }],
        runs: 1,
        folder: plan.folder,
    };
    let series = contest.hold(stop, &mut |_, subject, run| progress(round, subject, run))?;
    let runs: Vec<Run> = series.into_iter().flat_map(|series| series.runs).collect();
    let [empty, full] = *runs else { return Err(BenchError::Degenerate) };
    if full.records != Some(point.records) {
        return Err(BenchError::Unequal {
            subject: "a run over pages made for the fit".to_owned(),
            records: full.records.unwrap_or_default(),
            rows: full.rows.unwrap_or_default(),
            other_records: point.records,
            other_rows: point.records,
        });
    }
    Ok([empty, full])
}

/// Inputs with pages of one size.
fn make(plan: &Plan<'_>, page_bytes: usize) -> Result<Vec<(PathBuf, Point)>, BenchError> {
    let most = plan.megabytes * 1_000_000;
    let page = page_bytes as u64;
    let wanted = (most / page).max(8);
    let distinct = (DISTINCT_BYTES / page).clamp(4, wanted);
    let (mut pages, mut packer) = (GeneratedPages::new(page), Packer::new());
    let members: Vec<(Vec<u8>, u64)> = (0..distinct)
        .map(|number| {
            let mut member = Vec::new();
            let raw = pages.member(page_bytes, number, &mut packer, &mut member);
            (member, raw)
        })
        .collect();
    let mut inputs = Vec::new();
    for quarters in QUARTERS {
        let records = (wanted * quarters / 4).max(1);
        let path = plan.folder.join(format!("pages-{page_bytes}-{quarters}.warc.gz"));
        let failed = || BenchError::io(path.clone());
        let mut file = BufWriter::new(File::create(&path).map_err(failed())?);
        let mut raw_bytes = 0;
        for (member, raw) in members.iter().cycle().take(records as usize) {
            file.write_all(member).map_err(failed())?;
            raw_bytes += raw;
        }
        file.flush().map_err(failed())?;
        let point = Point { page_bytes: page, records, raw_bytes, cpu_s: Spread::default() };
        inputs.push((path, point));
    }
    Ok(inputs)
}
