//! `huller serve`: a corpus in a browser on this machine.

use crate::signals::signal;
use crate::support::{Huller, sample, temp};
use huller_testkit::pack::{gzip, noise};
use huller_testkit::sample::members;
use huller_testkit::warc::record;
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command};

/// A server, which is stopped when this is dropped.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: status, fields, body.
struct HttpAnswer {
    status: u16,
    fields: String,
    body: String,
}

impl Server {
    fn start(serve: Huller) -> Server {
        let mut child = serve.args(["--address", "127.0.0.1:0"]).spawn();
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        let address = address.parse().unwrap_or_else(|_| panic!("no address: {line}"));
        Server { child, address }
    }

    fn send(&self, request: &str) -> HttpAnswer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        HttpAnswer { status, fields: head.to_lowercase(), body: body.to_owned() }
    }

    fn get(&self, path: &str) -> HttpAnswer {
        let host = self.address;
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    }
}

/// The first address of a page that begins so.
fn link(page: &str, begin: &str) -> String {
    let start =
        page.find(&format!("href=\"{begin}")).unwrap_or_else(|| panic!("no {begin}: {page}"));
    let rest = &page[start + "href=\"".len()..];
    rest[..rest.find('"').unwrap()].replace("&amp;", "&")
}

fn serve(index: &Path) -> Huller {
    Huller::new().arg("serve").arg("--index").arg(index)
}

#[test]
fn from_a_query_to_the_row_to_why_its_blocks_were_kept_and_to_its_bytes() {
    let folder = temp();
    let [corpus, index] = ["corpus", "index"].map(|name| folder.path().join(name));
    Huller::extract(sample(), &corpus).arg("-q").run().exits(0);
    Huller::new().arg("index").arg(&corpus).arg("-o").arg(&index).run().exits(0);
    let archives = sample().parent().unwrap().to_owned();
    let server = Server::start(serve(&index).arg(&corpus).arg("--archives").arg(archives));

    let found = server.get("/?q=ferry");
    assert_eq!(found.status, 200);
    assert!(found.body.contains("<mark>") && found.body.contains("results"), "{}", found.body);
    assert!(found.fields.contains("content-security-policy: default-src 'none'"));
    assert!(found.fields.contains("x-content-type-options: nosniff"));
    // A facet narrows the results down, and the query stays.
    let narrowed = server.get(&link(&found.body, "/?q=ferry&amp;host="));
    assert!(narrowed.body.contains("Only: ") && narrowed.body.contains("value=\"ferry\""));

    let row = server.get(&link(&found.body, "/row?"));
    assert!(row.status == 200 && row.body.contains("<h2>Text</h2>"), "{}", row.body);
    let explained = server.get(&link(&row.body, "/explain?"));
    assert!(explained.status == 200 && explained.body.contains("id=\"data\""));
    let page = server.get(&link(&row.body, "/page?"));
    assert!(page.fields.contains("content-disposition: attachment"), "{}", page.fields);
    assert!(page.fields.contains("application/octet-stream") && page.body.contains("<html"));
    let report = server.get("/report");
    assert!(report.status == 200 && report.body.contains("<b>96</b>"));
    assert_eq!(server.get("/serve.css").status, 200);
}

#[test]
fn passages_are_listed_with_headings_and_a_link_to_their_place() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    let lines: String = (0..14)
        .map(|page| {
            let passage = json!({
                "id": format!("{page}"), "parent_id": format!("p{page}"), "ordinal": 1, "of": 2,
                "url": "https://site.test/<b>", "anchor": "a\"b", "title": "T", "prefix": "T\n\n",
                "headings": ["T", "<i>Wind</i>"], "text": "Rain fell.",
            });
            passage.to_string() + "\n"
        })
        .collect();
    fs::write(at("passages.jsonl"), lines).unwrap();
    let index = Huller::new().arg("index").arg(at("passages.jsonl")).arg("-o").arg(at("index"));
    index.arg("--passages").run().exits(0);
    let server = Server::start(serve(&at("index")));
    let found = server.get("/?q=rain");
    assert_eq!(found.status, 200);
    assert!(found.body.contains("14 passages"), "{}", found.body);
    assert!(found.body.contains("href=\"https://site.test/&lt;b&gt;#a%22b\""));
    // The title is one of the headings, and is shown once.
    assert!(found.body.contains("<p class=\"dim\"><bdi>&lt;i&gt;Wind&lt;/i&gt;</bdi></p>"));
    assert!(found.body.contains("rel=\"next\""));
    assert!(server.get("/?q=rain&page=9").body.contains("14 passages, and no more on this page"));
    assert!(server.get("/?q=snow").body.contains("0 passages. Try fewer words"));
    let start = server.get("/");
    assert!(start.body.contains("14 passages. Search for") && !start.body.contains("author:"));
    assert!(!server.get("/?q=rain&page=2").body.contains("rel=\"next\""));
    let row = server.get(&link(&found.body, "/row?"));
    assert!(row.body.contains("<bdi>T</bdi> › <bdi>&lt;i&gt;Wind&lt;/i&gt;</bdi>"));
    assert!(row.body.contains("<dt>Headings</dt>") && row.body.contains("#a%22b"));
}

