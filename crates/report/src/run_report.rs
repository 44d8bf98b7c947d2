//! Makes an HTML file of one run, or of the sum of several.

use crate::chart::{Columns, columns};
use crate::cost_section::costs;
use crate::explain::ReportError;
use crate::html_table::{left_out, place, share, shares, table};
use crate::row_counts::RowCounts;
use crate::row_section::{MAX_ROWS, rows};
use crate::run_files_data::{
    Costs, Counters, Examples, Input, RunStats, SpeedHistory, Stage, Unusable, floor_to_u64,
};
use huller_html::{Document, Styles, count, duration, number, percent, size};
use maud::{Markup, html};

const STYLES: &str = include_str!("assets/report.css");

/// Most inputs that a table lists.
const MAX_INPUTS: usize = 10 * MAX_ROWS;

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

/// A part of the report with a heading, to which the list of sections links.
struct Section {
    id: &'static str,
    name: &'static str,
    content: Markup,
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
        let sections = self.sections(&stats, against.as_ref());
        let body = html! {
            main {
                (self.head(&stats))
                nav aria-label="Sections" {
                    ul {
                        @for Section { id, name, .. } in &sections {
                            li { a href={ "#" (id) } { (name) } }
                        }
                    }
                }
                @for Section { id, name, content } in &sections {
                    h2 id=(id) { (name) }
                    (content)
                }
            }
        };
        let title = format!("huller report: {}", self.runs.join(", "));
        Ok(Document::new(&title, Styles::Inline(STYLES), body).to_html())
    }

    fn sections(&self, stats: &RunStats, against: Option<&RunStats>) -> Vec<Section> {
        let total = &stats.total;
        let outcome = html! {
            (outcomes(total, against.map(|against| &against.total)))
            (self.reasons(total))
        };
        let section = |id, name, content| Section { id, name, content };
        let mut sections = vec![section("outcome", "Results of the records", outcome)];
        if !total.waterfall.stages.is_empty() {
            let name = "Rows and characters after each stage";
            sections.push(section("stages", name, waterfall(total)));
        }
        if self.rows.rows() > 0 {
            sections.push(section("rows", "Rows", rows(self.rows)));
        }
        let time = html! { (self.time()) (costs(self.costs)) };
        sections.extend([
            section("duplicates", "Duplicates", duplicates(total)),
            section("time", "Time and memory", time),
            section("inputs", "Inputs", inputs(stats)),
        ]);
        sections
    }

    fn head(&self, stats: &RunStats) -> Markup {
        let total = &stats.total;
        let bytes: u64 = stats.inputs.iter().map(|input| input.counters.bytes).sum();
        let bytes = bytes.max(total.bytes);
        let seconds = self.course.longest_run_seconds();
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
            tiles.push((
                "read per second",
                format!("{}/s", size(floor_to_u64(bytes as f64 / seconds))),
            ));
        }
        if self.rows.scored > 0 {
            let mean = self.rows.score_sum / self.rows.scored as f64;
            tiles.push(("mean expected score", number(mean, 3)));
        }
        html! {
            h1 {
                @match self.runs {
                    [run] => { "Run " (run) },
                    runs => { (runs.len()) " runs: " (runs.join(", ")) },
                }
            }
            @for fault in self.faults { p.bad { (fault) } }
            ul.tiles {
                @for (name, value) in tiles { li { span.dim { (name) } b { (value) } } }
            }
        }
    }

    fn reasons(&self, total: &Counters) -> Markup {
        let reasons = total.reasons();
        let rows = html! {
            @for (reason, count_of, has_failed) in &reasons {
                tr {
                    td {
                        @if *has_failed { span.bad { "failed" } " " }
                        (reason)
                        (self.examples_of(reason))
                    }
                    (share(*count_of, total.records))
                }
            }
        };
        let repaired = total.repaired.iter().map(|(how, count)| (&**how, *count));
        html! {
            @if !reasons.is_empty() {
                h3 { "Records without a row, by reason" }
                (table(&["reason", "records", "share", ""], &rows))
                @if self.examples.0.is_empty() {
                    p.dim {
                        "To see examples of each reason, pass the file that `huller extract "
                        "--rejects FILE` wrote with --rejects FILE."
                    }
                }
                @if !total.repaired.is_empty() {
                    h3 { "Repaired records" }
                    (shares(&["how", "records", "share", ""], repaired, total.records))
                }
            }
        }
    }

    fn examples_of(&self, reason: &str) -> Markup {
        html! {
            @if let Some(examples) = self.examples.0.get(reason) {
                details {
                    summary { "examples" }
                    @for example in examples {
                        p {
                            @if let Some(url) = &example.url { (url) br; }
                            @if !example.detail.is_empty() {
                                span.dim { (example.detail) } br;
                            }
                            (place(&example.input, example.offset))
                        }
                    }
                }
            }
        }
    }

    fn time(&self) -> Markup {
        const PART_COUNT: usize = 60;
        let seconds = self.course.longest_run_seconds();
        if seconds <= 0.0 {
            return html! { p.dim { "The runs have no recorded times (run.timing)." } };
        }
        let rates = self.course.rates(PART_COUNT);
        let max_rate = rates.iter().copied().fold(0.0, f64::max);
        let chart = columns(Columns {
            title: "Bytes of input per second during the run",
            heights: &rates,
            below: &[0.0, 0.25, 0.5, 0.75, 1.0].map(|part| duration(seconds * part)),
            highest: &format!("{}/s", size(floor_to_u64(max_rate))),
        });
        html! {
            h3 { "Bytes of finished inputs per second" }
            (chart)
            p.dim {
                "The bytes of an input are spread evenly from the end of the previous input to "
                "its own end. Several runs are shown as if they had started together."
            }
        }
    }
}

