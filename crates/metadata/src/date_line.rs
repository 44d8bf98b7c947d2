//! Judges lines that hold a date: whether they date the page.
//!
//! A line that dates a page is hardly more than the date: `Posted on 5 May 2019 by Ann Ray`. Other
//! lines date an event, a person, a source or a table. After the first paragraph of the text, only
//! the date, words for "published" and names after "by" are accepted.

use super::date::month_of;
use super::name::strip_label;
use super::words::is_wide;

/// The place of a line on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinePlace {
    /// Before the first paragraph after the headline.
    BesideHeadline,
    AfterText,
}

/// Words of dates, times and separators.
const OF_DATES: [&str; 72] = [
    "am",
    "pm",
    "a",
    "p",
    "m",
    "uhr",
    "um",
    "at",
    "on",
    "the",
    "of",
    "le",
    "el",
    "de",
    "del",
    "du",
    "den",
    "der",
    "vom",
    "and",
    "und",
    "st",
    "nd",
    "rd",
    "th",
    "gmt",
    "utc",
    "est",
    "edt",
    "pst",
    "pdt",
    "cet",
    "t",
    "z",
    "nbsp",
    "middot",
    "sdot",
    "bull",
    "mdash",
    "ndash",
    "min",
    "mins",
    "read",
    "minute",
    "minutes",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "lundi",
    "mardi",
    "mercredi",
    "jeudi",
    "vendredi",
    "samedi",
];

/// Words that introduce the date of publication.
const PUBLISHED: [&str; 22] = [
    "published",
    "posted",
    "written",
    "created",
    "submitted",
    "date",
    "datum",
    "fecha",
    "stand",
    "veröffentlicht",
    "erstellt",
    "geschrieben",
    "erschienen",
    "publié",
    "publicado",
    "pubblicato",
    "geplaatst",
    "by",
    "von",
    "par",
    "por",
    "pressemitteilung",
];

/// Words of other dates.
const OTHER_DATES: [&str; 68] = [
    "accessed",
    "as",
    "meeting",
    "next",
    "nächste",
    "nächster",
    "prochaine",
    "prochain",
    "próxima",
    "upcoming",
    "when",
    "anmeldeschluss",
    "abgerufen",
    "birthday",
    "born",
    "built",
    "completed",
    "erbaut",
    "closes",
    "closing",
    "consulté",
    "copy",
    "copyright",
    "deadline",
    "died",
    "due",
    "effective",
    "ends",
    "event",
    "events",
    "expire",
    "expires",
    "expired",
    "expiry",
    "fig",
    "figure",
    "first",
    "founded",
    "geboren",
    "gestorben",
    "gültig",
    "joined",
    "launch",
    "launched",
    "launches",
    "mitglied",
    "né",
    "née",
    "nacido",
    "open",
    "opened",
    "opening",
    "opens",
    "originally",
    "registered",
    "registriert",
    "renewal",
    "reprinted",
    "retrieved",
    "since",
    "starts",
    "tab",
    "table",
    "tabelle",
    "termin",
    "until",
    "valid",
    "veranstaltung",
];

/// Beginnings of words for a change.
const CHANGED: [&str; 6] = ["updat", "modif", "edit", "revis", "aktualis", "geändert"];

/// Words before such a word: `Last updated`. Some pages state no date but `Updated`.
const LAST: [&str; 7] = ["last", "letzte", "zuletzt", "stand", "dernière", "última", "laatst"];

/// Largest number of other words in a line beside the headline, and in one that begins with the
/// date.
const MAX_WORDS: usize = 6;
const MAX_WORDS_AFTER_DATE: usize = 12;

/// Returns whether a line with a date dates the page.
pub(super) fn dates_page(line: &str, place: LinePlace) -> bool {
    const MAX_NAME_WORDS: usize = 4;
    let line = line.trim();
    if is_entry(line) {
        return false;
    }
    let (mut others, mut lower, mut is_last) = (0, 0, false);
    for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let is_one_of = |words: &[&str]| words.iter().any(|known| is_equal(word, known));
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        if is_number || word.contains(is_wide) || month_of(word).is_some() || is_one_of(&OF_DATES) {
            continue;
        }
        if is_one_of(&OTHER_DATES) {
            return false;
        }
        is_last |= is_one_of(&LAST);
        let is_change = CHANGED.iter().any(|begin| begins(word, begin));
        if is_change && is_last && place == LinePlace::AfterText {
            return false;
        }
        if !is_change && !is_one_of(&PUBLISHED) {
            others += 1;
            lower += usize::from(word.starts_with(char::is_lowercase));
        }
    }
    if line.ends_with(['.', '?', '!']) && others > 2 {
        return false;
    }
    match place {
        LinePlace::BesideHeadline => {
            let begins_with_date = line.starts_with(|c: char| c.is_ascii_digit());
            others <= if begins_with_date { MAX_WORDS_AFTER_DATE } else { MAX_WORDS }
        }
        LinePlace::AfterText => {
            let has_names = strip_label(line).is_some() && lower == 0;
            others == 0 || has_names && others <= MAX_NAME_WORDS
        }
    }
}

