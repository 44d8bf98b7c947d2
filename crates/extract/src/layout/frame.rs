//! The room that blocks share: how far it is taken up, and how it goes on with what is around it.

/// How far the content of a block reaches. Blocks that declare no size and no margin are as wide as what is around them and
/// begin where that has come to, so they go on with its frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) width: f64,
    /// How far down its content reaches.
    pub(super) cursor: f64,
    /// Length of the text of the present line, were it one line.
    pub(super) pixels: f64,
    /// The tallest image in it.
    pub(super) image: f64,
    /// The present row of floats.
    pub(super) row_width: f64,
    pub(super) row_height: f64,
}

/// What a block with a frame of its own leaves for the time when it closes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// The frame around it.
    pub(super) frame: Frame,
    pub(super) height: Option<f64>,
    pub(super) joins: Joins,
}

/// What a block does to the block around it when it closes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Joins {
    Row { width: f64 },
    Stack { margin_below: f64 },
}

impl Frame {
    /// Ends the present row of floats.
    #[inline]
    pub(super) fn end_row(&mut self) {
        // Floats have a width, and there seldom are any.
        if self.row_width > 0.0 {
            self.cursor += self.row_height;
            self.row_width = 0.0;
            self.row_height = 0.0;
        }
    }
}
