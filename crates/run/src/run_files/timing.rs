//! `run.timing`: seconds for each input, and the times and memory of the whole run. Times have a
//! file of their own, because the other run files must have the same bytes in every run.

use crate::clocks::{Clocks, CpuTimes};
use crate::durable::replace;
use crate::error::RunError;
use crate::slowest_pages::{SlowPage, insert};
use huller_row::push_line;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Default, Serialize)]
struct TimingLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    /// Seconds since the previous input was finished, or for the whole run.
    seconds: f64,
    /// Time of the last change of the input before it was read: nanoseconds since 1970, summed over
    /// its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<u64>,
    /// CPU time by role, in the line of the whole run.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    division: Option<CpuTimes>,
    /// Peak memory of the process so far in bytes, in the line of the whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory: Option<u64>,
}

/// One of the slowest pages, as a line.
#[derive(Serialize, Deserialize)]
struct SlowPageLine<P> {
    slow_page: P,
}

/// Costs of a run, as far as its `run.timing` has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// CPU seconds of the reader, of the workers, and of the writer with its digests, summed over
    /// all resumptions. `None` if the run noted no CPU times.
    pub cpu: Option<[f64; 3]>,
    /// Peak memory of a process of the run in bytes. `None` if no process noted it: older versions
    /// do not, and only Linux reports it.
    pub peak_memory: Option<u64>,
    /// The slowest pages, slowest first; `None` if the run noted no pages.
    pub slow_pages: Option<Vec<SlowPage>>,
}

impl Costs {
    /// Adds the costs of another run. A value that only one of them has is kept.
    pub fn add(&mut self, other: Costs) {
        if let Some(cpu) = other.cpu {
            let sums = self.cpu.get_or_insert_default();
            sums.iter_mut().zip(cpu).for_each(|(sum, cpu)| *sum += cpu);
        }
        self.peak_memory = self.peak_memory.max(other.peak_memory);
        for page in other.slow_pages.into_iter().flatten() {
            insert(self.slow_pages.get_or_insert_default(), page);
        }
    }
}

/// Reads the costs of the runs in this folder.
///
/// # Errors
///
/// [`RunError::Output`]: the file exists and cannot be read.
pub fn costs(folder: &Path) -> Result<Costs, RunError> {
    #[derive(Deserialize)]
    struct WholeRunLine {
        reader_cpu: f64,
        workers_cpu: f64,
        writer_cpu: f64,
        /// Files of older versions lack this member.
        #[serde(default)]
        digests_cpu: f64,
        peak_memory: Option<u64>,
    }
    let text = lines_of(folder)?;
    let mut costs = Costs::default();
    for line in text.split(|byte| *byte == b'\n') {
        if let Ok(SlowPageLine { slow_page }) =
            serde_json::from_slice::<SlowPageLine<SlowPage>>(line)
        {
            costs.add(Costs { slow_pages: Some(vec![slow_page]), ..Costs::default() });
        } else if let Ok(whole) = serde_json::from_slice::<WholeRunLine>(line) {
            let WholeRunLine { reader_cpu, workers_cpu, writer_cpu, digests_cpu, peak_memory } =
                whole;
            let cpu = Some([reader_cpu, workers_cpu, writer_cpu + digests_cpu]);
            costs.add(Costs { cpu, peak_memory, slow_pages: None });
        }
    }
    Ok(costs)
}

/// Leaves slow pages out of the file, by their URLs. Writes nothing if there are none.
///
/// # Errors
///
/// [`RunError::Output`]: the file cannot be read or written.
pub(crate) fn leave_out_pages(
    folder: &Path,
    mut is_left_out: impl FnMut(&str) -> bool,
) -> Result<(), RunError> {
    let text = lines_of(folder)?;
    let mut kept = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let page = serde_json::from_slice::<SlowPageLine<SlowPage>>(line).ok();
        let url = page.and_then(|line| line.slow_page.url);
        if !url.is_some_and(|url| is_left_out(&url)) {
            kept.extend_from_slice(line);
        }
    }
    if kept.len() == text.len() { Ok(()) } else { replace(&folder.join(NAME), &kept) }
}

/// Returns the bytes of the file. A missing file gives no bytes.
fn lines_of(folder: &Path) -> Result<Vec<u8>, RunError> {
    let path = folder.join(NAME);
    match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(RunError::output("read", path)),
    }
}

/// The members for [`modified`] of a finished input.
#[derive(Deserialize)]
struct ModifiedLine {
    input: String,
    modified: u64,
}

/// The members for [`took`] of a line.
#[derive(Deserialize)]
struct DurationLine {
    input: Option<String>,
    seconds: f64,
}

