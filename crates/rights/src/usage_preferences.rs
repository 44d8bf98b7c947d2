//! Reads preferences about uses: `Content-Usage` of the IETF drafts and `Content-Signal` of
//! Cloudflare, in headers and in robots.txt.
//!
//! Both are lists of `use=answer`, separated by commas: `train-ai=n, search=y` and
//! `ai-train=no, search=yes`.

use crate::statement::Signal;

/// Calls `visit` with each known use and its answer, `yes` or `no`.
pub(crate) fn for_each_preference(value: &str, mut visit: impl FnMut(Signal, &'static str)) {
    for pair in value.split(',') {
        let Some((name, answer)) = pair.split_once('=') else { continue };
        // Parameters of the answer follow a semicolon.
        let answer = answer.split(';').next().unwrap_or_default().trim();
        if let (Some(signal), Some(answer)) = (signal(name.trim()), parse_answer(answer)) {
            visit(signal, answer);
        }
    }
}

fn signal(name: &str) -> Option<Signal> {
    const NAMES: [(&str, Signal); 5] = [
        ("train-ai", Signal::AiTrain),
        ("train-genai", Signal::AiTrain),
        ("ai-train", Signal::AiTrain),
        ("ai-input", Signal::AiInput),
        ("search", Signal::Search),
    ];
    let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    known.map(|(_, signal)| *signal)
}

/// Returns `yes` or `no` for an answer in any of its spellings.
fn parse_answer(answer: &str) -> Option<&'static str> {
    match answer.as_bytes() {
        b"?1" => Some("yes"),
        b"?0" => Some("no"),
        _ if ["y", "yes"].iter().any(|yes| yes.eq_ignore_ascii_case(answer)) => Some("yes"),
        _ if ["n", "no"].iter().any(|no| no.eq_ignore_ascii_case(answer)) => Some("no"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_vocabularies_are_read() {
        let read = |value| {
            let mut all = Vec::new();
            for_each_preference(value, |signal, answer| all.push((signal, answer)));
            all
        };
        assert_eq!(
            read("train-ai=n;reason=\"x\", search=Y"),
            [(Signal::AiTrain, "no"), (Signal::Search, "yes")]
        );
        assert_eq!(
            read("search=yes,ai-input=yes,ai-train=no,use=reference"),
            [(Signal::Search, "yes"), (Signal::AiInput, "yes"), (Signal::AiTrain, "no")]
        );
        assert_eq!(read("train-ai, train-ai=maybe, =n, ai-train"), []);
    }
}
