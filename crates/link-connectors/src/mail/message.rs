//! A mail as RFC 5322 writes it. Every header goes through lettre's types, so that no text becomes a header.

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};
use link_domain::mail::Mail;
use link_domain::ports::MailFault;

/// The message, from the service's own address in the sender's name.
///
/// # Errors
/// [`MailFault::Refused`] when an address is none.
pub(super) fn message(mail: &Mail, from: &Address) -> Result<Message, MailFault> {
    let recipient: Address = mail.recipient.expose().parse().map_err(|_| MailFault::Refused)?;
    let mut builder = Message::builder()
        .from(Mailbox::new(Some(plain(&mail.sender_name)), from.clone()))
        .to(Mailbox::new(Some(plain(mail.recipient_name.expose())), recipient))
        .subject(plain(mail.subject.expose()))
        .message_id(Some(format!("<{}@{}>", mail.name, from.domain())));
    // RFC 8058: a mail program's own button stops the mail, without a page.
    let stop = format!("<{}>", plain(mail.unsubscribe.expose()));
    for (name, value) in
        [("List-Unsubscribe", stop), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned())]
    {
        let name = HeaderName::new_from_ascii(name.to_owned()).map_err(|_| MailFault::Refused)?;
        builder = builder.raw_header(HeaderValue::new(name, value));
    }
    if let Some(reply_to) = &mail.reply_to {
        builder = builder.reply_to(Mailbox::new(None, reply_to.parse().map_err(|_| MailFault::Refused)?));
    }
    let bodies =
        MultiPart::alternative_plain_html(mail.text.expose().to_owned(), mail.html.expose().to_owned());
    builder.multipart(bodies).map_err(|_| MailFault::Refused)
}

/// The mail's bytes, for whoever keeps it instead of sending it.
///
/// # Errors
/// [`MailFault::Refused`] when an address is none.
pub fn written(mail: &Mail, from: &Address) -> Result<Vec<u8>, MailFault> {
    message(mail, from).map(|message| message.formatted())
}

/// A text without control characters: lettre panics on a name that has one.
fn plain(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}
