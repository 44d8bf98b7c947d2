//! An index of n-gram hashes. It finds the evaluation task that an n-gram belongs to.

use crate::error::ModelError;
use crate::seeded_hash::hash_number;

/// The most tasks of an index.
const MAX_TASKS: usize = 1000;

/// The hashes of n-grams and their tasks. It takes 34 to 68 bytes per n-gram, and keeps only
/// 64-bit hashes. With a million n-grams, one text of 1,000 words in 10^10 has a false match.
///
/// ```
/// use huller_models::NgramIndex;
///
/// let mut index = NgramIndex::default();
/// let task = index.task("quiz").unwrap();
/// index.insert(7, task);
/// assert_eq!(index.find(7).map(|task| index.name(task)), Some("quiz"));
/// assert_eq!(index.find(8), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NgramIndex {
    /// Pairs of a hash and its task plus one; a free slot has 0. Open addressing by the hash; the
    /// length is 0 or a power of two.
    slots: Vec<(u64, u32)>,
    /// A Bloom filter with one bit per hash and eight bits per slot. Most hashes of texts are
    /// absent. The bits of a hundred thousand n-grams fit into the second-level cache.
    filter: Vec<u64>,
    /// Number of n-grams.
    len: usize,
    tasks: Vec<String>,
}

impl NgramIndex {
    /// Returns the number of a task, which is new if no task has the name.
    ///
    /// # Errors
    ///
    /// There are more tasks than an index can have (1,000).
    pub fn task(&mut self, name: &str) -> Result<u32, ModelError> {
        if let Some(task) = self.tasks.iter().position(|known| known == name) {
            return Ok(task as u32);
        }
        if self.tasks.len() == MAX_TASKS {
            return Err(ModelError::Unsupported {
                feature: format!("more than {MAX_TASKS} tasks"),
            });
        }
        self.tasks.push(name.to_owned());
        Ok(self.tasks.len() as u32 - 1)
    }

    /// Returns the names of all tasks, by their numbers.
    pub fn names(&self) -> &[String] {
        &self.tasks
    }

    /// Returns the name of a task.
    ///
    /// # Panics
    ///
    /// If there is no such task.
    pub fn name(&self, task: u32) -> &str {
        &self.tasks[task as usize]
    }

    /// Returns the number of different hashes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no hashes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a hash. If it is there already, it belongs to this task from now on.
    pub fn insert(&mut self, hash: u64, task: u32) {
        if self.slots.len() < (self.len + 1) * 2 {
            let slots = (self.slots.len() * 2).max(16);
            let old_slots = std::mem::replace(&mut self.slots, vec![(0, 0); slots]);
            self.filter = vec![0; slots / 8];
            for entry in old_slots.into_iter().filter(|(_, task)| *task > 0) {
                let slot = self.find_slot(entry.0);
                self.slots[slot] = entry;
                self.add_to_filter(entry.0);
            }
        }
        self.add_to_filter(hash);
        let slot = self.find_slot(hash);
        self.len += usize::from(self.slots[slot].1 == 0);
        self.slots[slot] = (hash, task + 1);
    }

    /// Adds the hashes of a file that datatrove's indexer wrote: numbers of 64 bits, little-endian.
    ///
    /// # Errors
    ///
    /// The file does not consist of such numbers.
    pub fn insert_file(&mut self, bytes: &[u8], task: u32) -> Result<(), ModelError> {
        let (hashes, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            let problem = "the file ends within a hash of 64 bits";
            return Err(ModelError::Damaged { offset: bytes.len() - rest.len(), problem });
        }
        for hash in hashes {
            self.insert(u64::from_le_bytes(*hash), task);
        }
        Ok(())
    }

    /// Returns the task of a hash.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<u32> {
        let (word, bit) = self.filter_bit(hash);
        if self.filter.get(word)? & bit == 0 {
            return None;
        }
        self.slots[self.find_slot(hash)].1.checked_sub(1)
    }

    fn add_to_filter(&mut self, hash: u64) {
        let (word, bit) = self.filter_bit(hash);
        self.filter[word] |= bit;
    }

    /// Returns the word of the filter that has the bit of a hash, and the bit.
    #[inline]
    fn filter_bit(&self, hash: u64) -> (usize, u64) {
        let mixed = hash_number(hash);
        let word = (mixed >> 32) as usize & self.filter.len().wrapping_sub(1);
        (word, 1 << (mixed >> 58))
    }

    /// Returns the slot of a hash, or the free slot where it would be.
    #[inline]
    fn find_slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash_number(hash) as usize & mask;
        while self.slots[slot].1 > 0 && self.slots[slot].0 != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_found_with_the_task_that_came_last() {
        let mut index = NgramIndex::default();
        assert_eq!(index.find(0), None);
        let [one, two] = ["one", "two"].map(|name| index.task(name).unwrap());
        for hash in 0..1000 {
            index.insert(hash << 40, one);
        }
        let bytes: Vec<u8> = [5u64 << 40, u64::MAX].iter().flat_map(|n| n.to_le_bytes()).collect();
        index.insert_file(&bytes, two).unwrap();
        assert!(index.insert_file(&bytes[..9], two).is_err());
        assert_eq!((index.len(), index.task("one").unwrap()), (1001, one));
        assert_eq!(
            [0, 5 << 40, u64::MAX, 6].map(|hash| index.find(hash)),
            [Some(one), Some(two), Some(two), None]
        );
        assert_eq!(index.names(), ["one", "two"]);
    }

    #[test]
    fn tasks_are_limited() {
        let mut index = NgramIndex::default();
        let fit = (0..2000).take_while(|n: &u32| index.task(&n.to_string()).is_ok()).count();
        assert_eq!(fit, MAX_TASKS);
        assert_eq!(index.task("7").unwrap(), 7);
    }
}
