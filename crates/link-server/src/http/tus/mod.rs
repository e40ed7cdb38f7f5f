//! tus 1.0, a protocol for resumable uploads: its headers and rules, independent of storage.
//!
//! Our own: tus leaves open when a file is inspected, and what happens to a second request for it (ADR 68).

mod headers;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use link_domain::kernel::clock::TenantTime;
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use tokio::sync::{OwnedMutexGuard, watch};
use tokio::time::timeout;

use crate::http::problem::Problem;

pub use headers::{Append, Creation, append, creation, too_many_bytes, upload_in_use};

pub use self::headers::{FormMetadata, Metadata};

/// The supported version of the protocol.
pub const VERSION: &str = "1.0.0";
/// The supported extensions of the protocol.
pub const EXTENSIONS: &str = "creation,creation-with-upload,expiration,termination";
/// The media type of an append.
pub const OFFSET_STREAM: &str = "application/offset+octet-stream";

/// The protocol version of a request or response.
pub const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
/// The supported versions.
pub const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
/// The supported extensions.
pub const TUS_EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
/// The maximum size of an upload in bytes.
pub const TUS_MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
/// The number of bytes received so far.
pub const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
/// The size of the file in bytes.
pub const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
/// The metadata of an upload.
pub const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
/// When an unfinished upload expires.
pub const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
/// The intended method, for clients that can send only `POST`.
pub const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");

/// Rejects other versions of the protocol with 412, and adds `Tus-Resumable` to every response.
pub async fn layer(request: Request, next: Next) -> Response {
    let is_options = request.method() == Method::OPTIONS;
    let is_supported = request.headers().get(TUS_RESUMABLE).is_some_and(|it| it == VERSION);
    let mut response = if is_supported || is_options {
        next.run(request).await
    } else {
        let version = HeaderValue::from_static(VERSION);
        Problem::new(ProblemCode::InvalidParameters, "Send `Tus-Resumable: 1.0.0`.")
            .with_status(StatusCode::PRECONDITION_FAILED)
            .with_header(TUS_VERSION, version)
            .into_response()
    };
    response.headers_mut().insert(TUS_RESUMABLE, HeaderValue::from_static(VERSION));
    response
}

/// Returns the time at which an upload is removed as an HTTP date, for `Upload-Expires`.
pub fn http_date(at: TenantTime) -> HeaderValue {
    let seconds = u64::try_from(at.micros() / 1_000_000).unwrap_or(0);
    let at = std::time::UNIX_EPOCH + Duration::from_secs(seconds);
    HeaderValue::from_str(&httpdate::fmt_http_date(at)).unwrap_or_else(|_| HeaderValue::from_static("0"))
}

/// Returns the method in `X-HTTP-Method-Override` of a `POST`, for clients that can send only `POST`. Accepts `PATCH`,
/// `DELETE` and `HEAD`.
pub fn meant_method(request: &Request) -> Option<Method> {
    if request.method() != Method::POST {
        return None;
    }
    match request.headers().get(METHOD_OVERRIDE)?.as_bytes() {
        b"PATCH" => Some(Method::PATCH),
        b"DELETE" => Some(Method::DELETE),
        b"HEAD" => Some(Method::HEAD),
        _ => None,
    }
}

// Locks that allow one request at a time to use an upload.
//
// A newer request asks the older one to stop: on a phone, the older connection may be dead long before the service
// notices.

/// How long a newer request waits for the older one to stop. The older one only has to store the bytes it received.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The locks of all uploads of this process.
#[derive(Debug, Clone, Default)]
pub struct UploadLocks(Arc<Mutex<HashMap<FileId, Arc<Slot>>>>);

#[derive(Debug)]
struct Slot {
    newest: watch::Sender<u64>,
    lock: Arc<tokio::sync::Mutex<()>>,
}

/// The lock on one upload. Dropping it releases the lock.
#[derive(Debug)]
pub struct UploadLock {
    locks: UploadLocks,
    id: FileId,
    mine: u64,
    newest: watch::Receiver<u64>,
    slot: Option<Arc<Slot>>,
    guard: Option<OwnedMutexGuard<()>>,
}

