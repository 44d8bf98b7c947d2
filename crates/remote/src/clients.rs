//! Clients of `object_store`, one for each bucket or host.

use crate::address::Backend;
use crate::connector::Connector;
use crate::io_error;
use crate::settings::Settings;
use http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, Checksum};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::{
    BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, Result, RetryConfig,
};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Most clients that are kept. A list of signed URLs needs one for each.
const MAX_CLIENTS: usize = 16;

/// The clients that were created so far. Each keeps its connections.
#[derive(Debug, Default)]
pub(crate) struct Clients(Mutex<HashMap<Backend, Arc<dyn ObjectStore>>>);

impl Clients {
    /// Returns the client of a storage backend, and creates it if needed.
    pub(crate) fn of(
        &self,
        backend: &Backend,
        settings: &Settings,
    ) -> io::Result<Arc<dyn ObjectStore>> {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(backend) {
            return Ok(Arc::clone(client));
        }
        let client = client(backend, settings).map_err(|error| io_error::to_io_error(&error))?;
        if clients.len() >= MAX_CLIENTS {
            clients.clear();
        }
        clients.insert(backend.clone(), Arc::clone(&client));
        Ok(client)
    }
}

/// Creates a client that retries according to these settings.
pub(crate) fn client(backend: &Backend, settings: &Settings) -> Result<Arc<dyn ObjectStore>> {
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: settings.first_pause,
            max_backoff: settings.longest_pause,
            // The next pause is drawn between the first pause and this multiple of the last, which
            // doubles pauses on average.
            base: 4.0,
        },
        max_retries: settings.retries,
        retry_timeout: settings.longest,
    };
    Ok(match backend {
        Backend::S3(bucket) => {
            let builder = options(settings)
                .into_iter()
                .fold(AmazonS3Builder::from_env(), |builder, (key, value)| {
                    builder.with_config(AmazonS3ConfigKey::Client(key), value)
                });
            // The store compares the digest of the bytes that it receives. Objects are removed one
            // by one, since some stores refuse a list.
            let builder = match builder.get_config_value(&AmazonS3ConfigKey::Checksum) {
                Some(_) => builder,
                None => builder.with_checksum_algorithm(Checksum::SHA256),
            };
            let builder = builder.with_disable_bulk_delete(true);
            Arc::new(
                builder
                    .with_bucket_name(bucket)
                    .with_http_connector(Connector)
                    .with_retry(retry)
                    .build()?,
            )
        }
        Backend::Gs(bucket) => {
            let builder = options(settings)
                .into_iter()
                .fold(GoogleCloudStorageBuilder::from_env(), |builder, (key, value)| {
                    builder.with_config(GoogleConfigKey::Client(key), value)
                });
            Arc::new(
                builder
                    .with_bucket_name(bucket)
                    .with_http_connector(Connector)
                    .with_retry(retry)
                    .build()?,
            )
        }
        Backend::Az(container) => {
            let builder = options(settings)
                .into_iter()
                .fold(MicrosoftAzureBuilder::from_env(), |builder, (key, value)| {
                    builder.with_config(AzureConfigKey::Client(key), value)
                });
            Arc::new(
                builder
                    .with_container_name(container)
                    .with_http_connector(Connector)
                    .with_retry(retry)
                    .build()?,
            )
        }
        Backend::Http { url, authorization } => {
            let mut client = options(settings)
                .into_iter()
                .fold(ClientOptions::new(), |client, (key, value)| client.with_config(key, value))
                .with_timeout_disabled()
                .with_allow_http(true);
            if let Some(mut value) =
                authorization.as_ref().and_then(|value| HeaderValue::from_str(value).ok())
            {
                // The value is not sent to another host after a redirect, and never logged.
                value.set_sensitive(true);
                client =
                    client.with_default_headers(HeaderMap::from_iter([(AUTHORIZATION, value)]));
            }
            Arc::new(
                HttpBuilder::new()
                    .with_url(url)
                    .with_client_options(client)
                    .with_http_connector(Connector)
                    .with_retry(retry)
                    .build()?,
            )
        }
    })
}

/// Returns the options of all clients. Other options of the environment, such as `AWS_ALLOW_HTTP`,
/// stay in effect.
fn options(settings: &Settings) -> [(ClientConfigKey, String); 4] {
    let millis = |duration: std::time::Duration| format!("{}ms", duration.as_millis());
    [
        (ClientConfigKey::ConnectTimeout, millis(settings.connect)),
        (ClientConfigKey::ReadTimeout, millis(settings.idle)),
        // This limits the whole answer, since a slow line needs long for a piece.
        (ClientConfigKey::Timeout, millis(settings.longest)),
        (ClientConfigKey::UserAgent, concat!("huller/", env!("CARGO_PKG_VERSION")).to_owned()),
    ]
}
