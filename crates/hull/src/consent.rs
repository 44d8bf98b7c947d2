//! Removes cookie notices from the selected blocks, wherever they are on the page.

use crate::blocks::Segmentation;
use crate::class_words;
use huller_page::Page;

/// A notice holds at most one in this many of the page's scalars.
const NOTICE_DIVISOR: u32 = 2;

/// Leaves out elements that class names mark as a popup and whose text mentions cookies and asks
/// for consent.
pub(crate) fn leave_out_notices(page: &Page<'_>, blocks: &Segmentation, is_taken: &mut [bool]) {
    let mut end = 0;
    for container in &blocks.containers {
        if container.first_block < end || container.class_words.distance(class_words::POPUPS) != 0 {
            continue;
        }
        let range = container.first_block as usize..container.end_block as usize;
        if !is_taken[range.clone()].contains(&true) {
            continue;
        }
        end = container.end_block;
        let chars = blocks.chars_before(range.end) - blocks.chars_before(range.start);
        let is_whole = is_taken
            .iter()
            .enumerate()
            .all(|(block, is_taken)| !is_taken || range.contains(&block));
        if NOTICE_DIVISOR * chars > blocks.chars() || is_whole {
            continue;
        }
        let speaks = |block: usize| blocks.runs(block).any(|run| speaks_of_cookies(page, run));
        let asks = |block: usize| blocks.runs(block).any(|run| asks_for_consent(page, run));
        if range.clone().any(speaks) && range.clone().any(asks) {
            is_taken[range].fill(false);
        }
    }
}

fn speaks_of_cookies(page: &Page<'_>, run: u32) -> bool {
    const NAMES: [&str; 6] = ["ookie", "OOKIE", "クッキー", "曲奇", "쿠키", "GDPR"];
    let source = page.run_source(&page.runs()[run as usize]).as_bytes();
    NAMES.iter().any(|name| memchr::memmem::find(source, name.as_bytes()).is_some())
}

/// Returns whether a run has a word that asks for consent. Cookies alone are not enough, because
/// manuals mention them too.
fn asks_for_consent(page: &Page<'_>, run: u32) -> bool {
    const WORDS: [&str; 20] = [
        "ccept",
        "onsent",
        "gree",
        "xperience",
        "rivacy",
        "references",
        "ebsite",
        "this site",
        "kzept",
        "ustimm",
        "atenschutz",
        "cept",
        "ccett",
        "onfidential",
        "rivacidad",
        "プライバシー",
        "同意",
        "隐私",
        "огла",
        "동의",
    ];
    let source = page.run_source(&page.runs()[run as usize]).as_bytes();
    WORDS.iter().any(|word| memchr::memmem::find(source, word.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    /// Returns the number of blocks that remain of a notice of two blocks, if all blocks were
    /// taken.
    fn stay(class: &str, notice: &str) -> usize {
        let text =
            "<p>The reed boats are tied at the same quay, and every spring the owners meet.</p>"
                .repeat(6);
        let html =
            format!("<div class='{class}'><h4>Notice</h4><p>{notice}</p></div><main>{text}</main>");
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let mut taken = vec![true; blocks.blocks.len()];
        leave_out_notices(&page, &blocks, &mut taken);
        assert!(taken[2..].iter().all(|taken| *taken));
        taken[..2].iter().filter(|taken| **taken).count()
    }

    #[test]
    fn notices_on_cookies_are_left_out() {
        let notice = "This website uses cookies to improve your experience.";
        for class in [
            "cookie-consent",
            "cookie-law-info-bar",
            "consent",
            "gdpr-box",
            "cookieNotice",
            "privacy-notice",
            "modal",
            "popup-overlay",
            "dialog",
            "site-notice cookies",
            "sticky-bar",
            "alert",
        ] {
            assert_eq!(stay(class, notice), 0, "{class}");
        }
    }

    #[test]
    fn other_notices_and_other_text_stay() {
        assert_eq!(stay("notice", "The ferry does not run on Monday."), 2);
        assert_eq!(stay("cookies", "To read cookies, use the attribute of that name."), 2);
        assert_eq!(stay("text", "Bake the cookies for ten minutes."), 2);
        assert_eq!(stay("modal", &"Bake the cookies for ten minutes. ".repeat(40)), 2);
    }
}
