//! Port that sends deliveries to receivers.

use std::time::Duration;

use crate::kernel::system::BoxFuture;

/// Posts a signed body to a receiver.
pub trait WebhookSender: Send + Sync {
    /// Makes one attempt, within [`crate::notifications::delivery::ATTEMPT_TIMEOUT`] and without following redirects.
    fn send<'a>(&'a self, request: &'a OutboundRequest) -> BoxFuture<'a, AttemptOutcome>;

    /// Checks the URL of a webhook without resolving its host name. Each attempt resolves it instead, because an error
    /// here would reveal which internal names exist.
    ///
    /// # Errors
    ///
    /// [`SendError::AddressRefused`], [`SendError::PlainRefused`] or [`SendError::NetworkRefused`] if no delivery can reach the URL.
    fn vet(&self, url: &str, https_only: bool) -> Result<(), SendError>;
}

/// An attempt to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboundRequest {
    /// URL of the receiver.
    pub url: String,
    /// Whether to reject plain http. True in production.
    pub https_only: bool,
    /// Signature headers.
    pub headers: Vec<(&'static str, String)>,
    /// Exact body that was signed.
    pub body: Vec<u8>,
}

/// Result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptOutcome {
    /// Duration of the attempt.
    pub took: Duration,
    /// Response of the receiver, or the reason why there is none.
    pub result: Result<ReceiverResponse, SendError>,
}

/// Response of a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiverResponse {
    /// HTTP status.
    pub status: u16,
    /// Body, truncated at [`crate::notifications::delivery::MAX_RESPONSE_BYTES`]. Bytes that are not UTF-8 are replaced.
    pub body: String,
}

impl AttemptOutcome {
    /// Returns whether the receiver accepted the delivery: a status from 200 to 299.
    pub fn is_accepted(&self) -> bool {
        self.result.as_ref().is_ok_and(|answer| (200..300).contains(&answer.status))
    }
}

/// Reason why an attempt got no response. The tenant sees the message in the delivery's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The URL is not allowed.
    #[error("the URL is not allowed: it must use https and have a host")]
    AddressRefused,
    /// The URL has plain http, and its host is neither this machine nor allowed by the operator.
    #[error(
        "the URL must use https: plain http is only for this machine and for hosts that the operator lists with \
         --webhook-allow"
    )]
    PlainRefused,
    /// The host name does not exist, or resolves to an address that is not allowed. The tenant gets
    /// the same error in both cases.
    #[error("the host name does not resolve to a public address")]
    Unresolved,
    /// The host is an address in a non-public network.
    #[error(
        "the host is a private or reserved network address, which the operator of the service can allow with --webhook-allow"
    )]
    NetworkRefused,
    /// The connection could not be established.
    #[error("the connection could not be established")]
    ConnectFailed,
    /// The TLS connection could not be established.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// There was no response in time.
    #[error("no response within 15 seconds")]
    TimedOut,
    /// The connection closed before the response was complete.
    #[error("the connection closed before the response was complete")]
    Broken,
}

/// Reason why a TLS connection to a receiver could not be established.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsError {
    /// The certificate has expired.
    #[error("TLS: the certificate of the receiver has expired")]
    Expired,
    /// The certificate is not valid yet: it begins later, or a clock is wrong.
    #[error("TLS: the certificate of the receiver is not valid yet")]
    NotValidYet,
    /// The certificate names other hosts.
    #[error("TLS: the certificate of the receiver is for another host name")]
    WrongName,
    /// No trusted authority issued the certificate.
    #[error(
        "TLS: no trusted authority issued the certificate of the receiver: it is self-signed, or the receiver does not \
         send its intermediate certificates"
    )]
    UnknownIssuer,
    /// The certificate is not valid for another reason, for example because it was revoked or is one of an authority.
    #[error(
        "TLS: the certificate of the receiver is not valid for a server: it may be self-signed or revoked"
    )]
    BadCertificate,
    /// The receiver does not speak TLS on this port.
    #[error("TLS: the receiver does not speak TLS on this port, but perhaps plain http")]
    NotTls,
    /// The receiver offers no version or cipher that we accept.
    #[error("TLS: the receiver offers neither TLS 1.2 nor 1.3 with a secure cipher")]
    NoCommonVersion,
    /// The receiver wants a client certificate.
    #[error("TLS: the receiver requires a client certificate, which deliveries do not have")]
    ClientCertificate,
    /// The handshake ended early for another reason.
    #[error("TLS: the receiver ended the handshake")]
    Closed,
}
