//! Folders of finished runs and indexes with a few damaged files, and the expected outcome.

use crate::dirty::outcome::run_limited;
use crate::random::Random;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The kinds of mutated folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderKind {
    /// The folder of a finished `huller extract`.
    Run,
    /// The folder of a finished `huller dedup`.
    Dedup,
    /// The folder of a finished `huller index`.
    Index,
}

impl FolderKind {
    /// All kinds.
    pub const ALL: [FolderKind; 3] = [FolderKind::Run, FolderKind::Dedup, FolderKind::Index];

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            FolderKind::Run => "run",
            FolderKind::Dedup => "dedup",
            FolderKind::Index => "index",
        }
    }

    /// Returns the command that makes such a folder.
    fn command(self) -> &'static str {
        match self {
            FolderKind::Run => "extract",
            FolderKind::Dedup => "dedup",
            FolderKind::Index => "index",
        }
    }
}

/// A folder with a few damaged files. It is made when it is judged, since the program makes the
/// sound folder.
#[derive(Debug)]
pub struct FolderMutant {
    kind: FolderKind,
    seed: u32,
    /// A description of each edit.
    edits: Vec<String>,
}

/// The name of a file in the folder that no run wrote.
const FOREIGN: &str = "mine.txt";

/// The files of a folder by their paths below it.
type Files = BTreeMap<PathBuf, Vec<u8>>;

impl FolderMutant {
    /// Returns the mutant of a seed.
    pub fn new(kind: FolderKind, seed: u32) -> FolderMutant {
        FolderMutant { kind, seed, edits: Vec::new() }
    }

    /// Returns a description of each edit, once the mutant was judged.
    pub fn edits(&self) -> &[String] {
        &self.edits
    }

    /// Makes the folder in `folder`, runs the commands over it, and returns the faults.
    ///
    /// # Errors
    ///
    /// A command cannot be started, the sound folder cannot be made, or the disk fails.
    pub fn judge(&mut self, huller: &Path, folder: &Path) -> io::Result<Vec<String>> {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => std::fs::create_dir_all(folder.join("in"))?,
        }
        let mut random = Random::new(self.seed);
        let markers =
            write_rows(&folder.join("in"), &["a.jsonl", "b.jsonl"], self.seed, &mut random)?;
        let outcome = run_limited(huller, folder, &[self.kind.command(), "in", "-o", "out", "-q"])?;
        if !outcome.status.success() {
            let message = outcome.stderr.escape_ascii();
            return Err(io::Error::other(format!("the sound folder: {message}")));
        }
        std::fs::write(folder.join("out").join(FOREIGN), "not of the run")?;
        let sound = files(&folder.join("out"))?;
        let damaged = self.damage(sound.clone(), &mut random);
        let trial = Trial { huller, place: folder, sound, damaged };
        match self.kind {
            FolderKind::Run | FolderKind::Dedup => trial.run_faults(self.kind.command()),
            FolderKind::Index => {
                let mut faults = trial.index_faults(&markers)?;
                std::fs::create_dir(folder.join("more"))?;
                let more = write_rows(&folder.join("more"), &["c.jsonl"], self.seed, &mut random)?;
                trial.join_faults([&markers[0], &more[0]], &mut faults)?;
                Ok(faults)
            }
        }
    }

    /// Damages one to three of the files.
    fn damage(&mut self, mut files: Files, random: &mut Random) -> Files {
        for _ in 0..random.within(1, 4) {
            let paths: Vec<PathBuf> =
                files.keys().filter(|path| !path.ends_with(FOREIGN)).cloned().collect();
            let path = &paths[random.within(0, paths.len())];
            let other_path = &paths[random.within(0, paths.len())];
            let other = files[other_path].clone();
            let bytes = files.get_mut(path).expect("a path of the folder");
            let edit = edit(bytes, &other, random);
            if edit == "removed" {
                files.remove(path);
            }
            self.edits.push(format!("{}: {edit}", path.display()));
        }
        files
    }
}

