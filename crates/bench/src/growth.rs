//! Measures how the cost of a run grows with records and bytes.

use crate::corpus::Corpus;
use crate::corpus_maker::Packer;
use crate::error::BenchError;
use crate::fit::LeastSquaresFit;
use crate::generated_pages::GeneratedPages;
use crate::process::Usage;
use crate::series::{MeasuredProcess, Run};
use crate::statistics::{Spread, median};
use crate::{AlternatingRuns, Progress};
use serde::Serialize;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The sizes of pages in bytes.
const PAGE_SIZES: [usize; 8] =
    [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24];

/// The page size in bytes in the measurements of file sizes and of file counts. Pages up to this
/// size are measured even if the plan allows very few MB.
const USUAL_PAGE_BYTES: usize = 1 << 16;

/// The least number of pages of one size in the largest input.
const MIN_PAGES: u64 = 8;

/// Quarters of the largest number of bytes, for each page size.
const QUARTERS: [u64; 3] = [1, 2, 4];

/// The most bytes of distinct pages of one size; larger inputs repeat them.
const DISTINCT_BYTES: u64 = 16_000_000;

/// The bytes of each of many files.
const FILE_BYTES: u64 = 1_000_000;

/// Divisors of the records of all files, for the inputs of one file.
const TOTAL_PARTS: [u64; 3] = [100, 10, 1];

/// A fit of CPU time to records and bytes.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// The extractor.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// CPU seconds of a run over one small page.
    pub start_s: f64,
    /// CPU seconds beyond the start: `a` per record and `b` per byte.
    #[serde(rename = "plane")]
    pub fit: LeastSquaresFit,
    /// The inputs of the fit.
    pub points: Vec<GrowthPoint>,
    /// Points of files of several sizes, and then of many files with the records of the largest.
    /// Empty unless the caller asks for them.
    pub totals: Vec<GrowthPoint>,
    /// The number of cores that other programs kept busy in the median run, where the system
    /// reports it.
    pub others_cores: Option<f64>,
}

/// An input, and the cost of a run over it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GrowthPoint {
    /// The number of its files.
    pub files: u64,
    /// The bytes of each page.
    pub page_bytes: u64,
    /// The number of records, each with a page.
    pub records: u64,
    /// The bytes of the records before compression.
    pub raw_bytes: u64,
    /// The CPU seconds of a run with one worker.
    pub cpu_s: Spread,
    /// The seconds of that run from start to end.
    pub wall_s: Spread,
}

impl GrowthPoint {
    fn new(files: u64, page_bytes: u64, records: u64, raw_bytes: u64) -> GrowthPoint {
        let (cpu_s, wall_s) = (Spread::default(), Spread::default());
        GrowthPoint { files, page_bytes, records, raw_bytes, cpu_s, wall_s }
    }
}

/// The plan of a fit.
#[derive(Debug)]
pub struct Plan<'a> {
    /// This program.
    pub program: &'a Path,
    /// The options of `huller extract` that the user passes on.
    pub options: &'a [OsString],
    /// The extractor.
    pub extractor: &'a str,
    /// The output format.
    pub format: &'a str,
    /// The number of runs of each input.
    pub runs: usize,
    /// The most MB (millions of bytes) of pages of each size.
    pub megabytes: u64,
    /// The MB of the largest file, which is also the number of files of 1 MB, if they are measured.
    pub total_megabytes: Option<u64>,
    /// The folder for inputs and outputs.
    pub folder: &'a Path,
}

