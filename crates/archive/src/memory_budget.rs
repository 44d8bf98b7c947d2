//! A reservation of memory that readers request before they grow large buffers.

/// Size in bytes up to which a buffer grows without a request.
pub(crate) const UNASKED: usize = 1 << 20;

/// A memory budget. Readers ask it before a buffer grows beyond 1 MiB, and it may wait until memory
/// is free.
pub trait MemoryBudget {
    /// Waits until a buffer may hold `bytes` bytes in place of its present ones.
    fn wait_for(&mut self, bytes: usize);
}

/// Grants every request at once.
impl MemoryBudget for () {
    fn wait_for(&mut self, _: usize) {}
}
