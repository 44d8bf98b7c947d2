//! The tree-construction cases of html5lib: our visible text, with the ends of words and blocks,
//! against that of the expected tree.
#![expect(clippy::print_stderr, reason = "a test says what it compared")]

mod support {
    pub(crate) mod visible;
}

use huller_page::{PageBuf, Tag};
use huller_testkit::{needs_shared, shared};
use std::path::Path;
use support::visible::{VisibleText, is_unseen, of_page};

needs_shared!(the_text_of_the_trees_of_html5lib_is_found);

/// Cases whose text we don't find as the standard has it: input, reason. It may only shrink: a case
/// that passes must be taken out.
const KNOWN_MISSES: &[(&str, &str)] = &[
    ("<select><button><selectedcontent></button><option>X", COPIED_OPTION),
    ("<select><button><selectedcontent></button><option>x<i>i<b>ib</i>b", COPIED_OPTION),
    ("<select><button><selectedcontent></button><option>X<option>Y", COPIED_OPTION),
    ("<select><button><selectedcontent></button><option>X<option selected>Y", COPIED_OPTION),
];

const COPIED_OPTION: &str =
    "a browser copies the selected option into `selectedcontent`; its text is in the page once";

/// Of all cases, so many in a hundred may be listed.
const MAX_MISSES_PERCENT: usize = 2;

/// Elements in whose fragments the rules are those of the body: such a fragment is read as a body.
const LIKE_BODY: &str = " body div p span td th li a b address button ";

#[derive(Debug, Default)]
struct Case {
    data: String,
    /// Name of the element whose content the input is.
    context: Option<String>,
    scripting: bool,
    tree: String,
}

fn the_text_of_the_trees_of_html5lib_is_found() {
    let folders = ["/html5lib-tests/tree-construction/", "/testdata/go/"];
    let files = shared::hostile_files(|path| {
        let is_case = Path::new(path).extension() == Some("dat".as_ref());
        is_case && folders.iter().any(|folder| path.contains(folder))
    });
    let mut unexpected = Vec::new();
    let (mut compared, mut listed, mut scripted, mut fragments) = (0, 0, 0, 0);
    let mut buffer = PageBuf::new();
    for (path, bytes) in &files {
        let text = huller_testkit::utf8::lossy(bytes);
        for case in cases(&text) {
            if case.scripting || path.contains("/scripted/") {
                scripted += 1;
                continue;
            }
            let fragment = case.context.as_deref();
            if fragment.is_some_and(|name| !LIKE_BODY.contains(&format!(" {name} "))) {
                fragments += 1;
                continue;
            }
            let html = format!("{}{}", if fragment.is_some() { "<body>" } else { "" }, case.data);
            let (ours, expected) = (of_page(&buffer.fill(&html)), visible_text(&case.tree));
            compared += 1;
            let miss = KNOWN_MISSES.iter().find(|(data, _)| *data == case.data);
            let file = path.rsplit('/').next().expect("a file name");
            match (ours == expected, miss) {
                (true, None) => {}
                (true, Some(_)) => unexpected
                    .push(format!("{file}: {:?} is listed as a miss, but passes", case.data)),
                (false, Some(_)) => listed += 1,
                (false, None) => unexpected.push(format!(
                    "{file}: {:?}\n  expected {expected:?}\n  ours     {ours:?}",
                    case.data
                )),
            }
        }
    }
    eprintln!(
        "html5lib trees: {compared} cases of {} files, {} unexpected, {listed} known misses; left out: {scripted} that run scripts, \
         {fragments} fragments of elements whose rules are not those of the body",
        files.len(),
        unexpected.len()
    );
    assert!(compared > 1_200, "only {compared} cases found");
    assert!(unexpected.is_empty(), "{} cases:\n{}", unexpected.len(), unexpected.join("\n"));
    assert!(listed >= KNOWN_MISSES.len(), "a known miss names no case");
    assert!(listed * 100 <= compared * MAX_MISSES_PERCENT, "{listed} misses are too many");
}

/// The cases of a file.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section = "";
    for line in text.split('\n') {
        match line {
            "#data" => {
                cases.push(Case::default());
                section = line;
                continue;
            }
            "#errors" | "#new-errors" | "#document-fragment" | "#document" => {
                section = line;
                continue;
            }
            "#script-on" | "#script-off" => {
                cases.last_mut().expect("a case has data first").scripting = line == "#script-on";
                continue;
            }
            _ => {}
        }
        let Some(case) = cases.last_mut() else { continue };
        match section {
            "#data" => case.data = case.data.clone() + line + "\n",
            "#document-fragment" => case.context = Some(line.to_owned()),
            "#document" => case.tree = case.tree.clone() + line + "\n",
            _ => {}
        }
    }
    for case in &mut cases {
        case.data.pop();
    }
    cases
}

/// The visible text of an expected tree, which has a line for each node, `| ` and two spaces for
/// each level first. Texts are quoted and may take several lines.
fn visible_text(tree: &str) -> String {
    let mut visible = VisibleText::default();
    // Depth and tag of the open elements, and whether they are seen.
    let mut open: Vec<(usize, Tag, bool)> = Vec::new();
    let mut lines = tree.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix("| ") else { continue };
        let content = rest.trim_start_matches(' ');
        let depth = (rest.len() - content.len()) / 2;
        while open.last().is_some_and(|(other, ..)| *other >= depth) {
            let (_, tag, seen) = open.pop().expect("there is one");
            if seen {
                visible.tag(tag);
            }
        }
        let seen = open.last().is_none_or(|(.., seen)| *seen);
        if let Some(text) = content.strip_prefix('"') {
            let mut text = text.to_owned();
            while lines.peek().is_some_and(|next| !next.starts_with("| "))
                && !is_whole(&text, lines.peek().copied())
            {
                text = text + "\n" + lines.next().expect("it was there");
            }
            if seen {
                visible.text(text.strip_suffix('"').unwrap_or(&text));
            }
        } else if content.starts_with('<') && !content.starts_with("<!") {
            let name = content.trim_matches(['<', '>']);
            let name = name.split_once(' ').map_or(name, |(_, name)| name);
            let tag = Tag::from_name(name.as_bytes());
            if seen {
                visible.tag(tag);
            }
            open.push((depth, tag, seen && !is_unseen(tag)));
        } else if content == "content" {
            open.push((depth, Tag::TEMPLATE, false));
        }
    }
    visible.finish()
}

/// Whether a quoted text ends here, before the `next` line.
fn is_whole(text: &str, next: Option<&str>) -> bool {
    text.ends_with('"') && next.is_none_or(str::is_empty)
}
