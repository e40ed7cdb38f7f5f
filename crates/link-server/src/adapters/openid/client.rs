//! The port as the library's HTTP client.

use std::future::Future;
use std::pin::Pin;

use link_domain::console::single_sign_on::port::{FetchError, FetchRequest, ProviderClient};
use link_types::Sensitive;
use openidconnect::http::{Response, header};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};

/// The library's HTTP client.
pub(super) struct OpenIdClient<'p>(pub(super) &'p dyn ProviderClient);

/// Reason why the library gets no response.
#[derive(Debug, thiserror::Error)]
pub(super) enum ClientError {
    /// The request was not answered.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The provider failed.
    #[error("status {0}")]
    Status(u16),
    /// The library wants to send something that is not valid.
    #[error("the request is not valid")]
    Request,
}

impl<'c> AsyncHttpClient<'c> for OpenIdClient<'_> {
    type Error = ClientError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, ClientError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let header = |(name, value): (&header::HeaderName, &header::HeaderValue)| {
                let value = value.to_str().map_err(|_| ClientError::Request)?;
                Ok::<_, ClientError>((name.as_str().to_owned(), Sensitive::new(value)))
            };
            let body = String::from_utf8(body).map_err(|_| ClientError::Request)?;
            let sent = FetchRequest {
                url: parts.uri.to_string(),
                headers: parts.headers.iter().map(header).collect::<Result<_, _>>()?,
                body: (parts.method == openidconnect::http::Method::POST).then(|| Sensitive::new(body)),
            };
            let fetched = self.0.fetch(&sent).await?;
            if fetched.status >= 500 {
                return Err(ClientError::Status(fetched.status));
            }
            let mut response = Response::builder().status(fetched.status);
            if let Some(content_type) = &fetched.content_type {
                response = response.header(header::CONTENT_TYPE, content_type);
            }
            response.body(fetched.body).map_err(|_| ClientError::Request)
        })
    }
}
