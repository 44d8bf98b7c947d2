//! Every method against the specification's executable companion (ref.py) on crawled pages.
//!
//! The two read broken HTML differently, and ours is right (it is held to the standard). So each page is first written out
//! again from our own columns: of that both must see the same tree and give the same text. On the pages as they were crawled
//! at least nine texts in ten must be equal.
//!
//! A normal run takes some 40 pages, one with `HULLER_FULL` set takes over 500. A method is added by a line in `CASES`;
//! what its expression may use is in `reference/driver.py`.

#[path = "../../page/tests/support/lossy.rs"]
mod lossy;
#[path = "../../page/tests/support/shared.rs"]
mod shared;
#[path = "../../page/tests/support/warc.rs"]
mod warc;

mod reference {
    pub(crate) mod driver;
    pub(crate) mod serialized;
}

use huller_extract::{Profile, Renderer, Scratch, Selection, find};
use huller_page::{Page, PageBuf, TagSet};
use reference::driver::{Answer, Driver};
use reference::serialized::{name, serialized};
use std::fmt::Write;
use warc::each_page;

/// Method, profile, and the same in Python.
const CASES: &[(&str, Profile, &str)] = &[
    ("pvalue", Profile::Paper, "text(doc, pvalue(doc, ref.PV_DROP), ref.PV_DROP)"),
    ("pvalue", Profile::Tuned, "text_or_fall_back(doc, None, TUNED)"),
    ("tsd", Profile::Paper, "text(doc, tsd(doc, ref.TSD_DROP), ref.TSD_DROP)"),
    ("tsd", Profile::Tuned, "text_or_fall_back(doc, tsd_sum(doc, TUNED), TUNED)"),
    ("td", Profile::Paper, "text(doc, tsd(doc, ref.TSD_DROP, symbols=False), ref.TSD_DROP)"),
    ("td", Profile::Tuned, "text_or_fall_back(doc, tsd(doc, FORMS, symbols=False), FORMS)"),
    ("cetd", Profile::Paper, "cetd_marked(doc, ref.CETD_DROP)"),
    ("cetd", Profile::Tuned, "text_or_fall_back(doc, cetd(doc, FORMS), FORMS)"),
    ("ceds", Profile::Paper, "ceds(doc, ref.CEDS_DROP)"),
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

/// Methods that choose lines of the source. The companion joins these; we make line breaks where blocks end. So white
/// space is left out of the comparison.
const BY_LINES: &[&str] = &["cetr", "lineblock"];

/// Pages whose trees differ even when written out plainly: label, reason.
const KNOWN_TREES: &[(&str, &str)] = &[];

fn step() -> usize {
    if std::env::var_os("HULLER_FULL").is_some() { 8 } else { 96 }
}

/// How a case went over all pages.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// Texts equal on the page as crawled.
    equal: usize,
    /// Not equal, but neither is the tree.
    other_tree: usize,
    /// Not equal though the trees are.
    other_text: usize,
}

/// Our side, with memory that has seen other pages.
#[derive(Default)]
struct Ours {
    page: PageBuf,
    scratch: Scratch,
    selection: Selection,
    renderer: Renderer,
}

impl Ours {
    fn extract(&mut self, html: &str) -> Answer {
        let page = self.page.fill(html);
        let texts = CASES.iter().map(|(method, profile, _)| {
            let extractor = find(method).expect("a known method").profile(*profile);
            extractor.extract(&page, &mut self.scratch, &mut self.selection);
            let mut text = String::new();
            self.renderer.text(&page, &self.selection, &mut text);
            if BY_LINES.contains(method) {
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

/// A line an element, as `driver.py` has it.
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

/// The first line in which two texts differ.
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

#[test]
fn texts_equal_those_of_the_companion() {
    let Some(mut driver) = Driver::start() else { return };
    let expressions: Vec<_> = CASES.iter().map(|(_, _, expression)| *expression).collect();
    let mut ours = Ours::default();
    let mut tallies = vec![Tally::default(); CASES.len()];
    let mut faults = Vec::new();
    let pages = each_page(step(), |page| {
        let known = KNOWN_TREES.iter().any(|(label, _)| *label == page.label);
        let plain = ours.serialized(&page.html);
        let (us, them) = (ours.extract(&plain), driver.ask(&plain, &expressions));
        if us.tree == them.tree {
            for (case, (us, them)) in CASES.iter().zip(us.texts.iter().zip(&them.texts)) {
                if us != them {
                    let (method, profile) = (case.0, case.1.name());
                    let difference = difference(us, them);
                    faults.push(format!("{} {method} {profile}: {difference}", page.label));
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
    let Some(pages) = pages else { return };
    for ((method, profile, _), tally) in CASES.iter().zip(&tallies) {
        println!("{method} {}: of {pages} pages as crawled {tally:?}", profile.name());
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    if pages < 500 {
        return; // too few to say anything of shares
    }
    for ((method, profile, _), tally) in CASES.iter().zip(&tallies) {
        assert!(tally.equal * 10 >= pages * 9, "{method} {}: {tally:?}", profile.name());
    }
}
