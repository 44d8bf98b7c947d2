//! The pages to withdraw.

use crate::error::WithdrawError;
use huller_archive::Stores;
use huller_run::plan::each_listed;
use huller_run::withdrawals::tombstone::{Tombstone, WithdrawalStamp};
use std::path::PathBuf;

/// The keys of the pages to withdraw, and how to go about it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// URLs of pages.
    pub urls: Vec<String>,
    /// Hosts. Each also names all hosts below it.
    pub hosts: Vec<String>,
    /// Identifiers of rows.
    pub ids: Vec<String>,
    /// Files with a URL or an identifier per line. A line with `://` is a URL.
    pub lists: Vec<PathBuf>,
    /// Withdraw near duplicates of these pages too.
    pub near: bool,
    /// The reason, which the tombstones keep.
    pub reason: Option<String>,
    /// Only count the rows.
    pub is_dry: bool,
    /// Lists of rejects that the runs wrote. They have URLs.
    pub rejects: Vec<PathBuf>,
    /// Files of dropped rows that the runs wrote.
    pub dropped: Vec<PathBuf>,
    /// Number of threads. 0 is one per processor.
    pub threads: usize,
}

impl Request {
    /// Returns the tombstones of the keys.
    pub(crate) fn tombstones(
        &self,
        stamp: &WithdrawalStamp,
    ) -> Result<Vec<Tombstone>, WithdrawError> {
        let mut tombstones = Vec::new();
        tombstones.extend(self.urls.iter().map(|url| Tombstone::of_url(url, stamp)));
        for host in &self.hosts {
            let tombstone = Tombstone::of_host(host, stamp).ok_or_else(|| {
                WithdrawError::Usage(format!("'{host}' is no host: give one such as example.org"))
            })?;
            tombstones.push(tombstone);
        }
        tombstones.extend(self.ids.iter().map(|id| Tombstone::of_id(id, stamp)));
        for path in &self.lists {
            let listed = each_listed(path, &Stores::default(), |entry| {
                let is_url = entry.contains("://");
                let new_tombstone = if is_url { Tombstone::of_url } else { Tombstone::of_id };
                tombstones.push(new_tombstone(entry, stamp));
                Ok(())
            });
            listed.map_err(|problem| {
                WithdrawError::Usage(format!("cannot use the list '{}': {problem}", path.display()))
            })?;
        }
        if tombstones.is_empty() {
            let problem = "nothing to withdraw: give --url, --host, --id or --list";
            return Err(WithdrawError::Usage(problem.to_owned()));
        }
        Ok(tombstones)
    }
}