impl Growth {
    /// Makes the inputs, runs over each of them with one worker, in alternation, and fits the
    /// plane.
    ///
    /// # Errors
    ///
    /// A run fails or does not write every page, the folder is full, or `stop` is set.
    pub fn measure(
        plan: &Plan<'_>,
        stop: &AtomicBool,
        progress: Progress<'_>,
    ) -> Result<Growth, BenchError> {
        let mut runs = Runs::default();
        let max_bytes = plan.megabytes * 1_000_000;
        let has_room =
            |page: &usize| *page <= USUAL_PAGE_BYTES || *page as u64 * MIN_PAGES <= max_bytes;
        let mut inputs = Vec::new();
        for page_bytes in PAGE_SIZES.into_iter().filter(has_room) {
            inputs.extend(make_inputs(plan, page_bytes)?);
        }
        let points = runs.measure(plan, inputs, stop, progress)?;
        let totals = match plan.total_megabytes {
            Some(megabytes) => runs.measure(plan, make_totals(plan, megabytes)?, stop, progress)?,
            None => Vec::new(),
        };
        let start_s = median(runs.start_s);
        let causes: Vec<_> = (points.iter())
            .map(|point| {
                (point.records as f64, point.raw_bytes as f64, point.cpu_s.median - start_s)
            })
            .collect();
        let fit = LeastSquaresFit::fit(&causes).ok_or(BenchError::Degenerate)?;
        let (extractor, format) = (plan.extractor.to_owned(), plan.format.to_owned());
        let others_cores = (!runs.others_cores.is_empty()).then(|| median(runs.others_cores));
        Ok(Growth { extractor, format, start_s, fit, points, totals, others_cores })
    }
}

/// State that all runs share.
#[derive(Default)]
struct Runs {
    /// CPU seconds of each run over one small page.
    start_s: Vec<f64>,
    /// Cores that other programs kept busy during each other run.
    others_cores: Vec<f64>,
}

impl Runs {
    /// Runs over all inputs, in alternation, and then removes them.
    fn measure(
        &mut self,
        plan: &Plan<'_>,
        inputs: Vec<(PathBuf, GrowthPoint)>,
        stop: &AtomicBool,
        progress: Progress<'_>,
    ) -> Result<Vec<GrowthPoint>, BenchError> {
        let mut usages: Vec<Vec<Usage>> = vec![Vec::new(); inputs.len()];
        for round in 0..plan.runs {
            let mut turn: Vec<usize> = (0..inputs.len()).collect();
            if round % 2 == 1 {
                turn.reverse();
            }
            for index in turn {
                let (path, point) = &inputs[index];
                let [empty, full] = measure_pair(plan, path, point, round, stop, progress)?;
                self.start_s.push(empty.usage.cpu_s());
                self.others_cores.extend(full.others_cores);
                usages[index].push(full.usage);
            }
        }
        let mut points = Vec::new();
        for ((path, point), usages) in inputs.into_iter().zip(usages) {
            let removed =
                if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(BenchError::io(path))?;
            let cpu_s = Spread::from_figures(usages.iter().map(Usage::cpu_s));
            let wall_s = Spread::from_figures(usages.iter().map(|usage| usage.wall_s));
            points.push(GrowthPoint { cpu_s, wall_s, ..point });
        }
        Ok(points)
    }
}

