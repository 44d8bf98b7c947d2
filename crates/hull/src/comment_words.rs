//! Words that identify lines around comments: dates, notes, labels of forms, headings.
//!
//! Callers pass lines in lower case, with single spaces.

use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// Words that are searched for in one pass over a line.
struct Words(AhoCorasick);

impl Words {
    /// Builds the automaton. The words are constants, and far fewer than it can hold.
    fn new<W: AsRef<[u8]>>(words: impl IntoIterator<Item = W>) -> Words {
        Words(AhoCorasick::new(words).expect("few short words"))
    }

    /// Returns whether a line contains a word, also as a part of another word.
    fn are_in(&self, line: &str) -> bool {
        self.0.is_match(line)
    }

    /// Returns whether a line contains a word. In scripts with spaces it must be a whole word.
    fn are_whole_in(&self, line: &str) -> bool {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        self.0.find_overlapping_iter(line).any(|phrase| {
            let (text_before, text_after) = (&line[..phrase.start()], &line[phrase.end()..]);
            !is_spaced(&line[phrase.range()])
                || !is_letter(text_before.chars().next_back())
                    && !is_letter(text_after.chars().next())
        })
    }
}

/// Returns whether a line has a date, a time of day, or the age of an event.
pub(crate) fn has_date(line: &str) -> bool {
    static RECENT: LazyLock<Words> = LazyLock::new(|| Words::new(SINCE_DAYS));
    static AGES: LazyLock<Words> = LazyLock::new(|| Words::new(AGO));
    if !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return RECENT.are_whole_in(line);
    }
    has_numbers(line) || has_month(line) || AGES.are_whole_in(line)
}

/// Words for a recent day or moment.
const SINCE_DAYS: &[&str] = &[
    "yesterday",
    "today",
    "just now",
    "a day ago",
    "an hour ago",
    "a week ago",
    "a month ago",
    "a year ago",
    "gestern",
    "heute",
    "hier à",
    "ayer",
    "ontem",
    "вчера",
    "сегодня",
    "昨天",
    "今天",
];

/// Words that, beside a number, state the age of an event.
const AGO: &[&str] = &[
    "ago",
    "vor",
    "il y a",
    "hace",
    "há",
    "fa",
    "geleden",
    "sedan",
    "siden",
    "temu",
    "önce",
    "yesterday",
    "today",
    "gestern",
    "heute",
    "назад",
    "вчера",
    "сегодня",
    "前",
    "전",
    "昨天",
    "今天",
];

/// Beginnings of month names, in the languages that write them in letters.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär",
    "mai", "okt", "dez", "fév", "fev", "avr", "juin", "juil", "aoû", "déc", "ene", "abr", "ago",
    "set", "out", "dic", "gen", "mag", "giu", "lug", "ott", "mrt", "mei", "maj", "янв", "фев",
    "мар", "апр", "мая", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек", "sty", "lut",
    "kwi", "cze", "lip", "sie", "wrz", "paź", "lis", "gru", "oca", "şub", "nis", "haz", "tem",
    "ağu", "eyl", "eki", "kas", "ara",
];

/// Largest number of letters of a month name.
const MAX_MONTH_LETTERS: usize = 10;

