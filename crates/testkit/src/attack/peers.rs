//! Measures how other readers handle the attacks, without judging them.

use super::definition::Attack;
use super::run::{Limits, ProcessEnd, measure};
use super::verdict::Rows;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Stdio;

/// The names of the peers, as `benches/peers/python/hostile.py` knows them.
pub const PEERS: [&str; 2] = ["fastwarc-resiliparse", "warcio-trafilatura"];
/// The CPU time limit of a peer for one attack, in seconds.
pub const PEER_SECONDS: u64 = 30;
const PEER_MB: u64 = 8192;

/// The outcome of a peer on an attack.
#[derive(Debug)]
pub struct PeerRun {
    /// How its process ended.
    pub ended: ProcessEnd,
    /// Whether it ended within its time limit.
    pub is_finished: bool,
    /// The number of good pages that are missing from its output.
    pub lost: usize,
    /// The number of rows that are broken or lack a part of a good page.
    pub spoilt: usize,
}

impl PeerRun {
    /// Runs a peer on an attack in the folder `inputs`. `python` must have the peer's modules.
    ///
    /// # Errors
    ///
    /// If the peer cannot be started, or its output cannot be read.
    pub fn new(
        peer: &str,
        python: &Path,
        script: &Path,
        attack: &Attack,
        inputs: &Path,
        work: &Path,
    ) -> io::Result<PeerRun> {
        let out = work.join("peer.jsonl");
        fs::write(&out, b"")?;
        let args: [OsString; 4] = [
            script.into(),
            peer.into(),
            inputs.join(attack.file_name()).into(),
            out.clone().into(),
        ];
        // The peer's CPU time is limited, since other work on the machine stretches wall time.
        let limits = Limits {
            address_mb: PEER_MB,
            seconds: 20 * PEER_SECONDS,
            cpu_seconds: Some(PEER_SECONDS),
        };
        let ended = measure(python.as_os_str(), &args, limits, Stdio::null())?;
        let mut rows = Rows::default();
        rows.add_file(&out)?;
        // The kernel counts slightly more CPU time for the limit than it reports.
        let is_finished = !matches!(ended.signal, Some(libc::SIGKILL | libc::SIGXCPU))
            || ended.cpu_seconds < 0.9 * PEER_SECONDS as f64;
        Ok(PeerRun {
            ended,
            is_finished,
            lost: rows.count_missing(attack),
            spoilt: rows.count_spoilt(),
        })
    }

    /// Describes in a few words which good pages the peer kept.
    pub fn outcome(&self, attack: &Attack) -> String {
        let expected_markers = attack.good.len();
        let lost = format!("lost {} of {expected_markers}", self.lost.max(self.spoilt));
        match (self.ended.signal, expected_markers) {
            _ if !self.is_finished && self.lost == 0 => "not finished".to_owned(),
            _ if !self.is_finished => format!("not finished, {lost}"),
            (Some(signal), _) => format!("killed by signal {signal}"),
            _ if self.lost + self.spoilt > 0 => lost,
            (None, 0) => "-".to_owned(),
            (None, 1) => "kept".to_owned(),
            (None, _) => "both".to_owned(),
        }
    }

    /// Returns whether the attack has good pages and the peer kept all of them.
    pub fn kept_all(&self, attack: &Attack) -> bool {
        !attack.good.is_empty() && self.lost + self.spoilt == 0
    }
}

/// Returns whether peers can run on the attack: it has good pages, in a container that they read.
pub fn can_be_asked(attack: &Attack) -> bool {
    !attack.good.is_empty() && attack.extension != ".jsonl"
}
