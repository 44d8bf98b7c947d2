//! Reads robots.txt (RFC 9309) for the robots of a run, with lines about uses of the content.
//!
//! The file is a list of groups. Each begins with `User-agent` lines and holds the rules for these
//! robots. Groups of one robot are joined. A robot without a group uses the group `*`. Of all
//! `Allow` and `Disallow` rules that match a path the longest counts, and `Allow` among equally
//! long ones. `Content-Usage` (IETF draft aipref-attach) may have a path too, and the longest path
//! counts. `Content-Signal` concerns all paths. Both hold for all robots if no group is open.
//!
//! [`RobotsRules`] keeps only the groups of the robots in question, as one text: servers with the
//! same rules can share it. Reading costs O(file). A look-up costs O(rules + patterns with stars ·
//! path), and both factors of the product are bounded.

use crate::pattern;
use crate::statement::Signal;
use crate::usage_preferences::for_each_preference;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Bytes of a file that are read, as Google does; RFC 9309 demands at least as many.
pub const MAX_ROBOTS_BYTES: usize = 500 << 10;

/// Most rules of a group whose patterns have stars or an end. The longest are kept.
const MAX_STARRED_RULES: usize = 4000;

/// Bytes of a path that patterns are compared with.
pub(crate) const MAX_PATH_BYTES: usize = 8 << 10;

/// The rules of a robots.txt file for the robots of a run.
///
/// ```
/// use huller_rights::{RobotsRules, Signal};
///
/// let file = b"User-agent: GPTBot\nDisallow: /private\n\nUser-agent: *\nContent-Signal: ai-train=no\n";
/// let rules = RobotsRules::parse(file, &["GPTBot".to_owned()]);
/// let mut found = Vec::new();
/// rules.for_each_statement("/private/1.html", |agent, signal, value| {
///     found.push(format!("{agent:?} {signal:?} {value}"));
/// });
/// assert_eq!(found, ["Some(\"GPTBot\") Disallow /private"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RobotsRules {
    /// Lines: `U` and the robot of a group, then its rules in the order of their use: `A` or `D`
    /// and a pattern, `C` and a pattern, a tab and uses.
    lines: Arc<[u8]>,
}

/// The kind of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RuleKind {
    Allow,
    Disallow,
    Usage,
}

/// A rule of a group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule<'f> {
    kind: RuleKind,
    /// The pattern in the common spelling.
    pattern: Vec<u8>,
    /// The uses of a [`RuleKind::Usage`].
    uses: &'f [u8],
}

/// A group: its robots, and its rules.
#[derive(Debug, Default)]
struct Group<'f> {
    robots: Vec<&'f [u8]>,
    rules: Vec<Rule<'f>>,
}

