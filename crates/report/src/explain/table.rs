//! Values that recur, each written once.

use std::collections::HashMap;
use std::rc::Rc;

/// Different strings in the order in which they came. The place of each, from 0, stands for it elsewhere.
#[derive(Default)]
pub(super) struct Table {
    places: HashMap<Rc<str>, u32>,
    values: Vec<Rc<str>>,
}

impl Table {
    /// The place of a value, which is added if it is new.
    pub(super) fn place(&mut self, value: &str) -> u32 {
        if let Some(place) = self.places.get(value) {
            return *place;
        }
        let place = u32::try_from(self.values.len()).expect("a row has less than 4 GB");
        let value: Rc<str> = value.into();
        self.values.push(Rc::clone(&value));
        self.places.insert(value, place);
        place
    }

    /// The values, each at its place.
    pub(super) fn values(&self) -> Vec<&str> {
        self.values.iter().map(|value| &**value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_keeps_its_place() {
        let mut table = Table::default();
        let places = ["p", "", "p", "li", ""].map(|value| table.place(value));
        assert_eq!(places, [0, 1, 0, 2, 1]);
        assert_eq!(table.values(), ["p", "", "li"]);
    }
}
