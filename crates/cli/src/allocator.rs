//! Makes the system's allocator return large buffers.

/// Size in bytes from which a buffer is a mapping of its own. Freeing it returns it to the system
/// at once.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MMAP_THRESHOLD_BYTES: libc::c_int = 1 << 20;

/// Makes the allocator return large buffers when they are freed. By default glibc raises the
/// threshold up to 32 MiB after the first freed mapping. Then each thread would keep the memory of
/// its largest buffers, on top of the budget of the run.
#[expect(unsafe_code, reason = "the allocator is set by a function of the C library alone")]
pub(crate) fn set_mmap_threshold() {
    // SAFETY: `mallopt` takes two numbers, and may be called at any time. No other thread has
    // started yet.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES);
    }
}
