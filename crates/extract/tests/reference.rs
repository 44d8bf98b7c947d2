//! Compares every extractor with ref.py, a plain version of the extractors in Python, on crawled
//! pages.
//!
//! The two parsers read broken HTML differently, and this project's follows the standard. So each
//! page is first written out as well-formed HTML: for that, both must build the same tree and give
//! the same text. On the pages as they were crawled, at least nine texts in ten must be equal.
//!
//! A normal run compares about 40 pages, a run with `HULLER_FULL` set more than 500. To add a
//! extractor, add a line to `CASES`; `reference/driver.py` has the functions for its expression.

#![expect(clippy::print_stdout, reason = "a test says what it compared")]

mod reference {
    pub(crate) mod driver;
    pub(crate) mod serialized;
}

use huller_extract::{Extractor, Profile, Renderer, Selection, find};
use huller_page::{Page, PageBuf, Tag, TagSet};
use huller_testkit::datasets::each_text;
use huller_testkit::needs_shared;
use reference::driver::{Answer, Driver};
use reference::serialized::{name, serialized};
use std::fmt::Write;

needs_shared!(texts_equal_those_of_the_companion);

/// Extractor, profile, and the expression in Python that does the same.
const CASES: &[(&str, Profile, &str)] = &[
    ("pvalue", Profile::Paper, "text(doc, pvalue_spaced(doc, ref.PV_DROP), ref.PV_DROP)"),
    ("pvalue", Profile::Tuned, "text_or_fall_back(doc, None, TUNED)"),
    ("tsd", Profile::Paper, "text(doc, tsd_leaves(doc, ref.TSD_DROP), ref.TSD_DROP)"),
    ("tsd", Profile::Tuned, "text_or_fall_back(doc, tsd_sum(doc, TUNED), TUNED)"),
    ("td", Profile::Paper, "text(doc, tsd_leaves(doc, ref.TSD_DROP, symbols=False), ref.TSD_DROP)"),
    ("td", Profile::Tuned, "text_or_fall_back(doc, tsd(doc, FORMS, symbols=False), FORMS)"),
    ("cetd", Profile::Paper, "cetd_marked(doc, ref.CETD_DROP)"),
    ("cetd", Profile::Tuned, "text_or_fall_back(doc, cetd(doc, FORMS), FORMS)"),
    (
        "ceds",
        Profile::Paper,
        "ceds(doc, ref.CEDS_DROP, variance='otsu', weight='chars', denoise='pair')",
    ),
    (
        "ceds",
        Profile::Tuned,
        "ceds(doc, FORMS, variance='otsu', weight='chars') or text_or_fall_back(doc, None, TUNED)",
    ),
    ("mss", Profile::Paper, "mss(doc, TOKENS_DROP)"),
    ("mss", Profile::Tuned, "mss(doc, FORMS) or text_or_fall_back(doc, None, TUNED)"),
    ("ccb", Profile::Paper, "ccb(doc, TOKENS_DROP)"),
    ("ccb", Profile::Tuned, "ccb(doc, HEADLINES) or text_or_fall_back(doc, None, TUNED)"),
    ("cetr", Profile::Paper, "cetr(source)"),
    ("lineblock", Profile::Paper, "lineblock(source)"),
    ("nb", Profile::Paper, "nb(doc, 'paper', CORE, merge='siblings')"),
    ("nb", Profile::Tuned, "nb(doc, 'tuned', FORMS, prior=True, fall_back=True)"),
    ("nb-table", Profile::Paper, "nb(doc, 'table_paper', CORE, {'table'}, merge='siblings')"),
    (
        "nb-table",
        Profile::Tuned,
        "nb(doc, 'table_tuned', FORMS, {'table'}, prior=True, fall_back=True)",
    ),
    ("dvps", Profile::Paper, "dvps(doc, ref.DV_DROP) or ''"),
    ("dvps", Profile::Tuned, "given_or_fall_back(doc, dvps(doc, BOTH, .8))"),
    ("body", Profile::Paper, "body(doc)"),
];

