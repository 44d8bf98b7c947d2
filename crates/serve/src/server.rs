//! Accepts connections, reads their requests, and limits their duration.

use crate::active_answers::{Connection, ProgressStream};
use crate::answer::{Answer, Request};
use crate::request_limiter::{MemoryPermit, RequestLimiter};
use crate::site::Site;
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::{HOST, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode, header};
use hyper_util::rt::TokioTimer;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener as BoundListener};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Interval between checks of the stop flag.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Time for unfinished answers after the server stops.
const FINISH_TIME: Duration = Duration::from_secs(2);

/// Limits of a server. The defaults suit a few users on one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Simultaneous connections. Further connections wait.
    pub connections: usize,
    /// Searches answered at the same time, and as many rows, pages and reports beside them.
    pub answers: usize,
    /// Bytes of all answers, from the time before they are made until they are sent. Searches have
    /// one half.
    pub bytes: usize,
    /// Bytes of the request line and the header fields.
    pub request: usize,
    /// Time to receive them.
    pub reading: Duration,
    /// Longest duration of a connection.
    pub connection: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 256,
            answers: 8,
            bytes: 128 << 20,
            request: 16 << 10,
            reading: Duration::from_secs(10),
            connection: Duration::from_mins(2),
        }
    }
}

/// State that all connections share.
struct Shared {
    site: Site,
    limits: Limits,
    address: SocketAddr,
    searches: RequestLimiter,
    documents: RequestLimiter,
    /// One permit, for the answer that reads a page of an archive.
    page: Semaphore,
}

/// Answers requests until `stop` is set, then finishes open answers for at most two seconds.
///
/// # Errors
///
/// The threads cannot be started, or the socket cannot be used.
pub fn serve(
    site: Site,
    listener: BoundListener,
    limits: Limits,
    stop: &AtomicBool,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(limits.answers.max(1) * 2)
        .enable_io()
        .enable_time()
        .thread_name("serve")
        .build()?;
    listener.set_nonblocking(true)?;
    let shared = Shared {
        site,
        limits,
        address: listener.local_addr()?,
        searches: RequestLimiter::new(limits.answers, limits.bytes / 2),
        documents: RequestLimiter::new(limits.answers, limits.bytes / 2),
        page: Semaphore::new(1),
    };
    let served = runtime.block_on(accept_connections(listener, Arc::new(shared), stop));
    runtime.shutdown_timeout(FINISH_TIME);
    served
}

/// Accepts connections, up to the limit.
async fn accept_connections(
    listener: BoundListener,
    shared: Arc<Shared>,
    stop: &AtomicBool,
) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(shared.limits.connections.max(1)));
    while !stop.load(Ordering::Relaxed) {
        let permit = Arc::clone(&places).acquire_owned();
        let Ok(Ok(permit)) = timeout(CHECK_INTERVAL, permit).await else {
            shared.searches.close_stalled(1);
            shared.documents.close_stalled(1);
            continue;
        };
        match timeout(CHECK_INTERVAL, listener.accept()).await {
            Ok(Ok((stream, _))) => {
                let shared = Arc::clone(&shared);
                tokio::spawn(async move {
                    let longest = shared.limits.connection;
                    // A connection that takes longer is closed.
                    let _ = timeout(longest, answer_connection(stream, shared)).await;
                    drop(permit);
                });
            }
            // Lack of file descriptors or a client that left must not end the server.
            Ok(Err(_)) => sleep(CHECK_INTERVAL).await,
            Err(_) => {}
        }
    }
    Ok(())
}

/// Answers the requests of one connection in order.
async fn answer_connection(stream: TcpStream, shared: Arc<Shared>) -> hyper::Result<()> {
    let limits = shared.limits;
    let this = Arc::new(Connection::new());
    let stream = ProgressStream::new(stream, &this);
    let closed = Arc::clone(&this);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let (shared, this) = (Arc::clone(&shared), Arc::clone(&this));
        async move { Ok::<_, Infallible>(respond(&request, shared, &this).await) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.reading)
        .max_buf_size(limits.request.max(8192))
        .serve_connection(stream, service);
    let (mut served, mut closed) = (pin!(served), pin!(closed.closing.notified()));
    poll_fn(|context| match closed.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(Ok(())),
        Poll::Pending => served.as_mut().poll(context),
    })
    .await
}

