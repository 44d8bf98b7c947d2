//! A withdrawal from its beginning to its end.

use crate::error::WithdrawError;
use crate::find::with_identity;
use crate::keys::{EarlierTombstones, NewTombstones};
use crate::request::Request;
use crate::summary::{Summary, TargetSummary};
use crate::target::{RunTarget, Target};
use huller_run::durable::without_sync;
use huller_run::error::RunError;
use huller_run::line_log::LogKind;
use huller_run::monitor::Monitor;
use huller_run::run_files::journal::JournalEntry;
use huller_run::withdrawals::finder::{Finder, RowIdentity};
use huller_run::withdrawals::keys::Withdrawals;
use huller_run::withdrawals::tombstone::{Tombstone, WithdrawalStamp, write};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Removes the rows that a request names from finished corpora and indexes. Tombstones keep these
/// pages out of later runs.
///
/// # Errors
///
/// The request is invalid, or a folder cannot be used, read or written. If this happens after the
/// tombstones were written, a repetition completes the withdrawal.
pub fn withdraw(
    corpora: &[PathBuf],
    request: &Request,
    monitor: &mut (dyn Monitor + Send),
) -> Result<Summary, WithdrawError> {
    let stamp = WithdrawalStamp::now(request.reason.clone());
    let requested = request.tombstones(&stamp)?;
    refuse_repeated(corpora)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build();
    let pool = pool.map_err(|error| RunError::Threads(error.to_string()))?;
    let mut targets: Vec<_> =
        corpora.iter().map(|path| Target::open(path)).collect::<Result<_, _>>()?;
    pool.install(|| find_rows(&mut targets, request, (requested, &stamp), monitor)).and_then(
        |(keys, mut summary)| {
            if !request.is_dry {
                pool.install(|| change(targets, request, &keys, &mut summary, monitor))?;
            }
            summary.notes.extend(without_sync());
            Ok(summary)
        },
    )
}

fn refuse_repeated(corpora: &[PathBuf]) -> Result<(), WithdrawError> {
    let mut places: Vec<_> = corpora.iter().filter_map(|path| path.canonicalize().ok()).collect();
    places.sort();
    match places.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(WithdrawError::Usage(format!("'{}' is given twice", two[0].display()))),
        None => Ok(()),
    }
}

/// Finds the rows, and changes nothing.
fn find_rows(
    targets: &mut [Target],
    request: &Request,
    (asked, stamp): (Vec<Tombstone>, &WithdrawalStamp),
    monitor: &mut (dyn Monitor + Send),
) -> Result<(NewTombstones, Summary), WithdrawError> {
    let mut earlier = EarlierTombstones::default();
    let mut own_keys = Vec::new();
    for target in &*targets {
        let tombstones = target.tombstones()?;
        earlier.add(&tombstones);
        own_keys.extend(tombstones);
    }
    let mut keys = NewTombstones::default();
    keys.add(asked, &earlier);
    if request.near {
        monitor.phase("signing", None);
        let lists = keys.to_withdrawals();
        for target in &*targets {
            keys.add(target.seeds(&lists, stamp)?, &earlier);
        }
    }
    monitor.phase("looking for rows", None);
    let own_keys = Arc::new(Withdrawals::new(&own_keys));
    let lists = [Arc::clone(&own_keys), keys.to_withdrawals()];
    for target in &mut *targets {
        target.find(&lists)?;
    }
    let near: Vec<_> = targets
        .iter()
        .flat_map(Target::near_ids)
        .map(|id| Tombstone::of_near_id(id, stamp))
        .collect();
    let count_before = keys.len();
    keys.add(near, &earlier);
    if keys.len() > count_before {
        let lists = [own_keys, keys.to_withdrawals()];
        for target in targets.iter_mut().filter(|target| target.may_have_parts()) {
            target.find(&lists)?;
        }
    }
    let mut summary = Summary::default();
    for target in &*targets {
        let (_, added) = keys.merged_with(&target.tombstones()?);
        summary.new_tombstones = summary.new_tombstones.max(added as u64);
        summary.targets.push(target.summary());
        summary.notes.extend(target.notes(request));
    }
    Ok((keys, summary))
}

