//! Whether the shares of a job have done all of its list, each input once.

use super::Verification;
use crate::plan::{Plan, PlanError, PlanOptions, name_of};
use crate::run_files::input_list::Shares;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// A list, and what runs have done of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// How many inputs are listed.
    pub inputs: u64,
    /// Those that no run has finished.
    pub missing: Vec<String>,
    /// Those that were finished more often than they are listed.
    pub repeated: Vec<Repeated>,
    /// How many inputs were finished and are not listed.
    pub unlisted: u64,
    /// Whether the runs took shares of different lists, or in different ways.
    pub other_lists: bool,
}

/// An input that was done more than once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// Its name.
    pub input: String,
    /// The runs that did it.
    pub folders: Vec<String>,
}

impl Coverage {
    /// Compares lists with what runs have finished: by folder, the names of inputs.
    ///
    /// # Errors
    ///
    /// A list cannot be read.
    pub fn of<'a>(
        manifests: &[PathBuf],
        runs: impl IntoIterator<Item = (&'a Path, &'a [String])>,
    ) -> Result<Coverage, PlanError> {
        let listed = listed(manifests)?;
        let mut done: BTreeMap<&str, Vec<&Path>> = BTreeMap::new();
        for (folder, names) in runs {
            for name in names {
                done.entry(name).or_default().push(folder);
            }
        }
        let mut coverage = Coverage { inputs: listed.len() as u64, ..Coverage::default() };
        // An input is called as it is listed, or by what distinguishes it from others, at least the name of its file.
        let mut used: HashMap<&str, usize> = HashMap::new();
        let known: Vec<_> = (listed.iter())
            .map(|name| {
                let shorter = name.match_indices('/').map(|(at, _)| &name[at + 1..]);
                std::iter::once(name.as_str()).chain(shorter).find(|name| done.contains_key(name))
            })
            .collect();
        for (name, known) in listed.iter().zip(known) {
            match known {
                Some(known) if used.get(known).copied().unwrap_or(0) < done[known].len() => {
                    *used.entry(known).or_default() += 1;
                }
                _ => coverage.missing.push(name.clone()),
            }
        }
        for (name, folders) in &done {
            match used.get(name) {
                Some(used) if *used < folders.len() => coverage.repeated.push(Repeated {
                    input: (*name).to_owned(),
                    folders: folders.iter().map(|folder| name_of(folder)).collect(),
                }),
                Some(_) => {}
                None => coverage.unlisted += folders.len() as u64,
            }
        }
        Ok(coverage)
    }

    /// Compares lists with what is in the folders of runs.
    ///
    /// # Errors
    ///
    /// A list cannot be read.
    pub fn of_verified(
        manifests: &[PathBuf],
        runs: &[(PathBuf, Verification)],
    ) -> Result<Coverage, PlanError> {
        let done = runs.iter().map(|(folder, run)| (folder.as_path(), &*run.done));
        let lists: BTreeSet<_> = runs.iter().map(|(_, run)| &run.list).collect();
        let coverage = Coverage::of(manifests, done)?;
        Ok(Coverage { other_lists: lists.len() > 1, ..coverage })
    }

    /// Whether every input was done once, by shares of one list.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.repeated.is_empty() && !self.other_lists
    }
}

/// The names of all inputs of lists, whether they can be used here or not.
fn listed(manifests: &[PathBuf]) -> Result<Vec<String>, PlanError> {
    let manifests = manifests.to_vec();
    let options = PlanOptions { manifests, shard: Some((0, 1)), ..PlanOptions::default() };
    match Plan::new(&[], &options)?.shares {
        Some(Shares::Position(list)) => Ok(list.0),
        _ => Ok(Vec::new()),
    }
}
