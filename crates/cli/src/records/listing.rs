//! Holds the listed fields of a record.

use serde::Serialize;

/// One record. The order of the fields is their order in the JSON.
#[derive(Serialize, Default)]
pub(super) struct Listing {
    pub(super) offset: Option<u64>,
    pub(super) length: Option<u64>,
    pub(super) stream_offset: Option<u64>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) uri: Option<String>,
    pub(super) date: Option<String>,
    pub(super) status: Option<u16>,
    pub(super) content_type: Option<String>,
    /// The languages that header or HTTP head state, separated by commas.
    #[serde(skip)]
    pub(super) language: Option<String>,
    pub(super) payload_len: Option<u64>,
    pub(super) payload_sha1: Option<String>,
    /// Whether the HTTP Content-Type is that of HTML.
    pub(super) html: bool,
    pub(super) error: Option<String>,
}
