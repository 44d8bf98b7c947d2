//! Keeps the few pages of a run that took a worker longest.

use huller_archive::{Position, utf8_or_latin1};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A page, and the time that a worker took from its bytes to its row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlowPage {
    /// Wall-clock time. It includes waiting if more threads run than the machine has processors.
    pub seconds: f64,
    /// Name of the input.
    pub input: String,
    /// Offset of its record in bytes, if it is known. `huller get` takes this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// URL of the page, cut after 2 KiB, if the input has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Number of pages kept.
pub const MAX_PAGES: usize = 20;

/// Most bytes of a URL that are kept, so that all pages take 64 KiB at most.
pub const MAX_URL_BYTES: usize = 2 << 10;

/// The slowest pages of a run, shared by all workers. A faster page costs one atomic load.
#[derive(Debug, Default)]
pub struct SlowestPages {
    /// Nanoseconds that a page must exceed to be noted. It is 0 until [`MAX_PAGES`] are noted.
    least: AtomicU64,
    /// The noted pages, slowest first.
    pages: Mutex<Vec<SlowPage>>,
}

impl SlowestPages {
    /// Notes a page that took a worker this long, if it is among the slowest so far.
    ///
    /// `url` is cut after [`MAX_URL_BYTES`] bytes, between two Unicode scalars.
    pub fn note_page(&self, took: Duration, input: &str, url: Option<&[u8]>, position: Position) {
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        if nanoseconds <= self.least.load(Ordering::Relaxed) {
            return;
        }
        let url = url.map(|url| {
            let mut url = utf8_or_latin1(url).into_owned();
            url.truncate(url.floor_char_boundary(MAX_URL_BYTES));
            url
        });
        let page = SlowPage {
            seconds: took.as_secs_f64(),
            input: input.to_owned(),
            offset: position.member.map(|(offset, _)| offset).or(position.stream_offset),
            url,
        };
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        insert(&mut pages, page);
        if let (MAX_PAGES, Some(last)) = (pages.len(), pages.last()) {
            let least = Duration::from_secs_f64(last.seconds).as_nanos();
            self.least.store(u64::try_from(least).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }

    /// Returns the slowest pages so far, slowest first.
    pub fn pages(&self) -> Vec<SlowPage> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Inserts a page in its order, and drops the fastest beyond [`MAX_PAGES`].
pub fn insert(pages: &mut Vec<SlowPage>, page: SlowPage) {
    let place = pages.partition_point(|other| other.seconds >= page.seconds);
    pages.insert(place, page);
    pages.truncate(MAX_PAGES);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_of_many_are_kept_in_order() {
        let slowest = SlowestPages::default();
        for number in 0..1000_u64 {
            // Each number below 1,000 once, in a mixed order.
            let took = Duration::from_micros(number * 7 % 1000);
            let position = Position { stream_offset: Some(number), ..Position::default() };
            slowest.note_page(took, "a.warc", Some(b"http://h/\xff"), position);
        }
        let pages = slowest.pages();
        let micros: Vec<u128> =
            pages.iter().map(|page| Duration::from_secs_f64(page.seconds).as_micros()).collect();
        assert_eq!(micros, (980..1000).rev().collect::<Vec<_>>());
        assert!(pages.iter().all(|page| page.offset.unwrap() * 7 % 1000 >= 980));
        assert_eq!(pages[0].url.as_deref(), Some("http://h/ÿ"));
    }
}
