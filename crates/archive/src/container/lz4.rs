//! LZ4 frames (the LZ4 frame format, version 1.6), with blocks decoded by the crate `lz4_flex`.
//!
//! Frames are taken apart here and not by that crate, because a reader of archives has to know
//! where each frame ends without decoding it, and where in the file damage lies. A frame states the
//! sizes of its blocks, as in zstd.

pub(crate) mod block;
pub(crate) mod decoder;
pub(crate) mod feed;
pub(crate) mod finder;
pub(crate) mod frame;
