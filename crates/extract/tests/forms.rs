//! Markdown and clean HTML, read again: by a parser of Markdown, by html5ever, and by our own page.
//!
//! A normal run takes every eighth page of the shared data sets, one with `HULLER_FULL` set takes
//! all.
#![expect(clippy::print_stderr, reason = "a test says what it compared")]

#[path = "forms/parts.rs"]
mod parts;

use huller_extract::{
    Extractor, MarkdownOptions, Profile, Renderer, Selection, TextForm, TextStyle, find,
};
use huller_page::{Page, PageBuf};
use huller_testkit::datasets::each_text;
use huller_testkit::needs_shared;
use parts::{FormParts, of_html, of_markdown};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

needs_shared!(forms_of_crawled_pages_hold_what_was_selected,);

/// Pages whose clean HTML has another text when it is read again, or whose Markdown is rendered
/// to other parts: data set and number, reason.
const KNOWN_DIFFERENCES: &[(&str, &str)] = &[
    ("cleaneval_en #95", "lists directly in a list without items, after another list"),
    ("cleaneval_en_dev #8", "empty cells that take rows and columns as spacers"),
    ("htmltotext_leogao #2", "TeX stays as it is, and between its delimiters is nothing"),
    ("readability #74", "a formula stands twice in a row, which of text would be a copy"),
    ("trafilatura #263", "a table of data in preformatted text"),
    ("wcxb #392", "the number of an item went with its first line, a copy"),
];

const URL: Option<&str> = Some("https://page.test/folder/page");

/// Writes the forms of pages.
struct Forms {
    columns: PageBuf,
    again: PageBuf,
    worker: Box<dyn Extractor>,
    selection: Selection,
    renderer: Renderer,
    text: String,
    /// The text without the marks of lists, which are markup in the other forms.
    bare: String,
    comments: String,
    markdown: String,
    html: String,
}

impl Forms {
    fn new(extractor: &str) -> Forms {
        Forms {
            columns: PageBuf::new(),
            again: PageBuf::new(),
            worker: find(extractor).expect("a known extractor").worker(Profile::Tuned),
            selection: Selection::default(),
            renderer: Renderer::new(TextStyle::FORMED),
            text: String::new(),
            bare: String::new(),
            comments: String::new(),
            markdown: String::new(),
            html: String::new(),
        }
    }

    fn write(&mut self, source: &str) {
        let page = self.columns.fill(source);
        self.worker.extract(&page, &mut self.selection);
        for out in [&mut self.text, &mut self.bare, &mut self.markdown, &mut self.html] {
            out.clear();
        }
        self.renderer.text(&page, &self.selection, &mut self.text);
        // As rows are made: comments come between.
        self.comments.clear();
        self.renderer.comments(&page, &self.selection, &mut self.comments);
        let options = MarkdownOptions::default();
        self.renderer.markdown(&page, &self.selection, URL, options, &mut self.markdown);
        self.renderer.html(&page, &self.selection, URL, &mut self.html);
        self.renderer.set_style(TextStyle::Formed(TextForm::BARE));
        self.renderer.text(&page, &self.selection, &mut self.bare);
        self.renderer.set_style(TextStyle::FORMED);
    }

    /// The text of the clean HTML.
    fn text_again(&mut self) -> String {
        let page: Page<'_> = self.again.fill(&self.html);
        let selection = Selection { roots: vec![page.body()], ..Selection::default() };
        let mut text = String::new();
        Renderer::new(TextStyle::FORMED).text(&page, &selection, &mut text);
        text
    }

    /// What is wrong with the forms of a page: a cause, and where it shows.
    fn faults(&mut self, source: &str) -> Vec<(&'static str, String)> {
        self.write(source);
        let mut faults = Vec::new();
        let again = self.text_again();
        if again != self.text {
            faults.push(("html: text", difference(&self.text, &again)));
        }
        let (html, errors) = of_html(&self.html);
        faults.extend(errors.first().map(|error| ("html: parse error", error.clone())));
        let markdown = of_markdown(&self.markdown);
        let visible = parts::plain(&self.bare);
        if markdown.text != visible {
            faults.push(("markdown: text", difference(&visible, &markdown.text)));
        }
        let FormParts { text: _, headings, items, numbers, cells, code, blocks, links, images } =
            markdown;
        for (cause, wanted, found) in [
            ("markdown: headings", html.headings, headings),
            ("markdown: items", html.items, items),
            ("markdown: numbers", html.numbers, numbers),
            ("markdown: cells", html.cells, cells),
            ("markdown: code", vec![html.code], vec![code]),
            ("markdown: code blocks", html.blocks, blocks),
            ("markdown: links", html.links, links),
            ("markdown: images", html.images, images),
        ] {
            if wanted != found {
                faults.push((cause, difference(&wanted.join("\n"), &found.join("\n"))));
            }
        }
        faults
    }
}

