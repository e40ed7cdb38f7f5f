//! Timers.

use gloo_timers::callback::Timeout;
use link_flow::event::{Event, TimerId};
use yew::Callback;

/// Reports after a delay, with the time that really passed: a sleeping tab fires late.
pub fn start(events: Callback<Event>, timer: TimerId, after_ms: u32) {
    let started = now();
    let report = move || events.emit(Event::TimerFired { timer, elapsed_ms: now().wrapping_sub(started) });
    Timeout::new(after_ms, report).forget();
}

/// Returns milliseconds by the browser's monotonic clock.
fn now() -> u32 {
    web_sys::window().and_then(|window| window.performance()).map_or(0, |clock| clock.now() as u32)
}
