//! Makes rows as lines of JSON, sound ones and dirty ones.

use crate::random::Random;

/// The schemas of rows: those of the program, and its own rows.
pub const SCHEMAS: [&str; 8] =
    ["", "dolma", "datatrove", "fineweb", "ccnet", "anserini", "es-bulk", "quickwit"];

/// The outcome that a line must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineOutcome {
    Row,
    /// A row without a text.
    NoText,
    /// No JSON object.
    Invalid,
    /// A blank line.
    Nothing,
    /// The outcome depends on the surrounding lines.
    Unknown,
}

/// A line without its line end, with its expected outcome.
#[derive(Clone, Debug)]
pub(super) struct DirtyLine {
    pub(super) bytes: Vec<u8>,
    pub(super) fate: LineOutcome,
}

impl DirtyLine {
    pub(super) fn new(bytes: impl Into<Vec<u8>>, fate: LineOutcome) -> DirtyLine {
        DirtyLine { bytes: bytes.into(), fate }
    }
}

/// Parts of strings, as JSON writes them.
const WITHIN: [&str; 13] = [
    " and more of it",
    r" \ud83d\ude00",
    r" \ud800 alone",
    r" \udc00\ud800 turned",
    r" \u0000 NUL",
    r" \n\n lines \t and tabs",
    r#" \"quoted\" \\ \/"#,
    " é ß 漢字 \u{1f600}",
    " \u{feff} inside",
    " \u{2028} \u{85}",
    " a@example.com 192.168.0.1",
    r" \u0001\u001f",
    "",
];

/// Returns a JSON string, in quotes, that is unique to this row.
pub(super) fn text(random: &mut Random, number: u32) -> String {
    let mut text = format!("mk{number:05} the ferry runs again");
    for _ in 0..random.below(3) {
        text.push_str(random.pick(&WITHIN));
    }
    if random.below(60) == 0 {
        text.push_str(&" long row".repeat(12_000));
    }
    text
}

/// Returns the lines of a row: two if an action line precedes it.
pub(super) fn lines(random: &mut Random, number: u32) -> Vec<DirtyLine> {
    match random.below(12) {
        0..=6 => sound_row(random, number),
        7 => vec![without_text(random, number)],
        8 => vec![odd_row(random, number)],
        9 => vec![invalid(random, number)],
        10 => vec![DirtyLine::new(random.pick(&["", "  ", "\t", ""]), LineOutcome::Nothing)],
        _ => vec![unknown(random, number)],
    }
}

