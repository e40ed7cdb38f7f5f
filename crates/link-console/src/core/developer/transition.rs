//! Acts of the member on the developers' pages.

use link_types::Mode;

use super::verify::verdict;
use super::{Input, Opened};
use crate::core::page::Page;
use crate::core::rest::{Activity, Advance, DeliveryQuery, Fired, Rest, WebhookDraft};
use crate::core::state::{Loaded, State};
use crate::core::{Effect, Request};

/// How often a page asks again for a delivery or a clock that is about to change.
const POLLS: u8 = 20;

impl State {
    /// Handles what happened on one of the developers' pages.
    pub(in crate::core) fn handle_input(&mut self, input: Input) -> Vec<Effect> {
        let Some(mode) = self.page.mode() else { return Vec::new() };
        let send = |rest| vec![Effect::Send(Request::Rest(mode, rest))];
        let it = &mut self.developer;
        match input {
            Input::UrlTyped(url) => it.webhook_form_mut(mode).draft.url = url,
            Input::AllChosen(all) => {
                let types = if all { WebhookDraft::empty().event_types } else { Vec::new() };
                it.webhook_form_mut(mode).draft.event_types = types;
            }
            Input::EventToggled(event_type) => {
                let types = &mut it.webhook_form_mut(mode).draft.event_types;
                let before = types.len();
                types.retain(|it| it != event_type.as_str());
                if types.len() == before {
                    types.push(event_type.as_str().to_owned());
                }
            }
            Input::Resumed(id) => {
                (self.failure, self.notice) = (None, None);
                return send(Rest::SetActive(id, Activity { active: true }));
            }
            Input::RotationWanted(id) => {
                (self.failure, self.notice) = (None, None);
                return send(Rest::RotateSecret(id));
            }
            Input::PingWanted(_) if it.ping == Some(Loaded::Loading) => {}
            Input::PingWanted(id) => {
                it.ping = Some(Loaded::Loading);
                return send(Rest::Ping(id));
            }
            Input::StatusChosen(status) => return self.filter(|query| query.status = status),
            Input::TypeChosen(event_type) => return self.filter(|query| query.event_type = event_type),
            Input::FirstDayChosen(day) => return self.filter(|query| query.first_day = day),
            Input::LastDayChosen(day) => return self.filter(|query| query.last_day = day),
            Input::MoreWanted => return self.more(),
            Input::RefreshWanted => {
                it.polls_left = 0;
                return self.load();
            }
            Input::DeliveryOpened(delivery) => return self.open_delivery(mode, *delivery),
            Input::DeliveryClosed => {
                it.opened = None;
                return vec![Effect::Focus("#deliveries")];
            }
            Input::ResendWanted => return self.resend(mode),
            Input::SecretTyped(secret) => (it.verify.secret, it.verify.verdict) = (secret, None),
            Input::SignatureTyped(text) => (it.verify.signature, it.verify.verdict) = (text, None),
            Input::BodyTyped(body) => (it.verify.body, it.verify.verdict) = (body, None),
            Input::CheckWanted => {
                let (secret, body) = (it.verify.secret.clone(), it.verify.body.clone());
                return vec![Effect::Digest { secret, body }];
            }
            Input::Digested(digests) => {
                it.verify.verdict = Some(verdict(&it.verify.signature, digests.as_ref()));
            }
            Input::TypeOpened(event_type) => {
                (it.example, it.fired) = (Some((event_type, Loaded::Loading)), None);
                let example = Effect::Send(Request::Rest(mode, Rest::Example(event_type)));
                return vec![example, Effect::Focus("#example")];
            }
            Input::FireWanted => {
                let Some((event_type, _)) = it.example else { return Vec::new() };
                if it.fired != Some(Loaded::Loading) {
                    it.fired = Some(Loaded::Loading);
                    return send(Rest::Fire(Fired { r#type: event_type }));
                }
            }
            Input::LoginTyped(login) => it.login_form.draft.login = login,
            Input::AskChosen(ask) => it.login_form.draft.asks = ask.into_iter().collect(),
            Input::ErrorChosen(code) => it.login_form.draft.error_code = code,
            Input::AdvanceWanted(seconds) => {
                it.polls_left = POLLS;
                (self.failure, self.notice) = (None, None);
                return send(Rest::Advance(Advance { seconds }));
            }
            Input::StopWanted => {
                self.failure = None;
                return send(Rest::StopClock);
            }
            Input::LogFiltered(filter) => it.log_filter = filter,
        }
        Vec::new()
    }

    /// Forgets what the last page showed. Drafts stay, without the errors of the last attempt.
    pub(in crate::core) fn open_developer_page(&mut self) {
        let before = std::mem::take(&mut self.developer);
        let is_log = matches!(self.page, Page::Requests(_) | Page::Errors(_));
        let log_filter = if is_log { before.log_filter.clone() } else { Default::default() };
        let is_sending = before.webhook_form(Mode::Sandbox).is_sending;
        let production_is_sending = before.webhook_form(Mode::Production).is_sending;
        let login_is_sending = before.login_form.is_sending;
        self.developer = super::Developer { log_filter, polls_left: POLLS, ..before.drafts() };
        self.developer.sandbox_webhook.is_sending = is_sending;
        self.developer.production_webhook.is_sending = production_is_sending;
        self.developer.login_form.is_sending = login_is_sending;
    }

    /// Changes the filters of the deliveries, and loads them.
    fn filter(&mut self, change: impl FnOnce(&mut DeliveryQuery)) -> Vec<Effect> {
        let Page::Webhook(mode, id) = self.page else { return Vec::new() };
        change(&mut self.developer.query);
        self.developer.deliveries = Loaded::Loading;
        let list = Rest::ListDeliveries(id, self.developer.query.clone());
        vec![Effect::Send(Request::Rest(mode, list))]
    }

    /// Loads the next page of the list.
    fn more(&self) -> Vec<Effect> {
        let it = &self.developer;
        let request = match (self.page, &it.next, &it.logins) {
            (Page::Webhook(mode, id), Some(cursor), _) => {
                let query = DeliveryQuery { cursor: Some(cursor.clone()), ..it.query.clone() };
                Request::Rest(mode, Rest::ListDeliveries(id, query))
            }
            (Page::Logins, _, Loaded::Ready(logins)) if logins.next_cursor.is_some() => {
                Request::Rest(Mode::Sandbox, Rest::ListLogins(logins.next_cursor.clone()))
            }
            _ => return Vec::new(),
        };
        vec![Effect::Send(request)]
    }

    fn open_delivery(&mut self, mode: Mode, delivery: link_types::webhook::Delivery) -> Vec<Effect> {
        let Page::Webhook(_, webhook) = self.page else { return Vec::new() };
        let (id, event) = (delivery.id.clone(), delivery.event_id.clone());
        let body = if self.may(mode, link_types::console::Permission::ReadEvents) {
            Loaded::Loading
        } else {
            Loaded::Failed(crate::core::Failure::Denied)
        };
        let reads_body = body == Loaded::Loading;
        let requests =
            [Some(Rest::GetDelivery(webhook, id.clone())), reads_body.then_some(Rest::GetEvent(event))];
        self.developer.opened =
            Some(Opened { id, delivery: Loaded::Ready(delivery), body, is_sending: false });
        let sent = requests.into_iter().flatten().map(|it| Effect::Send(Request::Rest(mode, it)));
        sent.chain([Effect::Focus("#delivery")]).collect()
    }

    fn resend(&mut self, mode: Mode) -> Vec<Effect> {
        let Page::Webhook(_, webhook) = self.page else { return Vec::new() };
        self.failure = None;
        let Some(opened) = self.developer.opened.as_mut().filter(|it| !it.is_sending) else {
            return Vec::new();
        };
        opened.is_sending = true;
        vec![Effect::Send(Request::Rest(mode, Rest::Resend(webhook, opened.id.clone())))]
    }

    /// Restarts the polls, after something that changes soon.
    pub(in crate::core) fn poll_again(&mut self) {
        self.developer.polls_left = POLLS;
    }

    /// Asks again later, for as long as the polls last.
    pub(in crate::core) fn poll(&mut self, request: Request) -> Vec<Effect> {
        match self.developer.polls_left.checked_sub(1) {
            Some(left) => {
                self.developer.polls_left = left;
                vec![Effect::SendLater(request)]
            }
            None => Vec::new(),
        }
    }
}
