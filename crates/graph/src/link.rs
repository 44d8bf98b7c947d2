//! Decides which rows of a table of links count, and finds their hosts.

use huller_corpus::{CorpusRow, RowKeys};
use huller_provenance::Host;
use huller_refine::{Reason, RejectionKind};
use huller_run::counters::Counters;
use twox_hash::XxHash3_128;

/// Longest name of a role, in bytes.
const MAX_ROLE_BYTES: usize = 32;

/// The part of a link that a graph needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostLink {
    /// Host of the page, its labels in reverse order.
    pub(crate) source: String,
    /// Host of the target, its labels in reverse order.
    pub(crate) target: String,
    pub(crate) role: String,
    /// Digest of the page's id, or of its URL if it has no id.
    pub(crate) page: u128,
}

/// The links that count.
#[derive(Clone, Debug)]
pub(crate) struct LinkRule {
    /// Roles of the links that count; empty for all.
    roles: Vec<String>,
    /// Whether a link must lie in the text of its row.
    kept: bool,
    keys: RowKeys,
    no_url: Reason,
    no_target: Reason,
    no_host: Reason,
    no_role: Reason,
    role: Reason,
    not_kept: Reason,
    /// The reason of a link whose target has the host of the page.
    pub(crate) same_host: Reason,
}

impl LinkRule {
    /// Makes the rule. `None` if the table of reasons is full.
    pub(crate) fn new(roles: &[String], kept_only: bool) -> Option<LinkRule> {
        let skipped = |name| Reason::named(name, RejectionKind::Skipped);
        Some(LinkRule {
            roles: roles.to_vec(),
            kept: kept_only,
            keys: RowKeys::default(),
            no_url: skipped("no_url")?,
            no_target: skipped("no_target")?,
            no_host: skipped("no_host")?,
            no_role: skipped("no_role")?,
            role: skipped("role")?,
            not_kept: skipped("not_kept")?,
            same_host: skipped("same_host")?,
        })
    }

    /// Returns why an input is unusable: none of its rows has a target.
    pub(crate) fn unusable_reason(&self, counters: &Counters) -> Option<String> {
        let rows = counters.records;
        (rows > 0 && counters.count(self.no_target) == rows).then(|| {
            format!("none of its {rows} rows is a link: `huller extract --links` writes links")
        })
    }

    /// Reads a row.
    ///
    /// # Errors
    ///
    /// The reason why the row is skipped.
    pub(crate) fn read(&self, line: &[u8]) -> Result<HostLink, Reason> {
        let row = CorpusRow::parse(line).map_err(|fault| fault.reason)?;
        let url = row.url(&self.keys).ok_or(self.no_url)?;
        let target = row.string("target").ok_or(self.no_target)?;
        let role = row.string("role").filter(|role| is_role(role)).ok_or(self.no_role)?;
        if !self.roles.is_empty() && !self.roles.iter().any(|known| *known == role) {
            return Err(self.role);
        }
        // A table of text, such as CSV, has the truth value as a string.
        let is_kept = || {
            matches!(
                row.value("kept").map(serde_json::value::RawValue::get),
                Some("true" | "\"true\"")
            )
        };
        if self.kept && !is_kept() {
            return Err(self.not_kept);
        }
        let source = reversed_host(&url).ok_or(self.no_host)?;
        let target = reversed_host(&target).ok_or(self.no_host)?;
        let id = row.string("parent_id");
        let page = XxHash3_128::oneshot(id.as_deref().unwrap_or(&url).as_bytes());
        Ok(HostLink { source, target, role: role.into_owned(), page })
    }
}

/// Returns whether a role can be in the files: ASCII letters, digits, `_` and `-`.
pub(crate) fn is_role(role: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_ROLE_BYTES).contains(&role.len()) && role.bytes().all(is_plain)
}

/// Returns the host of a URL with its labels in reverse order: `com.example.www`. An IP address
/// stays as it is. `None` without a host, or if it holds blanks or control characters.
fn reversed_host(url: &str) -> Option<String> {
    let host = Host::from_url(url)?;
    let name = host.as_str();
    if name.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
        return None;
    }
    if host.last_label().is_none() {
        return Some(name.to_owned());
    }
    let mut reversed = String::with_capacity(name.len());
    for label in name.rsplit('.') {
        if !reversed.is_empty() {
            reversed.push('.');
        }
        reversed.push_str(label);
    }
    Some(reversed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, roles: &[&str], kept: bool) -> Result<(String, String), &'static str> {
        let roles: Vec<_> = roles.iter().map(|&role| role.to_owned()).collect();
        let read = LinkRule::new(&roles, kept).unwrap().read(line.as_bytes());
        read.map(|link| (link.source, link.target)).map_err(Reason::name)
    }

    #[test]
    fn rows_count_or_have_a_reason() {
        let row = |url: &str, target: &str, rest: &str| {
            format!(r#"{{"url":{url},"target":{target},{rest}}}"#)
        };
        let (a, b) = (r#""http://www.a.test/x""#, r#""https://B.co.test:8/""#);
        let content = r#""role":"content","kept":true"#;
        let expected = ("test.a.www".to_owned(), "test.co.b".to_owned());
        assert_eq!(read(&row(a, b, content), &["content"], true), Ok(expected));
        let long = format!(r#""http://{}.test/""#, "a".repeat(10_000));
        for (line, reason) in [
            (row("null", b, content), "no_url"),
            (row(a, "null", content), "no_target"),
            (row(a, b, r#""kept":true"#), "no_role"),
            (row(a, b, r#""role":"a,b","kept":true"#), "no_role"),
            (row(a, b, r#""role":"footer","kept":true"#), "role"),
            (row(a, b, r#""role":"content","kept":false"#), "not_kept"),
            (row(a, &long, content), "no_host"),
            (row(a, r#""http://a\u0000b.test/""#, content), "no_host"),
            (row(a, r#""not a url""#, content), "no_host"),
            (r#"{"url":"#.to_owned(), "invalid_json"),
        ] {
            assert_eq!(read(&line, &["content"], true), Err(reason), "{line}");
        }
    }

    #[test]
    fn addresses_are_not_reversed() {
        assert_eq!(reversed_host("http://127.0.0.1/").unwrap(), "127.0.0.1");
        assert_eq!(reversed_host("http://[::1]/").unwrap(), "[::1]");
        assert_eq!(reversed_host("http://localhost/").unwrap(), "localhost");
    }
}