/// Settings by which `dvps` reads the paper as ref.py does. Those that ship have departed from it
/// (C-10, C-12, C-13, C-15, C-16, C-18 of the specification).
const DVPS: &str = r#"{"format": "huller-dvps", "version": 1,
    "paper": {"weights": [0.5, 0.2, 0.3, 0.7, 0.2, 0.1], "third_term": "tags", "spatial": 0.5, "permitted_coherence": 5.5,
        "segments": "div", "cut_tables": false, "gaps_and_fonts": false,
        "differing_properties": false, "inner_rules": false, "chosen": 1.0, "pull_in": null, "phrases": []},
    "tuned": {"weights": [0.5, 0.2, 0.3, 0.7, 0.2, 0.1], "third_term": "tags", "spatial": 0.5, "permitted_coherence": 5.5,
        "segments": "div", "cut_tables": false, "gaps_and_fonts": false, "chosen": 0.8, "pull_in": null, "phrases": []}}"#;

/// Extractors that select lines of the source. ref.py joins these lines, while this project breaks
/// lines where blocks end. So white space is left out of the comparison.
const BY_LINES: &[&str] = &["cetr", "lineblock"];

/// Pages whose trees differ even as well-formed HTML: label, reason.
const KNOWN_TREES: &[(&str, &str)] = &[
    ("chaos_utomo #110", LINK_IN_LINK),
    ("cleaneval_en #88", LINK_IN_LINK),
    ("cwced_zh #15", LINK_IN_LINK),
    (
        "dragnet #123",
        "a form stands in an element that was opened in a form which has ended; ref.py opens it again",
    ),
    ("dragnet #755", LINK_IN_LINK),
    ("l3s_gn1 #325", LINK_IN_LINK),
    ("wcxb #560", LINK_IN_LINK),
    ("wcxb #592", LINK_IN_LINK),
    ("wcxb #696", LINK_IN_LINK),
    ("wcxb #736", LINK_IN_LINK),
];

const LINK_IN_LINK: &str = "a link stands in an element that was opened in a link which has ended; ref.py ends that element too";

fn step() -> usize {
    if std::env::var_os("HULLER_FULL").is_some() { 8 } else { 96 }
}

/// Results of a case over all pages.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// Texts that are equal on the page as it was crawled.
    equal: usize,
    /// Texts that differ, on pages whose trees differ too.
    other_tree: usize,
    /// Texts that differ although the trees are equal.
    other_text: usize,
}

/// This project's side, with memory that other pages have used.
struct HullerSide {
    page: PageBuf,
    /// One worker for each case.
    workers: Vec<Box<dyn Extractor>>,
    selection: Selection,
    renderer: Renderer,
}

impl HullerSide {
    fn new() -> HullerSide {
        let worker = |&(name, profile, _): &(&str, Profile, &str)| {
            let extractor = find(name).expect("a known extractor");
            if name != "dvps" {
                return extractor.worker(profile);
            }
            let companion =
                extractor.with_model(DVPS.as_bytes(), profile).expect("it has settings");
            companion.expect("these are right").worker(profile)
        };
        HullerSide {
            page: PageBuf::new(),
            workers: CASES.iter().map(worker).collect(),
            selection: Selection::default(),
            renderer: Renderer::default(),
        }
    }

    fn extract(&mut self, html: &str) -> Answer {
        let page = self.page.fill(html);
        let texts = CASES.iter().zip(&mut self.workers).map(|((extractor, ..), worker)| {
            worker.extract(&page, &mut self.selection);
            let mut text = String::new();
            self.renderer.text(&page, &self.selection, &mut text);
            if BY_LINES.contains(extractor) {
                text.retain(|c| !c.is_whitespace());
            }
            text
        });
        Answer { texts: texts.collect(), tree: tree(&page) }
    }

