//! Cuts pages into passages.

use crate::align::{Aligned, Aligner};
use crate::document::{Document, NO_HEADING};
use crate::headings::{self, Anchor};
use crate::inline::MAX_TITLE_CHARS;
use crate::kinds::Kinds;
use crate::length_meter::LengthMeter;
use crate::level::Level;
use crate::packer::{self, Limits};
use crate::passage::Passage;
use crate::piece_splitter::Piece;
use crate::prefix::PrefixWriter;
use crate::queue::{Page, Queue};
use crate::settings::{PassageSettings, ValidSettings};
use crate::{plain_rows, scanner};
use huller_refine::InvalidSettings;
use std::ops::Range;
use uuid::Uuid;

/// A page to be cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// The `id` of its row.
    pub id: &'a str,
    /// Its URL.
    pub url: Option<&'a str>,
    /// Its title.
    pub title: Option<&'a str>,
    /// Its language.
    pub language: Option<&'a str>,
    /// Its Markdown, or its plain text.
    pub markdown: &'a str,
    /// Whether `markdown` is plain text. Then each line is a paragraph, and signs of Markdown have
    /// no meaning. Places in the text are those in `markdown`, and `text` and `anchors` are unused.
    pub is_plain: bool,
    /// Its text, as far as it is known.
    pub text: Option<&'a str>,
    /// The identifiers of headings, in ascending order of their places. For a heading without an
    /// entry, an identifier at its end counts: `# Heading {#id}`.
    pub anchors: &'a [Anchor<'a>],
}

/// Cuts pages into passages. Each worker thread has a splitter of its own. A clone shares the
/// tokenizer and has buffers of its own.
#[derive(Debug)]
pub struct Splitter {
    settings: ValidSettings,
    meter: LengthMeter,
    document: Document,
    scanning: scanner::Scratch,
    queue: Queue,
    prefix: PrefixWriter,
    aligner: Aligner,
    bounds: Vec<PassageDraft>,
    /// The prefixes of all passages.
    prefixes: String,
    /// Prefix and context of the next cut.
    before: String,
}

/// The place and the properties of a passage.
#[derive(Clone, Debug)]
struct PassageDraft {
    /// Byte range in the Markdown, with what it repeats.
    bytes: Range<usize>,
    /// The same range in Unicode scalars.
    scalars: Range<u64>,
    /// Range in the prefixes.
    prefix: Range<usize>,
    /// Byte range in the Markdown.
    context: Range<usize>,
    kinds: Kinds,
    /// Number of the section in which it begins.
    section: u32,
    /// The heading with its identifier.
    anchor: Option<usize>,
    /// Length in the unit of the limit.
    tokens: u64,
}

impl Clone for Splitter {
    fn clone(&self) -> Splitter {
        Splitter::from_settings(self.settings.clone())
    }
}

impl Splitter {
    /// Creates a splitter with these settings, and reads the file of the tokenizer.
    ///
    /// # Errors
    ///
    /// If a setting has a value that is not allowed, or the tokenizer cannot be read.
    pub fn new(settings: &PassageSettings) -> Result<Splitter, InvalidSettings> {
        ValidSettings::new(settings).map(Splitter::from_settings)
    }

    fn from_settings(settings: ValidSettings) -> Splitter {
        Splitter {
            meter: LengthMeter::new(settings.tokenizer.as_ref()),
            settings,
            document: Document::default(),
            scanning: scanner::Scratch::default(),
            queue: Queue::default(),
            prefix: PrefixWriter::default(),
            aligner: Aligner::default(),
            bounds: Vec::new(),
            prefixes: String::new(),
            before: String::new(),
        }
    }

    /// Returns a digest of everything that passages depend on besides the page: the settings, the
    /// tokenizer and the version of the rules.
    pub fn digest(&self) -> &str {
        &self.settings.digest
    }

