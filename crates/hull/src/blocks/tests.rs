use super::*;
use huller_page::PageBuf;

/// Returns the text of every block, and whether class names mark it as a comment.
fn blocks(html: &str) -> Vec<(String, bool)> {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut blocks = Segmentation::default();
    blocks.fill(&page);
    let text = |block: usize| {
        blocks.runs(block).map(|run| page.run_source(&page.runs()[run as usize])).collect()
    };
    (0..blocks.blocks.len()).map(|block| (text(block), blocks.is_comment(block))).collect()
}

fn texts(html: &str) -> Vec<String> {
    blocks(html).into_iter().map(|(text, _)| text).collect()
}

#[test]
fn blocks_end_at_block_elements_and_at_two_breaks() {
    assert_eq!(texts("<div>a<b>b</b>c<p>d</p>e</div>"), ["abc", "d", "e"]);
    assert_eq!(texts("<p>a<br>b<br><br>c"), ["ab", "c"]);
    assert_eq!(texts("<p>a<br><i>b</i><br>c"), ["abc"]);
    assert_eq!(texts("a<div></div>b<hr>c"), ["a", "b", "c"]);
    assert_eq!(texts("a<x-card>b</x-card>c<xcard>d</xcard>"), ["a", "b", "cd"]);
}

#[test]
fn text_that_readers_never_see_belongs_to_no_block() {
    assert_eq!(
        texts(
            "<title>t</title>a<select><option>x</select>b<button>y</button><svg><text>z</text></svg>c"
        ),
        ["abc"],
        "small controls stand in the line"
    );
    let long = "y".repeat(41);
    assert_eq!(texts(&format!("a<button>{long}</button>b<video>z</video>c")), ["a", "b", "c"]);
    assert_eq!(texts(&format!("a<math><mi>{long}</mi></math>b")), ["ab"]);
    assert_eq!(texts("<body><noscript>a</noscript><nav>b</nav>"), ["a", "b"]);
}

#[test]
fn an_element_with_most_of_the_page_is_not_a_comment() {
    let long = "x".repeat(60);
    let html = format!(
        "<body class=comments-open><div>{long}</div><div class=comments><p>yes</p></div>no"
    );
    let found = blocks(&html);
    assert_eq!(found.iter().map(|(_, is)| *is).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn containers_know_their_blocks() {
    let mut buffer = PageBuf::new();
    let page = buffer.fill("<div>a<p>b</p></div><p>c");
    let mut blocks = Segmentation::default();
    blocks.fill(&page);
    let ranges: Vec<_> = blocks.containers.iter().map(|c| (c.first_block, c.end_block)).collect();
    assert_eq!(ranges, [(0, 3), (0, 2), (1, 2), (2, 3)]);
}

/// Returns the number of scalars in links, for every block.
fn linked(html: &str) -> Vec<u32> {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut blocks = Segmentation::default();
    blocks.fill(&page);
    blocks.blocks.iter().map(|block| block.linked_chars).collect()
}

#[test]
fn a_link_that_holds_a_third_of_the_page_is_text() {
    let (article, menu) = ("x".repeat(120), "y".repeat(30));
    let link = format!("<a href=/>z<p>{article}</p></a>");
    assert_eq!(linked(&format!("{link}<p><a href=/m>{menu}</a></p>")), [0, 0, 30]);
    let rest = "w".repeat(400);
    assert_eq!(linked(&format!("{link}<p><a href=/m>{menu}</a>{rest}")), [1, 120, 30]);
    let short = "z".repeat(99);
    assert_eq!(
        linked(&format!("<a href=/>{short}</a>")),
        [99],
        "short links are links on any page"
    );
    let control = format!("a<a href=/>{article}<button>b</button>{menu}</a>c");
    assert_eq!(linked(&control), [0], "controls in the line belong to no block");
}
