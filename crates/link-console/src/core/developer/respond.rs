//! The responses to the requests of the developers' pages.

use link_types::Mode;
use link_types::clock::ClockAdvanceStatus;
use link_types::list;
use link_types::webhook::{Delivery, DeliveryStatus};

use crate::core::page::Page;
use crate::core::rest::{DeliveryQuery, Login, LoginDraft, Logins, Rest, RestResponse, WebhookDraft};
use crate::core::state::{Loaded, Once, State};
use crate::core::{Effect, Failure, Request, Text};

impl State {
    /// Handles a successful response.
    pub(in crate::core) fn accept_rest(
        &mut self,
        mode: Mode,
        sent: Rest,
        response: RestResponse,
    ) -> Vec<Effect> {
        let is_shown = self.page.mode() == Some(mode);
        match (sent, response) {
            (Rest::CreateWebhook(draft), RestResponse::Secret(webhook, secret)) => {
                self.developer.webhook_form_mut(mode).accept(&draft, WebhookDraft::empty());
                self.show_once(Once::WebhookSecret(mode, webhook.name, secret))
            }
            (Rest::RotateSecret(_), RestResponse::Secret(webhook, secret)) => {
                self.show_once(Once::WebhookSecret(mode, webhook.name, secret))
            }
            (Rest::CreateLogin(draft), RestResponse::Done) => {
                self.developer.login_form.accept(&draft, LoginDraft::default());
                self.notice = Some(Text::LoginCreated);
                self.load()
            }
            (sent @ (Rest::DeleteWebhook(_) | Rest::DeleteLogin(_) | Rest::SetActive(..)), _) => {
                self.finish_act(mode, sent)
            }
            // Another page is shown by now.
            _ if !is_shown => Vec::new(),
            (sent, response) => self.show(mode, sent, response),
        }
    }

    fn finish_act(&mut self, mode: Mode, sent: Rest) -> Vec<Effect> {
        self.notice = Some(if let Rest::SetActive(_, activity) = &sent {
            if activity.active { Text::WebhookResumed } else { Text::WebhookPaused }
        } else if let Rest::DeleteWebhook(_) = &sent {
            Text::WebhookDeleted
        } else {
            Text::LoginDeleted
        });
        let leaves =
            matches!((&sent, self.page), (Rest::DeleteWebhook(id), Page::Webhook(_, shown)) if *id == shown);
        let request = Request::Rest(mode, sent);
        let had_question = self.question.take_if(|it| it.request() == request).is_some();
        if leaves {
            return vec![Effect::GoTo(Page::Webhooks(mode))];
        }
        let mut effects: Vec<Effect> = had_question.then_some(Effect::Focus("h1")).into_iter().collect();
        effects.extend(self.load());
        effects
    }

    /// Shows what was loaded, unless something else was asked for since.
    fn show(&mut self, mode: Mode, sent: Rest, response: RestResponse) -> Vec<Effect> {
        let it = &mut self.developer;
        match (sent, response) {
            (Rest::ListWebhooks, RestResponse::Webhooks(webhooks)) => it.webhooks = Loaded::Ready(webhooks),
            (Rest::WebhookHealth, RestResponse::Health(health)) => it.health = health,
            (Rest::GetWebhook(id), RestResponse::Webhook(webhook))
                if self.page == Page::Webhook(mode, id) =>
            {
                it.webhook = Loaded::Ready(*webhook);
            }
            (Rest::ListDeliveries(id, query), RestResponse::Deliveries(page))
                if self.page == Page::Webhook(mode, id) =>
            {
                return self.show_deliveries(mode, id, query, page);
            }
            (Rest::GetDelivery(_, id), RestResponse::Delivery(delivery)) => {
                if let Some(opened) = it.opened.as_mut().filter(|it| it.id == id) {
                    opened.delivery = Loaded::Ready(*delivery);
                }
            }
            (Rest::Resend(_, id), RestResponse::Delivery(_)) => {
                if let Some(opened) = it.opened.as_mut().filter(|it| it.id == id) {
                    opened.is_sending = false;
                }
                self.people.acting = None;
                self.notice = Some(Text::DeliveryResent);
                self.poll_again();
                return self.load();
            }
            (Rest::GetEvent(_), RestResponse::Event(body)) => {
                if let Some(opened) = &mut it.opened {
                    opened.body = Loaded::Ready(body);
                }
            }
            (Rest::Ping(_), RestResponse::Ping(result)) => {
                it.ping = Some(Loaded::Ready(*result));
                return vec![Effect::Focus("#ping")];
            }
            (Rest::Example(sent), RestResponse::Event(body)) => {
                if let Some((_, example)) = it.example.as_mut().filter(|(chosen, _)| *chosen == sent) {
                    *example = Loaded::Ready(body);
                }
            }
            (Rest::Fire(_), RestResponse::Event(body)) => {
                it.fired = Some(Loaded::Ready(body));
                return vec![Effect::Focus("#fired")];
            }
            (Rest::ListLogins(from), RestResponse::Logins(logins)) => it.show_logins(from.is_some(), *logins),
            (Rest::ReadClock | Rest::Advance(_) | Rest::StopClock, RestResponse::Clock(clock)) => {
                let moves = |it: &link_types::clock::ClockAdvance| it.status == ClockAdvanceStatus::Started;
                let is_moving = clock.advance.as_ref().is_some_and(moves);
                it.clock = Loaded::Ready(*clock);
                if is_moving {
                    return self.poll(Request::Rest(mode, Rest::ReadClock));
                }
            }
            (Rest::ListRequests, RestResponse::Requests(requests)) => it.requests = Loaded::Ready(*requests),
            _ => {}
        }
        Vec::new()
    }

