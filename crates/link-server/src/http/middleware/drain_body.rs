//! Drains request bodies that a handler did not read, or sends `Connection: close`.
//!
//! The server closes a connection if a request was not read to its end. A client that already sent the next request on
//! it would not know whether that request was processed. So this layer reads a short remainder; for a longer one, the
//! response announces that the connection closes.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, Version, header};
use axum::response::Response;
use futures_util::StreamExt as _;

/// The longest remainder that is read, in bytes.
const MAX_BYTES: usize = 256 * 1024;
/// How long reading it may take. The response waits for it.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Reads the rest of the request's body, or adds `Connection: close` to the response.
pub async fn layer<N, F>(request: Request, next: N) -> Response
where
    N: FnOnce(Request) -> F,
    F: Future<Output = Response>,
{
    if request.body().is_end_stream() {
        return next(request).await;
    }
    let is_kept_alive = request.version() == Version::HTTP_11;
    // A client that sends `Expect: 100-continue` has not sent the body yet.
    let expects_continue = request.headers().contains_key(header::EXPECT);
    let is_long = request.body().size_hint().lower() > MAX_BYTES as u64;
    let left = Arc::default();
    let request = request.map(|body| Body::new(DrainableBody { body, left: Arc::clone(&left) }));
    let mut response = next(request).await;
    let rest = left.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(rest) = rest
        && is_kept_alive
        && !response.headers().contains_key(header::CONNECTION)
        && (expects_continue || is_long || !is_read(rest).await)
    {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Reads a short remainder to its end. Returns false if it is too long or does not arrive in time.
async fn is_read(rest: Body) -> bool {
    let reading = async {
        let (mut pieces, mut length) = (rest.into_data_stream(), 0_usize);
        while let Some(piece) = pieces.next().await {
            let Ok(piece) = piece else { return false };
            length = length.saturating_add(piece.len());
            if length > MAX_BYTES {
                return false;
            }
        }
        true
    };
    tokio::time::timeout(TIMEOUT, reading).await.unwrap_or(false)
}

/// A request body that returns its unread remainder when it is dropped.
struct DrainableBody {
    body: Body,
    left: Arc<Mutex<Option<Body>>>,
}

impl HttpBody for DrainableBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.body = Body::empty();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

impl Drop for DrainableBody {
    fn drop(&mut self) {
        if !self.body.is_end_stream() {
            let rest = std::mem::take(&mut self.body);
            *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::http::StatusCode;
    use axum::middleware::{Next, from_fn};
    use futures_util::stream;
    use tokio::sync::mpsc;
    use tower::ServiceExt as _;

    use super::*;

    /// Returns a router that reads the body only on `/read`, and always returns an error.
    fn router() -> Router {
        let reads = |body: Body| async {
            axum::body::to_bytes(body, usize::MAX).await.map(|_| StatusCode::CONFLICT).unwrap()
        };
        Router::new()
            .route("/read", axum::routing::any(reads))
            .fallback(|| async { StatusCode::NOT_FOUND })
            .layer(from_fn(|request, next: Next| layer(request, |request| next.run(request))))
    }

    async fn send_request(path: &str, body: Body, expects: bool) -> Option<String> {
        let mut request = Request::post(path);
        if expects {
            request = request.header(header::EXPECT, "100-continue");
        }
        let response = router().oneshot(request.body(body).unwrap()).await.unwrap();
        assert!(response.status().is_client_error());
        response.headers().get(header::CONNECTION).map(|it| it.to_str().unwrap().to_owned())
    }

    fn pieces(count: usize) -> Body {
        Body::from_stream(stream::iter(
            (0..count).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 64 * 1024]))),
        ))
    }

    #[tokio::test]
    async fn short_remainder_is_drained_and_connection_stays_open() {
        let (sender, mut receiver) = mpsc::unbounded_channel::<Bytes>();
        let body = Body::from_stream(stream::poll_fn(move |context| {
            receiver.poll_recv(context).map(|piece| piece.map(Ok::<_, std::io::Error>))
        }));
        let mut response = Box::pin(send_request("/nowhere", body, false));
        assert!(futures_util::poll!(response.as_mut()).is_pending(), "waits for the remainder");
        sender.send(Bytes::from_static(b"{}")).unwrap();
        drop(sender);
        assert_eq!(response.await, None);
    }

    #[tokio::test]
    async fn connection_stays_open_after_complete_or_empty_body() {
        assert_eq!(send_request("/read", pieces(10), false).await, None);
        assert_eq!(send_request("/read", Body::empty(), false).await, None);
        assert_eq!(send_request("/nowhere", Body::empty(), false).await, None);
    }

    #[tokio::test]
    async fn long_or_unsent_remainder_sends_connection_close() {
        assert_eq!(send_request("/nowhere", pieces(4), false).await, None);
        assert_eq!(send_request("/nowhere", pieces(5), false).await.as_deref(), Some("close"));
        let announced = Body::from(vec![b' '; MAX_BYTES + 1]);
        assert_eq!(send_request("/nowhere", announced, false).await.as_deref(), Some("close"));
        assert_eq!(send_request("/nowhere", pieces(1), true).await.as_deref(), Some("close"));
    }

    #[tokio::test(start_paused = true)]
    async fn stalled_remainder_sends_connection_close() {
        let body = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        assert_eq!(send_request("/nowhere", body, false).await.as_deref(), Some("close"));
    }
}
