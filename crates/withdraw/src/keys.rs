//! The keys of a withdrawal: from the request, from rows that were found, from earlier attempts.

use huller_refine::Text;
use huller_refine::signature::{Signature, SignatureSettings, Signer};
use huller_run::withdrawals::finder::{Finder, RowIdentity};
use huller_run::withdrawals::keys::Withdrawals;
use huller_run::withdrawals::tombstone::{KeyDigest, Rule, Tombstone, WithdrawalStamp};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The tombstones of a withdrawal, each once.
#[derive(Default)]
pub(crate) struct NewTombstones {
    new: BTreeMap<(Rule, KeyDigest), Tombstone>,
}

impl NewTombstones {
    /// Adds tombstones. A tombstone from an earlier attempt keeps its time and reason.
    pub(crate) fn add(
        &mut self,
        tombstones: impl IntoIterator<Item = Tombstone>,
        earlier: &EarlierTombstones,
    ) {
        for tombstone in tombstones {
            let identity = tombstone.identity();
            let known = earlier.0.get(&identity).cloned();
            self.new.entry(identity).or_insert_with(|| known.unwrap_or(tombstone));
        }
    }

    /// Returns the number of keys.
    pub(crate) fn len(&self) -> usize {
        self.new.len()
    }

    /// Returns the keys as a list that a [`Finder`] reads.
    pub(crate) fn to_withdrawals(&self) -> Arc<Withdrawals> {
        Arc::new(Withdrawals::new(self.new.values()))
    }

    /// Returns all tombstones for a folder that has `existing`, and the number of new ones.
    pub(crate) fn merged_with(&self, existing: &[Tombstone]) -> (Vec<Tombstone>, usize) {
        let known: HashSet<_> = existing.iter().map(Tombstone::identity).collect();
        let lacking = self.new.values().filter(|tombstone| !known.contains(&tombstone.identity()));
        let mut merged = existing.to_vec();
        merged.extend(lacking.cloned());
        let added = merged.len() - existing.len();
        (merged, added)
    }
}

/// The tombstones that the folders have from earlier withdrawals, or from a killed attempt.
#[derive(Default)]
pub(crate) struct EarlierTombstones(HashMap<(Rule, KeyDigest), Tombstone>);

impl EarlierTombstones {
    pub(crate) fn add(&mut self, tombstones: &[Tombstone]) {
        for tombstone in tombstones {
            self.0.entry(tombstone.identity()).or_insert_with(|| tombstone.clone());
        }
    }
}

/// Signs the texts of the rows that the keys of the request name. So rows of other pages with the
/// same text are found too.
pub(crate) struct SeedSigner {
    finder: Finder,
    signer: Signer,
    text: Text,
    stamp: WithdrawalStamp,
}

impl SeedSigner {
    pub(crate) fn new(keys: &Arc<Withdrawals>, stamp: &WithdrawalStamp) -> SeedSigner {
        let settings = SignatureSettings::default();
        SeedSigner {
            finder: Finder::new(vec![Arc::clone(keys)]),
            signer: Signer::new(settings).expect("the default settings are valid"),
            text: Text::default(),
            stamp: stamp.clone(),
        }
    }

    /// Returns the tombstone of the text of a row, if a key names the row. `None` for a passage.
    pub(crate) fn sign(&mut self, row: &RowIdentity<'_>) -> Option<Tombstone> {
        let content = row.text.filter(|_| row.parent_id.is_none())?;
        self.finder.rule(row)?;
        self.text.begin().push_str(content);
        if content.trim().is_empty() {
            return None;
        }
        let mut signature = Signature::default();
        self.signer.sign(&mut self.text, None, &mut signature);
        Some(Tombstone::of_text(&signature, self.signer.settings(), &self.stamp))
    }
}
