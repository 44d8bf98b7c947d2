use super::*;

/// Returns the statements of a file for a robot about a path.
fn stated(file: &str, agent: &str, path: &str) -> Vec<String> {
    let rules = RobotsRules::parse(file.as_bytes(), &[agent.to_owned()]);
    let mut all = Vec::new();
    rules.for_each_statement(path, |agent, signal, value| {
        all.push(format!("{} {} {value}", agent.unwrap_or("*"), signal.name()));
    });
    all
}

fn is_allowed(file: &str, agent: &str, path: &str) -> bool {
    !stated(file, agent, path).iter().any(|statement| statement.contains(" disallow "))
}

#[test]
fn the_example_of_rfc_9309_holds() {
    // Section 5.1, with rules of our own.
    let file = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
        User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
        User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n\
        User-Agent: quxbot\n";
    assert!(!is_allowed(file, "other", "/a/x.gif") && !is_allowed(file, "other", "/example/"));
    assert!(is_allowed(file, "other", "/publications/") && is_allowed(file, "other", "/x"));
    assert!(is_allowed(file, "FooBot", "/example/page.html"));
    assert!(is_allowed(file, "foobot/2.1", "/example/allowed.gif"));
    assert!(!is_allowed(file, "foobot", "/publications/"));
    for agent in ["barbot", "BAZBOT"] {
        assert!(
            !is_allowed(file, agent, "/example/page.html") && is_allowed(file, agent, "/x.gif")
        );
    }
    assert!(is_allowed(file, "quxbot", "/example/"));
    // Section 5.2: the longest match.
    let file =
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
    assert!(!is_allowed(file, "foobot", "/example/page/disallowed.gif"));
    assert!(is_allowed(file, "foobot", "/example/page/"));
}

#[test]
fn groups_of_one_robot_are_joined_and_others_left_out() {
    let file = "disallow: /early\nuser-agent: a\ndisallow: /1\nsitemap: x\nuser-agent: b\n\
        disallow: /2\nuser-agent: A # again\nallow: /3\ndisallow: /3\n";
    assert_eq!(stated(file, "a", "/1"), ["a disallow /1"]);
    assert!(is_allowed(file, "a", "/2") && is_allowed(file, "a", "/3"));
    assert!(is_allowed(file, "a", "/early") && is_allowed(file, "c", "/1"));
    assert!(!is_allowed(file, "b", "/2") && is_allowed(file, "b", "/1"));
    // A line of another kind does not end the names of a group.
    let file = "user-agent: a\ncrawl-delay: 5\nuser-agent: b\ndisallow: /\n";
    assert!(!is_allowed(file, "a", "/") && !is_allowed(file, "b", "/"));
}

#[test]
fn odd_files_are_read_as_far_as_they_are_clear() {
    for file in [
        "\u{feff}User-agent:*\nDisallow:/x",
        "USER-AGENT : *\r\n disallow : /x # why",
        "useragent: *\rdissalow: /x\r",
        "User-agent: *\n\n\nDisallow: /y\nDisallow: /x\nNonsense\n:\n",
    ] {
        assert!(!is_allowed(file, "z", "/x/1") && is_allowed(file, "z", "/z"), "{file:?}");
    }
    for file in
        ["", "<html><p>No: page", "User-agent: *\nDisallow:\n", "User-agent: *\nDisallow: x"]
    {
        assert!(RobotsRules::parse(file.as_bytes(), &["*".to_owned()]).is_empty(), "{file:?}");
    }
    assert!(!is_allowed("User-agent: *\nDisallow: /caf\u{e9}", "*", "/caf%C3%A9/x"));
}

#[test]
fn uses_are_those_of_the_longest_path() {
    let file = "Content-Signal: search=yes\n\
        User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /free/ train-ai=y\nAllow: /\n\
        User-agent: own\nContent-Signal: ai-input=no, ai-train=yes\nDisallow: /private\n";
    assert_eq!(stated(file, "x", "/a"), ["* search yes", "* ai-train no"]);
    assert_eq!(stated(file, "x", "/free/a"), ["* ai-train yes"]);
    assert_eq!(
        stated(file, "own", "/private/1"),
        ["own disallow /private", "own ai-input no", "own ai-train yes", "own search yes"]
    );
    // Such a line is a rule, so that the next robot has a group of its own.
    let file = "User-agent: *\nContent-Signal: ai-train=no\nUser-agent: b\nDisallow: /\n";
    assert!(is_allowed(file, "a", "/") && !is_allowed(file, "b", "/"));
}

#[test]
fn bytes_after_500_kib_are_left_out_with_the_line_that_they_cut() {
    let begin = "user-agent: *\ndisallow: /x\n";
    let rest = MAX_ROBOTS_BYTES - begin.len() - "disallow: /".len();
    let file = format!("{begin}{}\ndisallow: /long\n", "#".repeat(rest - 1));
    assert!(file.len() > MAX_ROBOTS_BYTES);
    assert!(!is_allowed(&file, "a", "/x") && is_allowed(&file, "a", "/y"));
}

#[test]
fn a_server_with_an_error_forbids_everything() {
    let mut all = Vec::new();
    RobotsRules::of_error(503).for_each_statement("/", |agent, signal, value| {
        all.push((agent.map(str::to_owned), signal, value.to_owned()));
    });
    assert_eq!(all, [(None, Signal::Disallow, "HTTP 503".to_owned())]);
}

#[test]
fn hostile_files_cost_time_in_proportion_to_their_size() {
    let path = format!("/{}", "a".repeat(MAX_PATH_BYTES));
    let stars = "*a".repeat(100);
    let long = format!("disallow: /{stars}b\n");
    let agents: Vec<_> = (0..20).map(|number| format!("bot{number}")).collect();
    let many_groups: Vec<_> =
        (0..20_000).map(|n| format!("user-agent: b{n}\nallow: /\n")).collect();
    let many_patterns: Vec<_> = (0..60_000).map(|n| format!("allow: *{n}\n")).collect();
    for rules in [
        long.repeat(5000),
        many_patterns.concat(),
        format!("disallow: /{}\n", "*".repeat(500_000)),
        format!("disallow: /{}\n", "*a".repeat(250_000)),
        "user-agent: a\n".repeat(60_000),
        many_groups.concat(),
        "%".repeat(600_000),
    ] {
        let file = format!("user-agent: *\n{rules}");
        let rules = RobotsRules::parse(file.as_bytes(), &agents);
        assert!(rules.bytes() <= 3 * MAX_ROBOTS_BYTES);
        // Some milliseconds each; a square of the size would take minutes.
        for _ in 0..3 {
            rules.for_each_statement(&path, |_, _, _| ());
        }
    }
}
