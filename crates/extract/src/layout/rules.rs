//! Rules by their simple selectors.

use super::declarations::Declarations;
use super::hash::hash;
use super::names::Names;
use super::secret::Secret;
use super::selectors::{Kind, Selector};
use huller_page::{Node, Page, Tag};
use std::collections::HashMap;

/// Rules of one page. Made once and refilled.
#[derive(Debug)]
pub(super) struct Rules {
    /// What each rule declares, and what was added to them. The first declares nothing.
    all: Vec<Declarations>,
    /// Place in `all` of the rule for each known tag.
    of_tag: [u32; Tag::count()],
    /// Places in `all` by [`key`], of all other rules.
    places: HashMap<u64, u32, Secret>,
    /// Names of classes and ids with a rule, and those with a rule for them and a tag.
    names: Names,
    names_with_tag: Names,
    has_unknown_tags: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            all: vec![Declarations::NONE],
            of_tag: [0; Tag::count()],
            places: HashMap::default(),
            names: Names::default(),
            names_with_tag: Names::default(),
            has_unknown_tags: false,
        }
    }
}

/// What the classes of a `class` attribute are to the rules.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Classes {
    /// The place of what is declared for them whatever the tag.
    pub(super) place: u32,
    /// Whether a rule may name one of them together with a tag.
    pub(super) with_tag: bool,
}

impl Rules {
    /// Forgets all: another page begins.
    pub(super) fn clear(&mut self) {
        // A giant sheet must not keep its memory for the rest of the run.
        const KEEP: usize = 1 << 12;
        self.places.clear();
        self.places.shrink_to(KEEP);
        self.all.truncate(1);
        self.all.shrink_to(KEEP);
        self.of_tag.fill(0);
        self.names.clear();
        self.names_with_tag.clear();
        self.has_unknown_tags = false;
    }

    /// Adds a rule; it overrides those before with the same selector.
    pub(super) fn add(&mut self, selector: Selector<'_>, declarations: &Declarations) {
        let place = self.place_of(selector);
        match self.all.get_mut(place) {
            Some(rule) => rule.overlay(declarations),
            None => self.all.push(*declarations),
        }
    }

    /// The place of the rule with a selector; the one behind the last if there is none yet.
    fn place_of(&mut self, selector: Selector<'_>) -> usize {
        let next = self.all.len() as u32;
        let Selector { tag, kind, name } = selector;
        let known = Tag::from_name(tag.as_bytes());
        if kind == Kind::Tag && known != Tag::UNKNOWN {
            let place = &mut self.of_tag[known.index()];
            if *place == 0 {
                *place = next;
            }
            return *place as usize;
        }
        match kind {
            Kind::Tag => self.has_unknown_tags = true,
            _ if tag.is_empty() => self.names.add(name),
            _ => self.names_with_tag.add(name),
        }
        let tag = if tag.is_empty() { 0 } else { hash(tag.as_bytes()) };
        *self.places.entry(key(tag, kind, hash(name.as_bytes()))).or_insert(next) as usize
    }

    /// Adds declarations without a selector; gives their place.
    pub(super) fn push(&mut self, declarations: &Declarations) -> u32 {
        if declarations.is_empty() {
            return 0;
        }
        self.all.push(*declarations);
        self.all.len() as u32 - 1
    }

    /// What stands at a place. At 0 nothing is declared.
    #[inline]
    pub(super) fn at(&self, place: u32) -> &Declarations {
        &self.all[place as usize]
    }

    /// Whether any rule names a class or an id.
    #[inline]
    pub(super) fn has_names(&self) -> bool {
        !(self.names.is_empty() && self.names_with_tag.is_empty())
    }

    /// The place of the rule for a node's tag alone.
    #[inline(always)]
    pub(super) fn of_tag(&self, page: &Page<'_>, node: &Node) -> u32 {
        if self.has_unknown_tags && node.tag == Tag::UNKNOWN {
            return self.of_unknown_tag(page, node);
        }
        self.of_tag[node.tag.index()]
    }

    #[cold]
    fn of_unknown_tag(&self, page: &Page<'_>, node: &Node) -> u32 {
        let tag = hash(tag_name(page, node).as_bytes());
        self.places.get(&key(tag, Kind::Tag, hash(b""))).copied().unwrap_or_default()
    }

    /// Whether a rule may name that id.
    #[inline]
    pub(super) fn may_have_id(&self, id: &str) -> bool {
        self.names.may_have(id) || self.names_with_tag.may_have(id)
    }

    /// The place of the rule for a class or an id, alone or together with a tag (its [`hash`]).
    pub(super) fn of_name(&self, tag: Option<u64>, kind: Kind, name: &str) -> u32 {
        let names = if tag.is_some() { &self.names_with_tag } else { &self.names };
        if !names.may_have(name) {
            return 0;
        }
        let key = key(tag.unwrap_or_default(), kind, hash(name.as_bytes()));
        self.places.get(&key).copied().unwrap_or_default()
    }

    /// What some classes are to the rules.
    pub(super) fn of_classes(&mut self, classes: &str) -> Classes {
        let mut found = Classes::default();
        for class in classes.split_ascii_whitespace() {
            found.with_tag |= self.names_with_tag.may_have(class);
            let place = self.of_name(None, Kind::Class, class);
            if place == 0 || found.place == 0 {
                found.place |= place;
                continue;
            }
            let mut both = *self.at(found.place);
            both.overlay(self.at(place));
            found.place = self.push(&both);
        }
        found
    }
}

/// One number for a simple selector.
fn key(tag: u64, kind: Kind, name: u64) -> u64 {
    let mixed = tag.rotate_left(23) ^ name ^ (kind as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ (mixed >> 29)
}

/// The name of an element in the case it is written in; of one with an unknown tag it stands in the source.
pub(super) fn tag_name<'a>(page: &Page<'a>, node: &Node) -> &'a str {
    if node.tag != Tag::UNKNOWN {
        return node.tag.name();
    }
    let source = page.node_source(node);
    let name = source.strip_prefix('<').unwrap_or_default();
    let ends = |b: u8| b.is_ascii_whitespace() || matches!(b, b'/' | b'>');
    &name[..name.bytes().position(ends).unwrap_or(name.len())]
}
