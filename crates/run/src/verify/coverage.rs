//! Checks that the shards of a job have read all of its list, each input once.

use super::Verification;
use crate::plan::{Plan, PlanError, PlanOptions, name_of};
use crate::run_files::input_list::ShardRule;
use huller_archive::Stores;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// A comparison of lists with finished inputs of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Number of listed inputs.
    pub inputs: u64,
    /// Listed inputs that the runs have not finished.
    pub missing: Vec<String>,
    /// Inputs that were finished more often than they are listed.
    pub repeated: Vec<RepeatedInput>,
    /// Number of finished inputs that are not listed.
    pub unlisted: u64,
    /// Whether the runs read shards of different input lists, or divided them in different ways.
    pub other_lists: bool,
}

/// An input that was read more than once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepeatedInput {
    /// Name of the input.
    pub input: String,
    /// Output folders of the runs that read it.
    pub folders: Vec<String>,
}

/// The finished inputs of one run.
#[derive(Clone, Copy, Debug)]
pub struct FinishedInputs<'a> {
    /// The output folder.
    pub folder: &'a Path,
    /// Names of the inputs.
    pub names: &'a [String],
    /// Whether the names are those of a list, because the run read a shard.
    pub as_listed: bool,
}

impl Coverage {
    /// Compares lists with the finished inputs of runs.
    ///
    /// # Errors
    ///
    /// A list cannot be read.
    pub fn compute<'a>(
        manifests: &[PathBuf],
        stores: &Stores,
        runs: impl IntoIterator<Item = FinishedInputs<'a>>,
    ) -> Result<Coverage, PlanError> {
        let listed = listed_names(manifests, stores)?;
        let mut done: BTreeMap<&str, Vec<&Path>> = BTreeMap::new();
        let mut shortened: HashSet<&str> = HashSet::new();
        for FinishedInputs { folder, names, as_listed } in runs {
            for name in names {
                done.entry(name).or_default().push(folder);
                if !as_listed {
                    shortened.insert(name);
                }
            }
        }
        let mut coverage = Coverage { inputs: listed.len() as u64, ..Coverage::default() };
        // A run over a shard names an input as listed. Another run may use a shorter name, at least
        // the file name.
        let mut used: HashMap<&str, usize> = HashMap::new();
        let known: Vec<_> = (listed.iter())
            .map(|name| {
                let mut shorter = name.match_indices('/').map(|(at, _)| &name[at + 1..]);
                let whole = done.contains_key(name.as_str()).then_some(name.as_str());
                whole.or_else(|| shorter.find(|name| shortened.contains(name)))
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
                Some(used) if *used < folders.len() => coverage.repeated.push(RepeatedInput {
                    input: (*name).to_owned(),
                    folders: folders.iter().map(|folder| name_of(folder)).collect(),
                }),
                Some(_) => {}
                None => coverage.unlisted += folders.len() as u64,
            }
        }
        Ok(coverage)
    }

    /// Compares lists with verified run folders.
    ///
    /// # Errors
    ///
    /// A list cannot be read.
    pub fn from_verifications(
        manifests: &[PathBuf],
        stores: &Stores,
        runs: &[(PathBuf, Verification)],
    ) -> Result<Coverage, PlanError> {
        let done = runs.iter().map(|(folder, run)| FinishedInputs {
            folder,
            names: &run.done,
            as_listed: run.list.is_some(),
        });
        let lists: BTreeSet<_> = runs.iter().map(|(_, run)| &run.list).collect();
        let coverage = Coverage::compute(manifests, stores, done)?;
        Ok(Coverage { other_lists: lists.len() > 1, ..coverage })
    }

    /// Whether every input was read once, by shards of one list.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.repeated.is_empty() && !self.other_lists
    }
}

/// Returns the names of all listed inputs, usable or not.
fn listed_names(manifests: &[PathBuf], stores: &Stores) -> Result<Vec<String>, PlanError> {
    let (manifests, stores) = (manifests.to_vec(), stores.clone());
    let options = PlanOptions { manifests, stores, shard: Some((0, 1)), ..PlanOptions::default() };
    match Plan::new(&[], &options)?.shard_rule {
        Some(ShardRule::Position(list)) => Ok(list.0),
        _ => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_that_did_another_folder_of_the_same_name_did_not_do_the_listed_one() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list.paths");
        std::fs::write(&list, "a/deep/y/1.html\na/deep/y/2.html\n").unwrap();
        let missing = |name: &str, as_listed: bool| {
            let names = [name.to_owned()];
            let finished = FinishedInputs { folder: Path::new("s0"), names: &names, as_listed };
            Coverage::compute(std::slice::from_ref(&list), &Stores::default(), [finished])
                .unwrap()
                .missing
        };
        assert_eq!(missing("y", true), ["a/deep/y"]);
        assert!(missing("a/deep/y", true).is_empty());
        // A run over all inputs may use this name.
        assert!(missing("y", false).is_empty());
    }
}
