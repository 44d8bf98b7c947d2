//! Prints the statistics of a run as a table for terminals.

use crate::exit::eprint_line;
use crate::terminal::{size, thousands};
use huller_pipeline::{
    Counters, ExtractorYield, IgnoredFiles, InputSummary, RejectionKind, StageCounts, Summary,
    Waterfall,
};
use std::collections::HashSet;
use std::time::Duration;

/// Prints the statistics to standard error, at most 80 columns wide.
pub(crate) fn print(summary: &Summary, took: Option<Duration>) {
    for line in lines(summary, took) {
        eprint_line(&line);
    }
}

/// Returns the lines of the table, at most 80 columns wide.
pub(crate) fn lines(summary: &Summary, took: Option<Duration>) -> Vec<String> {
    let total = &summary.total;
    let inputs = summary.inputs.len();
    let plural = if inputs == 1 { "" } else { "s" };
    let took = took.map_or_else(String::new, |took| format!(", in {:.1} s", took.as_secs_f64()));
    let mut lines = vec![format!("{inputs} input{plural}, {}{took}", size(summary.bytes()))];
    if summary.resumed > 0 {
        lines.push(format!("  {} of them finished by an earlier run", summary.resumed));
    }
    let read = summary.inputs.iter().map(|input| input.name.as_str());
    lines.extend(unusable(read, summary.unusable.iter().map(|unusable| unusable.input.as_str())));
    if !summary.without_pages.is_empty() {
        lines.push(format!("  {} of them hold no page", summary.without_pages.len()));
    }
    lines.extend(ignored_file_lines(&summary.ignored));
    let reasons =
        [RejectionKind::Skipped, RejectionKind::Failed].into_iter().flat_map(|o| total.reasons(o));
    let longest = reasons.map(|(reason, _)| reason.name().len() + 4).max().unwrap_or(0);
    let width = longest.clamp(26, 60);
    let mut row =
        |name: &str, count: u64| lines.push(format!("  {name:<width$}{:>16}", thousands(count)));
    row("records read", total.records);
    row("written", total.written);
    for (table, count) in summary.side_rows.iter() {
        row(&format!("  {} of these", table.rows()), *count);
    }
    for (name, kind) in [("skipped", RejectionKind::Skipped), ("failed", RejectionKind::Failed)] {
        row(name, total.total(kind));
        for (reason, count) in total.reasons(kind) {
            row(&format!("  {}", reason.name()), count);
        }
    }
    let repaired: Vec<_> = total.repairs().collect();
    if !repaired.is_empty() {
        row("repaired (counted above)", repaired.iter().map(|(_, count)| count).sum());
        for (name, count) in repaired {
            row(&format!("  {name}"), count);
        }
    }
    lines.extend(waterfall_rows(&total.waterfall));
    lines.extend(extractor_rows(&total.waterfall));
    lines
}

/// Returns the table of a command that makes one output of all rows, which are called `rows`. `of`
/// has the inputs, and the files that are none.
pub(crate) fn rows_read(
    rows: &str,
    of: (&[InputSummary], &IgnoredFiles),
    took: Duration,
) -> Vec<String> {
    let (inputs, ignored) = of;
    let mut total = Counters::default();
    for input in inputs {
        total += &input.counters;
    }
    let inputs = inputs.len();
    let plural = if inputs == 1 { "" } else { "s" };
    let mut lines = vec![format!("{inputs} input{plural}, in {:.1} s", took.as_secs_f64())];
    lines.extend(ignored_file_lines(ignored));
    let mut row =
        |name: &str, count: u64| lines.push(format!("  {name:<26}{:>16}", thousands(count)));
    row(&format!("{rows} read"), total.records);
    row("used", total.written);
    for (name, kind) in [("skipped", RejectionKind::Skipped), ("failed", RejectionKind::Failed)] {
        row(name, total.total(kind));
        for (reason, count) in total.reasons(kind) {
            row(&format!("  {}", reason.name()), count);
        }
    }
    lines
}

/// Returns lines on the inputs that could not be used. Inputs without a page were read to their
/// ends and are counted among the inputs. The others are counted apart.
pub(crate) fn unusable<'a>(
    read: impl Iterator<Item = &'a str>,
    unusable: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = String> {
    let read: HashSet<_> = read.collect();
    let (of_these, besides): (Vec<_>, Vec<_>) = unusable.partition(|input| read.contains(input));
    let parts = [
        (of_these.len(), format!("  {} of them could not be used", of_these.len())),
        (besides.len(), format!("  {} more could not be used", besides.len())),
    ];
    parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, line)| line)
}

/// Most languages in the table. The statistics have all.
const MAX_LISTED_LANGUAGES: usize = 5;

