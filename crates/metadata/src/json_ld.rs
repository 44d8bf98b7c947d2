//! Reads from JSON-LD the headline, description, dates, authors, the name of the site, the text of
//! an article, and the licence of the page.
//!
//! The text is scanned once and not parsed: much JSON-LD is broken (line breaks in strings, extra
//! commas), and all needed values are strings. Open objects are kept on a stack of bounded depth;
//! deeper objects are ignored. When an object closes, its `@type` sets its priority: articles, then
//! pages, then other objects with a headline, an author or a date. Objects that belong to another
//! object (a comment, a part, an item of a list) do not describe the page.
//!
//! Known failures: in a list of articles without `ItemList`, the first is taken for the page; if an
//! object has several types, the last one counts.

use super::names::Names;
use super::placeholder::is_placeholder;
use memchr::memchr2;

/// The values found. They are JSON strings without their quotes, with escapes still encoded.
#[derive(Debug, Default)]
pub(super) struct JsonLd<'a> {
    /// The first article, the first page, and the first other object.
    entities: [Option<Entity<'a>>; 3],
    site: Option<&'a str>,
    publisher: Option<&'a str>,
    /// Identifiers and names of persons, to which articles may refer.
    persons: [(&'a str, &'a str); 8],
    /// Number of people so far.
    person_count: usize,
    /// The first licences and terms of use of articles, of pages, and of other objects.
    licenses: [Option<&'a str>; 3],
    usage_infos: [Option<&'a str>; 3],
    /// The longest text of an article.
    body: Option<&'a str>,
    /// Total bytes of all different article texts.
    body_bytes: usize,
}

/// The facts that an object states about itself.
#[derive(Clone, Copy, Debug, Default)]
struct Entity<'a> {
    kind: Kind,
    id: Option<&'a str>,
    name: Option<&'a str>,
    /// The names after the first, if its `name` is a list.
    more_names: Names<'a>,
    headline: Option<&'a str>,
    description: Option<&'a str>,
    published: Option<&'a str>,
    created: Option<&'a str>,
    authors: Names<'a>,
    /// The identifier of an author object without a name.
    author_id: Option<&'a str>,
    /// Whether it is an image, a video or another medium, whose licence is not that of the page.
    is_medium: bool,
    /// Its `license`: a text, or the identifier or URL of an object.
    license: Option<&'a str>,
    /// Its `usageInfo`, in the same forms.
    usage_info: Option<&'a str>,
    /// Its `url`.
    url: Option<&'a str>,
    /// Its `articleBody`.
    body: Option<&'a str>,
    /// Its `text` or `reviewBody`, which counts as its body if it is an article.
    text: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    Article,
    Page,
    #[default]
    Other,
    Person,
    Site,
}

impl Kind {
    fn from_name(name: &str) -> Kind {
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        match name {
            "Person" => Kind::Person,
            "WebSite" => Kind::Site,
            "Report" | "Recipe" | "Review" => Kind::Article,
            _ if ends(&["Article", "Posting"]) => Kind::Article,
            _ if ends(&["Page"]) => Kind::Page,
            _ => Kind::Other,
        }
    }
}

/// The role of a value in the object that holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Member {
    /// A description of the page itself: an outermost object, or an object of a graph.
    #[default]
    Itself,
    Kind,
    Id,
    Name,
    Headline,
    Description,
    Published,
    Created,
    Author,
    Publisher,
    License,
    UsageInfo,
    Url,
    Body,
    Text,
    Other,
}

impl Member {
    fn from_name(name: &str) -> Member {
        match name {
            "@graph" | "mainEntity" | "mainEntityOfPage" => Member::Itself,
            "@type" => Member::Kind,
            "@id" => Member::Id,
            "name" => Member::Name,
            "headline" => Member::Headline,
            "description" => Member::Description,
            "datePublished" => Member::Published,
            "dateCreated" => Member::Created,
            "author" | "creator" => Member::Author,
            "publisher" => Member::Publisher,
            "license" => Member::License,
            "usageInfo" => Member::UsageInfo,
            "url" => Member::Url,
            "articleBody" => Member::Body,
            "text" | "reviewBody" => Member::Text,
            _ => Member::Other,
        }
    }
}

