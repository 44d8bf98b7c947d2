//! The attributes of one start tag.

use super::Span;
use crate::lanes::{find as find_byte, sixteen};

/// One attribute as written: letter case and character references untouched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    /// The name.
    pub name: Span,
    /// The value without its quotes; empty if there is none.
    pub value: Span,
}

/// The attributes of one start tag in the order written, each name once (the first counts). Made once and reused.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    list: Vec<Attribute>,
    /// Open-addressed places in `list` plus one, by the hash of the name; only used where a tag has more attributes
    /// than can be compared one with another in no time. Made anew for each such tag.
    index: Vec<u32>,
}

/// Up to so many attributes each new name is compared with all before it.
const COMPARED: usize = 16;

/// Room for so many attributes, and slots of the index, is kept from tag to tag.
const KEEP: usize = 1 << 12;

/// Bytes that end something within a tag.
mod ends {
    pub(super) const NAME: u8 = 1;
    pub(super) const UNQUOTED: u8 = 2;
    pub(super) const SPACE: u8 = 4;
}

static ENDS: [u8; 256] = {
    let mut table = [0; 256];
    let spaces = [b'\t', b'\n', b'\x0C', b'\r', b' '];
    let mut i = 0;
    while i < spaces.len() {
        table[spaces[i] as usize] = ends::NAME | ends::UNQUOTED | ends::SPACE;
        i += 1;
    }
    table[b'>' as usize] = ends::NAME | ends::UNQUOTED;
    table[b'/' as usize] = ends::NAME;
    table[b'=' as usize] = ends::NAME;
    table
};

#[inline]
fn scan(input: &[u8], mut at: usize, end: u8) -> usize {
    while at < input.len() && ENDS[input[at] as usize] & end == 0 {
        at += 1;
    }
    at
}

/// Where the attribute name that holds the byte before `at` ends.
#[inline]
fn name_end(input: &[u8], at: usize) -> usize {
    if let Some(lanes) = sixteen(input, at) {
        // Of the control characters only white space ends a name, so what ends it here is looked at once more.
        let ends =
            lanes.equal(b'=').or(lanes.equal(b'>')).or(lanes.equal(b'/')).or(lanes.at_most(b' '));
        let bits = ends.bits();
        let end = at + bits.trailing_zeros() as usize;
        if bits != 0 && ENDS[input[end] as usize] & ends::NAME != 0 {
            return end;
        }
    }
    scan(input, at, ends::NAME)
}

/// Moves on to the next byte that is no white space, and gives it; `None` at the end of the input.
#[inline(always)]
fn skip_spaces(input: &[u8], at: &mut usize) -> Option<u8> {
    loop {
        let b = *input.get(*at)?;
        if ENDS[b as usize] & ends::SPACE == 0 {
            return Some(b);
        }
        *at += 1;
    }
}

impl Attributes {
    /// The attributes.
    #[inline]
    pub fn list(&self) -> &[Attribute] {
        &self.list
    }

