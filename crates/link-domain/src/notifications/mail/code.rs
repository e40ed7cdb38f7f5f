//! The mail with the code that proves a visitor's address.

use link_types::Sensitive;

use super::html::{HtmlMail, page};
use super::invitation::{Letterhead, Notes, plain_text};
use super::{Footer, Mail, one_line};
use crate::kernel::languages::Languages;
use crate::notifications::service_text::{Locale, ServiceText, Value};

/// The content of the mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeText<'a> {
    /// Address, as the person typed it.
    pub address: &'a Sensitive,
    /// The code.
    pub code: &'a Sensitive,
    /// Language of the page on which the address was typed, as a BCP 47 tag.
    pub locale: &'a str,
    /// Company of the link site.
    pub company: &'a str,
}

/// Builds the mail. It has no text that the visitor typed, because anyone can send it to any address. The subject does not have
/// the code, because logs of mail servers may have subjects.
pub fn code_mail(name: String, content: &CodeText<'_>, letterhead: &Letterhead, footer: &Footer) -> Mail {
    let CodeText { address, code, locale, company } = content;
    let locale = Locale::choose(&Languages::from_header(locale), None);
    let text = |text| locale.text(text, &[]);
    let of_company = |text| locale.text(text, &[Value::Text(company)]);
    let notes = Notes {
        locale,
        link: text(ServiceText::ProofMailNote),
        copy: String::new(),
        reason: of_company(ServiceText::ProofMailReason),
        own_page: text(ServiceText::MePageLink),
        stop: text(ServiceText::MailStop),
        abuse: text(ServiceText::MailAbuse),
    };
    let subject = one_line(&of_company(ServiceText::ProofMailSubject));
    let body = of_company(ServiceText::ProofMailBody);
    let html = page(&HtmlMail {
        letterhead,
        company,
        logo_url: None,
        subject: &subject,
        tenant_locale: locale.tag(),
        body: &body,
        code: Some(code.expose()),
        buttons: &[],
        pixel: None,
        notes: &notes,
        footer,
    });
    let with_code = format!("{body}\n\n{}", code.expose());
    Mail {
        name,
        sender_name: one_line(company),
        reply_to: None,
        recipient_name: Sensitive::default(),
        recipient: (*address).clone(),
        languages: vec![locale.tag().to_owned()],
        text: Sensitive::new(plain_text(&with_code, &[], &notes, footer)),
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

    fn mail(locale: &str) -> Mail {
        let footer = Footer {
            own_page: own_page_address("https://h"),
            unsubscribe: Some(unsubscribe_address("https://h", "token")),
            abuse: "abuse@linchpin.example".into(),
        };
        let letterhead = Letterhead {
            brand: Brand::from_theme(&Default::default(), &[]),
            hosted_url: "https://h".into(),
            sdk_url: "https://sdk".into(),
        };
        let (address, code) = (Sensitive::new("ana@example.com"), Sensitive::new("012345"));
        let content = CodeText { address: &address, code: &code, locale, company: "Shop & Co" };
        code_mail("me-1.2".into(), &content, &letterhead, &footer)
    }

    #[test]
    fn both_bodies_have_the_code_the_company_and_the_ways_out() {
        let mail = mail("en");
        for body in [mail.text.expose(), mail.html.expose()] {
            for part in ["012345", "10 minutes", "https://h/mail/stop/token", "https://h/me", "abuse@"] {
                assert!(body.contains(part), "{part}: {body}");
            }
        }
        assert!(mail.text.expose().contains("\n\n012345\n\n"), "{}", mail.text.expose());
        assert!(mail.html.expose().contains("Shop &amp; Co"), "{}", mail.html.expose());
        assert_eq!(mail.sender_name, "Shop & Co");
        assert!(!mail.subject.expose().contains("012345"), "{}", mail.subject.expose());
    }

    #[test]
    fn mail_is_in_the_language_of_the_page() {
        let arabic = mail("ar");
        assert!(arabic.html.expose().contains("<html lang=\"ar\" dir=\"rtl\">"), "{}", arabic.html.expose());
        assert_ne!(arabic.subject, mail("en").subject);
        assert_eq!(arabic.languages, ["ar"]);
    }
}
