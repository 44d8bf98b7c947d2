//! The rules of all servers of a crawl, for look-ups by URL.
//!
//! A server is a scheme, a host and a port. The crawl may have several answers of a server. An
//! answer with rules counts before a redirect, and a redirect before an error of the client (4xx:
//! no rules). An error of the server (5xx: everything is forbidden) counts last. Of two equal kinds
//! the later answer counts.
//!
//! Redirects are followed up to five times, if they lead to the same file of another server in the
//! crawl (RFC 9309, section 2.3.1). If the crawl has no answer for the scheme of a URL, the answer
//! for the other scheme counts.

use crate::robots_txt::{RobotsRules, robot_names};
use crate::statement::{EvidenceLocation, Source, Statement};
use crate::tdmrep::TdmRules;
use huller_provenance::Address;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use twox_hash::XxHash3_128;

/// An answer of a server to a request for `robots.txt` or `tdmrep.json`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrawlFile<'a> {
    /// The URL of the request.
    pub url: &'a str,
    /// HTTP status. `None` if the record states none: then it holds the file.
    pub status: Option<u16>,
    /// The target of a redirect.
    pub location: Option<&'a str>,
    /// Time of the fetch, as the record states it.
    pub date: &'a str,
    /// The decoded body.
    pub body: &'a [u8],
    /// The record.
    pub place: EvidenceLocation<'a>,
}

/// The rules of all servers of a crawl for the robots of a run.
///
/// ```
/// use huller_rights::{CrawlFile, CrawlRights, Signal};
///
/// let mut crawl = CrawlRights::new(&["CCBot".to_owned()], 1 << 20);
/// let body = b"User-agent: CCBot\nDisallow: /private";
/// crawl.add(&CrawlFile { url: "https://a.test/robots.txt", body, ..CrawlFile::default() })?;
/// let mut found = Vec::new();
/// crawl.for_each_statement("https://a.test/private/1", |statement| found.push(statement.signal));
/// assert_eq!(found, [Signal::Disallow]);
/// # Ok::<(), huller_rights::TooManyRules>(())
/// ```
#[derive(Debug)]
pub struct CrawlRights {
    /// The names of the robots, in lower case.
    agents: Vec<String>,
    files: Vec<String>,
    servers: BTreeMap<Box<str>, Server>,
    /// Rules that several servers share.
    robots: BTreeSet<RobotsRules>,
    reservations: BTreeSet<TdmRules>,
    /// Bytes of the rules so far.
    bytes: usize,
    /// Most bytes of rules.
    most_bytes: usize,
}

/// The rules of a crawl need more memory than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rules of the servers take more than {most_bytes} bytes: read fewer archives in a run")]
pub struct TooManyRules {
    /// The allowed bytes.
    pub most_bytes: usize,
}

/// The answers of one server.
#[derive(Debug, Default)]
struct Server {
    robots: Option<Answer<RobotsRules>>,
    reservation: Option<Answer<TdmRules>>,
}

/// The answer that counts, and its record.
#[derive(Debug)]
struct Answer<R> {
    kind: AnswerKind<R>,
    date: Box<str>,
    /// Index of the archive that has the record.
    file: usize,
    /// Offset of the record in the archive, in bytes.
    offset: Option<u64>,
}

/// The kinds of answers.
#[derive(Debug)]
enum AnswerKind<R> {
    /// The server sent rules.
    Rules(R),
    /// The server to which the answer refers.
    Redirect(Box<str>),
    /// The server has no such file.
    Missing,
    /// The server failed; these rules apply then.
    Error(R),
}

impl<R> AnswerKind<R> {
    /// Returns the rank of the kind; the highest counts.
    fn rank(&self) -> u8 {
        match self {
            AnswerKind::Rules(_) => 3,
            AnswerKind::Redirect(_) => 2,
            AnswerKind::Missing => 1,
            AnswerKind::Error(_) => 0,
        }
    }
}

