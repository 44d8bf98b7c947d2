//! Compares the rules of robots.txt with Protego, the parser of Scrapy, on random files and paths.
//!
//! Python is the program in `$HULLER_PYTHON`, or else `python3`. Without its package `protego` the
//! test prints "skipped" and succeeds.

use huller_rights::{RobotsRules, Signal};
use huller_testkit::random::Random;
use std::io::Write;
use std::process::{Command, Stdio};

/// Reads cases of three lines, in JSON: file, robot and path. Prints 1 or 0 for each.
const SCRIPT: &str = "
import json, sys
from protego import Protego
for line in sys.stdin:
    file, agent, path = json.loads(line)
    print(int(Protego.parse(file).can_fetch('https://a.test' + path, agent)))
";

/// Runs Python with a program and its input. Returns `None` if it fails.
fn python(program: &str, input: &[u8]) -> Option<String> {
    let python = std::env::var_os("HULLER_PYTHON").unwrap_or_else(|| "python3".into());
    let mut child = Command::new(python)
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().ok()?;
    let is_written = writer.join().is_ok_and(|is_written| is_written);
    (is_written && output.status.success()).then(|| String::from_utf8(output.stdout).expect("text"))
}

fn one_of<'c>(random: &mut Random, choices: &[&'c str]) -> &'c str {
    choices[random.word() as usize % choices.len()]
}

/// Makes a path or pattern of a few pieces.
fn path(random: &mut Random, pieces: &[&str]) -> String {
    let count = random.word() as usize % 5;
    (0..count).fold("/".to_owned(), |path, _| path + one_of(random, pieces))
}

/// Makes a file of several groups, with the names that robots ask for.
fn file(random: &mut Random) -> String {
    const PATTERNS: &[&str] = &["a", "b", "/", "*", ".html", "?x=1", "%41", "ab", "$", "-%c3%a9"];
    let mut file = String::new();
    for _ in 0..=random.word() % 4 {
        for _ in 0..=random.word() % 2 {
            let name = one_of(random, &["*", "onebot", "TwoBot", "threebot"]);
            let key = one_of(random, &["User-agent", "user-agent"]);
            file.extend([key, ": ", name, "\n"]);
        }
        for _ in 0..=random.word() % 5 {
            let kind = one_of(random, &["Allow", "Disallow", "disallow"]);
            let mut pattern = path(random, PATTERNS);
            // Protego gives a `$` amid a pattern another meaning than RFC 9309 does.
            let is_anchored = pattern.ends_with('$');
            pattern = pattern.replace('$', "");
            let end = if is_anchored { "$\n" } else { "\n" };
            file.extend([kind, ": ", &pattern, end]);
        }
        file += one_of(random, &["", "\n", "# a comment\n", "Sitemap: https://a.test/s.xml\n"]);
    }
    file
}

#[test]
fn rules_are_those_of_protego() {
    const CASES: usize = 20_000;
    if python("import protego", b"").is_none() {
        eprintln!("skipped: Python has no package protego");
        return;
    }
    let mut random = Random::new(1);
    let (mut input, mut ours, mut cases) = (String::new(), Vec::new(), Vec::new());
    let mut robots = file(&mut random);
    for number in 0..CASES {
        if number % 4 == 0 {
            robots = file(&mut random);
        }
        let agent = one_of(&mut random, &["onebot", "twobot", "threebot", "otherspider"]);
        let path =
            path(&mut random, &["a", "b", "/", ".html", "?x=1", "%61", "ab", "A", "-%C3%A9"]);
        let mut is_allowed = true;
        let rules = RobotsRules::parse(robots.as_bytes(), &[agent.to_owned()]);
        rules.for_each_statement(&path, |_, signal, _| is_allowed &= signal != Signal::Disallow);
        input += &serde_json::to_string(&(&robots, agent, &path)).unwrap();
        input.push('\n');
        ours.push(if is_allowed { "1" } else { "0" });
        cases.push((robots.clone(), agent, path));
    }
    let theirs = python(SCRIPT, input.as_bytes()).expect("Protego reads all files");
    let theirs: Vec<_> = theirs.lines().collect();
    assert_eq!(theirs.len(), CASES);
    let different: Vec<_> = (0..CASES).filter(|case| ours[*case] != theirs[*case]).collect();
    let refused = ours.iter().filter(|answer| **answer == "0").count();
    assert!(refused > CASES / 10 && refused < CASES * 9 / 10, "{refused} refusals");
    for case in different.iter().take(5) {
        let (file, agent, path) = &cases[*case];
        eprintln!("{file}{agent} {path}: ours {}, theirs {}\n", ours[*case], theirs[*case]);
    }
    assert!(different.is_empty(), "{} of {CASES} differ", different.len());
}
