//! Finds buttons and bars for sharing and printing a page. They are not part of its content.
//!
//! A link is such a button if its address is the page where a service takes addresses, whatever its
//! text. A line is such a bar if all of its words are words of bars. It must also be made of links
//! or buttons, or be in an element whose class or id names sharing or tools.

use huller_page::{AttributeName, Node, Page, RunFlags, Tag};
use std::ops::Range;

/// Largest number of visible scalars of a link for sharing.
const MAX_LINK_CHARS: u32 = 40;
/// Largest number of runs of a link for sharing.
const MAX_RUNS: usize = 4;
/// Number of visible scalars directly before and after a link from which on it is part of a
/// sentence.
const MIN_SENTENCE_CHARS: u32 = 24;

/// Returns whether a link shares or prints the page, and is no part of a sentence.
pub fn is_link(page: &Page<'_>, node: &Node) -> bool {
    let runs = &page.runs()[node.runs()];
    if runs.len() > MAX_RUNS
        || runs.iter().map(|run| run.counts.chars).sum::<u32>() > MAX_LINK_CHARS
    {
        return false;
    }
    let Some(href) = page.attribute(node, AttributeName::Href) else { return false };
    if !takes_addresses(href) {
        return false;
    }
    let beside = [node.run_start.checked_sub(1), Some(node.run_end)];
    let beside = beside.iter().flatten().filter_map(|run| page.runs().get(*run as usize));
    let beside = beside.filter(|run| run.node == node.parent).map(|run| run.counts.chars);
    beside.sum::<u32>() < MIN_SENTENCE_CHARS
}

/// Returns whether an address takes addresses of pages.
fn takes_addresses(href: &str) -> bool {
    let Some((scheme, after_scheme)) =
        href.split_once(':').filter(|(scheme, _)| scheme.len() <= 10)
    else {
        return href.strip_prefix("//").is_some_and(is_service);
    };
    match scheme {
        "http" | "https" => after_scheme.strip_prefix("//").is_some_and(is_service),
        // A letter without a recipient.
        "mailto" => after_scheme.starts_with('?'),
        "javascript" => {
            ["window.print", "print("].iter().any(|call| after_scheme.starts_with(call))
        }
        "whatsapp" | "fb-messenger" => true,
        _ => false,
    }
}

/// Returns whether an address without its scheme is a service's page for sharing.
fn is_service(address: &str) -> bool {
    let (host, path) = address.split_at(address.find(['/', '?']).unwrap_or(address.len()));
    let path = path.trim_start_matches('/');
    let strip = |prefix: &str| host.strip_prefix(prefix);
    let host = strip("www.").or_else(|| strip("m.")).or_else(|| strip("api.")).unwrap_or(host);
    let begins = |starts: &[&str]| {
        starts.iter().any(|start| {
            path.get(..start.len()).is_some_and(|path| path.eq_ignore_ascii_case(start))
        })
    };
    match host {
        "facebook.com" => begins(&["sharer", "share.php", "dialog/share", "dialog/feed"]),
        "twitter.com" | "x.com" => {
            begins(&["intent/tweet", "intent/post", "share", "home?status", "home/?status"])
        }
        "linkedin.com" => begins(&["shareArticle", "cws/share", "sharing/"]),
        "reddit.com" | "digg.com" => begins(&["submit", "remote-submit"]),
        "tumblr.com" => begins(&["share", "widgets/share"]),
        "t.me" | "telegram.me" => begins(&["share/"]),
        "whatsapp.com" | "web.whatsapp.com" => begins(&["send"]),
        "wa.me" => begins(&["?text"]),
        "bsky.app" => begins(&["intent/compose"]),
        "threads.net" => begins(&["intent/post"]),
        "addthis.com" => begins(&["bookmark", "tellfriend"]),
        "addtoany.com" => begins(&["share", "add_to"]),
        "del.icio.us" | "delicious.com" => begins(&["post", "save"]),
        "stumbleupon.com" => begins(&["submit", "refer"]),
        "slashdot.org" => begins(&["bookmark", "submit"]),
        "news.ycombinator.com" => begins(&["submitlink"]),
        "getpocket.com" => begins(&["save", "edit"]),
        "buffer.com" | "bufferapp.com" => begins(&["add"]),
        "share.flipboard.com" => true,
        "printfriendly.com" => begins(&["print"]),
        "xing.com" => begins(&["spi/shares", "app/user", "social"]),
        "vk.com" | "vkontakte.ru" => begins(&["share.php"]),
        "connect.ok.ru" => begins(&["offer", "dk"]),
        "plus.google.com" | "service.weibo.com" | "v.t.sina.com.cn" => begins(&["share"]),
        "sns.qzone.qq.com" => begins(&["cgi-bin/qzshare"]),
        "b.hatena.ne.jp" => begins(&["entry", "add", "append"]),
        "line.me" | "social-plugins.line.me" => begins(&["R/msg", "lineit/share"]),
        _ => host.starts_with("pinterest.") && begins(&["pin/create"]),
    }
}