/// Returns rows on the stages, and on the languages with most rows.
fn waterfall_rows(waterfall: &Waterfall) -> Vec<String> {
    let mut lines = Vec::new();
    if waterfall.stages().is_empty() {
        return lines;
    }
    let has_tokens = waterfall.stages().iter().any(|stage| stage.tokens.is_some());
    let mut row = |cells: [&str; 5]| {
        let [name, rows, dropped, chars, tokens] = cells;
        let line = format!("  {name:<26}{rows:>16}{dropped:>14}{chars:>20}");
        lines.push(if has_tokens { format!("{line}{tokens:>20}") } else { line });
    };
    row(["stage", "rows", "dropped", "characters left", "tokens left"]);
    for stage in waterfall.stages() {
        let StageCounts { stage, rows, dropped, chars, chars_left, tokens_left, .. } = *stage;
        // Before rows have a text there are no characters to count.
        let left = |count: u64| if chars == 0 { "-".to_owned() } else { thousands(count) };
        let tokens = left(tokens_left.unwrap_or_default());
        row([stage, &thousands(rows), &thousands(dropped), &left(chars_left), &tokens]);
    }
    let counts_left = |stages: &[StageCounts]| {
        let left = |last: &StageCounts| {
            [last.rows - last.dropped, last.chars_left, last.tokens_left.unwrap_or_default()]
        };
        stages.last().map_or([0; 3], left)
    };
    let mut languages: Vec<_> = waterfall
        .languages()
        // Leaves out languages whose rows were all dropped before the last stage.
        .filter(|(_, stages)| {
            stages.last().map(|last| last.stage) == waterfall.stages().last().map(|last| last.stage)
        })
        .map(|(code, stages)| (code, counts_left(stages)))
        .filter(|(_, [rows, ..])| *rows > 0)
        .collect();
    languages.sort_by_key(|(_, [rows, ..])| std::cmp::Reverse(*rows));
    if !languages.is_empty() {
        row(["language", "rows left", "", "characters left", "tokens left"]);
        let mut counts = |name: &str, counts: [u64; 3]| {
            let [rows, chars, tokens] = counts.map(thousands);
            row([name, &rows, "", &chars, &tokens]);
        };
        for (code, left) in languages.iter().take(MAX_LISTED_LANGUAGES) {
            counts(code, *left);
        }
        if let Some(other_languages) = languages
            .get(MAX_LISTED_LANGUAGES..)
            .filter(|other_languages| !other_languages.is_empty())
        {
            let sum =
                |index: usize| other_languages.iter().map(|(_, left)| left[index]).sum::<u64>();
            counts(&format!("{} others", other_languages.len()), [sum(0), sum(1), sum(2)]);
        }
    }
    lines
}

/// Returns rows on the extractors whose texts rows kept, in runs that choose among several.
fn extractor_rows(waterfall: &Waterfall) -> Vec<String> {
    let mut yields: Vec<_> = waterfall.extractors().collect();
    if yields.is_empty() {
        return Vec::new();
    }
    yields.sort_by_key(|(_, kept)| std::cmp::Reverse(kept.rows));
    let has_tokens = yields.iter().any(|(_, kept)| kept.tokens.is_some());
    let row = |cells: [&str; 4]| {
        let [name, rows, chars, tokens] = cells;
        let line = format!("  {name:<26}{rows:>16}{:>14}{chars:>20}", "");
        if has_tokens { format!("{line}{tokens:>20}") } else { line }
    };
    let heading = row(["extractor", "rows", "characters", "tokens"]);
    let rows = yields.into_iter().map(|(name, ExtractorYield { rows, chars, tokens })| {
        row([name, &thousands(*rows), &thousands(*chars), &thousands(tokens.unwrap_or_default())])
    });
    std::iter::once(heading).chain(rows).collect()
}

/// Most kinds of files, and folders, in the table. The statistics have all.
const MAX_NAMED_FILES: usize = 5;

