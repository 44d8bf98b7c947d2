//! The attributes of one start tag.

mod step;
mod window;

use super::{Span, Tokenizer};
use crate::attribute::AttributeName;
use crate::memory::empty;
use crate::source::Source;
use crate::tag::Tag;
use step::{Step, What, step, usual_attribute};
#[cfg(target_arch = "x86_64")]
use window::WithAvx2;
use window::{BySixteens, Window};

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
    /// Those of known names, of all tags that were kept and of this one.
    known: Vec<NodeAttribute>,
    /// How many of `known` belong to tags before this one.
    kept: usize,
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

    /// Length in bytes of all attributes of this tag that count as markup: of `name="value"` and a blank, over all but `id`,
    /// `class` and `style`.
    #[inline(always)]
    pub(crate) fn markup(&self) -> u32 {
        self.markup
    }

    /// Keeps the known attributes of this tag. Gives the place of the first in [`Attributes::known`], and their number.
    #[inline(always)]
    pub(crate) fn keep(&mut self) -> (u32, u8) {
        let start = std::mem::replace(&mut self.kept, self.known.len());
        (start as u32, (self.known.len() - start) as u8)
    }

    /// Forgets all that was kept, and memory beyond that of so many attributes if it is not needed.
    pub(crate) fn clear_kept(&mut self, capacity: usize) {
        empty(&mut self.known, capacity);
        self.kept = 0;
        self.clear();
        self.shrink();
    }

    /// Forgets this tag's.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.indexed = 0;
        self.known.truncate(self.kept);
        self.markup = 0;
    }

    /// A tag with a million attributes must not keep its memory for the rest of the run.
    fn shrink(&mut self) {
        if self.list.capacity() > KEEP {
            self.list.shrink_to(KEEP);
            self.index.clear();
            self.index.shrink_to(KEEP);
        }
    }

    /// Reads the start tag that `source` begins with; gives where it ends, `None` if it is none of this name. `LIST` as in
    /// [`Attributes::read`].
    pub(crate) fn read_tag<const LIST: bool>(&mut self, source: &str, tag: Tag) -> Option<usize> {
        if !source.starts_with('<') {
            return None;
        }
        let start = Tokenizer::new(source).start_tag::<LIST>(self)?;
        (start.tag == tag).then_some(start.span.end as usize)
    }

    /// Reads what stands between a start tag's name and its `>`. Gives the position after the `>` and whether `/` stood
    /// before it; `None` if the input ends first. Without `LIST` only known attributes are kept.
    #[inline(always)]
    pub(super) fn read<const LIST: bool>(
        &mut self,
        source: Source<'_>,
        start: usize,
    ) -> Option<(usize, bool)> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
        {
            // SAFETY: the processor has all three.
            return unsafe { self.read_with_avx2::<LIST>(source, start) };
        }
        self.read_by_sixteens::<LIST>(source, start)
    }

    /// The same for processors with these.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn read_with_avx2<const LIST: bool>(
        &mut self,
        source: Source<'_>,
        start: usize,
    ) -> Option<(usize, bool)> {
        self.read_by::<WithAvx2, LIST>(source, start)
    }

    /// The same for any processor. A call, so that the loop over tags stays small.
    #[inline(never)]
    fn read_by_sixteens<const LIST: bool>(
        &mut self,
        source: Source<'_>,
        start: usize,
    ) -> Option<(usize, bool)> {
        self.read_by::<BySixteens, LIST>(source, start)
    }

    #[inline(always)]
    fn read_by<W: Window, const LIST: bool>(
        &mut self,
        source: Source<'_>,
        start: usize,
    ) -> Option<(usize, bool)> {
        if LIST {
            self.shrink();
        }
        // A bit for each name so far, by its hash: a name whose bit is not set is new.
        let mut seen = [0_u64; 4];
        let mut markup = 0;
        let mut at = start;
        loop {
            let b = *source.bytes().get(at)?;
            if b == b'>' {
                self.markup = markup;
                return Some((at + 1, false));
            }
            let usual = if b == b' ' { usual_attribute::<W>(source, at + 1) } else { None };
            let (attribute, eight);
            if let Some(usual) = usual {
                (attribute, eight) = usual;
                at = attribute.value.end as usize + 1;
            } else {
                let Step { end, what } = step(source, at)?;
                at = end;
                match what {
                    What::Attribute { attribute: other, eight: first } => {
                        (attribute, eight) = (other, first);
                    }
                    What::TagEnd { self_closing } => {
                        self.markup = markup;
                        return Some((at, self_closing));
                    }
                }
            }
            let Attribute { name, value } = attribute;
            let (hash, known) = AttributeName::hash(eight, name.len() as usize);
            let (seen, bit) = (&mut seen[usize::from(hash >> 6)], 1 << (hash & 63));
            if *seen & bit != 0 {
                if !LIST {
                    // A name that may have been there before can only be told by the list.
                    return self.list_again(source, start);
                }
                if !self.is_new(source.bytes(), name) {
                    continue;
                }
            }
            *seen |= bit;
            if LIST {
                self.list.push(Attribute { name, value });
            }
            if let Some(known) = known {
                self.known.push(NodeAttribute { name: known, value });
                if known.is_apart() {
                    continue;
                }
            }
            markup += 1 + name.len() + if value.is_empty() { 0 } else { 3 + value.len() };
        }
    }

    /// Reads the attributes of this tag anew and lists them.
    #[cold]
    pub(crate) fn list_again(&mut self, source: Source<'_>, start: usize) -> Option<(usize, bool)> {
        self.clear();
        self.read::<true>(source, start)
    }

    /// Passes what stands between an end tag's name and its `>`; gives the position after it.
    #[cold]
    pub(super) fn skip(source: Source<'_>, mut at: usize) -> Option<usize> {
        loop {
            let Step { end, what } = step(source, at)?;
            at = end;
            if let What::TagEnd { .. } = what {
                return Some(at);
            }
        }
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
    use proptest::prelude::*;

    fn read(tag: &str) -> Vec<(String, String)> {
        let input = tag.as_bytes();
        let mut attributes = Attributes::default();
        attributes.read::<true>(Source::new(input), 0);
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

    proptest! {
        #[test]
        fn every_processor_reads_the_same(tag in "( ?(id|[a-c/=>]{1,3}|x{14,34})(=\"[a-c ='>]{0,80}\"|=[a-c']*)?[ \n/]?){0,6}>{0,64}") {
            type How = fn(&mut Attributes, Source<'_>, usize) -> Option<(usize, bool)>;
            let read = |how: How| {
                let mut attributes = Attributes::default();
                let end = how(&mut attributes, Source::new(tag.as_bytes()), 0);
                format!("{end:?} {attributes:?}")
            };
            prop_assert_eq!(read(Attributes::read::<true>), read(Attributes::read_by_sixteens::<true>));
            prop_assert_eq!(read(Attributes::read::<false>), read(Attributes::read_by_sixteens::<false>));
        }
    }
}
