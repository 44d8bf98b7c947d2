//! The fields of metadata.

/// Metadata of a page. A field without a value is empty. Created once and refilled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The headline, on one line of at most 200 Unicode scalars.
    pub title: String,
    /// The authors, at most 200 scalars; several names are separated by `, `.
    pub author: String,
    /// The date of publication in ISO 8601, with the known parts of the time: `2010-01-30`,
    /// `2010-01-30T08:05:09+08:00`.
    pub published: String,
    /// The name of the site, on one line of at most 200 scalars.
    pub site_name: String,
    /// The page's description of itself, on one line of at most 1,000 scalars.
    pub description: String,
    /// The licence that the JSON-LD of the page states for it, mostly a URL; on one line of at most
    /// 1,000 scalars.
    pub license: String,
    /// The URL of the terms of use (`usageInfo`) that the JSON-LD states, as long.
    pub usage_info: String,
}