fn outcomes(total: &Counters, against: Option<&Counters>) -> Markup {
    let outcome_count =
        |counters: &Counters| [counters.written, counters.skipped_total(), counters.failed_total()];
    let mut titles = vec!["outcome", "records", "share", ""];
    if against.is_some() {
        titles.extend(["earlier", "share"]);
    }
    let earlier = against.map(|against| (outcome_count(against), against.records));
    let rows = html! {
        @for (index, name) in ["written", "skipped", "failed"].into_iter().enumerate() {
            tr {
                td { (name) }
                (share(outcome_count(total)[index], total.records))
                @if let Some((earlier, records)) = earlier {
                    td.number { (count(earlier[index])) }
                    td.number { (percent(earlier[index], records)) }
                }
            }
        }
    };
    html! {
        (table(&titles, &rows))
        @if let Some(against) = against { (changes(total, against)) }
    }
}

/// Returns the reasons whose percentage has changed most.
fn changes(total: &Counters, against: &Counters) -> Markup {
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
        .filter(|(_, current, earlier)| (current - earlier).abs() >= 0.0005)
        .collect();
    moved.sort_by(|a, b| (b.1 - b.2).abs().total_cmp(&(a.1 - a.2).abs()));
    let rows = html! {
        @for (name, current, earlier) in moved.iter().take(MAX_ROWS) {
            tr {
                td { (name) }
                td.number { (format!("{:.2} %", current * 100.0)) }
                td.number { (format!("{:.2} %", earlier * 100.0)) }
                td.number { (format!("{:+.2} %", (current - earlier) * 100.0)) }
            }
        }
    };
    html! {
        h3 { "Changes" }
        @if moved.is_empty() {
            p.dim {
                "No reason's share of the records has changed by 0.05 percentage points or more."
            }
        } @else {
            (table(&["reason", "share", "earlier", "difference"], &rows))
        }
    }
}

/// Returns the rows that `huller dedup` dropped, by kind of similarity.
fn duplicates(total: &Counters) -> Markup {
    let of_dedup = total
        .skipped
        .iter()
        .filter_map(|(reason, count)| Some((reason.strip_prefix("dedup:")?, *count)));
    let mut dropped: Vec<_> = of_dedup.collect();
    dropped.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    html! {
        @if dropped.is_empty() {
            p.dim {
                "No duplicates recorded. huller dedup finds duplicates; give its output folder "
                "to huller report as well."
            }
        } @else {
            (shares(&["similar by", "rows dropped", "share", ""], dropped, total.records))
        }
    }
}

fn waterfall(total: &Counters) -> Markup {
    let mut left: Vec<(&str, u64, u64, u64)> = total
        .waterfall
        .languages
        .iter()
        .filter_map(|(language, stages)| {
            let (first, last) = (stages.first()?, stages.last()?);
            Some((&**language, first.rows, last.rows - last.dropped, last.chars_left))
        })
        .collect();
    left.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let listed = left.len().min(MAX_ROWS);
    let rows = html! {
        @for (language, came, rows, chars) in &left[..listed] {
            tr {
                td { (language) }
                td.number { (count(*came)) }
                (share(*rows, *came))
                td.number { (count(*chars)) }
            }
        }
    };
    html! {
        (stages(&total.waterfall.stages))
        @if !total.waterfall.languages.is_empty() {
            h3 { "By language" }
            (table(&["language", "rows in", "rows left", "share", "", "characters left"], &rows))
            (left_out(left.len() - listed, "languages"))
        }
    }
}

