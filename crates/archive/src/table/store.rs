//! Keeps decompressed pages for all threads that read a table, since a page holds the rows of many
//! batches.

use super::fault::TableFault;
use super::page::Dictionary;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The contents of a page.
#[derive(Debug)]
pub(super) enum PageContents {
    Data(Vec<u8>),
    Dictionary(Dictionary),
}

impl PageContents {
    fn bytes(&self) -> usize {
        match self {
            PageContents::Data(bytes) => bytes.capacity(),
            PageContents::Dictionary(Dictionary { bytes, places }) => {
                bytes.capacity() + places.capacity() * size_of::<(u32, u32)>()
            }
        }
    }
}

type PageSlot = Arc<Mutex<Option<Arc<PageContents>>>>;

/// Size in bytes of the overhead of a page in this store.
const ENTRY: usize = size_of::<Entry>() + 4 * size_of::<u64>() + size_of::<PageContents>();

/// The most recently used pages, of at most `most` bytes in total, and always the last one.
#[derive(Debug)]
pub(super) struct PageStore {
    max_bytes: usize,
    kept: Mutex<PageCache>,
}

/// A table may have a million pages of a few bytes, so the time of each step hardly grows with
/// their number.
#[derive(Debug, Default)]
struct PageCache {
    /// The pages by their offsets in the file.
    pages: HashMap<u64, Entry>,
    /// The offsets of the pages by the times of their last use.
    by_use: BTreeMap<u64, u64>,
    /// The time, which grows by one with each use.
    now: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    slot: PageSlot,
    bytes: usize,
    /// The time of its last use.
    last_use: u64,
}

impl PageStore {
    pub(super) fn new(max_bytes: usize) -> PageStore {
        PageStore { max_bytes, kept: Mutex::default() }
    }

    /// Returns the page at this offset, if it is kept.
    pub(super) fn kept_page(&self, offset: u64) -> Option<Arc<PageContents>> {
        let slot = self.lock_cache().slot(offset, false)?;
        let page = slot.lock().unwrap_or_else(PoisonError::into_inner);
        page.clone()
    }

    /// Returns the page at this offset. If it is not kept, one thread loads it. Other threads that
    /// want the same page wait for that thread, so `load` may wait only for the disk.
    pub(super) fn get(
        &self,
        offset: u64,
        load: impl FnOnce() -> Result<PageContents, TableFault>,
    ) -> Result<Arc<PageContents>, TableFault> {
        let Some(slot) = self.lock_cache().slot(offset, true) else { return load().map(Arc::new) };
        let mut page = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = &*page {
            return Ok(Arc::clone(page));
        }
        let loaded = Arc::new(load()?);
        *page = Some(Arc::clone(&loaded));
        drop(page);
        self.lock_cache().add_size(offset, loaded.bytes(), self.max_bytes);
        Ok(loaded)
    }

    fn lock_cache(&self) -> std::sync::MutexGuard<'_, PageCache> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PageCache {
    fn slot(&mut self, offset: u64, make: bool) -> Option<PageSlot> {
        self.now += 1;
        if let Some(page) = self.pages.get_mut(&offset) {
            self.by_use.remove(&page.last_use);
            page.last_use = self.now;
            self.by_use.insert(self.now, offset);
            return Some(Arc::clone(&page.slot));
        }
        if !make {
            return None;
        }
        let slot = PageSlot::default();
        let entry = Entry { slot: Arc::clone(&slot), bytes: ENTRY, last_use: self.now };
        self.pages.insert(offset, entry);
        self.by_use.insert(self.now, offset);
        self.bytes += ENTRY;
        Some(slot)
    }

    /// Adds the size of the loaded page at this offset. Removes pages whose last use is oldest.
    fn add_size(&mut self, offset: u64, bytes: usize, most: usize) {
        if let Some(page) = self.pages.get_mut(&offset) {
            self.bytes += bytes;
            page.bytes += bytes;
        }
        while self.bytes > most && self.pages.len() > 1 {
            let Some((_, oldest)) = self.by_use.pop_first() else { break };
            self.bytes -= self.pages.remove(&oldest).map_or(0, |page| page.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_used_last_are_kept() {
        let store = PageStore::new(1000 + 4 * ENTRY);
        let load = |bytes: usize| move || Ok(PageContents::Data(vec![0; bytes]));
        for offset in 0..5 {
            store.get(offset, load(300)).unwrap();
            store.kept_page(0).unwrap();
        }
        let kept: Vec<_> = (0..5).filter(|offset| store.kept_page(*offset).is_some()).collect();
        assert_eq!(kept, [0, 3, 4]);
        store.get(9, load(5000)).unwrap();
        assert!(store.kept_page(9).is_some() && store.kept_page(0).is_none());
        assert!(store.get(10, || Err(TableFault::Ended)).is_err());
        assert!(store.kept_page(10).is_none() && store.get(10, load(1)).is_ok());
    }
}