/// Makes a run over one small page, and a run over an input.
fn measure_pair(
    plan: &Plan<'_>,
    path: &Path,
    point: &GrowthPoint,
    round: usize,
    stop: &AtomicBool,
    progress: Progress<'_>,
) -> Result<[Run; 2], BenchError> {
    let corpus = Corpus {
        paths: vec![path.to_owned()],
        inputs: point.files,
        packed_bytes: 0,
        raw_bytes: point.raw_bytes,
        records: point.records,
        pages: point.records,
        damaged: 0,
        digest: String::new(),
    };
    let (extractor, format) = (plan.extractor.to_owned(), plan.format.to_owned());
    let alternation = AlternatingRuns {
        program: plan.program,
        options: plan.options,
        corpus: &corpus,
        subjects: vec![
            MeasuredProcess::Start,
            MeasuredProcess::Extract { workers: 1, extractor, format },
        ],
        runs: 1,
        folder: plan.folder,
    };
    let series = alternation.run(stop, &mut |_, subject, run| progress(round, subject, run))?;
    let runs: Vec<Run> = series.into_iter().flat_map(|series| series.runs).collect();
    let [empty, full] = *runs else { return Err(BenchError::Degenerate) };
    if (full.records, full.rows) != (Some(point.records), Some(point.records)) {
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

/// Makes inputs with pages of one size.
fn make_inputs(
    plan: &Plan<'_>,
    page_bytes: usize,
) -> Result<Vec<(PathBuf, GrowthPoint)>, BenchError> {
    let page = page_bytes as u64;
    let wanted_pages = (plan.megabytes * 1_000_000 / page).max(MIN_PAGES);
    let members = make_members(page_bytes, (DISTINCT_BYTES / page).clamp(4, wanted_pages));
    let mut inputs = Vec::new();
    for quarters in QUARTERS {
        let records = (wanted_pages * quarters / 4).max(1);
        let path = plan.folder.join(format!("pages-{page_bytes}-{quarters}.warc.gz"));
        let raw_bytes = write(&path, members.iter().cycle().take(records as usize))?;
        inputs.push((path, GrowthPoint::new(1, page, records, raw_bytes)));
    }
    Ok(inputs)
}

/// Makes files of several sizes, and a folder of 1 MB files with the records of the largest.
fn make_totals(plan: &Plan<'_>, megabytes: u64) -> Result<Vec<(PathBuf, GrowthPoint)>, BenchError> {
    let (page, files) = (USUAL_PAGE_BYTES as u64, megabytes.max(1));
    let a_file = FILE_BYTES / page;
    let kinds = (DISTINCT_BYTES / FILE_BYTES).min(files);
    let members = make_members(USUAL_PAGE_BYTES, a_file * kinds);
    let mut inputs = Vec::new();
    for part in TOTAL_PARTS {
        let records = (files / part).max(1) * a_file;
        let path = plan.folder.join(format!("total-{part}.warc.gz"));
        let raw_bytes = write(&path, members.iter().cycle().take(records as usize))?;
        inputs.push((path, GrowthPoint::new(1, page, records, raw_bytes)));
    }
    let folder = plan.folder.join("files");
    fs::create_dir(&folder).map_err(BenchError::io(&folder))?;
    let path_of = |number: u64| folder.join(format!("{number:07}.warc.gz"));
    let mut raw_bytes = 0;
    let mut raw_of_kinds = Vec::new();
    for (number, own_members) in (0..).zip(members.chunks(a_file as usize)) {
        raw_of_kinds.push(write(&path_of(number), own_members)?);
    }
    for (number, raw) in (0..files).zip(raw_of_kinds.iter().cycle()) {
        raw_bytes += raw;
        if number >= kinds {
            let path = path_of(number);
            // A hard link to the same bytes takes no space.
            fs::hard_link(path_of(number % kinds), &path).map_err(BenchError::io(path))?;
        }
    }
    inputs.push((folder, GrowthPoint::new(files, page, a_file * files, raw_bytes)));
    Ok(inputs)
}

/// A record as a gzip member, and its bytes before compression.
type Member = (Vec<u8>, u64);

/// Returns `count` distinct records with pages of one size.
fn make_members(page_bytes: usize, count: u64) -> Vec<Member> {
    let (mut pages, mut packer) = (GeneratedPages::new(page_bytes as u64), Packer::new());
    let member = |number| {
        let mut member = Vec::new();
        let raw = pages.member(page_bytes, number, &mut packer, &mut member);
        (member, raw)
    };
    (0..count).map(member).collect()
}

/// Writes a file of these members. Returns its bytes before compression.
fn write<'m>(
    path: &Path,
    members: impl IntoIterator<Item = &'m Member>,
) -> Result<u64, BenchError> {
    let failed = || BenchError::io(path);
    let mut file = BufWriter::new(File::create(path).map_err(failed())?);
    let mut raw_bytes = 0;
    for (member, raw) in members {
        file.write_all(member).map_err(failed())?;
        raw_bytes += raw;
    }
    file.flush().map_err(failed())?;
    Ok(raw_bytes)
}