    fn show_deliveries(
        &mut self,
        mode: Mode,
        id: crate::core::webhook_key::WebhookKey,
        query: DeliveryQuery,
        page: list::Page<Delivery>,
    ) -> Vec<Effect> {
        let it = &mut self.developer;
        let of_filter = DeliveryQuery { cursor: None, ..query.clone() };
        if of_filter != it.query {
            return Vec::new();
        }
        match (&mut it.deliveries, &query.cursor) {
            (Loaded::Ready(before), Some(cursor)) if it.next.as_ref() == Some(cursor) => {
                before.extend(page.items)
            }
            (_, Some(_)) => return Vec::new(),
            (deliveries, None) => *deliveries = Loaded::Ready(page.items),
        }
        it.next = page.next_cursor;
        let Loaded::Ready(shown) = &it.deliveries else { return Vec::new() };
        let is_due = shown.iter().any(|it| it.status == DeliveryStatus::Pending);
        let opened = it.opened.as_ref().map(|it| Rest::GetDelivery(id, it.id.clone()));
        if !is_due || query.cursor.is_some() {
            // The panel shows the last attempt too.
            return opened.map(|it| Effect::Send(Request::Rest(mode, it))).into_iter().collect();
        }
        self.poll(Request::Rest(mode, Rest::ListDeliveries(id, of_filter)))
    }

    /// Handles a failed request.
    pub(in crate::core) fn refuse_rest(&mut self, mode: Mode, sent: &Rest, failure: Failure) -> Vec<Effect> {
        let is_shown = self.page.mode() == Some(mode);
        let it = &mut self.developer;
        let faulty = || vec![Effect::Focus("[aria-invalid=true], #failure")];
        match sent {
            Rest::CreateWebhook(_) => {
                it.webhook_form_mut(mode).refuse(failure);
                return faulty();
            }
            Rest::CreateLogin(_) => {
                it.login_form.refuse(failure);
                return faulty();
            }
            Rest::DeleteWebhook(_) | Rest::DeleteLogin(_) | Rest::SetActive(..) => {
                let request = Request::Rest(mode, sent.clone());
                match self.question.as_mut().filter(|it| it.request() == request) {
                    Some(question) => (question.is_sending, question.failure) = (false, Some(failure)),
                    None => return self.fail(failure),
                }
            }
            Rest::Resend(..) => {
                if let Some(opened) = &mut it.opened {
                    opened.is_sending = false;
                }
                self.people.acting = None;
                return self.fail(failure);
            }
            Rest::RotateSecret(_) | Rest::Advance(_) | Rest::StopClock => return self.fail(failure),
            _ if !is_shown => {}
            Rest::ListWebhooks => it.webhooks = Loaded::Failed(failure),
            // The list is complete without it.
            Rest::WebhookHealth => it.health = Vec::new(),
            Rest::GetWebhook(_) => it.webhook = Loaded::Failed(failure),
            Rest::ListDeliveries(_, query) if query.cursor.is_some() => return self.fail(failure),
            Rest::ListDeliveries(..) => it.deliveries = Loaded::Failed(failure),
            Rest::GetDelivery(..) => {
                if let Some(opened) = &mut it.opened {
                    opened.delivery = Loaded::Failed(failure);
                }
            }
            Rest::GetEvent(_) => {
                if let Some(opened) = &mut it.opened {
                    opened.body = Loaded::Failed(failure);
                }
            }
            Rest::Ping(_) => it.ping = Some(Loaded::Failed(failure)),
            Rest::Example(_) => {
                if let Some((_, example)) = &mut it.example {
                    *example = Loaded::Failed(failure);
                }
            }
            Rest::Fire(_) => it.fired = Some(Loaded::Failed(failure)),
            Rest::ListLogins(_) => it.logins = Loaded::Failed(failure),
            Rest::ReadClock => it.clock = Loaded::Failed(failure),
            Rest::ListRequests => it.requests = Loaded::Failed(failure),
        }
        Vec::new()
    }
}

impl super::Developer {
    fn show_logins(&mut self, is_further: bool, page: Logins) {
        if let Loaded::Ready(before) = &mut self.logins
            && is_further
        {
            let new = |it: &Login| before.items.iter().all(|known| known.id != it.id);
            let items: Vec<_> = page.items.into_iter().filter(new).collect();
            before.items.extend(items);
            before.next_cursor = page.next_cursor;
        } else {
            self.logins = Loaded::Ready(page);
        }
    }
}
