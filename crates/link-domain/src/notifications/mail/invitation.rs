//! The mail of an invitation: the tenant's text, the link, and our notes around them.

use link_types::Sensitive;

use super::html::{Button, HtmlMail, page};
use super::{Footer, Mail, one_line};
use crate::invitations::invite::{Invite, InviteTemplate, Variables, landing_address, texts_for};
use crate::kernel::languages::Languages;
use crate::notifications::service_text::{Locale, ServiceText, Value};
use crate::tenancy::brand::Brand;

/// The look of a link template's mails, and the addresses in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letterhead {
    /// The brand of the link template.
    pub brand: Brand,
    /// Base URL of the hosted pages.
    pub hosted_url: String,
    /// Base URL of logos.
    pub sdk_url: String,
}

/// Our own texts in a mail.
pub(super) struct Notes {
    pub(super) locale: Locale,
    pub(super) link: String,
    pub(super) copy: String,
    pub(super) reason: String,
    pub(super) own_page: String,
    pub(super) stop: String,
    pub(super) abuse: String,
}

impl Notes {
    fn in_locale(locale: Locale, company: &str) -> Self {
        Self {
            locale,
            link: locale.text(ServiceText::MailLink, &[]),
            copy: locale.text(ServiceText::MailCopy, &[]),
            reason: locale.text(ServiceText::MailReason, &[Value::Text(company)]),
            own_page: locale.text(ServiceText::MePageLink, &[]),
            stop: locale.text(ServiceText::MailStop, &[]),
            abuse: locale.text(ServiceText::MailAbuse, &[]),
        }
    }
}

/// Builds the mail of an invitation, or `None` if it is revoked.
///
/// Its language is that of the invitation, or else that of the template's own texts: the browser is not known yet.
pub fn invitation(
    invite: &Invite,
    template: &InviteTemplate,
    letterhead: &Letterhead,
    footer: &Footer,
) -> Option<Mail> {
    let details = invite.details.as_ref()?;
    let template = &template.template;
    let company = template.company.name.as_str();
    let languages = invite.languages(Languages::default());
    let texts = texts_for(template, &languages);
    let notes = Notes::in_locale(Locale::choose(&languages, Some(texts.locale)), company);
    let full_name = details.full_name.expose();
    let variables = Variables { company_name: company, full_name, locale: texts.locale };
    let link = landing_address(&letterhead.hosted_url, &details.code);
    let body = variables.fill(texts.body);
    let buttons = [Button { text: variables.fill(&texts.landing_page.button), link }];
    let subject = one_line(&variables.fill(texts.subject));
    let html = page(&HtmlMail {
        letterhead,
        company,
        logo_url: template.company.logo_url.as_deref(),
        subject: &subject,
        tenant_locale: texts.locale,
        body: &body,
        buttons: &buttons,
        code: None,
        pixel: Some(&format!("{}/invite/opened/{}", letterhead.hosted_url, details.pixel.expose())),
        notes: &notes,
        footer,
    });
    Some(Mail {
        name: format!("{}.{}", invite.id, invite.progress.mails),
        sender_name: one_line(template.email.sender_name.as_deref().unwrap_or(company)),
        reply_to: template.email.reply_to.clone(),
        recipient_name: Sensitive::new(one_line(full_name)),
        recipient: details.email_address.clone(),
        languages: languages_of(texts.locale, notes.locale.tag()),
        subject: Sensitive::new(subject),
        text: Sensitive::new(plain_text(&body, &buttons, &notes, footer)),
        html: Sensitive::new(html.into_string()),
        unsubscribe: footer.unsubscribe.clone(),
    })
}

fn languages_of(tenant: &str, ours: &str) -> Vec<String> {
    let mut languages = vec![tenant.to_owned()];
    if !tenant.eq_ignore_ascii_case(ours) {
        languages.push(ours.to_owned());
    }
    languages
}