const ROBOTS_TXT: &str = "/robots.txt";
const TDMREP_JSON: &str = "/.well-known/tdmrep.json";

/// Most redirects that are followed.
const MAX_REDIRECTS: usize = 5;

/// Bytes that a server takes besides its name and its rules.
const SERVER_BYTES: usize = size_of::<Server>() + 64;

impl CrawlRights {
    /// Makes an empty table for the robots of these names. The rules take at most `most_bytes`.
    pub fn new(agents: &[String], most_bytes: usize) -> CrawlRights {
        CrawlRights {
            agents: robot_names(agents),
            files: Vec::new(),
            servers: BTreeMap::new(),
            robots: BTreeSet::new(),
            reservations: BTreeSet::new(),
            bytes: 0,
            most_bytes,
        }
    }

    /// Returns whether a URL is that of a file that [`CrawlRights::add`] takes.
    pub fn is_wanted(url: &str) -> bool {
        kind_of(url).is_some()
    }

    /// Adds an answer of a server. Other URLs are left out.
    ///
    /// # Errors
    ///
    /// The rules take more memory than allowed.
    pub fn add(&mut self, answer: &CrawlFile<'_>) -> Result<(), TooManyRules> {
        let Some((server, is_robots)) = kind_of(answer.url) else { return Ok(()) };
        let file = match self.files.last() {
            Some(last) if last == answer.place.file => self.files.len() - 1,
            _ => {
                self.files.push(answer.place.file.to_owned());
                self.files.len() - 1
            }
        };
        let CrawlRights { agents, servers, robots, reservations, bytes, .. } = self;
        if !servers.contains_key(&*server) {
            *bytes += server.len() + SERVER_BYTES;
        }
        let known = servers.entry(server.into()).or_default();
        if is_robots {
            let kind = kind_of_answer(answer, ROBOTS_TXT, |body| match body {
                Ok(body) => RobotsRules::parse(body, agents),
                Err(status) => RobotsRules::of_error(status),
            });
            let kind = shared(kind, robots, RobotsRules::bytes, bytes);
            offer(&mut known.robots, kind, answer, file);
        } else {
            let kind = kind_of_answer(answer, TDMREP_JSON, |body| {
                TdmRules::parse(body.unwrap_or_default())
            });
            let kind = shared(kind, reservations, TdmRules::bytes, bytes);
            offer(&mut known.reservation, kind, answer, file);
        }
        if self.bytes > self.most_bytes {
            return Err(TooManyRules { most_bytes: self.most_bytes });
        }
        Ok(())
    }

    /// Returns the number of servers with an answer.
    pub fn len(&self) -> usize {
        self.servers.len()
    }

    /// Returns whether no answer to a request for robots.txt or tdmrep.json was added.
    pub fn is_empty(&self) -> bool {
        self.servers.is_empty()
    }

