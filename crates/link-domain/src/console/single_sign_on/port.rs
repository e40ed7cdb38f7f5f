//! Port that asks the providers of tenants, and the name servers for the proof of a domain.

use std::time::Duration;

use link_types::Sensitive;

use crate::kernel::system::BoxFuture;
use crate::notifications::webhook_sender::SendError;

/// How long a request may take in all: 10 seconds.
pub const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response's body in bytes.
pub const MAX_FETCHED: usize = 256 * 1024;

/// Sends requests to addresses that tenants choose, with the same checks as webhooks.
pub trait ProviderClient: Send + Sync {
    /// Sends a request, within [`FETCH_TIMEOUT`] and without following redirects.
    fn fetch<'a>(&'a self, request: &'a FetchRequest) -> BoxFuture<'a, Result<FetchedResponse, FetchError>>;

    /// Checks an address without resolving its host name.
    ///
    /// # Errors
    ///
    /// [`SendError`] if no request can reach it.
    fn vet(&self, url: &str) -> Result<(), SendError>;

    /// Returns the texts of the TXT records with a name. Empty if there are none.
    fn find_texts<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<String>, FetchError>>;
}

/// A request. Its `Debug` output has neither its headers nor its body.
#[derive(Clone)]
pub struct FetchRequest {
    /// URL.
    pub url: String,
    /// Headers, with credentials. Names are in lower case.
    pub headers: Vec<(String, Sensitive)>,
    /// The form to POST, or `None` for a GET.
    pub body: Option<Sensitive>,
}

impl std::fmt::Debug for FetchRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FetchRequest").field("is_post", &self.body.is_some()).finish_non_exhaustive()
    }
}

/// A response with its whole body, which may have tokens: its `Debug` output has only the status.
#[derive(Clone, PartialEq, Eq)]
pub struct FetchedResponse {
    /// HTTP status.
    pub status: u16,
    /// The header `Content-Type`.
    pub content_type: Option<String>,
    /// Body, at most [`MAX_FETCHED`] bytes.
    pub body: Vec<u8>,
}

impl std::fmt::Debug for FetchedResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FetchedResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Reason why a request was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The request could not be sent, or the connection failed.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The whole response did not come within [`FETCH_TIMEOUT`].
    #[error("no complete response within {} seconds", FETCH_TIMEOUT.as_secs())]
    TimedOut,
    /// The body is larger than [`MAX_FETCHED`].
    #[error("the response is larger than {} KiB", MAX_FETCHED / 1024)]
    TooLarge,
}
