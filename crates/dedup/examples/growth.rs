//! Measures how time and memory of finding duplicates grow with the number of rows.
//!
//! ```sh
//! cargo run --release -p huller-dedup --example growth -- 100000 1000000 10000000
//! ```
//!
//! For each number N, writes signatures of N rows to a file. A tenth of them are one row repeated,
//! a tenth are in clusters of two to ten rows that share one to all bands, and the rest have no
//! duplicates.
//!
//! Then finds the duplicates by text and by bands in a process of its own, and prints its seconds,
//! CPU seconds and peak memory. `MEMORY` is the budget in MiB (default 1024), `TMPDIR` the folder
//! for files.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]
#![expect(clippy::disallowed_methods, reason = "a program that is set by its environment")]

use huller_dedup::{DedupStep, Settings, find_duplicates};
use huller_refine::signature::Signature;
use huller_refine::signature::signature_file::{Header, Record};
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

/// Returns a random number: `SplitMix64` of a counter.
fn random(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Writes the signatures, and returns how many rows have earlier duplicates.
fn write(path: &Path, rows: u64) -> Result<u64, Box<dyn Error>> {
    let header = Header::new(Settings::default().signatures);
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    out.write_all(&header.to_bytes())?;
    let (mut record, mut duplicates) = (Vec::new(), 0);
    let mut seen_giant = false;
    for row in 0..rows {
        let own = random(row);
        let mut signature = Signature {
            text: u128::from(own) << 64 | u128::from(!own),
            chars: 5000,
            ..Signature::default()
        };
        signature.bands = (0..14).map(|band| random(own ^ (band << 56))).collect();
        // Rows of one kind are spread over the file.
        match random(row ^ 1 << 40) % 10 {
            0 => {
                signature.text = 7;
                signature.bands = (0..14).map(random).collect();
                duplicates += u64::from(seen_giant);
                seen_giant = true;
            }
            1 => {
                // Cluster c has rows in the ten thousands around. Its first rows share bands with
                // the later ones.
                let cluster = random(row / 1000 * 7 + random(row) % 30);
                let shared = 1 + (cluster % 14) as usize;
                for (band, hash) in signature.bands.iter_mut().enumerate().take(shared) {
                    *hash = random(cluster ^ (band as u64) << 50);
                }
            }
            _ => {}
        }
        record.clear();
        header.push_record(
            &mut record,
            &Record { row_position: row * 7000, ..Record::from_signature(&signature) },
        );
        out.write_all(&record)?;
    }
    out.flush()?;
    Ok(duplicates)
}

/// Returns the peak memory of this process in MiB, from `/proc/self/status`.
fn peak() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number.and_then(|number| number.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.
}

/// Returns the CPU seconds of this process.
fn cpu() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = std::env::temp_dir().join("huller-dedup-growth");
    if let [child, path] = arguments.as_slice()
        && child == "find"
    {
        let memory = std::env::var("MEMORY").map_or(Ok(1024), |text| text.parse::<u64>())?;
        let settings =
            Settings { by: vec![DedupStep::Text, DedupStep::Near], ..Settings::default() };
        let begin = Instant::now();
        let table = find_duplicates(&[path.into()], &settings, memory << 20, &folder)?;
        let dropped: u64 = table.dropped.values().map(|dropped| dropped.rows).sum();
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "{:>12} {dropped:>10} {:>10} {seconds:>8.1} {:>8.1} {:>8.0}",
            table.rows,
            table.largest,
            cpu(),
            peak()
        );
        return Ok(());
    }
    fs::create_dir_all(&folder)?;
    println!("        rows    dropped    largest  seconds      CPU      MiB");
    for rows in &arguments {
        let path = folder.join(format!("{rows}.sig"));
        let duplicates = write(&path, rows.parse()?)?;
        let program = std::env::current_exe()?;
        let status = std::process::Command::new(program).arg("find").arg(&path).status()?;
        fs::remove_file(&path)?;
        if !status.success() {
            return Err(format!("failed; at least {duplicates} rows are duplicates").into());
        }
    }
    Ok(())
}
