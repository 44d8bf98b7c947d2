//! The rules of a page's style blocks, indexed by their simple selectors.

use super::declarations::Declarations;
use super::selectors::{Selector, SelectorKind};
use huller_page::fnv::hash_lowercase as hash;
use huller_page::{Node, Page, Tag};
use std::collections::{HashMap, HashSet};

/// The rules of one page. Created once and refilled.
#[derive(Debug)]
pub(super) struct StyleRules {
    /// The declarations of each rule, and those added by [`StyleRules::push`]. The first entry
    /// declares nothing.
    all: Vec<Declarations>,
    /// Index in `all` of the rule for each known tag; 0 if the tag has no rule.
    of_tag: [u32; Tag::count()],
    /// Indices in `all` of all other rules, by [`selector_key`].
    places: HashMap<u64, u32>,
    /// Whether any rule names a class or an id.
    has_names: bool,
    /// The [`hash`]es of classes and ids that a rule names together with a tag.
    names_with_tag: HashSet<u64>,
    has_unknown_tags: bool,
}

impl Default for StyleRules {
    fn default() -> StyleRules {
        StyleRules {
            all: vec![Declarations::NONE],
            of_tag: [0; Tag::count()],
            places: HashMap::default(),
            has_names: false,
            names_with_tag: HashSet::default(),
            has_unknown_tags: false,
        }
    }
}

/// The declarations of the rules for a `class` attribute's value.
/// Index of the declarations of the rules that name only a class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Classes {
    /// Index of the declarations for these classes, whatever the tag.
    pub(super) place: u32,
    /// Whether a rule may name one of these classes together with a tag.
    pub(super) with_tag: bool,
}

impl StyleRules {
    /// Clears the rules before the next page.
    pub(super) fn clear(&mut self) {
        // Number of entries whose memory is kept, so that a giant sheet does not occupy memory for
        // the rest of the run.
        const MAX_KEPT_ENTRIES: usize = 1 << 12;
        self.places.clear();
        self.places.shrink_to(MAX_KEPT_ENTRIES);
        self.all.truncate(1);
        self.all.shrink_to(MAX_KEPT_ENTRIES);
        self.of_tag.fill(0);
        self.has_names = false;
        self.names_with_tag.clear();
        self.names_with_tag.shrink_to(MAX_KEPT_ENTRIES);
        self.has_unknown_tags = false;
    }

    /// Adds a rule. It overrides earlier rules with the same selector.
    pub(super) fn add(&mut self, selector: Selector<'_>, declarations: &Declarations) {
        let index = self.place_of(selector);
        match self.all.get_mut(index) {
            Some(rule) => rule.overlay(declarations),
            None => self.all.push(*declarations),
        }
    }

    /// Returns the index of the rule with this selector. Returns the length of `all` if the
    /// selector is new.
    fn place_of(&mut self, selector: Selector<'_>) -> usize {
        let new_index = self.all.len() as u32;
        let Selector { tag, kind, name } = selector;
        let known = Tag::from_name(tag.as_bytes());
        if kind == SelectorKind::Tag && known != Tag::UNKNOWN {
            let place = &mut self.of_tag[known.index()];
            if *place == 0 {
                *place = new_index;
            }
            return *place as usize;
        }
        let name = hash(name.as_bytes());
        if kind == SelectorKind::Tag {
            self.has_unknown_tags = true;
        } else {
            self.has_names = true;
            if !tag.is_empty() {
                self.names_with_tag.insert(name);
            }
        }
        let tag = if tag.is_empty() { 0 } else { hash(tag.as_bytes()) };
        *self.places.entry(selector_key(tag, kind, name)).or_insert(new_index) as usize
    }

    /// Adds declarations without a selector and returns their index. Returns 0 if they are empty.
    pub(super) fn push(&mut self, declarations: &Declarations) -> u32 {
        if declarations.is_empty() {
            return 0;
        }
        self.all.push(*declarations);
        self.all.len() as u32 - 1
    }

    /// Returns the declarations at an index. Those at index 0 are empty.
    #[inline]
    pub(super) fn declarations_at(&self, index: u32) -> &Declarations {
        &self.all[index as usize]
    }

    /// Returns whether any rule names a class or an id.
    #[inline]
    pub(super) fn has_names(&self) -> bool {
        self.has_names
    }

    /// Returns the index of the rule for a node's tag alone.
    #[inline(always)]
    pub(super) fn rule_of_tag(&self, page: &Page<'_>, node: &Node) -> u32 {
        if self.has_unknown_tags && node.tag == Tag::UNKNOWN {
            return self.rule_of_unknown_tag(page, node);
        }
        self.of_tag[node.tag.index()]
    }

    #[cold]
    fn rule_of_unknown_tag(&self, page: &Page<'_>, node: &Node) -> u32 {
        let tag = hash(tag_name(page, node).as_bytes());
        self.places
            .get(&selector_key(tag, SelectorKind::Tag, hash(b"")))
            .copied()
            .unwrap_or_default()
    }

    /// Returns the index of the rule for a class or an id, alone or together with a tag (given as
    /// its [`hash`]).
    pub(super) fn rule_of_name(&self, tag: Option<u64>, kind: SelectorKind, name: &str) -> u32 {
        let key = selector_key(tag.unwrap_or_default(), kind, hash(name.as_bytes()));
        self.places.get(&key).copied().unwrap_or_default()
    }

    /// Looks up the rules for the value of a `class` attribute. Merges the declarations of several
    /// classes into a new entry.
    pub(super) fn rules_of_classes(&mut self, classes: &str) -> Classes {
        let mut found = Classes::default();
        for class in classes.split_ascii_whitespace() {
            found.with_tag |= self.names_with_tag.contains(&hash(class.as_bytes()));
            let place = self.rule_of_name(None, SelectorKind::Class, class);
            if place == 0 || found.place == 0 {
                found.place |= place;
                continue;
            }
            let mut merged = *self.declarations_at(found.place);
            merged.overlay(self.declarations_at(place));
            found.place = self.push(&merged);
        }
        found
    }
}

/// Combines the hashes of a simple selector's parts into one number.
fn selector_key(tag: u64, kind: SelectorKind, name: u64) -> u64 {
    let mixed = tag.rotate_left(23) ^ name ^ (kind as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ (mixed >> 29)
}

/// Returns the name of an element. An unknown tag's name is read from the source, in its original
/// case.
pub(super) fn tag_name<'a>(page: &Page<'a>, node: &Node) -> &'a str {
    if node.tag != Tag::UNKNOWN {
        return node.tag.name();
    }
    let source = page.node_source(node);
    let name = source.strip_prefix('<').unwrap_or_default();
    let ends = |b: u8| b.is_ascii_whitespace() || matches!(b, b'/' | b'>');
    &name[..name.bytes().position(ends).unwrap_or(name.len())]
}
