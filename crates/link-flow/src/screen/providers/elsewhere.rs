//! The ways on for who does not find their provider.

use crate::context::Context;
use crate::generated::message::Message;
use crate::screen::{ACCOUNTS, UPLOAD, row, rows};
use crate::view::block::Block;

/// To the survey.
pub(super) const SURVEY: &str = "/survey";

/// The rows at the list's end.
pub(super) fn block(context: &Context, is_off: bool) -> Block {
    let mut choices = vec![row(SURVEY, Message::ProvidersMissing.into())];
    if context.may_upload() {
        choices.push(row(UPLOAD, Message::ActionUpload.into()));
    }
    if context.has_linked() {
        choices.push(row(ACCOUNTS, Message::AccountsTitle.into()));
    }
    rows(choices, is_off)
}
