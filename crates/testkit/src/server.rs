//! Serves files in ranges from a web server on this machine, with the faults of real servers:
//! errors, resets, short or stalled bodies, and files that change.
//!
//! The number of the request and the seed alone decide the fault. With several connections at once,
//! however, the order of requests is not fixed.
//!
//! The server also takes objects like an S3 store (`server/objects.rs`): whole, in parts, listed
//! and removed. It does not check signatures.

mod objects;

use crate::random::Random;
use objects::Objects;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, park_timeout};
use std::time::Duration;

/// The number of requests in a thousand with each fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultRates {
    /// The answer has status 500.
    pub errors: u32,
    /// The connection is reset in the middle of the body.
    pub resets: u32,
    /// The connection is closed in the middle of the body, although `Content-Length` promised all
    /// of it.
    pub cuts: u32,
    /// The answer is successful, but its `Content-Length` and its body are half of the requested
    /// bytes.
    pub short: u32,
    /// The body comes in a hundred pieces with pauses of one millisecond.
    pub slow: u32,
    /// The server sends half of the body and keeps the connection open.
    pub stalls: u32,
    /// The seed that decides the faults.
    pub seed: u32,
}

/// The protocol features that the server supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerCapabilities {
    /// The server always sends the whole file.
    pub no_ranges: bool,
    /// The server sends no `ETag`.
    pub no_tags: bool,
    /// The server ignores `If-Match`.
    pub no_conditions: bool,
    /// The server answers 403 to requests without this `Authorization`.
    pub authorization: Option<&'static str>,
}

