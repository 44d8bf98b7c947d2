//! Random dirty corpora: five hundred seeds; `scripts/lab/run dirty` tries thousands. What must
//! hold is said in `huller_testkit::dirty`.

use crate::support::temp;
use huller_row::SCHEMAS;
use huller_testkit::dirty::{self, DirtyCorpus, agree};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Seeds that are tried.
const SEEDS: u32 = 500;

#[test]
fn all_commands_agree_about_dirty_corpora() {
    let huller = Path::new(env!("CARGO_BIN_EXE_huller"));
    let work = temp();
    let next = AtomicU32::new(1);
    let try_seeds = &|job: u32| {
        let place = work.path().join(job.to_string());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > SEEDS {
                return;
            }
            let differences = agree(huller, &DirtyCorpus::new(seed), &place).unwrap();
            let again = format!("again: dirty target/debug/huller --seed {seed}");
            assert!(differences.is_empty(), "{differences:#?}\n{again}");
        }
    };
    std::thread::scope(|scope| {
        for job in 0..2 {
            scope.spawn(move || try_seeds(job));
        }
    });
}

#[test]
fn dirty_corpora_have_rows_of_every_schema() {
    // The frames of loaders are around rows of the other schemas.
    for schema in SCHEMAS.iter().filter(|schema| schema.text().is_some()) {
        assert!(dirty::SCHEMAS.contains(&schema.name), "{}", schema.name);
    }
}