/// Returns a sound row in one of the schemas.
fn sound_row(random: &mut Random, number: u32) -> Vec<DirtyLine> {
    let schema = SCHEMAS[random.below(SCHEMAS.len() as u32) as usize];
    let text = text(random, number);
    let id = format!("0190a5b2-7c1d-4e3f-8a9b-0000000{number:05}");
    let (url, date) = (format!("http://host{}.test/{number}", number % 3), "2024-03-01T10:00:00Z");
    let page = format!("<p>{text}</p>");
    let row = match schema {
        "dolma" => format!(
            r#"{{"id":"{id}","text":"{text}","source":"huller","added":"{date}","created":null,"metadata":{{"url":"{url}","title":"T"}},"html":"{page}"}}"#
        ),
        "datatrove" => format!(
            r#"{{"text":"{text}","id":"{id}","metadata":{{"url":"{url}","date":"{date}","replaced":0}},"html":"{page}"}}"#
        ),
        "fineweb" => format!(
            r#"{{"html":"{page}","text":"{text}","id":"{id}","dump":null,"url":"{url}","date":"{date}","file_path":"a","language":"eng","language_score":0.5,"token_count":null}}"#
        ),
        "ccnet" => format!(
            r#"{{"url":"{url}","date_download":"{date}","digest":null,"length":5,"nlines":1,"source_domain":"a.test","title":null,"raw_content":"{text}","language":"eng","language_score":1e-1,"html":"{page}"}}"#
        ),
        "anserini" => format!(r#"{{"id":"{id}","contents":"{text}","html":"{page}"}}"#),
        "quickwit" => format!(r#"{{"id":"{id}","url":"{url}","text":"{text}","html":"{page}"}}"#),
        _ => format!(
            r#"{{"id":"{id}","url":"{url}","date":"{date}","title":null,"text":"{text}","language":null,"html":"{page}"}}"#
        ),
    };
    let mut lines = Vec::new();
    if schema == "es-bulk" {
        let action = format!(r#"{{"index":{{"_index":"pages","_id":"{id}"}}}}"#);
        lines.push(DirtyLine::new(action, LineOutcome::NoText));
    }
    lines.push(DirtyLine::new(row, LineOutcome::Row));
    lines
}

/// Returns a row without a valid text or page.
fn without_text(random: &mut Random, number: u32) -> DirtyLine {
    let value = random.pick(&["null", "7", "-1.5e9", "true", "[]", r#"["a"]"#, "{}", r#"{"a":1}"#]);
    let row = match random.below(4) {
        0 => format!(r#"{{"id":{number},"url":"http://a.test/"}}"#),
        1 => "{}".to_owned(),
        2 => format!(r#"{{"raw_content":{value},"text":{value},"html":{value}}}"#),
        _ => format!(r#"{{"text":{value},"html":{value},"id":"{number}"}}"#),
    };
    DirtyLine::new(row, LineOutcome::NoText)
}

/// Returns a sound row in an unusual form.
fn odd_row(random: &mut Random, number: u32) -> DirtyLine {
    let text = text(random, number);
    let page = format!(r#""html":"<p>{text}</p>""#);
    let row = match random.below(13) {
        0 => format!(r#"{{"text":null,"content":"{text}",{page}}}"#),
        1 => format!(r#"{{"text":5,"raw_content":null,"contents":"{text}",{page}}}"#),
        2 => format!(r#"  {{ "text" : "{text}" , {page} }}  "#),
        3 => format!(r#"{{"text":"{text}","url":"\ud800","metadata":7,{page}}}"#),
        4 => format!(r#"{{"text":"{text}","\udc00":"name","metadata":{{"url":null}},{page}}}"#),
        5 => format!(r#"{{"text":"first","text":"{text}",{page}}}"#),
        6 => format!(r#"{{"text":"{text}","id":12345678901234567890123,"date":5,{page}}}"#),
        7 => format!(r#"{{"text":"{text}","a":{}1{},{page}}}"#, "[".repeat(60), "]".repeat(60)),
        8 => r#"{"text":"","url":"http://empty.test/","html":""}"#.to_owned(),
        9 => format!(r#"{{"t\u0065xt":"{text}","ht\u006dl":"<p>x</p>"}}"#),
        10 => format!(r#"{{"text":"{text}","n":-0.0,"e":1e400,"s":"\ud83d",{page}}}"#),
        11 => format!(r#"{{"text":"{text}","language":"eng","score":"high","id":null,{page}}}"#),
        _ => {
            format!(r#"{{{page},"metadata":{{"url":"u","metadata":{{"x":[]}}}},"text":"{text}"}}"#)
        }
    };
    DirtyLine::new(row, LineOutcome::Row)
}

/// Returns a line that is not a JSON object.
fn invalid(random: &mut Random, number: u32) -> DirtyLine {
    let text = text(random, number);
    let row = format!(r#"{{"text":"{text}","html":"<p>{text}</p>"}}"#);
    let mut bytes = row.clone().into_bytes();
    match random.below(9) {
        0 => bytes.truncate(bytes.len() - 2),
        1 => bytes = b"[1, 2]".to_vec(),
        2 => bytes = b"no JSON at all".to_vec(),
        3 => bytes[10] = 0xff,
        4 => bytes[12] = 0x01,
        5 => bytes = row.replace('"', "'").into_bytes(),
        6 => bytes.extend_from_slice(b"{}"),
        7 => bytes = br#"{"text":NaN}"#.to_vec(),
        _ => bytes = br#""a string""#.to_vec(),
    }
    DirtyLine::new(bytes, LineOutcome::Invalid)
}

/// Returns zeros in place of data, or another line whose meaning depends on its place.
fn unknown(random: &mut Random, number: u32) -> DirtyLine {
    let len = [1, 100, 4096, 5000, 16_384, 20_000, 70_000][random.below(7) as usize];
    let zeros = vec![0; len];
    let row = format!(r#"{{"text":"mk{number:05}","html":"<p>x</p>"}}"#).into_bytes();
    let offset = random.within(0, row.len());
    let bytes = match random.below(7) {
        0 => zeros,
        1 => [&zeros, &row[..]].concat(),
        2 => [&row[..], &zeros].concat(),
        3 => [&row[..offset], &zeros, &row[offset..]].concat(),
        4 => [&row[..offset], &b"\n"[..], &row[offset..]].concat(),
        5 => [&b"\xef\xbb\xbf"[..], &row].concat(),
        _ => [&b"\x0c\x0b "[..], &row].concat(),
    };
    DirtyLine::new(bytes, LineOutcome::Unknown)
}
