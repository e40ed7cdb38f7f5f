//! An invitation's mail, with an HTML body and a plain-text body.

mod admission;
mod recipient;

pub use admission::{
    Admission, MailLimits, MailStanding, SuppressedBecause, counted_mailbox_of_tenant, counted_tenant,
    mail_day, next_mail_day,
};
pub use recipient::{
    AllowedRecipients, InvalidRecipients, is_mailbox, recipient_hash, recipient_of_token, unsubscribe_token,
};

use link_types::Sensitive;
use link_types::template::Theme;
use maud::{DOCTYPE, html};

use crate::invite::{Invite, InviteTemplate, Variables, landing_address};

/// A mail to hand over. It contains personal data: `Debug` prints only its name.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    /// Name of the mail. It is the same in every attempt, so that receivers recognize repetitions.
    pub name: String,
    /// Sender name shown next to the sender's address.
    pub sender_name: String,
    /// Reply-to address.
    pub reply_to: Option<String>,
    /// Name of the recipient.
    pub recipient_name: Sensitive,
    /// Address of the recipient.
    pub recipient: Sensitive,
    /// Subject, in one line.
    pub subject: Sensitive,
    /// Plain-text body.
    pub text: Sensitive,
    /// HTML body.
    pub html: Sensitive,
    /// URL that stops mail to the recipient. Programs send a POST request to it; people open it.
    pub unsubscribe: Sensitive,
}

/// Information in every mail for people who did not expect it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footer {
    /// URL of the page that stops mail to the recipient.
    pub unsubscribe: Sensitive,
    /// Email address for abuse reports.
    pub abuse: String,
}

/// Returns the URL of the page that stops mail, under the base URL of the hosted pages.
pub fn unsubscribe_address(hosted_url: &str, token: &str) -> Sensitive {
    Sensitive::new(format!("{hosted_url}/mail/stop/{token}"))
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mail({})", self.name)
    }
}

/// Builds the mail of an invitation, or `None` if it is revoked. `hosted_url` is the base URL of the hosted pages.
pub fn invitation(
    invite: &Invite,
    template: &InviteTemplate,
    theme: Theme,
    hosted_url: &str,
    footer: &Footer,
) -> Option<Mail> {
    let details = invite.details.as_ref()?;
    let template = &template.template;
    let company = template.company.name.as_str();
    let variables = Variables { company_name: company, full_name: details.full_name.expose() };
    let link = landing_address(hosted_url, &details.code);
    let pixel = format!("{hosted_url}/invite/opened/{}", details.pixel.expose());
    let body = variables.fill(&template.email.body);
    let button = variables.fill(&template.landing_page.button);
    let reason = format!("{company} asked us to send you this email.");
    let stop = footer.unsubscribe.expose();
    let abuse = footer.abuse.as_str();
    let subject = one_line(&variables.fill(&template.email.subject));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (subject) }
            }
            body style="margin:0;padding:24px 12px;background:#f3f4f6" {
                div style="max-width:560px;margin:0 auto;padding:32px 28px;border-radius:14px;background:#ffffff;\
                           color:#171a21;font:16px/25px -apple-system,'Segoe UI',Roboto,sans-serif" {
                    @match &template.company.logo_url {
                        Some(logo) => img src=(logo) alt=(company) height="32" style="display:block;margin:0 0 24px";,
                        None => p style="margin:0 0 24px;font-weight:600" { (company) },
                    }
                    @for paragraph in paragraphs(&body) {
                        p style="margin:0 0 16px;white-space:pre-line" { (paragraph) }
                    }
                    p style="margin:28px 0" {
                        a href=(link) style=(format!(
                            "display:inline-block;padding:14px 26px;border-radius:10px;background:{};color:{};\
                             font-weight:600;text-decoration:none", theme.accent_light, theme.on_accent_light)) {
                            (button)
                        }
                    }
                    p style="margin:0;color:#5b6270;font-size:13px;line-height:20px" {
                        "This link is only for you and works once. If the button does not work, copy this address \
                         into your browser:" br;
                        span style="word-break:break-all" { (link) }
                    }
                    p style="margin:24px 0 0;color:#5b6270;font-size:13px;line-height:20px" {
                        (reason) " "
                        a href=(stop) style="color:#5b6270" { "Stop all our email to this address" }
                        ", or report abuse to "
                        a href={ "mailto:" (abuse) } style="color:#5b6270" { (abuse) } "."
                    }
                }
                img src=(pixel) alt="" width="1" height="1" style="display:block";
            }
        }
    };
    let text = format!(
        "{}\n\n{button}:\n{link}\n\nThis link is only for you and works once.\n\n-- \n{reason}\nStop all our \
         email to this address: {stop}\nReport abuse: {abuse}\n",
        body.trim_end()
    );
    Some(Mail {
        name: format!("{}.{}", invite.id, invite.progress.mails),
        sender_name: one_line(template.email.sender_name.as_deref().unwrap_or(company)),
        reply_to: template.email.reply_to.clone(),
        recipient_name: Sensitive::new(one_line(details.full_name.expose())),
        recipient: details.email_address.clone(),
        subject: Sensitive::new(subject),
        text: Sensitive::new(text),
        html: Sensitive::new(page.into_string()),
        unsubscribe: footer.unsubscribe.clone(),
    })
}

/// Splits plain text into paragraphs at blank lines.
pub fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_types::template::BrandTheme;

    use crate::brand;
    use crate::fixture;
    use crate::invite::InviteInput;

    fn mail() -> Mail {
        let (mut invite, _) = fixture::invite();
        invite.details.as_mut().unwrap().full_name = Sensitive::new("Ana <b>Ruiz</b>\r\nBcc: x@example.com");
        written(&invite).unwrap()
    }

    fn written(invite: &Invite) -> Option<Mail> {
        let footer = Footer {
            unsubscribe: unsubscribe_address("https://h", "token"),
            abuse: "abuse@linchpin.example".into(),
        };
        let colors = brand::theme(&BrandTheme::default());
        invitation(invite, &fixture::invite_template(), colors, "https://h", &footer)
    }

    #[test]
    fn both_bodies_explain_how_to_stop_mail_and_report_abuse() {
        let mail = mail();
        for body in [mail.text.expose(), mail.html.expose()] {
            assert!(body.contains("https://h/mail/stop/token"), "{body}");
            assert!(body.contains("abuse@linchpin.example"), "{body}");
        }
        assert!(
            mail.text.expose().contains("Shop & Co asked us to send you this email"),
            "{}",
            mail.text.expose()
        );
        assert_eq!(mail.unsubscribe.expose(), "https://h/mail/stop/token");
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
        assert_eq!(written(&invite), None);
    }

    #[test]
    fn mail_debug_output_shows_only_its_name() {
        assert!(format!("{:?}", mail()).starts_with("Mail(iv-"));
    }
}