/// Writes the tombstones, and then removes the rows.
fn change(
    targets: Vec<Target>,
    request: &Request,
    keys: &NewTombstones,
    summary: &mut Summary,
    monitor: &mut (dyn Monitor + Send),
) -> Result<(), WithdrawError> {
    let mut lists = vec![keys.to_withdrawals()];
    for target in &targets {
        let existing = target.tombstones()?;
        lists.push(Arc::new(Withdrawals::new(&existing)));
        let (all_tombstones, added) = keys.merged_with(&existing);
        if added > 0 {
            write(&target.withdrawals(), &all_tombstones)?;
        }
    }
    monitor.phase("removing rows", None);
    let mut logs = Logs::new(request);
    for (target, summary) in targets.into_iter().zip(&mut summary.targets) {
        match target {
            Target::Run(target) => {
                summary.side_rows = target.remove()?;
                logs.clean(&target, &lists, summary)?;
                let mut finder = Finder::new(lists.clone());
                target.run.leave_out_slow_pages(|url| {
                    finder.rule(&RowIdentity { url: Some(url), ..RowIdentity::default() }).is_some()
                })?;
                target.run.finish()?;
            }
            Target::Index(target) => target.remove()?,
        }
    }
    summary.notes.extend(logs.notes);
    match logs.unused.into_iter().next() {
        None => Ok(()),
        Some((_, path)) => Err(WithdrawError::Usage(format!(
            "'{}' was not written by a run in one of the folders, and keeps its lines",
            path.display()
        ))),
    }
}

/// The line files of the runs.
struct Logs {
    unused: Vec<(LogKind, PathBuf)>,
    notes: Vec<String>,
}

impl Logs {
    fn new(request: &Request) -> Logs {
        let of = |kind, paths: &[PathBuf]| {
            paths.iter().map(|path| (kind, file_of(kind, path))).collect::<Vec<_>>()
        };
        let mut unused = of(LogKind::Rejects, &request.rejects);
        unused.extend(of(LogKind::Dropped, &request.dropped));
        Logs { unused, notes: Vec::new() }
    }

    /// Leaves lines out of the files that a run wrote. The user names such files, or they lie in
    /// the folder of the run.
    fn clean(
        &mut self,
        target: &RunTarget,
        lists: &[Arc<Withdrawals>],
        summary: &mut TargetSummary,
    ) -> Result<(), WithdrawError> {
        for kind in LogKind::ALL {
            let marks =
                target.run.entries().iter().filter_map(|entry: &JournalEntry| entry.log(kind));
            let Some(bytes) = marks.map(|mark| mark.bytes).max() else { continue };
            if bytes == 0 {
                // The run wrote no line, or all lines have left the file.
                let is_empty = |path: &Path| path.metadata().is_ok_and(|file| file.len() == 0);
                self.unused.retain(|(path_kind, path)| *path_kind != kind || !is_empty(path));
                continue;
            }
            let unused_paths = self
                .unused
                .iter()
                .filter(|(path_kind, _)| *path_kind == kind)
                .map(|(_, path)| path);
            let mut candidates: Vec<_> = unused_paths.cloned().collect();
            candidates.extend(files_of_length(target.run.root(), bytes));
            let mut finder = Finder::new(lists.to_vec());
            let is_ours = candidates.iter().find_map(|path| {
                let is_left_out = |line: &[u8]| {
                    with_identity(line, (target.keys(), true), |row| finder.rule(row).is_some())
                };
                match target.run.leave_out_lines(kind, path, is_left_out) {
                    Err(RunError::NotLog { .. }) => None,
                    result => Some((path.clone(), result)),
                }
            });
            match is_ours {
                Some((path, lines)) => {
                    summary.lines += lines?;
                    self.unused.retain(|(path_kind, unused)| (*path_kind, unused) != (kind, &path));
                }
                None => self.notes.push(format!(
                    "the run in '{}' wrote {}, which are not in its folder: name their file with \
                     {}, so that they lose these pages too",
                    target.run.root().display(),
                    kind.name(),
                    kind.option()
                )),
            }
        }
        Ok(())
    }
}

/// Returns the file of a path that a user names.
fn file_of(kind: LogKind, path: &Path) -> PathBuf {
    let is_folder = kind == LogKind::Dropped && path.is_dir();
    if is_folder { path.join("dropped.jsonl") } else { path.to_owned() }
}

/// Returns the files in a folder that have this length.
fn files_of_length(folder: &Path, bytes: u64) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .filter(|entry| {
            let metadata = entry.metadata();
            metadata.is_ok_and(|file| file.is_file() && file.len() == bytes)
        })
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}