impl RobotsRules {
    /// Reads a file, for robots of these names. The name `*` asks for the rules of robots that the
    /// file does not name.
    pub fn parse(file: &[u8], agents: &[String]) -> RobotsRules {
        let (groups, for_all) = groups(file);
        let mut chosen: BTreeMap<Vec<u8>, Vec<Rule<'_>>> = BTreeMap::new();
        for agent in agents {
            let token = token(agent.as_bytes()).to_ascii_lowercase();
            let is_of = |group: &&Group<'_>, token: &[u8]| {
                group.robots.iter().any(|robot| robot.eq_ignore_ascii_case(token))
            };
            let is_named = groups.iter().any(|group| is_of(&group, &token));
            let token = if is_named { token } else { b"*".to_vec() };
            if chosen.contains_key(&token) {
                continue;
            }
            let of_robot = groups.iter().filter(|group| is_of(group, &token));
            let mut rules: Vec<_> = of_robot.flat_map(|group| group.rules.clone()).collect();
            rules.extend(for_all.iter().cloned());
            chosen.insert(token, rules);
        }
        let mut lines = Vec::new();
        for (token, rules) in chosen {
            write_group(&groups, &token, rules, &mut lines);
        }
        RobotsRules { lines: lines.into() }
    }

    /// Returns the rules of a server that answered with an error: RFC 9309 (section 2.3.1.4) then
    /// forbids everything.
    pub(crate) fn of_error(status: u16) -> RobotsRules {
        RobotsRules { lines: format!("E{status}\n").into_bytes().into() }
    }

    /// Returns whether the file has no rules for the robots.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the bytes of memory of the rules.
    pub(crate) fn bytes(&self) -> usize {
        self.lines.len()
    }

    /// Returns the rules as bytes, for digests.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.lines
    }

    /// Calls `visit` with the robot, the signal and the value of each statement about a path, which
    /// may have a query. The robot is `None` for the group `*`. A rule that allows the path gives
    /// no statement.
    pub fn for_each_statement(
        &self,
        path: &str,
        mut visit: impl FnMut(Option<&str>, Signal, &str),
    ) {
        let mut spelled = Vec::new();
        pattern::of_path(&path.as_bytes()[..path.len().min(MAX_PATH_BYTES)], &mut spelled);
        let text = |bytes| str::from_utf8(bytes).unwrap_or_default();
        let (mut agent, mut is_decided, mut usage_pattern) = (None, false, None);
        for line in self.lines.split(|byte| *byte == b'\n') {
            let Some((kind, rule)) = line.split_first() else { continue };
            match kind {
                b'E' => visit(None, Signal::Disallow, &format!("HTTP {}", text(rule))),
                b'U' => {
                    agent = (rule != b"*").then(|| text(rule));
                    (is_decided, usage_pattern) = (false, None);
                }
                b'A' | b'D' if !is_decided && pattern::matches(rule, &spelled) => {
                    is_decided = true;
                    if *kind == b'D' {
                        visit(agent, Signal::Disallow, text(rule));
                    }
                }
                b'C' => {
                    let tab = memchr::memchr(b'\t', rule).unwrap_or(rule.len());
                    let (pattern, uses) = rule.split_at(tab);
                    let is_of_length = usage_pattern.is_none_or(|length| length == pattern.len());
                    if is_of_length && pattern::matches(pattern, &spelled) {
                        usage_pattern = Some(pattern.len());
                        for_each_preference(text(uses).trim_start(), |signal, answer| {
                            visit(agent, signal, answer);
                        });
                    }
                }
                _ => {}
            }
        }
    }
}

/// Writes the rules of a robot in the order of their use. The name of the robot is as the first
/// group writes it.
fn write_group(groups: &[Group<'_>], token: &[u8], mut rules: Vec<Rule<'_>>, lines: &mut Vec<u8>) {
    rules.sort_by(|a, b| {
        let key = |rule: &Rule<'_>| {
            (rule.kind == RuleKind::Usage, std::cmp::Reverse(rule.pattern.len()), rule.kind)
        };
        key(a).cmp(&key(b)).then_with(|| a.cmp(b))
    });
    rules.dedup();
    let mut starred = 0;
    rules.retain(|rule| {
        let is_starred = rule.pattern.iter().any(|byte| matches!(byte, b'*' | b'$'));
        starred += usize::from(is_starred);
        !is_starred || starred <= MAX_STARRED_RULES
    });
    if rules.is_empty() {
        return;
    }
    let names = groups.iter().flat_map(|group| &group.robots);
    let name = names.into_iter().find(|name| name.eq_ignore_ascii_case(token));
    lines.push(b'U');
    lines.extend_from_slice(name.unwrap_or(&token));
    lines.push(b'\n');
    for Rule { kind, pattern, uses } in &rules {
        lines.push(match kind {
            RuleKind::Allow => b'A',
            RuleKind::Disallow => b'D',
            RuleKind::Usage => b'C',
        });
        lines.extend_from_slice(pattern);
        if *kind == RuleKind::Usage {
            lines.push(b'\t');
            lines.extend_from_slice(uses);
        }
        lines.push(b'\n');
    }
}