/// Returns lines on the files in the given folders that are not inputs.
pub(crate) fn ignored_file_lines(ignored: &IgnoredFiles) -> Vec<String> {
    let mut lines = Vec::new();
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let count = ignored.count();
    if count > 0 {
        let mut kinds: Vec<_> = ignored.files.iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let named = kinds
            .iter()
            .take(MAX_NAMED_FILES)
            .map(|(kind, n)| format!("{} {kind}", thousands(**n)));
        let mut named: Vec<_> = named.collect();
        named.extend((kinds.len() > MAX_NAMED_FILES).then(|| "…".to_owned()));
        let (number, named) = (thousands(count), named.join(", "));
        let are = if count == 1 { "is not an input" } else { "are not inputs" };
        lines.push(format!("  ignored {number} file{} that {are}", plural(count)));
        lines.push(format!("    {named}"));
    }
    let folders = &ignored.outputs;
    if !folders.is_empty() {
        let number = thousands(folders.len() as u64);
        let plural = plural(folders.len() as u64);
        lines.push(format!("  ignored {number} folder{plural} with the output of a run"));
        lines.extend(folders.iter().take(MAX_NAMED_FILES).map(|folder| format!("    {folder}")));
        lines.extend((folders.len() > MAX_NAMED_FILES).then(|| "    …".to_owned()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_pipeline::{Counters, InputSummary};

    #[test]
    fn the_table_fits_eighty_columns_and_adds_up() {
        let json = r#"{"records":1234567,"written":1000000,"skipped":{"request":234560},"failed":{"truncated":7},"repaired":{"checksum_mismatch":2}}"#;
        let total: Counters = serde_json::from_str(json).unwrap();
        let input =
            InputSummary { name: "a".to_owned(), bytes: 5_000_000, counters: total.clone() };
        let summary = Summary { inputs: vec![input], total, ..Summary::default() };
        let text = lines(&summary, Some(Duration::from_millis(1500))).join("\n");
        let expected = "\
1 input, 5.0 MB, in 1.5 s
  records read                     1,234,567
  written                          1,000,000
  skipped                            234,560
    request                          234,560
  failed                                   7
    truncated                              7
  repaired (counted above)                 2
    checksum_mismatch                      2";
        assert_eq!(text, expected);
    }

    #[test]
    fn inputs_without_a_page_are_not_counted_twice() {
        let said = |read: &[&'static str], gone: &[&'static str]| -> Vec<_> {
            unusable(read.iter().copied(), gone.iter().copied()).collect()
        };
        assert!(said(&["a", "b"], &[]).is_empty());
        assert_eq!(said(&["a", "b"], &["b"]), ["  1 of them could not be used"]);
        assert_eq!(said(&[], &["c"]), ["  1 more could not be used"]);
        let both = ["  2 of them could not be used", "  1 more could not be used"];
        assert_eq!(said(&["a", "b"], &["c", "a", "b"]), both);
    }

    #[test]
    fn a_waterfall_shows_what_stages_and_languages_left() {
        assert!(waterfall_rows(&Waterfall::default()).is_empty());
        let stage = |name: &str, rows: u64, dropped: u64| {
            let (chars, left) =
                if name == "url" { (0, 0) } else { (rows * 1000, (rows - dropped) * 1000) };
            format!(
                r#"{{"stage":"{name}","rows":{rows},"dropped":{dropped},"chars":{chars},"chars_left":{left}}}"#
            )
        };
        let languages = ["deu", "eng", "fra", "ita", "jpn", "por", "spa", "zho"].iter().enumerate();
        let languages = languages
            .map(|(at, code)| format!(r#""{code}":[{}]"#, stage("language", 10 + at as u64, 0)));
        let languages: Vec<_> =
            languages.chain([format!(r#""tha":[{}]"#, stage("language", 9, 9))]).collect();
        let json = format!(
            r#"{{"stages":[{},{}],"languages":{{{}}}}}"#,
            stage("url", 200, 30),
            stage("language", 170, 9),
            languages.join(",")
        );
        let lines = waterfall_rows(&serde_json::from_str(&json).unwrap());
        assert!(lines.iter().all(|line| line.len() <= 80));
        let expected = "
  stage                                 rows       dropped     characters left
  url                                    200            30                   -
  language                               170             9             161,000
  language                         rows left                   characters left
  zho                                     17                            17,000
  spa                                     16                            16,000
  por                                     15                            15,000
  jpn                                     14                            14,000
  ita                                     13                            13,000
  3 others                                33                            33,000";
        assert_eq!(format!("\n{}", lines.join("\n")), expected);
    }

    #[test]
    fn the_extractors_of_a_union_have_their_yields() {
        let json = r#"{"stages":[],"languages":{},"extractors":{"dvps":{"rows":2,"chars":6000},"hull":{"rows":2345,"chars":111}}}"#;
        let waterfall: Waterfall = serde_json::from_str(json).unwrap();
        let expected = "
  extractor                             rows                        characters
  hull                                 2,345                               111
  dvps                                     2                             6,000";
        assert_eq!(format!("\n{}", extractor_rows(&waterfall).join("\n")), expected);
        assert!(extractor_rows(&Waterfall::default()).is_empty());
    }

    #[test]
    fn what_was_passed_over_is_said_in_few_lines() {
        assert!(ignored_file_lines(&IgnoredFiles::default()).is_empty());
        let kinds = [(".pdf", 12), (".wacz", 1), (".a", 1), (".b", 1), (".c", 1), (".d", 1)];
        let other = IgnoredFiles {
            outputs: vec!["cr/a".to_owned()],
            files: kinds.map(|(kind, count)| (kind.to_owned(), count)).into(),
        };
        let expected = [
            "  ignored 17 files that are not inputs",
            "    12 .pdf, 1 .a, 1 .b, 1 .c, 1 .d, …",
            "  ignored 1 folder with the output of a run",
            "    cr/a",
        ];
        assert_eq!(ignored_file_lines(&other), expected);
    }
}
