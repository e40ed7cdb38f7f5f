//! Mail: its format, and delivery over SMTP.

use std::time::Duration;

pub use lettre::Address;
use lettre::AsyncTransport as _;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error;
use lettre::{AsyncSmtpTransport, Message, Tokio1Executor};
use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::mail::{Mail, MailError, Mailer};
use mailparse::MailHeaderMap as _;
use mailparse::{ParsedMail, parse_mail};

mod check;
#[cfg(test)]
mod tests;

pub use self::check::MailCheckError;

/// Creates the message, from the service's own address with the sender's name.
///
/// # Errors
/// [`MailError::Refused`] if an address is invalid.
pub(super) fn message(mail: &Mail, from: &Address) -> Result<Message, MailError> {
    let recipient = parse_address(mail.recipient.expose())?;
    let name = Some(plain(mail.recipient_name.expose())).filter(|name| !name.is_empty());
    let mut builder = Message::builder()
        .from(Mailbox::new(Some(plain(&mail.sender_name)), from.clone()))
        .to(Mailbox::new(name, recipient))
        .subject(plain(mail.subject.expose()))
        .message_id(Some(format!("<{}@{}>", mail.name, from.domain())));
    // RFC 8058: one-click unsubscribe in the mail program, without a page.
    let stop = mail.unsubscribe.as_ref().map(|it| {
        let stop = format!("<{}>", plain(it.expose()));
        [("List-Unsubscribe", stop), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned())]
    });
    for (name, value) in stop.into_iter().flatten() {
        let name = HeaderName::new_from_ascii(name.to_owned()).map_err(|_| MailError::Refused)?;
        builder = builder.raw_header(HeaderValue::new(name, value));
    }
    let languages = plain(&mail.languages.join(", "));
    builder =
        builder.raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Content-Language"), languages));
    if let Some(reply_to) = &mail.reply_to {
        builder = builder.reply_to(Mailbox::new(None, parse_address(reply_to)?));
    }
    let bodies =
        MultiPart::alternative_plain_html(mail.text.expose().to_owned(), mail.html.expose().to_owned());
    builder.multipart(bodies).map_err(|_| MailError::Refused)
}

/// Parses an address, and writes an international domain in ASCII: every mail server can send to that.
fn parse_address(text: &str) -> Result<Address, MailError> {
    let (user, domain) = text.rsplit_once('@').ok_or(MailError::Refused)?;
    let domain = idna::domain_to_ascii(domain).map_err(|_| MailError::Refused)?;
    Address::new(user, domain).map_err(|_| MailError::Refused)
}

/// Returns the mail's bytes, for storing it instead of sending it.
///
/// # Errors
/// [`MailError::Refused`] if an address is invalid.
pub fn format_mail(mail: &Mail, from: &Address) -> Result<Vec<u8>, MailError> {
    message(mail, from).map(|message| message.formatted())
}

/// Replaces control characters, because lettre panics on a name that contains one.
fn plain(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}

/// The headers to show, in order.
const SHOWN: [&str; 8] =
    ["From", "Reply-To", "To", "Subject", "Date", "Message-ID", "List-Unsubscribe", "List-Unsubscribe-Post"];

/// Returns the mail's headers and its plain text, both decoded. Bytes that are not a mail are returned unchanged.
pub fn to_readable(mail: &[u8]) -> String {
    let as_it_is = || String::from_utf8_lossy(mail).into_owned();
    let Ok(parsed) = parse_mail(mail) else { return as_it_is() };
    let Some(text) = text_of(&parsed) else { return as_it_is() };
    let header = |name: &&str| {
        let value = parsed.headers.get_first_value(name)?;
        Some(format!("{name}: {}\n", value.split_whitespace().collect::<Vec<_>>().join(" ")))
    };
    let headers: String = SHOWN.iter().filter_map(header).collect();
    format!("{headers}\n{}", text.replace("\r\n", "\n"))
}

fn text_of(part: &ParsedMail<'_>) -> Option<String> {
    if part.subparts.is_empty() {
        return (part.ctype.mimetype == "text/plain").then(|| part.get_body().ok()).flatten();
    }
    part.subparts.iter().find_map(text_of)
}

/// The time limit for connecting. lettre has no other limit for asynchronous conversations.
const CONNECTING: Duration = Duration::from_secs(15);
/// The time limit for the whole conversation, from the connection until the mail is accepted.
const CONVERSATION: Duration = Duration::from_secs(60);

/// Sends over SMTP.
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Address,
}

/// Reason why an SMTP address cannot be used. The address contains a password, so it is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SmtpAddressError {
    /// The address is malformed.
    #[error("must be like smtps://user:password@host, or smtp://user:password@host?tls=required")]
    Malformed,
    /// The address would send mails unencrypted through the network.
    #[error(
        "needs smtps:// or ?tls=required, because mails contain secrets: only a local server may get them \
         unencrypted"
    )]
    InClear,
}

impl SmtpMailer {
    /// Creates a mailer for an address like `smtps://user:password@host`. Mails come `from` the second address.
    ///
    /// # Errors
    /// [`SmtpAddressError`] if the address is malformed, or neither encrypted nor local.
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
    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            let message = message(mail, &self.from)?;
            match tokio::time::timeout(CONVERSATION, self.transport.send(message)).await {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => {
                    // lettre finds out that the server lacks SMTPUTF8, without which it takes no such address.
                    let is_unsupported = error.is_client() && !mail.recipient.expose().is_ascii();
                    let fault = if is_unsupported { MailError::Refused } else { fault_of(&error) };
                    // The server's message may contain the address.
                    let status = error.status().map(|code| code.to_string());
                    tracing::warn!(mail = %mail.name, status, timed_out = error.is_timeout(), "{fault}");
                    Err(fault)
                }
                Err(_) => {
                    tracing::warn!(mail = %mail.name, timed_out = true, "{}", MailError::Unavailable);
                    Err(MailError::Unavailable)
                }
            }
        })
    }

    fn forget<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async { Ok(()) })
    }
}

/// Classifies a server's rejection. Only errors about the recipient or the mail itself are permanent. A wrong password,
/// a server that does not relay, or a blocked sender must be fixed by the operator, and the mail waits for it.
fn fault_of(error: &Error) -> MailError {
    let words = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    match error.status() {
        Some(code) if error.is_permanent() => fault_of_reply(code.into(), &words),
        Some(_) | None => MailError::Unavailable,
    }
}

fn fault_of_reply(code: u16, words: &str) -> MailError {
    let detail = words.split_whitespace().next().and_then(parse_enhanced_code);
    match detail {
        // RFC 3463: recipient addresses, except the sender's own, and disabled mailboxes.
        Some((1, detail)) if !matches!(detail, 7 | 8) => MailError::NoMailbox,
        Some((2, 1)) => MailError::NoMailbox,
        // The mail's size, the mailbox, the route to the recipient's host, or the mail's content.
        Some((3, 4) | (2 | 4 | 6, _)) => MailError::Refused,
        Some(_) => MailError::Unavailable,
        None => match code {
            550 | 551 | 553 if !words.to_ascii_lowercase().contains("relay") => MailError::NoMailbox,
            552 | 556 => MailError::Refused,
            _ => MailError::Unavailable,
        },
    }
}

/// Parses the subject and detail of an enhanced status code like `5.1.1`.
fn parse_enhanced_code(word: &str) -> Option<(u16, u16)> {
    let mut parts = word.split('.');
    let (class, subject, detail) = (parts.next()?, parts.next()?, parts.next()?);
    if class != "5" || parts.next().is_some() {
        return None;
    }
    Some((subject.parse().ok()?, detail.parse().ok()?))
}
