//! Recognises values that are no values: words that programs write for a missing value, and
//! templates that nothing filled in.

/// Largest length of a placeholder. The bound keeps the search for the ends of templates short.
const MAX_BYTES: usize = 256;

/// Words for a missing value, in lower case; they count in any case.
const MISSING: [&str; 5] = ["undefined", "null", "n/a", "tbd", "tba"];

/// Values of programs. They count only in this case, because `True` and `None` may be titles.
const OF_PROGRAMS: [&str; 6] = ["false", "true", "NaN", "nan", "nil", "None"];

/// Beginnings and ends of templates with any text between them.
const TEMPLATES: [(&str, &str); 10] = [
    ("{{", "}}"),
    ("{%", "%}"),
    ("${", "}"),
    ("#{", "}"),
    ("<%", "%>"),
    ("<?", "?>"),
    ("&lt;%", "%&gt;"),
    ("&lt;?", "?&gt;"),
    ("[object ", "]"),
    ("[[", "]]"),
];

/// Beginnings and ends of templates with the name of a variable between them.
const VARIABLES: [(&str, &str); 4] = [("{", "}"), ("%%", "%%"), ("%", "%"), ("__", "__")];

/// Returns whether a value consists of nothing but words for a missing value and unfilled
/// templates, such as `undefined undefined` or `{{ author.name }}`. A value with any other word is
/// a value: `Use {{ name }} in Vue`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let mut rest = value.trim();
    if rest.len() > MAX_BYTES {
        return false;
    }
    if !rest.is_empty() && rest.chars().all(|c| matches!(c, '-' | '–' | '—' | '.' | '_' | ' '))
    {
        return true;
    }
    let mut was_found = false;
    while let Some(c) = rest.chars().next() {
        if c.is_alphanumeric() {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '/');
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            if !is_missing(word) {
                return false;
            }
            rest = after;
        } else {
            match template_at(rest) {
                TemplateAt::Whole(after) => rest = after,
                TemplateAt::Open => return false,
                TemplateAt::Absent => {
                    rest = &rest[c.len_utf8()..];
                    continue;
                }
            }
        }
        was_found = true;
    }
    was_found
}

fn is_missing(word: &str) -> bool {
    MISSING.iter().any(|known| word.eq_ignore_ascii_case(known)) || OF_PROGRAMS.contains(&word)
}

/// The template at the beginning of a text.
enum TemplateAt<'a> {
    Absent,
    /// A template without an end, or with other text than the name of a variable.
    Open,
    /// A template, with the text after it.
    Whole(&'a str),
}

fn template_at(text: &str) -> TemplateAt<'_> {
    for (open, close) in TEMPLATES {
        if let Some(inside) = text.strip_prefix(open) {
            return inside
                .split_once(close)
                .map_or(TemplateAt::Open, |(_, after)| TemplateAt::Whole(after));
        }
    }
    for (open, close) in VARIABLES {
        if let Some(inside) = text.strip_prefix(open) {
            let template = inside.split_once(close);
            let template = template.filter(|(name, _)| is_variable(name.trim()));
            return template.map_or(TemplateAt::Open, |(_, after)| TemplateAt::Whole(after));
        }
    }
    TemplateAt::Absent
}

/// Returns whether a text can be the name of a variable: `author`, `$post.title`, `the_author()`.
fn is_variable(name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| {
            c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '$' | '|' | '(' | ')')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_and_unfilled_templates_are_placeholders() {
        for value in [
            "undefined",
            " Undefined ",
            "undefined undefined",
            "null, null",
            "false",
            "true",
            "NaN",
            "None",
            "N/A",
            "TBD",
            "-",
            "--",
            "[object Object]",
            "[object Object],[object Object]",
            "{{ boat.owner }}",
            "{{boat.first}} {{boat.last}}",
            "{{{ raw }}}",
            "{% block boat %}{% endblock %}",
            "${boat}",
            "#{boat}",
            "<%= boat %>",
            "<?php the_boat(); ?>",
            "&lt;?php the_boat(); ?&gt;",
            "[[ boat ]]",
            "{boat}",
            "{$boat.name|upper}",
            "%boat%",
            "%%boat%%",
            "__BOAT__",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
    }

    #[test]
    fn a_value_with_a_word_of_its_own_is_a_value() {
        for value in [
            "",
            " ",
            "Ann Ray",
            "Null Island",
            "True",
            "Use {{ name }} in Vue",
            "{{ open",
            "100 % rye, 100 % barley",
            "% of rye%",
            "{rye bread}",
            "__init__ explained",
            "🍞",
            "?",
            "无",
        ] {
            assert!(!is_placeholder(value), "{value}");
        }
    }

    #[test]
    fn a_long_value_is_no_placeholder() {
        assert!(is_placeholder(&"{{a}}".repeat(MAX_BYTES / 5)));
        assert!(!is_placeholder(&"{{a}}".repeat(MAX_BYTES)));
    }
}
