//! The runtime and the read-ahead budget that all open files share.

use std::io;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// Length in bytes of the first piece of a stream, and the longest piece outside the budget.
pub(crate) const FIRST_PIECE_BYTES: u64 = 256 << 10;

/// Most bytes of one request.
pub(crate) const MAX_REQUEST_BYTES: u64 = 4 << 20;

/// Bytes per permit of the budget, since a semaphore cannot count single bytes beyond four billion.
pub(crate) const PERMIT_BYTES: u64 = 1 << 10;

/// Size in bytes of the runtime, its thread, and clients with their connections.
pub(crate) const BASE_BYTES: usize = 16 << 20;

/// The resources that all open files share.
pub(crate) struct SharedResources {
    /// `Some` until it is dropped.
    runtime: Option<Runtime>,
    /// The budget for pieces that are requested in advance, in units of [`PERMIT_BYTES`] bytes.
    pub(crate) read_ahead_permits: Arc<Semaphore>,
    read_ahead: u64,
}

impl SharedResources {
    /// Starts the runtime, with a budget of `read_ahead` bytes.
    pub(crate) fn new(read_ahead: usize) -> io::Result<SharedResources> {
        // If a default provider is already installed, it stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("stores")
            .enable_all()
            .build()?;
        let units = (read_ahead as u64 / PERMIT_BYTES) as usize;
        Ok(SharedResources {
            runtime: Some(runtime),
            read_ahead_permits: Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))),
            read_ahead: read_ahead as u64,
        })
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("it is taken when this is dropped")
    }

    /// Blocks until a future is done. Only threads outside the runtime may call it.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime().block_on(future)
    }

    /// Starts a task on the runtime.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        self.runtime().spawn(future).abort_handle()
    }

    /// Returns the length of the longest piece in bytes: four of them fit into the budget.
    pub(crate) fn max_piece_bytes(&self) -> u64 {
        (self.read_ahead / 4).clamp(FIRST_PIECE_BYTES, MAX_REQUEST_BYTES)
    }
}

impl Drop for SharedResources {
    fn drop(&mut self) {
        // The resolution of a host name must not delay the end of the program.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl std::fmt::Debug for SharedResources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedResources")
            .field("read_ahead_permits", &self.read_ahead_permits.available_permits())
            .finish_non_exhaustive()
    }
}
