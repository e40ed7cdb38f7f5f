//! The HTTP client of the object store, based on the hyper and rustls that the service already uses.
//!
//! Our own 48 lines: object_store's default, reqwest with aws-lc-rs, adds a second TLS stack that needs cmake (ADR 67).

use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector as TcpConnector;
use hyper_util::rt::TokioExecutor;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpResponseBody, HttpService,
};

/// Creates the HTTP client of an object store.
#[derive(Debug)]
pub(super) struct Hyper {
    /// How long a server may take to read a request and start its response.
    pub(super) timeout: Duration,
}

impl HttpConnector for Hyper {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let tls = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| object_store::Error::Generic { store: "S3", source: Box::new(error) })?;
        let client = Client::builder(TokioExecutor::new()).build(tls.https_or_http().enable_http1().build());
        Ok(HttpClient::new(Service { client, timeout: self.timeout }))
    }
}

#[derive(Debug)]
struct Service {
    client: Client<HttpsConnector<TcpConnector>, HttpRequestBody>,
    timeout: Duration,
}

#[async_trait::async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let response = tokio::time::timeout(self.timeout, self.client.request(request)).await;
        let response =
            response.map_err(|late| HttpError::new(HttpErrorKind::Timeout, late))?.map_err(|error| {
                let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
                HttpError::new(kind, error)
            })?;
        let broken = |error| HttpError::new(HttpErrorKind::Interrupted, error);
        Ok(response.map(|body| HttpResponseBody::new(body.map_err(broken))))
    }
}
