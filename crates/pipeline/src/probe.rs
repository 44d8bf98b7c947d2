//! The steps of a page, and what may watch them.

/// A step on the way from a record to its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStep {
    /// Finding the page in its record: HTTP head, chunks and content encodings, or the JSON of a
    /// line.
    Body,
    /// Finding the encoding and decoding.
    Charset,
    /// From text to elements and runs.
    Parsing,
    /// Title, author, date and the like.
    Metadata,
    /// The selection of the extractor at this place.
    Extractor(usize),
    /// Texts and other forms of its selection.
    Rendering(usize),
    /// The decision of the stage at this place.
    Stage(usize),
    /// Everything else that a row is made of.
    Row,
}

/// Is called between the steps of a page, by the code that takes them, so a clock measures the real
/// steps.
pub trait Probe {
    /// A step has just ended. A page may take a step several times, or not at all.
    fn lap(&mut self, step: PageStep);
}

/// Watches nothing, and costs nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {
    #[inline(always)]
    fn lap(&mut self, _: PageStep) {}
}
