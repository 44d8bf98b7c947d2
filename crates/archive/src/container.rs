//! Decodes compressed containers (gzip, zstd and LZ4) into plain bytes.
//!
//! A *member* is the smallest unit of a container that decodes on its own: a gzip member, or a zstd
//! or LZ4 frame. Record-compressed files hold one record per member. There are two ways to read a
//! container. For the fast path, `gzip::inflate`, `zstd::decoder` and `lz4::decoder` decode one
//! whole, undamaged member at a time. For streams, [`container_reader`] reads from start to end and
//! continues after damage, and [`window`] shows the result as runs of plain bytes.

pub(crate) mod container_reader;
pub(crate) mod event;
pub(crate) mod expected_start;
pub(crate) mod gzip;
pub(crate) mod lz4;
pub(crate) mod window;
pub(crate) mod zstd;

/// The compression of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// No compression.
    Plain,
    /// gzip, in one member or many.
    Gzip,
    /// zstd, in one frame or many.
    Zstd,
    /// LZ4 in the frame format, in one frame or many.
    Lz4,
}
