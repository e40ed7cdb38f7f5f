//! The ways on for who does not find their provider. Their ids are no provider's: those have no slash.

use crate::context::Context;
use crate::generated::message::Message;
use crate::view::block::{Block, Choice, ChoiceKind, ChoiceList};

/// To the survey.
pub(super) const SURVEY: &str = "/survey";

/// To the upload of documents.
pub(super) const UPLOAD: &str = "/upload";

/// To what is already linked.
pub(super) const ACCOUNTS: &str = "/accounts";

/// The rows at the list's end.
pub(super) fn rows(context: &Context) -> Block {
    let row = |id: &str, title: Message| Choice {
        id: id.to_owned(),
        title: title.into(),
        detail: None,
        mark: None,
        selected: false,
        disabled: false,
        busy: false,
    };
    let mut choices = vec![row(SURVEY, Message::ProvidersMissing)];
    if context.may_upload() {
        choices.push(row(UPLOAD, Message::ActionUpload));
    }
    if context.has_linked() {
        choices.push(row(ACCOUNTS, Message::AccountsTitle));
    }
    Block::Choices(ChoiceList {
        label: Message::ProvidersMore.into(),
        label_visible: false,
        kind: ChoiceKind::Rows,
        choices,
        disabled: false,
    })
}
