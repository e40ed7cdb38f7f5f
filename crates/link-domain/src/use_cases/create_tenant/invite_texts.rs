//! The invite template of a new tenant, in every language of the widget.

use link_types::invite_template::{
    InviteEmailTexts, InviteLandingPage, InviteSuccessPage, InviteTranslation,
};

use crate::notifications::service_text::{Locale, ServiceText, Value};

const COMPANY: Value<'static> = Value::Variable("${companyName}");
const NAME: Value<'static> = Value::Variable("${fullName}");

/// Returns the texts in a language.
pub(super) fn in_locale(locale: Locale) -> InviteTranslation {
    let body = [
        locale.text(ServiceText::DefaultGreeting, &[NAME]),
        locale.text(ServiceText::DefaultBody, &[COMPANY]),
    ];
    let description = [
        locale.text(ServiceText::DefaultLandingIntro, &[COMPANY]),
        locale.text(ServiceText::DefaultLandingText, &[]),
    ];
    InviteTranslation {
        email: InviteEmailTexts {
            subject: locale.text(ServiceText::DefaultSubject, &[COMPANY]),
            body: body.join("\n\n"),
        },
        landing_page: InviteLandingPage {
            header: locale.text(ServiceText::DefaultLandingHeader, &[NAME]),
            description: description.join("\n\n"),
            button: locale.text(ServiceText::DefaultLandingButton, &[]),
        },
        success_page: InviteSuccessPage {
            header: locale.text(ServiceText::DefaultSuccessHeader, &[NAME]),
            description: locale.text(ServiceText::DefaultSuccessText, &[COMPANY]),
        },
    }
}
