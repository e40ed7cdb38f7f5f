//! What is already linked: connected accounts and uploads, each with its page, and how to take it back.

mod list;
mod one;
mod press;

use link_types::host::UiEventName;
use link_types::id::AccountId;
use link_types::uploading::{ArchiveProgress, ConfirmRevocation, Linked, LinkedAccount, LinkedStatus};

use super::{Footer, Input, Sheet, heading, trouble_blocks};
use crate::call::{Ask, Call, Trouble};
use crate::context::Context;
use crate::effect::Given;
use crate::event::{Press, Refusal, Reply, RequestId, TimerId};
use crate::generated::message::Message;
use crate::screen::consent;
use crate::state::State;
use crate::tell;
use crate::view::Text;
use crate::view::block::Block;

/// The pages of what is linked.
#[derive(Debug)]
pub(crate) struct Accounts {
    linked: Box<Linked>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// What is linked is loaded.
    Loading(Call, Why),
    /// All of it; what was taken back just now is said.
    List { removed: bool },
    /// One of it.
    One(Given),
    /// Whether to take it back; the calls that do.
    Revoking(Given, Option<Call>),
    /// The tenant's page asks for an account that is not there.
    Missing,
}

/// Why what is linked is loaded.
#[derive(Debug)]
enum Why {
    /// To show it.
    Show,
    /// The tenant's page asks for this account.
    Update(AccountId),
    /// The service would not take this back: it may be gone already.
    Lookup(Given),
}

