//! Limits how many requests of one kind run at a time, and the memory of their answers.
//!
//! Searches have a limiter of their own, so that they wait for no row, page or report. A limiter
//! admits requests in the order of their arrival.

use crate::active_answers::{ActiveAnswerGuard, ActiveAnswers, Connection};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::time::timeout;

/// Interval at which a request that lacks memory closes connections.
const CLOSING_INTERVAL: Duration = Duration::from_millis(20);

/// Bytes of a unit of the budget.
const UNIT_BYTES: usize = 1024;

/// Limits the requests of one kind that run at a time, and the memory of their answers.
pub(crate) struct RequestLimiter {
    /// One permit for each request that may run.
    running: Semaphore,
    /// Free units of the budget.
    budget: Arc<Semaphore>,
    /// All units of the budget.
    units: usize,
    active: Arc<ActiveAnswers>,
}

/// Lets a request run, with memory for its answer.
pub(crate) struct RequestPermit<'l> {
    limiter: &'l RequestLimiter,
    /// `None` after the server has closed the semaphore.
    reserved: Option<OwnedSemaphorePermit>,
    _running: Option<SemaphorePermit<'l>>,
}

/// The memory of an answer until it is sent.
pub(crate) struct MemoryPermit {
    _memory: Option<OwnedSemaphorePermit>,
    _answer: ActiveAnswerGuard,
}

impl RequestLimiter {
    /// Allows `answers` concurrent answers, which together hold at most `bytes` until they are
    /// sent.
    pub(crate) fn new(answers: usize, bytes: usize) -> RequestLimiter {
        let units = bytes.div_ceil(UNIT_BYTES).max(1);
        let [running, budget] = [answers.max(1), units].map(Semaphore::new);
        RequestLimiter { running, budget: Arc::new(budget), units, active: Arc::default() }
    }

    /// Waits until the request may run and there is memory for an answer of at most `bytes` bytes.
    /// The whole budget is enough for any answer.
    pub(crate) async fn acquire(&self, bytes: usize) -> RequestPermit<'_> {
        let running = self.running.acquire().await.ok();
        let units = bytes.div_ceil(UNIT_BYTES).clamp(1, self.units);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        let mut reserving = pin!(Arc::clone(&self.budget).acquire_many_owned(units));
        let reserved = loop {
            match timeout(CLOSING_INTERVAL, reserving.as_mut()).await {
                Ok(reserved) => break reserved.ok(),
                Err(_) => self.close_stalled(bytes),
            }
        };
        RequestPermit { limiter: self, reserved, _running: running }
    }

    /// Closes connections whose clients do not read, until they return `bytes` bytes.
    pub(crate) fn close_stalled(&self, bytes: usize) {
        self.active.close_stalled(bytes);
    }
}

impl RequestPermit<'_> {
    /// Ends the request with an answer of `bytes` bytes. The rest of its memory returns to the
    /// budget.
    pub(crate) fn finish(mut self, bytes: usize, connection: &Arc<Connection>) -> MemoryPermit {
        let units = bytes.div_ceil(UNIT_BYTES);
        let reserved = self.reserved.as_mut();
        let memory = reserved.and_then(|permits| permits.split(units.min(permits.num_permits())));
        MemoryPermit { _memory: memory, _answer: self.limiter.active.add(bytes, connection) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::{Context, Poll, Waker};

    /// Returns the value of a future that is ready at once.
    fn ready<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    #[test]
    fn requests_wait_for_permits_and_answers_keep_their_bytes() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(wait_and_keep());
    }

    async fn wait_and_keep() {
        let limiter = RequestLimiter::new(2, 10 * UNIT_BYTES);
        let permits =
            [limiter.acquire(4 * UNIT_BYTES).await, limiter.acquire(4 * UNIT_BYTES).await];
        assert!(ready(limiter.acquire(1)).is_none());
        let connection = Arc::new(Connection::new());
        let kept = permits.map(|permit| permit.finish(3 * UNIT_BYTES, &connection));
        assert_eq!(limiter.budget.available_permits(), 4);
        assert!(ready(limiter.acquire(5 * UNIT_BYTES)).is_none());
        assert!(ready(limiter.acquire(4 * UNIT_BYTES)).is_some());
        drop(kept);
        // An answer that could take more than the budget gets all of it.
        assert!(ready(limiter.acquire(99 * UNIT_BYTES)).is_some());
        assert_eq!(limiter.budget.available_permits(), 10);
    }
}
