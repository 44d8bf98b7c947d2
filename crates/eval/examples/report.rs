//! Writes an HTML report of an invented evaluation:
//! `cargo run -p huller-eval --example report -- OUT.html`.
//!
//! A formula generates all figures, to show the layout of a report.

use huller_eval::report::html::{CellFigures, DatasetFigures, HtmlReport, SystemFigures, html};
use huller_eval::{
    Evaluation, PageFacts, PageScore, PrecisionRecall, System, TextScores, WorstPage,
};

/// Name, profile, quality and speed of an invented system.
type ExampleSystem = (&'static str, &'static str, f64, Option<f64>);

const SYSTEMS: &[ExampleSystem] = &[
    ("pvalue", "paper", 0.741, Some(351.0)),
    ("pvalue", "tuned", 0.802, Some(344.0)),
    ("density", "paper", 0.768, Some(322.0)),
    ("density", "tuned", 0.831, Some(318.0)),
    ("bayes", "tuned", 0.846, Some(331.0)),
    ("forest", "tuned", 0.779, Some(240.0)),
    ("lines", "paper", 0.702, Some(363.0)),
    ("body", "", 0.655, Some(402.0)),
    ("peer-one.predictions", "", 0.858, None),
    ("peer-two with a rather long name of its file", "", 0.812, Some(6.4)),
];

const DATASETS: &[(&str, u32, f64)] = &[
    ("news", 1_827, 0.02),
    ("blogs", 412, -0.03),
    ("forums", 139, -0.14),
    ("portals", 73, 0.05),
    ("catalogues", 88, -0.21),
    ("encyclopaedia", 250, 0.08),
    ("early web", 680, 0.06),
];

const GOLD: &str = "Rain fell all day.\nRoads were shut in three valleys, and the river rose to within a hand of the old bridge. \
    Volunteers filled sandbags until well past midnight, while the school above the market served as a shelter for the night.\n\
    今天下雨，山谷里的三条道路封闭了。\nThe mayor said that the water would fall by Thursday.";
const TEXT: &str = "Home News Weather Contact\nRain fell all day.\nRoads were shut in three valleys, and the river rose to within a hand of the old bridge. \
    Volunteers filled sandbags until well past midnight, while the school above the market served as a shelter for the night.\n\
    今天下雪，山谷里的三条道路封闭了。\n<b>Share this page</b>";

/// Returns a pseudo-random number from 0 to 1.
fn noise(seed: u32) -> f64 {
    f64::from(seed.wrapping_mul(2_654_435_761) >> 16) / 65_536.0
}

fn score(quality: f64, seed: u32) -> f64 {
    (quality + 0.08 * (noise(seed) - 0.5)).clamp(0.0, 1.0)
}

fn figures() -> (Vec<SystemFigures>, Vec<DatasetFigures>) {
    let pages = DATASETS.iter().map(|dataset| dataset.1).sum();
    let systems =
        SYSTEMS.iter().zip(1..).map(|((name, profile, quality, speed), seed)| SystemFigures {
            name: (*name).to_owned(),
            profile: (*profile).to_owned(),
            lcs_f1: Some(*quality),
            low: quality - 0.006 - 0.01 * noise(seed),
            high: quality + 0.006 + 0.01 * noise(seed),
            shingle_f1: Some(quality - 0.04),
            snippet_f1: Some(score(*quality, seed + 40)),
            empty: seed * 7 % 23,
            pages,
            mb_per_cpu_s: *speed,
        });
    let datasets = DATASETS.iter().zip(1..).map(|((name, pages, ease), row)| DatasetFigures {
        name: (*name).to_owned(),
        pages: *pages,
        systems: SYSTEMS
            .iter()
            .zip(1..)
            .map(|(system, column)| {
                let quality = score(system.2 + ease, row * 100 + column);
                CellFigures {
                    lcs_f1: Some(quality),
                    shingle_f1: Some(quality - 0.04),
                    snippet_f1: (row % 3 == 0).then_some(quality),
                    empty: row * column % 5,
                }
            })
            .collect(),
    });
    (systems.collect(), datasets.collect())
}

fn evaluation() -> Evaluation {
    let systems = SYSTEMS.iter().map(|(name, profile, ..)| System {
        name: (*name).to_owned(),
        profile: (*profile).to_owned(),
        cpu_seconds: Some(1.0),
    });
    let pages: Vec<_> = DATASETS
        .iter()
        .zip(1_u64..)
        .map(|((dataset, ..), number)| PageFacts {
            id: format!("{dataset}/page-{number}"),
            dataset: (*dataset).to_owned(),
            lang: Some("en".to_owned()),
            page_type: Some("article".to_owned()),
            html_bytes: 41_000 * number,
        })
        .collect();
    let page = |system: u32, page: u32| {
        let f1 = noise(system * 31 + page) * 0.4;
        let lcs = PrecisionRecall { precision: f1 * 0.8, recall: (f1 * 1.3).min(1.0), f1 };
        let text = TextScores {
            gold_tokens: 812 + page * 391,
            text_tokens: 1_203,
            lcs,
            ..TextScores::default()
        };
        PageScore { text: Some(text), snippets: None }
    };
    let scores = (0..SYSTEMS.len() as u32)
        .map(|system| (0..pages.len() as u32).map(|number| page(system, number)).collect());
    let mut evaluation = Evaluation::default();
    evaluation.systems.extend(systems);
    evaluation.scores.extend(scores);
    evaluation.pages.extend(pages);
    evaluation
}

fn main() -> std::io::Result<()> {
    let (systems, datasets) = figures();
    let evaluation = evaluation();
    let worst: Vec<_> = [(3, 0), (3, 4), (3, 2), (0, 1), (0, 5)]
        .into_iter()
        .map(|(system, page)| WorstPage {
            system,
            page,
            gold: GOLD.to_owned(),
            text: if page == 4 { String::new() } else { TEXT.to_owned() },
        })
        .collect();
    let facts = [
        ("Data", "7 invented data sets, 3,469 pages"),
        ("Program", "huller 0.1.0"),
        ("Machine", "2 cores, invented"),
        ("Date", "2026-11-22"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let notes =
        ["All figures on this page are invented: it shows what a report looks like.".to_owned()];
    let page = html(&HtmlReport {
        title: "Evaluation of main-content extraction",
        facts: &facts,
        systems: &systems,
        datasets: &datasets,
        evaluation: &evaluation,
        worst: &worst,
        notes: &notes,
    });
    let path = std::env::args_os().nth(1).unwrap_or_else(|| "report.html".into());
    std::fs::write(path, page)
}
