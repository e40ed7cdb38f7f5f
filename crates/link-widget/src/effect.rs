//! Runs effects. Each kind of work has its own file; the match below names every effect.

mod accounts;
pub mod archive;
mod emit;
mod handoff;
mod payload;
mod request;
mod runner;
mod timer;

use link_flow::Effect;
use link_flow::event::Reply;
use wasm_bindgen::JsValue;

pub use self::runner::Runner;
use crate::encode::encode;
use crate::host::HostReply;

impl Runner {
    /// Starts an effect.
    pub fn run(&self, effect: Effect) {
        match effect {
            Effect::Ready => self.host.ready(),
            Effect::Exchange { request, token } => {
                let sent = self.host.exchange(token.expose(), &self.template_id);
                self.answer(request, sent, session);
            }
            Effect::LoadSession { request } => {
                let sent = self.send("GET", "/link/session", &JsValue::NULL);
                self.answer(request, sent, session);
            }
            Effect::EndSession => drop(self.send("DELETE", "/link/session", &JsValue::NULL)),
            Effect::LoadProviders { request, cursor } => {
                let path = match cursor {
                    Some(cursor) => format!("/link/providers?cursor={}", escaped(&cursor)),
                    None => "/link/providers".to_owned(),
                };
                let sent = self.send("GET", &path, &JsValue::NULL);
                self.answer(request, sent, |reply| Reply::Providers(request::decoded(reply)));
            }
            Effect::LoadProvider { request, provider } => {
                let path = format!("/link/providers/{}", escaped(provider.as_str()));
                let sent = self.send("GET", &path, &JsValue::NULL);
                self.answer(request, sent, |reply| Reply::Provider(request::decoded(reply)));
            }
            Effect::StartLink { request, body } => accounts::start(self, request, &body),
            Effect::PollAccount { request, account, after, wait_ms } => {
                accounts::poll(self, request, &account, after, wait_ms);
            }
            Effect::Answer { request, account, body } => accounts::answer(self, request, &account, &body),
            Effect::Resend { request, account, body } => accounts::resend(self, request, &account, &body),
            Effect::Extend { request, account, body } => accounts::extend(self, request, &account, &body),
            Effect::LoadChunk { request } => {
                self.answer(request, self.host.load_chunk(), |reply| Reply::Done(request::done(reply)));
            }
            Effect::LoadLinked { request } => accounts::linked(self, request),
            Effect::AskRevocation { request, item } => accounts::ask_revocation(self, request, &item),
            Effect::Revoke { request, item, body } => accounts::revoke(self, request, &item, &body),
            Effect::SaveResumePoint { request, body } => {
                let sent = self.send("PUT", "/link/attempt", &encode(&*body));
                self.answer(request, sent, |reply| Reply::Done(request::done(reply)));
            }
            Effect::SendSurvey { request, body } => accounts::survey(self, request, &body),
            Effect::Archive { request, ask } => archive::archive(self, request, ask),
            Effect::Handoff { request, ask } => handoff::handoff(self, request, ask),
            Effect::File(order) => archive::file(self, &order),
            Effect::StartTimer { timer, after_ms } => timer::start(self.events.clone(), timer, after_ms),
            Effect::Emit { key, callback } => emit::emit(&self.host, &key, callback),
            Effect::Close { closed } => self.host.close(&encode(&closed)),
        }
    }
}

/// Reads the response to an exchange. `None` means that there was none.
pub fn session(response: Option<HostReply>) -> Reply {
    Reply::Session(request::decoded(response))
}

fn escaped(part: &str) -> String {
    js_sys::encode_uri_component(part).into()
}
