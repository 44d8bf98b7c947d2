//! Any text is a page with links and statements of rights. They do not depend on the pages before
//! it. Each is text of the page, or within its bounds.

#![no_main]

use huller_extract::{
    EXTRACTORS, Extractor, LinkPage, Links, PageFacts, Profile, Renderer, Selection,
};
use huller_page::PageBuf;
use huller_rights::{EvidenceLocation, PageRights, Statement, license_name, read_statements};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local! {
    /// Buffers that were used for all earlier pages.
    static USED: RefCell<Tools> = RefCell::new(Tools::new());
}

struct Tools {
    buffer: PageBuf,
    worker: Box<dyn Extractor>,
    renderer: Renderer,
    links: Links,
    rights: PageRights,
}

impl Tools {
    fn new() -> Tools {
        let extractor =
            EXTRACTORS.iter().find(|extractor| extractor.name() == "hull").expect("it is known");
        let mut renderer = Renderer::default();
        renderer.note_places();
        let worker = extractor.worker(Profile::Tuned);
        let (buffer, links, rights) = (PageBuf::new(), Links::default(), PageRights::default());
        Tools { buffer, worker, renderer, links, rights }
    }
}

/// The links of a page as lines, and its statements as JSON.
type Found = (Vec<String>, String);

fuzz_target!(|data: (Vec<(u8, String)>, &[u8])| {
    let (headers, bytes) = data;
    let html = huller_fuzz::text(bytes);
    let fresh = read(&mut Tools::new(), &headers, &html);
    let used = USED.with_borrow_mut(|tools| read(tools, &headers, &html));
    assert_eq!(fresh, used, "a page must not depend on those before it");
});

/// Reads a page and checks its links and statements.
fn read(tools: &mut Tools, headers: &[(u8, String)], html: &str) -> Found {
    let Tools { buffer, worker, renderer, links, rights } = tools;
    let page = buffer.fill(html);
    let mut selection = Selection::default();
    worker.extract(&page, &mut selection);
    let facts = PageFacts::default();
    let whole = LinkPage { page: &page, segmentation: None, selection: &selection, facts };
    let (mut found, mut begin) = (Vec::new(), html.as_ptr() as usize);
    links.for_each_link(whole, renderer, |link| {
        // References are parts of the page, in its order.
        let place = link.href.as_ptr() as usize;
        let is_of_page =
            begin <= place && place + link.href.len() <= html.as_ptr() as usize + html.len();
        assert!(link.href.is_empty() || is_of_page, "{link:?}");
        begin = if link.href.is_empty() { begin } else { place };
        assert!(link.alt.is_none() || link.text.is_empty(), "{link:?}");
        found.push(format!("{link:?}"));
    });

    rights.begin(EvidenceLocation { file: "a\"b", offset: Some(7) });
    for (kind, value) in headers {
        let names =
            ["x-robots-tag", "tdm-reservation", "TDM-Policy", "content-usage", "link", "other"];
        rights.header(names[usize::from(*kind) % names.len()], value);
    }
    rights.page(&page);
    rights.json_ld(headers.first().map_or("", |(_, value)| value), "");
    rights.finish();
    let json = rights.json().to_owned();
    if !json.is_empty() {
        let statements = read_statements(&json).expect("the list is valid");
        for statement in &statements {
            assert!(statement.value.len() <= Statement::MAX_VALUE_BYTES, "{statement:?}");
            assert_eq!((&*statement.file, statement.offset), ("a\"b", Some(7)));
            license_name(&statement.value);
        }
    }
    (found, json)
}
