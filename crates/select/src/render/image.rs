//! Reads images: their addresses and their alternative texts.

use super::address::{AddressUse, Addresses};
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class};
use huller_page::{Attributes, Page};

/// Attributes by which scripts load an image late. Until then `src` holds a placeholder.
const LATE: &[&str] = &["data-src", "data-original", "data-lazy-src"];

/// Longest alternative text in bytes, as written.
const MAX_ALT_BYTES: usize = 4096;

/// The image that was found last. It owns its scratch buffers.
#[derive(Debug, Default)]
pub(super) struct Image {
    attributes: Attributes,
    decoded: String,
    alt: String,
    address: String,
}

impl Image {
    /// Forgets the last page.
    pub(super) fn clear(&mut self) {
        self.address.clear();
    }

    /// Returns the alternative text, with single spaces between words.
    pub(super) fn alt(&self) -> &str {
        &self.alt
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Reads the attributes of an image. False if it has no address that may be written or only
    /// counts visitors. Also false if it repeats the image before, as for readers without scripts.
    pub(super) fn read(&mut self, page: &Page<'_>, node: u32, addresses: &mut Addresses) -> bool {
        let node = &page.nodes()[node as usize];
        let (mut src, mut late, mut set, mut alt) = (None, None, None, "");
        for (name, value) in page.all_attributes(node, &mut self.attributes) {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if is("src") {
                src = Some(value);
            } else if LATE.iter().any(|known| is(known)) {
                late = late.or(Some(value));
            } else if is("srcset") || is("data-srcset") {
                set = set.or_else(|| first_candidate(value));
            } else if is("alt") {
                alt = value;
            } else if (is("width") || is("height")) && is_dot(value) {
                return false;
            }
        }
        let sources = [late, src, set];
        let found = sources
            .into_iter()
            .flatten()
            .any(|source| addresses.resolve(source, AddressUse::Image).is_some());
        if !found || addresses.last() == self.address {
            return false;
        }
        self.address.clear();
        self.address.push_str(addresses.last());
        self.decoded.clear();
        self.alt.clear();
        if alt.len() <= MAX_ALT_BYTES {
            entity::decode(alt, Context::Attribute, &mut self.decoded);
        }
        for word in self.decoded.split_whitespace() {
            if !self.alt.is_empty() {
                self.alt.push(' ');
            }
            let is_kept = |c: &char| !c.is_control() && char_class(*c) != CharClass::ZeroWidth;
            self.alt.extend(word.chars().filter(is_kept));
        }
        true
    }
}

/// Returns the address of the first image in a set.
fn first_candidate(set: &str) -> Option<&str> {
    set.split_whitespace().next().map(|first_word| first_word.trim_end_matches(','))
}

fn is_dot(length: &str) -> bool {
    matches!(length.trim().trim_end_matches("px"), "0" | "1")
}
