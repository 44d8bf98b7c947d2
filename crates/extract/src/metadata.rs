//! What a page says of itself: title, author, date of publication, site and description.
//!
//! One sweep over the nodes collects what is stated for machines (`meta` elements, JSON-LD) and where headings and times stand; then
//! each field has its own file with its own order of sources. What is not stated is looked for on the page itself, within a
//! [`Window`] around the headline.
//!
//! Cost: O(nodes + bytes of `meta` and JSON-LD); the rest is bounded. Everything that is kept has a bounded length, and nothing is allocated once the memory has grown to the longest of them.

mod author;
mod date;
mod json_ld;
mod line;
mod names;
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
    author: author::Scratch,
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

/// Which tags the sweep stops at: one load for each node.
static LANDMARKS: [bool; Tag::count()] = {
    let tags = [Tag::META, Tag::SCRIPT, Tag::TIME, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5];
    let mut stops = [false; Tag::count()];
    let mut i = 0;
    while i < tags.len() {
        stops[tags[i].index()] = true;
        i += 1;
    }
    stops
};

/// Scalars that the fields have at most.
const LONGEST_TITLE: usize = 200;
const LONGEST_AUTHOR: usize = 200;
const LONGEST_SITE_NAME: usize = 200;
const LONGEST_DESCRIPTION: usize = 1000;

impl MetadataReader {
    /// Fills `out`. The address of the page, where it is known, may hold the date.
    pub fn read(&mut self, page: &Page<'_>, url: Option<&str>, out: &mut Metadata) {
        let MetadataReader { attributes, landmarks, lines, title: titles, author: authors } = self;
        let Metadata { title, author, published, site_name, description } = out;
        for field in [&mut *title, author, published, site_name, description] {
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
        let found = title::find(page, &stated, headings, site_name, (lines, titles), title);
        let anchor = found.and_then(|(_, node)| node).or_else(|| headings.first().copied());
        author::find(page, &stated, anchor, (lines, attributes, authors), author);
        published::find(page, &stated, (&landmarks.times, anchor), url, attributes, published);
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
        if !LANDMARKS[node.tag.index()] {
            continue;
        }
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
            _ => &mut *headings,
        };
        if list.len() < Landmarks::MOST {
            list.push(index as u32);
        }
    }
    stated
}

/// The nodes around the headline, where byline and date stand.
struct Window {
    headline: usize,
    nodes: Range<usize>,
    runs: Range<usize>,
}

impl Window {
    /// How many nodes before the headline and behind it are looked at for a byline.
    const BYLINE: (usize, usize) = (40, 120);
    /// Dates are told from other text more surely.
    const DATE: (usize, usize) = (60, 240);
    /// Bytes of the source before the headline and behind it that are looked at for marked elements.
    const BYTES: (usize, usize) = (4 << 10, 16 << 10);

    /// Bytes of a start tag that are looked at.
    const TAG: usize = 512;

    /// Without a headline the window is where the body begins.
    fn around(page: &Page<'_>, headline: Option<u32>, (before, behind): (usize, usize)) -> Window {
        let nodes = page.nodes();
        let body = nodes.iter().take(1 << 10).position(|node| node.tag == Tag::BODY);
        let (body, headline) = (body.unwrap_or(0), headline.map(|node| node as usize));
        let start = headline.map_or(body, |node| node.saturating_sub(before).max(body).min(node));
        let end = headline.map_or(start, |node| nodes[node].end as usize) + behind;
        let end = end.min(nodes.len());
        let run_end = nodes.get(end).map_or(page.runs().len(), |next| next.run_start as usize);
        Window {
            headline: headline.unwrap_or(start),
            nodes: start..end,
            runs: nodes[start].run_start as usize..run_end,
        }
    }
}

impl Window {
    /// Where the start tags lie, in bytes, but for those too far off.
    fn bytes(&self, page: &Page<'_>) -> Range<usize> {
        let start_of = |node: usize| page.nodes()[node].byte_start as usize;
        let headline = start_of(self.headline);
        let (before, behind) = Window::BYTES;
        let start = start_of(self.nodes.start).max(headline.saturating_sub(before));
        let end = start_of(self.nodes.end - 1) + Window::TAG;
        start..end.min(headline + behind).min(page.html().len()).max(start)
    }

    /// The node that begins last at a place in the source or before it.
    fn node_at(&self, page: &Page<'_>, place: usize) -> u32 {
        let nodes = &page.nodes()[self.nodes.clone()];
        let begun = nodes.partition_point(|node| node.byte_start as usize <= place);
        (self.nodes.start + begun.saturating_sub(1)) as u32
    }
}

#[cfg(test)]
mod tests;
