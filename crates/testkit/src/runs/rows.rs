//! Rows with markers, and their bytes in each format.

use super::records::{Marker, Record, RecordOutcome, padding};
use super::row_similarity::{Address, RowText};
use crate::random::Random;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowFormat {
    /// JSON Lines.
    Json,
    /// Comma-separated values, below a line of names.
    Commas,
    /// Tab-separated values, below a line of names.
    Tabs,
}

/// A word in every row, by which a search finds all of them.
pub(super) const EVERYWHERE: &str = "harbour";

/// The number of words in a story. With this length, one changed word leaves two texts near.
const STORY_WORDS: usize = 120;

/// Returns `count` words that `seed` decides. They contain no marker.
fn words(seed: u32, count: usize) -> String {
    let mut random = Random::new(seed);
    let mut syllable = || {
        let (consonants, vowels) = (b"bdfghjlnprstvz", b"aeiou");
        let consonant = consonants[random.below(consonants.len() as u32) as usize];
        let vowel = vowels[random.below(vowels.len() as u32) as usize];
        [consonant as char, vowel as char]
    };
    let mut text = String::new();
    for _ in 0..count {
        text.push(' ');
        (0..3).for_each(|_| text.extend(syllable()));
    }
    text
}

impl RowFormat {
    /// Returns the line of names, if the format has one.
    pub(super) fn names(self) -> Vec<u8> {
        match self {
            RowFormat::Json => Vec::new(),
            RowFormat::Commas => b"mark,url,date,text,pad\n".to_vec(),
            RowFormat::Tabs => b"mark\turl\tdate\ttext\tpad\n".to_vec(),
        }
    }

    /// Returns the outcome of a line that is not a row.
    pub(super) fn no_row(self) -> RecordOutcome {
        match self {
            RowFormat::Json => RecordOutcome::Failed("invalid_json"),
            RowFormat::Commas | RowFormat::Tabs => RecordOutcome::Failed("bad_row"),
        }
    }
}

impl Record {
    /// Returns the record as a line.
    pub(super) fn row(&self, rows: RowFormat) -> Vec<u8> {
        let Record { marker, fate, likeness, padding: len } = *self;
        let pad = std::str::from_utf8(padding(len)).expect("padding is text");
        let address = match (fate, likeness.address) {
            (_, Address::Absent) => None,
            (RecordOutcome::Unwanted, _) => Some(format!("http://example.test/error/{marker}")),
            (_, Address::Own) => Some(format!("http://example.test/{marker}")),
            (_, Address::Shared(number)) => Some(format!("http://example.test/of-many/{number}")),
        };
        let date = format!("2024-03-{:02}T10:00:00Z", likeness.day);
        let text = self.row_text();
        match rows {
            RowFormat::Json => {
                let line = match fate {
                    RecordOutcome::Failed("invalid_json") => {
                        format!("{{\"mark\": \"{marker}\", oh{pad}")
                    }
                    RecordOutcome::Failed(_) => serde_json::json!({
                        "mark": marker.to_string(), "url": address, "words": text, "pad": pad,
                    })
                    .to_string(),
                    _ => serde_json::json!({
                        "mark": marker.to_string(), "url": address, "date": date, "text": text,
                        "pad": pad,
                    })
                    .to_string(),
                };
                (line + "\n").into_bytes()
            }
            RowFormat::Commas | RowFormat::Tabs => {
                let between = if rows == RowFormat::Commas { "," } else { "\t" };
                let (marker, address) = (marker.to_string(), address.unwrap_or_default());
                let text = match fate {
                    RecordOutcome::Failed(_) => String::new(),
                    _ => format!("\"{text}\""),
                };
                let values = match fate {
                    RecordOutcome::Failed("bad_row") => vec![&*marker, "alone"],
                    _ => vec![&*marker, &address, &date, &text, pad],
                };
                (values.join(between) + "\n").into_bytes()
            }
        }
    }

    fn row_text(&self) -> String {
        let Record { marker, fate, likeness, padding } = *self;
        let Marker { input, serial } = marker;
        match (fate, likeness.text) {
            (RecordOutcome::Short, _) => format!("{marker} {EVERYWHERE}"),
            (_, RowText::Own) => {
                // Every fourth row has an e-mail address that the stage `mask` changes. A change in
                // place keeps it.
                let mail = if padding % 4 == 0 { " ask@example.com" } else { "" };
                format!("{marker} {EVERYWHERE}{mail}{}", words(1000 * input + serial, 40))
            }
            (_, RowText::Shared { story, version }) => {
                format!("version{version} {EVERYWHERE}{}", words(1_000_000 + story, STORY_WORDS))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::row_similarity::RowSimilarity;
    use super::*;

    fn record(fate: RecordOutcome, likeness: RowSimilarity) -> Record {
        Record { marker: Marker { input: 7, serial: 8 }, fate, likeness, padding: 20 }
    }

    #[test]
    fn every_line_has_its_marker_and_no_other() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let likeness = RowSimilarity::random(&mut random);
            for fate in [
                RecordOutcome::Page,
                RecordOutcome::Short,
                RecordOutcome::Unwanted,
                RecordOutcome::Failed("no_text_key"),
            ] {
                for rows in [RowFormat::Json, RowFormat::Commas, RowFormat::Tabs] {
                    for fate in [fate, rows.no_row()] {
                        let record = record(fate, likeness);
                        let line = String::from_utf8(record.row(rows)).unwrap();
                        let found = Marker::find(&line);
                        assert!(found.iter().all(|marker| *marker == record.marker), "{line}");
                        assert!(!found.is_empty() && line.ends_with('\n'), "{line}");
                        assert_eq!(line.matches('\n').count(), 1, "{line}");
                    }
                }
            }
        }
    }

    #[test]
    fn texts_of_one_story_differ_by_a_word() {
        let text = |story, version| {
            let text = RowText::Shared { story, version };
            record(RecordOutcome::Page, RowSimilarity { text, ..RowSimilarity::NONE }).row_text()
        };
        let others = |one: &str, other: &str| {
            one.split(' ').zip(other.split(' ')).filter(|(one, other)| one != other).count()
        };
        assert_eq!(text(1, 2), text(1, 2));
        assert_eq!(others(&text(1, 1), &text(1, 2)), 1);
        assert!(others(&text(1, 1), &text(2, 1)) > STORY_WORDS / 2);
    }
}
