//! Writes one run, or the sum of several, as an HTML file.

use crate::body::Body;
use crate::chart::{Columns, columns};
use crate::cost_section::costs;
use crate::explain::ReportError;
use crate::figures::{count, duration, percent, size};
use crate::html_document::Document;
use crate::row_counts::RowCounts;
use crate::row_section::{MAX_ROWS, rows};
use crate::run_data::{Costs, Counters, Examples, RunStats, SpeedHistory, Stage, whole};

const STYLES: &str = include_str!("assets/report.css");

/// The contents of a report.
#[derive(Clone, Copy, Debug)]
pub struct RunReport<'a> {
    /// Names of the runs, as the reader should see them.
    pub runs: &'a [String],
    /// Statistics of all runs, as JSON in the form of `run.account`.
    pub account: &'a [u8],
    /// Statistics of earlier runs for comparison.
    pub against: Option<&'a [u8]>,
    /// Contradictions and missing files, one per line.
    pub faults: &'a [String],
    /// Counts of the rows. They are empty if the outputs hold no readable rows.
    pub rows: &'a RowCounts,
    /// Records without a row.
    pub examples: &'a Examples,
    /// Speed over time.
    pub course: &'a SpeedHistory,
    /// Costs of the runs.
    pub costs: &'a Costs,
}

impl RunReport<'_> {
    /// Returns the HTML file. It has no script and loads nothing.
    ///
    /// # Errors
    ///
    /// The statistics are not JSON of that form.
    pub fn to_html(&self) -> Result<String, ReportError> {
        let stats: RunStats = serde_json::from_slice(self.account)?;
        let against: Option<RunStats> = self.against.map(serde_json::from_slice).transpose()?;
        let mut page = Body::default();
        self.head(&stats, &mut page);
        page.section("outcome", "Results of the records");
        outcomes(&stats.total, against.as_ref().map(|against| &against.total), &mut page);
        self.reasons(&stats.total, &mut page);
        if !stats.total.waterfall.stages.is_empty() {
            page.section("stages", "Rows and characters after each stage");
            waterfall(&stats.total, &mut page);
        }
        if self.rows.rows() > 0 {
            page.section("rows", "Rows");
            rows(self.rows, &mut page);
        }
        page.section("duplicates", "Duplicates");
        duplicates(&stats.total, &mut page);
        page.section("time", "Time and memory");
        self.time(&mut page);
        costs(self.costs, &mut page);
        page.section("inputs", "Inputs");
        inputs(&stats, &mut page);
        let title = format!("huller report: {}", self.runs.join(", "));
        let body = page.finish();
        Ok(Document { title: &title, styles: STYLES, script: "", parts: &[], body: &body }
            .to_html())
    }

    fn head(&self, stats: &RunStats, page: &mut Body) {
        page.open("h1", "");
        page.text(&match self.runs {
            [run] => format!("Run {run}"),
            runs => format!("{} runs: {}", runs.len(), runs.join(", ")),
        });
        page.close("h1");
        for fault in self.faults {
            page.open("p", "bad");
            page.text(fault);
            page.close("p");
        }
        let total = &stats.total;
        let bytes: u64 = stats.inputs.iter().map(|input| input.counters.bytes).sum();
        let bytes = bytes.max(total.bytes);
        let seconds = self.course.seconds();
        let mut tiles = vec![
            ("inputs", count(stats.inputs.len() as u64)),
            ("inputs that failed", count(stats.unusable.len() as u64)),
            ("read", size(bytes)),
            ("records", count(total.records)),
            ("rows", count(total.written)),
            ("failed records", count(total.failed_total())),
        ];
        if seconds > 0.0 {
            tiles.push(("time", duration(seconds)));
            tiles.push(("read per second", format!("{}/s", size(whole(bytes as f64 / seconds)))));
        }
        if self.rows.scored > 0 {
            let mean = self.rows.score_sum / self.rows.scored as f64;
            tiles.push(("mean expected score", format!("{mean:.3}")));
        }
        page.raw("<ul class=\"tiles\">");
        for (name, value) in tiles {
            page.raw("<li><span class=\"dim\">");
            page.text(name);
            page.raw("</span><b>");
            page.text(&value);
            page.raw("</b></li>");
        }
        page.raw("</ul>");
    }

    fn reasons(&self, total: &Counters, page: &mut Body) {
        let reasons = total.reasons();
        if reasons.is_empty() {
            return;
        }
        page.heading("Records without a row, by reason");
        page.table(&["reason", "records", "share", ""]);
        for (reason, count_of, has_failed) in &reasons {
            page.raw("<tr><td>");
            if *has_failed {
                page.raw("<span class=\"bad\">failed</span> ");
            }
            page.text(reason);
            self.examples_of(reason, page);
            page.raw("</td>");
            page.share(*count_of, total.records);
            page.raw("</tr>");
        }
        page.end_table();
        if self.examples.0.is_empty() {
            page.dim(
                "To see examples of each reason, pass the file that `huller extract \
                --rejects FILE` wrote with --rejects FILE.",
            );
        }
        if !total.repaired.is_empty() {
            page.heading("Repaired records");
            page.table(&["how", "records", "share", ""]);
            for (how, count_of) in &total.repaired {
                page.raw("<tr><td>");
                page.text(how);
                page.raw("</td>");
                page.share(*count_of, total.records);
                page.raw("</tr>");
            }
            page.end_table();
        }
    }

    fn examples_of(&self, reason: &str, page: &mut Body) {
        let Some(examples) = self.examples.0.get(reason) else { return };
        page.raw("<details><summary>examples</summary>");
        for example in examples {
            page.raw("<p>");
            if let Some(url) = &example.url {
                page.text(url);
                page.raw("<br>");
            }
            if !example.detail.is_empty() {
                page.raw("<span class=\"dim\">");
                page.text(&example.detail);
                page.raw("</span><br>");
            }
            page.place(&example.input, example.offset);
            page.raw("</p>");
        }
        page.raw("</details>");
    }

    fn time(&self, page: &mut Body) {
        const PARTS: usize = 60;
        let seconds = self.course.seconds();
        if seconds <= 0.0 {
            page.dim("The runs have no recorded times (run.timing).");
            return;
        }
        let rates = self.course.rates(PARTS);
        let most = rates.iter().copied().fold(0.0, f64::max);
        page.heading("Bytes of finished inputs per second");
        let below: Vec<String> =
            (0..=4).map(|quarter| duration(seconds * f64::from(quarter) / 4.0)).collect();
        columns(
            Columns {
                title: "Bytes of input per second during the run",
                heights: &rates,
                below: &below,
                highest: &format!("{}/s", size(whole(most))),
            },
            &mut page.html,
        );
        page.dim(
            "The bytes of an input are spread evenly from the end of the previous input to \
            its own end. Several runs are shown as if they had started together.",
        );
    }
}

