//! The words of a line: in lower case, with one space before, between and after them. Marks are not
//! compared.

/// Appends the words of a text in lower case. If `out` already ends with a space, the words share
/// it.
pub(super) fn put_words(text: &str, out: &mut String) {
    separate(out);
    for c in text.chars() {
        match c {
            // Nearly all kana, Chinese characters and hangul syllables are letters, and they have
            // no upper and lower case.
            '0'..='9' | 'a'..='z' | '\u{3041}'..='\u{D7A3}' => out.push(c),
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            // ASCII marks, and blocks of Unicode with marks and spaces.
            ..='\u{BF}' | '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{3040}' => separate(out),
            _ if c.is_alphanumeric() => out.extend(c.to_lowercase()),
            _ => separate(out),
        }
    }
    separate(out);
}

/// Ends a word with a space.
fn separate(out: &mut String) {
    if !out.ends_with(' ') {
        out.push(' ');
    }
}

/// Returns the number of words. In scripts without spaces between words, two scalars count as a
/// word.
pub(super) fn count(words: &str) -> usize {
    let all = words.split(' ').filter(|word| !word.is_empty());
    if words.is_ascii() {
        return all.count();
    }
    all.map(|word| (word.chars().filter(|c| is_wide(*c)).count() / 2).max(1)).sum()
}

/// Returns whether a scalar belongs to Chinese, Japanese or Korean text, whose marks are often
/// written without spaces.
pub(super) fn is_wide(c: char) -> bool {
    ('\u{2E80}'..'\u{FFEF}').contains(&c)
}

/// Returns the byte offset of the words in the text, including the space before them.
pub(super) fn offset_of(text: &str, words: &str) -> Option<usize> {
    let (text, words) = (text.as_bytes(), words.as_bytes());
    text.windows(words.len()).position(|window| window[0] == b' ' && window == words)
}

/// Returns whether the text contains the words.
pub(super) fn contains(text: &str, words: &str) -> bool {
    offset_of(text, words).is_some()
}

/// Returns whether the two are equal without their spaces.
pub(super) fn are_glued_equal(left: &str, right: &str) -> bool {
    letters(left).eq(letters(right))
}

/// Returns the scalars of words without the spaces.
pub(super) fn letters(words: &str) -> impl Iterator<Item = char> + Clone + '_ {
    words.chars().filter(|c| *c != ' ')
}

/// Returns the number of different words of `fewer_words` that are words of `more_words`.
pub(super) fn count_shared(fewer_words: &str, more_words: &str) -> usize {
    let words = fewer_words.split(' ').filter(|word| !word.is_empty());
    words.filter(|word| more_words.split(' ').any(|word_of_many| word_of_many == *word)).count()
}