fn stages(stages: &[Stage]) -> Markup {
    let first = stages.first().map_or(0, |stage| stage.rows);
    let rows = html! {
        @for stage in stages {
            tr {
                td { (stage.name) }
                td.number { (count(stage.rows)) }
                td.number { (count(stage.dropped)) }
                (share(stage.rows - stage.dropped, first))
                td.number {
                    @if stage.chars == 0 { "–" } @else { (count(stage.chars_left)) }
                }
            }
        }
    };
    table(&["stage", "rows in", "dropped", "rows left", "of all", "", "characters left"], &rows)
}

fn inputs(stats: &RunStats) -> Markup {
    let mut inputs: Vec<&Input> = stats.inputs.iter().collect();
    inputs.sort_by_key(|input| std::cmp::Reverse(input.counters.failed_total()));
    let listed = inputs.len().min(MAX_INPUTS);
    let rows = html! {
        @for Input { input, counters } in &inputs[..listed] {
            tr {
                td { (input) }
                td.number { (size(counters.bytes)) }
                td.number { (count(counters.records)) }
                td.number { (count(counters.written)) }
                td.number { (count(counters.failed_total())) }
                td {
                    @if let Some((reason, n, _)) = counters.reasons().iter().find(|reason_count| reason_count.2) {
                        (reason) " " (n)
                    }
                }
            }
        }
    };
    let titles = ["input", "size", "records", "rows", "failed", "most frequent failure"];
    html! {
        (unusable(&stats.unusable))
        h3 { "Inputs with most failed records first" }
        (table(&titles, &rows))
        (left_out(inputs.len() - listed, "inputs"))
    }
}

fn unusable(unusable: &[Unusable]) -> Markup {
    let listed = unusable.len().min(MAX_INPUTS);
    let rows = html! {
        @for Unusable { input, error } in &unusable[..listed] {
            tr { td { (input) } td.bad { (error) } }
        }
    };
    html! {
        @if !unusable.is_empty() {
            h3 { "Inputs that failed" }
            (table(&["input", "why"], &rows))
            (left_out(unusable.len() - listed, "inputs"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_counts::CountedRow;
    use crate::run_files_data::SlowPage;

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
    fn hostile_names_change_no_markup_and_no_byte_of_them_is_obeyed() {
        let page = |name: &str| {
            let quoted = serde_json::to_string(name).unwrap();
            let account =
                ACCOUNT.replace("\"<b>.warc.gz\"", &quoted).replace("\"status\"", &quoted);
            let mut examples = Examples::default();
            let [reason, input, url, detail] = [&quoted; 4];
            let reject = format!(
                r#"{{"reason":{reason},"input":{input},"offset":7,"url":{url},"detail":{detail}}}"#
            );
            assert!(examples.add(reject.as_bytes()));
            let mut rows = RowCounts::default();
            rows.add(&CountedRow { language: Some(name.into()), ..CountedRow::default() });
            let html = RunReport {
                runs: &[name.to_owned()],
                account: account.as_bytes(),
                against: Some(ACCOUNT.as_bytes()),
                faults: &[name.to_owned()],
                rows: &rows,
                examples: &examples,
                course: &SpeedHistory::default(),
                costs: &Costs::default(),
            };
            html.to_html().unwrap()
        };
        let markup = |page: &str| -> Vec<String> {
            page.split('<').skip(1).map(|rest| rest.split('>').next().unwrap().to_owned()).collect()
        };
        let hostile = page("<script>\"'</title></p>\0\u{1b}[2J\u{9b}\u{202e}");
        assert_eq!(markup(&hostile), markup(&page("x")));
        assert!(!hostile.contains(|c: char| c.is_control() && c != '\n'), "{hostile:?}");
        assert!(!hostile.contains('\u{202e}'));
        let shown = "&lt;script&gt;&quot;'&lt;/title&gt;&lt;/p&gt;␀␛[2J\u{fffd}\u{fffd}";
        assert!(hostile.matches(shown).count() >= 8, "{hostile}");
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
