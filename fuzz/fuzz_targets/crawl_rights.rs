//! Any bytes as `robots.txt` and `tdmrep.json` are rules. The statements about a URL are within
//! their bounds. They are the same for servers with the same files, in any order of the answers.

#![no_main]

use huller_rights::{CrawlFile, CrawlRights, EvidenceLocation, Statement};
use libfuzzer_sys::fuzz_target;

/// Most bytes of the rules, far more than those of an input.
const MAX_BYTES: usize = 1 << 20;

fuzz_target!(|data: (&str, Option<u16>, &str, &[u8], &[u8])| {
    let (path, status, location, robots, reservation) = data;
    let answers: Vec<_> = ["a.test", "b.test"]
        .into_iter()
        .flat_map(|host| {
            let url = |file: &str| format!("https://{host}/{file}");
            [(url("robots.txt"), robots, 1), (url(".well-known/tdmrep.json"), reservation, 2)]
        })
        .collect();
    let files: Vec<_> = answers
        .iter()
        .map(|(url, body, number)| CrawlFile {
            url,
            status,
            location: Some(location),
            date: "2026-01-02T03:04:05Z",
            body,
            place: EvidenceLocation { file: "a.warc.gz", offset: Some(*number) },
        })
        .collect();
    let (forward, backward) = (rights(files.iter()), rights(files.iter().rev()));
    let found = statements(&forward, &format!("https://a.test/{path}"));
    assert_eq!(found, statements(&backward, &format!("https://a.test/{path}")));
    // A redirect may lead from one server to the other.
    if status.is_none_or(|status| status < 300) {
        assert_eq!(found, statements(&forward, &format!("https://b.test/{path}")));
    }
    statements(&forward, path);
});

fn rights<'f>(files: impl Iterator<Item = &'f CrawlFile<'f>>) -> CrawlRights {
    let mut rights = CrawlRights::new(&["CCBot".to_owned(), "GPTBot".to_owned()], MAX_BYTES);
    for file in files {
        assert!(CrawlRights::is_wanted(file.url));
        rights.add(file).expect("the rules are small");
    }
    assert_eq!(rights.len(), 2);
    rights
}

fn statements(rights: &CrawlRights, url: &str) -> Vec<Statement<'static>> {
    let mut found = Vec::new();
    rights.for_each_statement(url, |statement| found.push(statement.into_owned()));
    assert!(found.iter().all(|one| one.value.len() <= Statement::MAX_VALUE_BYTES), "{found:?}");
    found
}
