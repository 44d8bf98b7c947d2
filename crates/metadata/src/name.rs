//! Extracts names of authors from bylines, without labels, dates, roles and URLs.

use super::date::month_of;
use super::placeholder::is_placeholder;

/// Words for "by" at the beginning of a byline.
const BY: [&str; 15] = [
    "by",
    "par",
    "por",
    "von",
    "door",
    "av",
    "af",
    "autor",
    "author",
    "作者",
    "记者",
    "記者",
    "文",
    "vom",
    "автор",
];

/// Labels before a name. If one label begins with another, the longer one comes first.
const LABELS: [&str; 60] = [
    "view all posts by",
    "view all articles by",
    "view all stories by",
    "view more posts by",
    "view more articles by",
    "view posts by",
    "view profile of",
    "see all posts by",
    "see all articles by",
    "see more from",
    "all posts by",
    "all articles by",
    "more posts by",
    "more articles by",
    "more stories by",
    "more from",
    "more by",
    "posts by",
    "articles by",
    "stories by",
    "written and photographed by",
    "written by",
    "words by",
    "story by",
    "text by",
    "posted by",
    "published by",
    "submitted by",
    "reported by",
    "reviewed by",
    "edited by",
    "created by",
    "contributed by",
    "a post by",
    "an article by",
    "alle beiträge von",
    "alle artikel von",
    "zeige alle beiträge von",
    "beiträge von",
    "mehr von",
    "ein beitrag von",
    "geschrieben von",
    "erstellt von",
    "verfasst von",
    "gepostet von",
    "eingestellt von",
    "veröffentlicht von",
    "gespeichert von",
    "voir tous les articles de",
    "tous les articles de",
    "publié par",
    "escrito por",
    "geschreven door",
    "écrit par",
    "rédigé par",
    "ver todas las entradas de",
    "ver todos os posts de",
    "tutti gli articoli di",
    "scritto da",
    "alle berichten van",
];

/// Texts of labels, links, buttons and form fields, which are not names.
const NO_NAMES: [&str; 89] = [
    "name",
    "your name",
    "author",
    "authors",
    "the author",
    "about the author",
    "about author",
    "author name",
    "autor",
    "auteur",
    "autore",
    "über den autor",
    "follow",
    "follow author",
    "following",
    "share",
    "save",
    "print",
    "email",
    "e-mail",
    "website",
    "url",
    "twitter",
    "x",
    "facebook",
    "instagram",
    "linkedin",
    "youtube",
    "rss",
    "none",
    "true",
    "false",
    "unknown",
    "nobody",
    "deleted",
    "removed",
    "test",
    "default",
    "wordpress",
    "super user",
    "admin",
    "administrator",
    "webmaster",
    "root",
    "user",
    "guest",
    "no author",
    "posted",
    "published",
    "updated",
    "last updated",
    "written",
    "see",
    "see more",
    "read more",
    "more",
    "reply",
    "comment",
    "comments",
    "leave a reply",
    "subscribe",
    "contact",
    "bio",
    "google plus",
    "google+",
    "aim",
    "see full bio",
    "full bio",
    "author bio",
    "view profile",
    "view full profile",
    "view comments",
    "contact the author",
    "contact author",
    "share this article",
    "all posts",
    "all articles",
    "alle artikel",
    "alle beiträge",
    "see all",
    "view all",
    "view all posts",
    "send an email",
    "e-mail the author",
    "profile",
    "staff",
    "topic author",
    "beitrag",
    "by",
];

/// Words after a name that introduce a date.
const BEFORE_DATE: [&str; 12] = [
    "updated",
    "published",
    "posted",
    "last",
    "stand",
    "date",
    "datum",
    "modified",
    "updated:",
    "aktualisiert",
    "reviewed",
    "on",
];

/// Largest length of a name, in Unicode scalars, and largest number of its words.
const MAX_NAME_CHARS: usize = 80;
const MAX_WORDS: usize = 12;
/// Largest number of words of a name after "by" in running text.
const MAX_SPOKEN_WORDS: usize = 10;

/// The first three words for "by" also count after one or two other words (`Photos by`). In that
/// position, the others are parts of names.
const INNER: usize = 3;
/// Largest number of words up to and including "by".
const AMONG: usize = 4;
/// Largest number of words between a name and a date: `on`, `am`, `le`.
const LED_BY: usize = 3;

