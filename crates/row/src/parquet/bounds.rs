//! The least and the greatest of some values, by which readers pass over pages and groups of rows.

use super::plain::{texts, width};
use crate::columns::Kind;

/// Longer texts are cut: the least to what is less, the greatest to what is greater.
const LONGEST: usize = 64;

/// Least and greatest value in the encoding PLAIN, texts without their lengths; `None` where there is no value, or where nothing is
/// gained by knowing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bounds(pub(super) Option<(Vec<u8>, Vec<u8>)>);

impl Bounds {
    /// The bounds of plain values.
    pub(super) fn of(kind: Kind, plain: &[u8]) -> Bounds {
        match width(kind) {
            None => {
                let least = texts(plain).min().map(<[u8]>::to_vec);
                Bounds(least.zip(texts(plain).max().map(<[u8]>::to_vec)))
            }
            Some(width) => plain.chunks_exact(width).fold(Bounds::default(), |bounds, value| {
                bounds.with(kind, &Bounds(Some((value.to_vec(), value.to_vec()))))
            }),
        }
    }

    /// The bounds of both.
    pub(super) fn with(self, kind: Kind, other: &Bounds) -> Bounds {
        let Some((least, greatest)) = self.0 else { return other.clone() };
        let Some((other_least, other_greatest)) = &other.0 else {
            return Bounds(Some((least, greatest)));
        };
        let least = if is_less(kind, other_least, &least) { other_least.clone() } else { least };
        let greatest = if is_less(kind, &greatest, other_greatest) {
            other_greatest.clone()
        } else {
            greatest
        };
        Bounds(Some((least, greatest)))
    }

    /// The bounds as they stand in the file, and whether each is a value of the column.
    pub(super) fn shown(&self, kind: Kind) -> Option<[(Vec<u8>, bool); 2]> {
        let (least, greatest) = self.0.as_ref()?;
        Some(match kind {
            Kind::Text => [below(least), above(greatest)?],
            // Zero has two forms, which are equal and are ordered all the same by some readers.
            Kind::Float if is_zero(least) || is_zero(greatest) => {
                let signed = |bytes: &[u8], zero: f64| {
                    if is_zero(bytes) { zero.to_le_bytes().to_vec() } else { bytes.to_vec() }
                };
                [(signed(least, -0.0), true), (signed(greatest, 0.0), true)]
            }
            _ => [(least.clone(), true), (greatest.clone(), true)],
        })
    }
}

fn is_zero(bytes: &[u8]) -> bool {
    number(bytes).is_some_and(|bits| f64::from_bits(bits.cast_unsigned()) == 0.0)
}

/// Compares as readers do: texts by their bytes, numbers by their values.
fn is_less(kind: Kind, a: &[u8], b: &[u8]) -> bool {
    let float = |bytes| number(bytes).map(|bits| f64::from_bits(bits.cast_unsigned()));
    match kind {
        Kind::Text | Kind::Flag => a < b,
        Kind::Int | Kind::Long => number(a) < number(b),
        Kind::Float => float(a) < float(b),
    }
}

/// A number of four or eight bytes, sign and all.
fn number(bytes: &[u8]) -> Option<i64> {
    if let Some(bytes) = bytes.first_chunk() {
        return Some(i64::from_le_bytes(*bytes));
    }
    bytes.first_chunk().map(|bytes| i32::from_le_bytes(*bytes).into())
}

/// The first characters of a text, which are no greater than it.
fn below(text: &[u8]) -> (Vec<u8>, bool) {
    match prefix(text) {
        Some(start) => (start.as_bytes().to_vec(), false),
        None => (text.to_vec(), true),
    }
}

/// The first characters of a text, the last of them raised, so that it is greater than the text. `None` if none can be raised.
fn above(text: &[u8]) -> Option<(Vec<u8>, bool)> {
    let Some(start) = prefix(text) else { return Some((text.to_vec(), true)) };
    let mut start = start.to_owned();
    while let Some(last) = start.pop() {
        // What lies between is no character.
        let next = (u32::from(last) + 1..).take(0x801).find_map(char::from_u32);
        if let Some(next) = next {
            start.push(next);
            return Some((start.into_bytes(), false));
        }
    }
    None
}

/// The characters of a longer text that fit.
fn prefix(text: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() > LONGEST)?;
    Some(&text[..text.floor_char_boundary(LONGEST)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(texts: &[&str]) -> Vec<u8> {
        let with_length =
            |text: &&str| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
        texts.iter().flat_map(with_length).collect()
    }

    #[test]
    fn bounds_are_the_least_and_the_greatest() {
        let bounds = Bounds::of(Kind::Text, &plain(&["b", "", "é", "a"]));
        assert_eq!(bounds.0, Some((Vec::new(), "é".as_bytes().to_vec())));
        assert_eq!(Bounds::of(Kind::Text, &[]), Bounds::default());
        let numbers: Vec<u8> = [5_i64, -3, 256].iter().flat_map(|n| n.to_le_bytes()).collect();
        let bounds = Bounds::of(Kind::Long, &numbers);
        assert_eq!(
            bounds.0,
            Some(((-3_i64).to_le_bytes().to_vec(), 256_i64.to_le_bytes().to_vec()))
        );
        let more = Bounds::of(Kind::Long, &1000_i64.to_le_bytes());
        let both = bounds.clone().with(Kind::Long, &more).with(Kind::Long, &Bounds::default());
        assert_eq!(both.0.unwrap().1, 1000_i64.to_le_bytes());
        assert_eq!(Bounds::default().with(Kind::Long, &more), more);
        let ints: Vec<u8> = [-5_i32, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(Bounds::of(Kind::Int, &ints).0.unwrap().0, (-5_i32).to_le_bytes());
    }

    #[test]
    fn zero_is_bounded_with_both_of_its_signs() {
        let zero = Bounds::of(Kind::Float, &0.0_f64.to_le_bytes()).shown(Kind::Float).unwrap();
        assert_eq!(zero.map(|(bytes, _)| bytes), [(-0.0_f64).to_le_bytes(), 0.0_f64.to_le_bytes()]);
    }

    #[test]
    fn long_texts_are_bounded_by_shorter_ones() {
        for last in ["a", "é", "\u{d7ff}", "中", "\u{10ffff}b"] {
            let text = format!("{}{last}{}", "x".repeat(60), last.repeat(30));
            let bounds = Bounds::of(Kind::Text, &plain(&[&text]));
            let [(least, least_is_one), (greatest, greatest_is_one)] =
                bounds.shown(Kind::Text).unwrap();
            assert!(!least_is_one && !greatest_is_one);
            assert!(least.as_slice() < text.as_bytes() && greatest.as_slice() > text.as_bytes());
            assert!(std::str::from_utf8(&least).is_ok() && std::str::from_utf8(&greatest).is_ok());
            assert!(least.len() <= LONGEST && greatest.len() <= LONGEST + 4);
        }
        let last = "\u{10ffff}".repeat(30);
        assert_eq!(Bounds::of(Kind::Text, &plain(&[&last])).shown(Kind::Text), None);
    }
}
