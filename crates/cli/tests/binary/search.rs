//! `huller search`: the rows that fit.

use crate::support::{Huller, temp};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// An index of these rows.
fn index_of(folder: &Path, rows: &[Value]) -> PathBuf {
    let (corpus, out) = (folder.join("rows.jsonl"), folder.join("index"));
    let lines: String = rows.iter().map(|row| row.to_string() + "\n").collect();
    fs::write(&corpus, lines).unwrap();
    Huller::new().arg("index").arg(&corpus).arg("-o").arg(&out).run().exits(0);
    out
}

fn search(index: &Path, query: &str) -> Huller {
    Huller::new().arg("search").arg(index).arg(query)
}

fn hits(index: &Path, query: &str) -> Vec<Value> {
    search(index, query).args(["--json", "-n", "1000"]).run().exits(0).rows()
}

/// The identifiers of the hits, sorted.
fn ids(index: &Path, query: &str) -> Vec<String> {
    let hits = hits(index, query);
    let mut ids: Vec<_> = hits.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

/// Texts in eight languages.
const TEXTS: [(&str, &str, &str); 12] = [
    ("en1", "eng", "The quick brown fox doesn't jump; it visits example.com at 3.5 mph."),
    ("en2", "eng", "A lazy dog sleeps. The brown bear jumps over the fox-hole."),
    ("de1", "deu", "Die Häuser in der Straße sind schön, das Haus am Weiher auch."),
    ("fr1", "fra", "L'homme qui aimait les forêts a mangé à l'hôtel de Montréal."),
    ("ru1", "rus", "Книги стоят на полке, книга лежит на столе; ёлка зелёная."),
    ("el1", "ell", "Ο ΔΡΟΜΟΣ είναι μακρύς και ο δρόμος είναι παλιός."),
    ("zh1", "cmn", "我在北京大学学习中文，猫在睡觉。"),
    ("zh2", "cmn", "北京的大学很多。"),
    ("ja1", "jpn", "東京タワーは高いです。ﾊﾟｿｺﾝを使います。"),
    ("th1", "tha", "ภาษาไทยเป็นภาษาที่สวยงาม"),
    ("ko1", "kor", "서울에서 김치를 먹었습니다."),
    ("hi1", "hin", "हिन्दी भाषा सुन्दर है"),
];

/// The words of a text, by a rule so plain that it needs no trust: letters are folded, everything
/// else parts words.
fn plain_words(text: &str) -> Vec<String> {
    let folded: String = text
        .to_lowercase()
        .chars()
        .map(|c| match c {
            'ä' | 'à' => 'a',
            'ö' | 'ô' => 'o',
            'ü' => 'u',
            'é' | 'ê' => 'e',
            'ё' => 'е',
            'й' => 'и',
            'ό' => 'ο',
            'ί' => 'ι',
            'ύ' => 'υ',
            'ς' => 'σ',
            c => c,
        })
        .collect();
    let folded = folded.replace('ß', "ss").replace("ﾊﾟｿｺﾝ", "パソコン");
    let is_part = |c: char| c.is_alphanumeric() || ('\u{900}'..'\u{E80}').contains(&c);
    folded.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn phrases_and_words_are_found_exactly_where_a_scan_finds_them() {
    let folder = temp();
    let rows: Vec<_> = TEXTS
        .iter()
        .map(|(id, language, text)| json!({"id": id, "language": language, "text": text}))
        .collect();
    let index = index_of(folder.path(), &rows);
    let mut queries = Vec::new();
    for (_, language, text) in TEXTS {
        let words = plain_words(text);
        if ["cmn", "jpn", "tha", "kor"].contains(&language) {
            // Any part of a run, from one scalar on.
            for word in &words {
                let scalars: Vec<char> = word.chars().collect();
                for length in 1..=4 {
                    let parts = scalars.windows(length).map(|part| part.iter().collect::<String>());
                    // A vowel sign is no query by itself.
                    queries.extend(
                        parts.filter(|part| part.chars().next().is_some_and(char::is_alphanumeric)),
                    );
                }
            }
        } else {
            for length in 1..=3 {
                queries.extend(words.windows(length).map(|phrase| phrase.join(" ")));
            }
        }
    }
    queries.extend(["brown the", "dog fox", "北京学", "京東"].map(str::to_owned));
    // Signs of Thai alone are no word, and the program says so.
    let is_sign = |c: char| matches!(c, '\u{E31}' | '\u{E34}'..='\u{E3A}' | '\u{E47}'..='\u{E4E}');
    queries.retain(|query| !query.chars().all(is_sign));
    queries.sort();
    queries.dedup();
    assert!(queries.len() > 250, "{}", queries.len());
    // Asked through one call of the program each, so a part of them.
    for query in queries.iter().step_by(3) {
        let asked = plain_words(query);
        let is_run = |text: &str| text.chars().any(|c| !c.is_ascii() && c > '\u{E00}');
        let mut expected: Vec<&str> = TEXTS
            .iter()
            .filter(|(_, _, text)| {
                let words = plain_words(text);
                if is_run(query) {
                    return words.iter().any(|word| word.contains(&asked[0]));
                }
                words.windows(asked.len()).any(|part| part == asked)
            })
            .map(|(id, ..)| *id)
            .collect();
        expected.sort_unstable();
        assert_eq!(ids(&index, &format!("\"{query}\"")), expected, "{query}");
    }
}

#[test]
fn words_are_found_by_their_stems_and_phrases_are_not() {
    let folder = temp();
    let rows =
        TEXTS.map(|(id, language, text)| json!({"id": id, "language": language, "text": text}));
    let index = index_of(folder.path(), &rows);
    for (query, expected) in [
        ("jumping", vec!["en1", "en2"]),
        ("\"jumping\"", vec![]),
        ("haus", vec!["de1"]),
        ("книгами", vec!["ru1"]),
        ("forêt", vec!["fr1"]),
        ("foret", vec!["fr1"]),
        ("STRASSE", vec!["de1"]),
        ("example", vec!["en1"]),
        ("example.com", vec!["en1"]),
        ("homme", vec!["fr1"]),
        ("l'homme", vec!["fr1"]),
        ("+brown -dog", vec!["en1"]),
        ("+brown +lazy", vec!["en2"]),
        ("lazy quick", vec!["en1", "en2"]),
        ("猫", vec!["zh1"]),
        ("lang:cmn 大学", vec!["zh1", "zh2"]),
    ] {
        assert_eq!(ids(&index, query), expected, "{query}");
    }
    let in_french = search(&index, "jumping").args(["--json", "--lang", "fra"]).run().exits(0);
    assert!(in_french.rows().is_empty());
}

#[test]
fn fields_hosts_and_days_are_asked() {
    let folder = temp();
    let row = |id: &str, url: &str, title: &str, date: &str| json!({"id": id, "url": url, "title": title, "date": date, "text": "same words here", "page_type": "article", "language": "eng"});
    let index = index_of(
        folder.path(),
        &[
            row("a", "https://www.Example.org/cats/One", "Cats", "2024-02-29T23:59:59Z"),
            row("b", "https://example.org.evil.test/", "Dogs", "2024-03-01T00:00:00Z"),
            row("c", "https://other.test/x?cats", "words", "2023-01-01"),
        ],
    );
    for (query, expected) in [
        ("host:example.org", vec!["a"]),
        ("host:test", vec!["b", "c"]),
        ("url:cats/one", vec!["a"]),
        ("url:cats", vec!["a", "c"]),
        ("title:cat", vec!["a"]),
        ("text:cats", vec![]),
        ("date:2024-02-29", vec!["a"]),
        ("date:2024-03-01..", vec!["b"]),
        ("+words date:..2024-02-29 -host:other.test", vec!["a"]),
        ("+words date:..2023-12-31 -host:other.test", vec![]),
        ("host:example.org words", vec!["a"]),
        ("host:example.org cats", vec!["a"]),
        ("host:evil.test cats", vec![]),
        ("host:example.org host:other.test words", vec!["a", "c"]),
        ("host:test id:b", vec!["b"]),
        ("+words +date:..2024-02-29", vec!["a", "c"]),
        ("type:article", vec!["a", "b", "c"]),
        ("id:b", vec!["b"]),
    ] {
        assert_eq!(ids(&index, query), expected, "{query}");
    }
    let found = hits(&index, "words");
    assert_eq!(found[0]["id"], "c", "a word of the title counts more");
    assert!(found[0]["score"].as_f64() > found[1]["score"].as_f64());
    for (option, value, expected) in [
        ("--host", "example.org", 1),
        ("--from", "2024-03-01", 1),
        ("--to", "2024-02-29", 2),
        ("--lang", "eng", 3),
    ] {
        let ran = search(&index, "words").args(["--json", option, value]).run().exits(0);
        assert_eq!(ran.rows().len(), expected, "{option}");
    }
    assert_eq!(search(&index, "words").args(["--json", "-n", "2"]).run().exits(0).rows().len(), 2);
}

/// Rows with authors, in several languages.
fn rows_with_authors() -> Vec<Value> {
    let row = |id: &str, language: &str, author: &str, text: &str| json!({"id": id, "language": language, "author": author, "published": format!("2024-0{}-01", id.len()), "text": text});
    vec![
        row("a", "eng", "Ottoline Farr", "The ferry returns to its old harbour."),
        row("bb", "eng", "", "A far country, seen from afar by farmers."),
        row("ccc", "hun", "Kovács János", "Farra ment a farm."),
        row("dddd", "jpn", "", "人類の歴史は長い。東京の大学で学ぶ。"),
    ]
}

#[test]
fn authors_and_days_of_publication_are_asked() {
    let folder = temp();
    let index = index_of(folder.path(), &rows_with_authors());
    for (query, expected) in [
        ("author:farr", vec!["a"]),
        ("Ottoline", vec!["a"]),
        ("author:\"kovacs janos\"", vec!["ccc"]),
        ("author:ferry", vec![]),
        ("published:2024-03-01", vec!["ccc"]),
        ("published:2024-03-01.. -lang:jpn", vec!["ccc"]),
        ("published:..2024-02-01 ferry far", vec!["a", "bb"]),
    ] {
        assert_eq!(ids(&index, query), expected, "{query}");
    }
    let hit = &hits(&index, "author:farr")[0];
    assert_eq!(
        (&hit["author"], &hit["published"]),
        (&json!("Ottoline Farr"), &json!("2024-01-01"))
    );
}

#[test]
fn names_are_not_stemmed_by_other_languages() {
    let folder = temp();
    let index = index_of(folder.path(), &rows_with_authors());
    // Other languages stem `Farr` to `far`, which an English row has.
    assert_eq!(ids(&index, "Farr"), ["a"]);
    assert_eq!(ids(&index, "farmer"), ["bb"]);
    let hit = &hits(&index, "lang:eng Farr")[0];
    assert_eq!(hit["id"], "a");
}

#[test]
fn a_star_completes_words() {
    let folder = temp();
    let index = index_of(folder.path(), &rows_with_authors());
    for (query, expected) in [
        ("far*", vec!["a", "bb", "ccc"]),
        ("farm*", vec!["bb", "ccc"]),
        ("text:farm* -farmers", vec!["ccc"]),
        ("+FERR* +harb*", vec!["a"]),
        ("author:otto*", vec!["a"]),
        ("\"far*\"", vec!["bb"]),
        ("東京*", vec!["dddd"]),
        ("zz*", vec![]),
    ] {
        assert_eq!(ids(&index, query), expected, "{query}");
    }
    let hit = &hits(&index, "harb*")[0];
    let mark = &hit["marks"][0];
    let marked = mark[0].as_u64().unwrap() as usize..mark[1].as_u64().unwrap() as usize;
    assert_eq!(&hit["snippet"].as_str().unwrap()[marked], "harbour");
}

#[test]
fn a_word_that_no_row_has_is_replaced_by_words_with_another_letter() {
    let folder = temp();
    let index = index_of(folder.path(), &rows_with_authors());
    let note = |word: &str, by: &str| format!("note: no row has '{word}'; searched for {by}\n");
    for (query, expected, said) in [
        ("feery", vec!["a"], note("feery", "ferry")),
        ("harbuor", vec!["a"], note("harbuor", "harbour")),
        ("Ottolin", vec!["a"], note("Ottolin", "ottoline")),
        ("+country +feery", vec![], String::new()),
        ("\"feery\"", vec![], String::new()),
        ("ferry -retuns", vec!["a"], String::new()),
        ("xxy", vec![], String::new()),
    ] {
        assert_eq!(ids(&index, query), expected, "{query}");
        let ran = search(&index, query).args(["--json"]).run().exits(0);
        assert_eq!(ran.stderr, said, "{query}");
    }
    // The index has both words, but no row has both.
    let ran = search(&index, "+harbour +afar").run().exits(0);
    assert_eq!(ran.stderr, "no results\n");
    let ran = search(&index, "+country +farmes").run().exits(0);
    assert!(ran.stderr.contains("'farmes' searched for farmers"), "{}", ran.stderr);
}

#[test]
fn a_run_that_no_row_has_matches_in_part() {
    let folder = temp();
    let index = index_of(folder.path(), &rows_with_authors());
    assert_eq!(ids(&index, "人類史"), ["dddd"]);
    assert_eq!(ids(&index, "\"人類史\""), [""; 0]);
}

#[test]
fn many_queries_come_from_a_file() {
    let folder = temp();
    let index = index_of(folder.path(), &rows_with_authors());
    let queries = folder.path().join("queries.txt");
    fs::write(&queries, "\u{feff}ferry\r\n\n  farmers  \nnothing").unwrap();
    let ask = || Huller::new().arg("search").arg(&index).arg("--queries");
    let ran = ask().arg(&queries).arg("--json").run().exits(0);
    let found: Vec<_> =
        ran.rows().iter().map(|row| (row["query"].clone(), row["id"].clone())).collect();
    assert_eq!(found, [(json!("ferry"), json!("a")), (json!("farmers"), json!("bb"))]);
    let ran = ask().arg(&queries).run().exits(0);
    assert!(ran.text().starts_with("# ferry\n1. "), "{}", ran.text());
    fs::write(&queries, "ferry\n\"open").unwrap();
    ask().arg(&queries).run().exits(2).says("line 2 of").says("not closed");
    fs::write(&queries, " \n").unwrap();
    ask().arg(&queries).run().exits(2).says("no queries");
    ask().arg(folder.path().join("none")).run().exits(2).says("cannot read");
    Huller::new().arg("search").arg(&index).run().exits(2).says("QUERY");
}

#[test]
fn all_rows_can_be_exported() {
    let folder = temp();
    let rows: Vec<_> =
        (0..12_000).map(|n| json!({"id": n.to_string(), "text": "a word"})).collect();
    let index = index_of(folder.path(), &rows);
    let found = search(&index, "word").args(["--json", "-n", "all"]).run().exits(0);
    assert_eq!(found.rows().len(), 12_000);
    search(&index, "word").args(["-n", "0"]).run().exits(2).says("or all");
}

#[test]
fn snippets_show_the_phrase_in_scripts_without_spaces() {
    let folder = temp();
    let filler = "東方の大きな学校で都市の大通りを学生が通る。".repeat(40);
    let text = format!("{filler}私は東京大学通りに住む。{filler}");
    let index = index_of(folder.path(), &[json!({"id": "a", "language": "jpn", "text": text})]);
    let hit = &hits(&index, "東京大学通り")[0];
    assert!(hit["snippet"].as_str().unwrap().contains("東京大学通り"), "{hit}");
}

#[test]
fn marks_are_bytes_of_the_snippet() {
    let folder = temp();
    let rows =
        TEXTS.map(|(id, language, text)| json!({"id": id, "language": language, "text": text}));
    let index = index_of(folder.path(), &rows);
    for (query, expected) in [
        ("häuser", vec!["Häuser", "Haus"]),
        ("大学", vec!["大学"]),
        ("jump fox", vec!["fox", "jump"]),
    ] {
        let hit = &hits(&index, query)[0];
        let text = hit["snippet"].as_str().unwrap();
        let marks: Vec<_> = hit["marks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mark| {
                &text[mark[0].as_u64().unwrap() as usize..mark[1].as_u64().unwrap() as usize]
            })
            .collect();
        assert_eq!(marks, expected, "{text}");
    }
}

#[test]
fn signs_of_strangers_do_not_reach_the_terminal() {
    let folder = temp();
    let hostile = "evil\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}<script>alert(1)</script>";
    let row = json!({"id": "a", "url": format!("http://a.test/{hostile}"), "title": hostile, "text": hostile});
    let index = index_of(folder.path(), &[row]);
    let ran = search(&index, "evil").run().exits(0);
    assert!(ran.text().contains("<script>"));
    assert!(
        ran.text().lines().all(|line| !line.contains(|c: char| c.is_control() || c == '\u{202e}'))
    );
    let hit = &hits(&index, "evil")[0];
    assert_eq!(hit["title"], hostile, "JSON has what the row has");
}

#[test]
fn what_cannot_be_asked_is_told_with_the_remedy() {
    let folder = temp();
    let index = index_of(folder.path(), &[json!({"id": "a", "text": "x"})]);
    for (query, message) in [
        ("\"open", "not closed"),
        ("http:a.test", "unknown field 'http'"),
        ("", "give at least one word"),
        ("-x", "add a word"),
        ("...", "no letters or digits"),
        ("date:soon", "2024-03-01"),
    ] {
        search(&index, query).run().exits(2).says(message);
    }
    search(&index, &"y".repeat(200)).run().exits(2).says("too long");
    search(&index, &"y ".repeat(3000)).run().exits(2).says("4096");
    search(&index, "nothing").run().exits(0).says("no results");
    search(&index, "http://a.test").run().exits(0).says("no results");
    let rows = [json!({"id": "a", "text": "x", "language": "eng", "page_type": "article"})];
    let typed = folder.path().join("typed");
    fs::create_dir(&typed).unwrap();
    let typed = index_of(&typed, &rows);
    let asked =
        |option: &str, value: &str| search(&typed, "y").args([option, value]).run().exits(0);
    asked("--lang", "english").says("hint: --lang compares the field `language`").says("'english'");
    asked("--type", "story").says("hint: --type compares the field `page_type`");
    for (option, value) in [("--lang", "eng"), ("--type", "article")] {
        assert_eq!(asked(option, value).stderr, "no results\n");
    }
    search(folder.path(), "x").run().exits(2).says("huller index");
    search(&folder.path().join("none"), "x").run().exits(2).says("huller index");
    search(&index, "x").args(["--from", "March"]).run().exits(2).says("2024-03-01");
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let folder = temp();
    let rows: Vec<_> =
        (0..3000).map(|n| json!({"id": n.to_string(), "text": format!("word {n}")})).collect();
    let index = index_of(folder.path(), &rows);
    let mut reader = std::process::Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let pipe = reader.stdin.take().unwrap();
    reader.wait().unwrap();
    let ran = search(&index, "word").args(["-n", "10000"]).run_into(Stdio::from(pipe)).exits(0);
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_search_writes_nothing_into_the_index() {
    let folder = temp();
    let index = index_of(folder.path(), &[json!({"url": "https://a.example/", "text": "ferry"})]);
    let locks = || fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().path());
    for lock in locks().filter(|path| path.extension().is_some_and(|suffix| suffix == "lock")) {
        fs::remove_file(lock).unwrap();
    }
    let before: std::collections::BTreeSet<_> = locks().collect();
    search(&index, "ferry").run().exits(0);
    assert_eq!(locks().collect::<std::collections::BTreeSet<_>>(), before);
}
