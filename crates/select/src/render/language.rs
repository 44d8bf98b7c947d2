//! Finds the language of code, by the classes that highlighters use.

use huller_page::{AttributeName, Page, Tag};

/// Number of elements around code whose class is tested.
const MAX_TESTED_ANCESTORS: usize = 3;

/// Largest number of other runs in such an element: a title, a button.
const MAX_OTHER_RUNS: usize = 3;

/// Returns the language of a preformatted element, by its own class or that of the `code` in it.
/// Else the class of an element around it that holds little else decides.
pub(super) fn language_of<'a>(page: &Page<'a>, index: u32) -> Option<&'a str> {
    let nodes = page.nodes();
    let node = nodes.get(index as usize)?;
    let class = |index: u32| page.attribute(&nodes[index as usize], AttributeName::Class);
    let own_language = class(index).and_then(|class| find_in_class(class, true));
    let inner = nodes[index as usize + 1..node.end as usize].first();
    let inner = inner.filter(|inner| inner.tag == Tag::CODE);
    let language =
        own_language.or_else(|| find_in_class(page.attribute(inner?, AttributeName::Class)?, true));
    if language.is_some() {
        return language;
    }
    let mut ancestor = node.parent;
    for _ in 0..MAX_TESTED_ANCESTORS {
        let outer = &nodes[ancestor as usize];
        if ancestor == page.body() || outer.runs().len() > node.runs().len() + MAX_OTHER_RUNS {
            break;
        }
        if let Some(language) = class(ancestor).and_then(|class| find_in_class(class, false)) {
            return Some(language);
        }
        ancestor = outer.parent;
    }
    None
}

/// Returns the language in a class. `lang-` is the language of text on elements other than code.
fn find_in_class(class: &str, is_code: bool) -> Option<&str> {
    /// Names that highlighters write for code without a language.
    const NO_LANGUAGE: &[&str] =
        &["default", "none", "text", "plain", "plaintext", "plain-text", "notranslate"];
    let mut words = class.split(|c: char| c.is_ascii_whitespace() || c == ';');
    while let Some(word) = words.next() {
        let name = if word == "brush:" {
            words.next()
        } else {
            ["language-", "highlight-source-", "brush:", "lang-", "highlight-"]
                .iter()
                .filter(|prefix| is_code || **prefix != "lang-")
                .find_map(|prefix| word.strip_prefix(prefix))
        };
        let is_name = |name: &&str| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || "+#-._".contains(c);
            !name.is_empty() && name.len() <= 24 && name.chars().all(is_part)
        };
        if let Some(name) = name.filter(is_name) {
            return Some(name).filter(|name| !NO_LANGUAGE.contains(name));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find_in_class;

    #[test]
    fn classes_name_languages() {
        for (class, wanted) in [
            ("language-rust", Some("rust")),
            ("hljs lang-c++ x", Some("c++")),
            ("highlight highlight-source-shell", Some("shell")),
            ("brush: js; toolbar: false", Some("js")),
            ("brush:php", Some("php")),
            ("highlight-python notranslate", Some("python")),
            ("highlight-default notranslate", None),
            ("language-`x`", None),
            ("prettyprint", None),
        ] {
            assert_eq!(find_in_class(class, true), wanted, "{class}");
        }
        assert_eq!(find_in_class("lang-en", false), None);
    }
}
