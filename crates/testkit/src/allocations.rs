//! Counts the allocation requests of each thread, for tests of memory use.
//!
//! ```
//! use huller_testkit::allocations::{CountingAllocator, count};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! let before = count();
//! let text = String::from("memory");
//! assert_eq!(count() - before, 1);
//! # drop(text);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

/// Returns how many allocations this thread has requested, if [`CountingAllocator`] is the global
/// allocator.
pub fn count() -> usize {
    REQUESTS.get()
}

/// The system's allocator with a counter of requests per thread.
#[derive(Debug)]
pub struct CountingAllocator;

fn add_request() {
    // At the end of a thread the counter is destroyed and no longer needed.
    let _ = REQUESTS.try_with(|requests| requests.set(requests.get() + 1));
}

// SAFETY: every call is passed unchanged to the system's allocator, which keeps the contract.
// Counting allocates nothing.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add_request();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add_request();
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add_request();
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}
