//! How the system's allocator gives memory back.

/// Bytes from which on a buffer is a mapping of its own, which goes back to the system as soon as
/// it is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_BYTES: libc::c_int = 1 << 20;

/// Has large buffers given back when they are freed. By default the GNU library raises the bound to
/// 32 MiB after the first of them, and each thread then keeps what its giants took, beside the
/// budget of the run.
#[expect(unsafe_code, reason = "the allocator is set by a function of the C library alone")]
pub(crate) fn give_back_giants() {
    // SAFETY: `mallopt` takes two numbers, and may be called at any time; here no other thread has
    // started.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES);
    }
}
