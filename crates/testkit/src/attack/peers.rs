//! How other readers fare on the attacks: measured, not judged.

use super::definition::Attack;
use super::run::{Ended, Limits, measure};
use super::verdict::Rows;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Stdio;

/// The names of the peers, as `benches/peers/python/hostile.py` knows them.
pub const PEERS: [&str; 2] = ["fastwarc-resiliparse", "warcio-trafilatura"];
/// The CPU time that a peer is given for an attack, in seconds.
pub const PEER_SECONDS: u64 = 30;
const PEER_MB: u64 = 8192;

/// What a peer made of an attack.
#[derive(Debug)]
pub struct PeerRun {
    /// How it ended.
    pub ended: Ended,
    /// Whether it ended before its time was up.
    pub is_finished: bool,
    /// How many good pages it did not give.
    pub lost: usize,
    /// How many rows are broken, or lack a part of a good page.
    pub spoilt: usize,
}

impl PeerRun {
    /// Runs a peer on an attack that lies in `inputs`. `python` has the modules that the peer
    /// needs.
    ///
    /// # Errors
    ///
    /// If the peer cannot be started, or what it left cannot be read.
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
        // Its own time counts: the machine may be busy with other things.
        let limits = Limits {
            address_mb: PEER_MB,
            seconds: 20 * PEER_SECONDS,
            cpu_seconds: Some(PEER_SECONDS),
        };
        let ended = measure(python.as_os_str(), &args, limits, Stdio::null())?;
        let mut rows = Rows::default();
        rows.add_file(&out)?;
        // The kernel that keeps the limit counts a little more than it reports.
        let is_finished = !matches!(ended.signal, Some(libc::SIGKILL | libc::SIGXCPU))
            || ended.cpu_seconds < 0.9 * PEER_SECONDS as f64;
        Ok(PeerRun { ended, is_finished, lost: rows.lost(attack), spoilt: rows.spoilt() })
    }

    /// What became of the good pages, in a few words.
    pub fn outcome(&self, attack: &Attack) -> String {
        let wanted = attack.good.len();
        let lost = format!("lost {} of {wanted}", self.lost.max(self.spoilt));
        match (self.ended.signal, wanted) {
            _ if !self.is_finished && self.lost == 0 => "not finished".to_owned(),
            _ if !self.is_finished => format!("not finished, {lost}"),
            (Some(signal), _) => format!("killed by signal {signal}"),
            _ if self.lost + self.spoilt > 0 => lost,
            (None, 0) => "-".to_owned(),
            (None, 1) => "kept".to_owned(),
            (None, _) => "both".to_owned(),
        }
    }

    /// Whether it gave all good pages of an attack that has any.
    pub fn kept_all(&self, attack: &Attack) -> bool {
        !attack.good.is_empty() && self.lost + self.spoilt == 0
    }
}

/// Whether peers can be asked: the attack has good pages, in a container that they know.
pub fn can_be_asked(attack: &Attack) -> bool {
    !attack.good.is_empty() && attack.extension != ".jsonl"
}