/// Longest bar, in bytes.
const MAX_LINE_BYTES: usize = 80;

/// Actions of buttons, in lower case.
const ACTIONS: &[&str] = &[
    "share",
    "shares",
    "sharing",
    "tweet",
    "print",
    "email",
    "e-mail",
    "pin",
    "digg",
    "teilen",
    "drucken",
    "partager",
    "imprimer",
    "compartir",
    "imprimir",
    "condividi",
    "stampa",
    "分享",
    "分享到",
    "打印",
    "打印本页",
    "シェア",
    "シェアする",
    "ツイート",
    "ツイートする",
    "印刷",
];

/// Services, in lower case.
const SERVICES: &[&str] = &[
    "facebook",
    "twitter",
    "linkedin",
    "whatsapp",
    "reddit",
    "pinterest",
    "tumblr",
    "telegram",
    "delicious",
    "del.icio.us",
    "stumbleupon",
    "flipboard",
    "messenger",
    "google+",
    "x",
    "bluesky",
    "threads",
    "pocket",
    "mail",
    "sms",
    "微博",
    "微信",
    "qq空间",
    "line",
];

/// Other words of bars, in lower case.
const OTHERS: &[&str] = &[
    "this", "it", "on", "to", "via", "a", "friend", "friends", "article", "post", "story", "page",
    "by", "with", "and", "or", "link", "copy", "save", "now", "the", "in", "new", "window",
    "opens", "click", "auf", "per", "sur", "en", "su",
];

/// Returns whether a line of a text, made of these runs, is a bar of buttons for sharing and
/// printing.
pub(super) fn is_bar(page: &Page<'_>, line: &str, runs: Range<u32>) -> bool {
    if line.len() > MAX_LINE_BYTES {
        return false;
    }
    let (mut actions, mut services) = (0, 0);
    for word in line.split_whitespace() {
        let word = word.trim_matches(is_sign);
        if word.is_empty() {
            continue;
        }
        let is_listed = may_be_listed(word);
        let is_in = |words: &[&str]| is_listed && words.iter().any(|known| is_word(known, word));
        if is_in(ACTIONS) {
            actions += 1;
        } else if is_in(SERVICES) {
            services += 1;
        } else if actions + services == 0
            || !word.bytes().all(|byte| byte.is_ascii_digit()) && !is_in(OTHERS)
        {
            return false;
        }
    }
    let are_buttons = || runs.clone().all(|run| is_button(page, run));
    actions + services > 0 && (actions > 0 && are_buttons() || is_named(page, runs.start))
}

/// Returns whether a scalar at the end of a word is not part of it.
fn is_sign(c: char) -> bool {
    c.is_ascii_punctuation() && c != '+' || matches!(c, '：' | '｜' | '·' | '•' | '–' | '—')
}

