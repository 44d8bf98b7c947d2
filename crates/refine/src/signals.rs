//! The figures behind decisions, for users who set thresholds.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The names of figures that follow from files of the user. They are never removed, so that names
/// of figures need no owner. Their number is that of the labels of the models in use.
static NAMES: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

/// Returns this name of a figure, which lives as long as the program. Characters that JSON would
/// escape become `_`.
pub(crate) fn figure_name(name: &str) -> &'static str {
    let name = name.replace(|c: char| c.is_control() || matches!(c, '"' | '\\'), "_");
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name.as_str()) {
        return known;
    }
    let name: &'static str = Box::leak(name.into());
    names.insert(name);
    name
}

/// The figures that stages compute for a row, recorded if the run asks for them. While figures are
/// recorded, each stage computes all of its own, also after one of them has dropped the row.
///
/// ```
/// use huller_refine::Signals;
///
/// let mut signals = Signals::enabled();
/// signals.record("gopher_quality.mean_word_length", 4.5);
/// assert_eq!(signals.get("gopher_quality.mean_word_length"), Some(4.5));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Signals {
    figures: Vec<(&'static str, f64)>,
    texts: Vec<(&'static str, String)>,
    is_on: bool,
}

impl Signals {
    /// Creates a recorder that ignores every figure and allocates no memory.
    pub fn disabled() -> Signals {
        Signals::default()
    }

    /// Creates a recorder that keeps every figure.
    pub fn enabled() -> Signals {
        Signals { is_on: true, ..Signals::default() }
    }

    /// Returns whether figures are recorded.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Records a figure under its name, `stage_with_underscores.figure`, if recording is on. A name
    /// occurs twice if a stage runs twice.
    #[inline]
    pub fn record(&mut self, name: &'static str, value: f64) {
        if self.is_on {
            self.figures.push((name, value));
        }
    }

    /// Records a text that explains a decision, under its name, if recording is on.
    pub fn record_text(&mut self, name: &'static str, text: &str) {
        if self.is_on {
            self.texts.push((name, text.to_owned()));
        }
    }

    /// Returns the texts of this row, in the order in which they were recorded.
    pub fn texts(&self) -> &[(&'static str, String)] {
        &self.texts
    }

    /// Returns the figures of this row, in the order in which they were recorded.
    pub fn figures(&self) -> &[(&'static str, f64)] {
        &self.figures
    }

    /// Returns the figure recorded last under this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        let signal = self.figures.iter().rev().find(|(known, _)| *known == name);
        signal.map(|(_, value)| *value)
    }

    /// Returns the numbers of figures and texts so far, for [`Signals::return_to`].
    pub fn mark(&self) -> (usize, usize) {
        (self.figures.len(), self.texts.len())
    }

    /// Forgets the figures and texts after this mark.
    pub fn return_to(&mut self, (figures, texts): (usize, usize)) {
        self.figures.truncate(figures);
        self.texts.truncate(texts);
    }

    /// Removes all figures and texts, for the next row.
    pub fn clear(&mut self) {
        self.figures.clear();
        self.texts.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_kept_only_if_asked_for() {
        let mut off = Signals::disabled();
        off.record("a.b", 1.);
        assert_eq!((off.figures().len(), off.get("a.b")), (0, None));
        let mut on = Signals::enabled();
        on.record("a.b", 1.);
        on.record("a.b", 2.);
        off.record_text("a.c", "x");
        on.record_text("a.c", "x");
        assert_eq!((off.texts().len(), on.texts()), (0, &[("a.c", "x".to_owned())][..]));
        assert_eq!((on.figures().len(), on.get("a.b"), on.get("c")), (2, Some(2.), None));
        let mark = on.mark();
        on.record("a.d", 1.);
        on.return_to(mark);
        assert_eq!((on.figures().len(), on.get("a.d")), (2, None));
        on.clear();
        assert!(on.is_on() && on.figures().is_empty() && on.texts().is_empty());
    }
}