/// A server, which stops when it is dropped.
pub struct Server {
    address: SocketAddr,
    state: Arc<Mutex<ServerState>>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct ServerState {
    objects: Objects,
    faults: FaultRates,
    capabilities: ServerCapabilities,
    requests: Vec<Request>,
    /// The file to replace, and the number of the request before which this happens.
    change: Option<(usize, String, Arc<Vec<u8>>)>,
}

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD`, `PUT`, `POST` or `DELETE`.
    pub method: String,
    /// The request target, from `/` on.
    pub target: String,
    /// The requested bytes.
    pub range: Option<Range<u64>>,
    /// The status of the answer.
    pub status: u16,
}

impl Server {
    /// Starts a server without files.
    pub fn start() -> Server {
        let listener =
            TcpListener::bind("127.0.0.1:0").expect("this machine has a loopback address");
        let address = listener.local_addr().expect("it has been bound");
        let state = Arc::new(Mutex::new(ServerState::default()));
        let ended = Arc::new(AtomicBool::new(false));
        let (shared, over) = (Arc::clone(&state), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (state, ended) = (Arc::clone(&shared), Arc::clone(&over));
                // The only errors are those of clients that have disconnected.
                std::thread::spawn(move || stream.and_then(|stream| serve(stream, &state, &ended)));
            }
        });
        Server { address, state, ended, thread: Some(thread) }
    }

    /// Puts a file at a path that begins with `/`, and replaces an earlier one.
    pub fn put(&self, path: &str, bytes: Vec<u8>) {
        self.state().objects.put(path, Arc::new(bytes));
    }

    /// Replaces a file just before request number `request_number` (from 0) is answered.
    pub fn change_at(&self, request_number: usize, path: &str, bytes: Vec<u8>) {
        self.state().change = Some((request_number, path.to_owned(), Arc::new(bytes)));
    }

    /// Sets the faults of the following requests.
    pub fn set_faults(&self, faults: FaultRates) {
        self.state().faults = faults;
    }

    /// Sets the behaviour of the server for the following requests.
    pub fn set_capabilities(&self, capabilities: ServerCapabilities) {
        self.state().capabilities = capabilities;
    }

    /// Returns the URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns host and port.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// Returns all requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// Returns the files below a path, by the rest of their paths.
    pub fn files(&self, prefix: &str) -> BTreeMap<String, Vec<u8>> {
        let state = self.state();
        let files = state.objects.files.iter().filter_map(|(path, (bytes, _))| {
            Some((path.strip_prefix(prefix)?.to_owned(), bytes.to_vec()))
        });
        files.collect()
    }

    /// Removes a file.
    pub fn remove(&self, path: &str) {
        self.state().objects.files.remove(path);
    }

    /// Returns the number of uploads in parts that were begun and neither completed nor aborted.
    pub fn unfinished_uploads(&self) -> usize {
        self.state().objects.uploads.len()
    }

    fn state(&self) -> MutexGuard<'_, ServerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wake the thread that waits for connections.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The fault of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerFault {
    Sound,
    Error,
    Reset,
    Cut,
    Short,
    Slow,
    Stall,
}

impl FaultRates {
    fn of(self, request: usize) -> AnswerFault {
        let mut random = Random::new(self.seed.wrapping_add(request as u32));
        // The first numbers of adjacent seeds are alike.
        random.below(1000);
        let mut drawn = random.below(1000);
        for (share, fate) in [
            (self.errors, AnswerFault::Error),
            (self.resets, AnswerFault::Reset),
            (self.cuts, AnswerFault::Cut),
            (self.short, AnswerFault::Short),
            (self.slow, AnswerFault::Slow),
            (self.stalls, AnswerFault::Stall),
        ] {
            if drawn < share {
                return fate;
            }
            drawn -= share;
        }
        AnswerFault::Sound
    }
}

/// Answers the requests of one connection.
fn serve(mut stream: TcpStream, state: &Mutex<ServerState>, ended: &AtomicBool) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_mins(1)))?;
    stream.set_nodelay(true)?;
    loop {
        let head = peek_head(&stream)?;
        if head.is_empty() || ended.load(Ordering::Relaxed) {
            return Ok(());
        }
        // Leave the last byte of the request unread for now.
        let length = head.len() + objects::length(&head);
        let mut sent = vec![0; length - 1];
        stream.read_exact(&mut sent)?;
        let mut last = [0];
        while stream.peek(&mut last)? == 0 {}
        sent.extend(last);
        let body = &sent[head.len()..];
        let (answer, body, fate) =
            answer(&head, body, &mut state.lock().unwrap_or_else(PoisonError::into_inner));
        // If a byte stays unread, the system resets the connection.
        if fate != AnswerFault::Reset {
            stream.read_exact(&mut last)?;
        }
        stream.write_all(answer.as_bytes())?;
        let half = &body[..body.len() / 2];
        match fate {
            AnswerFault::Sound | AnswerFault::Error => stream.write_all(&body)?,
            AnswerFault::Short => stream.write_all(half)?,
            AnswerFault::Reset => return stream.write_all(half),
            AnswerFault::Cut => {
                stream.write_all(half)?;
                return stream.shutdown(Shutdown::Both);
            }
            AnswerFault::Slow => {
                for part in body.chunks(body.len() / 100 + 1) {
                    stream.write_all(part)?;
                    park_timeout(Duration::from_millis(1));
                }
            }
            AnswerFault::Stall => {
                stream.write_all(half)?;
                while !ended.load(Ordering::Relaxed) {
                    park_timeout(Duration::from_millis(50));
                    // A client that has enough closes the connection.
                    stream.set_read_timeout(Some(Duration::from_millis(1)))?;
                    if matches!(stream.peek(&mut [0]), Ok(0)) {
                        break;
                    }
                }
                return Ok(());
            }
        }
    }
}

/// Returns the head of the next request without reading it; empty if the connection ends.
fn peek_head(stream: &TcpStream) -> io::Result<Vec<u8>> {
    let mut buffer = vec![0; 64 << 10];
    let mut peeked_before = 0;
    loop {
        let peeked = stream.peek(&mut buffer)?;
        if let Some(end) = buffer[..peeked].windows(4).position(|four| four == b"\r\n\r\n") {
            buffer.truncate(end + 4);
            return Ok(buffer);
        }
        if peeked == peeked_before {
            // No more bytes have come. Heads are small, so this is the end, or the client sends
            // byte by byte.
            if peeked == 0 {
                return Ok(Vec::new());
            }
            std::thread::yield_now();
        }
        peeked_before = peeked;
    }
}

/// Returns the head and body of the answer to a request, and its fault.
fn answer(head: &[u8], sent: &[u8], state: &mut ServerState) -> (String, Vec<u8>, AnswerFault) {
    let head = std::str::from_utf8(head).unwrap_or_default();
    let mut lines = head.lines();
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let headers: HashMap<String, &str> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect();
    let number = state.requests.len();
    if let Some((_, path, bytes)) = state.change.take_if(|(at, ..)| *at == number) {
        state.objects.put(&path, bytes);
    }
    let range = headers.get("range").and_then(|range| range_of(range));
    let mut fate = state.faults.of(number);
    if objects::is_of_store(method, target) {
        let (status, headers, body) = match fate {
            AnswerFault::Error => (500, String::new(), Vec::new()),
            // The request is carried out, even if the answer fails.
            _ => objects::answer(method, target, sent, &mut state.objects),
        };
        let length = body.len();
        let answer =
            format!("HTTP/1.1 {status} Error\r\nContent-Length: {length}\r\n{headers}\r\n");
        let (method, target) = (method.to_owned(), target.to_owned());
        state.requests.push(Request { method, target, range: None, status });
        return (answer, body, fate);
    }
    let file = state
        .objects
        .files
        .get(&objects::percent_decode(target.split('?').next().unwrap_or_default()));
    let ServerCapabilities { no_ranges, no_tags, no_conditions, authorization } =
        state.capabilities;
    let tag = file.map(|(_, version)| format!("\"{version}\"")).filter(|_| !no_tags);
    let is_let_in =
        authorization.is_none_or(|expected| headers.get("authorization") == Some(&expected));
    let is_asked_version = match headers.get("if-match") {
        Some(expected) if !no_conditions => tag.as_deref() == Some(*expected),
        _ => true,
    };
    let empty = Arc::new(Vec::new());
    let (status, part, total) = match file {
        _ if !is_let_in => (403, 0..0, &empty),
        None => (404, 0..0, &empty),
        Some(_) if fate == AnswerFault::Error => (500, 0..0, &empty),
        Some(_) if !is_asked_version => (412, 0..0, &empty),
        Some((bytes, _)) => match &range {
            Some(range) if !no_ranges => {
                let end = range.end.min(bytes.len() as u64);
                let status = if range.start < end { 206 } else { 416 };
                (status, range.start as usize..end.max(range.start) as usize, bytes)
            }
            _ => (200, 0..bytes.len(), bytes),
        },
    };
    if status >= 300 {
        fate = AnswerFault::Sound;
    }
    let body = total.get(part.clone()).unwrap_or_default().to_vec();
    let stated_length = if fate == AnswerFault::Short { body.len() / 2 } else { body.len() };
    let tag = tag.map(|tag| format!("ETag: {tag}\r\n")).unwrap_or_default();
    let location = match status {
        206 => format!("Content-Range: bytes {}-{}/{}\r\n", part.start, part.end - 1, total.len()),
        _ => String::new(),
    };
    let answer = format!(
        "HTTP/1.1 {status} Error\r\nContent-Length: {stated_length}\r\n{tag}{location}\r\n"
    );
    state.requests.push(Request {
        method: method.to_owned(),
        target: target.to_owned(),
        range,
        status,
    });
    let body = if method == "HEAD" { Vec::new() } else { body };
    (answer, body, fate)
}

/// Returns the byte range of a `bytes=A-B` header.
fn range_of(header: &str) -> Option<Range<u64>> {
    let (start, end) = header.strip_prefix("bytes=")?.split_once('-')?;
    let end = if end.is_empty() { u64::MAX } else { end.parse::<u64>().ok()? + 1 };
    Some(start.parse().ok()?..end)
}
