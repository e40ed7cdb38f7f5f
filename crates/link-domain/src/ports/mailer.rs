//! The port that carries mail out.

use super::Answer;
use crate::mail::Mail;

/// Hands mail over. Handing the same one over again must be safe: a crash may have lost the answer.
pub trait Mailer: Send + Sync {
    /// Hands a mail over to whoever delivers it.
    ///
    /// # Errors
    /// [`MailFault`] when nobody took it.
    fn send<'a>(&'a self, mail: &'a Mail) -> Answer<'a, Result<(), MailFault>>;

    /// Removes what is kept of the mails whose names begin so: of an invitation that was erased.
    ///
    /// # Errors
    /// [`MailFault::Unavailable`] when it cannot be removed now.
    fn forget<'a>(&'a self, prefix: &'a str) -> Answer<'a, Result<(), MailFault>>;
}

/// Why a mail was not handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailFault {
    /// The mail or its address was refused for good.
    #[error("the mail server refused the mail or its address")]
    Refused,
    /// The mailbox does not exist, or takes no mail any more.
    #[error("the mail server said that the mailbox does not exist")]
    NoMailbox,
    /// No server took it; another time one may.
    #[error("no mail server took the mail")]
    Unavailable,
}