/// An open object or array.
#[derive(Clone, Copy, Debug, Default)]
struct Frame<'a> {
    is_array: bool,
    /// Its role in the object around it.
    role: Member,
    /// Whether it and all objects around it describe the page itself.
    is_outermost: bool,
    entity: Entity<'a>,
}

/// Largest number of open objects and arrays, including the text as a whole.
const MAX_DEPTH: usize = 12;

impl<'a> JsonLd<'a> {
    pub(super) fn headline(&self) -> Option<&'a str> {
        self.entities().find_map(|entity| entity.headline)
    }

    pub(super) fn description(&self) -> Option<&'a str> {
        self.entities().find_map(|entity| entity.description)
    }

    /// Returns the licence of the page: of its article, of itself, or of another outermost object.
    pub(super) fn license(&self) -> Option<&'a str> {
        self.licenses.iter().flatten().next().copied()
    }

    /// Returns the URL of the terms of use, in the same order.
    pub(super) fn usage_info(&self) -> Option<&'a str> {
        self.usage_infos.iter().flatten().next().copied()
    }

    pub(super) fn published(&self) -> impl Iterator<Item = &'a str> {
        let dates = |field: fn(&Entity<'a>) -> Option<&'a str>| self.entities().filter_map(field);
        dates(|entity| entity.published).chain(dates(|entity| entity.created))
    }

    pub(super) fn site_name(&self) -> Option<&'a str> {
        self.site.or(self.publisher)
    }

    /// Returns the names of the site and of its publisher.
    pub(super) fn site_names(&self) -> impl Iterator<Item = &'a str> {
        self.site.into_iter().chain(self.publisher)
    }

    /// Returns the names of the page's authors.
    pub(super) fn authors(&self) -> Names<'a> {
        let names_of = |entity: &Entity<'a>| {
            let mut names = entity.authors;
            if let (true, Some(id)) = (names.as_slice().is_empty(), entity.author_id) {
                let persons = &self.persons[..self.person_count];
                persons
                    .iter()
                    .filter(|person| person.0 == id)
                    .take(1)
                    .for_each(|p| names.push(p.1));
            }
            Some(names).filter(|names| !names.as_slice().is_empty())
        };
        self.entities().find_map(names_of).unwrap_or_default()
    }

    /// Returns the text of the page's article. `None` if the page states several articles, and no
    /// text makes up at least half of their total length.
    pub(super) fn body(&self) -> Option<&'a str> {
        self.body.filter(|body| 2 * body.len() >= self.body_bytes)
    }

    fn add_body(&mut self, body: &'a str) {
        if self.body == Some(body) {
            return;
        }
        self.body_bytes += body.len();
        if self.body.is_none_or(|longest| longest.len() < body.len()) {
            self.body = Some(body);
        }
    }

    fn entities(&self) -> impl Iterator<Item = &Entity<'a>> {
        self.entities.iter().flatten()
    }

    /// Reads one script.
    pub(super) fn read(&mut self, json: &'a str) {
        let bytes = json.as_bytes();
        let mut frames = [Frame::default(); MAX_DEPTH];
        frames[0].is_outermost = true;
        // Number of open frames after the first, which represents the whole text. Frames that are
        // too deep are only counted.
        let mut depth = 0;
        let mut member = Member::Itself;
        let mut offset = 0;
        while let Some(b) = bytes.get(offset) {
            offset += 1;
            match b {
                b'{' | b'[' => {
                    let outer = &frames[depth.min(MAX_DEPTH - 1)];
                    let role = if outer.is_array { outer.role } else { member };
                    let is_outermost = outer.is_outermost && role == Member::Itself;
                    depth += 1;
                    if let Some(frame) = frames.get_mut(depth) {
                        let entity = Entity::default();
                        *frame = Frame { is_array: *b == b'[', role, is_outermost, entity };
                    }
                    member = Member::Other;
                }
                b'}' | b']' if depth > 0 => {
                    self.close_frame(&mut frames, depth);
                    depth -= 1;
                    member = Member::Other;
                }
                b',' => member = Member::Other,
                b'"' => {
                    let end = string_end(bytes, offset);
                    let string = &json[offset..end];
                    offset = end + 1;
                    if depth >= MAX_DEPTH {
                        continue;
                    }
                    let is_key = !frames[depth].is_array && next_is_colon(bytes, &mut offset);
                    if is_key {
                        member = Member::from_name(string);
                    } else {
                        set(&mut frames[..=depth], member, string);
                    }
                }
                _ => {}
            }
        }
        for depth in (1..=depth).rev() {
            self.close_frame(&mut frames, depth);
        }
    }

    /// Closes the frame at this depth, and adopts its values.
    fn close_frame(&mut self, frames: &mut [Frame<'a>; MAX_DEPTH], depth: usize) {
        let Some(Frame { is_array: false, role, is_outermost, entity }) =
            frames.get(depth).copied()
        else {
            return;
        };
        let owner = &mut frames[owner(&frames[..depth])].entity;
        match role {
            Member::Author => {
                let more = entity.more_names;
                let names = entity.name.into_iter().chain(more.as_slice().iter().copied());
                names.for_each(|name| owner.authors.push(name));
                owner.author_id = owner.author_id.or(entity.id);
            }
            Member::Publisher => self.publisher = self.publisher.or(entity.name),
            Member::License => owner.license = owner.license.or(entity.id).or(entity.url),
            Member::UsageInfo => owner.usage_info = owner.usage_info.or(entity.id).or(entity.url),
            _ => {}
        }
        if let (Kind::Person, Some(id), Some(name)) = (entity.kind, entity.id, entity.name)
            && let Some(free) = self.persons.get_mut(self.person_count)
        {
            *free = (id, name);
            self.person_count += 1;
        }
        if is_outermost && !matches!(entity.kind, Kind::Site | Kind::Person) {
            let text = entity.text.filter(|_| entity.kind == Kind::Article);
            entity.body.or(text).into_iter().for_each(|body| self.add_body(body));
        }
        match entity.kind {
            Kind::Site => self.site = self.site.or(entity.name),
            Kind::Article | Kind::Page | Kind::Other if is_outermost => {
                let [license, usage_info] = [&mut self.licenses, &mut self.usage_infos]
                    .map(|all| &mut all[entity.kind as usize]);
                if !entity.is_medium {
                    *license = license.or(entity.license);
                    *usage_info = usage_info.or(entity.usage_info);
                }
                let first = &mut self.entities[entity.kind as usize];
                if first.is_none() && entity.has_content() {
                    *first = Some(entity);
                }
            }
            _ => {}
        }
    }
}