/// Something linked.
enum Item<'a> {
    Account(&'a LinkedAccount),
    Archive(&'a ArchiveProgress),
}

impl Accounts {
    /// All that is linked.
    #[inline(never)]
    pub(crate) fn enter(context: &mut Context) -> State {
        tell::ui_event(UiEventName::AccountListPageOpened, None, context);
        Self::load(Why::Show, context)
    }

    /// Straight to what an account needs, which the tenant's page asks for.
    #[inline(never)]
    pub(crate) fn update(account: AccountId, context: &mut Context) -> State {
        Self::load(Why::Update(account), context)
    }

    fn load(why: Why, context: &mut Context) -> State {
        context.turn_page();
        context.announce(Message::AccountsLoading);
        let linked = Box::new(Linked { accounts: Vec::new(), archives: Vec::new() });
        let call = Call::send(Ask::Linked, context);
        State::Accounts(Box::new(Self { linked, stage: Stage::Loading(call, why) }))
    }

    /// Goes on after a pause: what was under way is sent again.
    #[inline(never)]
    pub(crate) fn resume(mut self: Box<Self>, context: &mut Context) -> State {
        match &mut self.stage {
            Stage::Loading(call, _) | Stage::Revoking(_, Some(call)) => {
                // A right to take something back was the old session's.
                let ask = if let Ask::Revoke(given, _) = call.ask() {
                    Ask::Revocation(given.clone())
                } else {
                    call.ask().clone()
                };
                *call = Call::send(ask, context);
            }
            Stage::List { .. } | Stage::One(_) | Stage::Revoking(_, None) | Stage::Missing => {}
        }
        State::Accounts(self)
    }

    fn call(&self) -> Option<&Call> {
        match &self.stage {
            Stage::Loading(call, _) => Some(call),
            Stage::Revoking(_, call) => call.as_ref(),
            Stage::List { .. } | Stage::One(_) | Stage::Missing => None,
        }
    }

    fn call_mut(&mut self) -> Option<&mut Call> {
        match &mut self.stage {
            Stage::Loading(call, _) => Some(call),
            Stage::Revoking(_, call) => call.as_mut(),
            Stage::List { .. } | Stage::One(_) | Stage::Missing => None,
        }
    }

    fn is_busy(&self) -> bool {
        self.call().is_some_and(|call| call.trouble().is_none())
    }

    #[inline(never)]
    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        self.call().and_then(Call::request) == Some(request)
    }

    #[inline(never)]
    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        self.call().and_then(Call::timer) == Some(timer)
    }

    fn item(&self, given: &Given) -> Option<Item<'_>> {
        match given {
            Given::Account(id) => {
                self.linked.accounts.iter().find(|it| it.account_id == *id).map(Item::Account)
            }
            Given::Archive(id) => {
                self.linked.archives.iter().find(|it| it.archive_id == *id).map(Item::Archive)
            }
        }
    }

    #[inline(never)]
    pub(crate) fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> State {
        match input {
            Input::Replied(Reply::Linked(Ok(linked))) => return self.loaded(linked, context),
            Input::Replied(Reply::Revocation(Ok(right))) => {
                if let Stage::Revoking(given, call) = &mut self.stage
                    && matches!(call.as_ref().map(Call::ask), Some(Ask::Revocation(_)))
                {
                    let body = ConfirmRevocation { confirmation: right.confirmation };
                    *call = Some(Call::send(Ask::Revoke(given.clone(), body), context));
                }
            }
            Input::Replied(Reply::Done(Ok(())))
                if matches!(self.call().map(Call::ask), Some(Ask::Revoke(..))) =>
            {
                self.revoked(context);
            }
            Input::Replied(
                Reply::Linked(Err(refusal)) | Reply::Revocation(Err(refusal)) | Reply::Done(Err(refusal)),
            ) => return self.refused(&refusal, context),
            Input::TimerFired { elapsed_ms, .. } => {
                if let Some(call) = self.call_mut() {
                    call.rested(elapsed_ms, context);
                }
            }
            Input::Pressed(Press::Retry) => {
                if let Some(call) = self.call_mut() {
                    call.retry(context);
                }
            }
            Input::Pressed(press) if !self.is_busy() => return self.pressed(press, context),
            Input::Chosen { id } if matches!(self.stage, Stage::List { .. }) => self.choose(&id, context),
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
        State::Accounts(self)
    }

    fn loaded(mut self: Box<Self>, linked: Box<Linked>, context: &mut Context) -> State {
        let why = match core::mem::replace(&mut self.stage, Stage::List { removed: false }) {
            Stage::Loading(_, why) => why,
            stage @ (Stage::List { .. } | Stage::One(_) | Stage::Revoking(..) | Stage::Missing) => {
                self.stage = stage;
                return State::Accounts(self);
            }
        };
        if let Why::Lookup(given) = why {
            let removed = self.item(&given).is_some();
            self.stage = Stage::Revoking(given.clone(), None);
            let before = core::mem::replace(&mut self.linked, linked);
            if removed && self.item(&given).is_none() {
                self.linked = before;
                self.revoked(context);
            } else {
                context.turn_page();
                self.stage = Stage::List { removed: false };
            }
            return State::Accounts(self);
        }
        self.linked = linked;
        if let Why::Update(id) = why {
            match self.linked.accounts.iter().find(|account| account.account_id == id) {
                None => self.stage = Stage::Missing,
                Some(account) if account.status == LinkedStatus::ActionRequired => {
                    context.preferences.provider = Some(account.provider_id.clone());
                    return consent::begin(context);
                }
                Some(_) => self.stage = Stage::One(Given::Account(id)),
            }
            tell::ui_event(UiEventName::AccountListPageOpened, None, context);
        }
        context.turn_page();
        State::Accounts(self)
    }

    fn refused(mut self: Box<Self>, refusal: &Refusal, context: &mut Context) -> State {
        if let Some(call) = self.call_mut() {
            call.refused(refusal, context);
        }
        if let Stage::Revoking(given, Some(call)) = &self.stage
            && call.trouble() == Some(Trouble::Refused)
        {
            let call = Call::send(Ask::Linked, context);
            self.stage = Stage::Loading(call, Why::Lookup(given.clone()));
        }
        State::Accounts(self)
    }

    fn choose(&mut self, id: &str, context: &mut Context) {
        let account = self.linked.accounts.iter().find(|it| it.account_id.as_str() == id);
        let archive = self.linked.archives.iter().find(|it| it.archive_id.as_str() == id);
        let given = account
            .map(|it| Given::Account(it.account_id.clone()))
            .or(archive.map(|it| Given::Archive(it.archive_id.clone())));
        if let Some(given) = given {
            context.turn_page();
            self.stage = Stage::One(given);
        }
    }

    #[inline(never)]
    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        match &self.stage {
            Stage::Loading(call, _) => {
                let title = Text::from(Message::AccountsTitle);
                let blocks = match call.trouble() {
                    Some(trouble) => trouble_blocks(trouble, None),
                    None => vec![heading(title.clone()), Block::Skeleton { rows: 3 }],
                };
                Sheet::new(title, Footer::Consent, blocks)
            }
            Stage::List { removed } => list::sheet(&self.linked, *removed, context),
            Stage::One(given) => one::sheet(self.item(given), context),
            Stage::Revoking(given, call) => one::revoking(self.item(given), call.as_ref(), context),
            Stage::Missing => list::missing(),
        }
    }
}

/// Whether it goes on by itself when a wait is over.
fn is_limited(call: Option<&Call>) -> bool {
    call.and_then(Call::trouble).is_some_and(Trouble::is_limited)
}
