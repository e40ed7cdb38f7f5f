//! The actions on accounts and uploads: open, sign in again, remove.

use link_types::host::UiEventName;
use link_types::id::AccountId;
use link_types::uploading::{LinkedAccount, LinkedStatus};

use super::{Accounts, AccountsPage, Item, is_limited};
use crate::call::{Ask, Call};
use crate::context::Context;
use crate::effect::ItemId;
use crate::emit::{self, Subject};
use crate::event::Press;
use crate::generated::message::Message;
use crate::input::Outcome::{self, Go, Stay};
use crate::resume_point;
use crate::route::Route;
use crate::screen::deferred_screen::Deferred;

impl Accounts {
    pub(super) fn handle_revoked(&mut self, context: &mut Context) {
        let AccountsPage::Revoking(item, _) = &self.page else { return };
        self.emit_ui_event(item, UiEventName::AccountRevoked, UiEventName::ArchiveRevoked, context);
        match self.item(item) {
            Some(Item::Account(it)) => {
                let subject = Subject { account: &it.account_id, provider: &it.provider_id };
                emit::account_removed(subject, context);
            }
            Some(Item::Archive(archive)) => emit::uploads_removed(archive, context),
            None => {}
        }
        match item {
            ItemId::Account(id) => self.linked.accounts.retain(|it| it.account_id != *id),
            ItemId::Archive(id) => self.linked.archives.retain(|it| it.archive_id != *id),
        }
        context.note_linked(!(self.linked.accounts.is_empty() && self.linked.archives.is_empty()));
        context.turn_page();
        context.announce(Message::RevokeDone);
        self.page = AccountsPage::List { removed: true };
    }

    pub(super) fn emit_ui_event(
        &self,
        item: &ItemId,
        account: UiEventName,
        archive: UiEventName,
        context: &mut Context,
    ) {
        match (item, self.item(item)) {
            (ItemId::Account(_), Some(Item::Account(it))) => {
                let subject = Subject { account: &it.account_id, provider: &it.provider_id };
                emit::ui_event(account, Some(subject), context);
            }
            (ItemId::Archive(id), _) => emit::archive_event(archive, id, context),
            (ItemId::Account(_), Some(Item::Archive(_)) | None) => {}
        }
    }

    fn needs_login(&self, id: &AccountId) -> Option<&LinkedAccount> {
        let mut accounts = self.linked.accounts.iter();
        accounts.find(|it| it.account_id == *id && it.status == LinkedStatus::ActionRequired)
    }

    pub(super) fn handle_press(
        mut self: Box<Self>,
        press: Press,
        context: &mut Context,
    ) -> Outcome<Deferred> {
        // From here the person goes their own way.
        context.preferences.account = None;
        let page = core::mem::replace(&mut self.page, AccountsPage::List { removed: false });
        self.page = match (page, press) {
            (AccountsPage::List { .. } | AccountsPage::Missing, Press::ChooseAnother) => {
                resume_point::at_provider(None, None, context);
                return Go(Route::Start);
            }
            (AccountsPage::One(ItemId::Account(id)), Press::SignIn) => match self.needs_login(&id) {
                Some(account) => {
                    resume_point::at_account(account, context);
                    return Go(Route::Start);
                }
                None => AccountsPage::One(ItemId::Account(id)),
            },
            (AccountsPage::One(item), Press::Disconnect) => {
                context.turn_page();
                self.emit_ui_event(
                    &item,
                    UiEventName::AccountRevokePageOpened,
                    UiEventName::RevokeArchivePageOpened,
                    context,
                );
                AccountsPage::Revoking(item, None)
            }
            (AccountsPage::Revoking(item, call), Press::Confirm) if !is_limited(call.as_ref()) => {
                context.announce(Message::RevokeBusy);
                let call = Call::send(Ask::Revocation(item.clone()), context);
                AccountsPage::Revoking(item, Some(call))
            }
            (AccountsPage::Revoking(item, _), Press::Back) => {
                context.turn_page();
                AccountsPage::One(item)
            }
            (AccountsPage::One(_), Press::Back) => {
                context.turn_page();
                emit::ui_event(UiEventName::AccountListPageOpened, None, context);
                AccountsPage::List { removed: false }
            }
            (page, _) => page,
        };
        Stay(self)
    }
}
