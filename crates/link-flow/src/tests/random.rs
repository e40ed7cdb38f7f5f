//! Invariants that hold for any events in any order.

mod actions;
mod drawable;

use std::collections::BTreeSet;

use link_types::host::{Callback, WidgetOptions};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::harness::{CANARY, open_event_on_computer};
use super::table::{STATE_KINDS, kind_of};
use crate::event::{Press, Reply, RequestId, TimerId};
use crate::{Effect, Event, Flow};
use actions::{Action, actions, onward, opening, reply};
use drawable::{check_arguments, check_view};

/// Observations of a run.
#[derive(Default)]
struct Witness {
    requests: Vec<(RequestId, Kind)>,
    saves: Vec<RequestId>,
    is_saving: bool,
    timers: Vec<TimerId>,
    closes: u32,
    last_seq: u32,
    keys: Vec<String>,
}

/// The type of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Session,
    Providers,
    Provider,
    Account,
    Linked,
    Archive,
    Revocation,
    Handoff,
    Done,
}

impl Witness {
    fn event(&self, step: Action, flow: &Flow) -> Event {
        match step {
            Action::Plain(event) => event,
            Action::Onward => onward(&flow.state),
            Action::Answer(answers, back) => {
                let (request, kind) = self.request(back);
                let reply = match kind {
                    Kind::Session => answers.session,
                    Kind::Providers => answers.providers,
                    Kind::Provider => answers.provider,
                    Kind::Account => answers.account,
                    Kind::Linked => answers.linked,
                    Kind::Archive => answers.archive,
                    Kind::Revocation => answers.revocation,
                    Kind::Handoff => answers.handoff,
                    Kind::Done => answers.done,
                };
                Event::Replied { request, reply }
            }
            Action::Reply(reply, back) => Event::Replied { request: self.request(back).0, reply },
            Action::Saved(reply, back) => {
                let at = self.saves.len().checked_sub(back + 1);
                Event::Replied { request: at.map_or(RequestId(0), |at| self.saves[at]), reply }
            }
            Action::Timer(elapsed_ms, back) => {
                let at = self.timers.len().checked_sub(back + 1);
                Event::TimerFired { timer: at.map_or(TimerId(0), |at| self.timers[at]), elapsed_ms }
            }
        }
    }

    fn request(&self, back: usize) -> (RequestId, Kind) {
        let at = self.requests.len().checked_sub(back + 1);
        at.map_or((RequestId(0), Kind::Session), |at| self.requests[at])
    }

    /// Records an event. A reply to a save allows the next one. So does a new session, because the reply may never
    /// arrive.
    fn record_event(&mut self, event: &Event) {
        if let Event::Replied { request, reply } = event {
            let is_session = matches!(reply, Reply::Session(Ok(_)));
            self.is_saving &= !is_session && self.saves.last() != Some(request);
        }
    }

    fn see(&mut self, effects: &[Effect]) {
        for effect in effects {
            assert_eq!(self.closes, 0, "an effect follows the terminal effect: {effect:?}");
            match effect {
                Effect::Exchange { request, .. } | Effect::LoadSession { request } => {
                    self.note_request(*request, Kind::Session);
                }
                Effect::LoadProviders { request, .. } => self.note_request(*request, Kind::Providers),
                Effect::LoadProvider { request, .. } => self.note_request(*request, Kind::Provider),
                Effect::StartLink { request, .. }
                | Effect::PollAccount { request, .. }
                | Effect::Answer { request, .. }
                | Effect::Resend { request, .. } => self.note_request(*request, Kind::Account),
                Effect::SaveResumePoint { request, .. } => {
                    assert!(!self.is_saving, "two saves run at once");
                    assert!(self.requests.iter().all(|(other, _)| other != request));
                    self.saves.push(*request);
                    self.is_saving = true;
                }
                Effect::StartTimer { timer, .. } => {
                    assert!(!self.timers.contains(timer), "numbers are not reused");
                    self.timers.push(*timer);
                }
                Effect::Emit { key, callback } => self.check_callback(key, callback),
                Effect::Close { .. } => self.closes += 1,
                Effect::Archive { request, .. } => self.note_request(*request, Kind::Archive),
                Effect::Extend { request, .. } => self.note_request(*request, Kind::Account),
                Effect::LoadLinked { request } => self.note_request(*request, Kind::Linked),
                Effect::AskRevocation { request, .. } => self.note_request(*request, Kind::Revocation),
                Effect::Handoff { request, .. } => self.note_request(*request, Kind::Handoff),
                Effect::Revoke { request, .. }
                | Effect::SendSurvey { request, .. }
                | Effect::LoadChunk { request } => {
                    self.note_request(*request, Kind::Done);
                }
                Effect::File(_) | Effect::Ready | Effect::EndSession => {}
            }
        }
    }

