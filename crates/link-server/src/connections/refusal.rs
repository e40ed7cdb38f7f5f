//! The response to a refused connection.

use std::sync::Arc;
use std::time::Duration;

use link_types::problem::{Problem, ProblemCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

/// The number of refused connections that get a response at the same time. Further ones are closed at once.
const ANSWERED: usize = 64;
/// How long a refused connection stays open at most.
const LIFE: Duration = Duration::from_secs(1);
/// The number of bytes that are read of its request, so that closing the socket does not discard the response.
const READ: u64 = 16 * 1024;

/// Responds to refused connections, a few at a time.
pub(super) struct Refusals {
    answer: Arc<[u8]>,
    answered: Arc<Semaphore>,
}

impl Refusals {
    pub(super) fn new() -> Self {
        let problem = Problem {
            problem_type: "about:blank".to_owned(),
            title: "The service is temporarily unavailable".to_owned(),
            status: 503,
            code: ProblemCode::ServiceUnavailable,
            detail: "Too many connections are open. Try again in a few seconds.".to_owned(),
            request_id: "none".to_owned(),
            errors: Vec::new(),
            truncated: None,
        };
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let answer = format!(
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nContent-Length: {}\r\n\
             Retry-After: 1\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        Self { answer: answer.into_bytes().into(), answered: Arc::new(Semaphore::new(ANSWERED)) }
    }

    /// Responds with 503 and closes the connection.
    pub(super) fn refuse(&self, mut stream: TcpStream) {
        let Ok(permit) = Arc::clone(&self.answered).try_acquire_owned() else { return };
        let answer = Arc::clone(&self.answer);
        tokio::spawn(async move {
            let _permit = permit;
            let answering = async {
                stream.write_all(&answer).await?;
                stream.shutdown().await?;
                tokio::io::copy(&mut (&mut stream).take(READ), &mut tokio::io::sink()).await
            };
            // Ignore errors: the connection closes in any case.
            drop(tokio::time::timeout(LIFE, answering).await);
        });
    }
}
