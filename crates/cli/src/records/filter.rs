//! Decides which records are listed.

use super::listing::Listing;
use crate::args::{RecordsArgs, StatusRange};

/// Returns whether a record is listed. A record without a field does not match a filter on that
/// field.
pub(super) fn takes(args: &RecordsArgs, listing: &Listing) -> bool {
    let is_type = |pattern: &String| {
        listing.kind.as_deref().is_some_and(|kind| kind.eq_ignore_ascii_case(pattern.trim()))
    };
    let is_status = |StatusRange(pattern): &StatusRange| {
        listing.status.is_some_and(|status| pattern.contains(&status))
    };
    let is_media = |pattern: &String| {
        listing.content_type.as_deref().is_some_and(|stated| is_media_type(stated, pattern.trim()))
    };
    let is_language = |pattern: &String| {
        let mut stated = listing.language.iter().flat_map(|languages| languages.split(','));
        stated.any(|language| is_language_tag(language.trim(), pattern.trim()))
    };
    let holds = |text: &String| listing.uri.as_deref().is_some_and(|uri| uri.contains(text));
    (args.types.is_empty() || args.types.iter().any(is_type))
        && (args.status.is_empty() || args.status.iter().any(is_status))
        && args.url.as_ref().is_none_or(holds)
        && (args.mime.is_empty() || args.mime.iter().any(is_media))
        && (args.languages.is_empty() || args.languages.iter().any(is_language))
}

/// Returns whether a language tag names this language, perhaps of one region: `en-GB` names `en`.
fn is_language_tag(stated: &str, range: &str) -> bool {
    let language = stated.split(['-', '_']).next().unwrap_or_default();
    stated.eq_ignore_ascii_case(range) || language.eq_ignore_ascii_case(range)
}

/// Returns whether a Content-Type has this media type, or matches a pattern such as `image/*`.
fn is_media_type(stated: &str, pattern: &str) -> bool {
    let stated = stated.split([';', ',']).next().unwrap_or_default().trim();
    match pattern.strip_suffix('*') {
        Some(start) => {
            stated.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
        }
        None => stated.eq_ignore_ascii_case(pattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_compared_without_parameters() {
        assert!(is_media_type("text/HTML; charset=utf-8", "text/html"));
        assert!(is_media_type("image/png", "image/*"));
        assert!(!is_media_type("image/png", "text/*"));
        assert!(!is_media_type("text/html5", "text/html"));
    }
}
