//! Checks passages against the Markdown that they are of, with pulldown-cmark as the oracle of
//! blocks.

use huller_passages::{Kind, Passage, PassageSettings, Source, Splitter};
use huller_refine::tokens::{Counter, Tokenizer};
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::ops::Range;
use std::sync::OnceLock;
use unicode_segmentation::UnicodeSegmentation;

/// A unit of length, counted anew for each text.
pub(crate) enum Measure {
    Characters,
    Tokens(Counter),
}

impl Measure {
    pub(crate) fn new(name: &str) -> Measure {
        static GPT2: OnceLock<Tokenizer> = OnceLock::new();
        if name == "characters" {
            return Measure::Characters;
        }
        let gpt2 = GPT2.get_or_init(|| Tokenizer::open("gpt2", "").expect("it is built in"));
        Measure::Tokens(Counter::new(gpt2.clone()))
    }

    pub(crate) fn count(&mut self, text: &str) -> u64 {
        match self {
            Measure::Characters => text.chars().count() as u64,
            Measure::Tokens(counter) => counter.count(text),
        }
    }
}

/// A block that pulldown-cmark finds.
#[derive(Clone, Debug)]
struct Block {
    range: Range<usize>,
    is_heading: bool,
    /// Whether it has to stay whole: code, a table or an item.
    is_unit: bool,
    /// Whether it is the last block of an item or a quotation.
    is_last: bool,
}

fn blocks(markdown: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut blocks: Vec<Block> = Vec::new();
    let mut containers: Vec<usize> = Vec::new();
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        let Event::Start(tag) = event else { continue };
        let is_heading = matches!(tag, Tag::Heading { .. });
        let is_unit = matches!(tag, Tag::CodeBlock(_) | Tag::Table(_) | Tag::Item);
        let is_container = matches!(tag, Tag::Item | Tag::BlockQuote(_));
        containers.retain(|end| *end > range.start);
        let is_last = containers.iter().any(|end| {
            markdown[range.end.min(*end)..*end]
                .trim_matches([' ', '\n', '>', '\r', '\t'])
                .is_empty()
        });
        if is_container {
            containers.push(range.end);
        }
        if is_heading || is_unit {
            blocks.push(Block { range, is_heading, is_unit, is_last });
        }
    }
    blocks
}

/// What a page has shown.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) passages: usize,
    /// Headings that end a passage, because they exceed the limit with the word after them.
    pub(crate) heading_runs: usize,
    /// Units that were cut because they exceed the limit.
    pub(crate) cut_units: usize,
    pub(crate) whole_units: usize,
    pub(crate) aligned: usize,
    pub(crate) tokens: u64,
}

/// Cuts a page and checks everything that holds for any Markdown. Returns the passages.
pub(crate) fn any<'a>(
    splitter: &'a mut Splitter,
    settings: &PassageSettings,
    source: &Source<'a>,
    measure: &mut Measure,
) -> Result<Vec<Passage<'a>>, String> {
    let passages: Vec<Passage<'_>> = splitter.split(source).collect();
    let scalars = |text: &str| text.chars().count() as u64;
    let (mut at, mut place) = (0, 0);
    for (ordinal, passage) in passages.iter().enumerate() {
        let wrong = |what: &str| Err(format!("{what} in passage {ordinal}: {passage:#?}"));
        if (passage.ordinal, passage.of) != (ordinal as u64, passages.len() as u64) {
            return wrong("number");
        }
        if settings.overlap == 0 {
            if !source.markdown[at..].starts_with(passage.text) || passage.text.is_empty() {
                return wrong("the text is not the next slice");
            }
            at += passage.text.len();
            if passage.start != place {
                return wrong("start");
            }
        }
        place = passage.end;
        if passage.end - passage.start != scalars(passage.text) {
            return wrong("length");
        }
        let whole =
            format!("{}{}{}", passage.prefix, passage.context.unwrap_or_default(), passage.text);
        let tokens = measure.count(&whole);
        if tokens != passage.tokens {
            return wrong(&format!("{tokens} tokens"));
        }
        if tokens > settings.max_tokens {
            return wrong("too long");
        }
        if measure.count(passage.prefix) > settings.max_tokens / 3 {
            return wrong("the prefix is too long");
        }
        let page_text = source.text.filter(|_| !source.is_plain).unwrap_or(source.markdown);
        if let (Some(start), Some(end)) = (passage.text_start, passage.text_end)
            && (start >= end || end > scalars(page_text))
        {
            return wrong("place in the text");
        }
    }
    if settings.overlap == 0 && at != source.markdown.len() {
        return Err(format!("{} of {} bytes are in passages", at, source.markdown.len()));
    }
    Ok(passages)
}

