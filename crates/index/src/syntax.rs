//! The query syntax.
//!
//! ```text
//! query   = clause { clause }
//! clause  = [ "+" | "-" ] [ field ":" ] ( word [ "*" ] | '"' phrase '"' | day ".." day )
//! field   = title | text | author | url | host | lang | type | id | date | published
//! ```
//!
//! A clause with `+` must match, and a clause with `-` must not. Words and phrases without a sign
//! are optional beside a clause with `+`; otherwise at least one must match. Rows that match more
//! of them come first. Of `host`, `lang`, `type`, `id`, `date` and `published` without a sign, one
//! value per field must match. `word*` matches all words that begin with `word`. A web address
//! without a field, such as `https://a.test/b`, is one of the field `url`.

use crate::date::Day;

/// Longest query, in bytes.
const MAX_QUERY_BYTES: usize = 4096;

/// Most clauses of a query.
const MAX_CLAUSES: usize = 64;

/// A parsed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub(crate) clauses: Vec<Clause>,
}

impl Query {
    /// Returns the runs of words without signs and fields that follow one another, each with spaces
    /// between its words.
    pub(crate) fn runs_of_words(&self) -> Vec<String> {
        let word = |clause: &Clause| match clause {
            Clause {
                sign: ClauseSign::Should,
                field: QueryField::Any,
                value: Value::Word(word),
            } => Some(word.clone()),
            _ => None,
        };
        let words: Vec<_> = self.clauses.iter().map(word).collect();
        let runs = words.split(Option::is_none).filter(|run| run.len() > 1);
        runs.map(|run| run.iter().flatten().cloned().collect::<Vec<_>>().join(" ")).collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) sign: ClauseSign,
    pub(crate) field: QueryField,
    pub(crate) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClauseSign {
    /// No sign: the clause counts for the score.
    Should,
    /// `+`: rows must match.
    Must,
    /// `-`: rows must not match.
    MustNot,
}

/// The field of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryField {
    /// Title, text and author.
    Any,
    Title,
    Text,
    Author,
    Url,
    Host,
    Language,
    Type,
    Id,
    Date,
    Published,
}

impl QueryField {
    /// Whether values of the field filter rows, without effect on the score.
    pub(crate) fn filters(self) -> bool {
        matches!(
            self,
            QueryField::Host
                | QueryField::Language
                | QueryField::Type
                | QueryField::Id
                | QueryField::Date
                | QueryField::Published
        )
    }

    /// Whether values of the field are words, of which `*` completes the last.
    fn has_words(self) -> bool {
        matches!(self, QueryField::Any | QueryField::Title | QueryField::Text | QueryField::Author)
    }
}

const FIELDS: [(&str, QueryField); 10] = [
    ("title", QueryField::Title),
    ("text", QueryField::Text),
    ("author", QueryField::Author),
    ("url", QueryField::Url),
    ("host", QueryField::Host),
    ("lang", QueryField::Language),
    ("type", QueryField::Type),
    ("id", QueryField::Id),
    ("date", QueryField::Date),
    ("published", QueryField::Published),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// One word.
    Word(String),
    /// The beginning of a word.
    Prefix(String),
    /// Words in quotation marks.
    Phrase(String),
    /// From the first day to the last, both included. `None` means no bound on that side.
    Days(Option<Day>, Option<Day>),
}

/// The reason why a query cannot be understood, and what to type instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// The query is empty.
    #[error("the query is empty: give at least one word")]
    Empty,
    /// The query is too long.
    #[error("the query has {0} bytes, more than the limit of {MAX_QUERY_BYTES}")]
    TooLong(usize),
    /// The query has too many clauses.
    #[error("the query has more than {MAX_CLAUSES} words and phrases")]
    TooMany,
    /// A quotation mark has no partner.
    #[error("the quotation mark before '{0}' is not closed: add one after the phrase")]
    Unclosed(String),
    /// The field does not exist.
    #[error(
        "unknown field '{0}': the fields are title, text, author, url, host, lang, type, id, date \
         and published; put words with a colon in quotation marks"
    )]
    NoField(String),
    /// A value is missing after a field or a sign.
    #[error("'{0}' is not followed by a word: write the word directly after it")]
    Nothing(String),
    /// A date is neither a day nor a range of days.
    #[error("'{0}' is not a day or a range of days: write 2024-03-01 or 2024-03-01..2024-03-31")]
    NoDay(String),
    /// A word has no letters or digits.
    #[error("'{0}' has no letters or digits, so it cannot be searched")]
    NoWords(String),
    /// A word is too long.
    #[error("'{0}' is too long: words in the index have at most 128 bytes")]
    LongWord(String),
    /// All clauses exclude rows.
    #[error("the query only excludes words: add a word to search for")]
    OnlyNot,
}

