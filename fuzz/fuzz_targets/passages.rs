//! Any text through the splitter, as Markdown and as plain text. The passages are the text, each is
//! within the limit, and a used splitter cuts as a fresh one.

#![no_main]

use huller_fuzz::text;
use huller_passages::{PassageSettings, Source, Splitter};
use libfuzzer_sys::fuzz_target;

/// The smallest limits, and usual ones in characters.
const LIMITS: [(u64, u64); 3] = [(16, 8), (60, 20), (600, 100)];

fuzz_target!(|bytes: &[u8]| {
    let page = text(bytes);
    for (max_tokens, min_tokens) in LIMITS {
        let settings = PassageSettings {
            max_tokens,
            min_tokens,
            tokenizer: "characters".to_owned(),
            ..PassageSettings::default()
        };
        let mut splitter = Splitter::new(&settings).expect("the settings are allowed");
        for is_plain in [false, true] {
            let source = Source { id: "1", markdown: &page, is_plain, ..Source::default() };
            let mut joined = String::new();
            let mut ids = Vec::new();
            for passage in splitter.split(&source) {
                joined.push_str(passage.text);
                assert!(passage.tokens <= max_tokens, "{}", passage.tokens);
                ids.push(passage.id);
            }
            assert_eq!(joined, page);
            let mut fresh = Splitter::new(&settings).expect("the settings are allowed");
            assert!(fresh.split(&source).map(|passage| passage.id).eq(ids));
        }
    }
});
