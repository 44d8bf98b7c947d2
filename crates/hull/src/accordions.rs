//! Takes the questions of accordions, whose answers are taken.
//!
//! A button is a control, so its text belongs to no block. But in an accordion a button holds all
//! text of a heading, as the authoring practices of WAI-ARIA and Bootstrap have it. Readers see it
//! as the heading of the text after it. Cost: O(nodes).

use crate::blocks::Segmentation;
use huller_page::{Page, Tag, TagTable};
use std::ops::Range;

/// Elements that hold a question.
const HEADINGS: TagTable =
    TagTable::NONE.with(&[Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::DT, Tag::SUMMARY]);

/// Largest number of elements between a button and its heading.
const MAX_WRAPPERS: usize = 4;

/// Largest number of visible scalars of a question.
const MAX_CHARS: u32 = 300;

/// Largest number of runs between a question and its answer, such as the label of another button.
const MAX_RUNS_BETWEEN: u32 = 4;

/// Returns the runs of the questions whose answers begin with a taken block, in document order.
pub(crate) fn questions<'a>(
    page: &'a Page<'_>,
    blocks: &'a Segmentation,
    taken: &'a [bool],
) -> impl Iterator<Item = Range<u32>> + 'a {
    let nodes = page.nodes();
    nodes.iter().filter(|node| node.tag == Tag::BUTTON).filter_map(move |button| {
        let runs = button.run_start..button.run_end;
        let chars = page.runs()[button.runs()].iter().map(|run| run.counts.chars).sum::<u32>();
        let is_whole = |node: u32| {
            let around = &nodes[node as usize];
            around.run_start == runs.start && around.run_end == runs.end
        };
        let next = |node: &u32| Some(nodes[*node as usize].parent);
        let around = std::iter::successors(Some(button.parent), next).take(MAX_WRAPPERS);
        let mut whole = around.take_while(|node| is_whole(*node));
        let is_question = (1..=MAX_CHARS).contains(&chars)
            && whole.any(|node| HEADINGS.contains(nodes[node as usize].tag));
        let answer = blocks.first_block_from(runs.end) as usize;
        let is_taken = is_question
            && taken.get(answer) == Some(&true)
            && blocks.blocks[answer].first_run <= runs.end + MAX_RUNS_BETWEEN;
        is_taken.then_some(runs)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    /// Returns the questions of a page of which the blocks with the word `yes` are taken.
    fn found(html: &str) -> Vec<String> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let text = |runs: Range<u32>| -> String {
            runs.map(|run| page.run_source(&page.runs()[run as usize])).collect()
        };
        let has_yes =
            |block: usize| blocks.runs(block).any(|run| text(run..run + 1).contains("yes"));
        let taken: Vec<bool> = (0..blocks.blocks.len()).map(has_yes).collect();
        questions(&page, &blocks, &taken).map(text).collect()
    }

    #[test]
    fn buttons_that_fill_a_heading_are_questions_of_taken_answers() {
        for (html, expected) in [
            ("<h2><button>Where is it?</button></h2><div><p>yes, here</div>", vec!["Where is it?"]),
            ("<dl><dt><button><span>Who</span></button></dt><dd>yes</dd></dl>", vec!["Who"]),
            ("<h3><div><button>A <b>b</b></button></div></h3><p>yes", vec!["A b"]),
            ("<h3><button>One</button></h3><p>yes<h3><button>Two</button></h3><p>no", vec!["One"]),
            ("<h3><button>One</button><a href=#>x</a></h3><p>yes", vec![]),
            ("<h3>Part <button>One</button></h3><p>yes", vec![]),
            ("<div><button>One</button></div><p>yes", vec![]),
            ("<h3><button>One</button></h3><p>no<p>yes", vec![]),
            ("<h3><button></button></h3><p>yes", vec![]),
        ] {
            assert_eq!(found(html), expected, "{html}");
        }
        let long = format!("<h3><button>{}</button></h3><p>yes", "word ".repeat(100));
        assert!(found(&long).is_empty());
    }
}
