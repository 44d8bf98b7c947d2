//! The JSON list of the statements about one page.

use crate::statement::{EvidenceLocation, Signal, Source, Statement};
use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use twox_hash::XxHash3_64;

/// Statements as a JSON list, each once. Values are cut, and the list keeps a bounded number of
/// statements for each signal, so that many of one kind do not crowd out another.
#[derive(Debug, Default)]
pub(crate) struct StatementList {
    /// The list without its closing bracket.
    json: Vec<u8>,
    /// Hashes of the statements that are listed.
    listed: Vec<u64>,
    /// Number of listed statements of each signal.
    counts: [usize; Signal::ALL.len() + 1],
    /// The whole list, written by [`StatementList::end`].
    text: String,
}

impl StatementList {
    /// Most statements of one signal.
    pub(crate) const MAX_PER_SIGNAL: usize = 100;

    /// Most bytes of the name of a robot.
    const MAX_AGENT_BYTES: usize = 64;

    pub(crate) fn clear(&mut self) {
        self.json.clear();
        self.listed.clear();
        self.counts = Default::default();
        self.text.clear();
        self.text.push_str("[]");
    }

    /// Adds a statement, unless it is listed already or there are too many of its kind.
    pub(crate) fn push(
        &mut self,
        signal: Signal,
        value: &str,
        source: Source,
        agent: Option<&str>,
        location: EvidenceLocation<'_>,
    ) {
        let count = &mut self.counts[signal as usize];
        if *count == StatementList::MAX_PER_SIGNAL {
            return;
        }
        let value = value.trim();
        let value = &value[..value.floor_char_boundary(Statement::MAX_VALUE_BYTES)];
        let agent =
            agent.map(|agent| &agent[..agent.floor_char_boundary(StatementList::MAX_AGENT_BYTES)]);
        let statement = Statement {
            signal,
            value: Cow::Borrowed(value),
            source,
            agent: agent.map(Cow::Borrowed),
            file: Cow::Borrowed(location.file),
            offset: location.offset,
        };
        let mut hasher = XxHash3_64::new();
        statement.hash(&mut hasher);
        let hash = hasher.finish();
        if self.listed.contains(&hash) {
            return;
        }
        self.listed.push(hash);
        *count += 1;
        self.json.push(if self.json.is_empty() { b'[' } else { b',' });
        serde_json::to_writer(&mut self.json, &statement)
            .expect("writing plain fields to memory cannot fail");
        self.text.clear();
    }

    /// Completes the list.
    pub(crate) fn end(&mut self) {
        if self.text.is_empty() {
            self.text.push_str(str::from_utf8(&self.json).expect("JSON is text"));
            self.text.push(']');
        }
    }

    /// Returns the list that [`StatementList::end`] completed last.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_listed_once_and_a_bounded_number_of_times() {
        let mut list = StatementList::default();
        list.clear();
        list.end();
        assert_eq!(list.text(), "[]");
        let place = EvidenceLocation { file: "a", offset: None };
        for number in 0..1000 {
            list.push(Signal::License, &number.to_string(), Source::Link, None, place);
            list.push(Signal::NoAi, " noai ", Source::Meta, None, place);
        }
        let long = "é".repeat(1000);
        list.push(Signal::Rights, &long, Source::Meta, Some(&long), place);
        list.end();
        let listed = crate::read_statements(list.text()).unwrap();
        let count = |signal| listed.iter().filter(|listed| listed.signal == signal).count();
        assert_eq!((count(Signal::License), count(Signal::NoAi)), (100, 1));
        let longest = listed.last().unwrap();
        assert_eq!((longest.value.len(), longest.agent.as_ref().unwrap().len()), (300, 64));
        assert_eq!(listed[1].value, "noai");
    }
}
