//! Extractors that rank lines: CETR, line blocks.

use super::examples::{Example, extract, worked};
use crate::{cetr, lineblock};
use huller_page::PageBuf;
use huller_select::Profile;
use serde_json::Value;

worked!(cetr_gives_the_worked_numbers, "cetr_num", check_cetr);
worked!(line_blocks_give_the_worked_segments, "lineblock", check_line_blocks);

fn check_cetr(example: &Example) {
    let expected = example.expected();
    let ratios: Vec<_> =
        expected["tr"].as_array().unwrap().iter().map(|ratio| ratio.as_f64().unwrap()).collect();
    let (mut smoothed, mut derivative) = (Vec::new(), Vec::new());
    cetr::smooth(&ratios, &mut smoothed);
    example.assert_all_close(&smoothed, &expected["smoothed"], "smoothed ratio");
    cetr::derivative(&smoothed, &mut derivative);
    example.assert_all_close(&derivative, &expected["derivative"], "derivative");
}

fn integers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).collect()
}

fn check_line_blocks(example: &Example) {
    let expected = example.expected();
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let limit = example.params()["threshold"].as_u64();
    let segmentation = lineblock::inspect::segmentation(&page, Profile::Paper, limit);
    let lengths: Vec<_> = segmentation.lengths.iter().copied().map(u64::from).collect();
    assert_eq!(lengths, integers(&expected["lens"]), "{}", example.id());
    assert_eq!(segmentation.indices, integers(&expected["index"]), "{}", example.id());
    let segments = expected["segments"].as_array().unwrap().iter().map(integers);
    let got =
        segmentation.segments.iter().map(|(first, last)| vec![u64::from(*first), u64::from(*last)]);
    assert!(got.eq(segments), "{}: {:?}", example.id(), segmentation.segments);
    // With the limit computed from the page, segments may begin elsewhere; in the examples the text
    // is the same.
    let (_, _, text) = extract(example.html(), &mut *lineblock::EXTRACTOR.worker(Profile::Paper));
    assert_eq!(text, example.text(), "{}", example.id());
}
