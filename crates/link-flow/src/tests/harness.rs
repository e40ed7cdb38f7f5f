//! Drives a flow. It remembers the open request and timer, so that a test names only what a person would.

mod setup;

use link_types::handoff::HandoffPhase;
use link_types::host::{Callback, CloseReason, Closed, LinkMistake, UiEventName, WidgetOptions};
use link_types::link::{LinkPhase, LinkSession};
use link_types::provider::Provider;
use link_types::uploading::ResumePoint;
use link_types::{Mode, Sensitive};

pub(crate) use setup::{
    at_accounts, at_challenge, at_challenge_with_uploads, at_connecting, at_consent, at_data_choice,
    at_failure, at_failure_with_uploads, at_handoff, at_login, at_provider, at_providers, at_success,
    at_survey, at_uploads, exchanging, listing, sending, take_up,
};

use super::fixtures;
use crate::call::SLOW_MS;
use crate::event::{Press, Reply, RequestError, RequestId, TimerId};
use crate::generated::message::Message;
use crate::view::block::{Action, Block, ChoiceList, Field, Severity};
use crate::view::{Text, Typed, View};
use crate::{Effect, Event, Flow, Secrets};

/// A secret that may appear only in effects.
pub(crate) const CANARY: &str = "canary-hunter2";

/// A flow and what it waits for.
pub(crate) struct Harness {
    pub(crate) flow: Flow,
    pub(crate) request: RequestId,
    pub(crate) timer: TimerId,
    /// The timer after which the open request takes longer than usual.
    timeout: TimerId,
    /// The last effect was a request; its timer follows.
    has_asked: bool,
    pub(crate) session_timers: Vec<TimerId>,
    pub(crate) emitted: Vec<(String, Callback)>,
    pub(crate) saving: RequestId,
    pub(crate) saved: Vec<ResumePoint>,
}

pub(crate) fn token(text: &str) -> Sensitive {
    Sensitive::new(text)
}

pub(crate) fn secrets(field: &str) -> Secrets {
    let mut secrets = Secrets::none();
    secrets.insert(field, CANARY);
    secrets
}

pub(crate) fn open_event() -> Event {
    open_event_as("opening")
}

/// Opens on a computer, which offers to continue on a phone.
pub(crate) fn open_event_on_computer() -> Event {
    let (token, opening) = (token("first"), "opening".to_owned());
    Event::Opened { token, mode: Mode::Sandbox, is_touch: false, opening, last_seq: 0 }
}

pub(crate) fn open_event_as(opening: &str) -> Event {
    let opening = opening.to_owned();
    Event::Opened { token: token("first"), mode: Mode::Sandbox, is_touch: true, opening, last_seq: 0 }
}

impl Harness {
    pub(crate) fn new(options: WidgetOptions) -> Self {
        Self {
            flow: Flow::new(options),
            request: RequestId(0),
            timer: TimerId(0),
            timeout: TimerId(0),
            has_asked: false,
            session_timers: Vec::new(),
            emitted: Vec::new(),
            saving: RequestId(0),
            saved: Vec::new(),
        }
    }

    /// Sends an event. Records session timers, timers of slow requests, UI events and saves of the resume point, and
    /// leaves them out of the result.
    pub(crate) fn send(&mut self, event: Event) -> Vec<Effect> {
        self.has_asked = false;
        let effects = self.flow.handle(event);
        effects.into_iter().filter(|effect| self.note(effect)).collect()
    }

    fn note(&mut self, effect: &Effect) -> bool {
        let has_asked = core::mem::take(&mut self.has_asked);
        match effect {
            Effect::Exchange { request, .. }
            | Effect::LoadSession { request }
            | Effect::LoadProviders { request, .. }
            | Effect::LoadProvider { request, .. }
            | Effect::StartLink { request, .. }
            | Effect::PollAccount { request, .. }
            | Effect::Answer { request, .. }
            | Effect::Resend { request, .. }
            | Effect::Extend { request, .. }
            | Effect::LoadLinked { request }
            | Effect::LoadChunk { request }
            | Effect::AskRevocation { request, .. }
            | Effect::Revoke { request, .. }
            | Effect::SendSurvey { request, .. }
            | Effect::Archive { request, .. }
            | Effect::Handoff { request, .. } => {
                self.request = *request;
                self.has_asked = true;
            }
            Effect::StartTimer { timer, after_ms } => {
                let of_session = [fixtures::EXPIRES_IN_MS, fixtures::ENDS_IN_MS].map(|lasts| lasts - 60_000);
                if of_session.contains(after_ms) {
                    self.session_timers.push(*timer);
                    return false;
                }
                if has_asked && *after_ms == SLOW_MS {
                    self.timeout = *timer;
                    return false;
                }
                self.timer = *timer;
            }
            Effect::Emit { key, callback } => {
                self.emitted.push((key.clone(), callback.clone()));
                return !matches!(callback, Callback::UiEvent(_));
            }
            Effect::SaveResumePoint { request, body } => {
                self.saving = *request;
                self.saved.push((**body).clone());
                return false;
            }
            Effect::File(_) | Effect::Ready | Effect::EndSession | Effect::Close { .. } => {}
        }
        true
    }

