//! The mail with the link to a person's own page.

use link_types::Sensitive;

use super::html::{HtmlMail, page};
use super::invitation::{Letterhead, Notes, plain_text};
use super::{Footer, Mail};
use crate::kernel::languages::Languages;
use crate::notifications::service_text::{Locale, ServiceText};
use crate::person_page::page_link::{LinkMail, page_link_address};

/// Sender of mails that no tenant asked for.
const SENDER: &str = "Linchpin";

/// Builds the mail of a link, in the language of the page on which it was requested. It names no company: the mailbox may
/// belong to another person than a tenant thought.
pub fn page_link_mail(name: String, link: &LinkMail, letterhead: &Letterhead, footer: &Footer) -> Mail {
    let locale = Locale::choose(&Languages::from_header(&link.locale), None);
    let text = |text| locale.text(text, &[]);
    let notes = Notes {
        locale,
        link: text(ServiceText::MailLink),
        copy: text(ServiceText::MailCopy),
        reason: text(ServiceText::MeMailReason),
        own_page: text(ServiceText::MePageLink),
        stop: text(ServiceText::MailStop),
        abuse: text(ServiceText::MailAbuse),
    };
    let address = page_link_address(&letterhead.hosted_url, &link.code);
    let (subject, body, button) =
        (text(ServiceText::MeMailSubject), text(ServiceText::MeMailBody), text(ServiceText::MeOpenButton));
    let html = page(&HtmlMail {
        letterhead,
        company: SENDER,
        logo_url: None,
        subject: &subject,
        tenant_locale: locale.tag(),
        body: &body,
        button: &button,
        link: &address,
        pixel: None,
        notes: &notes,
        footer,
    });
    Mail {
        name,
        sender_name: SENDER.to_owned(),
        reply_to: None,
        recipient_name: Sensitive::default(),
        recipient: link.address.clone(),
        languages: vec![locale.tag().to_owned()],
        text: Sensitive::new(plain_text(&body, &button, &address, &notes, footer)),
        subject: Sensitive::new(subject),
        html: Sensitive::new(html.into_string()),
        unsubscribe: footer.unsubscribe.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notifications::mail::{own_page_address, unsubscribe_address};
    use crate::tenancy::brand::Brand;

    #[test]
    fn mail_has_the_link_in_the_language_of_the_request() {
        let (hosted_url, sdk_url) = ("https://h".to_owned(), "https://sdk".to_owned());
        let footer = Footer {
            own_page: own_page_address(&hosted_url),
            unsubscribe: unsubscribe_address(&hosted_url, "token"),
            abuse: "abuse@linchpin.example".into(),
        };
        let link = LinkMail {
            address: Sensitive::new("ana@example.com"),
            locale: "es-MX".into(),
            code: Sensitive::new("c0de"),
        };
        let letterhead =
            Letterhead { brand: Brand::from_theme(&Default::default(), &[]), hosted_url, sdk_url };
        let mail = page_link_mail("me-1.2".into(), &link, &letterhead, &footer);
        assert_eq!(
            (mail.languages.as_slice(), mail.recipient.expose()),
            (&["es-MX".to_owned()][..], "ana@example.com")
        );
        for body in [mail.text.expose(), mail.html.expose()] {
            assert!(body.contains("https://h/me/open/c0de") && body.contains("/mail/stop/token"), "{body}");
            assert!(!body.contains("<img"), "{body}");
        }
    }
}
