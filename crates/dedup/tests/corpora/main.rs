//! Whole corpora: what is kept, what a killed run leaves, and what hostile rows cost.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod datatrove;
mod decisions;
mod hostile;
mod inputs;
mod paragraphs;
mod recall;
mod resume;
mod support;
mod verified;
