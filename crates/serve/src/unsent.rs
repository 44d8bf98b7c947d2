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

/// Time without progress after which an answer gives way to a request that lacks memory.
const STALLED: Duration = Duration::from_millis(250);

/// Age from which an answer gives way although its client reads a little now and then.
const SLOW: Duration = Duration::from_secs(10);

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
pub(crate) struct Watched {
    stream: TokioIo<TcpStream>,
    connection: Arc<Connection>,
}

impl Watched {
    pub(crate) fn new(stream: TcpStream, connection: &Arc<Connection>) -> Watched {
        Watched { stream: TokioIo::new(stream), connection: Arc::clone(connection) }
    }

    fn noted(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.connection.note_progress();
        }
        written
    }
}

impl Read for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl Write for Watched {
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
pub(crate) struct Unsent(Mutex<Answers>);

#[derive(Default)]
struct Answers {
    next: u64,
    by_number: BTreeMap<u64, Sending>,
}

struct Sending {
    since: Instant,
    bytes: usize,
    connection: Arc<Connection>,
}

impl Sending {
    /// Whether the answer gives way to a request that lacks memory.
    fn gives_way(&self) -> bool {
        let age = self.since.elapsed();
        age >= SLOW || (age >= STALLED && self.connection.idle() >= STALLED)
    }
}

/// One answer among [`Unsent`], until this is dropped.
pub(crate) struct UnsentAnswer {
    all: Arc<Unsent>,
    number: u64,
}

impl Drop for UnsentAnswer {
    fn drop(&mut self) {
        self.all.with(|answers| answers.by_number.remove(&self.number));
    }
}

impl Unsent {
    /// Adds an answer of `bytes` bytes to a connection.
    pub(crate) fn add(
        self: &Arc<Unsent>,
        bytes: usize,
        connection: &Arc<Connection>,
    ) -> UnsentAnswer {
        let sending = Sending { since: Instant::now(), bytes, connection: Arc::clone(connection) };
        let number = self.with(|answers| {
            answers.next += 1;
            answers.by_number.insert(answers.next, sending);
            answers.next
        });
        UnsentAnswer { all: Arc::clone(self), number }
    }

    /// Closes connections whose clients do not read, the oldest answers first, until they return
    /// `bytes` bytes.
    pub(crate) fn close_stalled(&self, bytes: usize) {
        self.with(|answers| {
            let mut returned = 0;
            answers.by_number.retain(|_, sending| {
                let stays = returned >= bytes || !sending.gives_way();
                if !stays {
                    sending.connection.closing.notify_one();
                    returned += sending.bytes;
                }
                stays
            });
        });
    }

    fn with<T>(&self, change: impl FnOnce(&mut Answers) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