pub(super) fn plain_text(body: &str, buttons: &[Button], notes: &Notes, footer: &Footer) -> String {
    let Notes { link: once, reason, own_page, stop, abuse, .. } = notes;
    let Footer { own_page: own_address, unsubscribe, abuse: reports } = footer;
    let unsubscribe =
        unsubscribe.as_ref().map(|it| format!("{stop}\n{}\n\n", it.expose())).unwrap_or_default();
    let body = body.trim_end();
    // Addresses have their own lines, so that no program takes the sign after them for a part of them.
    let links: String = buttons.iter().map(|it| format!("{}\n{}\n\n", it.text, it.link)).collect();
    format!(
        "{body}\n\n{links}{once}\n\n-- \n{reason}\n\n{own_page}\n{own_address}\n\n\
         {unsubscribe}{abuse} {reports}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_types::template::{BrandFont, BrandTheme};

    use crate::fixture;
    use crate::invitations::invite::InviteInput;
    use crate::notifications::mail::{own_page_address, unsubscribe_address};
    use crate::tenancy::logo::{LogoName, LogoSize};

    fn mail() -> Mail {
        let (mut invite, _) = fixture::invite();
        invite.details.as_mut().unwrap().full_name = Sensitive::new("Ana <b>Ruiz</b>\r\nBcc: x@example.com");
        write_mail(&invite, &BrandTheme::default()).unwrap()
    }

    fn in_language(locale: &str) -> Mail {
        let (mut invite, _) = fixture::invite();
        invite.details.as_mut().unwrap().locale = Some(locale.to_owned());
        write_mail(&invite, &BrandTheme::default()).unwrap()
    }

    fn logo(byte: u8, width: u16) -> LogoSize {
        LogoSize { name: LogoName::of_provider(&[byte]), width, height: 84 }
    }

    fn write_mail(invite: &Invite, theme: &BrandTheme) -> Option<Mail> {
        let footer = Footer {
            own_page: own_page_address("https://h"),
            unsubscribe: Some(unsubscribe_address("https://h", "token")),
            abuse: "abuse@linchpin.example".into(),
        };
        let letterhead = Letterhead {
            brand: Brand::from_theme(theme, &[logo(1, 84), logo(2, 84), logo(3, 336)]),
            hosted_url: "https://h".into(),
            sdk_url: "https://sdk".into(),
        };
        invitation(invite, &fixture::invite_template(), &letterhead, &footer)
    }

    #[test]
    fn both_bodies_explain_how_to_stop_mail_and_report_abuse() {
        let mail = mail();
        for body in [mail.text.expose(), mail.html.expose()] {
            assert!(body.contains("https://h/mail/stop/token"), "{body}");
            assert!(body.contains("https://h/me"), "{body}");
            assert!(body.contains("abuse@linchpin.example"), "{body}");
        }
        assert!(
            mail.text.expose().contains("Shop & Co asked us to send you this email"),
            "{}",
            mail.text.expose()
        );
        assert_eq!(mail.unsubscribe.unwrap().expose(), "https://h/mail/stop/token");
    }

    #[test]
    fn variable_values_are_escaped_only_in_html() {
        let mail = mail();
        assert!(mail.html.expose().contains("Dear Ana &lt;b&gt;Ruiz&lt;/b&gt;"), "{}", mail.html.expose());
        assert!(mail.html.expose().contains("Shop &amp; Co"));
        assert!(mail.text.expose().starts_with("Dear Ana <b>Ruiz</b>"));
        assert_eq!(mail.subject.expose(), "Shop & Co asks you to link an account");
    }

    #[test]
    fn line_break_in_a_name_cannot_inject_a_header() {
        assert_eq!(mail().recipient_name.expose(), "Ana <b>Ruiz</b> Bcc: x@example.com");
    }

    #[test]
    fn both_bodies_have_the_link_and_only_html_the_pixel() {
        let (invite, _) = fixture::invite();
        let (mail, link) = (mail(), invite.view("https://h").landing_page_url.unwrap());
        assert!(mail.text.expose().contains(&link) && mail.html.expose().contains(&link));
        let pixel = format!("https://h/invite/opened/{}", invite.details.unwrap().pixel.expose());
        assert!(mail.html.expose().contains(&pixel) && !mail.text.expose().contains("/opened/"));
        assert_eq!(mail.name, format!("{}.1", invite.id));
    }

    #[test]
    fn revoked_invitation_has_no_mail() {
        let invite = fixture::invite().0.apply(InviteInput::Revoke, &mut fixture::context()).unwrap().0;
        assert_eq!(write_mail(&invite, &BrandTheme::default()), None);
    }

    #[test]
    fn mail_debug_output_shows_only_its_name() {
        assert!(format!("{:?}", mail()).starts_with("Mail(iv-"));
    }

    #[test]
    fn mail_is_in_the_language_of_the_invitation() {
        let mail = in_language("es-AR");
        assert_eq!(mail.subject.expose(), "Shop & Co te pide conectar una cuenta");
        assert!(mail.html.expose().contains("<html lang=\"es-MX\" dir=\"ltr\">"), "{}", mail.html.expose());
        assert!(mail.text.expose().contains("Hola, Ana Ruiz:") && mail.text.expose().contains("Empezar\n"));
        assert_eq!(mail.languages, ["es-MX"]);
    }

    #[test]
    fn untranslated_text_of_the_tenant_names_its_language() {
        let mail = in_language("ar");
        let html = mail.html.expose();
        assert!(html.contains("<html lang=\"ar\" dir=\"rtl\">"), "{html}");
        assert!(html.contains("<div lang=\"en\" dir=\"ltr\"><p"), "{html}");
        assert!(mail.text.expose().contains("هذا الرابط لك وحدك"), "{}", mail.text.expose());
        assert_eq!(mail.languages, ["en", "ar"]);
    }

    #[test]
    fn mail_without_a_language_is_in_that_of_the_template() {
        let (invite, _) = fixture::invite();
        let mail = write_mail(&invite, &BrandTheme::default()).unwrap();
        assert!(mail.html.expose().contains("<html lang=\"en\" dir=\"ltr\">"));
        assert!(!mail.html.expose().contains("<div lang"), "{}", mail.html.expose());
    }

    #[test]
    fn mail_has_the_brand_of_the_link_template() {
        let theme = BrandTheme {
            accent: Some("#b3402d".parse().unwrap()),
            radius: Some(4),
            font: Some(BrandFont::Serif),
            logo_light: Some(logo(1, 84).name.path()),
            logo_dark: Some(logo(2, 84).name.path()),
            ..BrandTheme::default()
        };
        let mail = write_mail(&fixture::invite().0, &theme).unwrap();
        let html = mail.html.expose();
        for part in [
            "background:#b3402d",
            "border-radius:4px",
            "Charter,",
            &format!("src=\"https://sdk{}\" alt=\"\"", logo(1, 84).name.path()),
            &format!("src=\"https://sdk{}\" alt=\"\"", logo(2, 84).name.path()),
            "Shop &amp; Co</span>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn wordmark_replaces_the_name_and_has_it_as_alternative_text() {
        let theme = BrandTheme { logo_light: Some(logo(3, 336).name.path()), ..BrandTheme::default() };
        let mail = write_mail(&fixture::invite().0, &theme).unwrap();
        let html = mail.html.expose();
        assert!(html.contains("alt=\"Shop &amp; Co\""), "{html}");
        assert!(!html.contains("Shop &amp; Co</span>"), "{html}");
    }
}
