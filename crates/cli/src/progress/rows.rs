//! Shows the progress of a command over rows: one line that is redrawn on a terminal, plain lines
//! otherwise.

use super::{print_note, print_unusable};
use crate::exit::eprint_line;
use crate::terminal::thousands;
use huller_pipeline::{Counters, Monitor, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two lines of progress in a log.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Returns the display of a command that begins with this phase.
pub(crate) fn choose(is_quiet: bool, phase: &'static str) -> RowsProgress {
    let is_terminal = std::io::stderr().is_terminal();
    let bar = if is_terminal && !is_quiet {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
    } else {
        ProgressBar::hidden()
    };
    bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is ours"));
    let is_log = !is_terminal && !is_quiet;
    RowsProgress { bar, is_log, phase, all: None, printed: Instant::now() }
}

/// The display of a command's progress.
pub(crate) struct RowsProgress {
    bar: ProgressBar,
    /// Whether plain lines are printed.
    is_log: bool,
    phase: &'static str,
    /// Number of rows of the phase; `None` if unknown.
    all: Option<u64>,
    printed: Instant,
}

impl Monitor for RowsProgress {
    fn started(&mut self, _: u64, _: Option<u64>) {}

    fn phase(&mut self, phase: &'static str, rows: Option<u64>) {
        (self.phase, self.all) = (phase, rows);
        self.bar.set_message(phase);
        if self.is_log {
            let rows = rows.map_or_else(String::new, |rows| format!(", {} rows", thousands(rows)));
            eprint_line(&format!("{phase}{rows}"));
            self.printed = Instant::now();
        }
    }

    fn progress(&mut self, progress: Progress) {
        let of_total =
            self.all.map_or_else(String::new, |total| format!(" of {}", thousands(total)));
        let message = format!("{}: {}{of_total} rows", self.phase, thousands(progress.rows));
        if self.is_log && self.printed.elapsed() >= BETWEEN_LINES {
            self.printed = Instant::now();
            eprint_line(&message);
        }
        self.bar.set_message(message);
    }

    fn finished(&mut self, _: &str, _: &Counters) {}

    fn unusable(&mut self, input: &str, error: &str) {
        self.bar.suspend(|| print_unusable(input, error));
    }

    fn note(&mut self, note: &str) {
        self.bar.suspend(|| print_note(note));
    }
}

impl Drop for RowsProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
