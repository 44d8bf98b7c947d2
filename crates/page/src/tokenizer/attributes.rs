//! The attributes of one start tag.

mod name_index;
mod step;
mod window;

use crate::attribute::{Attribute, AttributeName, NodeAttribute};
use crate::byte_source::ByteSource;
use crate::memory::clear_and_shrink;
#[cfg(target_arch = "x86_64")]
use crate::simd::Avx2;
use crate::span::Span;
use name_index::{NameIndex, names_are_equal};
use step::{AttributeStep, StepKind, next_attribute, usual_attribute};
use window::{PortableWindow, Window};

/// The attributes of one start tag in the order written. Each name occurs once: the first counts.
/// The value is made once and reused.
///
/// Attributes of known names are also collected while they are read. The tree builder keeps these
/// from tag to tag, so that they become the page's column of attributes without being copied.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    list: Vec<Attribute>,
    /// The attributes of known names: those of earlier tags that were kept, then those of this tag.
    known: Vec<NodeAttribute>,
    /// Number of attributes in `known` that belong to earlier tags.
    kept: usize,
    markup: u32,
    /// Finds repeated names in a long `list`.
    index: NameIndex,
}

/// Below this number of earlier names, each new name is compared with all of them.
const MAX_COMPARED_NAMES: usize = 16;

/// Number of attributes, and of slots of the index, whose memory is kept from tag to tag.
const MAX_KEPT_ATTRIBUTES: usize = 1 << 12;

impl Attributes {
    /// Returns the attributes.
    #[inline]
    pub fn list(&self) -> &[Attribute] {
        &self.list
    }

    /// Returns the known attributes of this tag and the kept ones of earlier tags.
    #[inline]
    pub(crate) fn known_attributes(&self) -> &[NodeAttribute] {
        &self.known
    }

    /// Returns the known attributes of this tag, until they are kept.
    pub(crate) fn current(&self) -> &[NodeAttribute] {
        &self.known[self.kept..]
    }

    /// Returns the length in bytes of all attributes of this tag that count as markup. In canonical
    /// form each is a blank and `name="value"`; `id`, `class` and `style` do not count.
    #[inline(always)]
    pub(crate) fn markup(&self) -> u32 {
        self.markup
    }

    /// Keeps the known attributes of this tag. Returns the place of the first in
    /// [`Attributes::known_attributes`], and their number.
    #[inline(always)]
    pub(crate) fn keep(&mut self) -> (u32, u8) {
        let start = std::mem::replace(&mut self.kept, self.known.len());
        (start as u32, (self.known.len() - start) as u8)
    }

    /// Clears all kept attributes. Frees memory for more than `capacity` known attributes if it was
    /// not needed.
    pub(crate) fn clear_kept(&mut self, capacity: usize) {
        clear_and_shrink(&mut self.known, capacity);
        self.kept = 0;
        self.clear();
        self.shrink();
    }

