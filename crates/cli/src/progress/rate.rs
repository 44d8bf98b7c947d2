//! Measures how fast a number of bytes grows.

use std::time::{Duration, Instant};

/// Length of a window for the rate.
const WINDOW_LENGTH: Duration = Duration::from_secs(5);

/// The growth of a number of bytes during the last seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteRate {
    /// Start of the present window, and the number of bytes then.
    since: (Instant, u64),
    /// The same for the window before.
    before: (Instant, u64),
}

impl ByteRate {
    /// Begins with the number of bytes at `now`.
    pub(super) fn new(now: Instant, bytes: u64) -> ByteRate {
        ByteRate { since: (now, bytes), before: (now, bytes) }
    }

    /// Returns the bytes per second, with the number of bytes at `now`.
    pub(super) fn per_second(&mut self, now: Instant, bytes: u64) -> f64 {
        if now.duration_since(self.since.0) >= WINDOW_LENGTH {
            self.before = std::mem::replace(&mut self.since, (now, bytes));
        }
        let (then, had) = self.before;
        let seconds = now.duration_since(then).as_secs_f64().max(1e-3);
        bytes.saturating_sub(had) as f64 / seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_forgets_what_was_long_ago() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut rate = ByteRate::new(start, 1000);
        let is_near = |rate: f64, wanted: f64| (rate - wanted).abs() < 1e-6;
        assert!(is_near(rate.per_second(at(2), 3000), 1000.0));
        assert!(is_near(rate.per_second(at(10), 11_000), 1000.0));
        // No more bytes come.
        assert!(rate.per_second(at(14), 11_000) < 1000.0);
        rate.per_second(at(16), 11_000);
        rate.per_second(at(22), 11_000);
        assert!(is_near(rate.per_second(at(26), 11_000), 0.0));
    }
}
