//! Finds links without meaning of their own: from a heading to itself, from a footnote back to its
//! mark, and from a section of a wiki to its editor.

use super::noise::visible;
use huller_page::entity::Scalars;
use huller_page::{AttributeName, Node, Page, Run, RunFlags, Tag, TagTable};

/// Largest number of visible scalars of such a link.
const MAX_CHARS: u32 = 40;

/// Largest number of visible scalars of a link from a footnote back to its mark.
const MAX_BACK_CHARS: u32 = 20;

/// Largest number of runs of such a link.
const MAX_RUNS: usize = 8;

const HEADINGS: TagTable =
    TagTable::NONE.with(&[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]);

/// Parts of class names and roles that links back to the mark of a note have.
const BACK_CLASSES: &[&str] =
    &["backref", "backlink", "reversefootnote", "footnote-back", "footnote-return"];

/// Texts that lead back to the text wherever the link leads, in lower case without white space.
const BACK_PHRASES: &[&str] = &[
    "jumpup",
    "jumpbackup",
    "backtotext",
    "backtothetext",
    "backtocontent",
    "backtoarticle",
    "returntotext",
    "returntothetext",
    "returntoarticle",
    "zurückzumtext",
    "retourautexte",
    "volveraltexto",
    "tornaaltesto",
];

/// Words that lead back to the text if a sign, brackets or the address say so too.
const BACK_WORDS: &[&str] = &["back", "return", "up", "goback", "zurück", "retour", "volver"];

/// Parts of class names of links from a heading to itself.
const HEADING_CLASSES: &[&str] =
    &["anchor", "permalink", "headerlink", "header-link", "heading-link", "hash-link", "hashlink"];

/// Words in the text of links from a heading to itself, in lower case.
const HEADING_WORDS: &[&str] =
    &["link", "anchor", "lien", "enlace", "collegamento", "ссылка", "链接", "リンク"];

/// Returns whether a link leads from a heading to the heading itself (`¶`, `#`, `Permalink`), or
/// from a footnote back to its mark (`↩`, `^`, `[back]`).
pub(super) fn is_permalink(page: &Page<'_>, node: &Node) -> bool {
    let runs = &page.runs()[node.runs()];
    if runs.is_empty() || runs.len() > MAX_RUNS {
        return false;
    }
    let chars = runs.iter().fold(0, |chars: u32, run| chars.saturating_add(run.counts.chars));
    if chars > MAX_CHARS {
        return false;
    }
    let Some(href) = page.attribute(node, AttributeName::Href) else { return false };
    let Some((_, fragment)) = href.split_once('#') else { return false };
    chars <= 2 && runs.len() == 1 && visible(page, &runs[0]).all(is_heading_sign)
        || chars <= MAX_BACK_CHARS && leads_back(page, node, runs, fragment)
        || leads_to_its_heading(page, node, fragment)
}

fn is_heading_sign(c: char) -> bool {
    matches!(c, '¶' | '#' | '§' | '🔗' | '⚓' | '\u{FE0F}')
}

fn is_back_sign(c: char) -> bool {
    matches!(
        c,
        '↩' | '↑'
            | '⇑'
            | '⇧'
            | '⬆'
            | '⤴'
            | '⤶'
            | '⤣'
            | '↵'
            | '⏎'
            | '↖'
            | '↰'
            | '↶'
            | '↺'
            | '⮌'
            | '⮐'
            | '⮍'
            | '▲'
            | '△'
            | '🔙'
            | '🔝'
            | '^'
            | '\u{FE0E}'
            | '\u{FE0F}'
    )
}

fn is_return_sign(c: char) -> bool {
    matches!(c, '↩' | '↵' | '⏎' | '⤶' | '⤴' | '↰' | '↲' | '⮌' | '⮐' | '🔙')
}

fn is_bracket(c: char) -> bool {
    matches!(c, '[' | ']' | '(' | ')')
}

/// Returns whether a link leads from a footnote back to its mark.
fn leads_back(page: &Page<'_>, node: &Node, runs: &[Run], fragment: &str) -> bool {
    let scalars = || runs.iter().flat_map(|run| visible(page, run));
    let is_of_word =
        |c: &char| !is_back_sign(*c) && !is_bracket(*c) && !matches!(c, '.' | ',' | ':');
    let words = Letters::of(scalars().filter(is_of_word));
    let has_sign = scalars().any(is_back_sign);
    let is_number = words.as_slice().iter().all(char::is_ascii_digit);
    if has_sign && is_number {
        // One mark of several has a number: `↩2`. At the beginning, `↑2` is the number of the note.
        let is_first = page.nodes()[node.parent as usize].run_start == node.run_start;
        let is_sign = if is_first && words.len > 0 { is_return_sign } else { is_back_sign };
        return scalars().find(|c| !is_bracket(*c)).is_some_and(is_sign);
    }
    if words.is_one_of(BACK_PHRASES) {
        return true;
    }
    if words.is_one_of(BACK_WORDS) {
        let has_brackets = scalars().next().is_some_and(is_bracket);
        if has_sign || has_brackets || fragment.contains("ref") {
            return true;
        }
    }
    // A number or a letter alone is the label of the note.
    let is_label = !has_sign
        && words.as_slice().iter().all(|c| c.is_alphanumeric() || "*†‡§¶".contains(*c))
        && (words.len < 2 || is_number);
    // A heading may be a link back to the contents (`toc-backref` of Sphinx).
    !is_label && heading_around(page, node).is_none() && has_class_or_role(page, node, BACK_CLASSES)
}

