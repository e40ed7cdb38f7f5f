//! Runs effects. The match below names every effect.

pub mod deferred;
mod payload;
mod runner;

use gloo_timers::callback::Timeout;
use link_flow::Effect;
use link_flow::event::{Event, Reply, TimerId};
use link_types::host::Callback;
use wasm_bindgen::JsValue;

pub use self::runner::Runner;
use self::runner::{check_done, decode_reply};
use crate::encode::encode;
use crate::host::{HostReply, LinkHost};

impl Runner {
    /// Starts an effect.
    pub fn run(&self, effect: Effect) {
        match effect {
            Effect::Ready => self.host.ready(),
            Effect::Exchange { request, token } => {
                let sent = self.host.exchange(token.expose(), &self.template_id);
                self.report(request, sent, session);
            }
            Effect::LoadSession { request } => {
                let sent = self.send("GET", "/link/session", &JsValue::NULL);
                self.report(request, sent, session);
            }
            Effect::EndSession => drop(self.send("DELETE", "/link/session", &JsValue::NULL)),
            Effect::LoadProviders { request, cursor } => {
                let path = match cursor {
                    Some(cursor) => format!("/link/providers?cursor={}", escape(&cursor)),
                    None => "/link/providers".to_owned(),
                };
                let sent = self.send("GET", &path, &JsValue::NULL);
                self.report(request, sent, |reply| Reply::Providers(decode_reply(reply)));
            }
            Effect::LoadProvider { request, provider } => {
                let path = format!("/link/providers/{}", escape(provider.as_str()));
                let sent = self.send("GET", &path, &JsValue::NULL);
                self.report(request, sent, |reply| Reply::Provider(decode_reply(reply)));
            }
            Effect::StartLink { request, body } => deferred::start(self, request, &body),
            Effect::PollAccount { request, account, after, wait_ms } => {
                deferred::poll(self, request, &account, after, wait_ms);
            }
            Effect::Answer { request, account, body } => deferred::answer(self, request, &account, &body),
            Effect::Resend { request, account, body } => deferred::resend(self, request, &account, &body),
            Effect::Extend { request, account, body } => deferred::extend(self, request, &account, &body),
            Effect::LoadChunk { request } => {
                self.report(request, self.host.load_chunk(), |reply| Reply::Done(check_done(reply)));
            }
            Effect::LoadLinked { request } => deferred::load_linked(self, request),
            Effect::AskRevocation { request, item } => deferred::ask_revocation(self, request, &item),
            Effect::Revoke { request, item, body } => deferred::revoke(self, request, &item, &body),
            Effect::SaveResumePoint { request, body } => {
                let sent = self.send("PUT", "/link/attempt", &encode(&*body));
                self.report(request, sent, |reply| Reply::Done(check_done(reply)));
            }
            Effect::SendSurvey { request, body } => deferred::survey(self, request, &body),
            Effect::Archive { request, ask } => deferred::archive(self, request, ask),
            Effect::Handoff { request, ask } => deferred::handoff(self, request, ask),
            Effect::File(order) => deferred::file(self, &order),
            Effect::StartTimer { timer, after_ms } => start_timer(self.events.clone(), timer, after_ms),
            Effect::Emit { key, callback } => emit(&self.host, &key, callback),
            Effect::Close { closed } => self.host.close(&encode(&closed)),
        }
    }
}

/// Reads the response to an exchange. `None` means that there was none.
pub fn session(response: Option<HostReply>) -> Reply {
    Reply::Session(decode_reply(response))
}

fn escape(part: &str) -> String {
    js_sys::encode_uri_component(part).into()
}

/// Passes a callback to the host. Adds the time to UI events, because the flow has no clock.
fn emit(host: &LinkHost, key: &str, mut callback: Callback) {
    if let Callback::UiEvent(event) = &mut callback {
        event.event_time = js_sys::Date::new_0().to_iso_string().into();
    }
    host.emit(key, &encode(&callback));
}

/// Reports after a delay, with the time that really passed: a sleeping tab fires late.
fn start_timer(events: yew::Callback<Event>, timer: TimerId, after_ms: u32) {
    let started = now();
    let report = move || events.emit(Event::TimerFired { timer, elapsed_ms: now().wrapping_sub(started) });
    Timeout::new(after_ms, report).forget();
}

/// Returns milliseconds by the browser's monotonic clock.
fn now() -> u32 {
    web_sys::window().and_then(|window| window.performance()).map_or(0, |clock| clock.now() as u32)
}
