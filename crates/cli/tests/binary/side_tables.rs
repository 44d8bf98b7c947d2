//! `--links` and `--escalate`: the tables of links and of escalated pages beside the rows.

use crate::support::{
    Huller, assert_killed_runs_go_on, assert_same, contents, rows, sample, string, temp,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Returns a run over the sample with all tables beside the rows.
fn extract(folder: &Path) -> Huller {
    let at = |name: &str| folder.join(name);
    let run = Huller::extract(sample(), at("rows")).arg("--links").arg(at("links"));
    let run = run.arg("--escalate").arg(at("hard")).args(["--below", "0.9"]);
    let run = run.arg("--passages").arg(at("passages"));
    run.args(["--passages-set", "tokenizer=characters", "--passages-set", "max_tokens=600"])
}

fn table(folder: &Path, name: &str) -> Vec<Value> {
    rows(folder.join(name).join("sample.jsonl.zst"))
}

#[test]
fn every_link_of_a_row_has_its_target_text_and_role() {
    let [one, four] = [temp(), temp()];
    let ran = extract(one.path()).arg("-j1").run().exits(0);
    extract(four.path()).arg("-j4").run().exits(0);
    assert_same(&contents(one.path()), &contents(four.path()));
    Huller::new().arg("verify").arg(one.path().join("rows")).run().exits(0);
    let (pages, links) = (table(one.path(), "rows"), table(one.path(), "links"));
    ran.says(&format!("  {:<26}{:>16}\n", "  links of these", thousands(links.len())));
    let ids: BTreeSet<_> = pages.iter().map(|page| string(page, "id")).collect();
    let texts: BTreeMap<_, _> =
        pages.iter().map(|page| (string(page, "id"), string(page, "text"))).collect();
    let mut ordinals: BTreeMap<&str, u64> = BTreeMap::new();
    let mut roles = BTreeSet::new();
    for link in &links {
        let id = string(link, "parent_id");
        assert!(ids.contains(id));
        assert_eq!(link["ordinal"], *ordinals.entry(id).or_default());
        *ordinals.get_mut(id).unwrap() += 1;
        let target = string(link, "target");
        assert!(target.starts_with("http://") || target.starts_with("https://"), "{target}");
        let text = string(link, "text");
        assert!(!text.contains(['\n', '\t']) && text.trim() == text);
        if link["kept"] == true && !text.is_empty() {
            let found = texts[id].split_whitespace().collect::<Vec<_>>().join(" ");
            let first = text.split(' ').next().unwrap();
            assert!(found.contains(first), "{text} is not in {id}");
        }
        roles.insert(string(link, "role"));
    }
    for role in ["content", "navigation", "footer"] {
        assert!(roles.contains(role), "{roles:?}");
    }
}

fn thousands(number: usize) -> String {
    let digits = number.to_string();
    match digits.len() {
        0..=3 => digits,
        length => format!("{},{}", &digits[..length - 3], &digits[length - 3..]),
    }
}

#[test]
fn pages_with_a_low_score_are_escalated_with_their_blocks() {
    let folder = temp();
    extract(folder.path()).args(["--stages", "mask"]).run().exits(0);
    let (pages, hard) = (table(folder.path(), "rows"), table(folder.path(), "hard"));
    let low = |page: &&Value| page["score"].as_f64().is_some_and(|score| score < 0.9);
    let expected: Vec<_> = pages.iter().filter(low).map(|page| string(page, "id")).collect();
    let found: Vec<_> = hard.iter().map(|page| string(page, "id")).collect();
    assert_eq!(found, expected);
    assert!(hard.len() > 3 && hard.len() < pages.len());
    assert!(pages.iter().all(|page| page.get("blocks").is_none()));

    // The blocks are those of a run that lists them in its rows.
    let listed = temp();
    let run = Huller::extract(sample(), listed.path()).args(["--blocks", "--stages", "mask"]);
    run.run().exits(0);
    let listed: BTreeMap<_, _> = rows(listed.path().join("sample.jsonl.zst"))
        .into_iter()
        .map(|row| (string(&row, "id").to_owned(), row["blocks"].clone()))
        .collect();
    for page in &hard {
        assert_eq!(page["blocks"], listed[string(page, "id")]);
    }
}

#[test]
fn killed_runs_resume_to_the_same_tables() {
    let inputs = temp();
    for name in ["a", "b", "c"] {
        fs::copy(sample(), inputs.path().join(format!("{name}.warc.gz"))).unwrap();
    }
    let trials = if std::env::var_os("HULLER_FULL").is_some() { 50 } else { 4 };
    for format in ["jsonl", "parquet"] {
        let work = temp();
        assert_killed_runs_go_on(work.path(), trials, |out| {
            let run = Huller::extract(inputs.path(), out.join("rows")).args(["--format", format]);
            let run = run.arg("--links").arg(out.join("links"));
            run.arg("--escalate").arg(out.join("hard")).args(["--below", "0.9"])
        });
    }
}

#[test]
fn links_have_the_format_that_is_asked_and_a_folder_of_their_own() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    let run = |links: &str| Huller::extract(sample(), at("rows")).arg("--links").arg(at(links));
    run("links").args(["--links-format", "csv", "--compress", "none"]).run().exits(0);
    let csv = fs::read_to_string(at("links/sample.csv")).unwrap();
    assert!(csv.starts_with("parent_id,ordinal,url,target,text,rel,role,kept\n"), "{csv:.80}");
    let same = run("links").arg("--passages").arg(at("links")).arg("--overwrite").run();
    same.exits(2).says("write links to a folder of their own");
    run("rows/links").arg("--overwrite").run().exits(2).says("lie in one another");
    let none = Huller::extract(sample(), at("other")).args(["--links-format", "csv"]).run();
    none.exits(2).says("--links-format needs a folder: --links DIR");
    let limit = Huller::extract(sample(), at("other")).arg("--escalate").arg(at("hard")).run();
    limit.exits(2).says("--escalate needs --below SCORE");
}
