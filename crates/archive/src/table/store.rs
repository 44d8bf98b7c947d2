//! Pages that were decompressed, for all threads that read a table: a page holds the rows of many batches.

use super::fault::TableFault;
use super::page::Dictionary;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The contents of a page.
#[derive(Debug)]
pub(super) enum Loaded {
    Data(Vec<u8>),
    Dictionary(Dictionary),
}

impl Loaded {
    fn bytes(&self) -> usize {
        match self {
            Loaded::Data(bytes) => bytes.capacity(),
            Loaded::Dictionary(Dictionary { bytes, places }) => {
                bytes.capacity() + places.capacity() * size_of::<(u32, u32)>()
            }
        }
    }
}

type Slot = Arc<Mutex<Option<Arc<Loaded>>>>;

/// The pages that were used last, of so many bytes at most, and the very last one.
#[derive(Debug)]
pub(super) struct PageStore {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// By their offsets in the file; the one that was used last comes last.
    pages: VecDeque<(u64, Slot, usize)>,
    bytes: usize,
}

impl PageStore {
    pub(super) fn new(most: usize) -> PageStore {
        PageStore { most, kept: Mutex::default() }
    }

    /// The page at this offset, if it is there.
    pub(super) fn find(&self, offset: u64) -> Option<Arc<Loaded>> {
        let slot = self.kept().slot(offset, false)?;
        let page = slot.lock().unwrap_or_else(PoisonError::into_inner);
        page.clone()
    }

    /// The page at this offset. If it is not there it is loaded, by one thread: others that want the same page wait for it, so `load`
    /// must wait for nothing but the disk.
    pub(super) fn get(
        &self,
        offset: u64,
        load: impl FnOnce() -> Result<Loaded, TableFault>,
    ) -> Result<Arc<Loaded>, TableFault> {
        let Some(slot) = self.kept().slot(offset, true) else { return load().map(Arc::new) };
        let mut page = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = &*page {
            return Ok(Arc::clone(page));
        }
        let loaded = Arc::new(load()?);
        *page = Some(Arc::clone(&loaded));
        drop(page);
        self.kept().grew(offset, loaded.bytes(), self.most);
        Ok(loaded)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn slot(&mut self, offset: u64, make: bool) -> Option<Slot> {
        if let Some(place) = self.pages.iter().rposition(|(known, ..)| *known == offset) {
            let page = self.pages.remove(place)?;
            let slot = Arc::clone(&page.1);
            self.pages.push_back(page);
            return Some(slot);
        }
        if !make {
            return None;
        }
        let slot = Slot::default();
        self.pages.push_back((offset, Arc::clone(&slot), 0));
        Some(slot)
    }

    /// The page at this offset was loaded. Pages that were used long ago go.
    fn grew(&mut self, offset: u64, bytes: usize, most: usize) {
        if let Some((_, _, held)) = self.pages.iter_mut().find(|(known, ..)| *known == offset) {
            *held = bytes;
            self.bytes += bytes;
        }
        while self.bytes > most && self.pages.len() > 1 {
            let Some((.., held)) = self.pages.pop_front() else { break };
            self.bytes -= held;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_used_last_are_kept() {
        let store = PageStore::new(1000);
        let load = |bytes: usize| move || Ok(Loaded::Data(vec![0; bytes]));
        for offset in 0..5 {
            store.get(offset, load(300)).unwrap();
            store.find(0).unwrap();
        }
        let kept: Vec<_> = (0..5).filter(|offset| store.find(*offset).is_some()).collect();
        assert_eq!(kept, [0, 3, 4]);
        store.get(9, load(5000)).unwrap();
        assert!(store.find(9).is_some() && store.find(0).is_none());
        assert!(store.get(10, || Err(TableFault::Ended)).is_err());
        assert!(store.find(10).is_none() && store.get(10, load(1)).is_ok());
    }
}