impl Query {
    /// Parses a query that a user typed.
    ///
    /// # Errors
    ///
    /// The query cannot be understood. The message says what to type instead.
    pub fn parse(text: &str) -> Result<Query, SyntaxError> {
        if text.len() > MAX_QUERY_BYTES {
            return Err(SyntaxError::TooLong(text.len()));
        }
        let mut clauses = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (clause, after_clause) = parse_clause(rest)?;
            clauses.push(clause);
            if clauses.len() > MAX_CLAUSES {
                return Err(SyntaxError::TooMany);
            }
            rest = after_clause.trim_start();
        }
        if clauses.is_empty() {
            return Err(SyntaxError::Empty);
        }
        if clauses.iter().all(|clause| clause.sign == ClauseSign::MustNot) {
            return Err(SyntaxError::OnlyNot);
        }
        Ok(Query { clauses })
    }
}

/// Parses the first clause, and returns the rest of the text.
fn parse_clause(text: &str) -> Result<(Clause, &str), SyntaxError> {
    let (sign, unsigned) = match text.as_bytes()[0] {
        b'+' => (ClauseSign::Must, &text[1..]),
        b'-' => (ClauseSign::MustNot, &text[1..]),
        _ => (ClauseSign::Should, text),
    };
    let end = unsigned.find(char::is_whitespace).unwrap_or(unsigned.len());
    let colon = unsigned[..end]
        .find([':', '"'])
        .filter(|colon_offset| unsigned.as_bytes()[*colon_offset] == b':');
    let (field, value) = match colon {
        // An address that a user pasted.
        Some(colon_offset)
            if is_web_address(&unsigned[..colon_offset], &unsigned[colon_offset + 1..]) =>
        {
            (QueryField::Url, unsigned)
        }
        Some(colon_offset) => (field(&unsigned[..colon_offset])?, &unsigned[colon_offset + 1..]),
        None => (QueryField::Any, unsigned),
    };
    let prefix = &text[..text.len() - value.len()];
    if let Some(quoted) = value.strip_prefix('"') {
        let Some(end) = quoted.find('"') else {
            return Err(SyntaxError::Unclosed(quoted.chars().take(30).collect()));
        };
        let phrase = &quoted[..end];
        if phrase.trim().is_empty() {
            return Err(SyntaxError::NoWords(format!("\"{phrase}\"")));
        }
        let value = convert_value(field, phrase, Value::Phrase(phrase.to_owned()))?;
        return Ok((Clause { sign, field, value }, &quoted[end + 1..]));
    }
    // A quotation mark ends a word: `a"b c"` is a word and a phrase.
    let end = value.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(value.len());
    let (word, after_word) = value.split_at(end);
    if word.is_empty() {
        return Err(SyntaxError::Nothing(prefix.to_owned()));
    }
    let value = match word.strip_suffix('*') {
        Some("") => return Err(SyntaxError::NoWords(word.to_owned())),
        Some(prefix) if field.has_words() => Value::Prefix(prefix.to_owned()),
        _ => Value::Word(word.to_owned()),
    };
    let value = convert_value(field, word, value)?;
    Ok((Clause { sign, field, value }, after_word))
}

/// Whether a scheme and what is after its colon are the address of a web page.
fn is_web_address(scheme: &str, rest: &str) -> bool {
    matches!(scheme, "http" | "https") && rest.starts_with("//")
}

