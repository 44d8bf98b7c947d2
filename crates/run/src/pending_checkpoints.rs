//! Holds checkpoints until the digests of their files are known, then appends them.

use crate::digest::RequestedDigest;
use crate::error::RunError;
use crate::run_files::checkpoint::{Checkpoint, CheckpointLog};
use std::collections::VecDeque;

/// Number of checkpoints that may wait for their digests. The number is fixed, so that a run
/// changes the disk in the same order each time. It is small, since a killed run loses the batches
/// of these checkpoints.
pub const BEHIND: usize = 2;

/// Checkpoints of the current input whose digests are pending, oldest first. The digests are those
/// of the output and of the signatures.
#[derive(Default)]
pub struct PendingCheckpoints(VecDeque<(Checkpoint, RequestedDigest, Option<RequestedDigest>)>);

impl PendingCheckpoints {
    /// Adds the newest checkpoint.
    pub fn push(
        &mut self,
        checkpoint: Checkpoint,
        digest: RequestedDigest,
        signatures: Option<RequestedDigest>,
    ) {
        self.0.push_back((checkpoint, digest, signatures));
    }

    /// Appends checkpoints, oldest first, until `kept` are left. Continues as long as the digests
    /// of the oldest are known.
    ///
    /// # Errors
    ///
    /// * [`RunError::Worker`]: the thread of a digest has died, which is a bug.
    /// * [`RunError::Output`]: `log` cannot be written.
    pub fn append_but(&mut self, kept: usize, log: &mut CheckpointLog) -> Result<(), RunError> {
        let is_known =
            |(_, digest, signatures): &(Checkpoint, RequestedDigest, Option<RequestedDigest>)| {
                digest.is_known() && signatures.as_ref().is_none_or(RequestedDigest::is_known)
            };
        while (self.0.len() > kept || self.0.front().is_some_and(is_known))
            && let Some((mut checkpoint, digest, signatures_digest)) = self.0.pop_front()
        {
            checkpoint.digest = digest.hex()?;
            if let (Some(mark), Some(digest)) = (&mut checkpoint.signatures, signatures_digest) {
                mark.digest = digest.hex()?;
            }
            log.append(&checkpoint)?;
        }
        Ok(())
    }

    /// Drops all checkpoints of a finished input.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
