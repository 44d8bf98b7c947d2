//! SIGINT, SIGTERM and SIGUSR1.

use crate::support::{Huller, assert_same, contents, temp};
use huller_testkit::sample::endless_records;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Sends a signal by the `kill` that every shell has built in.
pub(crate) fn signal(child: &Child, name: &str) {
    let command = format!("kill -{name} {} 2>/dev/null", child.id());
    Command::new("sh").args(["-c", &command]).status().unwrap();
}

/// More bytes than all pipes, parcels and batches of one worker hold: a program that has read them
/// has written rows.
const ENOUGH: usize = 40_000_000;

/// Runs over an endless standard input until a signal stops it. Gives the input that the run has
/// read, and perhaps more.
fn interrupted(output: &Path, name: &str, code: i32) -> Vec<u8> {
    let mut child = Huller::extract("-", output).args(["-j1", "--extractor", "body"]).spawn();
    let mut stdin = child.stdin.take().unwrap();
    let (mut fed, mut signalled) = (Vec::new(), false);
    for record in endless_records() {
        fed.extend_from_slice(&record);
        if stdin.write_all(&record).is_err() {
            break;
        }
        if fed.len() > ENOUGH && !signalled {
            signal(&child, name);
            signalled = true;
        }
        assert!(fed.len() < 50 * ENOUGH, "it does not stop");
    }
    drop(stdin);
    let ran = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains("interrupted: use --resume to continue"), "{stderr}");
    fed
}

fn assert_resumable_after(name: &str, code: i32) {
    let folder = temp();
    let [broken, whole] = ["broken", "whole"].map(|name| folder.path().join(name));
    let fed = interrupted(&broken, name, code);
    assert!(std::fs::metadata(broken.join("stdin.jsonl.zst.part")).unwrap().len() > 0);
    assert!(!broken.join("_SUCCESS").exists());
    let args = ["--extractor", "body"];
    Huller::extract("-", &whole).args(args).stdin(fed.clone()).run().exits(0);
    Huller::extract("-", &broken).args(args).arg("--resume").stdin(fed).run().exits(0);
    assert_same(&contents(&whole), &contents(&broken));
}

#[test]
fn an_interrupted_run_ends_with_130_and_can_be_gone_on_with() {
    assert_resumable_after("INT", 130);
}

#[test]
fn a_terminated_run_ends_with_143_and_can_be_gone_on_with() {
    assert_resumable_after("TERM", 143);
}

#[test]
fn a_run_out_of_time_ends_with_138_and_can_be_gone_on_with() {
    assert_resumable_after("USR1", 138);
}

#[test]
fn a_second_signal_ends_the_run_at_once() {
    let folder = temp();
    let mut child = Huller::extract("-", folder.path()).spawn();
    let mut stdin = child.stdin.take().unwrap();
    // More than a pipe holds: the program is reading, so it listens to signals. Then it waits for
    // more.
    for record in endless_records().take(200) {
        stdin.write_all(&record).unwrap();
    }
    signal(&child, "INT");
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        signal(&child, "TERM");
    };
    assert!(matches!(status.code(), Some(130 | 143)), "{status:?}");
    drop(stdin);
}

#[test]
fn one_signal_ends_a_run_whose_standard_input_is_idle() {
    for (name, code, first) in [("INT", 130, 0), ("TERM", 143, 60), ("USR1", 138, 60)] {
        let folder = temp();
        let mut child = Huller::extract("-", folder.path()).args(["-j1", "-q"]).spawn();
        let mut stdin = child.stdin.take().unwrap();
        for record in endless_records().take(first) {
            stdin.write_all(&record).unwrap();
        }
        // The folder is made once signals are listened to. Then the program waits for data that
        // never come.
        let (status, ended) = channel();
        let made = folder.path().join("_huller/run.timing");
        while !made.exists() {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        }
        signal(&child, name);
        let waiting = std::thread::spawn(move || status.send(child.wait().unwrap().code()));
        let code_of = ended.recv_timeout(Duration::from_secs(20));
        drop(stdin);
        waiting.join().unwrap().unwrap();
        assert_eq!(code_of, Ok(Some(code)), "{name}");
    }
}
