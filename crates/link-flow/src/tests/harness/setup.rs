//! Flows that have reached a screen.

use link_types::challenge::Challenge;
use link_types::error_code::ErrorCode;
use link_types::host::WidgetOptions;
use link_types::link::{AccountProgress, LinkPhase};
use link_types::provider::Provider;

use super::super::fixtures;
use super::{Harness, open_event, open_event_on_computer};
use crate::event::{Press, Reply};
pub(crate) fn exchanging() -> Harness {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.send(open_event());
    harness
}

pub(crate) fn at_consent() -> Harness {
    let mut harness = exchanging();
    harness.reply_session(fixtures::session());
    harness
}

/// Returns a flow at the choice of what to share: pay and ratings are optional.
pub(crate) fn at_data_choice() -> Harness {
    let mut harness = exchanging();
    harness.reply_session(fixtures::session_with_choice());
    harness.press(Press::Agree);
    harness
}

pub(crate) fn listing() -> Harness {
    let mut harness = at_consent();
    harness.press(Press::Agree);
    harness
}

pub(crate) fn at_providers() -> Harness {
    let mut harness = listing();
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness
}

pub(crate) fn at_provider(provider: Provider) -> Harness {
    let mut harness = at_providers();
    harness.choose("mx_social_security");
    harness.reply_provider(provider);
    harness
}

pub(crate) fn at_login() -> Harness {
    at_provider(fixtures::provider())
}

pub(crate) fn sending() -> Harness {
    let mut harness = at_login();
    harness.edit("username", "mfa-otp");
    harness.submit("password");
    harness
}

pub(crate) fn at_connecting() -> Harness {
    let mut harness = sending();
    harness.reply_account(1, fixtures::logging_in());
    harness
}

pub(crate) fn at_challenge(challenge: Challenge) -> Harness {
    let mut harness = at_connecting();
    harness.reply_account(2, fixtures::challenge_phase(challenge));
    harness
}

pub(crate) fn at_success() -> Harness {
    let mut harness = at_connecting();
    harness.reply_account(2, LinkPhase::Connected {});
    harness
}

pub(crate) fn at_failure(code: impl Into<ErrorCode>) -> Harness {
    let mut harness = at_connecting();
    harness.reply_account(2, fixtures::failed_phase(code));
    harness
}

/// Returns a session that resumed an attempt with this account under way.
pub(crate) fn take_up(progress: AccountProgress) -> Harness {
    let mut harness = exchanging();
    harness.reply_session(fixtures::session_with(progress));
    harness
}

/// Loads the accounts screen of a person who may upload.
fn loading_linked() -> Harness {
    let mut harness = exchanging();
    let mut session = fixtures::session();
    session.template.uploads_enabled = true;
    session.has_linked = true;
    harness.reply_session(session);
    harness
}

pub(crate) fn at_accounts() -> Harness {
    let mut harness = loading_linked();
    harness.reply(Reply::Linked(Ok(Box::new(fixtures::linked_accounts()))));
    harness
}

pub(crate) fn at_survey() -> Harness {
    let mut harness = at_providers();
    harness.choose("/survey");
    harness
}

pub(crate) fn at_uploads() -> Harness {
    let mut harness = at_accounts();
    harness.press(Press::ChooseAnother);
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.choose("/upload");
    harness
}

/// Returns a flow on a computer that shows the code of a challenge.
pub(crate) fn at_handoff() -> Harness {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.send(open_event_on_computer());
    harness.reply_session(fixtures::session_with(fixtures::progress(
        2,
        fixtures::challenge_phase(fixtures::code()),
    )));
    harness.reply_provider(fixtures::provider());
    harness.choose("/phone");
    harness.reply_handoff(fixtures::WAITING);
    harness
}

/// Returns a flow at a challenge of a person who may upload.
pub(crate) fn at_challenge_with_uploads(challenge: Challenge) -> Harness {
    resume_with_uploads(fixtures::challenge_phase(challenge))
}

/// Returns a flow after a failed login of a person who may upload.
pub(crate) fn at_failure_with_uploads(code: impl Into<ErrorCode>) -> Harness {
    resume_with_uploads(fixtures::failed_phase(code))
}

fn resume_with_uploads(phase: LinkPhase) -> Harness {
    let mut session = fixtures::session_with(fixtures::progress(2, phase));
    session.template.uploads_enabled = true;
    session.attempt.place.consent = Some(fixtures::receipt());
    session.attempt.place.provider_id = Some(fixtures::provider_id());
    let mut harness = exchanging();
    harness.reply_session(session);
    harness.reply_provider(fixtures::provider());
    harness
}
