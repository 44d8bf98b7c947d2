//! The runtime and the account of all open files.

use std::io;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// The first piece of a stream, and the longest for which there is no room in the account.
pub(crate) const FIRST_BYTES: u64 = 256 << 10;

/// Most bytes that one request asks for.
pub(crate) const PIECE_BYTES: u64 = 4 << 20;

/// What the account counts in: it cannot count bytes beyond four billion.
pub(crate) const UNIT: u64 = 1 << 10;

/// What the runtime, its thread, and clients with their connections take, in bytes.
pub(crate) const BASE_BYTES: usize = 16 << 20;

/// What all open files share.
pub(crate) struct Shared {
    /// Always there until it is dropped.
    runtime: Option<Runtime>,
    /// Room for what is asked for ahead, in units of [`UNIT`] bytes.
    pub(crate) account: Arc<Semaphore>,
    read_ahead: u64,
}

impl Shared {
    pub(crate) fn new(read_ahead: usize) -> io::Result<Shared> {
        // There may be one already: then it is that which is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("stores")
            .enable_all()
            .build()?;
        let units = (read_ahead as u64 / UNIT) as usize;
        Ok(Shared {
            runtime: Some(runtime),
            account: Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))),
            read_ahead: read_ahead as u64,
        })
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("it is taken when this is dropped")
    }

    /// Waits until something is done. For threads that are not the runtime's.
    pub(crate) fn wait_for<T>(&self, what: impl Future<Output = T>) -> T {
        self.runtime().block_on(what)
    }

    /// Begins something.
    pub(crate) fn spawn(&self, what: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        self.runtime().spawn(what).abort_handle()
    }

    /// The longest piece that is asked for: four of them fit into the account.
    pub(crate) fn longest_piece(&self) -> u64 {
        (self.read_ahead / 4).clamp(FIRST_BYTES, PIECE_BYTES)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // A name that is being resolved must not hold up the end of the program.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("account", &self.account.available_permits())
            .finish_non_exhaustive()
    }
}
