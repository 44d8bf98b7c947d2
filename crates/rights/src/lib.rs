//! Reads what a page, its server and its crawl state about the use of the page, so that corpora can
//! respect it.
//!
//! # The types, and how they work together
//!
//! * A [`Statement`] is one [`Signal`] with its value, its [`Source`], the robot that it names, and
//!   the [`EvidenceLocation`] of its evidence.
//! * A [`PageRights`] reads the HTTP headers, `meta` elements and links of a page. It writes its
//!   statements as a JSON list, the field `rights` of a row. [`read_statements`] reads such a list.
//! * A [`CrawlRights`] holds the rules of all `robots.txt` and `tdmrep.json` files of a crawl, by
//!   server. It gives the statements about a URL.
//! * [`license_name`] turns the URL of a licence into a short name such as `CC-BY-4.0`.
//!
//! The crate does no I/O. Every reader takes time linear in its input and keeps a bounded number of
//! statements. `docs/rights.md` lists the signals and the document that defines each.
//!
//! # Why an own reader of robots.txt
//!
//! Two crates were considered. `robotstxt` 0.3 (Apache-2.0) keeps nothing of a file: it parses the
//! file again for every URL, and a pattern with n stars costs n times the path. `texting_robots`
//! 0.2 (MIT or Apache-2.0) compiles a regular expression for each pattern, so a file of 500 KiB
//! takes many times its size in memory. Both skip `Content-Usage` and `Content-Signal` lines. A
//! crawl has millions of such files. Ours keeps only the rules for the robots that a run names,
//! once for all servers that have the same rules.
//!
//! ```
//! use huller_page::PageBuf;
//! use huller_rights::{PageRights, EvidenceLocation, Signal, read_statements};
//!
//! let mut buffer = PageBuf::new();
//! let page = buffer.fill("<meta name=robots content='noai, nofollow'>");
//! let mut rights = PageRights::default();
//! rights.begin(EvidenceLocation { file: "a.warc.gz", offset: Some(7) });
//! rights.header("X-Robots-Tag", "GPTBot: noindex");
//! rights.page(&page);
//! rights.finish();
//! let statements = read_statements(rights.json())?;
//! assert_eq!((statements[0].signal, statements[0].agent.as_deref()), (Signal::NoIndex, Some("GPTBot")));
//! assert_eq!((statements[1].signal, statements[1].agent.as_deref()), (Signal::NoAi, None));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod crawl;
mod directives;
mod license;
mod page_rights;
mod pattern;
mod robots_txt;
mod statement;
mod statement_list;
mod tdmrep;
mod usage_preferences;

pub use crawl::{CrawlFile, CrawlRights, TooManyRules};
pub use license::{license_matches, license_name};
pub use page_rights::PageRights;
pub use robots_txt::{MAX_ROBOTS_BYTES, RobotsRules};
pub use statement::{EvidenceLocation, Signal, Source, Statement, read_statements};
