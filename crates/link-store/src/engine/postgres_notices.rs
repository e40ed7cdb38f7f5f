//! Warnings of a server about a commit.
//!
//! Our own: the driver only logs notices, and one of them reports that a commit may be lost in a failover.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::{AsyncMessage, Connection, Error};

/// Whether the server has warned on a connection.
#[derive(Clone, Default)]
pub(super) struct Warnings(Arc<AtomicBool>);

impl Warnings {
    /// Returns whether there was a warning, and forgets it.
    pub(super) fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// Moves the bytes of a connection until it ends, and records warnings.
pub(super) fn drive<S, T>(
    mut connection: Connection<S, T>,
    warnings: Warnings,
) -> impl Future<Output = Result<(), Error>> + Send
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
    T: AsyncRead + AsyncWrite + Unpin + Send,
{
    poll_fn(move |context| {
        while let Some(message) = ready!(connection.poll_message(context)?) {
            if let AsyncMessage::Notice(notice) = message {
                if is_warning(&notice) {
                    warnings.0.store(true, Ordering::Relaxed);
                }
                tracing::debug!(
                    severity = notice.severity(),
                    code = notice.code().code(),
                    "Notice of PostgreSQL"
                );
            }
        }
        Poll::Ready(Ok(()))
    })
}

/// The server sends this class, with a text in its own language, if a wait for the standby was cancelled.
fn is_warning(notice: &DbError) -> bool {
    *notice.code() == SqlState::WARNING
}
