//! Starts the program, and injects a fault at a chosen change of the disk.
//!
//! `scripts/lab/faults/shim.c` is loaded before the C library and counts calls, so a kill always
//! comes at the same change of the disk.

use crate::sample::repository;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The program, with the shim that makes it fail.
#[derive(Debug)]
pub struct Program {
    huller: PathBuf,
    shim: PathBuf,
    /// The number of starts so far.
    starts: AtomicU32,
}

/// The calls that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountedCalls {
    /// Calls that change the output folder.
    Changes,
    /// Calls that read an input.
    Reads,
}

/// The fault at the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultAction {
    /// SIGKILL instead of the call; for a write, after half of it.
    Kill,
    /// SIGKILL after the call.
    Killed,
    /// SIGINT before the call.
    Interrupt,
    /// The program pauses before the call, while something else happens.
    Stop,
}

impl FaultAction {
    fn name(self) -> &'static str {
        match self {
            FaultAction::Kill => "kill",
            FaultAction::Killed => "killed",
            FaultAction::Interrupt => "interrupt",
            FaultAction::Stop => "stop",
        }
    }
}

/// A fault at a numbered call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InjectedFault {
    pub(super) calls: CountedCalls,
    /// The number of the call, from 1. A run with fewer such calls reaches its end.
    pub(super) nth: u32,
    pub(super) act: FaultAction,
}

/// The end of the program.
#[derive(Debug)]
pub(super) struct ProgramEnd {
    /// The exit status; `None` after a signal.
    pub(super) code: Option<i32>,
    pub(super) was_killed: bool,
    pub(super) has_hung: bool,
    /// Whether the fault paused it.
    pub(super) has_stopped: bool,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
}

/// The pause between two checks whether the program has ended.
const PAUSE: Duration = Duration::from_micros(300);

/// After this many checks without an end, the program counts as hung. Checks are counted, not the
/// clock, which continues while both processes are stopped.
const PATIENCE: u32 = 200_000;

impl Program {
    /// Compiles the shim into `folder`.
    ///
    /// # Errors
    ///
    /// There is no C compiler, or it fails.
    pub fn new(huller: &Path, folder: &Path) -> io::Result<Program> {
        let shim = folder.join("shim.so");
        let source = repository().join("scripts/lab/faults/shim.c");
        let mut cc = Command::new("cc");
        cc.args(["-O1", "-shared", "-fPIC", "-o"])
            .arg(&shim)
            .arg(source)
            .args(["-ldl", "-lpthread"]);
        if !cc.status()?.success() {
            return Err(io::Error::other("cc does not compile scripts/lab/faults/shim.c"));
        }
        Ok(Program { huller: huller.canonicalize()?, shim, starts: AtomicU32::new(0) })
    }

    /// Runs the program in `place` to its end. Calls `meanwhile` while the program is paused.
    pub(super) fn run(
        &self,
        place: &Path,
        args: &[impl AsRef<OsStr>],
        fault: Option<InjectedFault>,
        meanwhile: &mut dyn FnMut() -> io::Result<()>,
    ) -> io::Result<ProgramEnd> {
        // While a run is paused, another one may begin.
        let start = self.starts.fetch_add(1, Ordering::Relaxed);
        let streams = ["stdout", "stderr"].map(|name| place.join(format!("{name}-{start}")));
        let [stdout, stderr] = [File::create(&streams[0])?, File::create(&streams[1])?];
        let mut command = Command::new(&self.huller);
        command.current_dir(place).args(args).stdin(Stdio::null()).stdout(stdout).stderr(stderr);
        command.env_remove("RUST_LOG");
        if let Some(InjectedFault { calls, nth, act }) = fault {
            let (op, root) = match calls {
                CountedCalls::Changes => ("change", "out"),
                CountedCalls::Reads => ("read", "in"),
            };
            command.env("LD_PRELOAD", &self.shim).env("FAULT_ROOT", place.join(root));
            command.env("FAULT", format!("{op}:*:{nth}:{}", act.name()));
        }
        let child = command.spawn()?;
        let mut has_stopped = false;
        let mut looks = 0;
        let (status, has_hung) = loop {
            looks += 1;
            let has_hung = looks > PATIENCE;
            if has_hung {
                signal(child.id(), libc::SIGKILL);
            }
            match state(child.id(), has_hung)? {
                Some(status) if status.stopped_signal().is_some() => {
                    has_stopped = true;
                    let done = meanwhile();
                    signal(child.id(), libc::SIGCONT);
                    done?;
                }
                Some(status) => break (status, has_hung),
                None => pause(),
            }
        };
        let [stdout, stderr] = streams.map(|path| {
            let bytes = std::fs::read(&path);
            std::fs::remove_file(&path).and(bytes)
        });
        Ok(ProgramEnd {
            code: status.code(),
            was_killed: status.signal().is_some(),
            has_hung,
            has_stopped,
            stdout: stdout?,
            stderr: stderr?.escape_ascii().to_string(),
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "waitpid has no time limit")]
fn pause() {
    std::thread::sleep(PAUSE);
}

/// Sends a signal to a child that has not been waited for.
fn signal(child: u32, number: i32) {
    // SAFETY: the process is our child and has not been waited for to its end, so its number has
    // not been reused.
    unsafe { libc::kill(child.cast_signed(), number) };
}

/// Returns how a child ended or that it is paused; `None` while it runs. With `block` it waits for
/// the end.
fn state(child: u32, block: bool) -> io::Result<Option<ExitStatus>> {
    let mut status = 0;
    let flags = if block { 0 } else { libc::WNOHANG | libc::WUNTRACED };
    // SAFETY: the pointer is to a value that lives through the call.
    match unsafe { libc::waitpid(child.cast_signed(), &raw mut status, flags) } {
        0 => Ok(None),
        error if error < 0 => Err(io::Error::last_os_error()),
        _ => Ok(Some(ExitStatus::from_raw(status))),
    }
}