    fn note_request(&mut self, request: RequestId, kind: Kind) {
        assert!(self.requests.iter().all(|(other, _)| *other != request), "numbers are not reused");
        self.requests.push((request, kind));
    }

    fn check_callback(&mut self, key: &str, callback: &Callback) {
        if let Callback::UiEvent(event) = callback {
            assert!(event.seq > self.last_seq, "{} after {}", event.seq, self.last_seq);
            self.last_seq = event.seq;
            assert!(!self.keys.contains(&key.to_owned()), "UI events have different keys");
        }
        self.keys.push(key.to_owned());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_for_random_actions((options, in_parts) in opening(), actions in actions()) {
        let mut flow = if in_parts { Flow::in_parts(options) } else { Flow::new(options) };
        let mut witness = Witness::default();
        witness.see(&flow.handle(open_event_on_computer()));
        for step in actions {
            let event = witness.event(step, &flow);
            prop_assert!(!format!("{event:?}").contains(CANARY), "an event shows a secret");
            witness.record_event(&event);
            let effects = flow.handle(event);
            witness.see(&effects);
            let view = flow.view();
            check_view(&view);
            check_arguments(&view);
            let shown = format!("{view:?} {flow:?} {effects:?}");
            prop_assert!(!shown.contains(CANARY), "{shown}");
        }
        witness.see(&flow.handle(Event::Pressed(Press::Leave)));
        prop_assert_eq!(witness.closes, 1, "one terminal effect");
    }

    #[test]
    fn stale_replies_and_timers_are_ignored(actions in actions(), stale in reply(), elapsed_ms in 0..130_000_u32) {
        let mut flow = Flow::new(WidgetOptions::default());
        let mut witness = Witness::default();
        witness.see(&flow.handle(open_event_on_computer()));
        for step in actions {
            let event = witness.event(step, &flow);
            witness.record_event(&event);
            witness.see(&flow.handle(event));
            // Every request except the newest was answered or given up, so further replies are stale.
            let old: Vec<RequestId> = witness.requests.iter().rev().skip(1).map(|(request, _)| *request).collect();
            let before = (flow.view(), format!("{flow:?}"));
            for request in old {
                prop_assert_eq!(flow.handle(Event::Replied { request, reply: stale.clone() }), vec![]);
            }
            let unknown = TimerId(u32::MAX);
            prop_assert_eq!(flow.handle(Event::TimerFired { timer: unknown, elapsed_ms }), vec![]);
            prop_assert_eq!((flow.view(), format!("{flow:?}")), before);
        }
    }
}

#[test]
fn random_actions_reach_every_screen() {
    let mut runner = TestRunner::deterministic();
    let mut reached = BTreeSet::new();
    for _ in 0..200 {
        let actions = actions().new_tree(&mut runner).unwrap().current();
        let mut flow = Flow::new(WidgetOptions::default());
        let mut witness = Witness::default();
        witness.see(&flow.handle(open_event_on_computer()));
        for step in actions {
            let event = witness.event(step, &flow);
            witness.record_event(&event);
            witness.see(&flow.handle(event));
            reached.insert(kind_of(&flow.state));
        }
    }
    assert_eq!(reached.into_iter().collect::<Vec<_>>(), STATE_KINDS);
}