    pub(crate) fn press(&mut self, press: Press) -> Vec<Effect> {
        self.send(Event::Pressed(press))
    }

    /// Replies to the open request.
    pub(crate) fn reply(&mut self, reply: Reply) -> Vec<Effect> {
        let request = self.request;
        self.send(Event::Replied { request, reply })
    }

    pub(crate) fn reply_session(&mut self, session: LinkSession) -> Vec<Effect> {
        self.reply(Reply::Session(Ok(Box::new(session))))
    }

    pub(crate) fn reply_provider(&mut self, provider: Provider) -> Vec<Effect> {
        self.reply(Reply::Provider(Ok(Box::new(provider))))
    }

    pub(crate) fn reply_account(&mut self, version: u32, phase: LinkPhase) -> Vec<Effect> {
        self.reply(Reply::Account(Ok(Box::new(fixtures::progress(version, phase)))))
    }

    pub(crate) fn reply_handoff(&mut self, phase: HandoffPhase) -> Vec<Effect> {
        self.reply(Reply::Handoff(Ok(Box::new(fixtures::handoff(phase)))))
    }

    pub(crate) fn refuse_session(&mut self, refusal: RequestError) -> Vec<Effect> {
        self.reply(Reply::Session(Err(refusal)))
    }

    pub(crate) fn refuse_account(&mut self, refusal: RequestError) -> Vec<Effect> {
        self.reply(Reply::Account(Err(refusal)))
    }

    /// Fires the open timer.
    pub(crate) fn wait(&mut self, elapsed_ms: u32) -> Vec<Effect> {
        let timer = self.timer;
        self.send(Event::TimerFired { timer, elapsed_ms })
    }

    /// Lets the open request take longer than usual.
    pub(crate) fn takes_long(&mut self) -> Vec<Effect> {
        let timer = self.timeout;
        self.send(Event::TimerFired { timer, elapsed_ms: SLOW_MS })
    }

    /// Fires the timer of the session's last minute.
    pub(crate) fn session_ends(&mut self) -> Vec<Effect> {
        let timer = *self.session_timers.last().unwrap();
        self.send(Event::TimerFired { timer, elapsed_ms: fixtures::EXPIRES_IN_MS - 60_000 })
    }

    pub(crate) fn edit(&mut self, field: &str, text: &str) -> Vec<Effect> {
        self.send(Event::Edited { field: field.to_owned(), text: Typed::new(text) })
    }

    pub(crate) fn leave_field(&mut self, field: &str) -> Vec<Effect> {
        self.send(Event::Left { field: field.to_owned() })
    }

    pub(crate) fn choose(&mut self, id: &str) -> Vec<Effect> {
        self.send(Event::Chosen { id: id.to_owned() })
    }

    pub(crate) fn submit(&mut self, field: &str) -> Vec<Effect> {
        self.send(Event::Submitted(secrets(field)))
    }

    /// Submits a code.
    pub(crate) fn submit_code(&mut self, code: &str) -> Vec<Effect> {
        let mut secrets = Secrets::none();
        secrets.insert("answer", code);
        self.send(Event::Submitted(secrets))
    }

    // The screen.

    pub(crate) fn view(&self) -> View {
        self.flow.view()
    }

    pub(crate) fn heading(&self) -> Message {
        let blocks = self.view().page.blocks;
        heading(&blocks)
    }

    pub(crate) fn overlay_heading(&self) -> Option<Message> {
        self.view().overlay.map(|overlay| heading(&overlay.blocks))
    }

    pub(crate) fn field(&self, id: &str) -> Option<Field> {
        let fields = self.view().page.blocks.into_iter();
        fields
            .filter_map(|block| if let Block::Field(field) = block { Some(*field) } else { None })
            .find(|it| it.id == id)
    }

