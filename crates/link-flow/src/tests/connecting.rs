use link_types::host::UiEventName;
use link_types::link::{ConnectStep, LinkPhase};

use super::fixtures;
use super::harness;
use crate::Effect;
use crate::event::{RequestError, RequestId};
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::{Block, StageState};

fn poll(request: RequestId, after: u32) -> Effect {
    Effect::PollAccount { request, account: fixtures::account_id(), after, wait_ms: 20_000 }
}

#[test]
fn connecting_polls_from_known_version() {
    let mut harness = harness::sending();
    let effects = harness.reply_account(1, fixtures::logging_in());
    assert_eq!(effects.last(), Some(&poll(harness.request, 1)));
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::ConnectProgressPageOpened));
}

#[test]
fn connecting_shows_stages_of_service() {
    let mut harness = harness::at_connecting();
    harness.reply_account(2, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    let blocks = harness.view().page.blocks;
    let states: Vec<StageState> = blocks
        .into_iter()
        .filter_map(|block| if let Block::Progress { stages } = block { Some(stages) } else { None })
        .flatten()
        .map(|stage| stage.state)
        .collect();
    assert_eq!(states, [StageState::Done, StageState::Done, StageState::Current, StageState::Waiting]);
    assert_eq!(harness.announcement(), Some(Message::ConnectingStageAnswer.into()));
}

#[test]
fn connecting_polls_again_after_change() {
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(2, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    assert_eq!(effects, vec![poll(harness.request, 2)]);
}

#[test]
fn long_wait_is_announced_once() {
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(1, fixtures::logging_in());
    assert_eq!(effects, vec![Effect::StartTimer { timer: harness.timer, after_ms: 500 }]);
    let slow = Some(Text::with(Message::ConnectingSlow, vec!["Seguro Social".into()]));
    assert_eq!(harness.announcement(), slow);
    let turn = harness.view().announcement.turn;
    assert_eq!(harness.wait(500), vec![poll(harness.request, 1)]);
    harness.reply_account(1, fixtures::logging_in());
    assert_eq!(harness.view().announcement.turn, turn);
}

#[test]
fn poll_retries_with_growing_delays() {
    let mut harness = harness::at_connecting();
    for delay_ms in [1_000, 2_000, 4_000, 8_000, 8_000] {
        let effects = harness.refuse_account(RequestError::Unreachable);
        assert_eq!(effects, vec![Effect::StartTimer { timer: harness.timer, after_ms: delay_ms }]);
        assert_eq!(harness.wait(delay_ms), vec![poll(harness.request, 1)]);
    }
    assert_eq!(harness.notice().unwrap().1, Some(Message::ConnectingLostTitle.into()));
    harness.reply_account(1, fixtures::logging_in());
    assert_eq!(harness.notice(), None, "the notice disappears after the reconnection");
}

#[test]
fn missing_account_leads_to_provider_list() {
    let mut harness = harness::at_connecting();
    harness.refuse_account(fixtures::problem(404, link_types::problem::ProblemCode::MissingResource));
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn older_version_is_ignored() {
    let mut harness = harness::at_connecting();
    harness.reply_account(0, LinkPhase::Connected {});
    assert_eq!(harness.heading(), Message::ConnectingTitle);
    assert_eq!(harness.callbacks(), ["onAccountCreated"]);
}

#[test]
fn each_final_phase_has_its_screen() {
    let ends = [
        (fixtures::challenge_phase(fixtures::code()), Message::ChallengeCodeTitle),
        (LinkPhase::Connected {}, Message::SuccessTitle),
        (fixtures::failed_phase(link_types::LinkErrorCode::AccountLocked), Message::ErrorAccountLockedTitle),
        (LinkPhase::Disconnected {}, Message::ProvidersTitle),
    ];
    for (phase, heading) in ends {
        let mut harness = harness::at_connecting();
        harness.reply_account(2, phase);
        assert_eq!(harness.heading(), heading);
    }
}