/// Changes the bytes of a file, and returns a description. The caller removes a `removed` file.
fn edit(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) -> String {
    let offset = if bytes.is_empty() { 0 } else { random.within(0, bytes.len()) };
    match random.below(9) {
        0 => return "removed".to_owned(),
        1 => {
            bytes.truncate(offset);
            return format!("cut to {offset} bytes");
        }
        2 => {
            let more = random.within(1, 40);
            bytes.extend(random.bytes(more));
            return format!("{more} more bytes");
        }
        3 => {
            bytes.clear();
            bytes.extend_from_slice(other);
            return "has the bytes of another file".to_owned();
        }
        4 => {
            let digits: Vec<usize> =
                (0..bytes.len()).filter(|offset| bytes[*offset].is_ascii_digit()).collect();
            if let Some(offset) = digits.get(offset % digits.len().max(1)) {
                bytes[*offset] = b'0' + (random.below(10) as u8);
                return format!("another digit at {offset}");
            }
        }
        5 => {
            let mut lines: Vec<Vec<u8>> =
                bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            if lines.len() > 1 {
                let (from, to) = (random.within(0, lines.len()), random.within(0, lines.len()));
                lines.swap(from, to);
                *bytes = lines.concat();
                return format!("lines {from} and {to} are exchanged");
            }
        }
        6 => {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
            let line = random.within(0, lines.len().max(1));
            *bytes = lines
                .iter()
                .enumerate()
                .filter(|(offset, _)| *offset != line)
                .flat_map(|(_, line)| *line)
                .copied()
                .collect();
            return format!("without line {line}");
        }
        7 => {
            let end = (offset + random.within(1, 64)).min(bytes.len());
            bytes[offset..end].fill(0);
            return format!("zeros from {offset} to {end}");
        }
        _ => {}
    }
    if bytes.is_empty() {
        bytes.push(b'x');
        return "one byte more".to_owned();
    }
    bytes[offset] ^= 1 << random.below(8);
    format!("a bit of byte {offset}")
}

/// Writes files of pages, and returns a marker for each page.
fn write_rows(
    folder: &Path,
    names: &[&str],
    seed: u32,
    random: &mut Random,
) -> io::Result<Vec<String>> {
    let mut markers = Vec::new();
    for name in names {
        let mut lines = String::new();
        for row in 0..random.within(1, 12) {
            let marker = format!("mk{seed}{}n{row}x", &name[..1]);
            let words: Vec<String> = (0..60).map(|_| format!("w{}", random.below(5000))).collect();
            let text = format!("{marker} {}.", words.join(" "));
            let row = json!({
                "url": format!("https://example.org/{marker}"),
                "html": format!("<html><body><h1>{marker}</h1><p>{text}</p></body></html>"),
                "text": text,
            });
            lines.push_str(&row.to_string());
            lines.push('\n');
            markers.push(marker);
        }
        std::fs::write(folder.join(name), lines)?;
    }
    Ok(markers)
}

/// A damaged folder with the sound one.
#[derive(Debug)]
struct Trial<'a> {
    huller: &'a Path,
    place: &'a Path,
    sound: Files,
    damaged: Files,
}