/// Returns whether a short label names another date than that of publication: `Born:`.
pub(super) fn names_other_date(label: &str) -> bool {
    const MAX_LABEL_WORDS: usize = 3;
    // These are also common on links and in credits beside a date.
    const ONLY_BEFORE_COLON: [&str; 7] =
        ["as", "copy", "copyright", "first", "next", "open", "originally"];
    let ends_with_colon = label.trim_end().ends_with([':', '：']);
    let names_other = |word: &str| {
        OTHER_DATES.iter().any(|known| is_equal(word, known))
            && (ends_with_colon || !ONLY_BEFORE_COLON.iter().any(|known| is_equal(word, known)))
    };
    let words = label.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.clone().count() <= MAX_LABEL_WORDS && words.clone().any(names_other)
}

/// Returns whether a line has a word for "published".
pub(super) fn is_labelled(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    words.any(|word| PUBLISHED.iter().any(|known| is_equal(word, known)))
        || ["发布", "发表", "發布", "發表"].iter().any(|label| line.contains(label))
}

/// Returns whether the date begins an entry of a list: `4 May 1842: opened`.
fn is_entry(line: &str) -> bool {
    let Some((date, entry)) = line.split_once(": ") else { return false };
    date.ends_with(|c: char| c.is_ascii_digit())
        && date.starts_with(|c: char| c.is_ascii_digit())
        && entry.contains(char::is_alphabetic)
}

fn is_equal(word: &str, lower: &str) -> bool {
    word.len() == lower.len() && begins(word, lower)
}

/// Returns whether a word begins with these lower-case letters, in any case.
fn begins(word: &str, lower: &str) -> bool {
    let mut letters = word.chars().flat_map(char::to_lowercase);
    lower.chars().all(|wanted| letters.next() == Some(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_hardly_more_than_a_date_dates_the_page() {
        for line in [
            "5 May 2019",
            "Posted on May 5, 2019",
            "Published: 2019-05-05, 10:15 am",
            "Stand: 08.05.2019, 12:30 Uhr",
            "Sunday, 5 May 2019",
            "By Ann Ray, 5 May 2019",
            "Von Anna Reh am 5. Mai 2019",
            "发布时间：2019年5月5日 来源：湖报",
        ] {
            assert!(dates_page(line, LinePlace::BesideHeadline), "{line}");
            assert!(dates_page(line, LinePlace::AfterText), "{line}");
        }
        for line in [
            "Ann Ray, Tarvelle, 5 May 2019",
            "Last updated on 5 May 2019",
            "5 May 2019 – The boats of the lake are back in the harbour",
        ] {
            assert!(dates_page(line, LinePlace::BesideHeadline), "{line}");
            assert!(!dates_page(line, LinePlace::AfterText), "{line}");
        }
    }

    #[test]
    fn a_label_names_another_date() {
        for label in ["Born:", "Next race: ", "Deadline", "When:", "Registered:"] {
            assert!(names_other_date(label), "{label}");
        }
        for label in ["Published", "Last updated:", "Next", "&copy; Ann Ray", "Originally posted"] {
            assert!(!names_other_date(label), "{label}");
        }
    }

    #[test]
    fn a_line_about_another_thing_does_not_date_the_page() {
        for line in [
            "Deadline: 5 May 2019",
            "Offer expires 5 May 2019",
            "Opening: 5 May 2019",
            "The pier was built on 5 May 2019.",
            "She was born on 5 May 2019 in Tarvelle.",
            "Source: Lake Book, retrieved 5 May 2019",
            "Event: Boat race, 5 May 2019, 7 pm",
            "Table 2. Boats on 5 May 2019",
            "First published in the Gazette, 5 May 2019",
            "5 May 2019: launched",
            "Registered: 5 May 2019",
            "In a letter of 5 May 2019 the mayor of the town asked for boats",
        ] {
            assert!(!dates_page(line, LinePlace::BesideHeadline), "{line}");
            assert!(!dates_page(line, LinePlace::AfterText), "{line}");
        }
    }
}
