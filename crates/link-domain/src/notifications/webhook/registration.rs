//! A webhook, and the validation of its registration. All errors are reported at once.

use std::time::Duration;

use link_types::id::WebhookId;
use link_types::problem::{FaultCode, FieldFault};
use link_types::webhook::{EventSelection, RetryProfile};
use link_types::{Mode, Sensitive};
use url::Url;

use crate::kernel::context::Context;
use crate::kernel::digest::hex;
use crate::kernel::owner::Owner;

const NAME_LIMIT: usize = 200;
const URL_LIMIT: usize = 500;
const SECRET_LIMIT: usize = 256;
/// A shorter secret could be guessed from one signed delivery.
const MIN_SECRET_LENGTH: usize = 16;
/// Maximum number of webhooks per owner. Each event is matched against all of them in the unit of work that emits it.
pub const WEBHOOKS_LIMIT: u64 = 50;
const HINT_LENGTH: usize = 4;

/// A webhook as the store keeps it. The secrets are stored encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Tenant and environment of the webhook.
    pub owner: Owner,
    /// The webhook as REST shows it.
    pub registration: link_types::webhook::Webhook,
    /// Current secret.
    pub secret: Sensitive,
    /// Secret that takes over when the rotation ends.
    pub next_secret: Option<Sensitive>,
}

impl Webhook {
    /// Returns the webhook's identifier.
    pub const fn id(&self) -> &WebhookId {
        &self.registration.id
    }
}

/// Settings of a webhook to create. All fields except `url` and `event_types` have defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Label. Defaults to the host of the URL.
    pub name: Option<String>,
    /// URL to post to.
    pub url: String,
    /// Event types, or `ALL_EVENTS`.
    pub event_types: Vec<String>,
    /// Whether the webhook receives events. Defaults to true.
    pub active: Option<bool>,
    /// Signing secret. Generated if absent.
    pub secret: Option<Sensitive>,
    /// Whether TASK_FINISHED includes the data points. Defaults to false.
    pub include_payload: Option<bool>,
    /// Schedule for retrying failed deliveries. Defaults to STANDARD.
    pub retry_profile: Option<RetryProfile>,
}

/// Rules of the operator for webhook URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistrationRules {
    /// Whether the sandbox allows plain http, for a tenant's local receiver.
    pub sandbox_http: bool,
}

