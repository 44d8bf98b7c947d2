//! Any path and query as a request to the site, and any bytes in place of bytes of an index. A
//! request gets an answer in which text of the request is no markup. A damaged index is refused, or
//! it finds its sound row.

#![no_main]

use huller_fuzz::text;
use huller_index::{Filter, Options, Query, SearchHit, Searcher, build};
use huller_run::monitor::SilentMonitor;
use huller_serve::{Corpus, CorpusError, Request, Site};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Request {
        path: u8,
        query: &'a [u8],
    },
    /// Changes in files of the index: the number of the file, the place in it, the new bytes, and
    /// whether the file ends there.
    Damage(Vec<(u8, u32, &'a [u8], bool)>),
}

/// The paths of the site.
const PATHS: [&str; 7] = ["/", "/row", "/explain", "/page", "/report", "/serve.css", "/other"];

const ROWS: &str = r#"{"id":"1","url":"http://a.test/1","title":"Ferry","text":"It came.","language":"eng"}
{"id":"2","url":"http://b.test/2","title":"Ship","text":"The ferry sank.","date":"2024-01-02"}
"#;

/// A corpus without archives.
struct NoArchives;

impl Corpus for NoArchives {
    fn page(&self, _: &SearchHit) -> Result<Vec<u8>, CorpusError> {
        Err(CorpusError::Missing("none".to_owned()))
    }

    fn explain(&self, _: &SearchHit) -> Result<String, CorpusError> {
        Err(CorpusError::TooLarge("large".to_owned()))
    }

    fn report(&self) -> Result<String, CorpusError> {
        Err(CorpusError::NotYet("not yet".to_owned()))
    }

    fn has_pages(&self) -> bool {
        true
    }

    fn has_report(&self) -> bool {
        true
    }
}

/// The folder of this process with the sound index in `sound`. The system removes it.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    // The library of the index panics at some damaged files, and a searcher catches that. The hook
    // of the fuzzer would end the process first.
    panic::set_hook(Box::new(|found| {
        if found.location().is_some_and(|place| place.file().ends_with("site.rs")) {
            eprintln!("{found}");
        }
    }));
    let folder = tempfile::tempdir().expect("there is room for an index").keep();
    let [rows, index] = ["rows.jsonl", "sound"].map(|name| folder.join(name));
    fs::write(&rows, ROWS).expect("there is room for rows");
    let options = Options {
        threads: 1,
        memory: 64 << 20,
        commit_interval_bytes: 1 << 20,
        ..Options::default()
    };
    build(&[rows], &index, &options, &mut SilentMonitor, &Arc::default())
        .expect("the index is built");
    folder
});

static SITE: LazyLock<Site> = LazyLock::new(|| {
    let searcher = Searcher::open(&FOLDER.join("sound")).expect("the index is sound");
    Site::new("rows".to_owned(), searcher, Box::new(NoArchives))
});

fuzz_target!(|input: Input<'_>| match input {
    Input::Request { path, query } => {
        let path = PATHS[usize::from(path) % PATHS.len()].to_owned();
        request(&Request { path, query: text(query) });
    }
    Input::Damage(changes) => damage(&changes),
});

/// Asks the site. The queries of inputs have no tag of their own in the answer.
fn request(request: &Request) {
    let answer = SITE.answer(request);
    assert!(matches!(answer.status, 200 | 204 | 400 | 404 | 422 | 503), "{answer:?}");
    let body = String::from_utf8(answer.body).expect("pages are UTF-8");
    for tag in ["<script", "<img", "<iframe", " onerror="] {
        assert!(!body.contains(tag), "{body}");
    }
}

/// Opens an index with changes, and searches it.
fn damage(changes: &[(u8, u32, &[u8], bool)]) {
    let index = FOLDER.join("damaged");
    let mut names: Vec<_> = fs::read_dir(FOLDER.join("sound"))
        .expect("the sound index")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    let _ = fs::remove_dir_all(&index);
    fs::create_dir(&index).expect("there is room for a folder");
    let mut is_changed = false;
    for (number, name) in names.iter().enumerate() {
        let mut bytes = fs::read(FOLDER.join("sound").join(name)).expect("a sound file");
        let sound = bytes.clone();
        let of_file = changes.iter().filter(|change| usize::from(change.0) % names.len() == number);
        for (_, at, new, ends) in of_file {
            let at = *at as usize % (bytes.len() + 1);
            let end = (at + new.len()).min(bytes.len());
            bytes[at..end].copy_from_slice(&new[..end - at]);
            if *ends {
                bytes.truncate(end);
            }
        }
        is_changed |= bytes != sound;
        fs::write(index.join(name), bytes).expect("there is room for an index");
    }
    let found = search(&index);
    assert!(is_changed || found.is_some());
    if let Some(found) = found {
        assert_eq!(found, ["1", "2"]);
    }
}

/// Returns the ids of the rows of a search, or `None` if the index is refused.
fn search(index: &Path) -> Option<Vec<String>> {
    let searcher = Searcher::open(index).ok()?;
    let query = Query::parse("ferry").expect("a word is a query");
    let mut search = searcher.search(&query, &Filter::default()).ok()?;
    let hits = search.hits(0, 10).ok()?;
    let mut ids: Vec<String> = hits.into_iter().map(|hit| hit.id).collect();
    ids.sort();
    Some(ids)
}
