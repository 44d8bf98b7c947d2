//! Takes the headline of an article, if it is closely above the text.
//!
//! People who mark the text of an article by hand nearly always begin with the headline. The gold
//! texts that trained the model often omit it, and the model learned that. The headline is the
//! block of the first `h1`, or the block that agrees best with `<title>`. Cost: O(blocks) for the
//! first taken block, and constant beyond it.

use crate::blocks::Segmentation;
use crate::regions::Regions;

/// Largest number of blocks from the headline to the first taken block.
const MAX_BLOCKS: usize = 12;

/// Largest number of words between the headline and the first taken block, and of the headline
/// itself. Such words are the byline, the date and buttons to share the page.
const MAX_WORDS: f32 = 80.0;

/// Takes the first of these candidates that is above the first taken block and close to it, unless
/// a candidate is taken already.
pub(crate) fn take_headline(
    blocks: &Segmentation,
    candidates: [Option<usize>; 2],
    taken: &mut [bool],
) {
    let Some(first_taken) = taken.iter().position(|taken| *taken) else { return };
    let candidates = candidates.into_iter().flatten();
    if candidates.clone().any(|block| taken[block]) {
        return;
    }
    if let Some(headline) =
        candidates.into_iter().find(|block| is_above(blocks, *block, first_taken))
    {
        taken[headline] = true;
    }
}

/// Returns the candidate with which the taken blocks begin.
pub(crate) fn headline_of(
    blocks: &Segmentation,
    candidates: [Option<usize>; 2],
    taken: &[bool],
) -> Option<usize> {
    let first_taken = taken.iter().position(|taken| *taken)?;
    (candidates.contains(&Some(first_taken)) && blocks.words(first_taken) <= MAX_WORDS)
        .then_some(first_taken)
}

