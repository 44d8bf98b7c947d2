//! Computes the pauses before retries.

use crate::settings::Settings;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// Returns the pause before retry number `tries` (from 1). It doubles each time, and is reduced by
/// up to half at random. Many programs that lost one server therefore return to it at different
/// times.
pub(crate) fn pause(settings: &Settings, tries: usize) -> Duration {
    let doublings = u32::try_from(tries.saturating_sub(1)).unwrap_or(u32::MAX).min(16);
    let most = settings.first_pause.saturating_mul(1 << doublings).min(settings.longest_pause);
    // A new state has random keys, so its hash of any value is random.
    let random = RandomState::new().hash_one(tries);
    let half = most / 2;
    half + half.mul_f64(random as f64 / u64::MAX as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_differ() {
        let settings = Settings {
            first_pause: Duration::from_millis(100),
            longest_pause: Duration::from_secs(1),
            ..Settings::default()
        };
        for (tries, most) in [(1, 100), (2, 200), (4, 800), (5, 1000), (60, 1000)] {
            let pauses: Vec<_> = (0..20).map(|_| pause(&settings, tries)).collect();
            let most = Duration::from_millis(most);
            assert!(pauses.iter().all(|pause| (most / 2..=most).contains(pause)), "{pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]), "{pauses:?}");
        }
    }
}
