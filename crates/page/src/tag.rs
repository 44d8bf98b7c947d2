//! Tags as small integers, and sets of them.
//!
//! A tag name is looked up once ([`lookup`]). After that no code compares strings: every rule of
//! the tree builder tests a bit of [`TagSet`] or uses the tag as an index.

mod lookup;
mod table;
mod tag_set;
mod tag_table;

pub(crate) use lookup::{const_key, key, key_of};
pub use table::Tag;
pub use tag_set::TagSet;
pub use tag_table::TagTable;