impl Entity<'_> {
    fn has_content(&self) -> bool {
        let has_author = !self.authors.as_slice().is_empty() || self.author_id.is_some();
        has_author || self.headline.or(self.published).or(self.created).is_some()
    }
}

/// Returns the index of the innermost open object.
fn owner(frames: &[Frame<'_>]) -> usize {
    frames.iter().rposition(|frame| !frame.is_array).unwrap_or(0)
}

/// Stores a string, given as the value of `member` or as an item of an array, in the innermost
/// object.
fn set<'a>(frames: &mut [Frame<'a>], member: Member, value: &'a str) {
    let Some(innermost) = frames.last().filter(|_| !is_placeholder(value)) else { return };
    let is_item = innermost.is_array;
    let member = if is_item { innermost.role } else { member };
    let entity = &mut frames[owner(frames)].entity;
    let field = match member {
        Member::Kind => {
            entity.kind = Kind::from_name(value);
            entity.is_medium |= value.ends_with("Object");
            return;
        }
        Member::Author => return entity.authors.push(value),
        Member::Name if entity.name.is_some() && is_item => return entity.more_names.push(value),
        Member::Id => &mut entity.id,
        Member::Name => &mut entity.name,
        Member::Headline => &mut entity.headline,
        Member::Description => &mut entity.description,
        Member::Published => &mut entity.published,
        Member::Created => &mut entity.created,
        Member::License => &mut entity.license,
        Member::UsageInfo => &mut entity.usage_info,
        Member::Url => &mut entity.url,
        Member::Body => &mut entity.body,
        Member::Text => &mut entity.text,
        Member::Itself | Member::Publisher | Member::Other => return,
    };
    if field.is_none() && !value.trim().is_empty() {
        *field = Some(value);
    }
}

