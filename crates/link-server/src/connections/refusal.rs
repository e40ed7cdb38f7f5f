//! The answer to a connection that may not stay.

use std::sync::Arc;
use std::time::Duration;

use link_types::problem::{Problem, ProblemCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

/// Refused connections that are answered at the same time; further ones are closed at once.
const ANSWERED: usize = 64;
/// How long such a connection stays open at most.
const LIFE: Duration = Duration::from_secs(1);
/// Bytes of its request that are read, so that closing the socket does not discard the answer.
const READ: u64 = 16 * 1024;

/// Answers refused connections, a few at a time.
pub(super) struct Refusals {
    answer: Arc<[u8]>,
    answered: Arc<Semaphore>,
}

impl Refusals {
    pub(super) fn new() -> Self {
        let problem = Problem {
            problem_type: "about:blank".to_owned(),
            title: "The service cannot do this right now".to_owned(),
            status: 503,
            code: ProblemCode::ServiceUnavailable,
            detail: "Too many connections are open. Try again in a moment.".to_owned(),
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

    /// Answers 503 and closes the connection.
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
            // Whether the client heard of it is its own affair.
            drop(tokio::time::timeout(LIFE, answering).await);
        });
    }
}
