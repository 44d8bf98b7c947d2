//! Makes connections, and stops the retries to hosts that never answer.
//!
//! A failed connection is retried many times, since a server may be restarting. A host that has
//! never answered probably does not exist, or its name is mistyped. The connector therefore aborts
//! after a few failures.

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};
use std::error::Error;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Number of failed connections after which a host that has never answered is not tried again.
pub(crate) const MAX_FAILED_CONNECTIONS: u32 = 4;

/// Makes clients that abort on hosts which never answer.
#[derive(Debug)]
pub(crate) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        let (has_answered, failed) = (AtomicBool::new(false), AtomicU32::new(0));
        Ok(HttpClient::new(Service { client, has_answered, failed }))
    }
}

#[derive(Debug)]
struct Service {
    client: HttpClient,
    has_answered: AtomicBool,
    /// Number of connections that failed before the first answer.
    failed: AtomicU32,
}

impl Service {
    async fn answer(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let answer = self.client.execute(request).await;
        match answer {
            Ok(answer) => {
                self.has_answered.store(true, Ordering::Relaxed);
                Ok(answer)
            }
            Err(error)
                if is_of_connection(&error) && !self.has_answered.load(Ordering::Relaxed) =>
            {
                if self.failed.fetch_add(1, Ordering::Relaxed) + 1 < MAX_FAILED_CONNECTIONS {
                    return Err(error);
                }
                // The client does not retry errors of unknown kind.
                Err(HttpError::new(HttpErrorKind::Unknown, error))
            }
            Err(error) => Err(error),
        }
    }
}

impl HttpService for Service {
    fn call<'s, 'f>(
        &'s self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(self.answer(request))
    }
}

/// Returns whether there was no connection: it was refused, the name is unknown, or the host did
/// not answer.
fn is_of_connection(error: &HttpError) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<reqwest::Error>());
    error.kind() == HttpErrorKind::Connect || source.is_some_and(reqwest::Error::is_connect)
}