/// Returns whether a number is next to the name of a month.
fn has_month(line: &str) -> bool {
    let is_number = |word: &str| {
        let ordinal = ["st", "nd", "rd", "th", "er"].iter().find_map(|end| word.strip_suffix(end));
        let digits = ordinal.unwrap_or(word);
        (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_month = |word: &str| {
        let letters = word.chars().count();
        letters <= MAX_MONTH_LETTERS && MONTHS.iter().any(|month| word.starts_with(month))
    };
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut previous_word = words.next().unwrap_or_default();
    words.any(|word| {
        let is_date = is_number(word) && is_month(previous_word)
            || is_number(previous_word) && is_month(word);
        previous_word = word;
        is_date
    })
}

/// Returns whether a line has a date or a time of day in numbers.
fn has_numbers(line: &str) -> bool {
    let bytes = line.as_bytes();
    let mut offset = 0;
    while offset < bytes.len() {
        if !bytes[offset].is_ascii_digit() {
            offset += 1;
            continue;
        }
        let (first_digits, after_first) = count_digits(bytes, offset);
        let separator = bytes.get(after_first).copied().unwrap_or_default();
        if line[after_first..].starts_with(['年', '月', '년', '월']) && first_digits <= 4 {
            return true;
        }
        if matches!(separator, b'.' | b'/' | b'-' | b':' | b'h') {
            let (second, end) = count_digits(bytes, after_first + 1);
            let is_time = first_digits <= 2 && second == 2;
            if is_time && matches!(separator, b':' | b'h') {
                return true;
            }
            let (third, _) = count_digits(bytes, end + 1);
            let is_date =
                matches!((first_digits, second, third), (4, 1..=2, 1..=2) | (1..=2, 1..=2, 2 | 4));
            if is_date && bytes.get(end) == Some(&separator) {
                return true;
            }
        }
        offset = after_first;
    }
    false
}

/// Counts the digits at an offset. Returns their number and the offset after them.
fn count_digits(bytes: &[u8], offset: usize) -> (usize, usize) {
    let remaining = bytes.get(offset..).unwrap_or_default();
    let digits = remaining.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits, offset + digits)
}

/// Returns whether a word is of a script with spaces between words.
fn is_spaced(word: &str) -> bool {
    word.chars().all(|c| c < '\u{1100}')
}

/// Last words of a sentence that introduces a comment: "Ann said:".
const SAID: &[&str] = &[
    "said",
    "says",
    "wrote",
    "writes",
    "sagt",
    "sagte",
    "schrieb",
    "schreibt",
    "meint",
    "dit",
    "écrit",
    "dijo",
    "dice",
    "escribió",
    "disse",
    "diz",
    "detto",
    "scrive",
    "ha scritto",
    "zegt",
    "schreef",
    "säger",
    "skriver",
    "sier",
    "siger",
    "pisze",
    "napisał",
    "dedi",
    "diyor",
    "пишет",
    "сказал",
    "говорит",
    "より",
    "说",
    "說",
];

/// Returns whether a line is only the end of such a sentence: "says:".
pub(crate) fn is_attribution_only(line: &str) -> bool {
    let line = line.trim_matches(|c: char| !c.is_alphanumeric());
    SAID.contains(&line)
}

/// Returns whether a line states that another page mentions this one: a pingback, or a reblog
/// without a comment.
pub(crate) fn is_mention(line: &str) -> bool {
    /// Beginnings of a quotation that a service cut out of the other page.
    const CUT: &[&str] = &["[…", "[...", "[&#8230;", "[&hellip;", "[&#x2026;"];
    let is_reblog = line.starts_with("reblogged this on")
        || line.starts_with("hat dies auf ") && line.contains(" rebloggt")
        || line.starts_with("reblogueó esto en")
        || line.starts_with("a reblogué ceci sur");
    is_reblog && !line.contains("comment") || CUT.iter().any(|cut| line.starts_with(cut))
}

/// Parts of the instructions of forms that no reader writes.
const INSTRUCTIONS: &[&str] = &[
    "&lt;a href=",
    "html tags and attributes",
    "html-tags und -attribute",
    "email address will not be",
    "e-mail address will not be",
    "subscribing to the comment feed",
    "final step before posting your comment",
    "letters and numbers you entered",
    "how you'd like to leave your comment",
    "deine daten unten ein",
    "du kommentierst mit dein",
    "you are commenting using your",
    "connecting to %s",
    "verbinde mit %s",
    "e-mail-adresse wird nicht",
    "adresse e-mail ne sera pas",
    "correo electrónico no será",
    "tinggalkan balasan",
];

/// Returns whether a line instructs readers how to write a comment.
pub(crate) fn is_instruction(line: &str) -> bool {
    static PARTS: LazyLock<Words> = LazyLock::new(|| Words::new(INSTRUCTIONS));
    PARTS.are_in(line)
}

/// Returns whether a line names the author of the text after it.
pub(crate) fn ends_in_attribution(line: &str) -> bool {
    let line = line.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_last = |phrase: &&str| {
        let name = line.strip_suffix(*phrase).unwrap_or_default();
        name.ends_with(' ') || !phrase.is_ascii() && !name.is_empty() && !is_spaced(phrase)
    };
    SAID.iter().any(is_last)
        || line
            .strip_prefix("posted by")
            .is_some_and(|name| name.chars().any(char::is_alphanumeric))
}

/// Link texts that mean "reply to this comment".
const REPLY: &[&str] = &[
    "reply",
    "reply to this",
    "reply to this comment",
    "antworten",
    "antwort",
    "répondre",
    "responder",
    "rispondi",
    "beantwoorden",
    "reageer",
    "svara",
    "svar",
    "odpowiedz",
    "cevapla",
    "ответить",
    "返信",
    "返信する",
    "回复",
    "回覆",
    "回應",
    "답글",
    "flag",
    "report",
    "permalink",
    "link to this comment",
];

/// Returns whether a line is the link to answer a comment, or to report one.
pub(crate) fn is_reply(line: &str) -> bool {
    let line = line.trim_matches(|c: char| !c.is_alphanumeric());
    REPLY.contains(&line)
}

/// Parts of the notes that forms and services show about comments, and labels of the fields of
/// forms.
struct Notes {
    parts: Words,
    labels: Vec<&'static str>,
}

static NOTES: LazyLock<Notes> = LazyLock::new(|| {
    let lines = || include_str!("../data/comment_notes.txt").lines();
    let parts = lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '=']));
    Notes {
        parts: Words::new(parts.map(|part| part.replace('_', " "))),
        labels: lines().filter_map(|line| line.strip_prefix('=')).collect(),
    }
});

