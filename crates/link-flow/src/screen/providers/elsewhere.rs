//! The links for a person who does not find their provider.

use crate::context::Context;
use crate::generated::message::Message;
use crate::screen::parts::{ACCOUNTS, UPLOAD};
use crate::view::block::Block;
use crate::view::build::{row, rows};

/// Id of the row that leads to the survey.
pub(super) const SURVEY: &str = "/survey";

/// Builds the rows at the end of the list.
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
