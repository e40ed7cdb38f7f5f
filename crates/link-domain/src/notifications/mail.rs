//! Mails of invitations, of links to people's own pages, of members' sign-ins, and of codes that prove an address, with an HTML
//! body and a plain-text body.

pub use admission::{
    Admission, MailLimits, MailStanding, SuppressedBecause, admit_without_server, counted_code,
    counted_mailbox_of_tenant, counted_tenant, mail_day, next_mail_day,
};
pub use code::{CodeText, code_mail};
pub use invitation::{Letterhead, invitation};
use link_types::Sensitive;
pub use page_link::{SignInLink, page_link_mail, sign_in_mail};
pub use recipient::{
    AllowedRecipients, InvalidRecipientsError, address_hash, code_hash, is_mailbox, member_hash,
    recipient_hash, recipient_of_token, row_hash, unsubscribe_token,
};

use crate::kernel::system::BoxFuture;

mod admission;
mod code;
mod html;
mod invitation;
mod page_link;
mod recipient;

/// A mail to hand over. It contains personal data: `Debug` prints only its name.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    /// Name of the mail. It is the same in every attempt, so that receivers recognize repetitions.
    pub name: String,
    /// Sender name shown next to the sender's address.
    pub sender_name: String,
    /// Reply-to address.
    pub reply_to: Option<String>,
    /// Name of the recipient. Empty if it is not known.
    pub recipient_name: Sensitive,
    /// Address of the recipient.
    pub recipient: Sensitive,
    /// Languages of the bodies, as BCP 47 tags: that of the tenant's text, and ours if it is another.
    pub languages: Vec<String>,
    /// Subject, in one line.
    pub subject: Sensitive,
    /// Plain-text body.
    pub text: Sensitive,
    /// HTML body.
    pub html: Sensitive,
    /// URL that stops mail to the recipient. Programs send a POST request to it; people open it. `None` if the mail does not
    /// offer that.
    pub unsubscribe: Option<Sensitive>,
}

/// Information in every mail for people who did not expect it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footer {
    /// URL of the page that shows a person the data that they gave.
    pub own_page: String,
    /// URL of the page that stops mail to the recipient. `None` for a sign-in: a press on it would lock a member out.
    pub unsubscribe: Option<Sensitive>,
    /// Email address for abuse reports.
    pub abuse: String,
}

/// Returns the URL of the page that stops mail, under the base URL of the hosted pages.
pub fn unsubscribe_address(hosted_url: &str, token: &str) -> Sensitive {
    Sensitive::new(format!("{hosted_url}/mail/stop/{token}"))
}

/// Returns the URL of people's own pages, under the base URL of the hosted pages.
pub fn own_page_address(hosted_url: &str) -> String {
    format!("{hosted_url}/me")
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mail({})", self.name)
    }
}

/// Splits plain text into paragraphs at blank lines.
pub fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

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
