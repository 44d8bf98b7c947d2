//! Decodes LZ4 frames (the LZ4 frame format, version 1.6). The crate `lz4_flex` decodes the blocks.
//!
//! This module parses the frames itself for two reasons. A reader of archives must find the end of
//! each frame without decoding it. It must also know the offset of damage in the file. A frame
//! states the sizes of its blocks, as in zstd.

pub(crate) mod block;
pub(crate) mod decoder;
pub(crate) mod finder;
pub(crate) mod frame;
pub(crate) mod reader;
