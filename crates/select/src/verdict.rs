//! The judgement of an extractor on a page as a whole.

use crate::page_type::PageType;
use crate::selection::Selection;
use huller_page::Page;

/// An extractor's judgement on a page as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The extractor's own score of the page, always finite. Its
    /// [`ExtractorCard`](crate::ExtractorCard) gives the meaning and the range.
    pub score: Option<f64>,
    /// Whether the page has a main content; `None` if the extractor does not judge that.
    pub has_article: Option<bool>,
    /// The type of the page; `None` if the extractor does not find it.
    pub page_type: Option<PageType>,
}

impl Verdict {
    /// Returns this verdict for a page with this text. A text without letters and digits is not a
    /// main content, whatever the extractor judged.
    #[must_use]
    pub fn with_text(self, text: &str) -> Verdict {
        let has_text = text.chars().any(char::is_alphanumeric);
        Verdict {
            has_article: self.has_article.filter(|_| has_text).or((!has_text).then_some(false)),
            ..self
        }
    }

    /// Returns this verdict for a page with this selection and its text. A selection that holds
    /// only the title of the page is not a main content.
    #[must_use]
    pub fn with_selection(self, page: &Page<'_>, selection: &Selection, text: &str) -> Verdict {
        let body = page.nodes()[page.body() as usize].runs();
        let is_in_body = selection.kept_runs(page).any(|run| body.contains(&(run as usize)));
        self.with_text(if is_in_body { text } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    const JUDGED: [Option<bool>; 3] = [None, Some(false), Some(true)];

    fn on(has_article: Option<bool>, text: &str) -> Option<bool> {
        Verdict { has_article, ..Verdict::default() }.with_text(text).has_article
    }

    #[test]
    fn a_text_without_a_word_is_no_article() {
        for text in ["", " ", "\n\t", "\u{a0}", "\u{200b}\u{feff}", "...", "|", "\u{2014} \u{2022}"]
        {
            for has_article in JUDGED {
                assert_eq!(on(has_article, text), Some(false), "{text:?}");
            }
        }
    }

    #[test]
    fn a_text_with_words_leaves_the_judgement_to_the_extractor() {
        for text in ["Forbidden", "7", "\u{2014} so", "雨", "ฝน", "дождь"] {
            for has_article in JUDGED {
                assert_eq!(on(has_article, text), has_article, "{text:?}");
            }
        }
    }

    #[test]
    fn the_title_alone_is_no_article() {
        let mut buffer = PageBuf::new();
        let page = buffer.fill("<title>Rain</title><body><p>It fell.");
        let judged = |roots: Vec<u32>| {
            let selection = Selection { roots, ..Selection::default() };
            let verdict = Verdict { has_article: Some(true), ..Verdict::default() };
            verdict.with_selection(&page, &selection, "Rain").has_article
        };
        let title = page.nodes().iter().position(|node| node.tag == huller_page::Tag::TITLE);
        assert_eq!(judged(vec![title.unwrap() as u32]), Some(false));
        assert_eq!(judged(vec![page.body()]), Some(true));
        assert_eq!(judged(vec![]), Some(false));
    }
}