/// Returns the seconds for each finished input of the runs in this folder, in order of completion.
/// Runs without times give an empty list.
///
/// # Errors
///
/// [`RunError::Output`]: the file exists and cannot be read.
pub fn input_seconds(folder: &Path) -> Result<Vec<(String, f64)>, RunError> {
    let text = lines_of(folder)?;
    let lines = text.split(|byte| *byte == b'\n');
    let times = lines.filter_map(|line| serde_json::from_slice::<DurationLine>(line).ok());
    Ok(times.filter_map(|line| line.input.map(|input| (input, line.seconds))).collect())
}

/// Name of the file among the run files.
pub const NAME: &str = "run.timing";

/// Returns the time of the last change of each input, as earlier runs in this folder noted it.
/// Lines without it are skipped. If the file cannot be read, the map is empty, and inputs are
/// compared by their digests.
pub fn modified(folder: &Path) -> HashMap<String, u64> {
    let text = fs::read(folder.join(NAME)).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    let finished = lines.filter_map(|line| serde_json::from_slice::<ModifiedLine>(line).ok());
    finished.map(|line| (line.input, line.modified)).collect()
}

/// Adds data on inputs in object storage to the file in this folder: the lines of the file there,
/// and times of change.
///
/// # Errors
///
/// [`RunError::Output`]: the file cannot be written.
pub(crate) fn add(
    folder: &Path,
    stored: &[u8],
    changed: &HashMap<String, u64>,
) -> Result<(), RunError> {
    let path = folder.join(NAME);
    let local = fs::read(&path).unwrap_or_default();
    let mut text = if local.starts_with(stored) { Vec::new() } else { stored.to_vec() };
    let known = modified(folder);
    for (input, at) in changed.iter().collect::<BTreeMap<_, _>>() {
        if known.get(input) != Some(at) {
            push_line(
                &mut text,
                &TimingLine { input: Some(input), modified: Some(*at), ..TimingLine::default() },
            );
        }
    }
    let added = OpenOptions::new().create(true).append(true).open(&path);
    added.and_then(|mut file| file.write_all(&text)).map_err(RunError::output("write", &path))
}

/// The file, open for appending.
pub struct Timing {
    file: File,
    path: PathBuf,
    started: Instant,
    last: Instant,
}

impl Timing {
    /// Opens the file in this folder of run files, and starts the clock of the run.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be opened.
    pub fn open(folder: &Path) -> Result<Timing, RunError> {
        let path = folder.join(NAME);
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(RunError::output("open", &path))?;
        let now = Instant::now();
        Ok(Timing { file, path, started: now, last: now })
    }

    /// Notes a finished input, with the seconds since the previous input.
    ///
    /// `modified` is the last change of the input: nanoseconds since 1970, summed over its files.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn finished(&mut self, input: &str, modified: Option<u64>) -> Result<(), RunError> {
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.line(&TimingLine { input: Some(input), seconds, modified, ..TimingLine::default() })
    }

    /// Notes the slowest pages, and in the last line the costs of the whole run.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn finish(mut self, clocks: &Clocks) -> Result<(), RunError> {
        for slow_page in clocks.slowest.pages() {
            self.line(&SlowPageLine { slow_page })?;
        }
        let seconds = self.started.elapsed().as_secs_f64();
        let division = Some(clocks.division());
        self.line(&TimingLine {
            seconds,
            division,
            peak_memory: peak_memory(),
            ..TimingLine::default()
        })
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), RunError> {
        let mut text = Vec::new();
        push_line(&mut text, line);
        self.file.write_all(&text).map_err(RunError::output("write", &self.path))
    }
}

/// Returns the peak memory of this process so far in bytes. Only Linux reports it.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_those_of_all_parts_of_a_run_and_old_files_tell_none() {
        let folder = tempfile::tempdir().unwrap();
        let of = |text: &str| {
            fs::write(folder.path().join(NAME), text).unwrap();
            costs(folder.path()).unwrap()
        };
        assert_eq!(of(""), Costs::default());
        let old = "{\"input\":\"a\",\"seconds\":1.5,\"modified\":7}\n{\"seconds\":2.0}\n";
        assert_eq!(of(old), Costs::default());
        let with = |cpu: u32, memory: &str, slow: f64| {
            format!(
                "{{\"slow_page\":{{\"seconds\":{slow},\"input\":\"a\",\"offset\":3}}}}\n\
                 {{\"seconds\":2,\"batches\":1,\"reader_cpu\":{cpu},\"workers_cpu\":1,\"writer_cpu\":0.5{memory}}}\n"
            )
        };
        let two = with(1, "", 0.25) + &with(2, ",\"peak_memory\":4096", 0.5);
        let found = of(&two);
        assert_eq!((found.cpu, found.peak_memory), (Some([3.0, 2.0, 1.0]), Some(4096)));
        let slow: Vec<f64> = found.slow_pages.unwrap().iter().map(|page| page.seconds).collect();
        assert_eq!(slow, [0.5, 0.25]);
        // A half-written line is skipped.
        assert_eq!(of(&two[..20]), Costs::default());
    }
}