/// Returns whether a line asks for a comment, labels a field of a form, or states a fact about
/// comments.
pub(crate) fn is_note(line: &str) -> bool {
    let label = line.trim_matches(|c: char| !c.is_alphanumeric());
    NOTES.labels.contains(&label) || NOTES.parts.are_in(line)
}

/// Beginnings of words for comments.
static COMMENTS: LazyLock<Words> = LazyLock::new(|| {
    Words::new([
        "comment",
        "response",
        "replies",
        "discussion",
        "thought",
        "reader",
        "feedback",
        "kommentar",
        "gedanke",
        "reaction",
        "antworten",
        "diskussion",
        "commentaire",
        "réaction",
        "réponse",
        "avis",
        "comentario",
        "comentário",
        "respuesta",
        "opiniones",
        "commenti",
        "commento",
        "risposte",
        "reactie",
        "komentar",
        "yorum",
        "комментари",
        "коммент",
        "отзыв",
        "コメント",
        "件のコメント",
        "评论",
        "評論",
        "留言",
        "回复",
        "回應",
        "댓글",
        "의견",
    ])
});

/// Returns whether a short line names comments or counts them.
pub(crate) fn is_heading(line: &str) -> bool {
    COMMENTS.are_in(line)
}

/// Returns whether there are comments, if a short line counts them: "3 comments", "Comments (3)",
/// "One response to …".
pub(crate) fn count(line: &str) -> Option<bool> {
    /// Words for a single comment, in place of a number.
    const ONE: &[&str] = &["one", "ein", "eine", "un", "une", "uno", "una", "um", "uma", "één"];
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_some = |number: &str| number.bytes().any(|byte| byte != b'0');
    let speaks = |word: &str| COMMENTS.are_in(word);
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first_word = words.next()?;
    let (second, third) = (words.next().unwrap_or_default(), words.next());
    let digits =
        first_word.len() - first_word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, text_after_number) = first_word.split_at(digits);
    let name = if text_after_number.is_empty() { second } else { text_after_number };
    if is_number(number) && speaks(name) {
        return Some(is_some(number));
    }
    if ONE.contains(&first_word) && speaks(second) {
        return Some(true);
    }
    let last_word = third.unwrap_or(second);
    (speaks(first_word) && is_number(last_word) && words.next().is_none())
        .then(|| is_some(last_word))
}

/// Returns whether a line ends in a count of another thing: "Ann Ray 17 recommendations".
pub(crate) fn is_tally(line: &str) -> bool {
    let mut words = line.rsplit(' ');
    let (last_word, number) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b'.');
    !number.is_empty() && number.bytes().all(is_digit) && last_word.chars().all(char::is_alphabetic)
}

/// Parts of the classes of elements with a name or a date in a line.
const NAME_CLASSES: &[&str] = &[
    "author",
    "user",
    "name",
    "date",
    "time",
    "byline",
    "poster",
    "vcard",
    "commenter",
    "nick",
    "published",
    "created",
];

