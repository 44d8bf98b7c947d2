//! The order in which requests get their answers.

use crate::answer::Cost;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Bytes of the page of a row from which rows count as large.
const LARGE: usize = 256 << 10;

/// The turns of requests, in their order of arrival. While rows are large, only one of them has a
/// turn, so that a search does not wait for many large rows.
#[derive(Debug)]
pub(crate) struct Turns {
    /// The answers that are made at the same time.
    all: Semaphore,
    /// One permit, for an answer that reads a page of an archive.
    page: Semaphore,
    /// One permit, for a row while rows are large.
    large_row: Semaphore,
    /// Whether the last row was large.
    are_rows_large: AtomicBool,
}

/// The turn of a request. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'t> {
    /// The permit among answers of its kind, and the permit among all. `None` if the turns have
    /// ended with the server.
    _permits: [Option<SemaphorePermit<'t>>; 2],
}

impl Turns {
    /// Creates the turns of so many answers at the same time.
    pub(crate) fn new(answers: usize) -> Turns {
        let [page, large_row] = [Semaphore::new(1), Semaphore::new(1)];
        let are_rows_large = AtomicBool::new(false);
        Turns { all: Semaphore::new(answers), page, large_row, are_rows_large }
    }

    /// Waits for the turn of a request.
    pub(crate) async fn take(&self, cost: Cost) -> Turn<'_> {
        let of_kind = match cost {
            Cost::Page => self.page.acquire().await.ok(),
            Cost::Results => None,
            Cost::Row => {
                let turn = self.all.acquire().await.ok();
                // Rows that came before the first large one learn of it here.
                if !self.are_rows_large.load(Ordering::Relaxed) {
                    return Turn { _permits: [None, turn] };
                }
                drop(turn);
                self.large_row.acquire().await.ok()
            }
        };
        Turn { _permits: [of_kind, self.all.acquire().await.ok()] }
    }

    /// Notes the bytes of an answer.
    pub(crate) fn note(&self, cost: Cost, bytes: usize) {
        if cost == Cost::Row {
            self.are_rows_large.store(bytes >= LARGE, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// Returns whether a future is ready at once.
    fn is_ready<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    #[test]
    fn one_large_row_and_one_page_leave_turns_to_searches() {
        let turns = Turns::new(3);
        let small = [Cost::Row; 3].map(|cost| is_ready(turns.take(cost)));
        assert!(small.iter().all(Option::is_some));
        assert!(is_ready(turns.take(Cost::Results)).is_none());
        drop(small);
        turns.note(Cost::Row, LARGE);
        turns.note(Cost::Results, 0);
        let large = is_ready(turns.take(Cost::Row)).unwrap();
        assert!(is_ready(turns.take(Cost::Row)).is_none());
        let page = is_ready(turns.take(Cost::Page)).unwrap();
        assert!(is_ready(turns.take(Cost::Page)).is_none());
        assert!(is_ready(turns.take(Cost::Results)).is_some());
        drop((large, page));
        turns.note(Cost::Row, LARGE - 1);
        let small = [Cost::Row; 3].map(|cost| is_ready(turns.take(cost)));
        assert!(small.iter().all(Option::is_some));
    }
}
