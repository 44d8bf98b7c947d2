//! The server at its limits: slow clients, many clients, answers larger than the budget.
#![expect(clippy::unwrap_used, reason = "a test")]

use huller_index::{Options, SearchHit, Searcher, build};
use huller_run::monitor::SilentMonitor;
use huller_serve::{Corpus, CorpusError, Limits, Site, serve};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// A corpus whose every page is a million bytes, and whose report panics.
struct Large;

impl Corpus for Large {
    fn page(&self, _: &SearchHit) -> Result<Vec<u8>, CorpusError> {
        Ok(vec![b'x'; 1_000_000])
    }

    fn explain(&self, row: &SearchHit) -> Result<String, CorpusError> {
        Err(match row.title.as_deref() {
            Some("Broken") => CorpusError::Unreadable("the disk <failed>".to_owned()),
            _ => CorpusError::Missing("no archive <here>".to_owned()),
        })
    }

    fn report(&self) -> Result<String, CorpusError> {
        panic!("a report that cannot be made")
    }

    fn has_pages(&self) -> bool {
        true
    }

    fn has_report(&self) -> bool {
        true
    }
}

const ROWS: &str = "{\"title\":\"Ferry\",\"text\":\"It came.\"}
{\"title\":\"Broken\",\"text\":\"It sank.\"}
";

struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start(limits: Limits) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let [rows, index] = ["rows.jsonl", "index"].map(|name| folder.path().join(name));
        std::fs::write(&rows, ROWS).unwrap();
        let options = Options {
            threads: 1,
            memory: 64 << 20,
            commit_interval_bytes: 1 << 20,
            ..Options::default()
        };
        build(&[rows], &index, &options, &mut SilentMonitor, &Arc::default()).unwrap();
        let site = Site::new("corpus".to_owned(), Searcher::open(&index).unwrap(), Box::new(Large));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        let thread = std::thread::spawn(move || serve(site, listener, limits, &seen));
        Server { address, stop, thread: Some(thread), _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream
    }

    /// Sends a request and reads the answer to its end.
    fn get(&self, path: &str) -> String {
        let mut stream = self.connect();
        let host = self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap().unwrap();
    }
}

#[test]
fn two_hundred_clients_are_answered_within_a_budget_of_two_answers() {
    let server = Server::start(Limits { connections: 50, bytes: 2_000_000, ..Limits::default() });
    std::thread::scope(|scope| {
        for client in 0..200 {
            let server = &server;
            scope.spawn(move || {
                if client % 4 == 0 {
                    let answer = server.get("/page?row=rows.jsonl%230");
                    assert!(answer.len() > 1_000_000, "{}", answer.len());
                } else {
                    assert!(server.get("/?q=ferry").contains("<h2><a href=\"/row?"));
                }
            });
        }
    });
}

#[test]
fn slow_clients_are_cut_off_and_others_are_answered() {
    let limits = Limits {
        connections: 3,
        reading: Duration::from_millis(300),
        connection: Duration::from_secs(1),
        bytes: 4_000_000,
        ..Limits::default()
    };
    let server = Server::start(limits);
    // One never ends its request, one never reads its answer, one says nothing.
    let (mut endless, mut deaf, mut silent) =
        (server.connect(), server.connect(), server.connect());
    endless.write_all(b"GET / HTTP/1.1\r\nHost: loc").unwrap();
    for _ in 0..20 {
        deaf.write_all(b"GET /page?row=rows.jsonl%230 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
    }
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    let mut rest = Vec::new();
    assert!(endless.read_to_end(&mut rest).is_err() || !rest.starts_with(b"HTTP/1.1 200"));
    rest.clear();
    assert!(silent.read_to_end(&mut rest).is_err() || rest.is_empty());
}

/// Their answers would fill the budget, and their connections all places.
#[test]
fn clients_that_read_nothing_hold_up_no_other() {
    let ten_minutes = Duration::from_mins(10);
    let limits =
        Limits { connections: 20, bytes: 4_000_000, connection: ten_minutes, ..Limits::default() };
    let server = Server::start(limits);
    let deaf: Vec<_> = (0..30)
        .map(|_| {
            let mut stream = server.connect();
            for _ in 0..20 {
                let request = b"GET /page?row=rows.jsonl%230 HTTP/1.1\r\nHost: localhost\r\n\r\n";
                // The server may have closed the connection by now.
                let _ = stream.write_all(request);
            }
            stream
        })
        .collect();
    for _ in 0..3 {
        assert!(server.get("/").starts_with("HTTP/1.1 200"));
        assert!(server.get("/page?row=rows.jsonl%230").len() > 1_000_000);
    }
    drop(deaf);
}

#[test]
fn what_is_not_there_is_404_and_what_cannot_be_read_is_500() {
    let server = Server::start(Limits::default());
    let missing = server.get("/explain?row=rows.jsonl%230");
    assert!(missing.starts_with("HTTP/1.1 404") && missing.contains("no archive &lt;here&gt;"));
    let place = ROWS.find('\n').unwrap() + 1;
    let unreadable = server.get(&format!("/explain?row=rows.jsonl%23{place}"));
    assert!(unreadable.starts_with("HTTP/1.1 500"), "{unreadable}");
    assert!(unreadable.contains("the disk &lt;failed&gt;"), "{unreadable}");
}

#[test]
fn an_answer_that_panics_ends_nothing_else() {
    let server = Server::start(Limits::default());
    assert!(server.get("/report").starts_with("HTTP/1.1 500"));
    assert!(server.get("/?q=ferry").starts_with("HTTP/1.1 200"));
}