/// Answers a request of a connection.
async fn respond(
    request: &hyper::Request<Incoming>,
    shared: Arc<Shared>,
    connection: &Arc<Connection>,
) -> Response<FullBody> {
    if let Some(refusal) = refused_answer(request, shared.address) {
        return response(refusal, None);
    }
    let uri = request.uri();
    let (path, query) = (uri.path().to_owned(), uri.query().unwrap_or_default().to_owned());
    let request = Request { path, query };
    let max_bytes = request.most_bytes();
    let page = if request.reads_page() { shared.page.acquire().await.ok() } else { None };
    let limiter = if request.is_document() { &shared.documents } else { &shared.searches };
    let permit = limiter.acquire(max_bytes).await;
    let site = Arc::clone(&shared);
    let answer = move || site.site.answer(&request);
    // The error is a panic. A request must not end the others.
    let mut answer = tokio::task::spawn_blocking(answer).await.unwrap_or_else(|_| {
        Answer::refusal(500, "Internal error", "The response could not be created.")
    });
    drop(page);
    if answer.body.len() > max_bytes {
        answer = Answer::too_long();
    }
    let memory = permit.finish(answer.body.len(), connection);
    response(answer, Some(memory))
}

/// Returns the answer to a request that is refused: another method than GET and HEAD, or another
/// host.
fn refused_answer(request: &hyper::Request<Incoming>, address: SocketAddr) -> Option<Answer> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Some(Answer::refusal(405, "Not allowed", "This site is read-only."));
    }
    let host = request.headers().get(HOST).map(HeaderValue::as_bytes);
    if !is_this_host(host.and_then(|host| std::str::from_utf8(host).ok()), address) {
        let why = "The request is for another host.";
        return Some(Answer::refusal(421, "Wrong host", why));
    }
    None
}

/// Whether a request is for this server. On a loopback address only loopback names are valid: any
/// other name was pointed here by a page elsewhere. On other addresses any name may be valid.
fn is_this_host(host: Option<&str>, address: SocketAddr) -> bool {
    if !address.ip().is_loopback() {
        return true;
    }
    let Some(host) = host else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let number = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || number.is_ok_and(|number| number.is_loopback())
}

fn response(answer: Answer, memory: Option<MemoryPermit>) -> Response<FullBody> {
    let Answer { status, media_type, policy, download, body } = answer;
    let body = BudgetedBody { body, _memory: memory };
    let mut response = Response::new(FullBody(Some(Bytes::from_owner(body))));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let fields = response.headers_mut();
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    fields.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    fields.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    fields.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status == 503 {
        fields.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    }
    if status == 405 {
        fields.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    if let Some(name) = download
        && let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}\""))
    {
        fields.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

/// The body of an answer. Its part of the budget returns when the last byte is sent.
struct BudgetedBody {
    body: Vec<u8>,
    _memory: Option<MemoryPermit>,
}

impl AsRef<[u8]> for BudgetedBody {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// A body in one piece.
struct FullBody(Option<Bytes>);

impl Body for FullBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, Bytes::len) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_of_this_machine_answers_to_its_names_alone() {
        let local = "127.0.0.1:8080".parse().unwrap();
        for host in ["127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:8080", "127.0.0.2"] {
            assert!(is_this_host(Some(host), local), "{host}");
        }
        for host in ["evil.test", "127.0.0.1.evil.test", "localhost.evil.test:8080", "", "[::2]"] {
            assert!(!is_this_host(Some(host), local), "{host}");
        }
        assert!(!is_this_host(None, local));
        assert!(is_this_host(Some("crawler.test"), "192.0.2.1:80".parse().unwrap()));
    }
}