/// Creates a webhook.
///
/// # Errors
///
/// Returns every error in the registration, by field.
pub fn register(
    owner: Owner,
    registration: Registration,
    rules: RegistrationRules,
    context: &mut Context,
) -> Result<Webhook, Vec<FieldFault>> {
    let mut faults = Vec::new();
    let name = registration.name.unwrap_or_default();
    check_name(&name, &mut faults);
    check_url(&registration.url, owner.mode, rules, &mut faults);
    let event_types = selection(&registration.event_types, &mut faults);
    let secret =
        registration.secret.unwrap_or_else(|| Sensitive::new(format!("lpw_{}", hex(&context.secret()))));
    check_secret(&secret, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let at = context.now().tenant().into();
    let registration = link_types::webhook::Webhook {
        id: WebhookId::from_bytes(context.uuid()),
        created_at: at,
        updated_at: at,
        name: if name.is_empty() { host(&registration.url) } else { name },
        url: registration.url,
        event_types,
        active: registration.active.unwrap_or(true),
        include_payload: registration.include_payload.unwrap_or(false),
        retry_profile: registration.retry_profile.unwrap_or(RetryProfile::Standard),
        trace_context: false,
        secret_hint: hint(&secret),
        next_secret_hint: None,
        rotation_ends_at: None,
        disabled_reason: None,
    };
    Ok(Webhook { owner, registration, secret, next_secret: None })
}

pub(super) fn fault(field: &str, code: FaultCode, message: &str) -> FieldFault {
    FieldFault { field: field.to_owned(), code, message: message.to_owned(), file_fault: None }
}

fn check_name(name: &str, faults: &mut Vec<FieldFault>) {
    if name.chars().count() > NAME_LIMIT {
        faults.push(fault("name", FaultCode::TooLong, "must have at most 200 characters"));
    }
}

fn check_url(text: &str, mode: Mode, rules: RegistrationRules, faults: &mut Vec<FieldFault>) {
    if text.len() > URL_LIMIT {
        return faults.push(fault("url", FaultCode::TooLong, "must have at most 500 characters"));
    }
    let invalid = |message| fault("url", FaultCode::Invalid, message);
    // The parser drops line ends and tabs and trims spaces. The stored URL would differ from the one that is posted to.
    if text.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
        return faults.push(invalid("must not contain spaces, tabs, line ends or control characters"));
    }
    let Ok(url) = Url::parse(text) else {
        return faults.push(invalid("must be an absolute URL, like https://example.com/webhook"));
    };
    let http_allowed = match mode {
        Mode::Sandbox => rules.sandbox_http,
        Mode::Production => false,
    };
    match url.scheme() {
        "https" => {}
        "http" if http_allowed => {}
        _ => faults.push(invalid("must begin with https://")),
    }
    if url.host_str().is_none_or(str::is_empty) {
        faults.push(invalid("must have a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        faults.push(invalid("must not contain a user name or password"));
    }
    if url.fragment().is_some() {
        faults.push(invalid("must not have a fragment"));
    }
}

fn selection(words: &[String], faults: &mut Vec<FieldFault>) -> EventSelection {
    if words.is_empty() {
        faults.push(fault(
            "eventTypes",
            FaultCode::TooShort,
            "must name at least one event type, or ALL_EVENTS",
        ));
    }
    let mut types = Vec::new();
    let mut all = false;
    for (index, word) in words.iter().enumerate() {
        match word.parse() {
            Ok(event_type) if types.contains(&event_type) => {}
            Ok(event_type) => types.push(event_type),
            Err(_) if word == link_types::webhook::ALL_EVENTS => all = true,
            Err(_) => faults.push(fault(
                &format!("eventTypes[{index}]"),
                FaultCode::Invalid,
                "must be an event type or ALL_EVENTS",
            )),
        }
    }
    if all { EventSelection::All } else { EventSelection::Only(types) }
}

pub(super) fn check_secret(secret: &Sensitive, faults: &mut Vec<FieldFault>) {
    let length = secret.expose().chars().count();
    if length < MIN_SECRET_LENGTH {
        faults.push(fault("secret", FaultCode::TooShort, "must have at least 16 characters"));
    }
    if length > SECRET_LIMIT {
        faults.push(fault("secret", FaultCode::TooLong, "must have at most 256 characters"));
    }
}

/// Returns the last characters of a secret, by which a tenant recognizes it.
pub(super) fn hint(secret: &Sensitive) -> String {
    let characters: Vec<char> = secret.expose().chars().collect();
    characters[characters.len().saturating_sub(HINT_LENGTH)..].iter().collect()
}

fn host(url: &str) -> String {
    Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    fn registration_for_url(url: &str) -> Registration {
        Registration {
            name: Some("Payroll".into()),
            url: url.into(),
            event_types: vec!["ALL_EVENTS".into()],
            active: None,
            secret: Some(Sensitive::new("a secret long enough")),
            include_payload: None,
            retry_profile: None,
        }
    }

    fn check(mode: Mode, registration: Registration) -> Result<Webhook, Vec<(String, FaultCode)>> {
        let owner = Owner { mode, ..fixture::owner() };
        register(owner, registration, RegistrationRules { sandbox_http: true }, &mut fixture::context())
            .map_err(|faults| faults.into_iter().map(|fault| (fault.field, fault.code)).collect())
    }

    #[rstest]
    #[case(Mode::Production, "https://example.com/hook", true)]
    #[case(Mode::Production, "http://example.com/hook", false)]
    #[case(Mode::Sandbox, "http://127.0.0.1:9000/hook", true)]
    #[case(Mode::Sandbox, "ftp://example.com/hook", false)]
    #[case(Mode::Sandbox, "https://user:word@example.com/", false)]
    #[case(Mode::Sandbox, "https://example.com/#part", false)]
    #[case(Mode::Sandbox, "example.com", false)]
    #[case(Mode::Sandbox, "https://", false)]
    fn webhook_url_must_be_plain_https(#[case] mode: Mode, #[case] url: &str, #[case] accepted: bool) {
        let expected =
            if accepted { Ok(url.to_owned()) } else { Err(vec![("url".to_owned(), FaultCode::Invalid)]) };
        assert_eq!(check(mode, registration_for_url(url)).map(|webhook| webhook.registration.url), expected);
    }

    #[test]
    fn all_errors_of_a_webhook_are_reported() {
        let registration = Registration {
            name: Some("x".repeat(201)),
            event_types: vec!["USER_CREATED".into(), "NOTHING".into()],
            secret: Some(Sensitive::new("")),
            ..registration_for_url(&format!("https://example.com/{}", "x".repeat(500)))
        };
        let faults = check(Mode::Sandbox, registration).unwrap_err();
        assert_eq!(
            faults,
            [
                ("name".to_owned(), FaultCode::TooLong),
                ("url".to_owned(), FaultCode::TooLong),
                ("eventTypes[1]".to_owned(), FaultCode::Invalid),
                ("secret".to_owned(), FaultCode::TooShort),
            ]
        );
    }

    #[test]
    fn omitted_webhook_fields_get_defaults() {
        let registration =
            Registration { name: None, secret: None, ..registration_for_url("https://hooks.example.com/in") };
        let webhook = check(Mode::Sandbox, registration).unwrap();
        assert_eq!(webhook.registration.name, "hooks.example.com");
        assert!(webhook.registration.active && !webhook.registration.include_payload);
        assert_eq!(webhook.secret.expose().len(), 68);
        assert!(webhook.secret.expose().ends_with(&webhook.registration.secret_hint));
    }

    #[rstest]
    #[case::two_byte_letters("ñ".repeat(256), true)]
    #[case::one_too_many("ñ".repeat(257), false)]
    fn secret_length_is_counted_in_characters(#[case] secret: String, #[case] accepted: bool) {
        let registration = Registration {
            secret: Some(Sensitive::new(secret)),
            ..registration_for_url("https://example.com/")
        };
        let expected = if accepted { Ok(()) } else { Err(vec![("secret".to_owned(), FaultCode::TooLong)]) };
        assert_eq!(check(Mode::Sandbox, registration).map(drop), expected);
    }

    #[rstest]
    #[case::fifteen("123456789012345", Err(vec![("secret".to_owned(), FaultCode::TooShort)]))]
    #[case::sixteen("1234567890123456", Ok("3456".to_owned()))]
    fn webhook_secret_below_16_characters_is_rejected(
        #[case] secret: &str,
        #[case] expected: Result<String, Vec<(String, FaultCode)>>,
    ) {
        let registration = Registration {
            secret: Some(Sensitive::new(secret)),
            ..registration_for_url("https://example.com/")
        };
        let hint = check(Mode::Sandbox, registration).map(|webhook| webhook.registration.secret_hint);
        assert_eq!(hint, expected);
    }

    #[rstest]
    #[case::line_feed("https://example.com/ho\nok")]
    #[case::carriage_return("https://example.com/hook\r\nHost: other")]
    #[case::tab("https://exa\tmple.com/")]
    #[case::space_before(" https://example.com/")]
    #[case::space("https://example.com/a b")]
    #[case::no_break_space("https://example.com/\u{a0}")]
    #[case::null("https://example.com/\0")]
    fn webhook_url_with_whitespace_or_controls_is_rejected(#[case] url: &str) {
        let expected = vec![("url".to_owned(), FaultCode::Invalid)];
        assert_eq!(check(Mode::Sandbox, registration_for_url(url)).map(drop), Err(expected));
    }
}

/// How long both secrets sign, unless the new one is confirmed earlier: 24 hours.
pub const ROTATION: Duration = Duration::from_secs(24 * 3_600);

/// Error for a webhook without a rotation in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no secret is being rotated")]
pub struct NoRotationError;

/// Fields to change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Label.
    pub name: Option<String>,
    /// URL to post to.
    pub url: Option<String>,
    /// Event types, or `ALL_EVENTS`.
    pub event_types: Option<Vec<String>>,
    /// Whether the webhook receives events.
    pub active: Option<bool>,
    /// New signing secret, effective immediately. It ends a rotation.
    pub secret: Option<Sensitive>,
    /// Whether TASK_FINISHED includes the data points.
    pub include_payload: Option<bool>,
    /// Schedule for retrying failed deliveries.
    pub retry_profile: Option<RetryProfile>,
    /// Whether attempts have the header `traceparent` while the service traces them.
    pub trace_context: Option<bool>,
}