    /// Clears the attributes of this tag.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.index.clear();
        self.known.truncate(self.kept);
        self.markup = 0;
    }

    /// Frees memory, so that a tag with a million attributes does not hold it for the rest of the
    /// run.
    fn shrink(&mut self) {
        if self.list.capacity() > MAX_KEPT_ATTRIBUTES {
            self.list.shrink_to(MAX_KEPT_ATTRIBUTES);
            self.index.shrink(MAX_KEPT_ATTRIBUTES);
        }
    }

    /// Reads a start tag from the end of its name to its `>`. Returns the offset after the `>` and
    /// whether a `/` is before it; `None` if the input ends first. Without `LIST` only known
    /// attributes are collected, and the list may stay empty.
    #[inline(always)]
    pub(super) fn read<const LIST: bool>(
        &mut self,
        source: ByteSource<'_>,
        start: usize,
    ) -> Option<(usize, bool)> {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::new() {
            // SAFETY: an `Avx2` exists only where the processor has AVX2, BMI1 and BMI2.
            return unsafe { self.read_by_avx2::<LIST>(avx2, source, start) };
        }
        self.read_by_sixteens::<LIST>(source, start)
    }

    /// Reads as [`Attributes::read`] does, with these instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn read_by_avx2<const LIST: bool>(
        &mut self,
        avx2: Avx2,
        source: ByteSource<'_>,
        start: usize,
    ) -> Option<(usize, bool)> {
        self.read_by::<Avx2, LIST>(avx2, source, start)
    }

    /// Reads as [`Attributes::read`] does, on any processor. Not inlined, so that the loop over
    /// tags stays small.
    #[inline(never)]
    fn read_by_sixteens<const LIST: bool>(
        &mut self,
        source: ByteSource<'_>,
        start: usize,
    ) -> Option<(usize, bool)> {
        self.read_by::<PortableWindow, LIST>(PortableWindow, source, start)
    }

    #[inline(always)]
    fn read_by<W: Window, const LIST: bool>(
        &mut self,
        by: W,
        source: ByteSource<'_>,
        start: usize,
    ) -> Option<(usize, bool)> {
        if LIST {
            self.shrink();
        }
        // Each name sets the bit of its hash, so a name whose bit is not set is new.
        let mut known_names = [0_u64; 4];
        let mut markup = 0;
        let mut offset = start;
        loop {
            let b = *source.bytes().get(offset)?;
            if b == b'>' {
                self.markup = markup;
                return Some((offset + 1, false));
            }
            let usual = if b == b' ' { usual_attribute(by, source, offset + 1) } else { None };
            let (attribute, first_eight);
            if let Some(usual) = usual {
                (attribute, first_eight) = usual;
                offset = attribute.value.end as usize + 1;
            } else {
                let AttributeStep { end, kind } = next_attribute(source, offset)?;
                offset = end;
                match kind {
                    StepKind::Attribute { attribute: other, first_eight: first } => {
                        (attribute, first_eight) = (other, first);
                    }
                    StepKind::TagEnd { self_closing } => {
                        self.markup = markup;
                        return Some((offset, self_closing));
                    }
                }
            }
            let Attribute { name, value } = attribute;
            let (hash, known) = AttributeName::hash(first_eight, name.len() as usize);
            let (word, bit) = (&mut known_names[usize::from(hash >> 6)], 1 << (hash & 63));
            if *word & bit != 0 {
                if !LIST {
                    // Only the list shows whether the name occurred before.
                    return self.reread(source, start);
                }
                if !self.is_new(source.bytes(), name) {
                    continue;
                }
            }
            *word |= bit;
            if LIST {
                self.list.push(Attribute { name, value });
            }
            if let Some(known) = known {
                self.known.push(NodeAttribute { name: known, value });
                if known.is_left_out() {
                    continue;
                }
            }
            markup += 1 + name.len() + if value.is_empty() { 0 } else { 3 + value.len() };
        }
    }

    /// Reads the attributes of this tag again and lists them.
    #[cold]
    pub(crate) fn reread(&mut self, source: ByteSource<'_>, start: usize) -> Option<(usize, bool)> {
        self.clear();
        self.read::<true>(source, start)
    }

    /// Returns the offset after the `>` of an end tag whose name ends at `offset`; `None` if the
    /// input ends first.
    #[cold]
    pub(super) fn skip(source: ByteSource<'_>, mut offset: usize) -> Option<usize> {
        loop {
            let AttributeStep { end, kind } = next_attribute(source, offset)?;
            offset = end;
            if let StepKind::TagEnd { .. } = kind {
                return Some(offset);
            }
        }
    }

    /// Returns whether no attribute in the list has that name.
    fn is_new(&mut self, input: &[u8], name: Span) -> bool {
        if self.list.len() >= MAX_COMPARED_NAMES {
            self.index.is_new(&self.list, input, name)
        } else {
            !self.list.iter().any(|earlier| names_are_equal(input, earlier.name, name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(tag: &str) -> Vec<(String, String)> {
        let input = tag.as_bytes();
        let mut attributes = Attributes::default();
        attributes.read::<true>(ByteSource::new(input), 0);
        let text = |span: Span| String::from_utf8(span.slice(input).to_vec()).unwrap();
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
        fn all_kinds_of_processor_read_the_same(tag in "( ?(id|[a-c/=>]{1,3}|x{14,34})(=\"[a-c ='>]{0,80}\"|=[a-c']*)?[ \n/]?){0,6}>{0,64}") {
            type ReadAttribute = fn(&mut Attributes, ByteSource<'_>, usize) -> Option<(usize, bool)>;
            let read = |how: ReadAttribute| {
                let mut attributes = Attributes::default();
                let end = how(&mut attributes, ByteSource::new(tag.as_bytes()), 0);
                format!("{end:?} {attributes:?}")
            };
            prop_assert_eq!(read(Attributes::read::<true>), read(Attributes::read_by_sixteens::<true>));
            prop_assert_eq!(read(Attributes::read::<false>), read(Attributes::read_by_sixteens::<false>));
        }
    }
}