/// Returns whether the class or `itemprop` of an element marks it as a name or a date.
pub(crate) fn is_name_class(class: &str) -> bool {
    /// Largest number of bytes to read. The rest of a longer value is ignored.
    const MAX_BYTES: usize = 80;
    let class = &class[..class.floor_char_boundary(MAX_BYTES)];
    let has = |name: &str| {
        let mut windows = class.as_bytes().windows(name.len());
        windows.any(|window| window.eq_ignore_ascii_case(name.as_bytes()))
    };
    NAME_CLASSES.iter().any(|name| has(name)) || class.split_whitespace().any(|word| word == "fn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_kinds_are_recognised() {
        for line in [
            "may 3, 2012",
            "3. mai 2012",
            "12th november",
            "2012-05-03",
            "03/05/2012",
            "3.5.12",
            "18/02/2020 à 16:42",
            "4:10 pm",
            "13h05",
            "3 days ago",
            "vor 2 tagen",
            "hace 3 días",
            "2 дня назад",
            "3日前",
            "2021年4月3日",
            "just now",
            "yesterday",
            "an hour ago",
        ] {
            assert!(has_date(line), "{line}");
        }
        for line in [
            "ann ray",
            "7",
            "3 boats",
            "1,234",
            "version 2.10",
            "5 of 5",
            "maybe 3x",
            "the ferry",
            "",
        ] {
            assert!(!has_date(line), "{line}");
        }
    }

    #[test]
    fn counts_are_some_or_none() {
        for line in [
            "3 comments",
            "one comment",
            "1 kommentar:",
            "{ 87 comments… read them }",
            "comments (5)",
            "6条评论",
            "ein kommentar zu boote",
        ] {
            assert_eq!(count(line), Some(true), "{line}");
        }
        for line in ["0 comments", "comments (0)", "0条评论"] {
            assert_eq!(count(line), Some(false), "{line}");
        }
        for line in ["comments", "leave a comment", "3 boats", "one boat", ""] {
            assert_eq!(count(line), None, "{line}");
        }
    }

    #[test]
    fn sentences_that_introduce_a_comment_name_somebody() {
        for line in ["ann said:", "ann ray says", "manfred sagt:", "posted by ann", "アンより"]
        {
            assert!(ends_in_attribution(line), "{line}");
        }
        for line in ["said", "posted by: |", "what the essays", "ann ray", ""] {
            assert!(!ends_in_attribution(line), "{line}");
        }
    }

    #[test]
    fn mentions_are_no_comments() {
        for line in [
            "reblogged this on becks blog.",
            "hat dies auf meinfreund.com rebloggt.",
            "reblogueó esto en mi blog.",
            "a reblogué ceci sur un quai.",
            "[…] the boats of this quay […]",
            "[...] the boats of this quay",
            "[&#8230;] https://page.test/ [&#8230;]",
            "[&hellip;] boats [&hellip;]",
        ] {
            assert!(is_mention(line), "{line}");
        }
        for line in [
            "reblogged this on becks blog and commented: so true.",
            "i reblogged this on my page",
            "hat dies auf dem kai gesehen",
            "[1] the boats",
            "so it is […]",
        ] {
            assert!(!is_mention(line), "{line}");
        }
    }

    #[test]
    fn instructions_are_no_comments() {
        for line in [
            "you may use these html tags and attributes: &lt;a href=",
            "your email address will not be published.",
            "trage deine daten unten ein oder klicke ein icon:",
            "verbinde mit %s",
        ] {
            assert!(is_instruction(line), "{line}");
        }
        for line in ["my email address is below", "i like html tags", "a href is a link"] {
            assert!(!is_instruction(line), "{line}");
        }
        assert!(
            is_attribution_only("says:")
                && is_attribution_only("sagt:")
                && !is_attribution_only("ann says:")
        );
    }

    #[test]
    fn labels_and_notes_are_no_comments() {
        for line in [
            "name *",
            "your email address will not be published",
            "kommentar verfassen",
            "soyez le premier à réagir",
            "请先登录",
        ] {
            assert!(is_note(line), "{line}");
        }
        for line in ["my boat is at this quay, too", "ann ray", "so it is."] {
            assert!(!is_note(line), "{line}");
        }
    }

    #[test]
    fn tallies_end_in_a_number_of_something() {
        assert!(is_tally("ann ray 17 recommendations") && is_tally("1,234 votes"));
        assert!(!is_tally("i have 17") && !is_tally("ann ray") && !is_tally("votes"));
    }
}