    /// Cuts a page into passages. They are in its order, and without [`PassageSettings::overlap`]
    /// their texts are its Markdown, byte for byte. Empty Markdown has no passages.
    ///
    /// Cost: O(bytes of the Markdown and the text).
    pub fn split<'a>(&'a mut self, source: &Source<'a>) -> Passages<'a> {
        self.bounds.clear();
        self.prefixes.clear();
        self.queue.clear();
        self.document.shrink();
        self.prefixes.shrink_to(1 << 16);
        self.bounds.shrink_to(1 << 12);
        if source.is_plain {
            plain_rows::scan(source.markdown, &mut self.document);
        } else {
            scanner::scan(source.markdown, &mut self.scanning, &mut self.document);
            headings::fill_headings(source.markdown, source.anchors, &mut self.document);
        }
        self.prefix.begin(source.title);
        self.meter.begin(source.markdown, &mut self.document);
        self.keep_units_whole(source.markdown);
        self.cut_passage(source.markdown);
        let parts = self.bounds.iter().map(|passage| passage.bytes.clone());
        let text = source.text.filter(|_| !source.is_plain).unwrap_or_default();
        self.aligner.align(source.markdown, &self.document, parts, text);
        Passages { splitter: self, source: *source, next: 0 }
    }

    fn keep_units_whole(&mut self, markdown: &str) {
        let Splitter { settings, meter, document, prefix, before, .. } = self;
        let max = settings.max_length;
        let mut page = Page { markdown, document, meter };
        packer::keep_units_whole(&mut page, max, |page, first_row, end| {
            before.clear();
            let section_and_row = (section_of(page.document, first_row), first_row);
            prefix.write(settings, page.document, section_and_row, page.meter, before);
            let range = page.document.start(first_row)..page.document.start(end);
            page.meter.count_part(before, markdown, range) <= max
        });
    }

    fn cut_passage(&mut self, markdown: &str) {
        let Splitter { settings, meter, document, queue, prefix, bounds, prefixes, before, .. } =
            self;
        let mut page = Page { markdown, document, meter };
        let mut tables = TableHeads::default();
        let mut anchors = AnchorSearch::default();
        // Start of the last passage without what it repeats, in bytes and in scalars.
        let mut last = (0, 0);
        while let Some(first) = queue.get(0, &page) {
            let mut from = packer::repeat_from(&page, last.0, &first, settings.overlap);
            let section = section_of(page.document, first.row);
            let prefix_start = prefixes.len();
            prefix.write(settings, page.document, (section, first.row), page.meter, prefixes);
            let mut context = tables.context(&page, settings.max_length / 3, &first);
            before.clear();
            before.push_str(&prefixes[prefix_start..]);
            before.push_str(&markdown[context.clone()]);
            let (mut room, mut end_before, mut attempts) = (None, usize::MAX, 0);
            let (count, tokens) = loop {
                let room_now = room.unwrap_or_else(|| {
                    let repeated = page.meter.estimate(markdown, from..first.start);
                    settings.max_length.saturating_sub(page.meter.count(before) + repeated)
                });
                let limits =
                    Limits { room: room_now, min: settings.min_length, before: end_before };
                let count = packer::choose(queue, &mut page, limits);
                let last_piece = *queue.returned_piece(count - 1);
                let tokens = page.meter.count_part(before, markdown, from..last_piece.end);
                let is_fine =
                    queue.get(count, &page).is_none_or(|next| next.level <= Level::SENTENCE);
                if from < first.start && (tokens > settings.max_length || !is_fine) {
                    // Repeats nothing if that would cut a sentence or exceed the limit.
                    (from, room, end_before) = (first.start, None, usize::MAX);
                } else if tokens <= settings.max_length {
                    break (count, tokens);
                } else if count > 1 {
                    let size: u64 =
                        (0..count).map(|index| queue.returned_piece(index).estimated_length).sum();
                    let excess =
                        (tokens - settings.max_length).saturating_mul(1 << (attempts / 3).min(32));
                    let floor = queue.size_before_a_cut(count);
                    room = Some(size.saturating_sub(excess).max(floor));
                    // A choice that was too long is not made again.
                    (end_before, attempts) = (last_piece.end, attempts + 1);
                } else if let Some(smaller) =
                    last_piece.granularity.smaller(page.document.rows[last_piece.row].kinds)
                {
                    queue.release(last_piece.row, &mut page);
                    queue.split(0, smaller);
                    end_before = usize::MAX;
                } else if before.is_empty() {
                    break (count, tokens);
                } else {
                    // Not even a scalar fits.
                    prefixes.truncate(prefix_start);
                    before.clear();
                    (context, room, end_before) = (0..0, None, usize::MAX);
                }
            };
            let ends = (
                queue.returned_piece(0).row,
                queue.returned_piece(count - 1).row,
                queue.returned_piece(count - 1).end,
            );
            let scalars = |part: Range<usize>| markdown[part].chars().count() as u64;
            let start = last.1 + scalars(last.0..first.start);
            let repeated = scalars(from..first.start);
            bounds.push(PassageDraft {
                bytes: from..ends.2,
                scalars: start - repeated..start + scalars(first.start..ends.2),
                prefix: prefix_start..prefixes.len(),
                context,
                kinds: packer::kinds(&page, first_row(&page, from, ends.0)..=ends.1),
                section,
                anchor: anchors.last_anchor(page.document, first_row(&page, from, ends.0)),
                tokens,
            });
            last = (first.start, start);
            queue.take(count);
        }
    }
}

