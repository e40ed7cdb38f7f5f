//! The linked accounts and uploads: a list, a page for each, and their removal.

mod list;
mod one;
mod press;

use link_types::host::{LinkMistake, UiEventName};
use link_types::id::AccountId;
use link_types::link::AttemptState;
use link_types::uploading::{ArchiveProgress, ConfirmRevocation, Linked, LinkedAccount, LinkedStatus};

use crate::call::{Ask, Call, Trouble};
use crate::context::Context;
use crate::effect::ItemId;
use crate::emit;
use crate::event::{Press, Reply, RequestError, RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::resume_point;
use crate::route::Route;
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::screen::parts::{announce_trouble, slow_blocks, trouble_blocks};
use crate::sheet::{Footer, Sheet};
use crate::view::Text;
use crate::view::block::Block;
use crate::view::build::heading;

/// The pages of the linked accounts and uploads.
#[derive(Debug)]
pub(crate) struct Accounts {
    linked: Box<Linked>,
    page: AccountsPage,
}

#[derive(Debug)]
enum AccountsPage {
    /// Loads the list.
    Loading(Call, Why),
    /// Shows the list, and whether something was just removed.
    List { removed: bool },
    /// Shows one account or upload.
    One(ItemId),
    /// Asks whether to remove it; the request does so.
    Revoking(ItemId, Option<Call>),
    /// The account that the tenant's page asked for does not exist.
    Missing,
}

/// Why the list is loaded.
#[derive(Debug)]
enum Why {
    /// To show it.
    Show,
    /// To sign in to this account, which the tenant's page asked for. If that is not necessary or was tried before, to
    /// show it.
    Update(AccountId),
    /// To check whether this still exists, because the service refused to remove it.
    Lookup(ItemId),
}

/// An account or upload.
enum Item<'a> {
    Account(&'a LinkedAccount),
    Archive(&'a ArchiveProgress),
}

impl Accounts {
    /// Loads the whole list.
    pub(crate) fn enter(context: &mut Context) -> Box<Self> {
        emit::ui_event(UiEventName::AccountListPageOpened, None, context);
        Self::load(Why::Show, context)
    }

    /// Loads the list to show one account, which the tenant's page asked for.
    pub(crate) fn enter_account(account: AccountId, context: &mut Context) -> Box<Self> {
        Self::load(Why::Update(account), context)
    }

    fn load(why: Why, context: &mut Context) -> Box<Self> {
        context.turn_page();
        context.announce(Message::AccountsLoading);
        let linked = Box::new(Linked { accounts: Vec::new(), archives: Vec::new() });
        let call = Call::send(Ask::Linked, context);
        Box::new(Self { linked, page: AccountsPage::Loading(call, why) })
    }

    fn call(&self) -> Option<&Call> {
        match &self.page {
            AccountsPage::Loading(call, _) => Some(call),
            AccountsPage::Revoking(_, call) => call.as_ref(),
            AccountsPage::List { .. } | AccountsPage::One(_) | AccountsPage::Missing => None,
        }
    }

    fn call_mut(&mut self) -> Option<&mut Call> {
        match &mut self.page {
            AccountsPage::Loading(call, _) => Some(call),
            AccountsPage::Revoking(_, call) => call.as_mut(),
            AccountsPage::List { .. } | AccountsPage::One(_) | AccountsPage::Missing => None,
        }
    }

    fn is_busy(&self) -> bool {
        self.call().is_some_and(|call| call.trouble().is_none())
    }

    fn item(&self, item: &ItemId) -> Option<Item<'_>> {
        match item {
            ItemId::Account(id) => {
                self.linked.accounts.iter().find(|it| it.account_id == *id).map(Item::Account)
            }
            ItemId::Archive(id) => {
                self.linked.archives.iter().find(|it| it.archive_id == *id).map(Item::Archive)
            }
        }
    }

    fn handle_loaded(mut self: Box<Self>, linked: Box<Linked>, context: &mut Context) -> Outcome<Deferred> {
        let why = match core::mem::replace(&mut self.page, AccountsPage::List { removed: false }) {
            AccountsPage::Loading(_, why) => why,
            page @ (AccountsPage::List { .. }
            | AccountsPage::One(_)
            | AccountsPage::Revoking(..)
            | AccountsPage::Missing) => {
                self.page = page;
                return Stay(self);
            }
        };
        if let Why::Lookup(item) = why {
            let removed = self.item(&item).is_some();
            self.page = AccountsPage::Revoking(item.clone(), None);
            let before = core::mem::replace(&mut self.linked, linked);
            if removed && self.item(&item).is_none() {
                self.linked = before;
                self.handle_revoked(context);
            } else {
                context.turn_page();
                self.page = AccountsPage::List { removed: false };
            }
            return Stay(self);
        }
        self.linked = linked;
        if let Why::Update(id) = why {
            match self.linked.accounts.iter().find(|account| account.account_id == id) {
                None => {
                    emit::error(LinkMistake::Account, context);
                    self.page = AccountsPage::Missing;
                }
                Some(account)
                    if account.status == LinkedStatus::ActionRequired
                        && context.preferences.account.is_some() =>
                {
                    resume_point::at_account(account, context);
                    return Go(Route::Start);
                }
                Some(_) => self.page = AccountsPage::One(ItemId::Account(id)),
            }
            emit::ui_event(UiEventName::AccountListPageOpened, None, context);
        }
        context.turn_page();
        Stay(self)
    }

    fn handle_refusal(&mut self, refusal: &RequestError, context: &mut Context) {
        if let Some(call) = self.call_mut() {
            call.handle_refusal(refusal, context);
        }
        if let AccountsPage::Revoking(item, Some(call)) = &self.page
            && call.trouble() == Some(Trouble::Refused)
        {
            let call = Call::send(Ask::Linked, context);
            self.page = AccountsPage::Loading(call, Why::Lookup(item.clone()));
        } else if let AccountsPage::Revoking(_, Some(call)) = &self.page {
            announce_trouble(call, context);
        }
    }

    fn choose(&mut self, id: &str, context: &mut Context) {
        let account = self.linked.accounts.iter().find(|it| it.account_id.as_str() == id);
        let archive = self.linked.archives.iter().find(|it| it.archive_id.as_str() == id);
        let item = account
            .map(|it| ItemId::Account(it.account_id.clone()))
            .or(archive.map(|it| ItemId::Archive(it.archive_id.clone())));
        if let Some(item) = item {
            context.turn_page();
            self.page = AccountsPage::One(item);
        }
    }
}

impl DeferredScreen for Accounts {
    fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        match input {
            Input::Replied(Reply::Linked(Ok(linked))) => return self.handle_loaded(linked, context),
            Input::Replied(Reply::Revocation(Ok(right))) => {
                if let AccountsPage::Revoking(item, call) = &mut self.page
                    && matches!(call.as_ref().map(Call::ask), Some(Ask::Revocation(_)))
                {
                    let body = ConfirmRevocation { confirmation: right.confirmation };
                    *call = Some(Call::send(Ask::Revoke(item.clone(), body), context));
                }
            }
            Input::Replied(Reply::Done(Ok(())))
                if matches!(self.call().map(Call::ask), Some(Ask::Revoke(..))) =>
            {
                self.handle_revoked(context);
            }
            Input::Replied(
                Reply::Linked(Err(refusal)) | Reply::Revocation(Err(refusal)) | Reply::Done(Err(refusal)),
            ) => self.handle_refusal(&refusal, context),
            Input::TimerFired { elapsed_ms, .. } => {
                if let Some(call) = self.call_mut() {
                    call.handle_timer(elapsed_ms, context);
                    if call.is_slow() && matches!(self.page, AccountsPage::Loading(..)) {
                        context.turn_page();
                    }
                }
            }
            Input::Pressed(Press::Retry) => {
                if let Some(call) = self.call_mut() {
                    call.retry(context);
                }
            }
            Input::Pressed(press) if !self.is_busy() => return self.handle_press(press, context),
            Input::Chosen { id } if matches!(self.page, AccountsPage::List { .. }) => {
                self.choose(&id, context)
            }
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => {}
        }
        Stay(self)
    }

    fn sheet(&self, context: &Context) -> Sheet {
        match &self.page {
            AccountsPage::Loading(call, _) => {
                let title = Text::from(Message::AccountsTitle);
                let blocks = match call.trouble() {
                    Some(trouble) => trouble_blocks(trouble, None),
                    None if call.is_slow() => slow_blocks(),
                    None => vec![heading(title.clone()), Block::Skeleton { rows: 3 }],
                };
                Sheet::new(title, Footer::Consent, blocks)
            }
            AccountsPage::List { removed } => list::sheet(&self.linked, *removed, context),
            AccountsPage::One(item) => one::sheet(self.item(item), context),
            AccountsPage::Revoking(item, call) => one::revoking(self.item(item), call.as_ref(), context),
            AccountsPage::Missing => list::missing(),
        }
    }

    fn resume(mut self: Box<Self>, _: AttemptState, context: &mut Context) -> Outcome<Deferred> {
        match &mut self.page {
            AccountsPage::Loading(call, _) | AccountsPage::Revoking(_, Some(call)) => {
                // The confirmation token was valid only in the old session.
                let ask = if let Ask::Revoke(item, _) = call.ask() {
                    Ask::Revocation(item.clone())
                } else {
                    call.ask().clone()
                };
                *call = Call::send(ask, context);
            }
            AccountsPage::List { .. }
            | AccountsPage::One(_)
            | AccountsPage::Revoking(_, None)
            | AccountsPage::Missing => {}
        }
        Stay(self)
    }

    fn awaits_reply(&self, request: RequestId) -> bool {
        self.call().and_then(Call::request) == Some(request)
    }

    fn awaits_timer(&self, timer: TimerId) -> bool {
        self.call().and_then(Call::timer) == Some(timer)
    }

    fn may_finish(&self) -> bool {
        true
    }
}

/// Whether the request is sent again automatically after a wait.
fn is_limited(call: Option<&Call>) -> bool {
    call.and_then(Call::trouble).is_some_and(Trouble::is_limited)
}