fn field(name: &str) -> Result<QueryField, SyntaxError> {
    let entry = FIELDS.iter().find(|(known, _)| *known == name);
    entry.map(|(_, field)| *field).ok_or_else(|| SyntaxError::NoField(name.to_owned()))
}

/// Converts a value to the type that the field takes.
fn convert_value(field: QueryField, text: &str, value: Value) -> Result<Value, SyntaxError> {
    if !matches!(field, QueryField::Date | QueryField::Published) {
        return Ok(value);
    }
    let no_day = || SyntaxError::NoDay(text.to_owned());
    let day = |text: &str| match text {
        "" => Ok(None),
        text => text.parse::<Day>().map(Some).map_err(|_| no_day()),
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (day(first)?, day(last)?),
        None => (day(text)?, day(text)?),
    };
    if first.is_none() && last.is_none() { Err(no_day()) } else { Ok(Value::Days(first, last)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Value {
        Value::Word(text.to_owned())
    }

    #[test]
    fn signs_fields_phrases_and_days_are_read() {
        let query = Query::parse(r#" a +title:"b c" -host:x.test date:2024-01-01..d"#);
        assert!(matches!(query, Err(SyntaxError::NoDay(_))));
        let query = Query::parse(r#" a +title:"b: c" -host:x.test date:2024-01-01.. "d e"f"#);
        let found: Vec<_> = query
            .unwrap()
            .clauses
            .into_iter()
            .map(|clause| (clause.sign, clause.field, clause.value))
            .collect();
        let day = "2024-01-01".parse().unwrap();
        assert_eq!(
            found,
            [
                (ClauseSign::Should, QueryField::Any, word("a")),
                (ClauseSign::Must, QueryField::Title, Value::Phrase("b: c".to_owned())),
                (ClauseSign::MustNot, QueryField::Host, word("x.test")),
                (ClauseSign::Should, QueryField::Date, Value::Days(Some(day), None)),
                (ClauseSign::Should, QueryField::Any, Value::Phrase("d e".to_owned())),
                (ClauseSign::Should, QueryField::Any, word("f")),
            ]
        );
        let query = Query::parse("ferry -https://a.test/b?c=d:e").unwrap();
        let pasted = query.clauses.into_iter().nth(1).unwrap();
        assert_eq!((pasted.sign, pasted.field), (ClauseSign::MustNot, QueryField::Url));
        assert_eq!(pasted.value, word("https://a.test/b?c=d:e"));
        let query = Query::parse("-author:fa* url:a* \"b*\"").unwrap();
        let values: Vec<_> = query.clauses.into_iter().map(|clause| clause.value).collect();
        let (prefix, phrase) = (Value::Prefix("fa".to_owned()), Value::Phrase("b*".to_owned()));
        assert_eq!(values, [prefix, word("a*"), phrase]);
    }

    #[test]
    fn what_cannot_be_understood_says_what_to_type() {
        let text = |text: &str| text.to_owned();
        for (query, expected) in [
            ("  ", SyntaxError::Empty),
            ("\"a b", SyntaxError::Unclosed(text("a b"))),
            ("ftp://a.test", SyntaxError::NoField(text("ftp"))),
            ("http:a", SyntaxError::NoField(text("http"))),
            ("title: a", SyntaxError::Nothing(text("title:"))),
            ("a +", SyntaxError::Nothing(text("+"))),
            ("\"\"", SyntaxError::NoWords(text("\"\""))),
            ("-a", SyntaxError::OnlyNot),
            ("title:*", SyntaxError::NoWords(text("*"))),
            ("date:..", SyntaxError::NoDay(text(".."))),
            ("date:yesterday", SyntaxError::NoDay(text("yesterday"))),
        ] {
            assert_eq!(Query::parse(query), Err(expected), "{query}");
        }
        assert!(matches!(Query::parse(&"a ".repeat(65)), Err(SyntaxError::TooMany)));
        assert!(matches!(Query::parse(&"a".repeat(4097)), Err(SyntaxError::TooLong(4097))));
    }
}
