//! How far a run has come: a bar on a terminal, a plain line now and then otherwise.

use crate::exit::eprint_line;
use crate::terminal::{size, thousands};
use huller_pipeline::{Account, Monitor, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// The display that suits standard error.
pub(crate) fn choose() -> Box<dyn Monitor + Send> {
    if std::io::stderr().is_terminal() { Box::new(Bar::new()) } else { Box::new(Lines::new()) }
}

/// Names an input that could not be used. The message names it already if it comes from the archive reader.
pub(crate) fn say_unusable(input: &str, error: &str) {
    if error.starts_with("cannot ") {
        eprint_line(&format!("error: {error}"));
    } else {
        eprint_line(&format!("error: cannot read '{input}': {error}"));
    }
}

/// A line that is drawn over and over.
struct Bar {
    bar: ProgressBar,
    started: Instant,
}

impl Bar {
    fn new() -> Bar {
        Bar {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
            started: Instant::now(),
        }
    }
}

impl Monitor for Bar {
    fn started(&mut self, _: u64, bytes: Option<u64>) {
        let template = match bytes {
            Some(bytes) => {
                self.bar.set_length(bytes);
                "{bar:20} {percent:>3}%  {decimal_bytes}/{decimal_total_bytes}  {msg}  {eta} left"
            }
            None => "{spinner} {decimal_bytes}  {msg}",
        };
        let style = ProgressStyle::with_template(template).expect("the template is ours");
        self.bar.set_style(style.progress_chars("=> "));
        self.started = Instant::now();
    }

    fn progress(&mut self, progress: Progress) {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        let (pages, megabytes) =
            (progress.pages as f64 / seconds, progress.bytes as f64 / 1e6 / seconds);
        self.bar.set_position(progress.bytes);
        self.bar.set_message(format!("{pages:.0} pages/s {megabytes:.0} MB/s"));
    }

    fn finished(&mut self, _: &str, _: &Account) {}

    fn unusable(&mut self, input: &str, error: &str) {
        self.bar.suspend(|| say_unusable(input, error));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line every half minute, for logs.
struct Lines {
    started: Instant,
    last: Instant,
    bytes: Option<u64>,
    inputs: u64,
}

const EVERY: Duration = Duration::from_secs(30);

impl Lines {
    fn new() -> Lines {
        let now = Instant::now();
        Lines { started: now, last: now, bytes: None, inputs: 0 }
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
        eprint_line(&format!(
            "{}{of}, {} of {} inputs, {} pages, {:.0} pages/s, {:.1} MB/s",
            size(progress.bytes),
            progress.inputs,
            self.inputs,
            thousands(progress.pages),
            progress.pages as f64 / seconds,
            progress.bytes as f64 / 1e6 / seconds,
        ));
    }

    fn finished(&mut self, _: &str, _: &Account) {}

    fn unusable(&mut self, input: &str, error: &str) {
        say_unusable(input, error);
    }
}