fn outcomes(total: &Counters, against: Option<&Counters>, page: &mut Body) {
    let of =
        |counters: &Counters| [counters.written, counters.skipped_total(), counters.failed_total()];
    let mut titles = vec!["outcome", "records", "share", ""];
    if against.is_some() {
        titles.extend(["earlier", "share"]);
    }
    page.table(&titles);
    let earlier = against.map(of);
    for (place, name) in ["written", "skipped", "failed"].into_iter().enumerate() {
        page.raw("<tr><td>");
        page.text(name);
        page.raw("</td>");
        page.share(of(total)[place], total.records);
        if let Some((earlier, counters)) = earlier.zip(against) {
            page.number(&count(earlier[place]));
            page.number(&percent(earlier[place], counters.records));
        }
        page.raw("</tr>");
    }
    page.end_table();
    if let Some(against) = against {
        changes(total, against, page);
    }
}

/// Writes the reasons whose percentage has changed most.
fn changes(total: &Counters, against: &Counters, page: &mut Body) {
    let share = |counters: &Counters, reason: &str| {
        let count = counters.skipped.get(reason).or_else(|| counters.failed.get(reason));
        count.map_or(0.0, |count| *count as f64 / counters.records.max(1) as f64)
    };
    let mut names: Vec<&str> =
        total.reasons().iter().chain(&against.reasons()).map(|(reason, ..)| *reason).collect();
    names.sort_unstable();
    names.dedup();
    let mut moved: Vec<(&str, f64, f64)> = names
        .into_iter()
        .map(|name| (name, share(total, name), share(against, name)))
        .filter(|(_, now, then)| (now - then).abs() >= 0.0005)
        .collect();
    moved.sort_by(|a, b| (b.1 - b.2).abs().total_cmp(&(a.1 - a.2).abs()));
    page.heading("Changes");
    if moved.is_empty() {
        page.dim("No reason's share of the records has changed by 0.05 percentage points or more.");
        return;
    }
    page.table(&["reason", "share", "earlier", "difference"]);
    for (name, now, then) in moved.into_iter().take(MAX_ROWS) {
        page.raw("<tr><td>");
        page.text(name);
        page.raw("</td>");
        for value in [now, then] {
            page.number(&format!("{:.2} %", value * 100.0));
        }
        page.number(&format!("{:+.2} %", (now - then) * 100.0));
        page.raw("</tr>");
    }
    page.end_table();
}

