//! Settings for fetching files.

use std::time::Duration;

/// Settings for fetching files. They affect only time and memory, never the bytes that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size in bytes of all pieces, of all files together, that are requested in advance.
    pub read_ahead: usize,
    /// Number of retries of a request, and of the body of a piece.
    pub retries: usize,
    /// The first pause before a retry. Pauses are random, and double on average.
    pub first_pause: Duration,
    /// The longest pause before a retry.
    pub longest_pause: Duration,
    /// Longest wait for a connection.
    pub connect: Duration,
    /// Longest wait for the next bytes.
    pub idle: Duration,
    /// Longest time for one piece of a file, including all retries.
    pub longest: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            read_ahead: Settings::READ_AHEAD,
            retries: 10,
            first_pause: Duration::from_millis(200),
            longest_pause: Duration::from_secs(20),
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            longest: Duration::from_mins(10),
        }
    }
}

impl Settings {
    /// Default of [`read_ahead`](Settings::read_ahead), in bytes.
    pub const READ_AHEAD: usize = 32 << 20;
}
