//! The mails that a mailbox asked for: the link to a person's own page, and the links that sign a member in.

use link_types::Sensitive;

use super::html::{Button, HtmlMail, page};
use super::invitation::{Letterhead, Notes, plain_text};
use super::{Footer, Mail, one_line};
use crate::kernel::languages::Languages;
use crate::notifications::page_link::{LinkMail, page_link_address};
use crate::notifications::service_text::{Locale, ServiceText, Value};

/// Sender of mails that no tenant asked for.
const SENDER: &str = "Linchpin";

/// The texts of a mail, and its buttons.
struct Content {
    subject: ServiceText,
    body: ServiceText,
    buttons: Vec<Button>,
    reason: ServiceText,
}

/// Builds the mail of a link to a person's own page. It names no company: the mailbox may belong to another person than a
/// tenant thought.
pub fn page_link_mail(name: String, link: &LinkMail, letterhead: &Letterhead, footer: &Footer) -> Mail {
    let text = locale_of(link).text(ServiceText::MeOpenButton, &[]);
    let button = Button { text, link: page_link_address(&letterhead.hosted_url, &link.code) };
    let content = Content {
        subject: ServiceText::MeMailSubject,
        body: ServiceText::MeMailBody,
        buttons: vec![button],
        reason: ServiceText::MeMailReason,
    };
    compose(name, link, content, letterhead, footer)
}

/// A link that signs a member in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInLink {
    /// Name of the member's tenant.
    pub tenant_name: String,
    /// Address of the link.
    pub address: Sensitive,
}

/// Builds the mail with the links that sign a member in: one for each tenant whose member has the address.
pub fn sign_in_mail(
    name: String,
    link: &LinkMail,
    links: &[SignInLink],
    letterhead: &Letterhead,
    footer: &Footer,
) -> Mail {
    let locale = locale_of(link);
    let button = |it: &SignInLink| {
        let tenant = one_line(&it.tenant_name);
        Button {
            text: locale.text(ServiceText::PortalMailButton, &[Value::Text(&tenant)]),
            link: it.address.expose().to_owned(),
        }
    };
    let several = links.len() > 1;
    let content = Content {
        subject: ServiceText::PortalMailSubject,
        body: if several { ServiceText::PortalMailSeveral } else { ServiceText::PortalMailBody },
        buttons: links.iter().map(button).collect(),
        reason: ServiceText::PortalMailReason,
    };
    compose(name, link, content, letterhead, footer)
}

/// Returns the language of the page on which the link was requested.
fn locale_of(link: &LinkMail) -> Locale {
    Locale::choose(&Languages::from_header(&link.locale), None)
}

fn compose(
    name: String,
    link: &LinkMail,
    content: Content,
    letterhead: &Letterhead,
    footer: &Footer,
) -> Mail {
    let locale = locale_of(link);
    let text = |text| locale.text(text, &[]);
    let notes = Notes {
        locale,
        link: text(ServiceText::MailLink),
        copy: text(ServiceText::MailCopy),
        reason: text(content.reason),
        own_page: text(ServiceText::MePageLink),
        stop: text(ServiceText::MailStop),
        abuse: text(ServiceText::MailAbuse),
    };
    let (subject, body) = (text(content.subject), text(content.body));
    let html = page(&HtmlMail {
        letterhead,
        company: SENDER,
        logo_url: None,
        subject: &subject,
        tenant_locale: locale.tag(),
        body: &body,
        buttons: &content.buttons,
        code: None,
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
        text: Sensitive::new(plain_text(&body, &content.buttons, &notes, footer)),
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

    fn footer() -> Footer {
        Footer {
            own_page: own_page_address("https://h"),
            unsubscribe: Some(unsubscribe_address("https://h", "token")),
            abuse: "abuse@linchpin.example".into(),
        }
    }

    fn letterhead() -> Letterhead {
        Letterhead {
            brand: Brand::from_theme(&Default::default(), &[]),
            hosted_url: "https://h".into(),
            sdk_url: "https://sdk".into(),
        }
    }

    fn link() -> LinkMail {
        LinkMail {
            address: Sensitive::new("ana@example.com"),
            locale: "es-MX".into(),
            code: Sensitive::new("c0de"),
        }
    }

    fn sign_in_link(tenant_name: &str, address: &str) -> SignInLink {
        SignInLink { tenant_name: tenant_name.to_owned(), address: Sensitive::new(address) }
    }

    #[test]
    fn mail_has_the_link_in_the_language_of_the_request() {
        let mail = page_link_mail("me-1.2".into(), &link(), &letterhead(), &footer());
        assert_eq!(
            (mail.languages.as_slice(), mail.recipient.expose()),
            (&["es-MX".to_owned()][..], "ana@example.com")
        );
        for body in [mail.text.expose(), mail.html.expose()] {
            assert!(body.contains("https://h/me/open/c0de") && body.contains("/mail/stop/token"), "{body}");
            assert!(!body.contains("<img"), "{body}");
        }
    }

    #[test]
    fn sign_in_mail_has_a_link_for_each_tenant() {
        let without_stop = Footer { unsubscribe: None, ..footer() };
        let both =
            [sign_in_link("Shop", "https://c/#c0de.1"), sign_in_link("Bank\n<Co>", "https://c/#c0de.2")];
        let mail = sign_in_mail("me-1.2".into(), &link(), &both, &letterhead(), &without_stop);
        for (body, names) in [
            (mail.text.expose(), ["Entrar a Shop\n", "Entrar a Bank <Co>\n"]),
            (mail.html.expose(), [">Entrar a Shop<", ">Entrar a Bank &lt;Co&gt;<"]),
        ] {
            for (link, name) in both.iter().zip(names) {
                assert!(body.contains(name), "{name}: {body}");
                assert!(body.contains(link.address.expose()), "{link:?}: {body}");
            }
        }
        assert!(mail.text.expose().contains("Elige una organización"), "{}", mail.text.expose());
        assert!(!mail.text.expose().contains("/mail/stop") && !mail.html.expose().contains("/mail/stop"));
        let one = sign_in_mail("me-1.2".into(), &link(), &both[..1], &letterhead(), &footer());
        assert!(!one.text.expose().contains("organización"), "{}", one.text.expose());
    }
}