impl Trial<'_> {
    /// Judges the commands that read or continue a run.
    fn run_faults(&self, command: &str) -> io::Result<Vec<String>> {
        let mut faults = Vec::new();
        let is_output = |path: &Path| path.extension().is_some_and(|suffix| suffix == "zst");
        let of_outputs = |files: &Files| -> Files {
            files
                .iter()
                .filter(|(path, _)| is_output(path))
                .map(|(p, b)| (p.clone(), b.clone()))
                .collect()
        };
        let sound = of_outputs(&self.sound);
        let is_changed = of_outputs(&self.damaged) != sound;

        let verified = self.outcome(&["verify", "out", "-q"], &mut faults)?;
        if is_changed && verified == Some(0) {
            faults.push("verify accepts a changed output".to_owned());
        }
        for words in [["stats", "out"].as_slice(), &["report", "out", "-o", "report.html"]] {
            self.outcome(words, &mut faults)?;
        }
        for option in ["--resume", "--overwrite"] {
            let ended = self.outcome(&[command, "in", "-o", "out", "-q", option], &mut faults)?;
            if ended != Some(0) {
                continue;
            }
            let after = of_outputs(&files(&self.place.join("out"))?);
            if (option == "--overwrite" || !is_changed) && after != sound {
                faults.push(format!("{option} leaves other outputs"));
            }
            let verified =
                run_limited(self.huller, self.place, &["verify", "out", "-q"])?.status.code();
            if verified == Some(0) && after != sound
                || option == "--overwrite" && verified != Some(0)
            {
                faults.push(format!("{option}: then verify ends with {verified:?}"));
            }
        }
        Ok(faults)
    }

    /// Judges the commands that read or continue an index.
    fn index_faults(&self, markers: &[String]) -> io::Result<Vec<String>> {
        let mut faults = Vec::new();
        self.outcome(&["verify", "out"], &mut faults)?;
        for marker in markers.iter().step_by(markers.len().div_ceil(3)) {
            let ended = self.outcome(&["search", "out", marker, "--json"], &mut faults)?;
            self.check_hits(ended, ("out", marker), "search", &mut faults)?;
        }
        for option in ["--resume", "--overwrite"] {
            let ended = self.outcome(&["index", "in", "-o", "out", "-q", option], &mut faults)?;
            if ended == Some(0) {
                let marker = &markers[0];
                let ended =
                    run_limited(self.huller, self.place, &["search", "out", marker, "--json"])?;
                if option == "--overwrite" || ended.status.success() {
                    self.check_hits(ended.status.code(), ("out", marker), option, &mut faults)?;
                }
            }
        }
        Ok(faults)
    }

    /// Judges a join of the index with a sound one. `markers` has a page of each.
    fn join_faults(&self, markers: [&str; 2], faults: &mut Vec<String>) -> io::Result<()> {
        let made = run_limited(self.huller, self.place, &["index", "more", "-o", "other", "-q"])?;
        if !made.status.success() {
            let message = made.stderr.escape_ascii();
            return Err(io::Error::other(format!("the sound index: {message}")));
        }
        let other = files(&self.place.join("other"))?;
        let ended = self.outcome(&["index", "out", "other", "-o", "joined", "-q"], faults)?;
        for marker in markers {
            self.check_hits(ended, ("joined", marker), "a join", faults)?;
        }
        if files(&self.place.join("other"))? != other {
            faults.push("a join changes its parts".to_owned());
        }
        Ok(())
    }

    /// Searches an index for a marker, and adds a fault if a successful search misses its row.
    fn check_hits(
        &self,
        ended: Option<i32>,
        (index, marker): (&str, &str),
        after: &str,
        faults: &mut Vec<String>,
    ) -> io::Result<()> {
        if ended != Some(0) {
            return Ok(());
        }
        let found = run_limited(self.huller, self.place, &["search", index, marker, "--json"])?;
        let urls: Vec<String> = found
            .stdout
            .split(|b| *b == b'\n')
            .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
            .filter_map(|row| row["url"].as_str().map(str::to_owned))
            .collect();
        if urls != [format!("https://example.org/{marker}")] {
            faults.push(format!("after {after} the hits of {marker} are {urls:?}"));
        }
        Ok(())
    }

    /// Runs a command over a fresh copy of the damaged folder, and returns its exit status. Adds a
    /// fault if it panics, is killed, or touches the foreign file.
    fn outcome(&self, words: &[&str], faults: &mut Vec<String>) -> io::Result<Option<i32>> {
        let out = self.place.join("out");
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        std::fs::create_dir(&out)?;
        for (path, bytes) in &self.damaged {
            let path = out.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder"))?;
            std::fs::write(path, bytes)?;
        }
        let output = run_limited(self.huller, self.place, words)?;
        let stderr = output.stderr.escape_ascii().to_string();
        if stderr.contains("panicked") || !matches!(output.status.code(), Some(0..=5)) {
            faults.push(format!("{}: {:?}: {stderr}", words.join(" "), output.status));
        }
        let foreign = std::fs::read(out.join(FOREIGN)).unwrap_or_default();
        if self.damaged.get(Path::new(FOREIGN)) != Some(&foreign) {
            faults.push(format!("{}: it changed {FOREIGN}", words.join(" ")));
        }
        Ok(output.status.code())
    }
}

/// Reads all files below a folder.
fn files(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("a path below the folder");
                files.insert(name.to_path_buf(), std::fs::read(&path)?);
            }
        }
    }
    Ok(files)
}