/// Writes the rows that `huller dedup` dropped, by kind of similarity.
fn duplicates(total: &Counters, page: &mut Body) {
    let of_dedup = |(reason, _): &(&String, &u64)| reason.starts_with("dedup:");
    let mut dropped: Vec<_> = total.skipped.iter().filter(of_dedup).collect();
    if dropped.is_empty() {
        page.dim(
            "No duplicates recorded. huller dedup finds duplicates; give its output folder \
            to huller report as well.",
        );
        return;
    }
    dropped.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    page.table(&["similar by", "rows dropped", "share", ""]);
    for (reason, count_of) in dropped {
        page.raw("<tr><td>");
        page.text(reason.trim_start_matches("dedup:"));
        page.raw("</td>");
        page.share(*count_of, total.records);
        page.raw("</tr>");
    }
    page.end_table();
}

fn waterfall(total: &Counters, page: &mut Body) {
    stages(&total.waterfall.stages, page);
    let languages = &total.waterfall.languages;
    if languages.is_empty() {
        return;
    }
    page.heading("By language");
    let mut left: Vec<(&str, u64, u64, u64)> = languages
        .iter()
        .filter_map(|(language, stages)| {
            let (first, last) = (stages.first()?, stages.last()?);
            Some((&**language, first.rows, last.rows - last.dropped, last.chars_left))
        })
        .collect();
    left.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    page.table(&["language", "rows in", "rows left", "share", "", "characters left"]);
    let listed = left.len().min(MAX_ROWS);
    for (language, came, rows, chars) in &left[..listed] {
        page.raw("<tr><td>");
        page.text(language);
        page.raw("</td>");
        page.number(&count(*came));
        page.share(*rows, *came);
        page.number(&count(*chars));
        page.raw("</tr>");
    }
    page.end_table();
    page.left_out(left.len() - listed, "languages");
}

fn stages(stages: &[Stage], page: &mut Body) {
    let first = stages.first().map_or(0, |stage| stage.rows);
    page.table(&["stage", "rows in", "dropped", "rows left", "of all", "", "characters left"]);
    for stage in stages {
        page.raw("<tr><td>");
        page.text(&stage.name);
        page.raw("</td>");
        page.number(&count(stage.rows));
        page.number(&count(stage.dropped));
        page.share(stage.rows - stage.dropped, first);
        page.number(&if stage.chars == 0 { "–".to_owned() } else { count(stage.chars_left) });
        page.raw("</tr>");
    }
    page.end_table();
}