#[test]
fn what_is_no_question_for_this_site_is_refused() {
    let folder = temp();
    let [rows, index] = ["rows.jsonl", "index"].map(|name| folder.path().join(name));
    let row = json!({"id": "a", "url": "http://a.test/", "text": "Ferry.",
        "warc_filename": "../../../etc/passwd", "warc_record_offset": 0});
    fs::write(&rows, row.to_string()).unwrap();
    Huller::new().arg("index").arg(&rows).arg("-o").arg(&index).run().exits(0);
    let server = Server::start(serve(&index).arg("--archives").arg(folder.path()));
    let host = server.address;
    for (request, status) in [
        ("GET /../../etc/passwd HTTP/1.1\r\nHost: {host}".to_owned(), 404),
        ("GET /row?row=../rows.jsonl HTTP/1.1\r\nHost: {host}".to_owned(), 404),
        ("GET /page?row=rows.jsonl%230 HTTP/1.1\r\nHost: {host}".to_owned(), 404),
        ("GET /report HTTP/1.1\r\nHost: {host}".to_owned(), 404),
        ("POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0".to_owned(), 405),
        ("GET /?q=ferry HTTP/1.1\r\nHost: evil.test".to_owned(), 421),
        ("GET /?q=%22a%20b HTTP/1.1\r\nHost: {host}".to_owned(), 400),
        ("GET /?q=a&from=yesterday HTTP/1.1\r\nHost: {host}".to_owned(), 400),
        (format!("GET /?q={} HTTP/1.1\r\nHost: {{host}}", "a".repeat(5000)), 400),
    ] {
        let request = request.replace("{host}", &host.to_string());
        let got = server.send(&format!("{request}\r\nConnection: close\r\n\r\n"));
        assert_eq!(got.status, status, "{request:.60}: {}", got.body);
        assert!(!got.body.contains("root:"), "{request}");
    }
    // More than 16 KiB are not even read.
    let long = format!("GET /?q={} HTTP/1.1\r\nHost: {host}\r\n\r\n", "a".repeat(20_000));
    assert!(matches!(server.send(&long).status, 414 | 431 | 0));
    assert_eq!(server.get("/?q=ferry").status, 200);
}

#[test]
fn an_archive_that_is_gone_is_404_and_one_that_cannot_be_read_is_500() {
    let folder = temp();
    let [rows, index] = ["rows.jsonl", "index"].map(|name| folder.path().join(name));
    let file = fs::read(sample()).unwrap();
    let member = file[members(&file)[1].0.clone()].to_vec();
    let mut damaged = member.clone();
    let middle = damaged.len() / 2;
    damaged[middle..].fill(0xAA);
    fs::create_dir(folder.path().join("folder.warc.gz")).unwrap();
    fs::write(folder.path().join("damaged.warc.gz"), [damaged, member].concat()).unwrap();
    fs::write(folder.path().join("empty.warc.gz"), b"").unwrap();
    let cases = [("gone", 404), ("folder", 500), ("damaged", 500), ("empty", 500)];
    let lines = cases.map(|(name, _)| {
        let archive = format!("{name}.warc.gz");
        json!({"text": name, "warc_filename": archive, "warc_record_offset": 0}).to_string() + "\n"
    });
    fs::write(&rows, lines.concat()).unwrap();
    Huller::new().arg("index").arg(&rows).arg("-o").arg(&index).run().exits(0);
    let server = Server::start(serve(&index).arg("--archives").arg(folder.path()));
    let mut place = 0;
    for ((name, status), line) in cases.into_iter().zip(&lines) {
        for what in ["page", "explain"] {
            let got = server.get(&format!("/{what}?row=rows.jsonl%23{place}"));
            assert_eq!(got.status, status, "{what} of {name}: {}", got.body);
        }
        place += line.len();
    }
}

