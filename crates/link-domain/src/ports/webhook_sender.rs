//! The port that carries deliveries to receivers.

use std::time::Duration;

use super::Answer;

/// Posts a signed body to a receiver.
pub trait WebhookSender: Send + Sync {
    /// Makes one attempt, within [`crate::webhook::ATTEMPT_TIMEOUT`], following no redirect.
    fn send<'a>(&'a self, request: &'a OutboundRequest) -> Answer<'a, AttemptOutcome>;

    /// Checks an address for a registration by its text alone. Names are not looked up: each attempt does that, and a
    /// refusal here would reveal which internal names exist.
    ///
    /// # Errors
    ///
    /// [`SendError::AddressRefused`] or [`SendError::NetworkRefused`] for an address that no delivery can reach.
    fn vet(&self, url: &str, https_only: bool) -> Result<(), SendError>;
}

/// One attempt to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboundRequest {
    /// The receiver's address.
    pub url: String,
    /// Whether plain http is refused: it is in production.
    pub https_only: bool,
    /// The signature headers.
    pub headers: Vec<(&'static str, String)>,
    /// The exact body that was signed.
    pub body: Vec<u8>,
}

/// What an attempt came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptOutcome {
    /// How long it took.
    pub took: Duration,
    /// The receiver's answer, or why there is none.
    pub result: Result<ReceiverAnswer, SendError>,
}

/// A receiver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiverAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The body, cut at [`crate::webhook::ANSWER_LIMIT`]; bytes that are no UTF-8 are replaced.
    pub body: String,
}

impl AttemptOutcome {
    /// Whether the receiver accepted the delivery: a status of 200 to 299.
    pub fn accepted(&self) -> bool {
        self.result.as_ref().is_ok_and(|answer| (200..300).contains(&answer.status))
    }
}

/// Why an attempt got no answer. The words are shown to the tenant in the delivery's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The address is not one that may be posted to.
    #[error("the address is not allowed: it is not https or names no host")]
    AddressRefused,
    /// The host's name does not exist, or has an address that is not allowed: the tenant cannot tell which.
    #[error("the host's name does not resolve to a public address")]
    Unresolved,
    /// The host is an address of a network that is not public.
    #[error("the host is a private or reserved network address")]
    NetworkRefused,
    /// No connection came about.
    #[error("no connection could be made")]
    ConnectFailed,
    /// The TLS handshake failed.
    #[error("the TLS handshake failed")]
    TlsFailed,
    /// No answer in time.
    #[error("no answer within 15 seconds")]
    TimedOut,
    /// The connection broke before an answer was read.
    #[error("the connection broke before the answer was complete")]
    Broken,
}
