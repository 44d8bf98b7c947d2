//! The answers that are being sent. If their memory is needed, the server closes the connections
//! of clients that do not read.

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::Notify;

/// An answer without progress for this long may be dropped to free memory.
const STALLED_AFTER: Duration = Duration::from_millis(250);

/// An answer of this age may be dropped although its client reads a little now and then.
const SLOW_AFTER: Duration = Duration::from_secs(10);

/// The part of a connection that its answers and its stream share.
pub(crate) struct Connection {
    /// Closes the connection.
    pub(crate) closing: Notify,
    /// The last time at which the client took bytes.
    wrote: Mutex<Instant>,
}

impl Connection {
    pub(crate) fn new() -> Connection {
        Connection { closing: Notify::new(), wrote: Mutex::new(Instant::now()) }
    }

    fn note_progress(&self) {
        *self.wrote.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn idle(&self) -> Duration {
        self.wrote.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}

/// A stream that notes when its client takes bytes.
pub(crate) struct ProgressStream {
    stream: TokioIo<TcpStream>,
    connection: Arc<Connection>,
}

impl ProgressStream {
    pub(crate) fn new(stream: TcpStream, connection: &Arc<Connection>) -> ProgressStream {
        ProgressStream { stream: TokioIo::new(stream), connection: Arc::clone(connection) }
    }

    fn noted(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.connection.note_progress();
        }
        written
    }
}

impl Read for ProgressStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl Write for ProgressStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.noted(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.noted(written)
    }
}

/// The answers that are being sent, by age.
#[derive(Default)]
pub(crate) struct ActiveAnswers(Mutex<Answers>);

#[derive(Default)]
struct Answers {
    /// Number of the last answer.
    next: u64,
    by_number: BTreeMap<u64, ActiveAnswer>,
}

struct ActiveAnswer {
    since: Instant,
    /// Bytes of the answer.
    bytes: usize,
    connection: Arc<Connection>,
}

impl ActiveAnswer {
    /// Whether the answer may be dropped to free memory.
    fn may_be_dropped(&self) -> bool {
        let age = self.since.elapsed();
        age >= SLOW_AFTER || (age >= STALLED_AFTER && self.connection.idle() >= STALLED_AFTER)
    }
}

/// One answer among [`ActiveAnswers`], until this is dropped.
pub(crate) struct ActiveAnswerGuard {
    all: Arc<ActiveAnswers>,
    number: u64,
}

impl Drop for ActiveAnswerGuard {
    fn drop(&mut self) {
        self.all.with(|answers| answers.by_number.remove(&self.number));
    }
}

impl ActiveAnswers {
    /// Adds an answer of `bytes` bytes to a connection.
    pub(crate) fn add(
        self: &Arc<ActiveAnswers>,
        bytes: usize,
        connection: &Arc<Connection>,
    ) -> ActiveAnswerGuard {
        let answer =
            ActiveAnswer { since: Instant::now(), bytes, connection: Arc::clone(connection) };
        let number = self.with(|answers| {
            answers.next += 1;
            answers.by_number.insert(answers.next, answer);
            answers.next
        });
        ActiveAnswerGuard { all: Arc::clone(self), number }
    }

    /// Closes connections whose clients do not read, the oldest answers first, until they return
    /// `bytes` bytes.
    pub(crate) fn close_stalled(&self, bytes: usize) {
        self.with(|answers| {
            let mut returned = 0;
            answers.by_number.retain(|_, answer| {
                let stays = returned >= bytes || !answer.may_be_dropped();
                if !stays {
                    answer.connection.closing.notify_one();
                    returned += answer.bytes;
                }
                stays
            });
        });
    }

    fn with<T>(&self, change: impl FnOnce(&mut Answers) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
