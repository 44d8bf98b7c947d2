//! Writes the Markdown table of a run over all attacks.

use super::definition::{Attack, Scale};
use super::peers::{PEER_SECONDS, PEERS, PeerRun, can_be_asked};
use super::run::ProcessEnd;
use super::verdict;
use std::fmt::Write;
use std::fs;

/// The outcome of an attack.
#[derive(Debug)]
pub struct AttackOutcome {
    /// The attack.
    pub attack: &'static Attack,
    /// How the program ended.
    pub ended: ProcessEnd,
    /// The faults that the checks found.
    pub faults: Vec<String>,
    /// The outcomes of the peers in their order; empty if the peers were not run.
    pub peers: Vec<PeerRun>,
}

/// Returns the report. `version` is the program's own version line.
pub fn report(outcomes: &[AttackOutcome], scale: Scale, version: &str) -> String {
    let with_peers = outcomes.iter().any(|outcome| !outcome.peers.is_empty());
    let mut text = format!(
        "# Attacks\n\n    scripts/lab/run attacks{}\n\n{}* {version}, one worker, defaults; scale {}\n\
         * each run with `ulimit -v` of its memory limit plus 1 GB; MB is the peak reported by wait4; CPU is user plus system\n\
         * right: exit status, both good pages complete, the attack extracted or counted as expected, rows and rejects equal to the\n  \
         statistics, valid UTF-8 and JSON, memory and CPU seconds within the limits\n",
        if with_peers { " --peers" } else { "" },
        machine(),
        scale.0,
    );
    for attack in outcomes.iter().map(|outcome| outcome.attack) {
        let flags = verdict::flags(attack);
        if !flags.is_empty() {
            line(&mut text, &format!("* {}: with `{}`", attack.name, flags.join(" ")));
        }
    }
    line(&mut text, "");
    summary(&mut text, outcomes);
    if with_peers {
        (0..PEERS.len()).for_each(|peer_index| peer_summary(&mut text, outcomes, peer_index));
    }
    line(&mut text, "");
    table(&mut text, outcomes, with_peers);
    text
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Returns the processor, cores, memory and kernel of this machine.
fn machine() -> String {
    let field = |file: &str, name: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.split_once(':'));
        value.map_or("unknown".to_owned(), |(_, value)| value.trim().to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "* machine: {}, {cores} cores, {} of memory, Linux {}\n",
        field("/proc/cpuinfo", "model name"),
        field("/proc/meminfo", "MemTotal"),
        kernel.trim(),
    )
}

fn summary(text: &mut String, outcomes: &[AttackOutcome]) {
    let right = outcomes.iter().filter(|outcome| outcome.faults.is_empty()).count();
    let share = |outcome: &&AttackOutcome| outcome.ended.rss_mb / outcome.attack.max_rss_mb as f64;
    let largest = outcomes.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
    let slowest =
        outcomes.iter().max_by(|a, b| a.ended.cpu_seconds.total_cmp(&b.ended.cpu_seconds));
    let (Some(largest), Some(slowest)) = (largest, slowest) else { return };
    line(
        text,
        &format!(
            "**{right} of {} right.** Most memory relative to the limit: {}, {:.0} of {} MB; most \
             time: {}, {:.2} s.",
            outcomes.len(),
            largest.attack.name,
            largest.ended.rss_mb,
            largest.attack.max_rss_mb,
            slowest.attack.name,
            slowest.ended.cpu_seconds,
        ),
    );
}

fn peer_summary(text: &mut String, outcomes: &[AttackOutcome], peer_index: usize) {
    let peer_runs: Vec<_> = outcomes
        .iter()
        .filter(|outcome| can_be_asked(outcome.attack))
        .map(|outcome| &outcome.peers[peer_index])
        .collect();
    let lost = peer_runs.iter().filter(|run| run.lost > 0).count();
    let hung = peer_runs.iter().filter(|run| !run.is_finished).count();
    let max_rss_mb = peer_runs.iter().map(|run| run.ended.rss_mb).fold(0.0, f64::max);
    line(
        text,
        &format!(
            "\n{}: lost good pages in {lost} of {} attacks that have good pages and a supported container; {hung} not finished in \
             {PEER_SECONDS} CPU seconds; at most {max_rss_mb:.0} MB.",
            PEERS[peer_index],
            peer_runs.len(),
        ),
    );
}

fn table(text: &mut String, outcomes: &[AttackOutcome], with_peers: bool) {
    let mut head = "| attack | expected | ours | MB | limit | CPU s | limit |".to_owned();
    let mut rule = "| --- | --- | --- | ---: | ---: | ---: | ---: |".to_owned();
    for peer in PEERS.iter().filter(|_| with_peers) {
        let _ = write!(head, " good pages, {peer} | MB | CPU s |");
        rule.push_str(" --- | ---: | ---: |");
    }
    line(text, &head);
    line(text, &rule);
    for AttackOutcome { attack, ended, faults, peers } in outcomes {
        let ours = if faults.is_empty() { "right".to_owned() } else { faults.join("; ") };
        let _ = write!(
            text,
            "| {} | {} | {} | {:.0} | {} | {:.2} | {} |",
            attack.name,
            cell(attack.right),
            cell(&ours),
            ended.rss_mb,
            attack.max_rss_mb,
            ended.cpu_seconds,
            attack.max_seconds,
        );
        for run in peers {
            let (outcome, peer) = (run.outcome(attack), &run.ended);
            if can_be_asked(attack) {
                let _ = write!(text, " {outcome} | {:.0} | {:.2} |", peer.rss_mb, peer.cpu_seconds);
            } else {
                text.push_str(" | | |");
            }
        }
        line(text, "");
    }
}

/// Escapes characters that would end a table cell or begin a tag.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*").replace('\n', " ")
}
