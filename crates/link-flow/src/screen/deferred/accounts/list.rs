//! The list of linked accounts and uploads.

use link_types::uploading::{ArchivePhase, ArchiveProgress, Linked, LinkedAccount, LinkedStatus};

use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::mark::mark;
use crate::sheet::{Footer, Sheet};
use crate::uploads::kind_name;
use crate::view::Text;
use crate::view::block::{Block, Choice, ChoiceKind, ChoiceList, Emblem, Severity};
use crate::view::build::{action, heading, heading_with, notice, paragraph, row};

/// Builds the list page.
pub(super) fn sheet(linked: &Linked, removed: bool, context: &Context) -> Sheet {
    let title = Text::from(Message::AccountsTitle);
    let mut blocks = vec![heading(title.clone())];
    if removed {
        blocks.push(notice(Severity::Success, None, Message::RevokeDone.into()));
    }
    if context.has_linked() {
        let accounts = linked.accounts.iter().map(account).collect();
        let archives = linked.archives.iter().map(archive).collect();
        blocks.extend(rows(Message::AccountsTitle, false, accounts));
        blocks.extend(rows(Message::AccountsUploads, true, archives));
    } else {
        blocks.push(paragraph(Message::AccountsNone.into()));
    }
    blocks.push(Block::Actions {
        primary: action(Message::SuccessAnother, Press::ChooseAnother),
        secondary: Some(action(Message::ActionDone, Press::Done)),
    });
    Sheet::new(title, Footer::Consent, blocks)
}

/// Builds the page for an account that is not the person's or was disconnected.
pub(super) fn missing() -> Sheet {
    let title = Text::from(Message::AccountMissingTitle);
    let blocks = vec![
        heading_with(Emblem::Warning, title.clone()),
        paragraph(Message::AccountMissingText.into()),
        Block::Actions {
            primary: action(Message::SuccessAnother, Press::ChooseAnother),
            secondary: Some(action(Message::ActionClose, Press::Leave)),
        },
    ];
    Sheet::new(title, Footer::Consent, blocks)
}

fn rows(label: Message, label_visible: bool, choices: Vec<Choice>) -> Option<Block> {
    let list =
        ChoiceList { label: label.into(), label_visible, kind: ChoiceKind::Rows, choices, disabled: false };
    (!list.choices.is_empty()).then_some(Block::Choices(list))
}

fn account(account: &LinkedAccount) -> Choice {
    Choice {
        detail: Some(account_status(account)),
        mark: Some(mark(&account.provider_name, account.logo_url.as_deref())),
        ..row(account.account_id.as_str(), Text::Verbatim(account.provider_name.clone()))
    }
}

fn archive(archive: &ArchiveProgress) -> Choice {
    let title = Text::from(kind_name(archive.archive_type));
    Choice { detail: Some(archive_status(archive)), ..row(archive.archive_id.as_str(), title) }
}

/// Returns the status of an account in words.
pub(super) fn account_status(account: &LinkedAccount) -> Text {
    match (account.status, account.last_sync_days_ago) {
        (LinkedStatus::ActionRequired, _) => Message::AccountAction.into(),
        (LinkedStatus::Reading, _) => Message::AccountReading.into(),
        (LinkedStatus::Connected, None) => Message::AccountUnread.into(),
        (LinkedStatus::Connected, Some(days)) => Text::with(Message::AccountSynced, vec![days.into()]),
    }
}

/// Returns the status of an upload in words.
pub(super) fn archive_status(archive: &ArchiveProgress) -> Text {
    match archive.phase {
        ArchivePhase::Uploading {} | ArchivePhase::Analyzing { .. } => Message::AccountReading.into(),
        ArchivePhase::Failed { .. } => Message::AccountUnread.into(),
        ArchivePhase::Analyzed {} | ArchivePhase::Revoked {} => {
            Text::with(Message::AccountAdded, vec![archive.added_days_ago.into()])
        }
    }
}
