//! The records and pages that attacks are made of.

use crate::warc::{Http, Record};

/// The marker of the first good page.
pub(super) const ALPHA: &str = "GOODALPHA";
/// The marker of the last good page.
pub(super) const OMEGA: &str = "GOODOMEGA";

/// Makes the records of one attack, each with a number of its own.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) made: u64,
}

impl Records {
    /// A record with an identifier, the content type of responses, and no URI.
    pub(super) fn record(&mut self, kind: &str, block: impl Into<Vec<u8>>) -> Record {
        self.made += 1;
        Record::new(kind, block)
            .id(format!("00000000-0000-4000-8000-{:012}", self.made))
            .uri(b"http://example.test/p")
            .content_type("application/http; msgtype=response")
    }

    /// The response record of the attack.
    pub(super) fn attack(&mut self, block: Vec<u8>) -> Record {
        self.record("response", block).uri(b"http://example.test/attack")
    }

    /// The response record of a small page that stands for the attack where the attack is in the
    /// archive.
    pub(super) fn small(&mut self) -> Record {
        self.attack(small_page())
    }

    /// A good page at the beginning.
    pub(super) fn alpha(&mut self) -> Vec<u8> {
        self.good_page(ALPHA, b"http://example.test/alpha")
    }

    /// A good page at the end.
    pub(super) fn omega(&mut self) -> Vec<u8> {
        self.good_page(OMEGA, b"http://example.test/omega")
    }

    pub(super) fn good_page(&mut self, mark: &str, uri: &[u8]) -> Vec<u8> {
        self.record("response", Http::page(good_page(mark)).to_bytes()).uri(uri).to_bytes()
    }
}

/// A paragraph of the good pages, without the mark before it and the number after it.
pub(super) const PARAGRAPH: &str = "The harbour town kept its lamps lit through the winter, and the ferry crossed twice a day with \
    letters, flour and the occasional visitor. People in the market spoke of the new bridge as if it had always been there, \
    although the masons had left only in the autumn.";

/// The start of an attack page.
pub(super) const HEAD: &[u8] =
    b"<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>t</title></head><body>";

/// A page of six numbered paragraphs that hold `mark`.
pub(super) fn good_page(mark: &str) -> String {
    let paragraphs = (0..6).map(|n| format!("<p>{mark} {PARAGRAPH}  {n}.</p>"));
    let paragraphs = paragraphs.collect::<Vec<_>>().concat();
    format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>{mark} page</title></head>\
         <body><nav><a href=\"/\">Home</a> <a href=\"/x\">Links</a></nav><article><h1>{mark}</h1>{paragraphs}</article>\
         <footer>Copyright</footer></body></html>"
    )
}

/// A paragraph of an attack page that holds `mark`.
pub(super) fn paragraph(mark: &str) -> Vec<u8> {
    let text = format!("{PARAGRAPH} ").repeat(3);
    format!("<p>{mark} {text}</p>").into_bytes()
}

/// A page of one paragraph that holds `mark`.
pub(super) fn page_of(mark: &str) -> Vec<u8> {
    [HEAD, &paragraph(mark)].concat()
}

/// An HTTP response with a page of one paragraph.
pub(super) fn small_page() -> Vec<u8> {
    Http::page(page_of("ATTACK")).to_bytes()
}

/// Text repeated, with the number of the repetition.
pub(super) fn numbered(text: fn(usize) -> String, times: usize) -> Vec<u8> {
    (0..times).flat_map(|i| text(i).into_bytes()).collect()
}

/// Mebibytes of zeros, one at a time.
pub(super) fn mebibytes(count: usize) -> impl Iterator<Item = Vec<u8>> {
    std::iter::repeat_n(vec![0; 1 << 20], count)
}

/// The record between two good pages.
pub(super) fn between(
    records: &mut Records,
    attack: impl FnOnce(&mut Records) -> Vec<u8>,
) -> Vec<u8> {
    let mut file = records.alpha();
    file.extend(attack(records));
    file.extend(records.omega());
    file
}

/// A small page with another header, between two good ones.
pub(super) fn changed(records: &mut Records, change: impl FnOnce(Record) -> Record) -> Vec<u8> {
    between(records, |records| change(records.small()).to_bytes())
}
