//! The page of one account or upload, and the question whether to remove it.

use link_types::uploading::LinkedStatus;

use super::list::{account_status, archive_status};
use super::{Item, is_limited};
use crate::call::Call;
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::mark::mark;
use crate::screen::parts::trouble_notice;
use crate::sheet::{Footer, Sheet};
use crate::uploads::kind_name;
use crate::view::Text;
use crate::view::block::{Action, ActionState, Block, Emblem};
use crate::view::build::{about, action, heading, heading_with, paragraph, remark};

/// Builds the page of an account or upload.
pub(super) fn sheet(item: Option<Item<'_>>, context: &Context) -> Sheet {
    let disconnect = Action { destructive: true, ..action(label(item.as_ref()), Press::Disconnect) };
    let mut primary = action(Message::AccountsBack, Press::Back);
    let mut blocks = Vec::new();
    let title = match item {
        Some(Item::Account(account)) => {
            let title = about(Message::AccountTitle, &account.provider_name);
            blocks.push(Block::Provider {
                mark: mark(&account.provider_name, account.logo_url.as_deref()),
                name: Text::Verbatim(account.provider_name.clone()),
                detail: account.login_name.clone().map(Text::Verbatim),
            });
            blocks.push(heading(title.clone()));
            blocks.push(paragraph(account_status(account)));
            if account.status == LinkedStatus::ActionRequired {
                blocks.push(remark(about(Message::AccountActionText, &account.provider_name)));
                primary = action(Message::AccountSignIn, Press::SignIn);
            } else {
                blocks.push(remark(about(Message::AccountNothing, context.company())));
            }
            title
        }
        Some(Item::Archive(archive)) => {
            let title = Text::from(kind_name(archive.archive_type));
            blocks.push(heading(title.clone()));
            blocks.push(paragraph(archive_status(archive)));
            blocks.extend(archive.files.iter().map(|file| remark(Text::Verbatim(file.name.clone()))));
            title
        }
        None => Message::AccountsTitle.into(),
    };
    blocks.push(Block::Actions { primary, secondary: Some(disconnect) });
    Sheet { back: true, ..Sheet::new(title, Footer::Consent, blocks) }
}

/// Builds the question whether to remove it.
pub(super) fn revoking(item: Option<Item<'_>>, call: Option<&Call>, context: &Context) -> Sheet {
    let (title, text) = match &item {
        Some(Item::Account(account)) => {
            let names = vec![context.company().into(), account.provider_name.as_str().into()];
            (about(Message::RevokeTitle, &account.provider_name), Text::with(Message::RevokeText, names))
        }
        Some(Item::Archive(_)) | None => {
            (Message::RevokeUploadTitle.into(), about(Message::RevokeUploadText, context.company()))
        }
    };
    let trouble = call.and_then(Call::trouble);
    let mut blocks = vec![heading_with(Emblem::Warning, title.clone()), paragraph(text)];
    blocks.extend(trouble.map(|trouble| trouble_notice(trouble, None)));
    let is_busy = call.is_some() && trouble.is_none();
    let state = if is_busy {
        ActionState::Busy
    } else if is_limited(call) {
        ActionState::Off
    } else {
        ActionState::Ready
    };
    let confirm = Action { destructive: true, state, ..action(label(item.as_ref()), Press::Confirm) };
    let keep = action(Message::RevokeKeep, Press::Back);
    blocks.push(Block::Actions { primary: confirm, secondary: (!is_busy).then_some(keep) });
    Sheet { back: !is_busy, ..Sheet::new(title, Footer::Consent, blocks) }
}

fn label(item: Option<&Item<'_>>) -> Message {
    match item {
        Some(Item::Archive(_)) => Message::RevokeRemove,
        Some(Item::Account(_)) | None => Message::RevokeDisconnect,
    }
}
