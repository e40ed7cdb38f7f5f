//! The provider list: the most used first, tabs by type, and a tolerant search.

mod list;

use link_types::host::{LinkMistake, UiEventName};
use link_types::id::ProviderId;
use link_types::list::Page;
use link_types::provider::{ProviderSummary, ProviderType};

use crate::call::{Ask, Call};
use crate::chunk;
use crate::context::Context;
use crate::emit;
use crate::event::{Press, Reply, RequestError, RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::resume_point;
use crate::route::{AfterConsent, Route, UploadRoute};
use crate::screen::parts::{ACCOUNTS, UPLOAD, announce_trouble};
use crate::sheet::{Footer, Sheet};
use crate::view::build::about;
use crate::view::{Text, Typed};

/// The list page.
#[derive(Debug)]
pub(crate) struct Providers {
    work: Work,
}

/// The work under way.
#[derive(Debug)]
enum Work {
    /// Loads the list, which comes in pages.
    Listing { call: Call, so_far: Vec<ProviderSummary> },
    /// Shows the list.
    Browsing,
    /// Loads the chosen provider.
    Opening { call: Call, provider: ProviderId },
}

impl Providers {
    pub(crate) fn enter(context: &mut Context) -> Box<Self> {
        context.turn_page();
        resume_point::at_provider(None, None, context);
        resume_point::at_documents(None, context);
        emit::ui_event(UiEventName::ProviderListPageOpened, None, context);
        chunk::prefetch(context);
        if context.provider_list.providers.is_some() {
            return Box::new(Self { work: Work::Browsing });
        }
        context.announce(Message::ProvidersLoading);
        Box::new(Self { work: Work::list(context) })
    }

    /// Resumes after a pause: sends the request under way again.
    pub(crate) fn resume(mut self: Box<Self>, context: &mut Context) -> Box<Self> {
        self.work = match self.work {
            Work::Listing { .. } => Work::list(context),
            Work::Browsing => Work::Browsing,
            Work::Opening { provider, .. } => Work::open(provider, context),
        };
        self
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

    fn call_mut(&mut self) -> Option<&mut Call> {
        match &mut self.work {
            Work::Listing { call, .. } | Work::Opening { call, .. } => Some(call),
            Work::Browsing => None,
        }
    }

    pub(crate) fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Box<Self>> {
        match input {
            Input::Replied(Reply::Providers(reply)) => self.handle_page(reply, context),
            Input::Replied(Reply::Provider(reply)) => match reply {
                Ok(provider) => return Go(Route::sign_in(provider, None)),
                Err(refusal) => self.handle_refusal(&refusal, context),
            },
            Input::TimerFired { elapsed_ms, .. } => {
                if let Some(call) = self.call_mut() {
                    call.handle_timer(elapsed_ms, context);
                    if call.is_slow() {
                        context.announce(Message::SlowTitle);
                    }
                }
            }
            Input::Pressed(Press::Retry) => {
                if let Some(call) = self.call_mut() {
                    call.retry(context);
                }
            }
            Input::Pressed(Press::Back) if context.preferences.consent_page => {
                return Go(Route::Consent(AfterConsent::Provider));
            }
            Input::Pressed(Press::ClearSearch) => narrow(Typed::default(), None, context),
            Input::Searched { text } => {
                let tab = context.provider_list.tab;
                narrow(text, tab, context);
            }
            Input::Filtered { tab } => {
                let query = context.provider_list.query.clone();
                narrow(query, tab.parse().ok(), context);
            }
            Input::Chosen { id } => match id.as_str() {
                list::SURVEY => return Go(Route::Survey),
                list::MORE => {
                    context.provider_list.show_more();
                    context.announce(list::announce_matches(context));
                }
                UPLOAD if context.may_upload() => return Go(Route::Uploads(UploadRoute::Start)),
                ACCOUNTS if context.has_linked() => return Go(Route::Accounts),
                _ => self.choose(&id, context),
            },
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => {}
        }
        Stay(self)
    }

    fn handle_refusal(&mut self, refusal: &RequestError, context: &mut Context) {
        if let Some(call) = self.call_mut() {
            call.handle_refusal(refusal, context);
            announce_trouble(call, context);
        }
    }

    fn handle_page(&mut self, reply: Result<Page<ProviderSummary>, RequestError>, context: &mut Context) {
        let Work::Listing { call, so_far } = &mut self.work else { return };
        let page = match reply {
            Ok(page) => page,
            Err(refusal) => {
                call.handle_refusal(&refusal, context);
                return announce_trouble(call, context);
            }
        };
        so_far.extend(page.items);
        if page.next_cursor.is_some() {
            *call = Call::send(Ask::Providers { cursor: page.next_cursor }, context);
            return;
        }
        so_far.retain(|provider| list::is_offered(provider, context));
        if so_far.is_empty() && context.preferences.providers.is_some() {
            emit::error(LinkMistake::Provider, context);
        }
        context.provider_list.fill(core::mem::take(so_far));
        context.announce(list::announce_matches(context));
        self.work = Work::Browsing;
    }

    fn choose(&mut self, id: &str, context: &mut Context) {
        let is_loading = self.call().is_some_and(|call| call.trouble().is_none());
        let listed = context.provider_list.providers.as_deref().unwrap_or_default();
        let chosen = listed.iter().find(|provider| provider.id.as_str() == id && provider.enabled);
        let Some(provider) = chosen.filter(|_| !is_loading).cloned() else { return };
        context.announce(about(Message::ProviderLoading, &provider.name));
        emit::ui_event(UiEventName::ProviderSelected, None, context);
        self.work = Work::open(provider.id, context);
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let (trouble, opening) = match &self.work {
            Work::Listing { call, .. } | Work::Opening { call, .. } if call.trouble().is_some() => {
                (call.trouble(), None)
            }
            Work::Opening { provider, .. } => (None, Some(provider)),
            Work::Listing { .. } | Work::Browsing => (None, None),
        };
        let is_slow = self.call().is_some_and(Call::is_slow);
        Sheet {
            title: Text::from(Message::ProvidersTitle),
            blocks: if is_slow { list::slow(context) } else { list::blocks(trouble, opening, context) },
            back: context.preferences.consent_page,
            form: false,
            footer: Footer::Consent,
        }
    }
}

impl Work {
    fn list(context: &mut Context) -> Self {
        let call = Call::send(Ask::Providers { cursor: None }, context);
        Self::Listing { call, so_far: Vec::new() }
    }

    fn open(provider: ProviderId, context: &mut Context) -> Self {
        let call = Call::send(Ask::Provider(provider.clone()), context);
        Self::Opening { call, provider }
    }
}

/// Narrows the list to a search and a tab.
fn narrow(query: Typed, tab: Option<ProviderType>, context: &mut Context) {
    context.provider_list.narrow(query, tab);
    if context.provider_list.providers.is_some() {
        context.announce(list::announce_matches(context));
    }
}
