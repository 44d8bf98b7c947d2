//! The tokenizer cases of html5lib, mapped onto our tokens.
//!
//! Our tokens are spans of the source, so the test does what a reader of the tokens does: it lowers
//! the case of names, decodes character references, and replaces NUL where the standard does. The
//! end tag that ends a raw text state must have the name of an element with that content model;
//! where a case uses another (`xmp` in the RCDATA state), the test puts one that has in its place.
#![expect(clippy::print_stderr, reason = "a test says what it compared")]

use huller_page::entity::{self, Context};
use huller_page::{Attributes, Span, TextKind, Token, Tokenizer};
use huller_testkit::{needs_shared, shared};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

needs_shared!(the_tokenizer_passes_the_cases_of_html5lib);

/// Cases that we don't pass: file, description, state, reason. It may only shrink: a case that
/// passes must be taken out.
const KNOWN_MISSES: &[(&str, &str, &str, &str)] = &[];

/// Of all cases, so many in a hundred may be listed.
const MAX_MISSES_PERCENT: usize = 2;

/// A token as the cases write it; neighbouring texts are one.
#[derive(Clone, Debug, PartialEq)]
enum ExpectedToken {
    Start { name: String, attributes: BTreeMap<String, String>, self_closing: bool },
    End(String),
    Comment(String),
    Doctype,
    Text(String),
}

struct Case {
    file: String,
    description: String,
    state: String,
    /// Name of the element whose content the input is.
    name: Option<&'static str>,
    input: String,
    expected: Vec<ExpectedToken>,
}

#[derive(Default)]
struct Cases {
    cases: Vec<Case>,
    /// Cases whose input is no Unicode text.
    lone_surrogates: usize,
}

fn the_tokenizer_passes_the_cases_of_html5lib() {
    let suites = ["html5lib-tests/tokenizer/", "html5ever/rcdom/custom-html5lib-tokenizer-tests/"];
    let wanted = |path: &str| {
        // The cases of xmlViolation.test are about text that is to become XML, which is nothing we
        // do.
        let in_suite = suites.iter().any(|suite| path.starts_with(suite));
        in_suite
            && Path::new(path).extension() == Some("test".as_ref())
            && !path.contains("xmlViolation")
    };
    let files = shared::hostile_files(wanted);
    let mut all = Cases::default();
    for (path, bytes) in &files {
        let suite: Value = serde_json::from_slice(bytes).expect("the cases are JSON");
        for case in suite["tests"].as_array().expect("a list of tests") {
            all.read(path.rsplit('/').next().expect("a file name"), case);
        }
    }
    let cases = &all.cases;
    let mut unexpected = Vec::new();
    let mut listed = Vec::new();
    for case in cases {
        let ours = tokens(case);
        let miss = KNOWN_MISSES.iter().find(|(file, description, state, _)| {
            *file == case.file && *description == case.description && *state == case.state
        });
        let label = format!("{}: {} ({})", case.file, case.description, case.state);
        match (ours == case.expected, miss) {
            (true, None) => {}
            (true, Some(_)) => unexpected.push(format!("{label}: listed as a miss, but passes")),
            (false, None) => unexpected.push(format!(
                "{label}\n  input    {:?}\n  expected {:?}\n  ours     {ours:?}",
                case.input, case.expected
            )),
            (false, Some((.., reason))) => {
                if text_of(&ours) != text_of(&case.expected)
                    && matches!(&*case.state, "Data state" | "RCDATA state")
                {
                    unexpected.push(format!(
                        "{label}: changes visible text, so it must not be a known miss ({reason})"
                    ));
                }
                listed.push(label);
            }
        }
    }
    eprintln!(
        "html5lib: {} cases of {} files, {} known misses, {} left out for lone surrogates",
        cases.len(),
        files.len(),
        listed.len(),
        all.lone_surrogates
    );
    assert!(cases.len() > 6_000, "only {} cases found", cases.len());
    assert!(all.lone_surrogates < 10, "{} cases left out", all.lone_surrogates);
    assert!(unexpected.is_empty(), "{} cases:\n{}", unexpected.len(), unexpected.join("\n"));
    assert!(listed.len() >= KNOWN_MISSES.len(), "a known miss names no case: {listed:?}");
    assert!(
        listed.len() * 100 <= cases.len() * MAX_MISSES_PERCENT,
        "{} misses are too many",
        listed.len()
    );
}

impl Cases {
    fn read(&mut self, file: &str, case: &Value) {
        let text = |key: &str| case[key].as_str().map(str::to_owned);
        let escaped = case["doubleEscaped"].as_bool().unwrap_or_default();
        let unescape = |text: &str| if escaped { unescape(text) } else { Some(text.to_owned()) };
        let default_states = vec![Value::from("Data state")];
        for state in case["initialStates"].as_array().unwrap_or(&default_states) {
            let state = state.as_str().expect("a state is a text");
            let name = element_in(state);
            // Puts an element of the right content model in the place of the one the case has.
            let stand_in = |source: &str| match (case["lastStartTag"].as_str(), name) {
                (Some(last), Some(name)) => replace_name(source, last, name),
                _ => source.to_owned(),
            };
            let input = unescape(&text("input").expect("an input"));
            let expected =
                expected(&case["output"], |text| unescape(text).map(|text| stand_in(&text)));
            let (Some(input), Some(expected)) = (input, expected) else {
                self.lone_surrogates += 1;
                continue;
            };
            self.cases.push(Case {
                file: file.to_owned(),
                description: text("description").expect("a description"),
                state: state.to_owned(),
                name,
                input: stand_in(&input),
                expected,
            });
        }
    }
}

