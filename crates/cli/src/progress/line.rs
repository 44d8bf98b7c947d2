//! Formats the text of the progress line.

use crate::terminal::size;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProgressState {
    /// Bytes of the inputs read so far.
    pub(super) bytes: u64,
    /// Bytes of all inputs, if known.
    pub(super) total: Option<u64>,
    /// Number of rows written so far.
    pub(super) rows: u64,
    /// Time since the start.
    pub(super) elapsed: Duration,
    /// Bytes per second from object storage, in runs that read there.
    pub(super) fetched_per_second: Option<f64>,
}

/// Most columns of the bar between its brackets.
const MAX_BAR_COLUMNS: usize = 20;

impl ProgressState {
    /// Returns a line of fewer than `width` columns. Parts that do not fit are left out, the least
    /// important first. Empty if the inputs have no bytes.
    pub(super) fn line(&self, width: usize) -> String {
        if self.total == Some(0) {
            return String::new();
        }
        let seconds = self.elapsed.as_secs_f64().max(1e-3);
        let pages = format!("{:.0} pages/s", self.rows as f64 / seconds);
        let speed = format!("{:.0} MB/s", self.bytes as f64 / 1e6 / seconds);
        let fetched =
            self.fetched_per_second.map(|fetched| format!("{:.0} MB/s downloaded", fetched / 1e6));
        let fetched = fetched.unwrap_or_default();
        let fits = |parts: &[&str]| {
            let gaps = 2 * parts.iter().filter(|text| !text.is_empty()).count().saturating_sub(1);
            parts.iter().map(|text| text.width()).sum::<usize>() + gaps < width
        };
        let Some(total) = self.total else {
            let amount = size(self.bytes);
            let choices: [&[&str]; 4] = [
                &[&amount, &pages, &speed, &fetched],
                &[&amount, &pages, &speed],
                &[&amount, &pages],
                &[&amount],
            ];
            return choices
                .into_iter()
                .find(|parts| fits(parts))
                .map(join_parts)
                .unwrap_or_default();
        };
        let share = (self.bytes as f64 / total as f64).min(1.0);
        let percent = format!("{:>3.0}%", (share * 100.0).floor());
        let time_left = if self.bytes == 0 {
            String::new()
        } else {
            format!("{} left", short_time(seconds * (1.0 - share) / share))
        };
        let amount = format!("{}/{}", size(self.bytes), size(total));
        let choices: [&[&str]; 6] = [
            &[&percent, &amount, &pages, &speed, &fetched, &time_left],
            &[&percent, &amount, &pages, &speed, &time_left],
            &[&percent, &amount, &pages, &time_left],
            &[&percent, &pages, &time_left],
            &[&percent, &time_left],
            &[&percent],
        ];
        let Some(parts) = choices.into_iter().find(|parts| fits(parts)) else {
            return String::new();
        };
        let text = join_parts(parts);
        // The bar takes the remaining columns, of which two brackets and two spaces need four.
        let room = width.saturating_sub(text.width() + 5).min(MAX_BAR_COLUMNS);
        if room < 6 {
            text
        } else {
            format!("[{}]  {text}", progress_bar(self.bytes.min(total), total, room))
        }
    }
}

/// Joins the parts that are not empty.
fn join_parts(parts: &[&str]) -> String {
    let parts: Vec<_> = parts.iter().copied().filter(|text| !text.is_empty()).collect();
    parts.join("  ")
}

fn progress_bar(bytes_done: u64, total: u64, columns: usize) -> String {
    let full = u128::from(bytes_done) * columns as u128 / u128::from(total);
    let full = usize::try_from(full).unwrap_or(columns);
    let head = usize::from(full < columns);
    format!("{}{}{}", "=".repeat(full), ">".repeat(head), " ".repeat(columns - full - head))
}

fn short_time(seconds: f64) -> String {
    let seconds =
        Duration::try_from_secs_f64(seconds.ceil()).map_or(u64::MAX, |time| time.as_secs());
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{minutes}m"),
        3600..86400 => format!("{hours}h {}m", minutes % 60),
        _ => format!("{}d {}h", hours / 24, hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(bytes: u64, total: Option<u64>) -> ProgressState {
        let elapsed = Duration::from_secs(100);
        ProgressState { bytes, total, rows: bytes / 10_000, elapsed, fetched_per_second: None }
    }

    #[test]
    fn the_progress_bar_never_shows_0_of_0() {
        assert_eq!(state(0, Some(0)).line(80), "");
        let line = state(0, Some(5_000_000)).line(80);
        assert!(line.contains("0 B/5.0 MB") && !line.contains("left"), "{line}");
        assert_eq!(state(0, None).line(80), "0 B  0 pages/s  0 MB/s");
    }

    #[test]
    fn the_progress_bar_fits_any_terminal() {
        let half = state(45_000_000_000, Some(90_000_000_000));
        assert_eq!(
            half.line(80),
            "[==========>         ]   50%  45.0 GB/90.0 GB  45000 pages/s  450 MB/s  1m left"
        );
        let from_stores = ProgressState { fetched_per_second: Some(61_400_000.0), ..half };
        assert_eq!(
            from_stores.line(80),
            " 50%  45.0 GB/90.0 GB  45000 pages/s  450 MB/s  61 MB/s downloaded  1m left"
        );
        assert!(!from_stores.line(60).contains("downloaded"));
        assert_eq!(half.line(40), "[===>   ]   50%  45000 pages/s  1m left");
        for (bytes, total) in
            [(1, Some(u64::MAX)), (u64::MAX, Some(1)), (u64::MAX, None), (7, Some(9))]
        {
            for width in 0..200 {
                assert!(
                    state(bytes, total).line(width).width() < width.max(1),
                    "{bytes} {total:?} {width}"
                );
            }
        }
    }
}
