//! Texts and identifiers of headings.

use crate::document::Document;
use crate::inline;

/// An identifier of the page that belongs to a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor<'a> {
    /// Offset in the Markdown of any byte in the line of the heading.
    pub at: usize,
    /// The identifier, without `#`.
    pub id: &'a str,
}

/// Fills the texts and identifiers of a document's headings. The anchors are in ascending order.
pub(crate) fn fill_headings(markdown: &str, anchors: &[Anchor<'_>], document: &mut Document) {
    /// Most bytes of an identifier.
    const MAX_ID_BYTES: usize = 512;
    let is_short = |id: &str| !id.is_empty() && id.len() <= MAX_ID_BYTES;
    let mut anchors = anchors.iter().zip(0..).peekable();
    let Document { headings, titles, rows, .. } = document;
    for heading in headings {
        let start = rows[heading.row].start;
        let end = rows.get(heading.row + 1).map_or(markdown.len(), |row| row.start);
        let line = inline::without_closing(&markdown[heading.content.clone()]);
        let (content, id) = inline::split_anchor(line);
        let text_start = titles.len();
        inline::text_of(content, titles);
        heading.text = text_start..titles.len();
        // The identifier is at the end of the line, before the closing brace.
        heading.own_anchor = id.filter(|id| is_short(id)).map(|id| {
            let line_start = line.as_ptr() as usize - markdown.as_ptr() as usize;
            let end = line_start + line.len() - 1;
            end - id.len()..end
        });
        while anchors.next_if(|(anchor, _)| anchor.at < start).is_some() {}
        while let Some((anchor, index)) = anchors.next_if(|(anchor, _)| anchor.at < end) {
            if is_short(anchor.id) && heading.anchor.is_none() {
                heading.anchor = Some(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanner;

    #[test]
    fn headings_have_given_or_own_identifiers() {
        let markdown = "# A *b* {#own} ##\n\n## C\n\nD\n===\n";
        let mut document = Document::default();
        scanner::scan(markdown, &mut scanner::Scratch::default(), &mut document);
        let long = "x".repeat(513);
        let at = markdown.find("## C").unwrap();
        let anchors = [(0, long.as_str()), (at, "c"), (at + 3, "later")];
        fill_headings(markdown, &anchors.map(|(at, id)| Anchor { at, id }), &mut document);
        let titles: Vec<_> = document.headings.iter().map(|one| document.title(one)).collect();
        assert_eq!(titles, ["A b", "C", "D"]);
        let [first, second, third] = document.headings.as_slice() else { panic!() };
        assert_eq!((first.anchor, &markdown[first.own_anchor.clone().unwrap()]), (None, "own"));
        assert_eq!((second.anchor, second.own_anchor.clone()), (Some(1), None));
        assert_eq!((third.anchor, third.level), (None, 1));
    }
}