    /// Forgets them and keeps the memory, unless it is a giant's.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.list.clear();
        if self.list.capacity() > KEEP {
            self.shrink();
        }
    }

    /// A tag with a million attributes must not keep its memory for the rest of the run.
    #[cold]
    fn shrink(&mut self) {
        self.list.shrink_to(KEEP);
        self.index.clear();
        self.index.shrink_to(KEEP);
    }

    /// Reads what stands between a tag's name and its `>`. Gives the position after the `>` and whether `/` stood
    /// before it; `None` if the input ends first. `keep` says whether anyone wants the attributes.
    #[inline]
    pub(super) fn read(
        &mut self,
        input: &[u8],
        mut at: usize,
        keep: bool,
    ) -> Option<(usize, bool)> {
        loop {
            let mut b = skip_spaces(input, &mut at)?;
            if b == b'>' {
                return Some((at + 1, false));
            }
            if b == b'/' {
                at += 1;
                if *input.get(at)? == b'>' {
                    return Some((at + 1, true));
                }
                continue;
            }
            // A `=` in front of a name is part of it.
            let name_start = at;
            at = name_end(input, at + 1);
            let name = Span::new(name_start, at);
            b = skip_spaces(input, &mut at)?;
            let mut value = Span::new(at, at);
            if b == b'=' {
                at += 1;
                b = skip_spaces(input, &mut at)?;
                if b == b'"' || b == b'\'' {
                    // Two searches, so that each is for a byte that the compiler knows.
                    let end = if b == b'"' {
                        find_byte(input, at + 1, b'"')
                    } else {
                        find_byte(input, at + 1, b'\'')
                    }?;
                    value = Span::new(at + 1, end);
                    at = end + 1;
                } else {
                    let start = at;
                    at = scan(input, at, ends::UNQUOTED);
                    value = Span::new(start, at);
                }
            }
            if keep {
                self.push(input, name, value);
            }
        }
    }

    #[inline]
    fn push(&mut self, input: &[u8], name: Span, value: Span) {
        if self.list.len() >= COMPARED {
            self.push_indexed(input, Attribute { name, value });
        } else if !self.list.iter().any(|known| same_name(input, known.name, name)) {
            self.list.push(Attribute { name, value });
        }
    }

    #[cold]
    fn push_indexed(&mut self, input: &[u8], attribute: Attribute) {
        if self.list.len() == COMPARED || self.list.len() * 2 > self.index.len() {
            // As large as this tag needs, whatever tags before it needed: emptying the index must not cost more than the tag.
            let slots = (self.list.len() * 4).next_power_of_two();
            self.index.clear();
            self.index.resize(slots, 0);
            for (place, known) in self.list.iter().enumerate() {
                if let Some(slot) = find(&self.index, &self.list, input, known.name) {
                    self.index[slot] = place as u32 + 1;
                }
            }
        }
        // Without a slot it goes, since nobody can say whether its name is new.
        if let Some(slot) = find(&self.index, &self.list, input, attribute.name)
            && self.index[slot] == 0
        {
            self.list.push(attribute);
            self.index[slot] = self.list.len() as u32;
        }
    }
}

#[inline]
fn same_name(input: &[u8], a: Span, b: Span) -> bool {
    a.len() == b.len() && a.of(input).eq_ignore_ascii_case(b.of(input))
}

/// Names made to collide must not cost more than names that don't: past so many slots a name is given up. Names that just
/// happen to be there leave no such stretch of slots taken, since the index is never more than half full.
const PROBES: usize = 64;

/// The slot that holds `name`, or the empty one where it belongs.
fn find(index: &[u32], list: &[Attribute], input: &[u8], name: Span) -> Option<usize> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for b in name.of(input) {
        hash = (hash ^ u64::from(b.to_ascii_lowercase())).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let mask = index.len() - 1;
    let first = (hash ^ (hash >> 32)) as usize;
    (first..first + PROBES).map(|slot| slot & mask).find(|slot| match index[*slot] {
        0 => true,
        place => same_name(input, list[place as usize - 1].name, name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tag: &str) -> Vec<(String, String)> {
        let input = tag.as_bytes();
        let mut attributes = Attributes::default();
        attributes.read(input, 0, true);
        let text = |span: Span| String::from_utf8(span.of(input).to_vec()).unwrap();
        attributes.list().iter().map(|a| (text(a.name), text(a.value))).collect()
    }

    #[test]
    fn all_ways_to_quote() {
        let read = read(" a = \"1 >\" B='2'c=3/ d =e/f =g h>");
        let expected = [("a", "1 >"), ("B", "2"), ("c", "3/"), ("d", "e/f"), ("=g", ""), ("h", "")];
        assert_eq!(read, expected.map(|(k, v)| (k.to_owned(), v.to_owned())));
    }

    #[test]
    fn the_first_of_a_name_counts_however_many_there_are() {
        for n in [3, 100, 1000] {
            let names = (0..n).map(|i| format!("a{i}={i} ")).collect::<Vec<_>>().concat();
            let tag = format!(" {names}{}>", names.to_uppercase().replace('=', "=x"));
            let read = read(&tag);
            assert_eq!(read.len(), n);
            assert!(
                read.iter()
                    .enumerate()
                    .all(|(i, (k, v))| *k == format!("a{i}") && *v == i.to_string())
            );
        }
    }
}
