//! Hands mail to an SMTP server.

use std::time::Duration;

use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use link_domain::mail::Mail;
use link_domain::ports::{Answer, MailFault, Mailer};

use super::message::message;

/// How long one command of the conversation may take.
const PATIENCE: Duration = Duration::from_secs(30);

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
        let transport = builder.map_err(|_| SmtpAddressError::Malformed)?.timeout(Some(PATIENCE)).build();
        Ok(Self { transport, from })
    }
}

impl Mailer for SmtpMailer {
    fn send<'a>(&'a self, mail: &'a Mail) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(async move {
            let message = message(mail, &self.from)?;
            self.transport.send(message).await.map(drop).map_err(|error| {
                let fault = if error.is_permanent() { MailFault::Refused } else { MailFault::Unavailable };
                // The server's own words may repeat the address.
                let status = error.status().map(|code| code.to_string());
                tracing::warn!(mail = %mail.name, status, timed_out = error.is_timeout(), "{fault}");
                fault
            })
        })
    }

    fn forget<'a>(&'a self, _: &'a str) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(async { Ok(()) })
    }
}
