//! Shows the progress of a run: a bar on a terminal, a plain line every half minute otherwise.

mod line;
mod rate;
pub(crate) mod rows;

use crate::exit::eprint_line;
use crate::terminal::{size, stderr_width, thousands};
use huller_archive::Stores;
use huller_pipeline::{Counters, Monitor, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use line::ProgressState;
use rate::ByteRate;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Returns the display for standard error: a bar on a terminal, plain lines otherwise.
pub(crate) fn monitor_for_stderr(stores: &Stores) -> Box<dyn Monitor + Send> {
    let fetched = FetchedBytes { stores: stores.clone(), rate: None };
    if std::io::stderr().is_terminal() {
        Box::new(Bar::new(fetched))
    } else {
        Box::new(Lines::new(fetched))
    }
}

/// The rate of bytes from object storage.
struct FetchedBytes {
    stores: Stores,
    /// `Some` after the first byte has come.
    rate: Option<ByteRate>,
}

impl FetchedBytes {
    /// Returns the bytes per second from object storage, or `None` if none have come.
    fn per_second(&mut self) -> Option<f64> {
        let (now, fetched) = (Instant::now(), self.stores.got_bytes());
        if fetched == 0 {
            return None;
        }
        Some(self.rate.get_or_insert_with(|| ByteRate::new(now, 0)).per_second(now, fetched))
    }
}

/// Prints which input could not be used, and why. Errors of the archive reader already name the
/// input.
pub(crate) fn print_unusable(input: &str, error: &str) {
    if error.starts_with("cannot ") {
        eprint_line(&format!("error: {error}"));
    } else {
        eprint_line(&format!("error: cannot use '{input}': {error}"));
    }
}

/// Prints a note, for example that an option had no effect.
pub(crate) fn print_note(note: &str) {
    eprint_line(&format!("note: {note}"));
}

/// A progress line that is redrawn in place.
struct Bar {
    line: ProgressBar,
    started: Instant,
    drawn: Option<Instant>,
    /// Bytes of the inputs; `None` if unknown.
    bytes: Option<u64>,
    fetched: FetchedBytes,
}

/// Time between two drawings of the line.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

impl Bar {
    fn new(fetched: FetchedBytes) -> Bar {
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        line.set_style(ProgressStyle::with_template("{msg}").expect("the template is ours"));
        Bar { line, started: Instant::now(), drawn: None, bytes: None, fetched }
    }
}

impl Monitor for Bar {
    fn started(&mut self, _: u64, bytes: Option<u64>) {
        self.bytes = bytes;
        self.started = Instant::now();
    }

    fn progress(&mut self, progress: Progress) {
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW_INTERVAL) {
            return;
        }
        self.drawn = Some(Instant::now());
        let state = ProgressState {
            bytes: progress.bytes,
            total: self.bytes,
            rows: progress.rows,
            elapsed: self.started.elapsed(),
            fetched_per_second: self.fetched.per_second(),
        };
        let text = state.line(stderr_width());
        if !text.is_empty() {
            self.line.set_message(text);
        }
    }

    fn finished(&mut self, _: &str, _: &Counters) {}

    fn unusable(&mut self, input: &str, error: &str) {
        self.line.suspend(|| print_unusable(input, error));
    }

    fn note(&mut self, note: &str) {
        self.line.suspend(|| print_note(note));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

/// Prints a line every half minute, for logs.
struct Lines {
    started: Instant,
    last: Instant,
    /// Bytes of the inputs; `None` if unknown.
    bytes: Option<u64>,
    /// Number of inputs.
    inputs: u64,
    fetched: FetchedBytes,
}

/// Time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

impl Lines {
    fn new(fetched: FetchedBytes) -> Lines {
        let now = Instant::now();
        Lines { started: now, last: now, bytes: None, inputs: 0, fetched }
    }
}

impl Monitor for Lines {
    fn started(&mut self, inputs: u64, bytes: Option<u64>) {
        self.bytes = bytes;
        self.inputs = inputs;
    }

    fn progress(&mut self, progress: Progress) {
        if self.last.elapsed() < LINE_INTERVAL {
            return;
        }
        self.last = Instant::now();
        let seconds = self.started.elapsed().as_secs_f64();
        let total = self.bytes.map(|bytes| format!(" of {}", size(bytes))).unwrap_or_default();
        let fetched = self.fetched.per_second();
        let fetched = fetched
            .map(|fetched| format!(", {:.1} MB/s downloaded", fetched / 1e6))
            .unwrap_or_default();
        eprint_line(&format!(
            "{}{total}, {} of {} inputs, {} pages, {:.0} pages/s, {:.1} MB/s{fetched}",
            size(progress.bytes),
            progress.inputs,
            self.inputs,
            thousands(progress.rows),
            progress.rows as f64 / seconds,
            progress.bytes as f64 / 1e6 / seconds,
        ));
    }

    fn finished(&mut self, _: &str, _: &Counters) {}

    fn unusable(&mut self, input: &str, error: &str) {
        print_unusable(input, error);
    }

    fn note(&mut self, note: &str) {
        print_note(note);
    }
}
