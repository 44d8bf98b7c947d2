//! How files are fetched.

use std::time::Duration;

/// How files are fetched. Nothing of it changes what is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Bytes of all files together that are asked for before they are wanted.
    pub read_ahead: usize,
    /// How often a request is made again, and how often the body of a piece is taken up again.
    pub retries: usize,
    /// The first pause before something is tried again. They are random, and in the mean each is
    /// twice as long as the one before.
    pub first_pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
    /// How long to wait for a connection.
    pub connect: Duration,
    /// How long to wait for the next bytes.
    pub idle: Duration,
    /// How long one piece of a file may take with all that is tried again.
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
    /// Bytes that are asked for ahead where nothing is said.
    pub const READ_AHEAD: usize = 32 << 20;
}
