//! The lanes of a server: turns and memory for answers of one kind.
//!
//! Searches have a lane of their own, so that they wait for no row, page or report. In a lane,
//! answers have their turns in the order of their requests.

use crate::unsent::{Connection, Unsent, UnsentAnswer};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::time::timeout;

/// Interval at which a request that lacks memory closes connections.
const BETWEEN_CLOSINGS: Duration = Duration::from_millis(20);

/// Bytes of a unit in which the budget is counted.
const PIECE: usize = 1024;

/// Turns and memory for answers of one kind.
pub(crate) struct Lane {
    /// The answers that are made at the same time.
    turns: Semaphore,
    /// Free units of the budget.
    budget: Arc<Semaphore>,
    /// All units of the budget.
    units: usize,
    unsent: Arc<Unsent>,
}

/// The turn of a request, with memory for its answer.
pub(crate) struct Turn<'l> {
    lane: &'l Lane,
    /// `None` after the server has ended the turns.
    reserved: Option<OwnedSemaphorePermit>,
    _place: Option<SemaphorePermit<'l>>,
}

/// The memory of an answer until it is sent.
pub(crate) struct Kept {
    _memory: Option<OwnedSemaphorePermit>,
    _answer: UnsentAnswer,
}

impl Lane {
    /// Creates a lane for so many answers at the same time, which take so many bytes until they are
    /// sent.
    pub(crate) fn new(answers: usize, bytes: usize) -> Lane {
        let units = bytes.div_ceil(PIECE).max(1);
        let [turns, budget] = [answers.max(1), units].map(Semaphore::new);
        Lane { turns, budget: Arc::new(budget), units, unsent: Arc::default() }
    }

    /// Waits for the turn of a request, and for memory for an answer of at most so many bytes. The
    /// whole budget is enough for any answer.
    pub(crate) async fn take_turn(&self, bytes: usize) -> Turn<'_> {
        let place = self.turns.acquire().await.ok();
        let units = bytes.div_ceil(PIECE).clamp(1, self.units);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        let mut reserving = pin!(Arc::clone(&self.budget).acquire_many_owned(units));
        let reserved = loop {
            match timeout(BETWEEN_CLOSINGS, reserving.as_mut()).await {
                Ok(reserved) => break reserved.ok(),
                Err(_) => self.close_stalled(bytes),
            }
        };
        Turn { lane: self, reserved, _place: place }
    }

    /// Closes connections whose clients do not read, until they return `bytes` bytes.
    pub(crate) fn close_stalled(&self, bytes: usize) {
        self.unsent.close_stalled(bytes);
    }
}

impl Turn<'_> {
    /// Ends the turn with an answer of so many bytes. The rest of its memory returns to the budget.
    pub(crate) fn end(mut self, bytes: usize, connection: &Arc<Connection>) -> Kept {
        let units = bytes.div_ceil(PIECE);
        let reserved = self.reserved.as_mut();
        let memory = reserved.and_then(|all| all.split(units.min(all.num_permits())));
        Kept { _memory: memory, _answer: self.lane.unsent.add(bytes, connection) }
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
    fn answers_wait_for_turns_and_keep_their_bytes() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(wait_and_keep());
    }

    async fn wait_and_keep() {
        let lane = Lane::new(2, 10 * PIECE);
        let turns = [lane.take_turn(4 * PIECE).await, lane.take_turn(4 * PIECE).await];
        assert!(ready(lane.take_turn(1)).is_none());
        let connection = Arc::new(Connection::new());
        let kept = turns.map(|turn| turn.end(3 * PIECE, &connection));
        assert_eq!(lane.budget.available_permits(), 4);
        assert!(ready(lane.take_turn(5 * PIECE)).is_none());
        assert!(ready(lane.take_turn(4 * PIECE)).is_some());
        drop(kept);
        // An answer that could take more than the budget gets all of it.
        assert!(ready(lane.take_turn(99 * PIECE)).is_some());
        assert_eq!(lane.budget.available_permits(), 10);
    }
}
