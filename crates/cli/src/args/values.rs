//! Parses flags whose value is more than a word or a number.

use huller_pipeline::parse_extractor;

/// Extractors, given as names split by commas, or `all`.
#[derive(Clone, Debug)]
pub(crate) struct ExtractorList(pub(crate) Vec<&'static dyn huller_extract::ExtractorFactory>);

/// Parses such a list. A repeated extractor counts once.
pub(super) fn extractors(text: &str) -> Result<ExtractorList, String> {
    let mut extractors: Vec<&'static dyn huller_extract::ExtractorFactory> = Vec::new();
    for name in text.split(',') {
        let extractors_named = if name == "all" {
            huller_extract::EXTRACTORS.to_vec()
        } else {
            vec![parse_extractor(name)?]
        };
        for extractor in extractors_named {
            if extractors.iter().all(|known| known.name() != extractor.name()) {
                extractors.push(extractor);
            }
        }
    }
    Ok(ExtractorList(extractors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extractors_are_listed_once() {
        let names = |text: &str| {
            extractors(text)
                .map(|list| list.0.iter().map(|extractor| extractor.name()).collect::<Vec<_>>())
        };
        let all: Vec<_> =
            huller_extract::EXTRACTORS.iter().map(|extractor| extractor.name()).collect();
        assert_eq!(names("all"), Ok(all.clone()));
        assert_eq!(names("body,pvalue,body"), Ok(vec!["body", "pvalue"]));
        assert_eq!(names("body,all").unwrap().len(), all.len());
        assert!(["", "body,", "bodies"].iter().all(|text| names(text).is_err()));
    }
}