/// Returns the row that holds an offset, which is at or before the end of `row`.
fn first_row(page: &Page<'_>, offset: usize, row: usize) -> usize {
    let rows = &page.document.rows[..=row];
    rows.partition_point(|row| row.start <= offset).saturating_sub(1)
}

/// Returns the section of a passage that begins with a row: that of the first row after headings.
fn section_of(document: &Document, row: usize) -> u32 {
    /// Rows of headings that are read.
    const MAX_HEADING_ROWS: usize = 32;
    let mut rows = document.rows[row..].iter().take(MAX_HEADING_ROWS);
    let content = rows.find(|row| !row.is_heading());
    match (document.rows.get(row), content) {
        (Some(first_row), Some(content)) if first_row.is_heading() => content.section,
        (Some(first_row), _) => first_row.section,
        (None, _) => NO_HEADING,
    }
}

/// Finds the heads of tables that passages continue, in ascending order.
#[derive(Debug, Default)]
struct TableHeads {
    next: usize,
}

impl TableHeads {
    /// Returns the head of the table of a piece, as a byte range, if the piece is below it and the
    /// head has at most this measure.
    fn context(&mut self, page: &Page<'_>, max_tokens: u64, piece: &Piece) -> Range<usize> {
        let units = &page.document.units;
        let is_before = |index: usize| {
            units.get(index).is_some_and(|unit| !unit.is_table || unit.end <= piece.row)
        };
        while is_before(self.next) {
            self.next += 1;
        }
        let Some(table) = units.get(self.next) else { return 0..0 };
        let size =
            page.document.length_before(table.first + 2) - page.document.length_before(table.first);
        let is_below = (table.first + 2..table.end).contains(&piece.row);
        if !is_below || size > max_tokens {
            return 0..0;
        }
        page.document.start(table.first)..page.document.start(table.first + 2)
    }
}

/// Finds headings with identifiers, in ascending order.
#[derive(Debug, Default)]
struct AnchorSearch {
    /// Index of the first heading that has not been looked at.
    next: usize,
    /// Index of the last heading with an identifier.
    found: Option<usize>,
}

impl AnchorSearch {
    /// Returns the last heading with an identifier up to a row.
    fn last_anchor(&mut self, document: &Document, row: usize) -> Option<usize> {
        while let Some(heading) =
            document.headings.get(self.next).filter(|heading| heading.row <= row)
        {
            if heading.anchor.is_some() || heading.own_anchor.is_some() {
                self.found = Some(self.next);
            }
            self.next += 1;
        }
        self.found
    }
}

/// The passages of a page, in its order.
#[derive(Debug)]
pub struct Passages<'a> {
    splitter: &'a Splitter,
    source: Source<'a>,
    /// Ordinal of the next passage.
    next: usize,
}

impl<'a> Iterator for Passages<'a> {
    type Item = Passage<'a>;

