//! Flows that stand on a screen.

use link_types::challenge::Challenge;
use link_types::error_code::ErrorCode;
use link_types::host::WidgetOptions;
use link_types::link::{AccountProgress, LinkPhase};
use link_types::provider::Provider;

use super::super::stock;
use super::{Desk, opened};
use crate::event::{Press, Reply};
pub(crate) fn exchanging() -> Desk {
    let mut desk = Desk::new(WidgetOptions::default());
    desk.send(opened());
    desk
}

pub(crate) fn at_consent() -> Desk {
    let mut desk = exchanging();
    desk.reply_session(stock::session());
    desk
}

pub(crate) fn listing() -> Desk {
    let mut desk = at_consent();
    desk.press(Press::Agree);
    desk
}

pub(crate) fn at_providers() -> Desk {
    let mut desk = listing();
    desk.reply(Reply::Providers(Ok(stock::providers())));
    desk
}

pub(crate) fn at_provider(provider: Provider) -> Desk {
    let mut desk = at_providers();
    desk.choose("mx_social_security");
    desk.reply_provider(provider);
    desk
}

pub(crate) fn at_login() -> Desk {
    at_provider(stock::provider())
}

pub(crate) fn sending() -> Desk {
    let mut desk = at_login();
    desk.edit("username", "mfa-otp");
    desk.submit("password");
    desk
}

pub(crate) fn at_connecting() -> Desk {
    let mut desk = sending();
    desk.reply_account(1, stock::logging_in());
    desk
}

pub(crate) fn at_challenge(challenge: Challenge) -> Desk {
    let mut desk = at_connecting();
    desk.reply_account(2, stock::challenged(challenge));
    desk
}

pub(crate) fn at_success() -> Desk {
    let mut desk = at_connecting();
    desk.reply_account(2, LinkPhase::Connected {});
    desk
}

pub(crate) fn at_failure(code: impl Into<ErrorCode>) -> Desk {
    let mut desk = at_connecting();
    desk.reply_account(2, stock::failed(code));
    desk
}

/// A session that took up an attempt with this account under way.
pub(crate) fn taken_up(progress: AccountProgress) -> Desk {
    let mut desk = exchanging();
    desk.reply_session(stock::session_with(progress));
    desk
}

/// What is linked is loaded, for somebody who may upload.
fn loading_linked() -> Desk {
    let mut desk = exchanging();
    let mut session = stock::session();
    session.template.uploads_enabled = true;
    session.has_linked = true;
    desk.reply_session(session);
    desk
}

pub(crate) fn at_accounts() -> Desk {
    let mut desk = loading_linked();
    desk.reply(Reply::Linked(Ok(Box::new(stock::linked()))));
    desk
}

pub(crate) fn at_survey() -> Desk {
    let mut desk = at_providers();
    desk.choose("/survey");
    desk
}

pub(crate) fn at_uploads() -> Desk {
    let mut desk = at_accounts();
    desk.press(Press::ChooseAnother);
    desk.press(Press::Agree);
    desk.reply(Reply::Providers(Ok(stock::providers())));
    desk.choose("/upload");
    desk
}

/// Not linked, where documents may be uploaded instead.
pub(crate) fn at_failure_with_uploads(code: impl Into<ErrorCode>) -> Desk {
    let mut session = stock::session_with(stock::progress(2, stock::failed(code)));
    session.template.uploads_enabled = true;
    session.attempt.place.consent = Some(stock::receipt());
    session.attempt.place.provider_id = Some(stock::provider_id());
    let mut desk = exchanging();
    desk.reply_session(session);
    desk.reply_provider(stock::provider());
    desk
}
