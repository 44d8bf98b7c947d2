//! Shows the progress of an evaluation: a bar on a terminal, a line every half minute otherwise.

use crate::exit::eprint_line;
use crate::terminal::thousands;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Counts pages for all threads.
pub(crate) struct PageProgress {
    bar: Option<ProgressBar>,
    /// Number of pages to score.
    pages: u64,
    /// Number of pages scored so far.
    done: AtomicU64,
    started: Instant,
    /// Lines printed so far.
    reported: AtomicU64,
}

impl PageProgress {
    /// Begins to count `pages` pages.
    pub(crate) fn new(pages: u64) -> PageProgress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(pages), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(
                "{bar:20} {percent:>3}%  {human_pos}/{human_len} pages  {eta} left",
            )
            .expect("the template is ours");
            bar.with_style(style.progress_chars("=> "))
        });
        let (done, reported) = (AtomicU64::new(0), AtomicU64::new(0));
        PageProgress { bar, pages, done, started: Instant::now(), reported }
    }

    /// Counts a page that is done.
    pub(crate) fn step(&self) {
        let pages_done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
            return;
        }
        let due = self.started.elapsed().as_secs() / LINE_INTERVAL.as_secs();
        // Among several threads, the first that raises the number prints the line.
        if self.reported.fetch_max(due, Ordering::Relaxed) < due {
            eprint_line(&format!("{} of {} pages", thousands(pages_done), thousands(self.pages)));
        }
    }
}

impl Drop for PageProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
