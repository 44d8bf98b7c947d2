//! Files with a few wrong values in their structure, damaged folders, and the expected outcome for
//! every reader.
//!
//! A [`Mutant`] comes from a seed. It is a sound Parquet, CSV, ZIP or tar file of rows or pages in
//! which a few values are replaced. These values describe the file: counts, sizes, places, types,
//! marks between values. Each row and page has a marker, so a lost one is noticed.
//!
//! # Rules
//!
//! 1. No command panics, hangs, is killed, or uses more than 4 GiB of address space. The exit
//!    status is 0 or 1.
//! 2. The written, skipped and failed records add up to the number of records.
//! 3. If the status is 0 and a row of the sound file was not written, a record counts as skipped or
//!    failed. Damage to a table or an archive counts once, however many rows it costs.
//! 4. `refine` and `dedup` count the rows of a file alike.
//!
//! A [`FolderMutant`] is the folder of a finished run or index in which a few files are damaged:
//! cut, removed, with other bytes. No command panics, hangs or is killed, and each leaves the files
//! that no run wrote. `verify` finds every changed output. `--overwrite` restores the sound
//! outputs, and so does `--resume` if no output is damaged. A search that succeeds finds the sound
//! row, also in an index that was joined of a damaged one and a sound one.

mod bundle;
mod folder;
mod table;
mod thrift;

pub use folder::{FolderKind, FolderMutant};

use crate::dirty::outcome::{Counts, Outcome};
use crate::random::Random;
use std::io;
use std::path::Path;

/// The file formats of mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutantFormat {
    /// A Parquet file of rows.
    Parquet,
    /// Rows as CSV.
    Csv,
    /// Pages in a ZIP file.
    Zip,
    /// Pages in a tar archive.
    Tar,
}

impl MutantFormat {
    /// All forms.
    pub const ALL: [MutantFormat; 4] =
        [MutantFormat::Parquet, MutantFormat::Csv, MutantFormat::Zip, MutantFormat::Tar];

    /// Returns the name of the form, which is also the suffix of its files.
    pub fn name(self) -> &'static str {
        match self {
            MutantFormat::Parquet => "parquet",
            MutantFormat::Csv => "csv",
            MutantFormat::Zip => "zip",
            MutantFormat::Tar => "tar",
        }
    }
}

/// A file with wrong values.
#[derive(Debug)]
pub struct Mutant {
    form: MutantFormat,
    bytes: Vec<u8>,
    /// The markers of the rows or pages. Edits may have changed some of them.
    markers: Vec<String>,
    /// A description of each edit.
    edits: Vec<String>,
}

impl Mutant {
    /// Returns the mutant of a seed.
    pub fn new(form: MutantFormat, seed: u32) -> Mutant {
        let mut random = Random::new(seed);
        let count = random.within(1, 30);
        let markers: Vec<String> = (0..count).map(|row| format!("mk{seed}n{row}x")).collect();
        let mut edits = Vec::new();
        let bytes = match form {
            MutantFormat::Parquet => table::mutated(&mut random, &markers, &mut edits),
            MutantFormat::Csv => bundle::csv(&mut random, &markers, &mut edits),
            MutantFormat::Zip => bundle::zip(&mut random, &markers, &mut edits),
            MutantFormat::Tar => bundle::tar(&mut random, &markers, &mut edits),
        };
        Mutant { form, bytes, markers, edits }
    }

    /// Returns a description of each edit.
    pub fn edits(&self) -> &[String] {
        &self.edits
    }

    /// Runs the commands over the file in `folder`, and returns the faults.
    ///
    /// # Errors
    ///
    /// A command cannot be started, or the disk fails.
    pub fn judge(&self, huller: &Path, folder: &Path) -> io::Result<Vec<String>> {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => std::fs::create_dir_all(folder)?,
        }
        let name = format!("file.{}", self.form.name());
        std::fs::write(folder.join(&name), &self.bytes)?;
        let commands: &[&str] = match self.form {
            MutantFormat::Parquet | MutantFormat::Csv => &["refine", "dedup"],
            MutantFormat::Zip | MutantFormat::Tar => &["extract"],
        };
        let mut faults = Vec::new();
        let mut records = Vec::new();
        for command in commands {
            let mut arguments = vec![*command, &name, "-o", command, "-q"];
            if *command == "refine" {
                arguments.extend(["--stages", "url"]);
            }
            let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
            let outcome = Outcome::run_limited(huller, folder, command, &arguments)?;
            faults.extend(outcome.faults.iter().map(|fault| format!("{command}: {fault}")));
            let sum =
                |count_of: fn(&Counts) -> u64| outcome.inputs.values().map(count_of).sum::<u64>();
            if outcome.code == Some(0) && outcome.faults.is_empty() {
                let left_out = sum(|counts| counts.records - counts.written);
                let lost = self.count_lost(&folder.join(command), sum(|counts| counts.records))?;
                if lost > 0 && left_out == 0 {
                    faults.push(format!("{command}: {lost} rows are lost and not counted"));
                }
            }
            records.push((outcome.code, sum(|counts| counts.records)));
        }
        if faults.is_empty() && records.windows(2).any(|pair| pair[0] != pair[1]) {
            faults.push(format!("the commands differ: {records:?}"));
        }
        Ok(faults)
    }

    /// Returns the number of rows of the sound file that are missing from the output. For a table,
    /// only the number of records counts, since an edit may change the type of its values.
    fn count_lost(&self, folder: &Path, records: u64) -> io::Result<u64> {
        if self.form == MutantFormat::Parquet {
            return Ok((self.markers.len() as u64).saturating_sub(records));
        }
        let mut output = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|suffix| suffix == "zst") {
                output.append(&mut zstd::decode_all(std::fs::File::open(path)?)?);
            }
        }
        let has = |bytes: &[u8], marker: &String| {
            bytes.windows(marker.len()).any(|window| window == marker.as_bytes())
        };
        // Pages in ZIP files are compressed. Their checksums reveal the changes of an edit.
        let was_kept =
            |marker: &&String| self.form == MutantFormat::Zip || has(&self.bytes, marker);
        let lost = self.markers.iter().filter(was_kept).filter(|marker| !has(&output, marker));
        Ok(lost.count() as u64)
    }
}
