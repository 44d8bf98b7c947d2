//! Runs programs on attacks under limits, and measures them.

use super::definition::{Attack, AttackTarget, Scale};
use super::verdict::{self, RunArtifacts};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The pause between two checks whether a process has ended.
const PAUSE: Duration = Duration::from_millis(2);

/// Most memory that the links of a page take beside its row, in MB: the rows of its links, and the
/// blocks that they begin in.
const LINKS_MB: u64 = 200;

/// The limits of a process.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Address space, in MB.
    pub address_mb: u64,
    /// Seconds until the process is killed. The limit counts pauses, not the clock, which continues
    /// while both processes are stopped.
    pub seconds: u64,
    /// Seconds of CPU time until the process is killed.
    pub cpu_seconds: Option<u64>,
}

/// The exit and the resources of a process that has ended.
#[derive(Clone, Copy, Debug)]
pub struct ProcessEnd {
    /// The exit status; `None` after a signal.
    pub status: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The peak resident memory, in MB.
    pub rss_mb: f64,
    /// CPU time of user and system, in seconds.
    pub cpu_seconds: f64,
}

/// Runs a program to its end. Its standard error goes to `stderr`, and its output is discarded.
///
/// # Errors
///
/// If the program cannot be started.
pub fn measure(
    program: &OsStr,
    args: &[OsString],
    limits: Limits,
    stderr: Stdio,
) -> io::Result<ProcessEnd> {
    // The kernel starts the peak of a child at the peak of its parent, until the child needs more.
    // This resets our own peak to the current memory. Otherwise a small program may seem larger
    // than it is.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let cpu_seconds = limits.cpu_seconds.map_or("unlimited".to_owned(), |limit| limit.to_string());
    // The shell sets the limits and becomes the program.
    let script = format!(
        "ulimit -v {}; ulimit -t {cpu_seconds}; ulimit -c 0; exec \"$@\"",
        limits.address_mb * 1024
    );
    let child = Command::new("/bin/sh")
        .args(["-c", &script, "sh"])
        .arg(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()?;
    let mut waits = limits.seconds * 1000 / PAUSE.as_millis() as u64;
    loop {
        let block = waits == 0;
        if block {
            // SAFETY: the process is our child and has not been waited for, so its number has not
            // been reused.
            unsafe { libc::kill(child.id().cast_signed(), libc::SIGKILL) };
        }
        if let Some(ended) = wait(child.id(), block)? {
            return Ok(ended);
        }
        pause();
        waits -= 1;
    }
}

#[expect(clippy::disallowed_methods, reason = "wait4 has no time limit")]
fn pause() {
    std::thread::sleep(PAUSE);
}

/// Returns how a child ended, or `None` while it runs. With `block` it waits for the end.
fn wait(child: u32, block: bool) -> io::Result<Option<ProcessEnd>> {
    let mut status = 0;
    // SAFETY: all-zero bytes are a valid value of this structure of numbers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let flags = if block { 0 } else { libc::WNOHANG };
    // SAFETY: both pointers are to values that live through the call.
    let ended = unsafe { libc::wait4(child.cast_signed(), &raw mut status, flags, &raw mut usage) };
    if ended < 0 {
        return Err(io::Error::last_os_error());
    }
    if ended == 0 {
        return Ok(None);
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok(Some(ProcessEnd {
        status: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        rss_mb: usage.ru_maxrss as f64 / 1024.0,
        cpu_seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
    }))
}

/// Runs `huller extract -j1` on an attack in the folder `inputs`, and returns the faults found. The
/// run writes its files to the folder `work`. Of pages of HTML it also writes the links and the
/// rights.
///
/// # Errors
///
/// If the program cannot be started, or its outputs cannot be read.
pub fn attack(
    huller: &Path,
    attack: &Attack,
    scale: Scale,
    inputs: &Path,
    work: &Path,
) -> io::Result<(ProcessEnd, Vec<String>)> {
    let (out, rejects, log) = (work.join("out"), work.join("rejects.jsonl"), work.join("stderr"));
    let links = work.join("links");
    for folder in [&out, &links].into_iter().filter(|folder| folder.exists()) {
        fs::remove_dir_all(folder)?;
    }
    fs::write(&rejects, b"")?;
    let input = inputs.join(attack.file_name());
    let mut args: Vec<OsString> = ["extract".into(), input.into(), "-o".into()].into();
    args.push(out.clone().into());
    args.extend(["-j1", "-q", "--compress", "none", "--rejects"].map(OsString::from));
    args.push(rejects.clone().into());
    args.extend(verdict::flags(attack).iter().map(OsString::from));
    let mut most_mb = attack.max_rss_mb;
    if attack.group == AttackTarget::Html {
        args.extend(["--rights".into(), "--links".into(), links.into()]);
        most_mb += LINKS_MB;
    }
    let limits = Limits {
        address_mb: most_mb + 1024,
        seconds: (6 * attack.max_seconds).max(60),
        cpu_seconds: None,
    };
    let ended = measure(huller.as_os_str(), &args, limits, File::create(&log)?.into())?;
    let stderr = fs::read(&log)?;
    let stderr = stderr.escape_ascii().to_string();
    let artifacts =
        RunArtifacts { out: &out, rejects: &rejects, status: ended.status, stderr: &stderr };
    let mut faults = verdict::faults(attack, scale, &artifacts)
        .unwrap_or_else(|error| vec![format!("exit status {:?}: {error}: {stderr}", ended.status)]);
    if ended.signal == Some(libc::SIGKILL) {
        faults.insert(0, format!("not done after {} s", limits.seconds));
    }
    if ended.rss_mb > most_mb as f64 {
        faults.push(format!("{:.0} MB, {most_mb} allowed", ended.rss_mb));
    }
    if ended.cpu_seconds > attack.max_seconds as f64 {
        faults.push(format!("{:.1} CPU s, {} allowed", ended.cpu_seconds, attack.max_seconds));
    }
    Ok((ended, faults))
}