fn inputs(stats: &RunStats, page: &mut Body) {
    if !stats.unusable.is_empty() {
        page.heading("Inputs that failed");
        page.table(&["input", "why"]);
        let listed = stats.unusable.len().min(10 * MAX_ROWS);
        for unusable in &stats.unusable[..listed] {
            page.raw("<tr><td>");
            page.text(&unusable.input);
            page.raw("</td><td class=\"bad\">");
            page.text(&unusable.error);
            page.raw("</td></tr>");
        }
        page.end_table();
        page.left_out(stats.unusable.len() - listed, "inputs");
    }
    let mut inputs: Vec<_> = stats.inputs.iter().collect();
    inputs.sort_by_key(|input| std::cmp::Reverse(input.counters.failed_total()));
    page.heading("Inputs with most failed records first");
    page.table(&["input", "size", "records", "rows", "failed", "most frequent failure"]);
    let listed = inputs.len().min(10 * MAX_ROWS);
    for input in &inputs[..listed] {
        let counters = &input.counters;
        page.raw("<tr><td>");
        page.text(&input.input);
        page.raw("</td>");
        page.number(&size(counters.bytes));
        for number in [counters.records, counters.written, counters.failed_total()] {
            page.number(&count(number));
        }
        page.raw("<td>");
        let worst = counters.reasons().into_iter().find(|(_, _, has_failed)| *has_failed);
        page.text(&worst.map_or(String::new(), |(reason, n, _)| format!("{reason} {n}")));
        page.raw("</td></tr>");
    }
    page.end_table();
    page.left_out(inputs.len() - listed, "inputs");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_counts::CountedRow;
    use crate::run_data::SlowPage;

    const ACCOUNT: &str = r#"{"version":2,"inputs":[{"input":"<b>.warc.gz","bytes":2000,"records":10,"written":6,"skipped":{"status":3},"failed":{"garbage":1},"repaired":{}}],
        "total":{"bytes":2000,"records":10,"written":6,"skipped":{"status":3},"failed":{"garbage":1},"repaired":{},
        "waterfall":{"stages":[{"stage":"language","rows":8,"dropped":2,"chars":100,"chars_left":80}],"languages":{"eng":[{"stage":"language","rows":8,"dropped":2,"chars":100,"chars_left":80}]}}},
        "unusable":[{"input":"gone","error":"<script>alert(1)</script>"}]}"#;

    fn report(against: Option<&[u8]>, examples: &Examples) -> String {
        report_with(ACCOUNT, against, examples, &Costs::default())
    }

    fn report_with(
        account: &str,
        against: Option<&[u8]>,
        examples: &Examples,
        costs: &Costs,
    ) -> String {
        let mut rows = RowCounts::default();
        let (text, language) = ("a".into(), Some("<i>".into()));
        rows.add(&CountedRow { text, language, score: Some(0.5), ..CountedRow::default() });
        let course = SpeedHistory(vec![vec![(2000, 2.0)]]);
        let runs = ["out & <more>".to_owned()];
        RunReport {
            runs: &runs,
            account: account.as_bytes(),
            against,
            faults: &[],
            rows: &rows,
            examples,
            course: &course,
            costs,
        }
        .to_html()
        .unwrap()
    }

    #[test]
    fn every_figure_stands_there_and_every_name_stays_text() {
        let mut examples = Examples::default();
        examples.add(
            br#"{"reason":"status","input":"it's <x>.warc.gz","offset":77,"url":"javascript:<a>"}"#,
        );
        let html = report(None, &examples);
        for shown in [
            "1.0 KB/s",
            "60.00 %",
            "30.00 %",
            "10.00 %",
            "75.00 %",
            "&lt;i&gt;",
            "&lt;b&gt;.warc.gz",
            "out &amp; &lt;more&gt;",
            "&lt;script&gt;alert(1)",
            "huller get 'it'\\''s &lt;x&gt;.warc.gz' 77",
            "javascript:&lt;a&gt;",
        ] {
            assert!(html.contains(shown), "{shown} is missing in {html}");
        }
        assert!(!html.contains("<script"), "a report needs no script");
        assert!(!html.contains("<i>") && !html.contains("http://") && !html.contains("https://"));
    }

    #[test]
    fn what_a_run_cost_is_told_or_said_not_to_be_recorded() {
        let old = report(None, &Examples::default());
        assert_eq!(old.matches("Not recorded").count(), 3, "{old}");
        assert!(old.contains("No duplicates recorded"), "{old}");
        let page = SlowPage {
            seconds: 0.0125,
            input: "it's <x>.warc.gz".to_owned(),
            offset: Some(77),
            url: Some("http://<a>".to_owned()),
        };
        let costs = Costs {
            cpu: Some([1.0, 6.0, 1.0]),
            peak_memory: Some(150_000_000),
            slow_pages: Some(vec![page]),
        };
        let account = ACCOUNT.replace("\"status\":3", "\"dedup:near\":3");
        let html = report_with(&account, None, &Examples::default(), &costs);
        for shown in [
            "75.0 %",
            "6.0 s",
            "150 MB",
            "12.5 ms",
            "&lt;a&gt;",
            "&lt;x&gt;.warc.gz' 77",
            "<td>near",
        ] {
            assert!(html.contains(shown), "{shown} is missing in {html}");
        }
        assert!(!html.contains("Not recorded"));
    }

    #[test]
    fn a_comparison_names_what_has_moved() {
        let earlier = ACCOUNT
            .replace("\"status\":3", "\"status\":1")
            .replace("\"written\":6", "\"written\":8");
        let html = report(Some(earlier.as_bytes()), &Examples::default());
        assert!(html.contains("+20.00 %"), "{html}");
        assert!(report(Some(ACCOUNT.as_bytes()), &Examples::default()).contains("No reason"));
    }
}
