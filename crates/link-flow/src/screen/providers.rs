//! The provider list: the most used first, tabs by kind, and a search that forgives.

mod elsewhere;
mod list;

use link_types::host::UiEventName;
use link_types::id::ProviderId;
use link_types::list::Page;
use link_types::provider::{ProviderSummary, ProviderType};

use super::{Footer, Input, Sheet};
use crate::call::{Ask, Call};
use crate::context::Context;
use crate::event::{Press, Refusal, Reply, RequestId, TimerId};
use crate::generated::message::Message;
use crate::place;
use crate::rest::{self, Door};
use crate::screen::consent;
use crate::screen::login_options;
use crate::state::State;
use crate::tell;
use crate::view::{Text, Typed};

/// The list page.
#[derive(Debug)]
pub(crate) struct Providers {
    work: Work,
}

/// What is under way on the page.
#[derive(Debug)]
enum Work {
    /// The list is loaded; it comes in pages.
    Listing { call: Call, so_far: Vec<ProviderSummary> },
    /// The list is there, and nothing is under way.
    Browsing,
    /// The chosen provider is loaded.
    Opening { call: Call, provider: ProviderId },
}

/// The list as the person left it: it outlives the page, so that going back finds it as it was.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    /// All providers on offer, in the service's order; `None` before they are loaded.
    pub(crate) providers: Option<Vec<ProviderSummary>>,
    /// What stands in the search box.
    pub(crate) query: Typed,
    /// The tab that is on; all, when `None`.
    pub(crate) tab: Option<ProviderType>,
}

impl Providers {
    pub(crate) fn enter(context: &mut Context) -> State {
        context.turn_page();
        place::at_provider(None, None, context);
        place::at_documents(None, context);
        tell::ui_event(UiEventName::ProviderListPageOpened, None, context);
        if context.shelf.providers.is_some() {
            return State::Providers(Box::new(Self { work: Work::Browsing }));
        }
        context.announce(Message::ProvidersLoading);
        Self::list(context)
    }

    fn list(context: &mut Context) -> State {
        let call = Call::send(Ask::Providers { cursor: None }, context);
        State::Providers(Box::new(Self { work: Work::Listing { call, so_far: Vec::new() } }))
    }

    /// Goes on after a pause: what was under way is sent again.
    pub(crate) fn resume(self: Box<Self>, context: &mut Context) -> State {
        match self.work {
            Work::Listing { .. } => Self::list(context),
            Work::Browsing => State::Providers(self),
            Work::Opening { provider, .. } => Self::open(provider, context),
        }
    }

    fn open(provider: ProviderId, context: &mut Context) -> State {
        let call = Call::send(Ask::Provider(provider.clone()), context);
        State::Providers(Box::new(Self { work: Work::Opening { call, provider } }))
    }

    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        self.call().and_then(Call::request) == Some(request)
    }

    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        self.call().and_then(Call::timer) == Some(timer)
    }

    fn call(&self) -> Option<&Call> {
        match &self.work {
            Work::Listing { call, .. } | Work::Opening { call, .. } => Some(call),
            Work::Browsing => None,
        }
    }

    pub(crate) fn handle(self: Box<Self>, input: Input, context: &mut Context) -> State {
        match input {
            Input::Replied(Reply::Providers(reply)) => self.listed(reply, context),
            Input::Replied(Reply::Provider(reply)) => match reply {
                Ok(provider) => login_options::open(*provider, None, context),
                Err(refusal) => self.refused(&refusal, context),
            },
            Input::TimerFired { elapsed_ms, .. } => {
                self.with_call(|call, context| call.rested(elapsed_ms, context), context)
            }
            Input::Pressed(Press::Retry) => self.with_call(Call::retry, context),
            Input::Pressed(Press::Back) if context.preferences.consent_page => {
                consent::Consent::enter(consent::AfterConsent::Provider, context)
            }
            Input::Pressed(Press::ClearSearch) => self.narrow(Typed::default(), None, context),
            Input::Searched { text } => {
                let tab = context.shelf.tab;
                self.narrow(text, tab, context)
            }
            Input::Filtered { tab } => {
                let query = context.shelf.query.clone();
                self.narrow(query, tab.parse().ok(), context)
            }
            Input::Chosen { id } => match id.as_str() {
                elsewhere::SURVEY => rest::open(Door::Survey, context),
                super::UPLOAD if context.may_upload() => consent::to_uploads(context),
                super::ACCOUNTS if context.has_linked() => rest::open(Door::Accounts, context),
                _ => self.choose(&id, context),
            },
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Providers(self),
        }
    }

    fn with_call(
        mut self: Box<Self>,
        step: impl FnOnce(&mut Call, &mut Context),
        context: &mut Context,
    ) -> State {
        match &mut self.work {
            Work::Listing { call, .. } | Work::Opening { call, .. } => step(call, context),
            Work::Browsing => {}
        }
        State::Providers(self)
    }

    fn refused(self: Box<Self>, refusal: &Refusal, context: &mut Context) -> State {
        self.with_call(|call, context| call.refused(refusal, context), context)
    }

    fn listed(
        mut self: Box<Self>,
        reply: Result<Page<ProviderSummary>, Refusal>,
        context: &mut Context,
    ) -> State {
        let Work::Listing { call, so_far } = &mut self.work else { return State::Providers(self) };
        let page = match reply {
            Ok(page) => page,
            Err(refusal) => return self.refused(&refusal, context),
        };
        so_far.extend(page.items);
        if page.next_cursor.is_some() {
            *call = Call::send(Ask::Providers { cursor: page.next_cursor }, context);
            return State::Providers(self);
        }
        so_far.retain(|provider| list::is_offered(provider, context));
        context.shelf.providers = Some(core::mem::take(so_far));
        context.announce(list::found(context));
        self.work = Work::Browsing;
        State::Providers(self)
    }

    fn narrow(self: Box<Self>, query: Typed, tab: Option<ProviderType>, context: &mut Context) -> State {
        context.shelf.query = query;
        context.shelf.tab = tab;
        if context.shelf.providers.is_some() {
            context.announce(list::found(context));
        }
        State::Providers(self)
    }

    fn choose(self: Box<Self>, id: &str, context: &mut Context) -> State {
        let is_loading = self.call().is_some_and(|call| call.trouble().is_none());
        let listed = context.shelf.providers.as_deref().unwrap_or_default();
        let chosen = listed.iter().find(|provider| provider.id.as_str() == id && provider.enabled);
        let Some(provider) = chosen.filter(|_| !is_loading).cloned() else { return State::Providers(self) };
        context.announce(super::about(Message::ProviderLoading, &provider.name));
        tell::ui_event(UiEventName::ProviderSelected, None, context);
        Self::open(provider.id, context)
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let (trouble, opening) = match &self.work {
            Work::Listing { call, .. } | Work::Opening { call, .. } if call.trouble().is_some() => {
                (call.trouble(), None)
            }
            Work::Opening { provider, .. } => (None, Some(provider)),
            Work::Listing { .. } | Work::Browsing => (None, None),
        };
        Sheet {
            title: Text::from(Message::ProvidersTitle),
            blocks: list::blocks(trouble, opening, context),
            back: context.preferences.consent_page,
            form: false,
            footer: Footer::Password,
        }
    }
}
