//! A store that is not used costs nothing. Alone in its program, since it counts threads.

use huller_archive::Store;
use huller_remote::{Remote, Settings};

#[test]
fn a_store_that_opens_nothing_starts_no_thread() {
    let threads = || std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    let before = threads();
    let remote = Remote::new(Settings::default());
    assert!(remote.max_memory_bytes() > 32 << 20);
    assert!(remote.open("s3://").is_err() && remote.open("ftp://host/x").is_err());
    assert_eq!(threads(), before);
}
