//! The role of a link, by the block that it begins in, its text and its target.

use huller_extract::PageLink;
use huller_provenance::Host;
use huller_select::Role;

/// Fewest words of a link that leads to a page by its headline.
const HEADLINE_WORDS: usize = 4;

/// Fewest Unicode scalars of such a link in a script without spaces.
const MIN_HEADLINE_SCALARS: usize = 10;

/// Returns the role of a link with this text or description, on the page with this URL.
///
/// Its block decides, with these exceptions for links outside of the selection:
/// * A link with `rel=sponsored` is an advertisement.
/// * A link to a part of the page is navigation, unless its block has a clear role.
/// * A link in a list without a role is a headline of a related page or a part of the site. Its
///   length decides. A picture that leads to another site is an advertisement.
/// * A short text among related pages is a part of the site, such as the name of a month.
pub(crate) fn role_of(link: &PageLink<'_>, text: &str, target: &str, page: Option<&str>) -> Role {
    let rel = link.rel.unwrap_or_default();
    let is_sponsored =
        || rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("sponsored"));
    let is_unclear = link.role == Role::Related || link.role == Role::Other && link.is_listed;
    match link.role {
        role if link.is_kept => role,
        _ if is_sponsored() => Role::Advertisement,
        _ if is_unclear && is_part_of(target, page) => Role::Navigation,
        Role::Other if link.is_listed && link.text.is_empty() && is_elsewhere(target, page) => {
            Role::Advertisement
        }
        Role::Other if link.is_listed && is_headline(text) => Role::Related,
        Role::Other if link.is_listed => Role::Navigation,
        Role::Related if !text.is_empty() && !is_headline(text) => Role::Navigation,
        role => role,
    }
}

/// Returns whether a text is long enough for a headline.
fn is_headline(text: &str) -> bool {
    let words = text.split_whitespace().take(HEADLINE_WORDS).count();
    let is_unspaced = words == 1 && !text.is_ascii();
    words == HEADLINE_WORDS || is_unspaced && text.chars().nth(MIN_HEADLINE_SCALARS - 1).is_some()
}

/// Returns whether a target is a part of the page.
fn is_part_of(target: &str, page: Option<&str>) -> bool {
    let (Some(page), Some(end)) = (page, target.find('#')) else { return false };
    page.split('#').next() == Some(&target[..end])
}

/// Returns whether a target lies on another site. Hosts with the same last two labels are one site.
fn is_elsewhere(target: &str, page: Option<&str>) -> bool {
    let (Some(page_host), Some(target_host)) =
        (page.and_then(Host::from_url), Host::from_url(target))
    else {
        return false;
    };
    !target_host.as_str().rsplit('.').take(2).eq(page_host.as_str().rsplit('.').take(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Option<&str> = Some("http://www.news.test/a?b#c");

    fn link(role: Role, text: &str) -> PageLink<'_> {
        let is_listed = role == Role::Other;
        PageLink { href: "", rel: None, text, alt: None, role, is_listed, is_kept: false }
    }

    #[test]
    fn lists_of_links_lead_to_headlines_or_parts_of_the_site() {
        for (role, text, expected) in [
            (Role::Other, "Storms close the coast road", Role::Related),
            (Role::Other, "Sport", Role::Navigation),
            (Role::Other, "大雨で海岸道路が通行止め", Role::Related),
            (Role::Related, "Storms close the coast road", Role::Related),
            (Role::Related, "June 2007", Role::Navigation),
            (Role::Related, "", Role::Related),
            (Role::Footer, "Sport", Role::Footer),
        ] {
            let found = role_of(&link(role, text), text, "http://a.test/", PAGE);
            assert_eq!(found, expected, "{text}");
        }
        let remark = PageLink { is_listed: false, ..link(Role::Other, "one link") };
        assert_eq!(role_of(&remark, "one link", "http://a.test/", PAGE), Role::Other);
    }

    #[test]
    fn pictures_that_lead_to_other_sites_are_advertisements() {
        let picture = link(Role::Other, "");
        for (target, alt, expected) in [
            ("http://ads.test/", "The weather of the week", Role::Advertisement),
            ("http://ads.test/", "", Role::Advertisement),
            ("http://img.news.test/", "The weather of the week", Role::Related),
            ("http://img.news.test/", "", Role::Navigation),
        ] {
            assert_eq!(role_of(&picture, alt, target, PAGE), expected, "{target} {alt}");
        }
        assert_eq!(role_of(&picture, "", "http://ads.test/", None), Role::Navigation);
        let sponsored = PageLink { rel: Some("nofollow Sponsored"), ..link(Role::Related, "a") };
        assert_eq!(role_of(&sponsored, "a", "http://a.test/", PAGE), Role::Advertisement);
        let kept = PageLink { is_kept: true, role: Role::Content, ..sponsored };
        assert_eq!(role_of(&kept, "a", "http://a.test/", PAGE), Role::Content);
    }

    #[test]
    fn links_to_parts_of_the_page_are_navigation() {
        let text = "Skip to the main content";
        let target = "http://www.news.test/a?b#main";
        assert_eq!(role_of(&link(Role::Other, text), text, target, PAGE), Role::Navigation);
        assert_eq!(role_of(&link(Role::Comment, text), text, target, PAGE), Role::Comment);
        assert_eq!(role_of(&link(Role::Other, text), text, target, None), Role::Related);
    }
}
