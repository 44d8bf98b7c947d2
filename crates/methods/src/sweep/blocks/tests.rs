use super::*;
use crate::removal::Removal;
use huller_page::TagTable;
use huller_page::{PageBuf, Tag};
use huller_select::no_content;

/// Returns the text of each block, with `+` between its runs.
fn blocks_of(html: &str, removal: &Removal, cuts: &TagTable) -> Vec<String> {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut blocks: Vec<String> = Vec::new();
    let mut is_cut = true;
    BlockWalk::default().walk(&page, removal, cuts, &mut Vec::new(), |item, begins| {
        is_cut |= begins;
        let BlockItem::Run(run) = item else { return };
        let text = page.run_source(&page.runs()[run as usize]);
        if std::mem::take(&mut is_cut) {
            blocks.push(text.to_owned());
        } else {
            let last = blocks.last_mut().unwrap();
            last.push('+');
            last.push_str(text);
        }
    });
    blocks
}

#[test]
fn start_tags_and_end_tags_cut() {
    let html = "a<b>b</b>c<div>d<p>e<p>f</div>g<hr>h<i>i<div></div></i>j";
    assert_eq!(
        blocks_of(html, &Removal::from_tags(no_content::CORE), &TagTable::BLOCK),
        ["a+b+c", "d", "e", "f", "g", "h+i", "j"]
    );
}

#[test]
fn what_is_removed_cuts_nothing() {
    let html = "a<nav><div>x</div></nav>b<script>c</script>d";
    assert_eq!(
        blocks_of(html, &Removal::from_tags(no_content::CORE.with(&[Tag::NAV])), &TagTable::BLOCK),
        ["a+b+d"]
    );
}

#[test]
fn only_the_named_elements_cut() {
    let html = "a<h1>b</h1>c<p>d</p>e";
    assert_eq!(
        blocks_of(html, &Removal::from_tags(no_content::CORE), &TagTable::NONE.with(&[Tag::P])),
        ["a+b+c", "d", "e"]
    );
}