/// Returns the heading around a link, if it is near.
fn heading_around(page: &Page<'_>, node: &Node) -> Option<u32> {
    /// Number of elements around the link that are tested.
    const MAX_LEVELS: usize = 4;
    let nodes = page.nodes();
    let around = std::iter::successors(Some(node.parent), |at| Some(nodes[*at as usize].parent));
    around.take(MAX_LEVELS).find(|at| HEADINGS.contains(nodes[*at as usize].tag))
}

/// Returns whether the class or the role of an element has one of these parts.
fn has_class_or_role(page: &Page<'_>, node: &Node, parts: &[&str]) -> bool {
    [AttributeName::Class, AttributeName::Role].iter().any(|name| {
        let value = page.attribute(node, *name).unwrap_or_default();
        value.split_ascii_whitespace().any(|word| {
            parts.iter().any(|part| {
                let mut windows = word.as_bytes().windows(part.len());
                windows.any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
            })
        })
    })
}

/// Returns whether a link with words leads from a heading to itself, and the heading has other
/// words. A link around the last words of the heading itself stays.
fn leads_to_its_heading(page: &Page<'_>, node: &Node, fragment: &str) -> bool {
    let Some(at) = heading_around(page, node) else {
        return follows_its_heading(page, node, fragment);
    };
    let nodes = page.nodes();
    let has_class = has_class_or_role(page, node, HEADING_CLASSES);
    let is_said = has_heading_word(page, node);
    // A script may set the identifier later.
    let leads_here = has_identifier(page, at, fragment) || has_class && is_said;
    if fragment.is_empty() || !leads_here {
        return false;
    }
    let heading = &nodes[at as usize];
    let (before, after) = (heading.run_start..node.run_start, node.run_end..heading.run_end);
    let others = || before.clone().rev().take(MAX_RUNS).chain(after.clone().take(MAX_RUNS));
    let has_letters = |run: u32| visible(page, &page.runs()[run as usize]).any(char::is_alphabetic);
    if !others().any(has_letters) {
        return false;
    }
    if is_said {
        return true;
    }
    let is_plain = |run: u32| !page.runs()[run as usize].flags.contains(RunFlags::IN_LINK);
    others().any(|run| is_plain(run) && has_letters(run))
        && (has_class || is_glued(page, node, heading))
}

/// Returns whether a link directly after a heading leads to it, by its class too.
fn follows_its_heading(page: &Page<'_>, node: &Node, fragment: &str) -> bool {
    let first = node.parent + 1;
    let heading = &page.nodes()[first as usize];
    let next = page.nodes().get(heading.end as usize);
    HEADINGS.contains(heading.tag)
        && next.is_some_and(|next| next.byte_start == node.byte_start)
        && has_class_or_role(page, node, HEADING_CLASSES)
        && has_identifier(page, first, fragment)
}

/// Returns whether one of the first identifiers in a heading, or that of the section around it,
/// equals the target of a link.
fn has_identifier(page: &Page<'_>, at: u32, fragment: &str) -> bool {
    const INSIDE: usize = 16;
    let nodes = page.nodes();
    let heading = &nodes[at as usize];
    let inside = (at..heading.end).take(INSIDE);
    inside.chain([heading.parent]).any(|place| {
        let id = page.attribute(&nodes[place as usize], AttributeName::Id);
        id.is_some_and(|id| id.bytes().eq(percent_decoded(fragment)))
    })
}

/// Returns the bytes of a fragment without percent encoding.
fn percent_decoded(fragment: &str) -> impl Iterator<Item = u8> {
    let mut rest = fragment.as_bytes();
    std::iter::from_fn(move || {
        if let [b'%', high, low, after @ ..] = rest
            && let Some(high) = char::from(*high).to_digit(16)
            && let Some(low) = char::from(*low).to_digit(16)
        {
            rest = after;
            return Some((16 * high + low) as u8);
        }
        let (first, after) = rest.split_first()?;
        rest = after;
        Some(*first)
    })
}

