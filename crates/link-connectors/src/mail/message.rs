//! Formats a mail according to RFC 5322. Every header goes through lettre's types, so that no text can inject a header.

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};
use link_domain::notifications::mail::Mail;
use link_domain::notifications::mailer::MailError;

/// Creates the message, from the service's own address with the sender's name.
///
/// # Errors
/// [`MailError::Refused`] if an address is invalid.
pub(super) fn message(mail: &Mail, from: &Address) -> Result<Message, MailError> {
    let recipient: Address = mail.recipient.expose().parse().map_err(|_| MailError::Refused)?;
    let mut builder = Message::builder()
        .from(Mailbox::new(Some(plain(&mail.sender_name)), from.clone()))
        .to(Mailbox::new(Some(plain(mail.recipient_name.expose())), recipient))
        .subject(plain(mail.subject.expose()))
        .message_id(Some(format!("<{}@{}>", mail.name, from.domain())));
    // RFC 8058: one-click unsubscribe in the mail program, without a page.
    let stop = format!("<{}>", plain(mail.unsubscribe.expose()));
    for (name, value) in
        [("List-Unsubscribe", stop), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned())]
    {
        let name = HeaderName::new_from_ascii(name.to_owned()).map_err(|_| MailError::Refused)?;
        builder = builder.raw_header(HeaderValue::new(name, value));
    }
    let languages = plain(&mail.languages.join(", "));
    builder =
        builder.raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Content-Language"), languages));
    if let Some(reply_to) = &mail.reply_to {
        builder = builder.reply_to(Mailbox::new(None, reply_to.parse().map_err(|_| MailError::Refused)?));
    }
    let bodies =
        MultiPart::alternative_plain_html(mail.text.expose().to_owned(), mail.html.expose().to_owned());
    builder.multipart(bodies).map_err(|_| MailError::Refused)
}

/// Returns the mail's bytes, for storing it instead of sending it.
///
/// # Errors
/// [`MailError::Refused`] if an address is invalid.
pub fn written(mail: &Mail, from: &Address) -> Result<Vec<u8>, MailError> {
    message(mail, from).map(|message| message.formatted())
}

/// Replaces control characters, because lettre panics on a name that contains one.
fn plain(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}