#[test]
fn links_pipes_and_too_large_pages_are_refused_and_the_site_goes_on() {
    let folder = temp();
    let [archives, rows, index] =
        ["archives", "rows.jsonl", "index"].map(|name| folder.path().join(name));
    fs::create_dir(&archives).unwrap();
    fs::write(folder.path().join("secret.warc.gz"), fs::read(sample()).unwrap()).unwrap();
    symlink(folder.path().join("secret.warc.gz"), archives.join("link.warc.gz")).unwrap();
    symlink(folder.path(), archives.join("up")).unwrap();
    let pipe = archives.join("pipe.warc.gz");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let zeros = fs::File::create(archives.join("zeros.warc.gz")).unwrap();
    zeros.set_len(4 << 30).unwrap();
    let page = |html: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        gzip(&record("response", http.as_bytes()))
    };
    fs::write(archives.join("tags.warc.gz"), page(&"<p>a".repeat(100_000))).unwrap();
    fs::write(archives.join("long.warc.gz"), page(&noise_text(40 << 20))).unwrap();
    let cases = [
        ("link.warc.gz", 500, 500),
        ("up/secret.warc.gz", 500, 500),
        ("pipe.warc.gz", 500, 500),
        ("zeros.warc.gz", 500, 500),
        ("tags.warc.gz", 200, 422),
        ("long.warc.gz", 422, 422),
    ];
    let lines = cases.map(|(name, ..)| {
        json!({"text": name, "warc_filename": name, "warc_record_offset": 0}).to_string() + "\n"
    });
    fs::write(&rows, lines.concat()).unwrap();
    Huller::new().arg("index").arg(&rows).arg("-o").arg(&index).run().exits(0);
    let server = Server::start(serve(&index).arg("--archives").arg(&archives));
    let mut place = 0;
    for ((name, page, explained), line) in cases.into_iter().zip(&lines) {
        // More often than the server has threads.
        for _ in 0..9 {
            let got = server.get(&format!("/page?row=rows.jsonl%23{place}"));
            assert_eq!(got.status, page, "{name}: {:.300}", got.body);
        }
        let got = server.get(&format!("/explain?row=rows.jsonl%23{place}"));
        assert_eq!(got.status, explained, "{name}: {:.300}", got.body);
        assert!(got.status != 422 || got.body.contains("huller "), "{}", got.body);
        let root = folder.path().to_str().unwrap();
        assert!(!got.body.contains(root), "no path of the machine: {}", got.body);
        place += line.len();
    }
    assert_eq!(server.get("/?q=link").status, 200);
}

/// Text that hardly compresses.
fn noise_text(bytes: usize) -> String {
    noise(7, bytes).into_iter().map(|byte| char::from(b'a' + byte % 26)).collect()
}

#[test]
fn five_hundred_hostile_rows_stay_text() {
    let folder = temp();
    let [corpus, index] = ["rows.jsonl", "index"].map(|name| folder.path().join(name));
    let hostile = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "'onmouseover='alert(1)",
        "</title><svg onload=alert(1)>",
        "javascript:alert(1)",
        "\u{202e}<b>\u{0}\u{1b}[2J",
        "</div></main><iframe src=//evil.test>",
        "&lt;script&gt;&#60;x&#62;",
        "<!--<style>@import'//evil.test'</style>-->",
        "data:text/html,<script>alert(1)</script>",
    ];
    let rows: String = (0..500)
        .map(|n| {
            let (one, other) = (hostile[n % 10], hostile[n / 10 % 10]);
            let row = json!({"id": format!("{n}{one}"), "title": format!("{one}{other}"), "text": format!("ferry {other} {one}"),
                "url": format!("http://a.test/{other}"), "language": one, "page_type": other, "date": one});
            row.to_string() + "\n"
        })
        .collect();
    fs::write(&corpus, rows).unwrap();
    Huller::new().arg("index").arg(&corpus).arg("-o").arg(&index).run().exits(0);
    let server = Server::start(serve(&index));
    let known = [
        "!doctype", "html", "head", "meta", "link", "title", "body", "header", "form", "label",
        "div", "input", "button", "nav", "a", "main", "h1", "h2", "p", "ol", "ul", "li", "bdi",
        "mark", "span", "aside", "dl", "dt", "dd",
    ];
    let mut seen = 0;
    for page in 1..=50 {
        let found = server.get(&format!("/?q=ferry&page={page}"));
        assert_eq!(found.status, 200);
        let row = server.get(&link(&found.body, "/row?"));
        for body in [&found.body, &row.body] {
            for tag in body.split('<').skip(1) {
                let name: String = tag
                    .trim_start_matches('/')
                    .chars()
                    .take_while(|c| !" >\n".contains(*c))
                    .collect();
                assert!(known.contains(&&*name), "<{name}");
                let tag = &tag[..tag.find('>').unwrap()];
                // What a row says stands in the value of an attribute, in which no quote ends it
                // early.
                let bare: String = tag.split('"').step_by(2).collect();
                assert!(!bare.contains("onerror") && !bare.contains("onload"), "{tag}");
                let leads = tag.split_once("href=\"").map_or("/", |(_, address)| address);
                assert!(leads.starts_with('/') || leads.starts_with("http://a.test/"), "{tag}");
            }
        }
        seen += found.body.matches("<li><h2>").count();
    }
    assert_eq!(seen, 500);
}

#[test]
fn a_server_ends_when_it_is_interrupted_and_a_used_address_is_told() {
    let folder = temp();
    let [rows, index] = ["rows.jsonl", "index"].map(|name| folder.path().join(name));
    fs::write(&rows, "{\"text\":\"Ferry.\"}\n").unwrap();
    Huller::new().arg("index").arg(&rows).arg("-o").arg(&index).run().exits(0);
    let mut server = Server::start(serve(&index));
    let used = server.address.to_string();
    serve(&index).args(["--address", &used]).run().exits(5).says("choose another with --address");
    signal(&server.child, "TERM");
    assert!(server.child.wait().unwrap().success());
    serve(&folder.path().join("none")).run().exits(2).says("is not an index");
    serve(&index).arg(folder.path().join("none")).run().exits(2).says("_huller");
}
