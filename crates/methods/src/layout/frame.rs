//! The area that a block's content fills, and the effect of a block's height on the block around
//! it.

/// The filled part of a block's content area, in pixels. A block that declares neither size nor
/// margin is as wide as the block around it and begins at its cursor, so the two share one frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// Left edge of the content area.
    pub(super) left: f64,
    /// Width of the content area.
    pub(super) width: f64,
    /// Lower edge of the content so far.
    pub(super) cursor: f64,
    /// Width of the text since the last break, before it is cut into lines.
    pub(super) pixels: f64,
    /// Height of the tallest image since the last break.
    pub(super) image: f64,
    /// Width and height of the present row of floats.
    pub(super) row_width: f64,
    pub(super) row_height: f64,
}

/// The state that is restored when a block with a frame of its own closes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SavedFrame {
    /// The frame around the block. It continues after the block.
    pub(super) frame: Frame,
    /// Declared height of the block, in pixels.
    pub(super) height: Option<f64>,
    pub(super) joins: BlockJoin,
}

/// The way in which a block joins the block around it when it closes.
#[derive(Clone, Copy, Debug)]
pub(super) enum BlockJoin {
    /// The block is a float in the present row of floats.
    Row { width: f64 },
    /// The block is below the content so far.
    Stack { margin_below: f64 },
}

impl Frame {
    /// Ends the present row of floats.
    #[inline]
    pub(super) fn end_row(&mut self) {
        // Usually there are no floats, and the row has no width.
        if self.row_width > 0.0 {
            self.cursor += self.row_height;
            self.row_width = 0.0;
            self.row_height = 0.0;
        }
    }
}
