//! Writes the attacks, or runs `huller` on them and checks what it does.
//!
//! ```text
//! attacks list  [OPTIONS]                 name, limits and right behaviour of each
//! attacks write DIR [OPTIONS]             a file for each, and manifest.json
//! attacks html  DIR [OPTIONS]             the pages alone, of those that are pages of HTML
//! attacks run   HULLER [OPTIONS]          runs that program on each
//!
//! --scale 1.0       the size of the attacks as a share of their full size
//! --only A,B        these attacks alone
//! --group GROUP     html, http, warc or file alone
//! --peers PYTHON    run: measure two other readers as well, with a Python that has their modules
//! --report DIR      run: write the table to DIR/README.md
//! ```
//!
//! Exits with 1 if an attack went wrong, with 2 if it could not be tried.

use huller_testkit::attack::peers::{PEERS, PeerRun};
use huller_testkit::attack::report::{AttackOutcome, report};
use huller_testkit::attack::{Attack, Scale, all, run};
use huller_testkit::sample::repository;
use std::error::Error;
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[derive(Debug)]
struct Options {
    scale: Scale,
    attacks: Vec<&'static Attack>,
    peers: Option<PathBuf>,
    report: Option<PathBuf>,
}

fn main() -> ExitCode {
    match try_main() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the command. Returns whether all attacks went right.
fn try_main() -> Result<bool, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let mut target = || arguments.next().map(PathBuf::from).ok_or("a folder or program is missing");
    match command.as_str() {
        "list" => list(&options(arguments)?),
        "write" => write(&target()?, &options(arguments)?),
        "html" => html(&target()?, &options(arguments)?),
        "run" => {
            let huller = target()?;
            run_all(&huller, &options(arguments)?)
        }
        _ => Err("expected `list`, `write DIR`, `html DIR` or `run HULLER`".into()),
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let mut options =
        Options { scale: Scale::FULL, attacks: all().collect(), peers: None, report: None };
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--scale" => options.scale = Scale(value.parse()?),
            "--only" => {
                let names: Vec<_> = value.split(',').collect();
                options.attacks.retain(|attack| names.contains(&attack.name));
            }
            "--group" => options.attacks.retain(|attack| attack.name.starts_with(&value)),
            "--peers" => options.peers = Some(value.into()),
            "--report" => options.report = Some(value.into()),
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    if options.attacks.is_empty() {
        return Err("unknown attack".into());
    }
    Ok(options)
}

fn list(options: &Options) -> Result<bool, Box<dyn Error>> {
    let mut out = stdout().lock();
    for attack in &options.attacks {
        let Attack { name, max_rss_mb, max_seconds, must, right, .. } = attack;
        let must = format!("{must:?}");
        writeln!(out, "{name:30} < {max_rss_mb:3} MB < {max_seconds:2} s {must:8} {right}")?;
    }
    writeln!(out, "{} attacks", options.attacks.len())?;
    Ok(true)
}

fn write(folder: &Path, options: &Options) -> Result<bool, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for attack in &options.attacks {
        attack.write(folder, options.scale)?;
    }
    let manifest = fs::File::create(folder.join("manifest.json"))?;
    serde_json::to_writer_pretty(manifest, &options.attacks)?;
    Ok(true)
}

fn html(folder: &Path, options: &Options) -> Result<bool, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for attack in &options.attacks {
        if let Some(page) = attack.html(options.scale) {
            fs::write(folder.join(format!("{}.html", attack.name)), page)?;
        }
    }
    Ok(true)
}

fn run_all(huller: &Path, options: &Options) -> Result<bool, Box<dyn Error>> {
    let version = Command::new(huller).arg("--version").output()?.stdout;
    let work = std::env::temp_dir().join(format!("attacks-{}", std::process::id()));
    let outcomes = run_in(&work, huller, options);
    fs::remove_dir_all(&work)?;
    let outcomes = outcomes?;
    for (peer_index, peer) in PEERS.iter().enumerate().filter(|_| options.peers.is_some()) {
        // Every exception of a peer counts against it, so a wrong call of a peer would look like a
        // bad peer.
        if !outcomes.iter().any(|outcome| outcome.peers[peer_index].kept_all(outcome.attack)) {
            return Err(
                format!("{peer} returned no complete good page: it does not work here").into()
            );
        }
    }
    let wrong = outcomes.iter().filter(|outcome| !outcome.faults.is_empty()).count();
    writeln!(stdout(), "{} of {} right", outcomes.len() - wrong, outcomes.len())?;
    if let Some(folder) = &options.report {
        fs::create_dir_all(folder)?;
        let version = String::from_utf8(version)?;
        fs::write(folder.join("README.md"), report(&outcomes, options.scale, version.trim()))?;
    }
    Ok(wrong == 0)
}

fn run_in(
    work: &Path,
    huller: &Path,
    options: &Options,
) -> Result<Vec<AttackOutcome>, Box<dyn Error>> {
    let inputs = work.join("inputs");
    let script = repository().join("benches/peers/python/hostile.py");
    let mut outcomes = Vec::new();
    for &attack in &options.attacks {
        fs::create_dir_all(&inputs)?;
        // Write the attack in another process. Otherwise the peak memory of this process would
        // count as memory of the next program.
        let status = Command::new(std::env::current_exe()?)
            .arg("write")
            .arg(&inputs)
            .args(["--only", attack.name, "--scale", &options.scale.0.to_string()])
            .status()?;
        if !status.success() {
            return Err(format!("{} could not be written", attack.name).into());
        }
        let (ended, faults) = run::attack(huller, attack, options.scale, &inputs, work)?;
        let peers: Result<Vec<_>, _> = options
            .peers
            .iter()
            .flat_map(|python| PEERS.iter().map(move |peer| (python, peer)))
            .map(|(python, peer)| PeerRun::new(peer, python, &script, attack, &inputs, work))
            .collect();
        let peers = peers?;
        fs::remove_dir_all(&inputs)?;
        let verdict = if faults.is_empty() { "right".to_owned() } else { faults.join("; ") };
        let mut out = stdout().lock();
        let (mb, seconds) = (ended.rss_mb, ended.cpu_seconds);
        write!(out, "{:30} {mb:4.0} MB {seconds:6.2} s  {verdict}", attack.name)?;
        for (peer, run) in PEERS.iter().zip(&peers) {
            let (outcome, mb, seconds) =
                (run.outcome(attack), run.ended.rss_mb, run.ended.cpu_seconds);
            write!(out, "  {peer}: {outcome}, {mb:.0} MB, {seconds:.1} s")?;
        }
        writeln!(out)?;
        outcomes.push(AttackOutcome { attack, ended, faults, peers });
    }
    Ok(outcomes)
}
