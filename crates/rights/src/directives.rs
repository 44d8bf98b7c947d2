//! Reads the directives of `X-Robots-Tag` headers and of `meta` elements for robots.
//!
//! Both hold a list of directives, separated by commas. In a header, the name of a robot and a
//! colon may precede directives: `GPTBot: noindex, noai`. Then all later directives of that header
//! concern this robot.

use crate::statement::Signal;

/// Calls `visit` with the robot that a directive names, its signal, and the directive as written.
/// Directives that restrict nothing that this crate reports are left out.
pub(crate) fn directives<'v>(
    value: &'v str,
    mut visit: impl FnMut(Option<&'v str>, Signal, &'v str),
) {
    let mut agent = None;
    let mut rest = value;
    while !rest.is_empty() {
        let (mut piece, after_piece) = split(rest);
        rest = after_piece;
        while let Some((name, of_agent)) = piece.split_once(':') {
            if is_valued(name.trim()) || !is_agent(name.trim()) {
                break;
            }
            agent = Some(name.trim()).filter(|name| *name != "*");
            piece = of_agent;
        }
        let piece = piece.trim();
        let Some((name, argument)) = piece.split_once(':') else {
            for word in piece.split_ascii_whitespace() {
                if let Some(signal) = directive(word) {
                    visit(agent, signal, word);
                }
            }
            continue;
        };
        let name = name.trim();
        if name.eq_ignore_ascii_case("max-snippet") && argument.trim() == "0" {
            visit(agent, Signal::NoSnippet, piece);
        } else if name.eq_ignore_ascii_case(UNAVAILABLE_AFTER) {
            // A comma follows the day of the week in some forms of dates.
            let mut date = argument.trim();
            if !date.bytes().any(|byte| byte.is_ascii_digit()) {
                let start = value.len() - rest.len();
                let (end, after_piece) = split(rest);
                let date_start = date.as_ptr() as usize - value.as_ptr() as usize;
                date = &value[date_start..start + end.len()];
                rest = after_piece;
            }
            visit(agent, Signal::UnavailableAfter, date);
        }
    }
}

const UNAVAILABLE_AFTER: &str = "unavailable_after";

/// Splits at the first comma or semicolon.
fn split(text: &str) -> (&str, &str) {
    text.split_once([',', ';']).unwrap_or((text, ""))
}

/// Returns the signal of a directive without a value.
pub(crate) fn directive(word: &str) -> Option<Signal> {
    const DIRECTIVES: [(&str, Signal); 7] = [
        ("noindex", Signal::NoIndex),
        ("none", Signal::NoIndex),
        ("noai", Signal::NoAi),
        ("noimageai", Signal::NoImageAi),
        ("nosnippet", Signal::NoSnippet),
        ("noarchive", Signal::NoArchive),
        ("nocache", Signal::NoCache),
    ];
    let known = DIRECTIVES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    known.map(|(_, signal)| *signal)
}

/// Returns whether a directive of this name has a value.
fn is_valued(name: &str) -> bool {
    let valued = ["max-snippet", "max-image-preview", "max-video-preview", UNAVAILABLE_AFTER];
    valued.iter().any(|valued| valued.eq_ignore_ascii_case(name))
}

/// Returns whether a text may be the name of a robot.
fn is_agent(name: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.*/".contains(&byte);
    (1..=64).contains(&name.len())
        && name.bytes().all(is_of_name)
        && !name.as_bytes()[0].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Vec<String> {
        let mut all = Vec::new();
        directives(value, |agent, signal, written| {
            all.push(format!("{}|{}|{written}", agent.unwrap_or("-"), signal.name()));
        });
        all
    }

    #[test]
    fn directives_are_read_in_any_case_and_with_any_separator() {
        assert_eq!(read("NOINDEX,nofollow"), ["-|noindex|NOINDEX"]);
        assert_eq!(read("noindex nofollow noai"), ["-|noindex|noindex", "-|noai|noai"]);
        assert_eq!(read("none"), ["-|noindex|none"]);
        assert_eq!(read("all, index, follow, max-snippet:-1, max-snippet:00"), [""; 0]);
        assert_eq!(read("max-snippet: 0"), ["-|nosnippet|max-snippet: 0"]);
        assert_eq!(read("noarchive; nocache"), ["-|noarchive|noarchive", "-|nocache|nocache"]);
        assert_eq!(read(",,:,::,"), [""; 0]);
        assert_eq!(read("noindexed, unnoai"), [""; 0]);
    }

    #[test]
    fn a_robot_before_directives_limits_them_to_it() {
        assert_eq!(
            read("noai, GPTBot: noindex, noimageai, *: nosnippet"),
            [
                "-|noai|noai",
                "GPTBot|noindex|noindex",
                "GPTBot|noimageai|noimageai",
                "-|nosnippet|nosnippet"
            ]
        );
        assert_eq!(read("googlebot: max-snippet:0"), ["googlebot|nosnippet|max-snippet:0"]);
        assert_eq!(read("max-image-preview: none"), [""; 0]);
    }

    #[test]
    fn dates_may_hold_commas_and_colons() {
        assert_eq!(
            read("unavailable_after: 25 Jun 2010 15:00:00 PST, noai"),
            ["-|unavailable_after|25 Jun 2010 15:00:00 PST", "-|noai|noai"]
        );
        assert_eq!(
            read("otherbot: unavailable_after: Saturday, 25-Jun-10 15:00:00 PST, noai"),
            ["otherbot|unavailable_after|Saturday, 25-Jun-10 15:00:00 PST", "otherbot|noai|noai"]
        );
        assert_eq!(read("unavailable_after:"), ["-|unavailable_after|"]);
    }
}
