//! Mail of a service that keeps nothing on disk and has no mail server: it goes nowhere.

use link_domain::mail::Mail;
use link_domain::ports::{Answer, MailFault, Mailer};

/// Takes every mail and keeps none.
pub struct DroppedMail;

impl Mailer for DroppedMail {
    fn send<'a>(&'a self, _: &'a Mail) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn forget<'a>(&'a self, _: &'a str) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(std::future::ready(Ok(())))
    }
}