/// Where two texts begin to differ.
fn difference(wanted: &str, found: &str) -> String {
    let same = wanted.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let start = text.floor_char_boundary(same.saturating_sub(60));
        let end = text.floor_char_boundary((same + 60).min(text.len()));
        text[start..end.max(start)].to_owned()
    };
    format!("{:?}\n      {:?}", around(wanted), around(found))
}

fn forms_of_crawled_pages_hold_what_was_selected() {
    let step = if std::env::var_os("HULLER_FULL").is_some() { 1 } else { 8 };
    let mut forms = Forms::new("hull");
    let mut causes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut faulty = 0;
    let pages = each_text(step, |page| {
        let found = forms.faults(&page.html);
        faulty += usize::from(found.iter().any(|(cause, _)| cause.starts_with("markdown")));
        for (cause, place) in found {
            let is_known = KNOWN_DIFFERENCES.iter().any(|(label, _)| *label == page.label);
            if is_known {
                continue;
            }
            causes.entry(cause).or_default().push(format!("{}: {place}", page.label));
        }
    });
    let mut report = format!("{pages} pages, {faulty} whose Markdown differs\n");
    for (cause, places) in &causes {
        let _ = writeln!(report, "{cause}: {}", places.len());
        for place in places.iter().take(12) {
            let _ = writeln!(report, "   {place}");
        }
    }
    eprintln!("{report}");
    assert!(causes.is_empty(), "{report}");
}

#[test]
fn forms_of_the_bundled_pages_hold_what_was_selected() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/pages");
    let mut forms = Forms::new("hull");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = huller_testkit::utf8::lossy(&std::fs::read(&path).unwrap());
        assert_eq!(forms.faults(&source), [], "{}", path.display());
        count += 1;
    }
    assert!(count > 30);
}

fn wild() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "p",
        "div",
        "a",
        "b",
        "i",
        "s",
        "code",
        "br",
        "td",
        "th",
        "tr",
        "table",
        "caption",
        "li",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "nav",
        "h1",
        "h3",
        "span",
        "blockquote",
        "pre",
        "textarea",
        "hr",
        "sup",
        "sub",
        "img",
        "math",
        "figure",
        "button",
        "x-y",
        "svg",
        "select",
        "details",
        "summary",
    ]);
    let attributes = prop::sample::select(vec![
        "",
        "",
        "",
        " href=x",
        " href='y z'",
        " href=javascript:z",
        " src=x.png",
        " src=data:x alt='a]b'",
        " start=7",
        " style='white-space:pre'",
        " class=language-c",
        " colspan=3",
        " alttext='a_b$c'",
    ]);
    let piece = prop_oneof![
        (tag.clone(), attributes).prop_map(|(tag, attributes)| format!("<{tag}{attributes}>")),
        tag.prop_map(|tag| format!("</{tag}>")),
        "[a-zA-Z ,.0-9]{1,20}",
        "[-+*_`~#>|$!()=:;&.0-9\\[\\]\\\\ a-c]{1,8}",
        "[a-zé中。\u{200b}\u{a0}\u{1}\t\n ]{1,9}",
        prop::sample::select(vec![
            "&amp;", "&lt;", "&nbsp;", "&#96;", "\n\n", "1. ", "- ", "# ", "```"
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn forms_of_wild_pages_are_well_formed(source in wild()) {
        let mut forms = Forms::new("body");
        forms.write(&source);
        let (_, errors) = of_html(&forms.html);
        prop_assert_eq!(errors, Vec::<String>::new(), "{}", forms.html);
        let markdown = of_markdown(&forms.markdown);
        prop_assert_eq!(markdown.text, parts::plain(&forms.bare), "{}", forms.markdown);
    }
}
