use super::*;
use crate::evaluation::{
    Evaluation, PageFacts, PageScore, PrecisionRecall, System, TextScores, WorstPage,
};

const HOSTILE: &str =
    "<script>alert(1)</script>\" onload='x' &amp; \u{1b}[31m \u{202e}txt\u{0}\u{9b}";

fn tiny(name: &str, gold: &str, text: &str) -> String {
    let system = SystemFigures {
        name: name.to_owned(),
        profile: "tuned".to_owned(),
        lcs_f1: Some(0.8125),
        low: 0.79,
        high: 0.83,
        shingle_f1: Some(0.75),
        snippet_f1: None,
        empty: 1,
        pages: 1234,
        mb_per_cpu_s: Some(320.4),
    };
    let other = SystemFigures { name: "peer".to_owned(), ..SystemFigures::default() };
    let cell =
        CellFigures { lcs_f1: Some(0.8125), shingle_f1: Some(0.75), ..CellFigures::default() };
    let dataset = DatasetFigures { name: name.to_owned(), pages: 1234, systems: vec![cell] };
    let lcs = PrecisionRecall { precision: 0.5, recall: 1.0, f1: 2.0 / 3.0 };
    let scores = TextScores { gold_tokens: 2, text_tokens: 4, lcs, ..TextScores::default() };
    let mut evaluation = Evaluation::default();
    evaluation.systems.push(System {
        name: name.to_owned(),
        profile: "tuned".to_owned(),
        cpu_seconds: Some(1.0),
    });
    evaluation.pages.push(PageFacts {
        id: name.to_owned(),
        dataset: name.to_owned(),
        lang: Some(name.to_owned()),
        page_type: Some(name.to_owned()),
        html_bytes: 4000,
    });
    evaluation.scores.push(vec![PageScore { text: Some(scores), snippets: None }]);
    let (gold, text) = (gold.to_owned(), text.to_owned());
    html(&HtmlReport {
        title: name,
        facts: &[(name.to_owned(), name.to_owned())],
        systems: &[system, other],
        datasets: &[dataset],
        evaluation: &evaluation,
        worst: &[WorstPage { system: 0, page: 0, gold, text }],
        notes: &[name.to_owned()],
    })
}

#[test]
fn a_tiny_report() {
    let page = tiny("pvalue", "Rain fell.", "Home Rain fell. Share");
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let page = format!("{head}<style>...</style>{body}");
    insta::assert_snapshot!(page.replace("><", ">\n<"));
}

/// Returns the tags of a page with their attributes, cut from well-formed HTML without scripts.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()).collect()
}

#[test]
fn strings_from_outside_stay_text() {
    let hostile = tiny(HOSTILE, HOSTILE, &format!("{HOSTILE} more </ins></div>"));
    for forbidden in
        ["<script", "</ins></div> ", "\" onload", "\u{1b}", "\u{202e}", "\u{0}", "\u{9b}"]
    {
        assert!(!hostile.contains(forbidden), "{forbidden:?}");
    }
    assert!(
        hostile.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload='x' &amp;amp; ␛[31m")
    );
    // The markup is the same as with harmless names, except where it depends on the words of the
    // diff.
    let tame = tiny("pvalue", "a", "a b");
    let markup = |page: &str| -> Vec<String> {
        let outside_diff = page.split_once("<div class=\"diff\"").unwrap().0;
        let chart_free =
            |tag: &&str| !tag.starts_with("text") && !tag.starts_with("line") && *tag != "/text";
        tags(outside_diff).into_iter().filter(chart_free).map(str::to_owned).collect()
    };
    assert_eq!(markup(&hostile), markup(&tame));
    let known = ["del", "ins", "span", "/del", "/ins", "/span"];
    let in_diff = hostile.split_once("dir=\"auto\">").unwrap().1.split_once("</div>").unwrap().0;
    assert!(
        tags(in_diff)
            .into_iter()
            .all(|tag| known.contains(&tag) || tag == "span class=\"omitted\"")
    );
}

#[test]
fn nothing_is_fetched_and_nothing_runs() {
    let page = tiny("x", "a", "b");
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\""));
    for reference in ["http://", "https://", "url(", "@import", "src=", "href=", "<script", "<link"]
    {
        assert!(!page.contains(reference), "{reference}");
    }
    // The style sheet has no scalar that could end its element.
    assert!(!STYLE.contains('<'));
}

#[test]
fn an_empty_evaluation_and_missing_figures_still_give_a_page() {
    let evaluation = Evaluation::default();
    let empty = HtmlReport {
        title: "",
        facts: &[],
        systems: &[],
        datasets: &[],
        evaluation: &evaluation,
        worst: &[],
        notes: &[],
    };
    assert!(html(&empty).contains("No systems."));
    let nan = f64::NAN;
    let system = SystemFigures {
        lcs_f1: Some(nan),
        low: nan,
        high: f64::INFINITY,
        shingle_f1: Some(nan),
        snippet_f1: Some(-0.0),
        mb_per_cpu_s: Some(0.0),
        ..SystemFigures::default()
    };
    let cell = CellFigures { lcs_f1: Some(nan), ..CellFigures::default() };
    let dataset = DatasetFigures { systems: vec![cell; 5], ..DatasetFigures::default() };
    let worst = WorstPage { system: 7, page: 9, gold: String::new(), text: String::new() };
    let page = html(&HtmlReport {
        systems: &[system.clone(), system],
        datasets: &[dataset],
        worst: &[worst],
        ..empty
    });
    let body = page.split_once("</style>").unwrap().1;
    assert!(!body.contains("NaN") && !body.contains("inf") && !body.contains("-0.000"));
    assert!(body.contains("Unknown system") && body.contains("both texts are empty"));
}
