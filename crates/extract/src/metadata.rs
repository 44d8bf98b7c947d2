//! What a page says of itself: title, author, date of publication, site and description.
//!
//! One sweep over the nodes collects what is stated for machines (`meta` elements, JSON-LD) and where headings and times stand; then
//! each field has its own file with its own order of sources. What is not stated is looked for on the page itself, within a
//! [`Window`] around the headline, and the date besides in the whole text.
//!
//! Cost: O(nodes + bytes of `meta` and JSON-LD), and one look at each byte of the text where no date is stated. Everything that is
//! kept has a bounded length, and nothing is allocated once the memory has grown to the longest of them.

mod author;
mod json_ld;
mod line;
mod published;
mod stated;
mod title;

use huller_page::{Attributes, Page, Tag};
use line::Lines;
use stated::Stated;
use std::ops::Range;

/// What is known of a page besides its text. A field is empty where nothing was found. Made once and refilled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The headline, on one line.
    pub title: String,
    /// Who wrote it; several names with `, ` between them.
    pub author: String,
    /// When it was published, by ISO 8601, as much as is known of it.
    pub published: String,
    /// The name of the site.
    pub site_name: String,
    /// What the page says it is about, on one line.
    pub description: String,
}

/// Finds metadata. Owns the memory that takes; a worker has one.
///
/// ```
/// use huller_extract::{Metadata, MetadataReader};
/// use huller_page::PageBuf;
///
/// let html = "<title>Rain - Daily</title><meta name=author content='Ann Ray'><h1>Rain</h1><p>2010-01-30</p>";
/// let mut buffer = PageBuf::new();
/// let mut found = Metadata::default();
/// MetadataReader::default().read(&buffer.fill(html), None, &mut found);
/// assert_eq!((found.author.as_str(), found.published.as_str()), ("Ann Ray", "2010-01-30"));
/// ```
#[derive(Debug, Default)]
pub struct MetadataReader {
    attributes: Attributes,
    landmarks: Landmarks,
    lines: Lines,
    title: title::Scratch,
    text: String,
}

/// Elements that fields are looked for in.
#[derive(Debug, Default)]
struct Landmarks {
    /// `h1` to `h5`, the first ones.
    headings: Vec<u32>,
    /// `time`, the first ones.
    times: Vec<u32>,
}

impl Landmarks {
    /// So many of each kind.
    const MOST: usize = 32;
}

/// Scalars that the fields have at most.
const LONGEST_TITLE: usize = 200;
const LONGEST_AUTHOR: usize = 200;
const LONGEST_SITE_NAME: usize = 200;
const LONGEST_DESCRIPTION: usize = 1000;

impl MetadataReader {
    /// Fills `out`. The address of the page, where it is known, may hold the date.
    pub fn read(&mut self, page: &Page<'_>, url: Option<&str>, out: &mut Metadata) {
        let MetadataReader { attributes, landmarks, lines, title, text } = self;
        let Metadata { title: headline, author, published, site_name, description } = out;
        for field in [&mut *headline, author, published, site_name, description] {
            field.clear();
        }
        let stated = sweep(page, attributes, landmarks);
        if let Some(value) = stated.site_name() {
            value.put_line(LONGEST_SITE_NAME, lines, site_name);
        }
        if let Some(value) = stated.description() {
            value.put_line(LONGEST_DESCRIPTION, lines, description);
        }
        let headings = &landmarks.headings;
        let found = title::find(page, &stated, headings, site_name, (lines, title), headline);
        let anchor = found.and_then(|(_, node)| node).or_else(|| headings.first().copied());
        let window = Window::around(page, anchor);
        author::find(page, &stated, &window, (lines, attributes, text), author);
        let times = &landmarks.times;
        published::find(page, &stated, times, &window, url, (lines, attributes), published);
    }
}

/// Reads what is stated, and notes the landmarks.
fn sweep<'a>(
    page: &Page<'a>,
    attributes: &mut Attributes,
    landmarks: &mut Landmarks,
) -> Stated<'a> {
    let Landmarks { headings, times } = landmarks;
    headings.clear();
    times.clear();
    let mut stated = Stated::default();
    for (index, node) in page.nodes().iter().enumerate() {
        let list = match node.tag {
            Tag::META => {
                stated.meta(page, node, attributes);
                continue;
            }
            Tag::SCRIPT => {
                if let Some(json) = page.json_ld(node, attributes) {
                    stated.json_ld.read(json);
                }
                continue;
            }
            Tag::TIME => &mut *times,
            tag if (Tag::H1..=Tag::H5).contains(&tag) => &mut *headings,
            _ => continue,
        };
        if list.len() < Landmarks::MOST {
            list.push(index as u32);
        }
    }
    stated
}

/// The nodes around the headline, where byline and date stand.
struct Window {
    nodes: Range<usize>,
    runs: Range<usize>,
}

impl Window {
    /// Nodes before the headline and behind it.
    const BEFORE: usize = 40;
    const BEHIND: usize = 120;

    /// Without a headline the window is where the body begins.
    fn around(page: &Page<'_>, headline: Option<u32>) -> Window {
        let nodes = page.nodes();
        let body = nodes.iter().take(1 << 10).position(|node| node.tag == Tag::BODY);
        let (body, headline) = (body.unwrap_or(0), headline.map(|node| node as usize));
        let start = headline.map_or(body, |node| node.saturating_sub(Window::BEFORE).max(body));
        let end = headline.map_or(start, |node| nodes[node].end as usize) + Window::BEHIND;
        let end = end.min(nodes.len());
        let run_end = nodes.get(end).map_or(page.runs().len(), |next| next.run_start as usize);
        Window { nodes: start..end, runs: nodes[start].run_start as usize..run_end }
    }
}

#[cfg(test)]
mod tests;
