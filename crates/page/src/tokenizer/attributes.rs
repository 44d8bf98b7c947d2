//! The attributes of one start tag.

use super::Span;
use crate::attribute::AttributeName;
use crate::lanes::{find as find_byte, sixteen};
use crate::tag::Tag;

/// One attribute as written: letter case and character references untouched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    /// The name.
    pub name: Span,
    /// The value without its quotes; empty if there is none.
    pub value: Span,
}

/// An attribute of a known name.
#[derive(Clone, Copy, Debug)]
pub struct NodeAttribute {
    /// Which attribute.
    pub name: AttributeName,
    /// Its value as written.
    pub value: Span,
}

/// The attributes of one start tag in the order written, each name once (the first counts). Made once and reused.
///
/// Those of known names are collected besides, as they are read: the tree builder keeps them from tag to tag, so that they
/// become the page's column without being looked at again.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    list: Vec<Attribute>,
    /// A bit for each name in `list`, by its hash: a name whose bit is not set is new.
    seen: u64,
    /// Those of known names, of all tags that were kept and of this one.
    known: Vec<NodeAttribute>,
    /// How many of `known` belong to tags before this one.
    kept: usize,
    /// Length in bytes of `name="value"` and a blank, over all but `id`, `class` and `style`.
    markup: u32,
    /// Open-addressed places in `list` plus one, by the hash of the name; only used where a tag has more attributes
    /// than can be compared one with another in no time. Made anew for each such tag.
    index: Vec<u32>,
    /// How many of `list` the index knows.
    indexed: usize,
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
    pub(super) const TAG_NAME: u8 = 8;
}

static ENDS: [u8; 256] = {
    let mut table = [0; 256];
    let spaces = [b'\t', b'\n', b'\x0C', b'\r', b' '];
    let mut i = 0;
    while i < spaces.len() {
        table[spaces[i] as usize] = ends::NAME | ends::UNQUOTED | ends::SPACE | ends::TAG_NAME;
        i += 1;
    }
    table[b'>' as usize] = ends::NAME | ends::UNQUOTED | ends::TAG_NAME;
    table[b'/' as usize] = ends::NAME | ends::TAG_NAME;
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
fn name_end(input: &[u8], mut at: usize) -> usize {
    while let Some(lanes) = sixteen(input, at) {
        // Of the control characters only white space ends a name, so what ends it here is looked at once more.
        let ends =
            lanes.equal(b'=').or(lanes.equal(b'>')).or(lanes.equal(b'/')).or(lanes.at_most(b' '));
        let bits = ends.bits();
        if bits == 0 {
            at += 16;
            continue;
        }
        at += bits.trailing_zeros() as usize;
        if ENDS[input[at] as usize] & ends::NAME != 0 {
            return at;
        }
        break;
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

/// The value that may follow the name before `at`; moves behind it. `None` at the end of the input.
fn value(input: &[u8], at: &mut usize) -> Option<Span> {
    if skip_spaces(input, at)? != b'=' {
        return Some(Span::new(*at, *at));
    }
    *at += 1;
    let b = skip_spaces(input, at)?;
    if b == b'"' || b == b'\'' {
        let start = *at + 1;
        let end = find_byte(input, start, b)?;
        *at = end + 1;
        return Some(Span::new(start, end));
    }
    let start = *at;
    *at = scan(input, start, ends::UNQUOTED);
    Some(Span::new(start, *at))
}

impl Attributes {
    /// The attributes.
    #[inline]
    pub fn list(&self) -> &[Attribute] {
        &self.list
    }

    /// The known ones of this tag and of those before it that were kept.
    #[inline]
    pub(crate) fn known(&self) -> &[NodeAttribute] {
        &self.known
    }

    /// Keeps the known attributes of this tag. Gives the place of the first in [`Attributes::known`], their number, and the
    /// length in bytes of all attributes that count as markup.
    #[inline]
    pub(crate) fn keep(&mut self) -> (u32, u8, u32) {
        let start = std::mem::replace(&mut self.kept, self.known.len());
        (start as u32, (self.known.len() - start) as u8, self.markup)
    }

    /// Forgets all that was kept, and its memory beyond that of so many attributes.
    pub(crate) fn clear_kept(&mut self, capacity: usize) {
        self.clear();
        self.kept = 0;
        self.known.clear();
        self.known.shrink_to(capacity);
    }

    /// Forgets this tag's and keeps the memory, unless it is a giant's.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.seen = 0;
        self.indexed = 0;
        self.known.truncate(self.kept);
        self.markup = 0;
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

    /// Reads the start tag that `source` begins with; gives where it ends, `None` if it is none of this name.
    pub(crate) fn read_tag(&mut self, source: &str, tag: Tag, keep: bool) -> Option<usize> {
        self.clear();
        let input = source.as_bytes();
        let name_end = scan(input, 1, ends::TAG_NAME);
        if input.first() != Some(&b'<') || Tag::at(input, 1, name_end - 1) != tag {
            return None;
        }
        self.read(input, name_end, keep).map(|(end, _)| end)
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
            let b = skip_spaces(input, &mut at)?;
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
            // Nearly all attributes are written so.
            let value = if let Some([b'=', b'"', ..]) = input.get(at..) {
                let start = at + 2;
                let end = find_byte(input, start, b'"')?;
                at = end + 1;
                Span::new(start, end)
            } else {
                value(input, &mut at)?
            };
            if keep {
                self.push(input, name, value);
            }
        }
    }

    #[inline]
    fn push(&mut self, input: &[u8], name: Span, value: Span) {
        let (bit, known) = AttributeName::hash_at(input, name);
        let maybe_known = self.seen & bit != 0;
        self.seen |= bit;
        if maybe_known && !self.is_new(input, name) {
            return;
        }
        self.list.push(Attribute { name, value });
        if let Some(name) = known {
            self.known.push(NodeAttribute { name, value });
            if name.is_apart() {
                return;
            }
        }
        self.markup += 1 + name.len() + if value.is_empty() { 0 } else { 3 + value.len() };
    }

    /// Whether no attribute so far has that name.
    fn is_new(&mut self, input: &[u8], name: Span) -> bool {
        if self.list.len() >= COMPARED {
            self.is_new_by_index(input, name)
        } else {
            !self.list.iter().any(|before| same_name(input, before.name, name))
        }
    }

    #[cold]
    fn is_new_by_index(&mut self, input: &[u8], name: Span) -> bool {
        if self.indexed == 0 || self.list.len() * 2 > self.index.len() {
            // As large as this tag needs, whatever tags before it needed: emptying the index must not cost more than the tag.
            let slots = (self.list.len() * 4).next_power_of_two();
            self.index.clear();
            self.index.resize(slots, 0);
            self.indexed = 0;
        }
        for (place, before) in self.list.iter().enumerate().skip(self.indexed) {
            if let Some(slot) = find(&self.index, &self.list, input, before.name) {
                self.index[slot] = place as u32 + 1;
            }
        }
        self.indexed = self.list.len();
        // Without a slot it goes, since nobody can say whether its name is new.
        find(&self.index, &self.list, input, name).is_some_and(|slot| self.index[slot] == 0)
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
