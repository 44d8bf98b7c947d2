//! Extractors that work on tokens: maximum subsequence segmentation, content code blurring.

use super::examples::{Example, extract, worked};
use crate::ccb::{self, Blur};
use crate::mss;
use huller_page::PageBuf;
use huller_select::{Profile, Worker};

worked!(mss_gives_the_worked_results, "mss", check_mss);
worked!(ccb_gives_the_worked_results, "ccb", check_ccb);

fn assert_words(example: &Example, text: &str) {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words, example.expected()["words"].as_str().unwrap(), "{}", example.id());
}

fn check_mss(example: &Example) {
    let (_, verdict, text) = extract(example.html(), &mut *mss::EXTRACTOR.worker(Profile::Paper));
    example.assert_close(verdict.score.unwrap(), &example.expected()["best"], "score");
    assert_words(example, &text);
}

fn check_ccb(example: &Example) {
    let params = example.params();
    let blur = Blur {
        radius: params["radius"].as_u64().unwrap() as usize,
        rounds: params["rounds"].as_u64().unwrap() as usize,
        threshold: params["threshold"].as_f64().unwrap(),
    };
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let values = ccb::inspect::values(&page, blur);
    example.assert_all_close(&values, &example.expected()["values"], "value of a token");
    let (_, _, text) =
        extract(example.html(), &mut Worker::new(ccb::inspect::with_constants(blur)));
    assert_words(example, &text);
}