    fn next(&mut self) -> Option<Passage<'a>> {
        let Passages { splitter, source, next: ordinal } = *self;
        let cut = splitter.bounds.get(ordinal)?;
        self.next += 1;
        let document = &splitter.document;
        let mut headings: Vec<&str> =
            document.path(cut.section).map(|heading| document.title(heading)).collect();
        headings.retain(|heading| !heading.is_empty());
        headings.reverse();
        let prefix = &splitter.prefixes[cut.prefix.clone()];
        let context = &source.markdown[cut.context.clone()];
        let text = &source.markdown[cut.bytes.clone()];
        let aligned = if source.is_plain {
            Some(Aligned { start: cut.scalars.start, end: cut.scalars.end })
        } else {
            splitter.aligner.get(ordinal)
        };
        Some(Passage {
            id: id_of(source.id, &splitter.settings.digest, ordinal),
            parent_id: source.id,
            ordinal: ordinal as u64,
            of: splitter.bounds.len() as u64,
            url: source.url,
            anchor: cut.anchor.and_then(|heading| {
                let heading = &document.headings[heading];
                let stated_anchor =
                    heading.anchor.and_then(|index| source.anchors.get(index as usize));
                let own_anchor = || heading.own_anchor.clone().map(|range| &source.markdown[range]);
                stated_anchor.map(|anchor| anchor.id).or_else(own_anchor)
            }),
            title: source.title.map(|title| {
                let end = title.char_indices().nth(MAX_TITLE_CHARS).map(|(offset, _)| offset);
                &title[..end.unwrap_or(title.len())]
            }),
            headings,
            language: source.language,
            prefix,
            context: (!context.is_empty()).then_some(context),
            text,
            start: cut.scalars.start,
            end: cut.scalars.end,
            text_start: aligned.map(|Aligned { start, .. }| start),
            text_end: aligned.map(|Aligned { end, .. }| end),
            kinds: cut.kinds,
            tokens: cut.tokens,
            digest: digest_of([prefix, context, text]),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = self.splitter.bounds.len() - self.next.min(self.splitter.bounds.len());
        (remaining, Some(remaining))
    }
}

impl ExactSizeIterator for Passages<'_> {}

/// Returns the identifier of a passage.
fn id_of(parent: &str, settings: &str, ordinal: usize) -> String {
    let name = format!("huller-passage:{parent}#{settings}#{ordinal}");
    Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes()).to_string()
}

