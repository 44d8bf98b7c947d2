//! ZIP and tar files of pages: each file in them is a member, and those that are HTML pages are
//! shown whole.
//!
//! A member is a page by its name or its first bytes (`kind.rs`), as a file of a folder is. Of
//! others no more is read than tells what they are. Archives among them are not opened, so nothing
//! is unpacked twice.
//!
//! Tar (`tar.rs`) is read as a stream, in any container; after damage the next header is found by
//! its checksum. Of a ZIP file the directory says what lies where (`zip.rs`), and is trusted as
//! little as that of a WACZ. Names are only ever text.

mod kind;
mod member;
pub(crate) mod tar;
pub(crate) mod tar_header;
pub(crate) mod zip;

pub use kind::FileKind;