impl UploadLocks {
    /// Waits for the lock and asks its holder to stop. Returns `None` if the holder does not stop in time, or if an
    /// even newer request arrives.
    pub async fn take(&self, id: &FileId) -> Option<UploadLock> {
        let mut lock = self.queue(id);
        let mutex = Arc::clone(&lock.slot.as_ref()?.lock);
        let mut newest = lock.newest.clone();
        let mine = lock.mine;
        let guard = tokio::select! {
            guard = timeout(TIMEOUT, mutex.lock_owned()) => guard.ok()?,
            _ = newest.wait_for(|newest| *newest > mine) => return None,
        };
        lock.guard = Some(guard);
        Some(lock)
    }

    /// Returns true if a request holds the lock or waits for it.
    pub fn is_wanted(&self, id: &FileId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }

    fn queue(&self, id: &FileId) -> UploadLock {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Slot { newest: watch::Sender::new(0), lock: Arc::default() });
        let slot = Arc::clone(slots.entry(id.clone()).or_insert_with(new));
        let mut mine = 0;
        slot.newest.send_modify(|newest| {
            *newest += 1;
            mine = *newest;
        });
        let newest = slot.newest.subscribe();
        UploadLock { locks: self.clone(), id: id.clone(), mine, newest, slot: Some(slot), guard: None }
    }
}

impl UploadLock {
    /// Completes when a newer request asks for the lock.
    pub async fn is_wanted(&mut self) {
        let mine = self.mine;
        // An error is impossible: the sender lives in the slot that this lock holds.
        if self.newest.wait_for(|newest| *newest > mine).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for UploadLock {
    fn drop(&mut self) {
        self.guard = None;
        let mut slots = self.locks.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.slot = None;
        if slots.get(&self.id).is_some_and(|slot| Arc::strong_count(slot) == 1) {
            slots.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::patch("POST", "PATCH", Some(Method::PATCH))]
    #[case::delete("POST", "DELETE", Some(Method::DELETE))]
    #[case::unsupported("POST", "TRACE", None)]
    #[case::not_a_post("GET", "PATCH", None)]
    fn method_override_applies_only_to_post(
        #[case] sent: &str,
        #[case] meant: &str,
        #[case] expected: Option<Method>,
    ) {
        let request = Request::builder().method(sent).header(METHOD_OVERRIDE, meant).body(Body::empty());
        assert_eq!(meant_method(&request.unwrap()), expected);
    }

    fn id() -> FileId {
        FileId::from_bytes([7; 16])
    }

    #[tokio::test]
    async fn newer_request_takes_over_after_older_stops() {
        let locks = UploadLocks::default();
        let mut older = locks.take(&id()).await.unwrap();
        assert!(locks.is_wanted(&id()));
        let newer = tokio::spawn({
            let locks = locks.clone();
            async move { locks.take(&id()).await }
        });
        older.is_wanted().await;
        assert!(!newer.is_finished(), "the older still holds the lock");
        drop(older);
        assert!(newer.await.unwrap().is_some());
        assert!(!locks.is_wanted(&id()));
        assert!(locks.0.lock().unwrap().is_empty(), "unused uploads leave no entries");
    }

    #[tokio::test]
    async fn newest_of_two_waiting_requests_wins() {
        let locks = UploadLocks::default();
        let mut first = locks.take(&id()).await.unwrap();
        let spawn = |locks: UploadLocks| tokio::spawn(async move { locks.take(&id()).await });
        let second = spawn(locks.clone());
        first.is_wanted().await;
        let third = spawn(locks.clone());
        assert!(second.await.unwrap().is_none());
        drop(first);
        assert!(third.await.unwrap().is_some());
    }

    #[tokio::test]
    async fn locks_of_different_uploads_are_independent() {
        let locks = UploadLocks::default();
        let _held = locks.take(&id()).await.unwrap();
        assert!(locks.take(&FileId::from_bytes([8; 16])).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_stuck_request_times_out() {
        let locks = UploadLocks::default();
        let _held = locks.take(&id()).await.unwrap();
        assert!(locks.take(&id()).await.is_none());
    }
}
