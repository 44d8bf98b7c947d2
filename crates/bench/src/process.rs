//! Runs a program from start to end, and returns the resources that the kernel counted for it.
//!
//! The kernel counts the memory of a process from before it became another program. It reports at
//! least the peak of the process that started it. This is a few MB if that process measured nothing
//! itself before.

use crate::error::BenchError;
use serde::Serialize;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

/// Time and memory of a process with all its threads, and of the children that it waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Usage {
    /// Seconds from start to end.
    pub wall_s: f64,
    /// CPU seconds in user mode.
    pub user_s: f64,
    /// CPU seconds in the kernel for the program.
    pub system_s: f64,
    /// The peak of memory in RAM, in bytes. With children, the largest peak of any process.
    pub peak_bytes: u64,
}

impl Usage {
    /// Returns the CPU seconds, in the program and in the kernel.
    pub fn cpu_s(&self) -> f64 {
        self.user_s + self.system_s
    }
}

/// The most bytes of a program's messages that are read.
const MAX_MESSAGE_BYTES: u64 = 4096;

/// Runs a command to its end. Its input is empty, and its output goes to `stdout`.
///
/// # Errors
///
/// The program cannot be started, or ends with a status other than 0. In that case the error has
/// the last line of its messages.
pub fn measure(command: &mut Command, stdout: Stdio) -> Result<Usage, BenchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |source| BenchError::Start { program: program.clone(), source };
    let mut messages = tempfile::tempfile().map_err(failed)?;
    let stderr = messages.try_clone().map_err(failed)?;
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    let started = Instant::now();
    let child = command.spawn().map_err(failed)?;
    let (status, mut usage) = wait_for_child(child.id()).map_err(failed)?;
    usage.wall_s = started.elapsed().as_secs_f64();
    if status.success() {
        return Ok(usage);
    }
    Err(BenchError::Failed {
        command: display_command(command),
        status: status.to_string(),
        message: last_line(&mut messages).unwrap_or_else(|| "no message".to_owned()),
    })
}

/// Most words of a command that an error shows. A crawl may have thousands of inputs.
const MAX_WORDS: usize = 12;

/// Returns the command line as a user would type it, without the middle of a long one.
fn display_command(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    match &*words {
        // Show the user's line without the shell that runs it.
        [shell, flag, line] if shell == SHELL && flag == "-c" => line.clone().into_owned(),
        words if words.len() > MAX_WORDS => {
            let (start, end) = (&words[..MAX_WORDS / 2], &words[words.len() - MAX_WORDS / 2..]);
            format!("{} … {}", start.join(" "), end.join(" "))
        }
        words => words.join(" "),
    }
}

/// The program that runs a command given as one line.
pub(crate) const SHELL: &str = "/bin/sh";

/// Returns the last error that the program wrote, or else its last line.
fn last_line(messages: &mut File) -> Option<String> {
    let length = messages.seek(SeekFrom::End(0)).ok()?;
    messages.seek(SeekFrom::Start(length.saturating_sub(MAX_MESSAGE_BYTES))).ok()?;
    let mut bytes = Vec::new();
    messages.take(MAX_MESSAGE_BYTES).read_to_end(&mut bytes).ok()?;
    let lines = || bytes.split(|byte| *byte == b'\n');
    let error = lines().rfind(|line| line.starts_with(b"error:"));
    let line = error.or_else(|| lines().rfind(|line| !line.trim_ascii().is_empty()))?;
    Some(line.utf8_chunks().map(|chunk| chunk.valid()).collect())
}

/// Waits for the end of a child for which no other code waits.
#[expect(
    unsafe_code,
    reason = "the usage of one child is told by `wait4` alone, which no safe crate among ours has"
)]
fn wait_for_child(child: u32) -> std::io::Result<(ExitStatus, Usage)> {
    let child = child.cast_signed();
    let mut status = 0;
    loop {
        // SAFETY: `rusage` is a struct of integers, for which zeros are a valid value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers refer to variables of this function that have the types that
        // `wait4` writes.
        let waited = unsafe { libc::wait4(child, &raw mut status, 0, &raw mut usage) };
        if waited == child {
            let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
            let usage = Usage {
                wall_s: 0.0,
                user_s: seconds(usage.ru_utime),
                system_s: seconds(usage.ru_stime),
                peak_bytes: u64::try_from(usage.ru_maxrss).unwrap_or_default() * PEAK_UNIT_BYTES,
            };
            return Ok((ExitStatus::from_raw(status), usage));
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// The number of bytes in one unit of `ru_maxrss`.
const PEAK_UNIT_BYTES: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(line: &str) -> Result<Usage, BenchError> {
        measure(Command::new(SHELL).args(["-c", line]), Stdio::null())
    }

    #[test]
    fn a_program_has_used_time_and_memory_and_so_have_its_children() {
        let usage = shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; true").unwrap();
        assert!(usage.cpu_s() > 0.0 && usage.wall_s > 0.0, "{usage:?}");
        assert!(usage.peak_bytes > 100_000, "{usage:?}");
        let child = "sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'; true";
        assert!(shell(child).unwrap().cpu_s() > 0.0);
    }

    #[test]
    fn a_failure_is_told_with_the_last_line_that_the_program_wrote() {
        let error = shell("echo error: cause >&2; echo 1 input >&2; exit 1").unwrap_err();
        assert!(error.to_string().ends_with("error: cause"), "{error}");
        let error = shell("echo first >&2; echo 'no such page' >&2; echo >&2; exit 3").unwrap_err();
        let BenchError::Failed { command, status, message } = error else { panic!("{error}") };
        assert!(command.starts_with("echo first"), "{command}");
        assert_eq!((message.as_str(), status.as_str()), ("no such page", "exit status: 3"));
        let killed = shell("kill -9 $$").unwrap_err().to_string();
        assert!(killed.contains("signal: 9") && killed.contains("no message"), "{killed}");
        let error = measure(&mut Command::new("/nowhere/at-all"), Stdio::null()).unwrap_err();
        assert!(matches!(error, BenchError::Start { .. }), "{error}");
    }
}
