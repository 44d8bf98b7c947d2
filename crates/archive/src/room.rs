//! Memory for giants, asked for before it is taken.

/// Bytes up to which memory is taken without asking.
pub(crate) const UNASKED: usize = 1 << 20;

/// Is asked before a buffer grows beyond a MiB, and may wait until there is memory for it.
pub trait Room {
    /// A buffer is about to hold so many bytes in place of those it held.
    fn wait_for(&mut self, bytes: usize);
}

/// As much as is asked for.
impl Room for () {
    fn wait_for(&mut self, _: usize) {}
}
