//! Counts the allocation requests and the allocated bytes of each thread, for tests of memory use.
//!
//! ```
//! use huller_testkit::allocations::{CountingAllocator, count, most_bytes};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! let before = count();
//! let text = String::from("memory");
//! assert_eq!(count() - before, 1);
//! # drop(text);
//! assert_eq!(most_bytes(|| Vec::<u8>::with_capacity(100)).0, 100);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
    /// Allocated bytes. Other threads may free what this one allocated, and the other way round.
    static BYTES: Cell<isize> = const { Cell::new(0) };
    /// The most allocated bytes since the beginning of a measurement.
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// Returns how many allocations this thread has requested, if [`CountingAllocator`] is the global
/// allocator.
pub fn count() -> usize {
    REQUESTS.get()
}

/// Returns the most bytes that this thread had allocated at a time in a function, beyond those
/// before it, and the function's result. [`CountingAllocator`] must be the global allocator.
pub fn most_bytes<T>(function: impl FnOnce() -> T) -> (usize, T) {
    let bytes_before = BYTES.get();
    MOST.set(bytes_before);
    let result = function();
    ((MOST.get() - bytes_before).unsigned_abs(), result)
}

/// The system's allocator with a counter of requests per thread.
#[derive(Debug)]
pub struct CountingAllocator;

fn add_request(bytes: isize) {
    // At the end of a thread the counter is destroyed and no longer needed.
    let _ = REQUESTS.try_with(|requests| requests.set(requests.get() + 1));
    add_bytes(bytes);
}

fn add_bytes(bytes: isize) {
    let _ = BYTES.try_with(|total| {
        total.set(total.get() + bytes);
        MOST.with(|most| most.set(most.get().max(total.get())));
    });
}

// SAFETY: every call is passed unchanged to the system's allocator, which keeps the contract.
// Counting allocates nothing.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add_request(layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add_request(layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add_request(size.cast_signed() - layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        add_bytes(-layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}
