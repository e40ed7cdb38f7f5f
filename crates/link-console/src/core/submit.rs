//! Forms and confirmations that are sent.

use link_types::Mode;

use super::Effect;
use super::page::Page;
use super::request::Request;
use super::rest::Rest;
use super::state::{State, Visitor};

impl State {
    pub(super) fn submit(&mut self) -> Vec<Effect> {
        self.notice = None;
        let request = match self.page {
            _ if self.visitor == Visitor::SignedOut => self.ask_for_link(),
            Page::Keys(mode) => self.key_form_mut(mode).start().map(|draft| Request::CreateKey(mode, draft)),
            Page::Members if self.awaits_address() => None,
            Page::Members => self.member_form.start().map(Request::InviteMember),
            Page::Webhooks(mode) => {
                let draft = self.developer.webhook_form_mut(mode).start();
                draft.map(|draft| Request::Rest(mode, Rest::CreateWebhook(draft)))
            }
            Page::Logins => {
                let draft = self.developer.login_form.start();
                draft.map(|draft| Request::Rest(Mode::Sandbox, Rest::CreateLogin(draft)))
            }
            Page::People(mode) => self.find_people(mode),
            Page::SingleSignOn => self.save_sign_on(),
            Page::Enter
            | Page::Overview
            | Page::Webhook(..)
            | Page::Templates(..)
            | Page::NewTemplate(..)
            | Page::CopiedTemplate(..)
            | Page::Template(..)
            | Page::Sites(_)
            | Page::NewSite(_)
            | Page::Site(..)
            | Page::Answers(..)
            | Page::Inviting(_)
            | Page::Person(..)
            | Page::Events
            | Page::Clock
            | Page::Requests(_)
            | Page::Errors(_)
            | Page::Funnel(_)
            | Page::Usage(_)
            | Page::Audit
            | Page::Sessions
            | Page::Passkeys
            | Page::Missing => None,
        };
        request.map(Effect::Send).into_iter().collect()
    }

    pub(super) fn confirm(&mut self) -> Vec<Effect> {
        let Some(question) = self.question.as_mut().filter(|it| it.is_ready()) else { return Vec::new() };
        (question.is_sending, question.failure) = (true, None);
        vec![Effect::Send(question.request())]
    }
}