fn has_heading_word(page: &Page<'_>, node: &Node) -> bool {
    let scalars = page.runs()[node.runs()].iter().flat_map(|run| visible(page, run));
    let text = Letters::of(scalars);
    HEADING_WORDS.iter().any(|word| text.contains(word))
}

/// The first scalars of a short text in lower case, without white space.
struct Letters {
    chars: [char; Letters::MAX],
    len: usize,
}

impl Letters {
    /// Twice the longest text, since some letters are two in lower case.
    const MAX: usize = 2 * MAX_CHARS as usize;

    fn of(scalars: impl Iterator<Item = char>) -> Letters {
        let mut letters = Letters { chars: ['\0'; Letters::MAX], len: 0 };
        for (place, c) in letters.chars.iter_mut().zip(scalars.flat_map(char::to_lowercase)) {
            *place = c;
            letters.len += 1;
        }
        letters
    }

    fn as_slice(&self) -> &[char] {
        &self.chars[..self.len]
    }

    fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| word.chars().eq(self.as_slice().iter().copied()))
    }

    fn contains(&self, word: &str) -> bool {
        let mut windows = self.as_slice().windows(word.chars().count());
        windows.any(|window| word.chars().eq(window.iter().copied()))
    }
}

/// Returns whether a link begins directly after a letter or a digit of its heading.
fn is_glued(page: &Page<'_>, node: &Node, heading: &Node) -> bool {
    let runs = page.runs();
    let (Some(before), Some(first)) = (
        (heading.run_start..node.run_start).last().map(|run| &runs[run as usize]),
        runs.get(node.run_start as usize),
    ) else {
        return false;
    };
    let ends_in_letter =
        page.run_source(before).chars().next_back().is_some_and(char::is_alphanumeric);
    ends_in_letter
        && !first.flags.contains(RunFlags::SPACE_BEFORE)
        && !node.flags.contains(huller_page::NodeFlags::SPACE_BEFORE)
        && Scalars::decoded(page.run_source(first)).next().is_some_and(|(c, _)| c.is_alphanumeric())
}

/// Returns whether an element in a line holds the links to the editor of a wiki, or those from a
/// footnote to its marks, by its class.
pub(super) fn is_wiki_tool(page: &Page<'_>, node: &Node) -> bool {
    /// Largest number of runs of such an element.
    const MAX_TOOL_RUNS: usize = 64;
    if !matches!(node.tag, Tag::SPAN | Tag::SMALL | Tag::SUP | Tag::DIV)
        || page.attributes(node).is_empty()
        || node.runs().len() > MAX_TOOL_RUNS
    {
        return false;
    }
    let class = page.attribute(node, AttributeName::Class).unwrap_or_default();
    class.split_ascii_whitespace().any(|word| {
        matches!(
            word,
            "mw-editsection"
                | "mw-editsection-like"
                | "editsection"
                | "mw-cite-backlink"
                | "backrefs"
        )
    })
}

/// Returns whether a link lies in such an element, so that it is left out of texts.
pub fn is_wiki_tool_link(page: &Page<'_>, link: &Node) -> bool {
    const MAX_LEVELS: usize = 3;
    let node = |index: u32| &page.nodes()[index as usize];
    let around = std::iter::successors(Some(node(link.parent)), |inner| Some(node(inner.parent)));
    { around }.take(MAX_LEVELS).any(|element| is_wiki_tool(page, element))
}

#[cfg(test)]
mod tests {
    use crate::render::tests::forms::{clean, markdown};
    use crate::render::tests::text;

    #[test]
    fn links_to_the_editor_of_a_section_are_no_text() {
        for tool in [
            "<span class=mw-editsection><span>[</span><a href='/e?s=1'>edit</a><span>]</span></span>",
            "<span class='mw-editsection x'><a href=/e>edit</a><span> | </span><a href=/s>source</a></span>",
            "<span class=editsection>[<a href=/e title='Edit'>Bearbeiten</a>]</span>",
            "<span class='mw-editsection-like'>[<a href=/e>e</a>]</span>",
        ] {
            let html = format!("<h2>Reeds{tool}</h2><p>They grow.");
            assert_eq!(text(&html), "Reeds\nThey grow.", "{tool}");
            assert_eq!(markdown(&html), "## Reeds\n\nThey grow.", "{tool}");
            assert_eq!(clean(&html), "<h2>Reeds</h2>\n<p>They grow.</p>", "{tool}");
            let html = format!("<h2>{tool} <span>Reeds</span></h2>");
            assert_eq!(text(&html), "Reeds", "{tool}");
        }
        let div = "<div class=editsection>[<a href=/e>edit</a>]</div><h2>Reeds</h2>";
        assert_eq!(text(div), "Reeds");
        assert_eq!(text("<p>We <span class=edited>edit</span> it"), "We edit it");
    }