/// The element whose content is read in a state.
fn element_in(state: &str) -> Option<&'static str> {
    match state {
        "Data state" | "CDATA section state" => None,
        "RCDATA state" => Some("textarea"),
        "RAWTEXT state" => Some("style"),
        "Script data state" => Some("script"),
        "PLAINTEXT state" => Some("plaintext"),
        _ => panic!("unknown state {state:?}"),
    }
}

/// Replaces a name in whatever case by another in the same case, letter by letter.
fn replace_name(source: &str, name: &str, by: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        if let Some(found) = rest.get(..name.len()).filter(|found| found.eq_ignore_ascii_case(name))
        {
            for (c, like) in by.chars().zip(found.chars().chain(std::iter::repeat(first))) {
                out.push(if like.is_ascii_uppercase() { c.to_ascii_uppercase() } else { c });
            }
            rest = &rest[name.len()..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// Resolves `\uHHHH`; `None` if that gives a lone surrogate.
fn unescape(text: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let code = rest
            .strip_prefix("\\u")
            .and_then(|digits| u16::from_str_radix(digits.get(..4)?, 16).ok());
        let len = if let Some(code) = code {
            units.push(code);
            6
        } else {
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            c.len_utf8()
        };
        rest = &rest[len..];
    }
    String::from_utf16(&units).ok()
}

fn expected(output: &Value, text: impl Fn(&str) -> Option<String>) -> Option<Vec<ExpectedToken>> {
    let mut tokens = Vec::new();
    for token in output.as_array().expect("a list of tokens") {
        let field = |i: usize| text(token[i].as_str().expect("a text"));
        tokens.push(match token[0].as_str().expect("the kind of a token") {
            "StartTag" => {
                let attributes = token[2].as_object().expect("attributes").iter();
                let attributes =
                    attributes.map(|(name, value)| Some((text(name)?, text(value.as_str()?)?)));
                ExpectedToken::Start {
                    name: field(1)?,
                    attributes: attributes.collect::<Option<_>>()?,
                    self_closing: token[3].as_bool().unwrap_or_default(),
                }
            }
            "EndTag" => ExpectedToken::End(field(1)?),
            "Comment" => ExpectedToken::Comment(field(1)?),
            "DOCTYPE" => ExpectedToken::Doctype,
            "Character" => ExpectedToken::Text(field(1)?),
            kind => panic!("unknown token {kind:?}"),
        });
    }
    Some(tokens)
}

/// Our tokens for the input of a case.
fn tokens(case: &Case) -> Vec<ExpectedToken> {
    let cdata = case.state == "CDATA section state";
    let input = format!("{}{}", if cdata { "<![CDATA[" } else { "" }, case.input);
    let mut tokenizer = case
        .name
        .map_or_else(|| Tokenizer::new(&input), |name| Tokenizer::for_fragment(&input, name));
    tokenizer.set_foreign(cdata);
    let source = |span: Span| {
        input[span.start as usize..span.end as usize].replace("\r\n", "\n").replace('\r', "\n")
    };
    let without_nul = |span: Span| source(span).replace('\0', "\u{fffd}");
    let mut attributes = Attributes::default();
    let mut tokens = Vec::new();
    while let Some(token) = tokenizer.next(&mut attributes) {
        let token = match token {
            Token::Text { span, kind } => {
                let text = match kind {
                    TextKind::Data => decode(&source(span), Context::Text),
                    TextKind::Rcdata => decode(&without_nul(span), Context::Text),
                    TextKind::Raw if cdata => source(span),
                    TextKind::Raw => without_nul(span),
                };
                if let Some(ExpectedToken::Text(before)) = tokens.last_mut() {
                    before.push_str(&text);
                    continue;
                }
                ExpectedToken::Text(text)
            }
            Token::Start { name, self_closing, .. } => {
                let read = attributes.list().iter();
                let read = read.map(|attribute| {
                    let value = decode(&without_nul(attribute.value), Context::Attribute);
                    (without_nul(attribute.name).to_ascii_lowercase(), value)
                });
                ExpectedToken::Start {
                    name: without_nul(name).to_ascii_lowercase(),
                    attributes: read.collect(),
                    self_closing,
                }
            }
            Token::End { name, .. } => ExpectedToken::End(without_nul(name).to_ascii_lowercase()),
            Token::Comment(span) => ExpectedToken::Comment(without_nul(span)),
            Token::Doctype(_) => ExpectedToken::Doctype,
        };
        tokens.push(token);
    }
    tokens
}

fn decode(text: &str, context: Context) -> String {
    let mut out = String::new();
    entity::decode(text, context, &mut out);
    out
}

fn text_of(tokens: &[ExpectedToken]) -> String {
    tokens
        .iter()
        .filter_map(
            |token| if let ExpectedToken::Text(text) = token { Some(text.as_str()) } else { None },
        )
        .collect()
}
