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
pub(crate) fn choose(stores: &Stores) -> Box<dyn Monitor + Send> {
    let got = FetchedBytes { stores: stores.clone(), rate: None };
    if std::io::stderr().is_terminal() {
        Box::new(Bar::new(got))
    } else {
        Box::new(Lines::new(got))
    }
}

/// Bytes that came from object storage.
struct FetchedBytes {
    stores: Stores,
    /// `Some` after the first byte has come.
    rate: Option<ByteRate>,
}

impl FetchedBytes {
    /// Returns the bytes per second from object storage, or `None` if none have come.
    fn per_second(&mut self) -> Option<f64> {
        let (now, got) = (Instant::now(), self.stores.got_bytes());
        if got == 0 {
            return None;
        }
        Some(self.rate.get_or_insert_with(|| ByteRate::new(now, 0)).per_second(now, got))
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

/// Prints a note on a difference from the request.
pub(crate) fn print_note(note: &str) {
    eprint_line(&format!("note: {note}"));
}

/// A progress line that is redrawn in place.
struct Bar {
    line: ProgressBar,
    started: Instant,
    drawn: Option<Instant>,
    bytes: Option<u64>,
    got: FetchedBytes,
}

/// Time between two drawings of the line.
const REDRAWN: Duration = Duration::from_millis(100);

impl Bar {
    fn new(got: FetchedBytes) -> Bar {
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        line.set_style(ProgressStyle::with_template("{msg}").expect("the template is ours"));
        Bar { line, started: Instant::now(), drawn: None, bytes: None, got }
    }
}

impl Monitor for Bar {
    fn started(&mut self, _: u64, bytes: Option<u64>) {
        self.bytes = bytes;
        self.started = Instant::now();
    }

    fn progress(&mut self, progress: Progress) {
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAWN) {
            return;
        }
        self.drawn = Some(Instant::now());
        let state = ProgressState {
            bytes: progress.bytes,
            total: self.bytes,
            rows: progress.rows,
            elapsed: self.started.elapsed(),
            got: self.got.per_second(),
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
    bytes: Option<u64>,
    inputs: u64,
    got: FetchedBytes,
}

const EVERY: Duration = Duration::from_secs(30);

impl Lines {
    fn new(got: FetchedBytes) -> Lines {
        let now = Instant::now();
        Lines { started: now, last: now, bytes: None, inputs: 0, got }
    }
}

impl Monitor for Lines {
    fn started(&mut self, inputs: u64, bytes: Option<u64>) {
        self.bytes = bytes;
        self.inputs = inputs;
    }

    fn progress(&mut self, progress: Progress) {
        if self.last.elapsed() < EVERY {
            return;
        }
        self.last = Instant::now();
        let seconds = self.started.elapsed().as_secs_f64();
        let of = self.bytes.map(|bytes| format!(" of {}", size(bytes))).unwrap_or_default();
        let got = self.got.per_second();
        let got = got.map(|got| format!(", {:.1} MB/s downloaded", got / 1e6)).unwrap_or_default();
        eprint_line(&format!(
            "{}{of}, {} of {} inputs, {} pages, {:.0} pages/s, {:.1} MB/s{got}",
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
