//! Turns records into rows.

mod agreement;
mod anchors;
pub(crate) mod batch_work;
mod block_list;
pub(crate) mod choice_rule;
pub(crate) mod context;
mod digest;
pub(crate) mod dropped;
pub(crate) mod forms;
mod header_text;
pub(crate) mod include;
mod link_list;
mod page_budget;
mod page_forms;
pub(crate) mod page_row;
pub(crate) mod page_work;
pub(crate) mod parted_rows;
pub(crate) mod plain_text;
pub(crate) mod record_work;
pub(crate) mod recovery;
mod refine_work;
mod refined_row;
pub(crate) mod rejection;
pub(crate) mod side_encoder;
pub(crate) mod signed_rows;
pub(crate) mod stages;
mod term_writer;
