//! A client of the service's own REST interface, for the commands of a tenant.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{Method, Request, header};
use link_types::Sensitive;

use crate::http_source::{HttpClient, plain_client};
use crate::reach::{ReachError, cause_of};

/// The size of a response in bytes that is read.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// A client that keeps its connections open. It trusts the system's certificate authorities, and follows no redirect.
pub struct RestClient {
    client: HttpClient,
    user_agent: String,
}

/// A request.
pub struct RestRequest<'a> {
    /// The method.
    pub method: Method,
    /// The URL.
    pub url: &'a str,
    /// The header `Authorization`.
    pub authorization: Option<&'a Sensitive>,
    /// The body.
    pub body: Option<RestBody>,
    /// How long the whole request may take.
    pub timeout: Duration,
}

/// The body of a request.
pub enum RestBody {
    /// JSON.
    Json(Vec<u8>),
    /// The fields of a form, URL-encoded.
    Form(Vec<u8>),
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestResponse {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Bytes,
    /// The seconds of the header `Retry-After`.
    pub retry_after: Option<u64>,
    /// The header `Location`.
    pub location: Option<String>,
}

impl RestClient {
    /// Creates a client that calls itself `user_agent`.
    #[must_use]
    pub fn new(user_agent: &str) -> Self {
        Self { client: plain_client(), user_agent: user_agent.to_owned() }
    }

    /// Sends a request.
    ///
    /// # Errors
    /// [`ReachError`] if no complete response arrives.
    pub async fn send(&self, request: RestRequest<'_>) -> Result<RestResponse, ReachError> {
        let RestRequest { method, url, authorization, body, timeout } = request;
        let mut head = Request::builder()
            .method(method)
            .uri(url)
            .header(header::USER_AGENT, &self.user_agent)
            .header(header::ACCEPT, "application/json");
        if let Some(authorization) = authorization {
            head = head.header(header::AUTHORIZATION, authorization.expose());
        }
        let body = match body {
            None => Vec::new(),
            Some(RestBody::Json(body)) => {
                head = head.header(header::CONTENT_TYPE, "application/json");
                body
            }
            Some(RestBody::Form(body)) => {
                head = head.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
                body
            }
        };
        let request = head.body(Full::<Bytes>::from(body));
        let request = request.map_err(|_| ReachError::Malformed)?;
        let exchange = async {
            let response = self.client.request(request).await.map_err(|error| cause_of(&error))?;
            let (parts, body) = response.into_parts();
            let read = Limited::new(body, MAX_BODY).collect().await.map_err(|_| ReachError::Broken)?;
            let text = |name| parts.headers.get(name).and_then(|it| it.to_str().ok()).map(str::to_owned);
            Ok(RestResponse {
                status: parts.status.as_u16(),
                body: read.to_bytes(),
                retry_after: text(header::RETRY_AFTER).and_then(|it| it.parse().ok()),
                location: text(header::LOCATION),
            })
        };
        tokio::time::timeout(timeout, exchange).await.unwrap_or(Err(ReachError::TimedOut))
    }
}
