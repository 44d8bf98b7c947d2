//! Cuts a text into terms: lower-cased words, and in scripts without spaces pairs of neighbouring
//! scalars.

/// Calls `each` with every term of `text`. `term` is a scratch buffer.
pub(crate) fn each_term(text: &str, term: &mut String, mut each: impl FnMut(&str)) {
    term.clear();
    // The last scalar, if its script has no spaces, and whether it is still unpaired.
    let mut previous: Option<(char, bool)> = None;
    for c in text.chars() {
        if is_unspaced(c) {
            flush_word(term, &mut each);
            if let Some((first_scalar, _)) = previous {
                term.push(first_scalar);
                term.push(c);
                flush_word(term, &mut each);
            }
            previous = Some((c, previous.is_none()));
            continue;
        }
        flush_lone(&mut previous, term, &mut each);
        if c.is_alphanumeric() || (is_mark(c) && !term.is_empty()) {
            term.extend(c.to_lowercase());
        } else {
            flush_word(term, &mut each);
        }
    }
    flush_lone(&mut previous, term, &mut each);
    flush_word(term, &mut each);
}

/// Emits a lone scalar of a script without spaces as a term.
fn flush_lone(previous: &mut Option<(char, bool)>, term: &mut String, each: &mut impl FnMut(&str)) {
    if let Some((c, true)) = previous.take() {
        term.push(c);
        flush_word(term, each);
    }
}

fn flush_word(term: &mut String, each: &mut impl FnMut(&str)) {
    if !term.is_empty() {
        each(term);
        term.clear();
    }
}

/// Returns whether a scalar belongs to a script written without spaces between words.
fn is_unspaced(c: char) -> bool {
    c.is_alphanumeric()
        && matches!(c,
            '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' // Thai, Lao, Burmese, Khmer
            | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' // Han, kana, hangul
            | '\u{20000}'..='\u{3FFFF}')
}

/// Returns whether a scalar that is not a letter can be part of a word.
fn is_mark(c: char) -> bool {
    matches!(c, '_' | '\u{300}'..='\u{36F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        each_term(text, &mut String::new(), |term| terms.push(term.to_owned()));
        terms
    }

    #[test]
    fn words_are_lower_cased_and_chinese_is_paired() {
        assert_eq!(
            terms("The ÉTÉ, e\u{301}t\u{e9} x2_y"),
            ["the", "été", "e\u{301}t\u{e9}", "x2_y"]
        );
        assert_eq!(terms("天气预报a好。好的"), ["天气", "气预", "预报", "a", "好", "好的"]);
        assert_eq!(terms(" ,.!"), [""; 0]);
    }
}
