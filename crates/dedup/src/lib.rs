//! Duplicates.

mod cluster_table;
mod decide;
mod error;
mod external_sort;
mod settings;
mod signatures_only;
mod signed_file;
mod union_find;

pub use cluster_table::{ClusterTable, Dropped};
pub use error::DedupError;
pub use settings::{Keep, Outputs, Settings, Step};
pub use signatures_only::find_duplicates;
