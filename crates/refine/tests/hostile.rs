//! Texts that make careless programs take quadratic time or fail. They are so long that a step
//! which looks at all pairs of words or lines would not end in a day; no clock is asked.

mod every;

use every::all_stages;
use huller_refine::signature::{Hash, SignatureSettings};
use huller_refine::stages::Signature;
use huller_refine::{RowInProgress, Signals, Text};

/// Words, lines or marks in each text.
const MANY: usize = 100_000;

fn texts() -> impl Iterator<Item = (&'static str, String)> {
    let repeated = |part: &str| part.repeat(MANY);
    let numbered = |make: &dyn Fn(usize) -> String| (0..MANY).map(make).collect::<String>();
    [
        ("one word", repeated("word ")),
        ("one letter", repeated("a ")),
        ("two words in turn", repeated("a b ")),
        ("equal lines", repeated("the same line\n")),
        ("empty lines", repeated("\n")),
        ("line ends of all kinds", repeated("\r\n\u{85}\u{2028}\u{B}")),
        ("different words", numbered(&|n| format!("w{n:x} "))),
        ("different lines", numbered(&|n| format!("line {n}\n"))),
        ("words of one letter more each", (0..2_000).map(|n| "a".repeat(n) + " ").collect()),
        ("one long word", "x".repeat(20 << 20)),
        ("one long line", repeated("some words. ")),
        ("marks", repeated("\u{301}")),
        ("joiners", repeated("a\u{200D}")),
        ("flags", repeated("🇦")),
        ("Hebrew with marks", repeated("א\"א'")),
        ("Thai without spaces", repeated("ก็")),
        ("apostrophes", repeated("a's")),
        ("dots", repeated(".")),
        ("slashes", repeated("a.bc/ ")),
        ("slashes without spaces", repeated("://a.bc/")),
        ("signs of addresses", repeated("a@")),
        ("addresses that go on", repeated("a@b.c-") + &repeated("@a.")),
        ("long local parts", "a.".repeat(MANY) + "@" + &"a".repeat(MANY) + "@b"),
        ("numbers with dots", repeated("1.2.3.")),
        (
            "numbers and spaces",
            repeated("123 ") + "\u{20}".repeat(MANY).as_str() + &repeated("(123)-"),
        ),
        ("times that go on", repeated("1:1/")),
        ("hyphens that go on", repeated("1-a-")),
        ("brackets", repeated("[1") + &repeated("[")),
        ("Windows-1252", repeated("Ã©â€™")),
        ("possible Windows-1252", repeated("Ã”")),
        ("phrases that begin", repeated("use cookie ") + &repeated("javascrip")),
        ("phrases", repeated("use cookies javascript\n")),
        ("quotes and ends", repeated(".\" ") + &repeated("! ")),
    ]
    .into_iter()
}

#[test]
fn all_stages_end_on_all_texts() {
    let datatrove = SignatureSettings { hash: Hash::Datatrove, ..SignatureSettings::default() };
    let mut stages = all_stages();
    stages.push(Box::new(Signature::new(datatrove).expect("the defaults are valid")));
    let mut workers: Vec<_> = stages.iter().map(|stage| stage.worker()).collect();
    let (mut text, mut signals) = (Text::default(), Signals::enabled());
    for (name, content) in texts() {
        for worker in &mut workers {
            text.begin().push_str(&content);
            signals.clear();
            worker.apply(&mut RowInProgress::from_text(&mut text, &mut signals));
            assert!(signals.figures().iter().all(|(_, value)| value.is_finite()), "{name}");
            let mut form = String::new();
            worker.rewrite(&content, &mut form);
        }
    }
}
