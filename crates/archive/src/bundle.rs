//! Reads ZIP and tar archives of pages: each file in them is a member, and visitors receive the
//! bytes of HTML pages.
//!
//! A member is a page by its name or its first bytes (`kind.rs`), as a file in a folder is. Of
//! other members the reader reads only enough bytes to classify them. It leaves archives among them
//! closed, so data are unpacked at most once.
//!
//! Tar (`tar.rs`) is read as a stream, in any container; after damage the next header is found by
//! its checksum. In a ZIP file the directory has the positions of the files (`zip.rs`), and is
//! checked as strictly as that of a WACZ. Names are used only as text.

mod kind;
mod member;
pub(crate) mod tar;
pub(crate) mod tar_header;
pub(crate) mod zip;

pub use kind::FileKind;