fn digest_of(parts: [&str; 3]) -> String {
    let mut hasher = twox_hash::xxhash3_128::Hasher::new();
    for part in parts {
        hasher.write(part.as_bytes());
    }
    format!("xxh128:{:032x}", hasher.finish_128())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Kind;

    fn splitter(max_tokens: u64, min_tokens: u64, overlap: u64) -> Splitter {
        let tokenizer = "characters".to_owned();
        let prefix = String::new();
        let pattern = String::new();
        let settings =
            PassageSettings { max_tokens, min_tokens, tokenizer, pattern, overlap, prefix };
        Splitter::new(&settings).unwrap()
    }

    fn texts(splitter: &mut Splitter, markdown: &str) -> Vec<String> {
        let source = Source { markdown, ..Source::default() };
        splitter.split(&source).map(|passage| passage.text.to_owned()).collect()
    }

    #[test]
    fn a_passage_is_a_section_if_it_is_long_enough() {
        let markdown = "# A\n\none two\n\n## B\n\nthree\n\n## C\n\nfour five six\n";
        let cut = |max, min| texts(&mut splitter(max, min, 0), markdown);
        assert_eq!(cut(60, 0), [markdown]);
        let whole = "# A\n\none two\n\n";
        assert_eq!(cut(30, 0), [whole, "## B\n\nthree\n\n", "## C\n\nfour five six\n"]);
        assert_eq!(cut(32, 15), [&format!("{whole}## B\n\nthree\n\n"), "## C\n\nfour five six\n"]);
    }

    #[test]
    fn large_blocks_are_cut_at_lines_rows_sentences_and_words() {
        let cut = |markdown| texts(&mut splitter(16, 4, 0), markdown);
        assert_eq!(cut("```\naa bb\ncc dd\n```\n"), ["```\naa bb\n", "cc dd\n```\n"]);
        assert_eq!(cut("- aaaa bbbb\n- cccc dddd\n"), ["- aaaa bbbb\n", "- cccc dddd\n"]);
        assert_eq!(cut("Aaa bbb. Ccc ddd eee."), ["Aaa bbb. ", "Ccc ddd eee."]);
        assert_eq!(cut("aaaa bbbb cccc dddd eeee"), ["aaaa bbbb cccc ", "dddd eeee"]);
        assert_eq!(cut(&"a".repeat(20)), ["a".repeat(16), "a".repeat(4)]);
    }

    #[test]
    fn fences_and_underlines_are_not_cut() {
        let cut = |markdown| texts(&mut splitter(16, 4, 0), markdown);
        assert_eq!(cut("```\naaaa bbbbb\n```\n"), ["```\naaaa ", "bbbbb\n```\n"]);
        assert_eq!(cut("```\naaaabbbbbcc\n```\n"), ["```\naaaabbbbbcc\n", "```\n"]);
        let underlined = "abcd efghijkl m\n==========\n\ntext\n";
        assert_eq!(cut(underlined), ["abcd efghijkl ", "m\n==========\n\n", "text\n"]);
        let table = "| abc | def |\n|---|---|\n| x | y |\n";
        assert_eq!(cut(table), ["| abc | def ", "|\n|---|---|\n| x ", "| y |\n"]);
    }

    #[test]
    fn headings_stay_with_a_word_after_them() {
        let cut = |markdown| texts(&mut splitter(16, 4, 0), markdown);
        assert_eq!(cut("# ab cd\n\nefghij lm no\n"), ["# ab cd\n\nefghij ", "lm no\n"]);
        assert_eq!(cut("# ab cd\n\nefghijklm no\n"), ["# ab ", "cd\n\nefghijklm ", "no\n"]);
        // Ideographs are words of their own.
        assert_eq!(cut("# 日本語雨降\n\nefghijkl\n"), ["# 日本語雨", "降\n\nefghijkl\n"]);
        // The heading is one word, and the fence counts with the code.
        let code = "# abcdefghij\n\n```rust\naaaa\n```\n";
        assert_eq!(cut(code), ["# abcdefghij\n\n", "```rust\naaaa\n", "```\n"]);
        let setext = "Aa\n==\n\nBb\n--\n\nccccccc dd\n";
        assert_eq!(cut(setext), ["Aa\n==\n\n", "Bb\n--\n\nccccccc ", "dd\n"]);
    }

    #[test]
    fn estimates_do_not_part_a_heading_from_its_text() {
        let settings = PassageSettings { max_tokens: 100, min_tokens: 25, ..Default::default() };
        let mut splitter = Splitter::new(&settings).unwrap();
        let item = "  - ## 531\n\n    **bvba** bjbaoea dzcwzwf ieda Aobc **vb** Fbabf nb 雨が降る京都 ae \
                    `aa` 日本語京都 bmf.\n    Aae **asj** a bf。";
        let markdown = format!(
            "# jwf ahebq a a Aaee\n\n- - bbaaoflgxkbaqzpfjbajbvhfadbajcabwfplpjrqbbfbqfqafqej jb fbqxg \
             bb mb [aafqb](http://abd.org/jxj) fgj。 Njfqb jfzadda?\n{item}"
        );
        let passages = texts(&mut splitter, &markdown);
        assert!(passages.iter().all(|passage| !passage.ends_with("531\n\n")), "{passages:#?}");
    }

    #[test]
    fn a_continued_table_has_its_head_as_context() {
        let head = "| a | b |\n|---|---|\n";
        let markdown = format!("{head}{}", "| cell | cell |\n".repeat(12));
        let source = Source { markdown: &markdown, ..Source::default() };
        let mut splitter = splitter(100, 20, 0);
        let passages: Vec<_> = splitter.split(&source).collect();
        assert_eq!(passages[0].context, None);
        assert!(passages.len() > 2);
        for passage in &passages[1..] {
            assert_eq!(passage.context, Some(head));
            assert!(passage.text.starts_with("| cell") && passage.kinds.has(Kind::Table));
            assert_eq!(passage.tokens, (head.len() + passage.text.len()) as u64);
        }
        // A wide head is left out.
        let wide = format!("| {} |\n|---|\n{}", "a".repeat(40), "| cell |\n".repeat(20));
        let source = Source { markdown: &wide, ..Source::default() };
        assert!(splitter.split(&source).all(|passage| passage.context.is_none()));
    }

    #[test]
    fn passages_know_their_place() {
        let markdown =
            "intro é\n\n# A {#a}\n\naaa bbb ccc\n\n## B\n\nddd eee fff\n\n## C\n\nggg hhh iii\n";
        let at = markdown.find("## C").unwrap();
        let source = Source {
            id: "p",
            url: Some("http://x.y/"),
            title: Some("T"),
            language: Some("eng"),
            markdown,
            is_plain: false,
            text: Some("intro é\nA\naaa bbb ccc\nB\nddd eee fff\nC\nggg hhh iii"),
            anchors: &[Anchor { at, id: "c" }],
        };
        let mut splitter = splitter(24, 5, 0);
        let passages: Vec<_> = splitter.split(&source).collect();
        let anchors: Vec<_> = passages.iter().map(|passage| passage.anchor).collect();
        assert_eq!(anchors, [None, Some("a"), Some("a"), Some("c")]);
        let [intro, .., last] = passages.as_slice() else { panic!("{passages:#?}") };
        assert_eq!((intro.start, intro.end), (0, 9));
        assert_eq!((intro.text_start, intro.text_end), (Some(0), Some(7)));
        assert_eq!((last.text_start, last.text_end), (Some(36), Some(49)));
        assert_eq!((last.ordinal, last.of, last.parent_id), (3, 4, "p"));
        assert_eq!(last.headings, ["A", "C"]);
        assert_eq!(
            (last.url, last.title, last.language),
            (source.url, source.title, source.language)
        );
        assert_eq!(last.end, markdown.chars().count() as u64);
    }

    #[test]
    fn a_line_of_plain_text_is_a_paragraph() {
        let markdown = "# é one\n| a |\n|---|\n```\nAaaa bbbb. Cccc dddd.\n";
        let anchors = &[Anchor { at: 0, id: "a" }];
        let text = Some("other text");
        let source = Source { markdown, is_plain: true, text, anchors, ..Source::default() };
        let mut splitter = splitter(16, 4, 0);
        let passages: Vec<_> = splitter.split(&source).collect();
        let texts: Vec<_> = passages.iter().map(|passage| passage.text).collect();
        assert_eq!(texts, ["# é one\n| a |\n", "|---|\n```\n", "Aaaa bbbb. ", "Cccc dddd.\n"]);
        let mut end = 0;
        for passage in &passages {
            assert_eq!(passage.start, end);
            end += passage.text.chars().count() as u64;
            let place = (passage.text_start, passage.text_end);
            assert_eq!((place, passage.end), ((Some(passage.start), Some(end)), end));
            assert_eq!(passage.kinds.iter().collect::<Vec<_>>(), [Kind::Paragraph]);
            assert_eq!((passage.anchor, passage.context, passage.prefix), (None, None, ""));
            assert!(passage.headings.is_empty());
        }
    }

    #[test]
    fn identifiers_depend_on_page_settings_and_number() {
        let markdown = "aaaa bbbb cccc dddd eeee";
        let ids = |splitter: &mut Splitter, id| -> Vec<_> {
            let source = Source { id, markdown, ..Source::default() };
            splitter.split(&source).map(|passage| (passage.id, passage.digest)).collect()
        };
        let mut one = splitter(16, 4, 0);
        let first = ids(&mut one, "p");
        assert_eq!(first[0].0, "76ee89f6-2d0b-5ef1-970c-17a1837cc140");
        assert_eq!(ids(&mut one.clone(), "p"), first);
        let (other_page, other_settings) = (ids(&mut one, "q"), ids(&mut splitter(16, 5, 0), "p"));
        for (place, (id, digest)) in first.iter().enumerate() {
            assert!(other_page[place].0 != *id && other_settings[place].0 != *id);
            assert_eq!((&other_page[place].1, &other_settings[place].1), (digest, digest));
        }
        assert_ne!(first[0], first[1]);
    }

    #[test]
    fn an_overlap_repeats_sentences() {
        let markdown = "Aaa bbb. Ccc ddd. Eee fff. Ggg hhh. Iii jjj.\n\n# K\n\nLll mmm nnn ooo.";
        let passages = texts(&mut splitter(30, 4, 10), markdown);
        assert_eq!(
            passages,
            [
                "Aaa bbb. Ccc ddd. Eee fff. ",
                "Eee fff. Ggg hhh. Iii jjj.\n\n",
                "# K\n\nLll mmm nnn ooo."
            ]
        );
    }
}
