//! Parses ranges of HTTP statuses on the command line.

use huller_pipeline::IndexFilter;
use std::ops::RangeInclusive;

/// A range of HTTP statuses, such as `404` or `4xx`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatusRange(pub(crate) RangeInclusive<u16>);

impl StatusRange {
    /// Parses `404` or `4xx`.
    pub(crate) fn parse(text: &str) -> Result<StatusRange, String> {
        IndexFilter::statuses(text).map(StatusRange).map_err(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_numbers_or_hundreds() {
        let parse = |text| StatusRange::parse(text).map(|StatusRange(range)| range);
        assert_eq!(parse("404"), Ok(404..=404));
        assert_eq!(parse("2xx"), Ok(200..=299));
        for bad in ["", "xx", "0xx", "20xx", "ok", "-1", "1000"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
