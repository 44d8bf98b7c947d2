use super::*;
use crate::removal::Removal;
use huller_page::PageBuf;
use huller_page::TagTable;
use huller_select::no_content;
use proptest::prelude::*;

/// Returns the lines of a page as `tags/chars/gaps text`; a blank line is an empty string.
fn lines_of(html: &str, removal: &Removal, breaks: LineBreaks) -> Vec<String> {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut lines = Lines::default();
    lines.fill(&page, removal, breaks, &[], &mut Vec::new());
    let shown = lines.all().iter().enumerate().map(|(index, line)| {
        if line.is_blank {
            return String::new();
        }
        let text: Vec<_> = lines
            .pieces(index)
            .iter()
            .map(|piece| html[piece.start as usize..piece.end as usize].trim())
            .collect();
        format!("{}/{}/{} {}", line.tags, line.chars, line.gaps, text.join("|")).trim().to_owned()
    });
    shown.collect()
}

#[test]
fn only_line_feeds_in_text_end_a_line() {
    let html = "<!doctype html>\n<p\nclass=x>one two<!-- a\nb -->\n three </p>\n\n<b>f</b>our <i>five</i>\n";
    assert_eq!(
        lines_of(html, &Removal::from_tags(no_content::CORE), LineBreaks::Source),
        ["1/0/0", "1/6/1 one two", "1/5/0 three", "", "4/8/1 f|our|five", ""]
    );
}

#[test]
fn removed_elements_leave_neither_tags_nor_lines() {
    let html = "a<script>\nif (a < b) '<p>'\n</script>b<nav>\n<p>menu\n</nav>\nc</zz></script>";
    let removal = Removal::from_tags(no_content::CORE.with(&[Tag::NAV]));
    assert_eq!(lines_of(html, &removal, LineBreaks::Source), ["0/2/0 a|b", "2/1/0 c"]);
}

#[test]
fn references_are_decoded_and_white_space_beside_tags_is_a_gap() {
    let html = "<a>x&amp;&nbsp;y</a> <a>z</a>&nbsp;<a>&lt;</a>w";
    assert_eq!(
        lines_of(html, &Removal::from_tags(no_content::CORE), LineBreaks::Source),
        ["6/6/3 x&amp;&nbsp;y|z|&lt;|w"]
    );
}

#[test]
fn with_breaks_blocks_lines_end_after_blocks_and_br() {
    let html = "<div><p>one<br>two</p>three</div><b>four</b>";
    assert_eq!(
        lines_of(html, &Removal::from_tags(no_content::CORE), LineBreaks::Blocks),
        ["3/3/0 one", "1/3/0 two", "1/5/0 three", "2/4/0 four"]
    );
}

#[test]
fn long_lines_are_wrapped_between_words() {
    let word = "123456789 ";
    let html = format!("{}<b>{}", word.repeat(10), "文".repeat(70));
    let lines = lines_of(&html, &Removal::from_tags(no_content::CORE), LineBreaks::Wrapped);
    let counts: Vec<_> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    // First line: 69 scalars, then the space at which it breaks. Second: 30 scalars with the last
    // space, 3 of the tag, 32 ideographs. Third: the other 38 ideographs.
    assert_eq!(counts, ["0/63/6", "1/59/3", "0/38/0"]);
}

#[test]
fn svg_is_read_as_the_tree_builder_reads_it() {
    let mut buffer = PageBuf::new();
    for html in [
        "<svg><title>t\n</title><style>p<b>\n</b></style><![CDATA[ <p>\n ]]></svg>\nend",
        // The second link closes the first and, with it, the title.
        "<svg><a href='>\n'><title><a href='>\n'><![CDATA[<div>",
    ] {
        let page = buffer.fill(html);
        let mut lines = Lines::default();
        lines.fill(
            &page,
            &Removal::from_tags(TagTable::NONE),
            LineBreaks::Source,
            &[],
            &mut Vec::new(),
        );
        let chars: u32 = page.runs().iter().map(|run| run.counts.chars).sum();
        assert_eq!(lines.chars(), chars, "{html}");
    }
}

proptest! {
    #[test]
    fn every_visible_scalar_is_on_exactly_one_line(parts in prop::collection::vec(prop::sample::select(vec![
        "<div>", "</div>", "<p\n>", "<a href='>\n'>", "</a>", "<nav>", "</nav>", "<br>", "<!-- \n -->", "<svg>", "</svg>",
        "<title>", "</title>", "<script>", "</script>", "<textarea>", "</textarea>", "<td>", "</table>", "<template>",
        "<head>", "</head>", "<body>", "</html>", "<![CDATA[", "]]>", "<desc>", "</desc>", "<form>", "</form>", "<article>", "<header>", "</header>", "<style>", "</style>", "</p>",
        "a b, c", "中文。", " ", "\n", "d\n\ne", "&amp;\n&nbsp;", "<", "a fair number of words that is long enough to be cut in two",
    ]), 0..60)) {
        let html = parts.concat();
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        for removal in [
            Removal::from_tags(no_content::CORE),
            Removal::from_tags(no_content::TUNED).but_article_headers().and_small_forms(),
        ] {
            let (mut removed, mut by_node) = (Vec::new(), Vec::new());
            let mut at = 0;
            let mut kept = vec![true; page.runs().len()];
            while at < page.nodes().len() {
                let node = &page.nodes()[at];
                if removal.removes(node) {
                    by_node.push(at as u32);
                    kept[node.runs()].fill(false);
                    at = node.end as usize;
                } else {
                    at += 1;
                }
            }
            let counted = page.runs().iter().zip(kept).filter(|(_, kept)| *kept);
            let chars: u32 = counted.map(|(run, _)| run.counts.chars).sum();
            for breaks in [LineBreaks::Source, LineBreaks::Wrapped, LineBreaks::Blocks] {
                let mut lines = Lines::default();
                removed.clear();
                lines.fill(&page, &removal, breaks, &[], &mut removed);
                prop_assert_eq!(lines.chars(), chars, "{:?}", html);
                prop_assert_eq!(&removed, &by_node);
                let mut all = Selection::default();
                (0..lines.all().len()).for_each(|line| lines.select(line, &mut all));
                for pair in all.ranges.windows(2) {
                    prop_assert!(pair[0].end <= pair[1].start);
                }
            }
        }
    }
}
