//! The store that the program passes to the archive reader.

use crate::address::Address;
use crate::clients::Clients;
use crate::fetch::Object;
use crate::file::File;
use crate::folder::Folder;
use crate::settings::Settings;
use crate::shared_resources::{BASE_BYTES, SharedResources};
use crate::source::Source;
use huller_archive::{OutputStore, RemoteFile, Store};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Opens URLs. It uses no memory and starts no thread before the first URL is opened.
#[derive(Debug)]
pub struct Remote {
    settings: Settings,
    clients: Clients,
    /// Number of bytes that were received from all files.
    got: Arc<AtomicU64>,
    shared: Mutex<Option<Arc<SharedResources>>>,
}

impl Remote {
    /// Returns a store that fetches files according to these settings.
    pub fn new(settings: Settings) -> Remote {
        let (clients, got, shared) = (Clients::default(), Arc::default(), Mutex::new(None));
        Remote { settings, clients, got, shared }
    }

    /// Returns the folder at a URL of a store, for writing. It sends no request yet.
    ///
    /// # Errors
    ///
    /// The URL is not that of a writable store, or the environment lacks a setting that its client
    /// needs.
    pub fn folder(&self, address: &str) -> io::Result<Arc<dyn OutputStore>> {
        Ok(Arc::new(Folder::open(self.shared_resources()?, address, &self.settings)?))
    }

    fn shared_resources(&self) -> io::Result<Arc<SharedResources>> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = &*shared {
            return Ok(Arc::clone(shared));
        }
        let new = Arc::new(SharedResources::new(self.settings.read_ahead)?);
        *shared = Some(Arc::clone(&new));
        Ok(new)
    }
}

impl Store for Remote {
    fn open(&self, address: &str) -> io::Result<Arc<dyn RemoteFile>> {
        let Address { backend, path } = Address::parse(address)?;
        let shared = self.shared_resources()?;
        let client = self.clients.of(&backend, &self.settings)?;
        let object = Object::new(client, path, address, &self.settings, &self.got);
        Ok(Arc::new(File(Arc::new(Source::open(shared, object)?))))
    }

    fn got_bytes(&self) -> u64 {
        self.got.load(Ordering::Relaxed)
    }

    fn max_memory_bytes(&self) -> usize {
        self.settings.read_ahead.saturating_add(BASE_BYTES)
    }
}