/// Returns the index of the closing quote of the string that begins at `start`, or the length of
/// the text.
fn string_end(json: &[u8], mut start: usize) -> usize {
    while let Some(distance) = json.get(start..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        if json[start + distance] == b'"' {
            return start + distance;
        }
        start += distance + 2;
    }
    json.len()
}

/// Returns whether a colon follows. Moves `offset` past white space and the colon.
fn next_is_colon(json: &[u8], offset: &mut usize) -> bool {
    let remaining = json.get(*offset..).unwrap_or_default();
    let blanks = remaining.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let is_colon = remaining.get(blanks) == Some(&b':');
    // White space is skipped in both cases, so that it is read only once.
    *offset += blanks + usize::from(is_colon);
    is_colon
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> JsonLd<'_> {
        let mut found = JsonLd::default();
        found.read(json);
        found
    }

    fn authors(json: &str) -> Vec<&str> {
        read(json).authors().as_slice().to_vec()
    }

    #[test]
    fn an_article_wins_over_a_page_and_a_page_over_the_rest() {
        let json = r#"{"@context": "x", "@graph": [
            {"@type": "Product", "headline": "Thing", "dateCreated": "2001-01-01"},
            {"@type": ["WebPage", "AboutPage"], "headline": "Page", "datePublished": "2002-01-01"},
            {"headline": "Rain", "@type": "NewsArticle", "author": "Ann"},
            {"headline": "Sun", "@type": "NewsArticle", "description": "late"}]}"#;
        let found = read(json);
        assert_eq!((found.headline(), found.description()), (Some("Rain"), None));
        assert_eq!(found.published().collect::<Vec<_>>(), ["2002-01-01", "2001-01-01"]);
        assert_eq!(found.authors().as_slice(), ["Ann"]);
    }

    #[test]
    fn authors_are_strings_objects_lists_or_references() {
        assert_eq!(authors(r#"[{"author":{"name":"Ann","url":"/ann"}}]"#), ["Ann"]);
        assert_eq!(
            authors(r#"{"author":[{"@type":"Person","name":["Ann"]},"Bob",{"name":"Cid"}]}"#),
            ["Ann", "Bob", "Cid"]
        );
        assert_eq!(
            authors(r#"{"author":{"@type":"Person","name":["Ann","Bob"],"url":["/a","/b"]}}"#),
            ["Ann", "Bob"]
        );
        let graph = r##"{"@graph":[{"@type":"Article","author":{"@id":"#a"}},{"@type":"Person","@id":"#b","name":"Bob"},
            {"@type":"Person","@id":"#a","name":"Ann"}]}"##;
        assert_eq!(authors(graph), ["Ann"]);
    }

    #[test]
    fn objects_inside_others_do_not_describe_the_page() {
        let json = r#"{"@type":"Product","review":{"@type":"Review","author":{"name":"Eve"}},
            "comment":[{"author":"Eve"}],"datePublished":"2001-01-01"}"#;
        assert_eq!(authors(json), Vec::<&str>::new());
        let list =
            r#"{"@type":"ItemList","itemListElement":[{"@type":"Article","headline":"One"}]}"#;
        assert_eq!(read(list).headline(), None);
        let site =
            r#"{"publisher":{"name":"Press"},"isPartOf":{"@type":"WebSite","name":"Daily"}}"#;
        assert_eq!(read(site).site_name(), Some("Daily"));
    }

    #[test]
    fn the_licence_is_that_of_the_page_and_not_of_its_images() {
        for (json, expected) in [
            (r#"{"@type":"Article","license":"L"}"#, Some("L")),
            (r#"{"@type":"Article","license":{"@type":"CreativeWork","url":"L"}}"#, Some("L")),
            (r#"{"@type":"Dataset","license":[{"@id":"L"},"M"]}"#, Some("L")),
            (
                r#"{"@graph":[{"@type":"WebPage","license":"P"},{"@type":"Article","license":"L"}]}"#,
                Some("L"),
            ),
            (r#"{"@type":"Article","image":{"@type":"ImageObject","license":"I"}}"#, None),
            (r#"[{"@type":"ImageObject","license":"I"}]"#, None),
            (r#"{"license":" "}"#, None),
        ] {
            assert_eq!(read(json).license(), expected, "{json}");
            let json = json.replace("license", "usageInfo");
            assert_eq!(read(&json).usage_info(), expected, "{json}");
        }
    }

    #[test]
    fn the_body_is_that_of_the_one_article() {
        let body = |json: &'static str| read(json).body();
        for json in [
            r#"{"@type":"NewsArticle","articleBody":"It rained."}"#,
            r#"{"articleBody":"It rained."}"#,
            r#"[{"@type":"WebSite","name":"Daily"},{"@type":"Article","articleBody":"It rained."}]"#,
            r#"{"@graph":[{"@type":"WebPage"},{"@type":["Article"],"articleBody":"It rained."}]}"#,
            r#"{"@type":"WebPage","mainEntity":{"@type":"BlogPosting","articleBody":"It rained."}}"#,
            r#"{"@type":"SocialMediaPosting","text":"It rained."}"#,
            r#"{"@type":"Review","reviewBody":"It rained."}"#,
            r#"[{"articleBody":"It rained."},{"articleBody":"It rained."}]"#,
            r#"[{"articleBody":"It rained."},{"articleBody":"Snow."}]"#,
        ] {
            assert_eq!(body(json), Some("It rained."), "{json}");
        }
        for json in [
            r#"[{"articleBody":"It rained."},{"articleBody":"It snowed"},{"articleBody":"Sun"}]"#,
            r#"{"@type":"ItemList","itemListElement":[{"@type":"Article","articleBody":"It rained."}]}"#,
            r#"{"@type":"Product","review":{"@type":"Review","reviewBody":"It rained."}}"#,
            r#"{"@type":"Article","comment":[{"@type":"Comment","text":"So it did."}]}"#,
            r#"{"@type":"HowTo","text":"It rained."}"#,
            r#"{"@type":"NewsArticle","articleBody":" "}"#,
        ] {
            assert_eq!(body(json), None, "{json}");
        }
    }

    #[test]
    fn broken_and_deep_json_is_read_as_far_as_possible() {
        let json = "{\"headline\":\"two\nlines \\\"x\\\"\",, \"author\" : [\"Ann\",], \"datePublished\": null, \"name\": \"open";
        let found = read(json);
        assert_eq!(found.headline(), Some("two\nlines \\\"x\\\""));
        assert_eq!(found.authors().as_slice(), ["Ann"]);
        assert_eq!(found.published().count(), 0);
        let deep = format!("{}\"headline\":\"far\"", "{\"mainEntity\":".repeat(9999));
        assert_eq!(read(&deep).headline(), None);
        for json in ["", "}]}", "\"", "\"\\", "{\"a\""] {
            assert!(read(json).authors().as_slice().is_empty(), "{json}");
        }
    }
}