    pub(crate) fn field_ids(&self) -> Vec<String> {
        let fields = self.view().page.blocks.into_iter();
        fields
            .filter_map(|block| if let Block::Field(field) = block { Some(field.id) } else { None })
            .collect()
    }

    pub(crate) fn lists(&self) -> Vec<ChoiceList> {
        let blocks = self.view().page.blocks.into_iter();
        blocks.filter_map(|block| if let Block::Choices(list) = block { Some(list) } else { None }).collect()
    }

    /// Returns the ids of all choices, in order, except rows that lead to other screens, whose ids begin with a slash.
    pub(crate) fn choices(&self) -> Vec<String> {
        let ids = self.lists().into_iter().flat_map(|list| list.choices).map(|choice| choice.id);
        ids.filter(|id| !id.starts_with('/')).collect()
    }

    /// Returns the ids of the rows that lead to other screens.
    pub(crate) fn ways(&self) -> Vec<String> {
        let ids = self.lists().into_iter().flat_map(|list| list.choices).map(|choice| choice.id);
        ids.filter(|id| id.starts_with('/')).collect()
    }

    pub(crate) fn notice(&self) -> Option<(Severity, Option<Text>, Text)> {
        self.view().page.blocks.into_iter().find_map(|block| {
            if let Block::Notice { severity, title, text } = block {
                Some((severity, title, text))
            } else {
                None
            }
        })
    }

    pub(crate) fn actions(&self) -> (Action, Option<Action>) {
        let view = self.view();
        let blocks = view.overlay.map_or(view.page.blocks, |overlay| overlay.blocks);
        let last = blocks.into_iter().last();
        let Some(Block::Actions { primary, secondary }) = last else { panic!("the last block is {last:?}") };
        (primary, secondary)
    }

    /// Returns the text of the live region.
    pub(crate) fn announcement(&self) -> Option<Text> {
        self.view().announcement.text
    }

    /// Returns the UI events so far.
    pub(crate) fn ui_events(&self) -> Vec<UiEventName> {
        let events = self.emitted.iter();
        events
            .filter_map(
                |(_, it)| if let Callback::UiEvent(event) = it { Some(event.event_name) } else { None },
            )
            .collect()
    }

    /// Returns the errors for the developer so far.
    pub(crate) fn errors(&self) -> Vec<LinkMistake> {
        self.emitted
            .iter()
            .filter_map(
                |(_, callback)| if let Callback::Error(it) = callback { Some(it.cause) } else { None },
            )
            .collect()
    }

    /// Returns the names of the other callbacks so far.
    pub(crate) fn callbacks(&self) -> Vec<&'static str> {
        self.emitted.iter().filter_map(|(_, callback)| callback_name(callback)).collect()
    }
}

/// The effect that closes the widget, without what it reports to `onClose`.
pub(crate) const fn close(reason: CloseReason) -> Effect {
    Effect::Close { closed: Closed { reason, last_page: None, provider_id: None, error_code: None } }
}

/// Removes from the effects what is reported to `onClose`. `closing_point.rs` tests it.
pub(crate) fn without_closing_point(mut effects: Vec<Effect>) -> Vec<Effect> {
    for effect in &mut effects {
        if let Effect::Close { closed } = effect {
            *effect = close(closed.reason);
        }
    }
    effects
}

fn heading(blocks: &[Block]) -> Message {
    let headings: Vec<Message> = blocks
        .iter()
        .filter_map(|block| {
            if let Block::Heading { text: Text::Message(message, _), .. } = block {
                Some(*message)
            } else {
                None
            }
        })
        .collect();
    assert_eq!(headings.len(), 1, "one heading a page: {blocks:?}");
    headings[0]
}

pub(crate) fn callback_name(callback: &Callback) -> Option<&'static str> {
    match callback {
        Callback::AccountCreated(_) => Some("onAccountCreated"),
        Callback::AccountConnected(_) => Some("onAccountConnected"),
        Callback::AccountRemoved(_) => Some("onAccountRemoved"),
        Callback::AccountError(_) => Some("onAccountError"),
        Callback::TokenExpired {} => Some("onTokenExpired"),
        Callback::Close(_) => Some("onClose"),
        Callback::UploadsCreated(_) => Some("onUploadsCreated"),
        Callback::UploadsRemoved(_) => Some("onUploadsRemoved"),
        Callback::UiEvent(_) => None,
        Callback::Error(_) => Some("error"),
    }
}
