//! The records and pages from which attacks are built.

use crate::warc::{Http, Record};

/// The marker of the first good page.
pub(super) const ALPHA: &str = "GOODALPHA";
/// The marker of the last good page.
pub(super) const OMEGA: &str = "GOODOMEGA";

/// Makes the records of one attack, each with its own number.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) made: u64,
}

impl Records {
    /// Returns a record with an identifier, a default URI and the content type of responses.
    pub(super) fn record(&mut self, kind: &str, block: impl Into<Vec<u8>>) -> Record {
        self.made += 1;
        Record::new(kind, block)
            .id(format!("00000000-0000-4000-8000-{:012}", self.made))
            .uri(b"http://example.test/p")
            .content_type("application/http; msgtype=response")
    }

    /// Returns the response record of the attack.
    pub(super) fn attack(&mut self, block: Vec<u8>) -> Record {
        self.record("response", block).uri(b"http://example.test/attack")
    }

    /// Returns the response record of a small page. It takes the place of the attack page where the
    /// archive itself is the attack.
    pub(super) fn small(&mut self) -> Record {
        self.attack(small_page())
    }

    /// Returns the first good page as a record.
    pub(super) fn alpha(&mut self) -> Vec<u8> {
        self.good_page(ALPHA, b"http://example.test/alpha")
    }

    /// Returns the last good page as a record.
    pub(super) fn omega(&mut self) -> Vec<u8> {
        self.good_page(OMEGA, b"http://example.test/omega")
    }

    pub(super) fn good_page(&mut self, mark: &str, uri: &[u8]) -> Vec<u8> {
        self.record("response", Http::page(good_page(mark)).to_bytes()).uri(uri).to_bytes()
    }
}

/// The text of a paragraph of the good pages, between its mark and its number.
pub(super) const PARAGRAPH: &str = "The harbour town kept its lamps lit through the winter, and the ferry crossed twice a day with \
    letters, flour and the occasional visitor. People in the market spoke of the new bridge as if it had always been there, \
    although the masons had left only in the autumn.";

/// The start of an attack page.
pub(super) const HEAD: &[u8] =
    b"<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>t</title></head><body>";

/// Returns a page of six numbered paragraphs that contain `mark`.
pub(super) fn good_page(mark: &str) -> String {
    let paragraphs = (0..6).map(|n| format!("<p>{mark} {PARAGRAPH}  {n}.</p>"));
    let paragraphs = paragraphs.collect::<Vec<_>>().concat();
    format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>{mark} page</title></head>\
         <body><nav><a href=\"/\">Home</a> <a href=\"/x\">Links</a></nav><article><h1>{mark}</h1>{paragraphs}</article>\
         <footer>Copyright</footer></body></html>"
    )
}

/// Returns a paragraph of an attack page that contains `mark`.
pub(super) fn paragraph(mark: &str) -> Vec<u8> {
    let text = format!("{PARAGRAPH} ").repeat(3);
    format!("<p>{mark} {text}</p>").into_bytes()
}

/// Returns a page of one paragraph that contains `mark`.
pub(super) fn page_of(mark: &str) -> Vec<u8> {
    [HEAD, &paragraph(mark)].concat()
}

/// Returns an HTTP response with a page of one paragraph.
pub(super) fn small_page() -> Vec<u8> {
    Http::page(page_of("ATTACK")).to_bytes()
}

/// Concatenates `text(i)` for each `i` below `times`.
pub(super) fn numbered(text: fn(usize) -> String, times: usize) -> Vec<u8> {
    (0..times).flat_map(|i| text(i).into_bytes()).collect()
}

/// Returns zeros in pieces of 1 MiB.
pub(super) fn mebibytes(count: usize) -> impl Iterator<Item = Vec<u8>> {
    std::iter::repeat_n(vec![0; 1 << 20], count)
}

/// Returns an archive with the records of `attack` between two good pages.
pub(super) fn between_pages(
    records: &mut Records,
    attack: impl FnOnce(&mut Records) -> Vec<u8>,
) -> Vec<u8> {
    let mut file = records.alpha();
    file.extend(attack(records));
    file.extend(records.omega());
    file
}

/// Returns an archive with a small page, changed by `change`, between two good pages.
pub(super) fn changed_page(
    records: &mut Records,
    change: impl FnOnce(Record) -> Record,
) -> Vec<u8> {
    between_pages(records, |records| change(records.small()).to_bytes())
}