    fn serialized(&mut self, html: &str) -> String {
        serialized(&self.page.fill(html))
    }
}

/// The tree as text, one line for each element, in the form of `driver.py`.
fn tree(page: &Page<'_>) -> String {
    let mut own = vec![(0, 0, 0); page.nodes().len()];
    for run in page.runs() {
        let own = &mut own[run.node as usize];
        own.0 += run.counts.chars;
        own.1 += run.counts.gaps;
        own.2 += run.counts.punctuation;
    }
    let mut lines = String::new();
    for (node, own) in page.nodes().iter().zip(own) {
        let (chars, gaps, punctuation) = if node.is(TagSet::CODE) { (0, 0, 0) } else { own };
        let name = name(page, node);
        let _ = writeln!(lines, "{name} {} {chars} {gaps} {punctuation}", node.level);
    }
    lines.pop();
    lines
}

/// Whether a link lies in a link: browsers build such trees of overlapping tags, but no HTML that
/// is written out gives them.
fn has_link_in_link(page: &Page<'_>) -> bool {
    let mut link_end = 0;
    page.nodes().iter().enumerate().filter(|(_, node)| node.tag == Tag::A).any(|(at, node)| {
        let is_inside = at < link_end as usize;
        link_end = node.end.max(link_end);
        is_inside
    })
}

/// Describes the first line in which two texts differ.
fn difference(ours: &str, theirs: &str) -> String {
    let mut lines = ours.lines().zip(theirs.lines()).enumerate();
    let differs = lines.find(|(_, (ours, theirs))| ours != theirs);
    differs.map_or_else(
        || format!("{} lines, not {}", ours.lines().count(), theirs.lines().count()),
        |(number, (ours, theirs))| {
            let cut = |line: &str| line.chars().take(120).collect::<String>();
            format!("line {number}: {:?}, not {:?}", cut(ours), cut(theirs))
        },
    )
}

fn texts_equal_those_of_the_companion() {
    let mut driver = Driver::start();
    let expressions: Vec<_> = CASES.iter().map(|(_, _, expression)| *expression).collect();
    let mut ours = HullerSide::new();
    let mut tallies = vec![Tally::default(); CASES.len()];
    let mut faults = Vec::new();
    let pages = each_text(step(), |page| {
        let known = KNOWN_TREES.iter().any(|(label, _)| *label == page.label)
            || has_link_in_link(&ours.page.fill(&page.html));
        let plain = ours.serialized(&page.html);
        let (us, them) = (ours.extract(&plain), driver.ask(&plain, &expressions));
        if us.tree == them.tree {
            for (case, (us, them)) in CASES.iter().zip(us.texts.iter().zip(&them.texts)) {
                if us != them {
                    let (extractor, profile) = (case.0, case.1.name());
                    let difference = difference(us, them);
                    faults.push(format!("{} {extractor} {profile}: {difference}", page.label));
                }
            }
        } else if !known {
            faults.push(format!("{} tree: {}", page.label, difference(&us.tree, &them.tree)));
        }
        let (us, them) = (ours.extract(&page.html), driver.ask(&page.html, &expressions));
        for (tally, (ours, theirs)) in tallies.iter_mut().zip(us.texts.iter().zip(&them.texts)) {
            if ours == theirs {
                tally.equal += 1;
            } else if us.tree != them.tree {
                tally.other_tree += 1;
            } else {
                tally.other_text += 1;
            }
        }
    });
    for ((extractor, profile, _), tally) in CASES.iter().zip(&tallies) {
        println!("{extractor} {}: of {pages} pages as crawled {tally:?}", profile.name());
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    if pages < 500 {
        return; // too few pages to measure shares
    }
    for ((extractor, profile, _), tally) in CASES.iter().zip(&tallies) {
        let name = profile.name();
        assert!(tally.equal * 100 >= pages * 85, "{extractor} {name}: {tally:?}");
        assert!(tally.other_text * 50 <= pages, "{extractor} {name}: {tally:?}");
    }
}
