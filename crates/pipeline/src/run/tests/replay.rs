//! Workers that are synthetic: they hand on what others made of the same batches. What is left of a run is its reader and its writer.

use super::{sample, settings};
use crate::account::Account;
use crate::monitor::Silent;
use crate::options::Options;
use crate::parcel::Parcel;
use crate::plan::{Plan, PlanOptions};
use crate::run::{Begin, methods, run_with};
use crate::settings::{OutputTo, Settings};
use huller_extract::METHODS;
use huller_row::JSONL;
use huller_testkit::sample::large_archive;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// What was made of the batch at an offset of a job.
type Made = BTreeMap<(usize, u64), (Vec<u8>, Account)>;

fn run(inputs: &[PathBuf], begin: &Begin<'_>, settings: &Settings, threads: usize, folder: &Path) {
    let plan = Plan::new(inputs, &PlanOptions::default()).unwrap();
    let options = Options { threads, ..Options::default() };
    let to = OutputTo::Folder(folder.to_owned());
    let stop = Arc::new(AtomicBool::new(false));
    run_with((JSONL, begin), &plan, settings, &to, &options, &mut Silent, &stop).unwrap();
}

/// Runs and keeps what the workers make.
fn record(inputs: &[PathBuf], settings: &Settings, folder: &Path) -> Made {
    let made = Arc::new(Mutex::new(Made::new()));
    run(
        inputs,
        &|context| {
            let (mut work, made) = (methods(context), Arc::clone(&made));
            Box::new(move |parcel: &mut Parcel| {
                work(parcel);
                let (key, product) = ((parcel.job, parcel.batch.start), &parcel.product);
                let its = (product.piece.clone(), product.account.clone());
                assert!(made.lock().unwrap().insert(key, its).is_none());
            })
        },
        settings,
        2,
        folder,
    );
    Arc::into_inner(made).unwrap().into_inner().unwrap()
}

/// Runs with workers that take no time but what reading the batch and copying takes.
fn replay(
    inputs: &[PathBuf],
    made: &Arc<Made>,
    settings: &Settings,
    threads: usize,
    folder: &Path,
) {
    run(
        inputs,
        &|_| {
            let made = Arc::clone(made);
            Box::new(move |parcel: &mut Parcel| {
                let (piece, account) = &made[&(parcel.job, parcel.batch.start)];
                parcel.product.piece.clear();
                parcel.product.piece.extend_from_slice(piece);
                parcel.product.account = account.clone();
            })
        },
        settings,
        threads,
        folder,
    );
}

fn outputs(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_type().unwrap().is_file());
    let mut files: Vec<_> = files
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn synthetic_workers_leave_reader_and_writer_with_the_work_of_a_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [sample()];
    let made = Arc::new(record(&inputs, &settings(), &folder.path().join("whole")));
    let whole = outputs(&folder.path().join("whole"));
    assert!(made.len() > 10 && whole.len() == 2, "a file and _SUCCESS");
    for threads in [1, 3, 16] {
        let other = folder.path().join(threads.to_string());
        replay(&inputs, &made, &settings(), threads, &other);
        assert!(outputs(&other) == whole, "-j{threads}");
    }
}

/// Measures: `HULLER_CORPUS=FILE.warc.gz cargo test --release -p huller-pipeline --lib -- --ignored --nocapture reader_and_writer_take`.
/// Without the variable, on records made from the sample, whose output is larger than that of real archives.
#[test]
#[ignore = "takes a minute and tells figures, which depend on the machine"]
fn what_reader_and_writer_take_when_workers_never_are_the_bound() {
    const FILES: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let archive = std::env::var_os("HULLER_CORPUS")
        .map_or_else(|| large_archive(256 << 20), |path| fs::read(path).unwrap());
    let inputs: Vec<PathBuf> =
        (0..FILES).map(|n| folder.path().join(format!("{n}.warc.gz"))).collect();
    for path in &inputs {
        fs::write(path, &archive).unwrap();
    }
    let raw = flate2::read::MultiGzDecoder::new(&archive[..]);
    let gb = FILES as f64 * std::io::copy(&mut { raw }, &mut std::io::sink()).unwrap() as f64 / 1e9;
    let methods = METHODS.iter().filter(|method| method.card().name == "pvalue").copied();
    let settings = Settings::new(methods.collect());
    let made = record(&inputs[..1], &settings, &folder.path().join("whole"));
    let written: usize = FILES * made.values().map(|(piece, _)| piece.len()).sum::<usize>();
    println!("{} batches, {:.1} MB of output a GB", made.len(), written as f64 / 1e6 / gb);
    let of_file = |n| made.iter().map(move |((_, start), its)| ((n, *start), its.clone()));
    let made = Arc::new((0..FILES).flat_map(of_file).collect());
    let mut least = [f64::INFINITY; 3];
    for _ in 0..15 {
        let out = folder.path().join("out");
        replay(&inputs, &made, &settings, 2, &out);
        assert_eq!(outputs(&out).len(), FILES + 1);
        let each = cpu(&out).map(|seconds| 1000.0 * seconds / gb);
        println!("ms a GB: {each:.1?}");
        least = std::array::from_fn(|part| least[part].min(each[part]));
        fs::remove_dir_all(out).unwrap();
    }
    println!("least ms a GB of reader, writer, digests: {least:.1?}");
}

/// CPU seconds of reader, writer and digests.
fn cpu(folder: &Path) -> [f64; 3] {
    let timing = fs::read_to_string(folder.join("_huller/run.timing")).unwrap();
    let mut lines = timing.lines().map(|line| serde_json::from_str(line).unwrap());
    let whole: serde_json::Value =
        lines.find(|line: &serde_json::Value| line.get("reader_cpu").is_some()).unwrap();
    ["reader_cpu", "writer_cpu", "digests_cpu"].map(|part| whole[part].as_f64().unwrap())
}