/// Returns whether a visible block is closely above the first taken block.
fn is_above(blocks: &Segmentation, block: usize, first_taken: usize) -> bool {
    let words = |block| blocks.words(block);
    let container = &blocks.containers[blocks.blocks[block].container as usize];
    block < first_taken
        && first_taken - block <= MAX_BLOCKS
        && (block + 1..first_taken).map(words).sum::<f32>() <= MAX_WORDS
        && words(block) <= MAX_WORDS
        && !container.regions.intersects(Regions::HIDDEN)
        && !blocks.is_comment(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Features;
    use huller_page::PageBuf;

    /// Returns the texts of the blocks of a page that are taken in the end. First the blocks that
    /// contain "rain" are taken.
    fn kept(html: &str) -> Vec<String> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut features = Features::default();
        features.fill(&page);
        let blocks = features.blocks();
        let text = |block: usize| -> String {
            blocks.runs(block).map(|run| page.run_source(&page.runs()[run as usize])).collect()
        };
        let count = blocks.blocks.len();
        let mut taken: Vec<bool> = (0..count).map(|block| text(block).contains("rain")).collect();
        take_headline(blocks, features.headlines(), &mut taken);
        (0..count).filter(|block| taken[*block]).map(text).collect()
    }

    const TEXT: &str = "<p>Much rain fell.<p>More rain is near.";

    #[test]
    fn the_first_h1_closely_above_the_text_is_taken() {
        assert_eq!(
            kept(&format!("<h1>A wet day</h1><p>By Ann{TEXT}")),
            ["A wet day", "Much rain fell.", "More rain is near."]
        );
        assert_eq!(kept(&format!("<h1>One</h1><h1>Two</h1>{TEXT}"))[0], "One");
    }

    #[test]
    fn a_block_that_matches_the_title_is_taken_if_no_h1_is_near() {
        let title = "<title>A wet day - Island News</title>";
        let far = "<p>Home".repeat(MAX_BLOCKS);
        for before in [
            "",
            "<h1 hidden>Island</h1>",
            &format!("<h1>Island</h1>{far}"),
            "<div class=x>News</div>",
        ] {
            let html = format!("{title}{before}<div>A wet day</div><p>By Ann{TEXT}");
            assert_eq!(kept(&html)[0], "A wet day", "{html}");
        }
        let html = format!("{title}<h1>Wet days</h1><div>A wet day</div>{TEXT}");
        assert_eq!(kept(&html).len(), 3, "one headline is enough");
        assert_eq!(kept(&html)[0], "Wet days");
    }

    #[test]
    fn the_linked_name_of_a_site_is_not_preferred_to_the_title() {
        let title = "<title>A wet day - Island News</title>";
        let name = "<h1><a href=/>The Islander</a></h1>";
        assert_eq!(kept(&format!("{title}{name}<h2>A wet day</h2>{TEXT}"))[0], "A wet day");
        let name = "<h1><a href=/1>A wet day</a></h1>";
        assert_eq!(kept(&format!("{title}{name}<h2>Island News</h2>{TEXT}"))[0], "A wet day");
        let name = "<h1><a href=/1>Rain everywhere</a></h1>";
        assert_eq!(kept(&format!("{name}<h2>A wet day</h2>{TEXT}"))[0], "Rain everywhere");
    }

    #[test]
    fn a_page_without_a_headline_stays_as_it_is() {
        for html in [
            format!("<p>A wet day{TEXT}"),
            format!("<h2>A wet day</h2>{TEXT}"),
            format!("<title>Storms</title><p>A wet day{TEXT}"),
            format!("<title>A wet day</title>{TEXT}"),
        ] {
            assert_eq!(kept(&html).len(), 2, "{html}");
        }
    }

    #[test]
    fn a_headline_below_the_start_of_the_text_is_left_to_the_model() {
        assert_eq!(kept(&format!("<p>Much rain fell.<h1>A wet day</h1>{TEXT}")).len(), 3);
        let title = "<title>A wet day</title>";
        assert_eq!(kept(&format!("{title}<p>Much rain fell.<div>A wet day</div>{TEXT}")).len(), 3);
    }

    #[test]
    fn a_headline_that_is_taken_already_stays_the_only_one() {
        let html = format!("<title>A wet day</title><div>A wet day</div><h1>The rain</h1>{TEXT}");
        assert_eq!(kept(&html), ["The rain", "Much rain fell.", "More rain is near."]);
        let html = format!("<title>The rain today</title><h1>News</h1><div>The rain</div>{TEXT}");
        assert_eq!(kept(&html), ["The rain", "Much rain fell.", "More rain is near."]);
    }

    #[test]
    fn at_most_twelve_blocks_lead_from_the_headline_to_the_text() {
        for (between, count) in [(MAX_BLOCKS - 1, 3), (MAX_BLOCKS, 2)] {
            let html = format!("<h1>A wet day</h1>{}{TEXT}", "<p>Share".repeat(between));
            assert_eq!(kept(&html).len(), count, "{between} blocks between");
        }
    }

    #[test]
    fn at_most_eighty_words_lie_between_the_headline_and_the_text() {
        for (words, count) in [(80, 3), (81, 2)] {
            for blocks in 1..3 {
                let line = "word ".repeat(words / 2);
                let rest = "word ".repeat(words - words / 2);
                let cut = if blocks == 1 { "" } else { "<p>" };
                let html = format!("<h1>A wet day</h1><p>{line}{cut}{rest}{TEXT}");
                assert_eq!(kept(&html).len(), count, "{words} words between in {blocks} blocks");
            }
        }
    }

    #[test]
    fn a_paragraph_in_a_heading_is_no_headline() {
        for (words, count) in [(80, 3), (81, 2)] {
            let html = format!("<h1>{}</h1>{TEXT}", "word ".repeat(words));
            assert_eq!(kept(&html).len(), count, "{words} words");
        }
    }

    #[test]
    fn hidden_headings_and_comments_are_no_headlines() {
        for before in [
            "<h1 hidden>A wet day</h1>",
            "<div style='display:none'><h1>A wet day</h1></div>",
            "<div class=comments><h1>A wet day</h1></div>",
        ] {
            assert_eq!(kept(&format!("{before}{TEXT}")).len(), 2, "{before}");
        }
    }

    #[test]
    fn a_page_of_which_nothing_is_taken_stays_empty() {
        assert!(kept("<h1>A wet day</h1><p>It is dry.").is_empty());
        assert!(kept("").is_empty());
    }
}
