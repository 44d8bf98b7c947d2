//! The steps of a page, and the trait of code that watches them.

/// A step on the way from a record to its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStep {
    /// Finding the page in its record: HTTP head, chunks and content encodings, or the JSON of a
    /// line.
    Body,
    /// Finding the encoding and decoding.
    Charset,
    /// Parsing of the text into elements and text runs.
    Parsing,
    /// Extraction of title, author, date and the like.
    Metadata,
    /// Selection by the extractor at this place.
    Extractor(usize),
    /// Rendering of texts and other forms of its selection.
    Rendering(usize),
    /// Decision of the stage at this place.
    Stage(usize),
    /// Everything else in a row.
    Row,
}

/// Called between the steps of a page, by the code that takes them, so that a clock measures the
/// real steps.
pub trait Probe {
    /// Called when a step has just ended. A page may take a step several times, or skip it.
    fn lap(&mut self, step: PageStep);
}

/// A probe that does nothing and costs nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {
    #[inline(always)]
    fn lap(&mut self, _: PageStep) {}
}
