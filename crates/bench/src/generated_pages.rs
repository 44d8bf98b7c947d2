//! Makes articles of any size with the same mix of parts, as records of a `.warc.gz`.
//!
//! A page has a head and then sections of paragraphs, menu entries and scripts, up to its size. Its
//! words are drawn by Zipf's law. Pages of different sizes therefore differ in the number of
//! sections and in little else. Seed and sizes decide every byte.

use crate::corpus_maker::Packer;
use std::fmt::Write;

const SYLLABLES: [&str; 28] = [
    "ba", "be", "bi", "bo", "da", "de", "di", "do", "fa", "fe", "go", "ka", "ke", "ko", "la", "le",
    "li", "ma", "me", "na", "no", "pa", "ra", "re", "sa", "ta", "te", "vi",
];
const VOCABULARY_WORDS: usize = 10_000;
const SECTION_COUNT: usize = 400;

/// A generator of pages from a bank of sections.
pub(crate) struct GeneratedPages {
    random: Random,
    words: Vec<String>,
    /// The cumulative weights of the words.
    weights: Vec<f64>,
    sections: Vec<[String; 8]>,
}

/// A random number generator (`SplitMix64`, Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Returns a number from 0 to 1.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl GeneratedPages {
    pub(crate) fn new(seed: u64) -> GeneratedPages {
        let mut random = Random(seed);
        let word = |random: &mut Random| {
            let syllables = 1 + random.below(4);
            (0..syllables).map(|_| SYLLABLES[random.below(SYLLABLES.len())]).collect::<String>()
        };
        let words: Vec<String> = (0..VOCABULARY_WORDS).map(|_| word(&mut random)).collect();
        let weights = (1..=VOCABULARY_WORDS).scan(0.0, |sum, rank| {
            *sum += 1.0 / rank as f64;
            Some(*sum)
        });
        let mut pages =
            GeneratedPages { weights: weights.collect(), random, words, sections: Vec::new() };
        pages.sections = (0..SECTION_COUNT).map(|_| pages.make_section()).collect();
        pages
    }

    fn next_word(&mut self) -> usize {
        let drawn = self.random.share() * self.weights[VOCABULARY_WORDS - 1];
        self.weights.partition_point(|sum| *sum < drawn).min(VOCABULARY_WORDS - 1)
    }

    /// Returns a text of this many words, with commas and full stops.
    fn make_text(&mut self, words: usize) -> String {
        let mut text = String::new();
        for number in 1..=words {
            let word = self.next_word();
            if number > 1 {
                text.push(' ');
            }
            text.push_str(&self.words[word]);
            match number % 20 {
                0 => text.push('.'),
                10 => text.push(','),
                _ => {}
            }
        }
        text.push('.');
        text
    }

    fn make_link(&mut self) -> String {
        let (first_word, second_word, number) =
            (self.next_word(), self.next_word(), self.random.below(9999));
        let text = self.make_text(3);
        let [first_word, second_word] = [&self.words[first_word], &self.words[second_word]];
        format!(
            "<a href=\"https://www.example.org/{first_word}/{second_word}.html\" class=\"menu-item nav-link\" title=\"{second_word}\" data-id=\"{number}\">{text}</a>"
        )
    }

    fn make_script(&mut self) -> String {
        let (name, value, number) =
            (self.next_word(), self.next_word(), self.random.below(1_000_000));
        let [name, value] = [&self.words[name], &self.words[value]];
        format!(
            "<script type=\"text/javascript\">window.queue=window.queue||[];(function(){{var {name}={{\"id\":{number},\"value\":\"{value}\"}};queue.push({name});document.addEventListener(\"load\",function(e){{e.{name}()}})}})();</script>\n"
        )
    }

    fn make_item(&mut self) -> String {
        let link = self.make_link();
        format!(
            "<div class=\"menu-entry col-md-4 widget-area\"><span class=\"icon\"></span>{link}</div>\n"
        )
    }

    fn make_paragraph(&mut self) -> String {
        let words = 15 + self.random.below(20);
        let text = self.make_text(words);
        let link = if self.random.below(2) == 0 { self.make_link() } else { String::new() };
        format!("<p>{text} {link}</p>\n")
    }

    fn make_section(&mut self) -> [String; 8] {
        [
            self.make_paragraph(),
            self.make_item(),
            self.make_item(),
            self.make_script(),
            self.make_paragraph(),
            self.make_item(),
            self.make_script(),
            self.make_item(),
        ]
    }

    /// Returns a page of `size` bytes, or of a few more if its head needs more.
    pub(crate) fn page(&mut self, size: usize) -> String {
        const END_TAGS: &str = "</article></body></html>";
        let title = self.make_text(4);
        let mut page = format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head><body><article>\n"
        );
        loop {
            let section = self.random.below(SECTION_COUNT);
            for part in &self.sections[section] {
                let room = size.saturating_sub(page.len() + END_TAGS.len());
                if part.len() > room {
                    // Whole paragraphs no longer fit; white space between elements fills the rest.
                    let text = self.words[0].repeat(room.saturating_sub(8) / self.words[0].len());
                    let _ = write!(page, "<p>{text}</p>");
                    let remaining = size.saturating_sub(page.len() + END_TAGS.len());
                    page.extend(std::iter::repeat_n(' ', remaining));
                    page.push_str(END_TAGS);
                    return page;
                }
                page.push_str(part);
            }
        }
    }

    /// Appends a response record with a page of `size` bytes to `members`, as one gzip member.
    /// Returns its bytes before compression.
    pub(crate) fn member(
        &mut self,
        size: usize,
        number: u64,
        packer: &mut Packer,
        members: &mut Vec<u8>,
    ) -> u64 {
        let html = self.page(size);
        let http = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
            html.len()
        );
        let id = uuid::Uuid::new_v5(
            &uuid::Uuid::NAMESPACE_URL,
            format!("huller-bench:{size}/{number}").as_bytes(),
        );
        let header = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
             WARC-Target-URI: https://example.org/{size}/{number}.html\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            http.len() + html.len()
        );
        packer.member(&[header.as_bytes(), http.as_bytes(), html.as_bytes()], members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_size_that_was_asked_for_and_depends_on_the_seed_alone() {
        for size in [1 << 10, 1 << 12, 100_000] {
            let mut pages = GeneratedPages::new(7);
            let page = pages.page(size);
            assert_eq!(page.len(), size);
            assert_ne!(pages.page(size), page, "the next page is another");
            assert_eq!(GeneratedPages::new(7).page(size), page);
            assert_ne!(GeneratedPages::new(8).page(size), page);
        }
    }
}
