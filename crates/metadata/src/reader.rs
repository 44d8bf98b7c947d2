//! Sweeps over a page once, and then finds its fields in order.

use crate::limits::{MAX_DESCRIPTION_CHARS, MAX_SITE_NAME_CHARS};
use crate::line::{LineWriter, Value};
use crate::metadata::Metadata;
use crate::stated_metadata::StatedMetadata;
use crate::{author, publication_date, title};
use huller_page::{Attributes, Page, Tag};

/// Finds the metadata of pages. Owns and reuses its buffers; each worker has one.
///
/// ```
/// use huller_metadata::{Metadata, MetadataReader};
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
    lines: LineWriter,
    title: title::Scratch,
    author: author::Scratch,
}

/// Elements that are searched for fields, as indices of nodes.
#[derive(Debug, Default)]
struct Landmarks {
    /// The first `h1` to `h5`.
    headings: Vec<u32>,
    /// The first `time` elements.
    times: Vec<u32>,
}

impl Landmarks {
    /// Largest number of elements of each kind.
    const MAX_ELEMENTS: usize = 32;
}

/// The tags that the sweep stops at, as a table with one load per node.
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

impl MetadataReader {
    /// Empties `out` and fills it with the page's metadata. `url` is the URL of the page, if it is
    /// known; it may contain the date.
    pub fn read(&mut self, page: &Page<'_>, url: Option<&str>, out: &mut Metadata) {
        let MetadataReader { attributes, landmarks, lines, title: titles, author: authors } = self;
        let Metadata { title, author, published, site_name, description, license, usage_info } =
            out;
        for field in [&mut *title, author, published, site_name, description, license, usage_info] {
            field.clear();
        }
        let stated = sweep(page, attributes, landmarks);
        if let Some(value) = stated.site_name() {
            value.put_line(MAX_SITE_NAME_CHARS, lines, site_name);
        }
        if let Some(value) = stated.description() {
            value.put_line(MAX_DESCRIPTION_CHARS, lines, description);
        }
        for (value, field) in
            [(stated.json_ld.license(), license), (stated.json_ld.usage_info(), usage_info)]
        {
            if let Some(value) = value {
                Value::Json(value).put_line(MAX_DESCRIPTION_CHARS, lines, field);
            }
        }
        let headings = &landmarks.headings;
        let title_source =
            title::append_title(page, &stated, headings, url, (lines, titles), title);
        let anchor = title_source.and_then(|(_, node)| node).or_else(|| headings.first().copied());
        author::append_authors(
            page,
            &stated,
            (anchor, titles.site()),
            (lines, attributes, authors),
            author,
        );
        publication_date::find_published(
            page,
            &stated,
            (&landmarks.times, anchor),
            url,
            attributes,
            published,
        );
    }
}

/// Collects the statements of the page, and its landmarks.
fn sweep<'a>(
    page: &Page<'a>,
    attributes: &mut Attributes,
    landmarks: &mut Landmarks,
) -> StatedMetadata<'a> {
    let Landmarks { headings, times } = landmarks;
    headings.clear();
    times.clear();
    let mut stated = StatedMetadata::default();
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
        if list.len() < Landmarks::MAX_ELEMENTS {
            list.push(index as u32);
        }
    }
    stated
}

#[cfg(test)]
pub(crate) mod tests;
