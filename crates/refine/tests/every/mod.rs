//! All stages with settings that let every one of them work.

use huller_refine::Stage;
use huller_refine::signature::SignatureSettings;
use huller_refine::stages::{
    C4, C4Settings, FineWeb, GopherQuality, GopherRepetition, Judge, Length, LengthSettings, Lines,
    Mask, MaskSettings, Match, MatchAction, MatchRuleSettings, MatchSettings, MinChars, Normalise,
    Page, PageSettings, Signature, Url, UrlSettings,
};

/// A stage of every kind.
pub(crate) fn all_stages() -> Vec<Box<dyn Stage>> {
    let url = UrlSettings { exclude: vec!["/tag/".to_owned()], ..UrlSettings::default() };
    let length =
        LengthSettings { min_chars: 1, max_words: usize::MAX, ..LengthSettings::default() };
    let mask = MaskSettings { phones: true, ..MaskSettings::default() };
    let rule = |words: &[&str], patterns: &[&str]| MatchRuleSettings {
        words: words.iter().map(|&word| word.to_owned()).collect(),
        patterns: patterns.iter().map(|&pattern| pattern.to_owned()).collect(),
        ignore_case: true,
        action: MatchAction::Annotate,
        ..MatchRuleSettings::default()
    };
    let deep = "a ".repeat(200) + "x";
    let anywhere = MatchRuleSettings { whole_words: false, ..rule(&["b", "word", &deep], &[]) };
    let rules = [
        ("whole", rule(&["b", "word word word x", &deep, "ก็ก็x"], &[])),
        ("anywhere", anywhere),
        ("patterns", rule(&[], &["(?s)a.*z|w[a-z]+"])),
    ];
    let rules = rules.map(|(name, rule)| (name.to_owned(), rule)).into();
    let c4 = C4Settings { min_sentences: 0, ..C4Settings::default() };
    vec![
        Box::new(Url::new(url).expect("a pattern")),
        Box::new(Judge),
        Box::new(Page::new(PageSettings::default())),
        Box::new(Match::new(MatchSettings { rules }).expect("the rules are valid")),
        Box::new(MinChars::new(1)),
        Box::new(Normalise::default()),
        Box::new(Length::new(length)),
        Box::new(GopherRepetition::default()),
        Box::new(GopherQuality::default()),
        Box::new(C4::new(c4)),
        Box::new(FineWeb::default()),
        Box::new(Lines::default()),
        Box::new(Mask::new(mask).expect("there are replacements")),
        Box::new(Signature::new(SignatureSettings::default()).expect("the defaults are valid")),
    ]
}