/// Checks that passages of plain text have no structure but its lines, and know their place.
pub(crate) fn plain(
    source: &Source<'_>,
    passages: &[Passage<'_>],
    measure: &mut Measure,
    max: u64,
) -> Result<Seen, String> {
    let text = source.markdown;
    let mut cut = 0;
    for passage in passages {
        cut += passage.text.len();
        if (passage.text_start, passage.text_end) != (Some(passage.start), Some(passage.end)) {
            return Err(format!("place in the text: {passage:#?}"));
        }
        let has_structure = passage.kinds.iter().ne([Kind::Paragraph])
            || passage.anchor.is_some()
            || passage.context.is_some()
            || !passage.headings.is_empty();
        if has_structure {
            return Err(format!("structure in plain text: {passage:#?}"));
        }
        word(text, cut, passage, max, measure)?;
    }
    Ok(Seen { passages: passages.len(), ..Seen::default() })
}

/// Checks what holds for Markdown whose blocks both parsers find alike.
pub(crate) fn structure(
    settings: &PassageSettings,
    source: &Source<'_>,
    passages: &[Passage<'_>],
    measure: &mut Measure,
) -> Result<Seen, String> {
    let markdown = source.markdown;
    let max = settings.max_tokens;
    let blocks = blocks(markdown);
    let mut seen = Seen { passages: passages.len(), ..Seen::default() };
    seen.aligned = passages.iter().filter(|passage| passage.text_start.is_some()).count();
    seen.tokens = passages.iter().map(|passage| passage.tokens).sum();
    let mut starts = vec![0];
    for passage in passages {
        starts.push(starts[starts.len() - 1] + passage.text.len());
    }
    let headings: Vec<&Block> = blocks.iter().filter(|block| block.is_heading).collect();
    for (passage, cut) in passages.iter().zip(&starts[1..]) {
        if *cut == markdown.len() {
            continue;
        }
        let before = markdown[..*cut].trim_end().len();
        let heading = headings.iter().position(|heading| {
            let end = markdown[..heading.range.end].trim_end().len();
            end == before && heading.range.start < before
        });
        if let Some(index) = heading.filter(|index| !headings[*index].is_last) {
            let run = heading_run(markdown, &headings, index);
            let first = starts.partition_point(|start| *start <= run.start) - 1;
            let is_start = markdown[starts[first]..run.start].trim().is_empty();
            // The prefix is known if a passage begins with the run.
            let (prefix, most) =
                if is_start { (passages[first].prefix, max) } else { ("", max - max / 3) };
            let size = measure.count(&format!("{prefix}{}", &markdown[run]));
            if size + 8 <= most {
                return Err(format!("a heading ends a passage ({size} in {most}): {passage:#?}"));
            }
            seen.heading_runs += 1;
        }
        word(markdown, *cut, passage, max, measure)?;
    }
    for unit in blocks.iter().filter(|block| block.is_unit) {
        let end = unit.range.start + markdown[unit.range.clone()].trim_end().len();
        let is_cut = starts.iter().any(|cut| unit.range.start < *cut && *cut < end);
        if !is_cut {
            seen.whole_units += 1;
            continue;
        }
        seen.cut_units += 1;
        // Indentation before the unit is not in its range.
        let line_of = |at: usize| markdown[..at].rfind('\n').map_or(0, |at| at + 1);
        let mut from = line_of(unit.range.start);
        // Headings directly before the unit, with rules between, belong to it.
        for heading in headings.iter().rev() {
            let between = markdown.get(heading.range.end..from);
            if between.is_some_and(|between| {
                between.trim_matches(['-', '*', '_', '>', ' ', '\n']).is_empty()
            }) {
                from = line_of(heading.range.start);
            }
        }
        let index = starts.partition_point(|start| *start <= from) - 1;
        let passage = &passages[index];
        let begins = markdown[starts[index]..from].trim().is_empty();
        let rest = markdown[end..].trim_start_matches(|c: char| c.is_whitespace() || c == '>');
        let after = markdown.len() - rest.len();
        let from = if begins { starts[index] } else { from };
        // The prefix is known if the passage begins with the unit.
        let (prefix, limit) = if begins { (passage.prefix, max) } else { ("", max - max / 3 - 16) };
        let size = measure.count(&format!("{prefix}{}", &markdown[from..after]));
        if size <= limit {
            return Err(format!(
                "a unit of {size} was cut: {:?} in {passage:#?}",
                &markdown[unit.range.clone()]
            ));
        }
    }
    Ok(seen)
}

/// Returns the range of the headings directly before and after a heading, with the first word after
/// them. The first word of code is below its fence, and the fence after code belongs to it.
fn heading_run(markdown: &str, headings: &[&Block], index: usize) -> Range<usize> {
    let is_joined = |before: &Block, after: &Block| {
        let between = markdown.get(before.range.end..after.range.start).unwrap_or_default();
        !before.is_last && !between.contains(char::is_alphabetic)
    };
    let (mut first, mut last) = (index, index);
    while first > 0 && is_joined(headings[first - 1], headings[first]) {
        first -= 1;
    }
    while headings.get(last + 1).is_some_and(|next| is_joined(headings[last], next)) {
        last += 1;
    }
    let start = headings[first].range.start;
    let mut from = headings[last].range.end;
    let marks = |c: char| c.is_whitespace() || ">-.0123456789".contains(c);
    let text = markdown[from..].trim_start_matches(marks);
    let is_code = text.starts_with("```");
    if is_code {
        from = markdown.len() - text.find('\n').map_or(0, |line| text.len() - line);
    }
    let words = markdown[from..].split_word_bound_indices();
    let mut words = words.filter(|(_, word)| word.contains(char::is_alphanumeric));
    let first = words.next().map(|(at, word)| from + at + word.len());
    let second = words.next().map(|(at, _)| from + at);
    let to = if is_code { second } else { first };
    markdown[..start].rfind('\n').map_or(0, |at| at + 1)..to.unwrap_or(markdown.len())
}

/// Checks that a cut within a word is one in a word that exceeds the limit.
fn word(
    markdown: &str,
    cut: usize,
    passage: &Passage<'_>,
    max: u64,
    measure: &mut Measure,
) -> Result<(), String> {
    let line = markdown[..cut].rfind('\n').map_or(0, |at| at + 1);
    let end = markdown[cut..].find('\n').map_or(markdown.len(), |at| cut + at);
    let found = markdown[line..end]
        .split_word_bound_indices()
        .map(|(at, word)| (line + at, word))
        .find(|(at, word)| *at < cut && cut < at + word.len());
    // A combining mark after a space is one word with the space, which may be left before the cut.
    if let Some((at, word)) = found
        && word.chars().any(char::is_alphanumeric)
        && !markdown[at..cut].trim().is_empty()
    {
        let context = passage.context.unwrap_or_default();
        let size = measure.count(&format!("{}{context}{word}", passage.prefix));
        // Signs before the word in its passage, such as the mark of an item, count too.
        if size + 16 <= max {
            return Err(format!("the word {word:?} was cut in {passage:#?}"));
        }
    }
    Ok(())
}
