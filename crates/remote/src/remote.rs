//! The store that the program has.

use crate::address::Address;
use crate::clients::Clients;
use crate::fetch::Object;
use crate::file::File;
use crate::settings::Settings;
use crate::stream::{FIRST_BYTES, UNIT};
use huller_archive::{RemoteFile, Store};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// What the runtime, its thread, and clients with their connections take, in bytes.
const BASE_BYTES: usize = 16 << 20;

/// Opens addresses. Holds nothing, and starts no thread, before the first is opened.
#[derive(Debug)]
pub struct Remote {
    settings: Settings,
    clients: Clients,
    shared: Mutex<Option<Arc<Shared>>>,
}

impl Remote {
    /// A store that fetches files as these settings say.
    pub fn new(settings: Settings) -> Remote {
        Remote { settings, clients: Clients::default(), shared: Mutex::new(None) }
    }

    fn shared(&self) -> io::Result<Arc<Shared>> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = &*shared {
            return Ok(Arc::clone(shared));
        }
        // There may be one already: then it is that which is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("stores")
            .enable_all()
            .build()?;
        let units = (self.settings.read_ahead as u64 / UNIT) as usize;
        let new = Arc::new(Shared {
            runtime: Some(runtime),
            account: Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))),
            read_ahead: self.settings.read_ahead as u64,
        });
        *shared = Some(Arc::clone(&new));
        Ok(new)
    }
}

impl Store for Remote {
    fn open(&self, address: &str) -> io::Result<Arc<dyn RemoteFile>> {
        let Address { holder, path } = Address::parse(address)?;
        let shared = self.shared()?;
        let client = self.clients.of(&holder, &self.settings)?;
        let object = Object::new(client, path, address, &self.settings);
        Ok(Arc::new(File::open(shared, object)?))
    }

    fn held_bytes(&self) -> usize {
        self.settings.read_ahead.saturating_add(BASE_BYTES)
    }
}

/// What all open files share.
pub(crate) struct Shared {
    /// Always there until it is dropped.
    runtime: Option<Runtime>,
    /// Room for what is asked for ahead, in units of [`UNIT`] bytes.
    pub(crate) account: Arc<Semaphore>,
    read_ahead: u64,
}

impl Shared {
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
    pub(crate) fn longest_piece(&self, most: u64) -> u64 {
        (self.read_ahead / 4).clamp(FIRST_BYTES, most)
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
