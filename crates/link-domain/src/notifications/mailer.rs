//! Port to outgoing mail.

use crate::kernel::future::BoxFuture;
use crate::notifications::mail::Mail;

/// Hands mail over to a mail server. Repeating a handover must be safe, because a crash may have lost the result.
pub trait Mailer: Send + Sync {
    /// Hands a mail over to the server that delivers it.
    ///
    /// # Errors
    /// [`MailError`] if no server accepted the mail.
    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<(), MailError>>;

    /// Deletes stored mails whose names start with `prefix`. Used when an invitation is erased.
    ///
    /// # Errors
    /// [`MailError::Unavailable`] if they cannot be deleted now.
    fn forget<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), MailError>>;
}

/// Reason why a mail was not handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// The server permanently rejected the mail or its address.
    #[error("the mail server rejected the mail or its address")]
    Refused,
    /// The mailbox does not exist, or no longer accepts mail.
    #[error("the mail server reported that the mailbox does not exist")]
    NoMailbox,
    /// No server accepted the mail. A later attempt may succeed.
    #[error("no mail server accepted the mail")]
    Unavailable,
}