    /// Calls `visit` with each statement of the crawl about a URL.
    pub fn for_each_statement<'c>(&'c self, url: &str, mut visit: impl FnMut(Statement<'_>)) {
        let Some(address) = Address::parse(url) else { return };
        let rest = address.rest().split('#').next().unwrap_or_default();
        let path = match rest.as_bytes().first() {
            Some(b'/') => Cow::Borrowed(rest),
            _ => Cow::Owned(format!("/{rest}")),
        };
        let mut push =
            |answer: &EvidenceLocation<'c>, source, agent: Option<&str>, signal, value: &str| {
                let value = &value[..value.floor_char_boundary(Statement::MAX_VALUE_BYTES)];
                visit(Statement {
                    signal,
                    value: Cow::Borrowed(value),
                    source,
                    agent: agent.map(Cow::Borrowed),
                    file: Cow::Borrowed(answer.file),
                    offset: answer.offset,
                });
            };
        if let Some((rules, location)) =
            self.rules(address.server(), |server| server.robots.as_ref())
        {
            rules.for_each_statement(&path, |agent, signal, value| {
                push(&location, Source::RobotsTxt, agent, signal, value);
            });
        }
        let reservation = self.rules(address.server(), |server| server.reservation.as_ref());
        if let Some((rules, location)) = reservation {
            rules.for_each_statement(&path, |signal, value| {
                push(&location, Source::TdmrepJson, None, signal, value);
            });
        }
    }

    /// Returns the rules of a server and their record, after redirects.
    fn rules<'c, R>(
        &'c self,
        server: &str,
        answer_of: impl Fn(&'c Server) -> Option<&'c Answer<R>>,
    ) -> Option<(&'c R, EvidenceLocation<'c>)> {
        let find = |server: &str| self.servers.get(server).and_then(&answer_of);
        let other_scheme = || match server.split_once("://")? {
            ("http", rest) => Some(format!("https://{rest}")),
            ("https", rest) => Some(format!("http://{rest}")),
            _ => None,
        };
        let mut answer = find(server).or_else(|| find(&other_scheme()?))?;
        for _ in 0..=MAX_REDIRECTS {
            answer = match &answer.kind {
                AnswerKind::Rules(rules) | AnswerKind::Error(rules) => {
                    let file = &self.files[answer.file];
                    return Some((rules, EvidenceLocation { file, offset: answer.offset }));
                }
                AnswerKind::Redirect(server) => find(server)?,
                AnswerKind::Missing => return None,
            };
        }
        None
    }

    /// Returns a digest of all rules and of the places of their records.
    pub fn digest(&self) -> String {
        let mut hasher = XxHash3_128::new();
        let mut write = |bytes: &[u8]| {
            hasher.write(&(bytes.len() as u64).to_le_bytes());
            hasher.write(bytes);
        };
        for (name, server) in &self.servers {
            write(name.as_bytes());
            self.write_answer(server.robots.as_ref(), RobotsRules::as_bytes, &mut write);
            self.write_answer(server.reservation.as_ref(), TdmRules::as_bytes, &mut write);
        }
        format!("xxh128:{:032x}", hasher.finish_128())
    }

    fn write_answer<R>(
        &self,
        answer: Option<&Answer<R>>,
        bytes: impl Fn(&R) -> &[u8],
        write: &mut impl FnMut(&[u8]),
    ) {
        let Some(Answer { kind, file, offset, .. }) = answer else { return write(b"-") };
        write(&[kind.rank()]);
        match kind {
            AnswerKind::Rules(rules) | AnswerKind::Error(rules) => write(bytes(rules)),
            AnswerKind::Redirect(server) => write(server.as_bytes()),
            AnswerKind::Missing => {}
        }
        write(self.files[*file].as_bytes());
        write(&offset.unwrap_or(u64::MAX).to_le_bytes());
    }
}

/// Returns the server of a file's URL, and whether the file is robots.txt.
fn kind_of(url: &str) -> Option<(String, bool)> {
    let url = url.trim();
    if !url.ends_with(ROBOTS_TXT) && !url.ends_with(TDMREP_JSON) {
        return None;
    }
    let address = Address::parse(url)?;
    let is_robots = address.rest() == ROBOTS_TXT;
    (is_robots || address.rest() == TDMREP_JSON).then(|| (address.server().to_owned(), is_robots))
}

/// Returns the kind of an answer. `rules` gets the body, or the status of an error of the server.
fn kind_of_answer<R>(
    answer: &CrawlFile<'_>,
    path: &str,
    rules: impl FnOnce(Result<&[u8], u16>) -> R,
) -> AnswerKind<R> {
    match answer.status {
        Some(300..=399) => {
            let location = answer.location.unwrap_or_default().trim();
            // A reference without a scheme has that of the request.
            let scheme = answer.url.trim().split_once("//").map_or("", |(scheme, _)| scheme);
            let target = if location.starts_with("//") {
                Cow::Owned(format!("{scheme}{location}"))
            } else {
                Cow::Borrowed(location)
            };
            let target = Address::parse(&target).filter(|target| target.rest() == path);
            let server = target.map(|target| target.server().into());
            server.map_or(AnswerKind::Missing, AnswerKind::Redirect)
        }
        Some(status @ 500..=599) if path == ROBOTS_TXT => AnswerKind::Error(rules(Err(status))),
        None | Some(200..=299) => AnswerKind::Rules(rules(Ok(answer.body))),
        Some(_) => AnswerKind::Missing,
    }
}