/// Returns the groups of a file, and the rules about uses that no group holds.
fn groups(file: &[u8]) -> (Vec<Group<'_>>, Vec<Rule<'_>>) {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let mut file = file;
    if file.len() > MAX_ROBOTS_BYTES {
        file = &file[..MAX_ROBOTS_BYTES];
        // Part of a pattern would match more than the whole.
        let end = file.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        file = &file[..end.unwrap_or(0)];
    }
    let (mut groups, mut for_all): (Vec<Group<'_>>, Vec<Rule<'_>>) = (Vec::new(), Vec::new());
    // Whether the last line of a group names a robot, so that the next may name another.
    let mut names_robots = false;
    for line in file.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let line = line.split(|byte| *byte == b'#').next().unwrap_or_default();
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let (key, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        match LineKind::from_key(key) {
            Some(LineKind::UserAgent) => {
                if !names_robots {
                    groups.push(Group::default());
                }
                names_robots = true;
                let token = token(value);
                if let (Some(group), true) = (groups.last_mut(), is_token(token)) {
                    group.robots.push(token);
                }
            }
            Some(LineKind::Rule(kind)) => {
                names_robots = false;
                let rule = rule(kind, value);
                match (groups.last_mut(), rule) {
                    (Some(group), Some(rule)) => group.rules.push(rule),
                    (None, Some(rule)) if kind == RuleKind::Usage => for_all.push(rule),
                    _ => {}
                }
            }
            None => {}
        }
    }
    (groups, for_all)
}

/// The kind of a line.
enum LineKind {
    UserAgent,
    Rule(RuleKind),
}

impl LineKind {
    /// Returns the kind of a line by its key. Common typing errors count, as for Google.
    fn from_key(key: &[u8]) -> Option<LineKind> {
        const KEYS: [(&str, LineKind); 12] = [
            ("user-agent", LineKind::UserAgent),
            ("useragent", LineKind::UserAgent),
            ("user agent", LineKind::UserAgent),
            ("allow", LineKind::Rule(RuleKind::Allow)),
            ("disallow", LineKind::Rule(RuleKind::Disallow)),
            ("dissallow", LineKind::Rule(RuleKind::Disallow)),
            ("dissalow", LineKind::Rule(RuleKind::Disallow)),
            ("disalow", LineKind::Rule(RuleKind::Disallow)),
            ("diasllow", LineKind::Rule(RuleKind::Disallow)),
            ("disallaw", LineKind::Rule(RuleKind::Disallow)),
            ("content-usage", LineKind::Rule(RuleKind::Usage)),
            ("content-signal", LineKind::Rule(RuleKind::Usage)),
        ];
        KEYS.into_iter()
            .find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(key))
            .map(|(_, kind)| kind)
    }
}

/// Returns the rule of a value. A pattern that begins with neither `/` nor `*` matches no path.
fn rule(kind: RuleKind, value: &[u8]) -> Option<Rule<'_>> {
    let is_path = matches!(value.first(), Some(b'/' | b'*'));
    let (path, uses): (&[u8], &[u8]) = match kind {
        RuleKind::Usage if is_path => {
            let end = value.iter().position(u8::is_ascii_whitespace)?;
            (&value[..end], value[end..].trim_ascii())
        }
        RuleKind::Usage => (b"/", value),
        _ if is_path => (value, b""),
        _ => return None,
    };
    let is_plain = |byte: &u8| !byte.is_ascii_control();
    let mut pattern = Vec::with_capacity(path.len());
    pattern::of_pattern(path, &mut pattern);
    uses.iter().all(is_plain).then_some(Rule { kind, pattern, uses })
}

/// Returns the product token of a robot's name: what precedes a slash or white space.
fn token(name: &[u8]) -> &[u8] {
    let name = name.trim_ascii();
    let is_end = |byte: &u8| *byte == b'/' || byte.is_ascii_whitespace();
    &name[..name.iter().position(is_end).unwrap_or(name.len())]
}

fn is_token(token: &[u8]) -> bool {
    (1..=64).contains(&token.len()) && token.iter().all(u8::is_ascii_graphic)
}

/// Returns the different names of robots, in lower case, without versions.
pub(crate) fn robot_names(agents: &[String]) -> Vec<String> {
    let names: BTreeSet<_> =
        agents.iter().map(|agent| token(agent.as_bytes()).to_ascii_lowercase()).collect();
    names.into_iter().filter_map(|name| String::from_utf8(name).ok()).collect()
}

#[cfg(test)]
mod tests;