    #[test]
    fn links_of_headings_to_themselves_are_no_text() {
        for heading in [
            "<h2 id=r>Reeds<a class=anchor href=#r>Link to this heading</a></h2>",
            "<h2 id=r>Reeds <a href='/page#r'>Permalink</a></h2>",
            "<h2><span id=r>Reeds</span> <a class='x headerlink' href=#r>here</a></h2>",
            "<h2 id=r><a class=hash-link href=#r>go to it</a> Reeds</h2>",
            "<h3 id='r'>Reeds<a href=#r>Jump here</a></h3>",
            "<section id=r><h2>Reeds <a href=#r>direct <i>link</i></a></h2></section>",
            "<h2 id=ré>Reeds <a href=#r%C3%A9>Lien permanent</a></h2>",
            "<h2 id=r><a href=/reeds>Reeds</a> <a href=#r>Copy link</a></h2>",
            "<h2>Reeds <a class=anchor href=#r>Copy link</a></h2>",
            "<div><h2 id=r>Reeds</h2><a class=x-anchor-link href=#r>Section titled Reeds</a></div>",
        ] {
            assert_eq!(text(heading), "Reeds", "{heading}");
        }
        let html = "<h2 id=r>Reeds<a class=anchor href=#r>Link to it</a></h2>";
        assert_eq!(markdown(html), "## Reeds");
        assert_eq!(clean(html), "<h2>Reeds</h2>");
        for (heading, wanted) in [
            ("<h2 id=r><a href=#r>Reeds</a></h2>", "Reeds"),
            ("<h2 id=r><a class=anchor href=#r>Reeds</a></h2>", "Reeds"),
            ("<h2 id=r><a href=#s1>1.</a> <a class=anchor href=#r>Reeds</a></h2>", "1. Reeds"),
            ("<h2 id=r>Part one: <a href=#r>Reeds</a></h2>", "Part one: Reeds"),
            ("<h2><a class=toc-backref href=#id5>Reeds</a><a href=#r>¶</a></h2>", "Reeds"),
            ("<h2 id=r>Reeds <a href=#s>Link to boats</a></h2>", "Reeds Link to boats"),
            ("<p id=r>Reeds <a href=#r>link</a></p>", "Reeds link"),
            ("<h2>Reeds <a class=anchor href=#s>boats</a></h2>", "Reeds boats"),
            ("<div><h2 id=r>Reeds</h2><a href=#r>boats</a></div>", "Reeds\nboats"),
        ] {
            assert_eq!(text(heading), wanted, "{heading}");
        }
    }

    #[test]
    fn links_from_footnotes_back_are_no_text() {
        for link in [
            "<a href=#r>↩<sup>2</sup></a>",
            "<a href=#r>&#8617;<sup>12</sup></a>",
            "<a href=#r>↑3</a>",
            "<a href=#r>↩ Back</a>",
            "<a href=#r>▲</a>",
            "<a href=#r>↶</a>",
            "<a href=#r>⮌</a>",
            "<a href=#r>🔙</a>",
            "<a href=#r>Jump up ↑</a>",
            "<a href=#r>Jump up</a>",
            "<a href=#r>[back]</a>",
            "<a href=#r>(Return)</a>",
            "<a href=#r>Return to text</a>",
            "<a href=#r>Back to text.</a>",
            "<a href=#fnref2>return</a>",
            "<a class=footnote-backref href=#r>«</a>",
            "<a class=data-footnote-backref href=#r>^ a b</a>",
            "<a role=doc-backlink href=#r>to the passage</a>",
            "<a class=reversefootnote href=#r>above</a>",
            "<a class=footnote-back href=#r>↩︎</a>",
            "<span class=mw-cite-backlink>^ <a href=#a><i>a</i></a> <a href=#b>b</a></span>",
        ] {
            let html = format!("<p>Nine reeds. {link}</p>");
            assert_eq!(text(&html), "Nine reeds.", "{link}");
            assert_eq!(markdown(&html), "Nine reeds.", "{link}");
            assert_eq!(clean(&html), "<p>Nine reeds.</p>", "{link}");
        }
        for (html, wanted) in [
            ("<p>go <a href=#r>back</a> to it", "go back to it"),
            ("<p>see <a href=/r>↩2</a>", "see ↩2"),
            ("<p><a href=#r>↑2</a> Nine", "↑2 Nine"),
            ("<p><a class=fn-backref href=#r>[1]</a> Nine", "[1] Nine"),
            ("<p><a class=fn-backref href=#r>a</a> Nine", "a Nine"),
            ("<p>x<a href=#r>2^3</a>", "x2^3"),
            (
                "<p><a class=backlink href=#r>a text that is much longer than a sign</a>",
                "a text that is much longer than a sign",
            ),
        ] {
            assert_eq!(text(html), wanted, "{html}");
        }
    }
}
