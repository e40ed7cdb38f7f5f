//! Hands mail to an SMTP server.

use std::time::Duration;

use lettre::transport::smtp::Error;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use link_domain::mail::Mail;
use link_domain::ports::{Answer, MailFault, Mailer};

use super::message::message;

/// How long a server may take until it is connected to; lettre knows no other limit of an asynchronous conversation.
const CONNECTING: Duration = Duration::from_secs(15);
/// How long the whole conversation may take, from the connection to the answer that the mail is taken.
const CONVERSATION: Duration = Duration::from_secs(60);

/// Sends over SMTP.
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Address,
}

/// Why an SMTP address cannot be used. The address itself holds a password and is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SmtpAddressError {
    /// It is not of the form.
    #[error("must be like smtps://user:password@host, or smtp://user:password@host?tls=required")]
    Malformed,
    /// Its mails would go through the network in clear.
    #[error(
        "needs smtps://, or ?tls=required: mails hold secrets, and only this machine may get them in clear"
    )]
    InClear,
}

impl SmtpMailer {
    /// A mailer for an address like `smtps://user:password@host`; mails come `from` this address.
    ///
    /// # Errors
    /// [`SmtpAddressError`] when it is malformed, or neither encrypted nor on this machine.
    pub fn new(address: &str, from: Address) -> Result<Self, SmtpAddressError> {
        let url = url::Url::parse(address).map_err(|_| SmtpAddressError::Malformed)?;
        let is_sealed = url.scheme() == "smtps" || url.query() == Some("tls=required");
        let is_here = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if !is_sealed && !is_here {
            return Err(SmtpAddressError::InClear);
        }
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(address);
        let transport = builder.map_err(|_| SmtpAddressError::Malformed)?.timeout(Some(CONNECTING)).build();
        Ok(Self { transport, from })
    }
}

impl Mailer for SmtpMailer {
    fn send<'a>(&'a self, mail: &'a Mail) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(async move {
            let message = message(mail, &self.from)?;
            match tokio::time::timeout(CONVERSATION, self.transport.send(message)).await {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => {
                    let fault = fault_of(&error);
                    // The server's own words may repeat the address.
                    let status = error.status().map(|code| code.to_string());
                    tracing::warn!(mail = %mail.name, status, timed_out = error.is_timeout(), "{fault}");
                    Err(fault)
                }
                Err(_) => {
                    tracing::warn!(mail = %mail.name, timed_out = true, "{}", MailFault::Unavailable);
                    Err(MailFault::Unavailable)
                }
            }
        })
    }

    fn forget<'a>(&'a self, _: &'a str) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(async { Ok(()) })
    }
}

/// What a server's refusal means. Only what it says of the recipient or of the mail itself is for good: a wrong
/// password, a server that does not relay or a blocked sender is the operator's to mend, and the mail waits for it.
fn fault_of(error: &Error) -> MailFault {
    let words = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    match error.status() {
        Some(code) if error.is_permanent() => fault_of_reply(code.into(), &words),
        Some(_) | None => MailFault::Unavailable,
    }
}

fn fault_of_reply(code: u16, words: &str) -> MailFault {
    let detail = words.split_whitespace().next().and_then(enhanced);
    match detail {
        // RFC 3463: addresses, but for the sender's own; mailboxes that are disabled.
        Some((1, detail)) if !matches!(detail, 7 | 8) => MailFault::NoMailbox,
        Some((2, 1)) => MailFault::NoMailbox,
        // Mailboxes; the mail's size; the way to the recipient's host; the mail's content.
        Some((3, 4) | (2 | 4 | 6, _)) => MailFault::Refused,
        Some(_) => MailFault::Unavailable,
        None => match code {
            550 | 551 | 553 if !words.to_ascii_lowercase().contains("relay") => MailFault::NoMailbox,
            552 | 556 => MailFault::Refused,
            _ => MailFault::Unavailable,
        },
    }
}

/// Subject and detail of an enhanced status code such as `5.1.1`.
fn enhanced(word: &str) -> Option<(u16, u16)> {
    let mut parts = word.split('.');
    let (class, subject, detail) = (parts.next()?, parts.next()?, parts.next()?);
    if class != "5" || parts.next().is_some() {
        return None;
    }
    Some((subject.parse().ok()?, detail.parse().ok()?))
}
