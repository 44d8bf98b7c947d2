//! Reads the place and time of a capture: hosts of URLs, URLs, and dates.
//!
//! Filters, block lists, signatures, indexes and corpora ask the same questions about the same
//! strings. This crate answers them in one place, so that a page has one host and one date in every
//! command.
//!
//! # The types, and how they work together
//!
//! * [`Host`] is the host of a URL, or a host that a user names. It lists the domains above it.
//! * [`Address`] is a URL whose part before the path is in canonical form. The rest keeps its
//!   spelling.
//! * A [`Base`] resolves the references of a page.
//! * [`seconds`] parses a date; [`days`] and [`civil`] convert between calendar dates and days
//!   since 1970.
//!
//! # What the host of a URL is
//!
//! It is the host to which a browser connects. The crate `url` decides, after the URL standard of
//! the WHATWG:
//!
//! | form | host |
//! |---|---|
//! | capitals: `http://Example.ORG/` | in lower case: `example.org` |
//! | user and port: `http://me:pw@example.org:80/` | without them: `example.org` |
//! | `\`: `http://example.org\@other.test/` | `\` is `/` in the known schemes: `example.org` |
//! | slashes: `http:example.org`, `http:////example.org` | any number counts as two: `example.org` |
//! | escapes: `http://ex%61mple.org/` | decoded: `example.org` |
//! | other scripts: `http://münchen.example/` | in Punycode: `xn--mnchen-3ya.example` |
//! | full-width letters and dots: `http://ｅxample。org/` | the plain ones: `example.org` |
//! | IPv4: `http://0x7f.1/` | four decimal numbers: `127.0.0.1` |
//! | IPv6: `http://[0:0::1]/` | in brackets, in the shortest form: `[::1]` |
//! | `www.`: `http://www.example.org/` | stays; [`Host::without_www`] leaves it out |
//! | white space around the URL; tabs and line breaks in it | do not count |
//! | another scheme with `//`: `gopher://Example.org/` | in lower case; nothing is decoded |
//! | no `//` in another scheme: `mailto:me@example.org`, `dns:example.org` | none |
//! | no scheme: `example.org/a`, `//example.org/a` | none; [`Host::parse`] reads a host alone |
//! | what browsers refuse: `http://a b/`, `http://a:99999/`, `http://1.2.3.4.5/` | none |
//!
//! The known schemes are `http`, `https`, `ftp`, `ws`, `wss`, and `file` with two slashes. The last
//! `@` before the path ends the user.
//!
//! In two points this crate goes beyond the standard, to follow the domain name system:
//!
//! * A dot at the end is left out: `http://example.org./` has the host `example.org`. A URL with
//!   two dots there has no host.
//! * A name of more than 253 bytes is not a host. A URL has no host if its path begins after more
//!   than 4096 bytes.
//!
//! URLs of http and https with a plain host need no allocation and take a few nanoseconds. Their
//! result is that of the crate `url`; a property test checks this.

mod address;
mod base;
mod date;
mod host;

pub use address::Address;
pub use base::{Base, QueryEncoding};
pub use date::{civil, days, seconds};
pub use host::Host;

/// Compiles and runs the example of README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
