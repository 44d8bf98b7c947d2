//! The tables that a run can write beside its rows, each in a folder of its own.

use huller_row::{ESCALATED_FIELDS, Field, LINK_FIELDS, PASSAGE_FIELDS};
use serde::{Deserialize, Serialize};

/// A table that a run writes beside its rows. For each file of rows it has a file of the same name
/// in its own folder, unless that file would be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideTable {
    /// The passages of the rows.
    Passages,
    /// The links of the pages.
    Links,
    /// The pages whose texts a model of the user is to judge, as numbered blocks.
    Escalated,
}

impl SideTable {
    /// All tables, in the order in which workers encode them.
    pub const ALL: [SideTable; 3] = [SideTable::Passages, SideTable::Links, SideTable::Escalated];

    /// Returns the name of the option that asks for the table, and of its folder in run files.
    pub fn option(self) -> &'static str {
        match self {
            SideTable::Passages => "passages",
            SideTable::Links => "links",
            SideTable::Escalated => "escalate",
        }
    }

    /// Returns the fields of its rows.
    pub fn fields(self) -> &'static [Field] {
        match self {
            SideTable::Passages => PASSAGE_FIELDS,
            SideTable::Links => LINK_FIELDS,
            SideTable::Escalated => ESCALATED_FIELDS,
        }
    }

    /// Returns the words for its rows.
    pub fn rows(self) -> &'static str {
        match self {
            SideTable::Passages => "passages",
            SideTable::Links => "links",
            SideTable::Escalated => "escalated pages",
        }
    }
}

/// A value for each table that a run writes beside its rows. In JSON it has a member for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideTables<T> {
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    passages: Option<T>,
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    links: Option<T>,
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    escalate: Option<T>,
}

impl<T> Default for SideTables<T> {
    fn default() -> SideTables<T> {
        SideTables { passages: None, links: None, escalate: None }
    }
}

impl<T> SideTables<T> {
    /// Makes the values of the tables for which there is one.
    pub fn from_fn(mut value: impl FnMut(SideTable) -> Option<T>) -> SideTables<T> {
        let [passages, links, escalate] = SideTable::ALL.map(&mut value);
        SideTables { passages, links, escalate }
    }

    /// As [`SideTables::from_fn`], where making a value may fail.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn try_from_fn<E>(
        mut value: impl FnMut(SideTable) -> Result<Option<T>, E>,
    ) -> Result<SideTables<T>, E> {
        let mut tables = SideTables::default();
        for table in SideTable::ALL {
            *tables.slot(table) = value(table)?;
        }
        Ok(tables)
    }

    /// Returns the value of a table.
    pub fn get(&self, table: SideTable) -> Option<&T> {
        match table {
            SideTable::Passages => self.passages.as_ref(),
            SideTable::Links => self.links.as_ref(),
            SideTable::Escalated => self.escalate.as_ref(),
        }
    }

    /// Returns the value of a table, to change it.
    pub fn get_mut(&mut self, table: SideTable) -> Option<&mut T> {
        self.slot(table).as_mut()
    }

    /// Sets the value of a table.
    pub fn set(&mut self, table: SideTable, value: Option<T>) {
        *self.slot(table) = value;
    }

    /// Takes the value of a table out.
    pub fn take(&mut self, table: SideTable) -> Option<T> {
        self.slot(table).take()
    }

    /// Returns the tables that have a value, with it.
    pub fn iter(&self) -> impl Iterator<Item = (SideTable, &T)> {
        SideTable::ALL.into_iter().filter_map(|table| Some((table, self.get(table)?)))
    }

    /// Returns the values.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the values, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let SideTables { passages, links, escalate } = self;
        passages.iter_mut().chain(links).chain(escalate)
    }

    /// Returns whether no table has a value.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the number of tables with a value.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Makes another value of each one.
    pub fn map<U>(&self, mut value: impl FnMut(SideTable, &T) -> U) -> SideTables<U> {
        SideTables::from_fn(|table| self.get(table).map(|known| value(table, known)))
    }

    /// Makes a reference to a part of each value.
    pub fn map_ref<'t, U: ?Sized>(&'t self, part: impl Fn(&'t T) -> &'t U) -> SideTables<&'t U> {
        SideTables::from_fn(|table| self.get(table).map(&part))
    }

    fn slot(&mut self, table: SideTable) -> &mut Option<T> {
        match table {
            SideTable::Passages => &mut self.passages,
            SideTable::Links => &mut self.links,
            SideTable::Escalated => &mut self.escalate,
        }
    }
}

impl<T> IntoIterator for SideTables<T> {
    type Item = T;
    type IntoIter = std::iter::Flatten<std::array::IntoIter<Option<T>, 3>>;

    fn into_iter(self) -> Self::IntoIter {
        let SideTables { passages, links, escalate } = self;
        [passages, links, escalate].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_has_its_own_value_and_member() {
        let mut tables = SideTables::default();
        assert!(tables.is_empty());
        for (number, table) in SideTable::ALL.into_iter().enumerate() {
            tables.set(table, Some(number));
            assert_eq!((tables.get(table), tables.len()), (Some(&number), number + 1));
        }
        tables.values_mut().for_each(|value| *value += 1);
        let json = serde_json::to_string(&tables).unwrap();
        assert_eq!(json, r#"{"passages":1,"links":2,"escalate":3}"#);
        assert_eq!(serde_json::from_str::<SideTables<usize>>(&json).unwrap(), tables);
        assert_eq!(tables.take(SideTable::Links), Some(2));
        assert_eq!(tables.clone().into_iter().collect::<Vec<_>>(), [1, 3]);
        let names = tables.map(|table, value| format!("{} {value}", table.option()));
        assert_eq!(names.values().collect::<Vec<_>>(), ["passages 1", "escalate 3"]);
        let failed = SideTables::<u8>::try_from_fn(|table| Err::<Option<u8>, _>(table.rows()));
        assert_eq!(failed, Err("passages"));
    }
}
