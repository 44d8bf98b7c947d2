//! Short names of licences, in the form of SPDX.

/// Most bytes that are looked at.
const MAX_BYTES: usize = 200;

/// Beginning of URLs whose last part is a name of SPDX.
const SPDX: &str = "spdx.org/licenses/";

/// Returns the short name of a licence that a URL or a text states.
///
/// URLs of Creative Commons become the names of SPDX, such as `CC-BY-SA-4.0`; a version for a
/// country keeps its code. `PDM-1.0` is the mark of the public domain. The last part of a URL of
/// `spdx.org` is a name already. Texts such as `CC BY 4.0` become names too.
///
/// ```
/// use huller_rights::license_name;
///
/// let name = |text| license_name(text).unwrap();
/// assert_eq!(name("http://www.creativecommons.org/licenses/by-nc/3.0/us/deed.en"), "CC-BY-NC-3.0-US");
/// assert_eq!(name("https://creativecommons.org/publicdomain/zero/1.0/"), "CC0-1.0");
/// assert_eq!(name("CC BY-SA 4.0"), "CC-BY-SA-4.0");
/// assert_eq!(license_name("All rights reserved"), None);
/// ```
pub fn license_name(text: &str) -> Option<String> {
    let text = text.trim();
    let lower = text[..text.floor_char_boundary(MAX_BYTES)].to_ascii_lowercase();
    let without_scheme = ["https://", "http://", "//"]
        .iter()
        .find_map(|scheme| lower.strip_prefix(scheme))
        .unwrap_or(&lower);
    let url = without_scheme.strip_prefix("www.").unwrap_or(without_scheme);
    let (url, _) = url.split_once(['?', '#']).unwrap_or((url, ""));
    if let Some(path) = url.strip_prefix("creativecommons.org/") {
        return creative_commons(path);
    }
    if url.starts_with(SPDX) {
        // Names keep their letter case, and lower case has the same offsets.
        let start = lower.find(SPDX)? + SPDX.len();
        let name = text[start..].split(['?', '#']).next()?;
        let name = name.trim_end_matches('/').trim_end_matches(".html");
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-.+".contains(&byte);
        let is_name = (1..=64).contains(&name.len()) && name.bytes().all(is_of_name);
        return is_name.then(|| name.to_owned());
    }
    from_text(&lower)
}

/// Returns the name for the path of a URL of Creative Commons, in lower case.
fn creative_commons(path: &str) -> Option<String> {
    let mut parts = path.split('/');
    let kind = parts.next()?;
    let letters = parts.next()?;
    let version = parts.next().filter(|version| is_version(version));
    let country = parts.next().filter(|code| {
        let is_code = |code: &str| code.bytes().all(|byte| byte.is_ascii_lowercase());
        (code.len() == 2 || *code == "igo" || *code == "scotland") && is_code(code)
    });
    let name = match (kind, letters) {
        ("publicdomain", "zero") => "CC0".to_owned(),
        ("publicdomain", "mark") => "PDM".to_owned(),
        ("licenses", "publicdomain") => return Some("CC-PDDC".to_owned()),
        ("licenses", letters) if are_conditions(letters.split('-')) => {
            format!("CC-{}", letters.to_ascii_uppercase())
        }
        _ => return None,
    };
    let Some(version) = version else { return Some(name) };
    Some(match country {
        Some(country) => format!("{name}-{version}-{}", country.to_ascii_uppercase()),
        None => format!("{name}-{version}"),
    })
}

/// Returns the name for a text such as `cc by-sa 4.0` or `cc0`, in lower case.
fn from_text(text: &str) -> Option<String> {
    let rest = text.strip_prefix("cc")?;
    if text.len() > 24 {
        return None;
    }
    if let Some(version) = rest.strip_prefix('0') {
        let version = version.trim_start_matches(['-', ' ']);
        let is_whole = version.is_empty() || is_version(version);
        return is_whole
            .then(|| if version.is_empty() { "CC0".into() } else { format!("CC0-{version}") });
    }
    let words: Vec<_> = rest.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let (version, conditions) = match words.split_last()? {
        (last, conditions) if is_version(last) => (Some(*last), conditions),
        _ => (None, &words[..]),
    };
    let is_apart = rest.starts_with([' ', '-']);
    if !is_apart || conditions.is_empty() || !are_conditions(conditions.iter().copied()) {
        return None;
    }
    let name = format!("CC-{}", conditions.join("-").to_ascii_uppercase());
    Some(version.map_or(name.clone(), |version| format!("{name}-{version}")))
}

fn are_conditions<'t>(mut conditions: impl Iterator<Item = &'t str>) -> bool {
    conditions.all(|condition| matches!(condition, "by" | "nc" | "nd" | "sa"))
}

fn is_version(version: &str) -> bool {
    let is_number =
        |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    version.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
}

/// Returns whether a licence matches a pattern, in any letter case. `*` matches any characters.
///
/// ```
/// use huller_rights::license_matches;
///
/// assert!(license_matches("CC-BY-*", "CC-BY-4.0") && !license_matches("CC-BY", "CC-BY-4.0"));
/// ```
pub fn license_matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_ascii_lowercase(), name.to_ascii_lowercase());
    crate::pattern::matches_whole(pattern.as_bytes(), name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_texts_have_names() {
        for (text, name) in [
            ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
            ("//creativecommons.org/licenses/BY-NC-SA/4.0/legalcode", "CC-BY-NC-SA-4.0"),
            ("https://creativecommons.org/licenses/by-sa/", "CC-BY-SA"),
            ("https://creativecommons.org/licenses/by/3.0/igo/", "CC-BY-3.0-IGO"),
            ("https://creativecommons.org/licenses/by/3.0?x", "CC-BY-3.0"),
            ("http://creativecommons.org/publicdomain/mark/1.0/", "PDM-1.0"),
            ("http://creativecommons.org/licenses/publicdomain/", "CC-PDDC"),
            ("https://spdx.org/licenses/Apache-2.0.html", "Apache-2.0"),
            ("CC0", "CC0"),
            ("cc0 1.0", "CC0-1.0"),
            ("CC-BY-NC", "CC-BY-NC"),
        ] {
            assert_eq!(license_name(text).as_deref(), Some(name), "{text}");
        }
        for text in [
            "",
            "https://creativecommons.org/",
            "https://creativecommons.org/licenses/",
            "https://creativecommons.org/about/by/4.0",
            "https://example.org/licenses/by/4.0/",
            "https://creativecommons.org.evil.test/licenses/by/4.0/",
            "https://spdx.org/licenses/<b>",
            "CCBY 4.0",
            "cc all 4.0",
            "cc",
            "cc 4.0",
            "ccé",
        ] {
            assert_eq!(license_name(text), None, "{text}");
        }
    }

    #[test]
    fn patterns_of_licences_match_whole_names() {
        assert!(license_matches("cc-by-*", "CC-BY-4.0") && license_matches("*", ""));
        assert!(license_matches("CC0-1.0", "CC0-1.0") && license_matches("*-NC-*", "CC-BY-NC-4.0"));
        assert!(!license_matches("CC-BY-*", "XCC-BY-4.0") && !license_matches("CC", "CC0"));
    }
}
