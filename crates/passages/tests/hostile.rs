//! Markdown that makes careless programs take quadratic time or fail. The texts are so long that a
//! step which looks at all pairs of lines or marks would not end in a day; no clock is asked.
//!
//! With `HULLER_FULL` each text has about ten million bytes.

use huller_passages::{PassageSettings, Source, Splitter};

fn texts(bytes: usize) -> Vec<(&'static str, String)> {
    let repeated = |part: &str| part.repeat(bytes / part.len());
    let half = |part: &str| part.repeat(bytes / 2 / part.len());
    vec![
        ("one word", repeated("a")),
        ("one line", repeated("some words ")),
        ("one line of sentences", repeated("Rain fell. ")),
        ("no spaces", repeated("日本語")),
        ("headings", repeated("# a\n")),
        ("headings with text", repeated("# a\n\nb\n\n")),
        ("headings that descend", repeated("# a\n\nb\n\n## c\n\nd\n\n### e\n\nf\n\n")),
        ("headings with rules", repeated("# a\n---\n")),
        ("underlines", repeated("a\n===\n")),
        ("a long underlined heading", half("a\n") + "==="),
        ("quotations", repeated(">")),
        ("lines of quotations", repeated("> > > > > > a\n")),
        ("items in items", repeated("- ")),
        ("ever deeper items", (0..(bytes / 2).isqrt()).map(|n| "  ".repeat(n) + "- a\n").collect()),
        ("a wide table", format!("{0}|\n{1}|\n{0}|\n", half("| a "), half("|---"))),
        ("a long table", "| a | b |\n|---|---|\n".to_owned() + &repeated("| c | d |\n")),
        ("heads of tables", repeated("| a |\n|---|\n")),
        ("fences", repeated("```\n")),
        ("an unclosed fence", "```\n".to_owned() + &repeated("code();\n")),
        ("HTML that does not end", repeated("<!--\n")),
        ("spaces", repeated(" ")),
        ("empty lines", repeated("\n")),
        ("NUL", repeated("\0")),
        ("CRLF", repeated("a\r\n")),
        ("byte order marks", repeated("\u{FEFF}")),
        ("links without ends", repeated("](")),
        ("images without ends", repeated("![")),
        ("a heading of links", "# ".to_owned() + &repeated("[](")),
        ("rules that are none", repeated("* * * a\n")),
        ("combining marks", repeated("\u{301}")),
        ("flags", repeated("🇩")),
        ("joiners", repeated("👩\u{200D}")),
        ("dots", repeated(".")),
        ("dashes", repeated("-")),
        ("backslashes", repeated("\\")),
        ("apostrophes", repeated("a'")),
        ("a word and spaces", half("x") + &half(" ")),
    ]
}

#[test]
fn all_texts_are_cut_into_passages_within_the_limit() {
    let is_full = std::env::var_os("HULLER_FULL").is_some();
    let bytes = if is_full { 10_000_000 } else { 200_000 };
    let title = "long ".repeat(1_000);
    for (tokenizer, max_tokens, min_tokens) in
        [("characters", 300, 75), ("gpt2", 300, 75), ("characters", 100_000, 0)]
    {
        let tokenizer = tokenizer.to_owned();
        let settings =
            PassageSettings { max_tokens, min_tokens, tokenizer, ..PassageSettings::default() };
        let mut splitter = Splitter::new(&settings).unwrap();
        for (name, markdown) in texts(bytes) {
            // Most texts are aligned with a part of themselves.
            let text = Some(&markdown[markdown.floor_char_boundary(bytes / 3)..]);
            let title = Some(title.as_str());
            let source = Source { markdown: &markdown, text, title, ..Source::default() };
            for is_plain in [false, true] {
                let source = Source { is_plain, ..source };
                let mut rest = markdown.as_str();
                for passage in splitter.split(&source) {
                    assert!(passage.tokens <= max_tokens, "{name}");
                    rest = rest.strip_prefix(passage.text).unwrap_or_else(|| panic!("{name}"));
                }
                assert!(rest.is_empty(), "{name}");
            }
        }
    }
}
