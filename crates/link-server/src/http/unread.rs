//! What an answer leaves unread of its request's body. The server closes a connection whose request was not read to its end,
//! and a client that has sent the next one there already does not know whether it was taken. So a short rest is read; with a
//! longer one the answer says that the connection closes.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt as _;

/// The longest rest that is read.
const LONGEST: usize = 256 * 1024;
/// How long it may take; the answer waits for it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reads what the answer left of the body, or lets it say that the connection closes.
pub async fn layer(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let is_kept_alive = request.version() == Version::HTTP_11;
    // Such a client waits to be asked for the body.
    let is_asked_for = request.headers().contains_key(header::EXPECT);
    let is_long = request.body().size_hint().lower() > LONGEST as u64;
    let left = Arc::default();
    let request = request.map(|body| Body::new(Lent { body, left: Arc::clone(&left) }));
    let mut response = next.run(request).await;
    let rest = left.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(rest) = rest
        && is_kept_alive
        && !response.headers().contains_key(header::CONNECTION)
        && (is_asked_for || is_long || !is_read(rest).await)
    {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Reads a rest to its end, if it is short.
async fn is_read(rest: Body) -> bool {
    let reading = async {
        let (mut pieces, mut length) = (rest.into_data_stream(), 0_usize);
        while let Some(piece) = pieces.next().await {
            let Ok(piece) = piece else { return false };
            length = length.saturating_add(piece.len());
            if length > LONGEST {
                return false;
            }
        }
        true
    };
    tokio::time::timeout(PATIENCE, reading).await.unwrap_or(false)
}

/// A body that is given back by whoever does not read it to its end.
struct Lent {
    body: Body,
    left: Arc<Mutex<Option<Body>>>,
}

impl HttpBody for Lent {
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

impl Drop for Lent {
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
    use axum::middleware::from_fn;
    use futures_util::stream;
    use tokio::sync::mpsc;
    use tower::ServiceExt as _;

    use super::*;

    /// Reads its body where it is asked to by the path, and refuses in any case.
    fn router() -> Router {
        let reads = |body: Body| async {
            axum::body::to_bytes(body, usize::MAX).await.map(|_| StatusCode::CONFLICT).unwrap()
        };
        Router::new()
            .route("/read", axum::routing::any(reads))
            .fallback(|| async { StatusCode::NOT_FOUND })
            .layer(from_fn(layer))
    }

    async fn answered(path: &str, body: Body, expects: bool) -> Option<String> {
        let mut request = Request::post(path);
        if expects {
            request = request.header(header::EXPECT, "100-continue");
        }
        let answer = router().oneshot(request.body(body).unwrap()).await.unwrap();
        assert!(answer.status().is_client_error());
        answer.headers().get(header::CONNECTION).map(|it| it.to_str().unwrap().to_owned())
    }

    fn pieces(count: usize) -> Body {
        Body::from_stream(stream::iter(
            (0..count).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 64 * 1024]))),
        ))
    }

    #[tokio::test]
    async fn a_short_rest_is_read_before_the_answer_and_the_connection_stays() {
        let (sender, mut receiver) = mpsc::unbounded_channel::<Bytes>();
        let body = Body::from_stream(stream::poll_fn(move |context| {
            receiver.poll_recv(context).map(|piece| piece.map(Ok::<_, std::io::Error>))
        }));
        let mut answer = Box::pin(answered("/nowhere", body, false));
        assert!(futures_util::poll!(answer.as_mut()).is_pending(), "the rest is still to come");
        sender.send(Bytes::from_static(b"{}")).unwrap();
        drop(sender);
        assert_eq!(answer.await, None);
    }

    #[tokio::test]
    async fn what_was_read_to_its_end_or_never_was_there_changes_nothing() {
        assert_eq!(answered("/read", pieces(10), false).await, None);
        assert_eq!(answered("/read", Body::empty(), false).await, None);
        assert_eq!(answered("/nowhere", Body::empty(), false).await, None);
    }

    #[tokio::test]
    async fn a_rest_that_is_too_long_or_was_not_asked_for_closes_the_connection_in_words() {
        assert_eq!(answered("/nowhere", pieces(4), false).await, None);
        assert_eq!(answered("/nowhere", pieces(5), false).await.as_deref(), Some("close"));
        let announced = Body::from(vec![b' '; LONGEST + 1]);
        assert_eq!(answered("/nowhere", announced, false).await.as_deref(), Some("close"));
        assert_eq!(answered("/nowhere", pieces(1), true).await.as_deref(), Some("close"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_rest_that_does_not_come_closes_the_connection_in_words() {
        let body = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        assert_eq!(answered("/nowhere", body, false).await.as_deref(), Some("close"));
    }
}