/// Replaces rules by equal ones that another server has, and counts the bytes of new ones.
fn shared<R: Clone + Ord>(
    kind: AnswerKind<R>,
    known: &mut BTreeSet<R>,
    bytes_of: impl Fn(&R) -> usize,
    bytes: &mut usize,
) -> AnswerKind<R> {
    let mut share = |rules: R| {
        if let Some(known) = known.get(&rules) {
            return known.clone();
        }
        *bytes += bytes_of(&rules) + 64;
        known.insert(rules.clone());
        rules
    };
    match kind {
        AnswerKind::Rules(rules) => AnswerKind::Rules(share(rules)),
        AnswerKind::Error(rules) => AnswerKind::Error(share(rules)),
        other => other,
    }
}

/// Replaces the answer of a server by one that counts more.
fn offer<R>(
    known: &mut Option<Answer<R>>,
    kind: AnswerKind<R>,
    answer: &CrawlFile<'_>,
    file: usize,
) {
    let is_better = known
        .as_ref()
        .is_none_or(|known| (known.kind.rank(), &*known.date) <= (kind.rank(), answer.date));
    if is_better {
        let (date, offset) = (answer.date.into(), answer.place.offset);
        *known = Some(Answer { kind, date, file, offset });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &[u8] = b"User-agent: *\nDisallow: /private\n";

    fn crawl() -> CrawlRights {
        CrawlRights::new(&["*".to_owned()], 1 << 20)
    }

    fn stated(crawl: &CrawlRights, url: &str) -> Vec<String> {
        let mut all = Vec::new();
        crawl.for_each_statement(url, |Statement { signal, value, file, offset, .. }| {
            all.push(format!("{} {value} {file} {}", signal.name(), offset.unwrap_or_default()));
        });
        all
    }

    fn file<'a>(url: &'a str, status: u16, date: &'a str, body: &'a [u8]) -> CrawlFile<'a> {
        let place = EvidenceLocation { file: "r.warc.gz", offset: Some(9) };
        CrawlFile { url, status: Some(status), location: None, date, body, place }
    }

    #[test]
    fn servers_are_told_apart_by_scheme_host_and_port() {
        let mut crawl = crawl();
        crawl.add(&file("HTTPS://A.test:443/robots.txt", 200, "1", RULES)).unwrap();
        crawl.add(&file("https://a.test/x/robots.txt", 200, "2", b"")).unwrap();
        crawl.add(&file("https://a.test:8080/robots.txt", 200, "1", b"")).unwrap();
        let expected = ["disallow /private r.warc.gz 9"];
        assert_eq!(stated(&crawl, "https://a.test/private/1?x#y"), expected);
        // The crawl has no answer by http.
        assert_eq!(stated(&crawl, "http://a.test/private"), expected);
        for url in
            ["https://a.test:8080/private", "https://www.a.test/private", "https://a.test", "x"]
        {
            assert_eq!(stated(&crawl, url), [""; 0], "{url}");
        }
        assert_eq!(crawl.len(), 2);
    }

    #[test]
    fn answers_count_by_kind_and_then_by_date() {
        let url = "http://a.test/robots.txt";
        let after = |answers: &[(u16, &str, &[u8])]| {
            let mut crawl = crawl();
            for (status, date, body) in answers {
                crawl.add(&file(url, *status, date, body)).unwrap();
            }
            stated(&crawl, "http://a.test/private")
        };
        let forbidden = ["disallow /private r.warc.gz 9"];
        assert_eq!(after(&[(200, "1", RULES), (503, "2", b"")]), forbidden);
        assert_eq!(after(&[(200, "1", RULES), (200, "2", b"")]), [""; 0]);
        assert_eq!(after(&[(200, "2", RULES), (200, "1", b"")]), forbidden);
        assert_eq!(after(&[(404, "1", RULES)]), [""; 0]);
        assert_eq!(after(&[(503, "1", b"")]), ["disallow HTTP 503 r.warc.gz 9"]);
        assert_eq!(after(&[(503, "2", b""), (404, "1", b"")]), [""; 0]);
    }

    #[test]
    fn redirects_lead_to_the_file_of_another_server() {
        let moved =
            |url, location| CrawlFile { location: Some(location), ..file(url, 301, "1", b"") };
        let mut crawl = crawl();
        crawl.add(&moved("http://a.test/robots.txt", "https://www.a.test/robots.txt")).unwrap();
        crawl.add(&moved("https://www.a.test/robots.txt", "//b.test/robots.txt")).unwrap();
        crawl.add(&moved("http://c.test/robots.txt", "http://b.test/")).unwrap();
        crawl.add(&moved("http://d.test/robots.txt", "http://d.test/robots.txt")).unwrap();
        crawl.add(&file("https://b.test/robots.txt", 200, "1", RULES)).unwrap();
        assert_eq!(stated(&crawl, "http://a.test/private").len(), 1);
        assert_eq!(stated(&crawl, "http://c.test/private").len(), 0);
        assert_eq!(stated(&crawl, "http://d.test/private").len(), 0);
    }

    #[test]
    fn reservations_of_a_server_are_found_by_path() {
        let mut crawl = crawl();
        let body = br#"[{"location":"/news","tdm-reservation":1,"tdm-policy":"https://a.test/p"}]"#;
        let url = "https://a.test/.well-known/tdmrep.json";
        crawl.add(&file(url, 200, "", body)).unwrap();
        crawl.add(&file("https://b.test/.well-known/tdmrep.json", 500, "", b"")).unwrap();
        assert_eq!(
            stated(&crawl, "https://a.test/news/1"),
            ["tdm-reservation 1 r.warc.gz 9", "tdm-policy https://a.test/p r.warc.gz 9"]
        );
        assert_eq!(stated(&crawl, "https://a.test/"), [""; 0]);
        assert_eq!(stated(&crawl, "https://b.test/"), [""; 0]);
    }

    #[test]
    fn equal_rules_are_kept_once_and_memory_is_bounded() {
        let mut crawl = CrawlRights::new(&["*".to_owned()], 300_000);
        for number in 0..800 {
            let rules = format!("User-agent: *\nDisallow: /{}", "x".repeat(2000));
            let url = format!("http://{number}.test/robots.txt");
            crawl.add(&file(&url, 200, "", rules.as_bytes())).unwrap();
        }
        let full = (0..).find_map(|number| {
            let rules = format!("User-agent: *\nDisallow: /{number}{}", "x".repeat(2000));
            let url = format!("http://other{number}.test/robots.txt");
            crawl.add(&file(&url, 200, "", rules.as_bytes())).err()
        });
        assert_eq!(full, Some(TooManyRules { most_bytes: 300_000 }));
        assert!(crawl.len() > 800);
    }

    #[test]
    fn the_digest_follows_the_rules_and_not_their_order() {
        let digest = |answers: &[(&str, &[u8])]| {
            let mut crawl = crawl();
            for (url, body) in answers {
                crawl.add(&file(url, 200, "1", body)).unwrap();
            }
            crawl.digest()
        };
        let (a, b) = ("http://a.test/robots.txt", "http://b.test/robots.txt");
        let one = digest(&[(a, RULES), (b, b"")]);
        assert_eq!(one, digest(&[(b, b""), (a, RULES)]));
        assert_ne!(one, digest(&[(a, b""), (b, RULES)]));
    }
}