/// Returns the name in a byline; an empty text if it has only a template.
pub(super) fn name_of(byline: &str) -> &str {
    let name = after_by(byline).unwrap_or(byline);
    if is_placeholder(name) {
        return "";
    }
    let end = end_of_name(name);
    let is_cut = end < name.len();
    let mut name = name[..end].trim();
    // Cuts off the rest of a date, and the words before it: `Ann Ray on May`.
    if is_cut {
        let mut at = 0;
        let before_month =
            name.split(' ').take_while(|word| month_of(word.trim_matches(',')).is_none());
        before_month.for_each(|word| at += word.len() + 1);
        name = name[..at.min(name.len())].trim_end();
    }
    for _ in 0..LED_BY {
        let Some((rest, last)) = name.rsplit_once(' ') else { break };
        let leads = BEFORE_DATE.iter().any(|word| last.eq_ignore_ascii_case(word));
        if is_cut && (leads || last.starts_with(char::is_lowercase))
            || !last.contains(char::is_alphanumeric)
        {
            name = rest.trim_end();
        }
    }
    trim_marks(without_place(name))
}

/// Returns a name of two words or more without the place or the medium after it:
/// `Ann Ray in Tarvelle`, `Ann Ray for the Gazette`.
fn without_place(name: &str) -> &str {
    let place = [" in ", " for "].iter().filter_map(|lead| name.find(lead)).min();
    let person = place.map_or(name, |place| &name[..place]);
    let mut words = person.split(' ');
    let is_person = person.contains(' ')
        && !person.contains(',')
        && words.all(|word| !word.starts_with(char::is_lowercase));
    if is_person { person } else { name }
}

/// Removes marks at both ends. The full stop of an initial stays.
fn trim_marks(name: &str) -> &str {
    let name = name
        .trim_end_matches([',', ':', ';', '-', ' '])
        .trim_start_matches(['-', ':', '~', ' ', ',', '.', '—', '–']);
    let word = name.rsplit(' ').next().unwrap_or_default();
    let is_initial = word.ends_with('.') && word.chars().count() <= 3 && name.len() > word.len();
    if is_initial { name } else { name.trim_end_matches(['.', ' ']) }
}

