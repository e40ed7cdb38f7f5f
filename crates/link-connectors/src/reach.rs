//! Asks whether a URL leads to the service itself, as `linchpin check` and `linchpin doctor` do.

use std::error::Error as _;
use std::io::ErrorKind;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{Request, header};
use link_domain::notifications::webhook_sender::TlsError;

use crate::http_source::plain_client;
use crate::webhook::tls_cause;

/// How long the whole request may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The size of a response in bytes that is read.
const MAX_BODY: usize = 4 * 1024;

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The status.
    pub status: u16,
    /// The body, or nothing if it is larger than 4 KiB.
    pub body: String,
    /// The header `Date`.
    pub date: Option<String>,
    /// The header `Server`, by which a proxy may say its name.
    pub server: Option<String>,
}

/// Reason why a URL did not respond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    /// The URL is not valid.
    #[error("the URL is not valid")]
    Malformed,
    /// The name of the host has no address.
    #[error("the name of the host has no address")]
    UnknownHost,
    /// Nothing listens there.
    #[error("the connection was refused: nothing listens there")]
    Refused,
    /// There was no response in time.
    #[error("no response came within {} s", TIMEOUT.as_secs())]
    TimedOut,
    /// TLS failed.
    #[error(transparent)]
    Tls(TlsError),
    /// The connection failed for another reason, or ended before the response.
    #[error("the connection ended without a response")]
    Broken,
}

impl ReachError {
    /// Returns a stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Malformed => "URL",
            Self::UnknownHost => "DNS",
            Self::Refused => "ECONNREFUSED",
            Self::TimedOut => "ETIMEDOUT",
            Self::Tls(_) => "TLS",
            Self::Broken => "ECONNRESET",
        }
    }
}

/// Sends a GET.
///
/// # Errors
/// [`ReachError`] if the URL does not respond.
pub async fn reach(url: &str) -> Result<Reached, ReachError> {
    let request =
        Request::get(url).header(header::USER_AGENT, "linchpin-check").body(Full::<Bytes>::default());
    let request = request.map_err(|_| ReachError::Malformed)?;
    let asked = async {
        let response = plain_client().request(request).await.map_err(|error| cause_of(&error))?;
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, MAX_BODY).collect().await;
        let bytes = body.map(|it| it.to_bytes()).unwrap_or_default();
        let text = |name| parts.headers.get(name).and_then(|it| it.to_str().ok()).map(str::to_owned);
        Ok(Reached {
            status: parts.status.as_u16(),
            body: String::from_utf8_lossy(&bytes).into_owned(),
            date: text(header::DATE),
            server: text(header::SERVER),
        })
    };
    tokio::time::timeout(TIMEOUT, asked).await.unwrap_or(Err(ReachError::TimedOut))
}

pub(crate) fn cause_of(error: &hyper_util::client::legacy::Error) -> ReachError {
    if let Some(cause) = tls_cause(error) {
        return ReachError::Tls(cause);
    }
    let mut next = error.source();
    while let Some(cause) = next {
        if cause.to_string().starts_with("dns error") {
            return ReachError::UnknownHost;
        }
        if let Some(error) = cause.downcast_ref::<std::io::Error>() {
            if error.kind() == ErrorKind::ConnectionRefused {
                return ReachError::Refused;
            }
            if error.kind() == ErrorKind::TimedOut {
                return ReachError::TimedOut;
            }
        }
        next = cause.source();
    }
    ReachError::Broken
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    async fn serve(response: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/health/live", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 1024];
            let _read = stream.read(&mut request).await.unwrap();
            stream.write_all(response.as_bytes()).await.unwrap();
        });
        url
    }

    #[tokio::test]
    async fn response_is_returned_with_its_headers() {
        let response = "HTTP/1.1 502 Bad Gateway\r\nserver: nginx\r\ncontent-length: 3\r\n\r\nno\n";
        let reached = reach(&serve(response).await).await.unwrap();
        assert_eq!((reached.status, reached.body.as_str()), (502, "no\n"));
        assert_eq!((reached.server.as_deref(), reached.date), (Some("nginx"), None));
    }

    #[tokio::test]
    async fn missing_response_has_its_reason() {
        assert_eq!(reach("http://127.0.0.1:1/").await, Err(ReachError::Refused));
        assert_eq!(reach("http://no-such-host.invalid/").await, Err(ReachError::UnknownHost));
        assert_eq!(reach("not a url").await, Err(ReachError::Malformed));
        let plain = serve("HTTP/1.1 200 OK\r\n\r\n").await.replace("http://", "https://");
        assert_eq!(reach(&plain).await, Err(ReachError::Tls(TlsError::NotTls)));
        assert_eq!(reach(&serve("").await).await, Err(ReachError::Broken));
    }
}