/// For each byte, in either case, the lengths of the words in the three lists that begin with it.
/// Each length in bytes is a bit.
static LENGTHS: [u32; 256] = {
    let mut lengths = [0; 256];
    let mut list = 0;
    while list < 3 {
        let words = [ACTIONS, SERVICES, OTHERS][list];
        let mut word = 0;
        while word < words.len() {
            let bytes = words[word].as_bytes();
            assert!(bytes.len() < 32, "a word is longer than there are bits");
            lengths[bytes[0] as usize] |= 1 << bytes.len();
            if bytes[0].is_ascii_lowercase() {
                lengths[bytes[0].to_ascii_uppercase() as usize] |= 1 << bytes.len();
            }
            word += 1;
        }
        list += 1;
    }
    lengths
};

/// Returns whether a word may be in one of the lists, by its length and its first byte. Most words
/// of a page are not in them.
fn may_be_listed(word: &str) -> bool {
    let first_byte = word.as_bytes().first().copied().unwrap_or_default();
    word.len() < 32 && LENGTHS[usize::from(first_byte)] >> word.len() & 1 == 1
}

fn is_word(known: &str, word: &str) -> bool {
    known.len() == word.len() && known.eq_ignore_ascii_case(word)
}

/// Returns whether a run lies in a link or a button, or is a sign without letters and digits.
fn is_button(page: &Page<'_>, run: u32) -> bool {
    let run = &page.runs()[run as usize];
    let mut ancestor = run.node;
    let mut in_button = || {
        (0..3).any(|_| {
            let node = &page.nodes()[ancestor as usize];
            ancestor = node.parent;
            node.tag == Tag::BUTTON || page.attribute(node, AttributeName::Role) == Some("button")
        })
    };
    let is_sign = !page.run_source(run).contains(char::is_alphanumeric);
    is_sign || run.flags.contains(RunFlags::IN_LINK) || in_button()
}

/// Number of elements around a line whose class and id are tested.
const MAX_TESTED_ANCESTORS: usize = 5;

/// Returns whether the class or id of an element around a run names sharing or tools.
fn is_named(page: &Page<'_>, run: u32) -> bool {
    const NAMES: &[&[u8]] = &[
        b"share",
        b"sharing",
        b"social",
        b"addthis",
        b"addtoany",
        b"print",
        b"tools",
        b"bookmarks",
    ];
    let mut ancestor = page.runs()[run as usize].node;
    for _ in 0..MAX_TESTED_ANCESTORS {
        let node = &page.nodes()[ancestor as usize];
        if ancestor == page.body() {
            break;
        }
        for name in [AttributeName::Class, AttributeName::Id] {
            let value = page.attribute(node, name).unwrap_or_default().as_bytes();
            let value = &value[..value.len().min(200)];
            let has = |name: &[u8]| {
                value.windows(name.len()).any(|window| window.eq_ignore_ascii_case(name))
            };
            if NAMES.iter().any(|name| has(name)) {
                return true;
            }
        }
        ancestor = node.parent;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::takes_addresses;

    #[test]
    fn addresses_for_sharing_are_told_from_others() {
        for (href, wanted) in [
            ("https://www.facebook.com/sharer/sharer.php?u=x", true),
            ("//twitter.com/intent/tweet?text=x", true),
            ("https://www.linkedin.com/shareArticle?mini=true", true),
            ("https://pinterest.de/pin/create/button/", true),
            ("https://wa.me/?text=x", true),
            ("mailto:?subject=x", true),
            ("javascript:window.print()", true),
            ("https://share.flipboard.com/bookmarklet", true),
            ("https://www.facebook.com/ann", false),
            ("https://twitter.com/ann", false),
            ("https://a.test/facebook.com/sharer", false),
            ("mailto:ann@a.test", false),
            ("javascript:open()", false),
            ("/share", false),
            ("", false),
        ] {
            assert_eq!(takes_addresses(href), wanted, "{href}");
        }
    }
}