/// Returns the byte at which the name ends: at a mark, or at a word that begins with a digit.
fn end_of_name(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let is_alone = before == ' ' && (rest.starts_with(' ') || rest.is_empty());
        let ends = match c {
            '|' | '·' | '•' | '(' | '（' | '【' | '[' => true,
            '–' | '—' | '-' => is_alone,
            // `dpa/lno` is a name; `Ann Ray/dpa` contains one.
            '/' | '@' => is_alone || before == ' ' || text[..at].contains(' '),
            _ if c.is_numeric() => {
                // Handles may begin with a digit: `7heaven`.
                let word = text[at..].split(' ').next().unwrap_or_default();
                let letters = word.chars().filter(|c| c.is_alphabetic()).count();
                let is_handle = word.is_ascii() && letters > 2 && letters * 2 > word.len();
                let is_inside = before.is_alphanumeric() || matches!(before, '_' | '.' | '-');
                !(is_inside || at == 0 && is_handle) || before.is_alphabetic() && !before.is_ascii()
            }
            _ => false,
        };
        if ends {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Returns the text after a label or "by", or the text itself if it has neither.
pub(super) fn without_label(text: &str) -> &str {
    let text = text.trim();
    LABELS
        .iter()
        .find_map(|label| strip_prefix_word(text, label))
        .or_else(|| strip_by(text))
        .unwrap_or(text)
}

/// Returns the text after a label, or after "by" among the first words.
fn after_by(text: &str) -> Option<&str> {
    if let Some(name) = LABELS.iter().find_map(|label| strip_prefix_word(text, label)) {
        return Some(name);
    }
    let mut rest = text;
    for place in 0..AMONG {
        let words = if place == 0 { &BY[..] } else { &BY[..INNER] };
        let name = words.iter().find_map(|word| strip_prefix_word(rest, word));
        if let Some(name) = name.filter(|name| place == 0 || !name.is_empty()) {
            return Some(name);
        }
        rest = rest.split_once(' ')?.1;
    }
    None
}

/// Returns the text after a word for "by", if `text` begins with it.
pub(super) fn strip_by(text: &str) -> Option<&str> {
    BY.iter().find_map(|word| strip_prefix_word(text, word))
}

/// Returns the text after a label of authors or a word for "by", if `text` begins with it.
pub(super) fn strip_label(text: &str) -> Option<&str> {
    LABELS.iter().find_map(|label| strip_prefix_word(text, label)).or_else(|| strip_by(text))
}

/// Returns the text after a word or a label, if `text` begins with it.
fn strip_prefix_word<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    for wanted in label.chars() {
        let c = rest.next()?;
        let is_wanted = if c.is_ascii() {
            c.to_ascii_lowercase() == wanted
        } else {
            c == wanted || c.to_lowercase().eq([wanted])
        };
        if !is_wanted {
            return None;
        }
    }
    let rest = rest.as_str();
    let name = rest.trim_start_matches([':', '：', ' ', '\u{a0}', '/', '\n', '\t', '\r']);
    // A longer word that begins with the same letters does not count.
    (rest.is_empty() || name.len() < rest.len()).then_some(name)
}

/// Lower-case words within names, and between two names.
const PARTICLES: [&str; 36] = [
    "de", "del", "della", "di", "da", "das", "dos", "du", "des", "van", "von", "vom", "zu", "zur",
    "der", "den", "ter", "ten", "te", "la", "le", "el", "al", "bin", "ibn", "af", "av", "y", "e",
    "i", "et", "und", "and", "staff", "agencies", "dpa",
];

/// Words after a name that introduce a place, a time or a section.
const AFTER_NAME: [&str; 13] =
    ["in", "on", "at", "for", "from", "of", "under", "am", "im", "bei", "le", "à", "en"];

/// Words that a heading in title case has, and a name has not.
const IN_HEADINGS: [&str; 16] = [
    "The", "And", "Of", "Or", "To", "In", "On", "Our", "Your", "My", "A", "An", "With", "Is",
    "Are", "Only",
];

/// Returns the name at the beginning of a text after "by". `None` if the text is a sentence, such
/// as `Monday the ice was gone.`: names have no lower-case words other than particles. After a
/// longer label, such as "written by" (`is_labelled`), no sentence is expected.
pub(super) fn spoken_name(text: &str, is_labelled: bool) -> Option<&str> {
    const MAX_ROLE_WORDS: usize = 4;
    if !is_labelled && is_sentence(text) {
        return None;
    }
    let mut name = name_of(text);
    let is_name_word = |word: &str| {
        let word = word.trim_matches([',', '&']);
        !word.starts_with(char::is_lowercase) || PARTICLES.contains(&word)
    };
    let (mut end, mut words) = (0, 0);
    for word in name.split(' ').take_while(|word| is_name_word(word)) {
        (end, words) = (end + word.len() + 1, words + 1);
    }
    let rest = name.get(end..).unwrap_or_default();
    let begin = name[..end.min(name.len())].trim_end();
    let (person, role) = begin.split_once(", ").unwrap_or((begin.trim_end_matches(','), ""));
    let is_person = person.contains(' ');
    // A role with a capital letter stays: `Ann Ray, Chief of Staff`.
    if !is_person || role.is_empty() {
        if begin.ends_with(',') {
            // `Ann Ray, staff writer`
            let is_role = rest.split(' ').count() <= MAX_ROLE_WORDS;
            name = Some(person).filter(|_| is_person && is_role)?;
        } else if !rest.is_empty() {
            // `Ann Ray in Tarvelle`
            let mut after = rest.split(' ');
            let introduces = after.next().is_some_and(|word| AFTER_NAME.contains(&word));
            let is_whole = words > 1 || is_labelled || after.next().is_none();
            name = Some(begin).filter(|_| introduces && is_whole)?;
        }
    }
    let has_heading_word = || name.split(' ').any(|word| IN_HEADINGS.contains(&word));
    let begins = name.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    let is_agency = name.starts_with("The ") && name.split(' ').count() > 2;
    let fits = begins
        && is_name(name)
        && name.split(' ').count() <= MAX_SPOKEN_WORDS
        && !name.ends_with(['!', '?'])
        && (person.contains(' ') || !name.contains(", "))
        && (is_agency || !role.is_empty() || !has_heading_word());
    fits.then_some(name)
}

/// Returns whether a line is a sentence rather than a byline.
pub(super) fn is_sentence(line: &str) -> bool {
    const MAX_BYLINE_WORDS: usize = 4;
    line.trim_end().ends_with(['.', '?', '!']) && line.split_whitespace().count() > MAX_BYLINE_WORDS
}

/// Returns whether a text can be a name and is not a label.
pub(super) fn is_name(name: &str) -> bool {
    let words = name.split(' ').count();
    let letters = name.chars().filter(|c| c.is_alphabetic()).take(2).count();
    letters == 2
        && words <= MAX_WORDS
        && name.chars().count() <= MAX_NAME_CHARS
        && !is_address(name)
        && !is_label(name)
}

/// Returns whether a text is a label or a word for a missing name.
pub(super) fn is_label(text: &str) -> bool {
    let label = text.trim_matches([' ', ':', '.', '*', '[', ']', '(', ')']);
    is_placeholder(text) || NO_NAMES.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// Returns whether a text looks like the handle of an account rather than a name: one word in lower
/// case, or with digits or marks.
pub(super) fn is_handle(name: &str) -> bool {
    let is_mark = |c: char| c.is_ascii_digit() || matches!(c, '_' | '.');
    !name.contains(' ')
        && name.is_ascii()
        && (name.starts_with(|c: char| c.is_ascii_lowercase()) || name.contains(is_mark))
}

/// Returns whether a handle is formed from a name: it contains one of the name's words. `jray`
/// contains the last word of `Ann Ray`.
pub(super) fn is_handle_of(handle: &str, name: &str) -> bool {
    const MIN_WORD_CHARS: usize = 3;
    let handle = handle.to_lowercase();
    let words = name.split([' ', ',', '-']).filter(|word| word.chars().count() >= MIN_WORD_CHARS);
    words.map(str::to_lowercase).any(|word| handle.contains(&word))
}

/// Returns whether a value is a URL or a handle rather than a name.
pub(super) fn is_address(name: &str) -> bool {
    let name = name.trim();
    let starts = ["http:", "https:", "www.", "/", "@", "#"];
    starts.iter().any(|start| name.starts_with(start)) || name.contains("://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_dates_are_no_part_of_a_name() {
        for (byline, name) in [
            ("View all posts by Dan Lemmy", "Dan Lemmy"),
            ("Posts by Dan Lemmy", "Dan Lemmy"),
            ("More from Dan Lemmy", "Dan Lemmy"),
            ("Written by: Dan Lemmy", "Dan Lemmy"),
            ("POSTED BY DAN LEMMY", "DAN LEMMY"),
            ("Alle Beiträge von Dan Lemmy", "Dan Lemmy"),
            ("Zeige alle Beiträge von Dan Lemmy", "Dan Lemmy"),
            ("Voir tous les articles de Dan Lemmy", "Dan Lemmy"),
            ("Ver todas las entradas de Dan Lemmy", "Dan Lemmy"),
            ("Tutti gli articoli di Dan Lemmy", "Dan Lemmy"),
            ("Geschrieben von Dan Lemmy am 5. Mai 2019", "Dan Lemmy"),
            ("Photos and text by Dan Lemmy", "Dan Lemmy"),
            ("Dan Lemmy Updated 5 May 2019", "Dan Lemmy"),
            ("Dan Lemmy | Reporter", "Dan Lemmy"),
            ("By Joe S.", "Joe S."),
            ("Written by Dan Lemmy in Tarvelle", "Dan Lemmy"),
            ("Dan Lemmy for the Lake Gazette", "Dan Lemmy"),
            ("Dan Lemmy, Head of Boats for Lakes", "Dan Lemmy, Head of Boats for Lakes"),
            ("Автор: Дан Лемми", "Дан Лемми"),
            ("Dan Lemmy, Ed.D.", "Dan Lemmy, Ed.D"),
        ] {
            assert_eq!(name_of(byline), name, "{byline}");
        }
    }

    #[test]
    fn digits_of_handles_stay() {
        for handle in [
            "tarvel42",
            "Alphabyte1",
            "c1ph4",
            "r2d2",
            "user_77",
            "xy-2000",
            "7heaven",
            "Ejp55230",
            "2ndface",
            "a.b.99",
        ] {
            assert_eq!(name_of(handle), handle);
            assert!(is_name(handle), "{handle}");
            assert_eq!(name_of(&format!("By {handle} on 5 May 2019")), handle);
        }
        assert!(!is_name(name_of("42 comments")));
        assert!(!is_name(name_of("2019-05-05")));
    }

    #[test]
    fn labels_of_forms_links_and_buttons_are_no_names() {
        for label in [
            "Name",
            "Your name",
            "Name *",
            "Author:",
            "Follow",
            "undefined",
            "null",
            "Twitter",
            "Share",
            "ADMIN",
            "About the author",
            "Leave a reply",
            "By",
        ] {
            assert!(!is_name(name_of(label)), "{label}");
        }
        assert!(is_handle("robert.stitz") && is_handle("tarvel42") && is_handle("Matt_Brooks"));
        assert!(is_handle_of("jrobison", "John Robison") && !is_handle_of("slow-poke", "Aarknoid"));
        assert!(!is_handle("Ann Ray") && !is_handle("Ann") && !is_handle("王小明"));
    }
}
