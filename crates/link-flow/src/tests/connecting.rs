use link_types::host::UiEventName;
use link_types::link::{ConnectStep, LinkPhase};

use super::desk;
use super::stock;
use crate::Effect;
use crate::event::{Refusal, RequestId};
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::{Block, StageState};

fn poll(request: RequestId, after: u32) -> Effect {
    Effect::PollAccount { request, account: stock::account_id(), after, wait_ms: 20_000 }
}

#[test]
fn the_service_is_polled_from_the_version_known() {
    let mut desk = desk::sending();
    let effects = desk.reply_account(1, stock::logging_in());
    assert_eq!(effects.last(), Some(&poll(desk.request, 1)));
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::ConnectProgressPageOpened));
}

#[test]
fn the_stages_are_the_services_own() {
    let mut desk = desk::at_connecting();
    desk.reply_account(2, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    let blocks = desk.view().page.blocks;
    let states: Vec<StageState> = blocks
        .into_iter()
        .filter_map(|block| if let Block::Progress { stages } = block { Some(stages) } else { None })
        .flatten()
        .map(|stage| stage.state)
        .collect();
    assert_eq!(states, [StageState::Done, StageState::Done, StageState::Current, StageState::Waiting]);
    assert_eq!(desk.said(), Some(Message::ConnectingStageAnswer.into()));
}

#[test]
fn news_is_followed_by_the_next_poll_at_once() {
    let mut desk = desk::at_connecting();
    let effects = desk.reply_account(2, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    assert_eq!(effects, vec![poll(desk.request, 2)]);
}

#[test]
fn a_long_wait_is_said_once_and_the_poll_goes_on() {
    let mut desk = desk::at_connecting();
    let effects = desk.reply_account(1, stock::logging_in());
    assert_eq!(effects, vec![Effect::StartTimer { timer: desk.timer, after_ms: 500 }]);
    let slow = Some(Text::with(Message::ConnectingSlow, vec!["Seguro Social".into()]));
    assert_eq!(desk.said(), slow);
    let turn = desk.view().announcement.turn;
    assert_eq!(desk.wait(500), vec![poll(desk.request, 1)]);
    desk.reply_account(1, stock::logging_in());
    assert_eq!(desk.view().announcement.turn, turn);
}

#[test]
fn a_lost_connection_is_tried_again_with_growing_rests_and_told() {
    let mut desk = desk::at_connecting();
    for rest in [1_000, 2_000, 4_000, 8_000, 8_000] {
        let effects = desk.refuse_account(Refusal::Unreachable);
        assert_eq!(effects, vec![Effect::StartTimer { timer: desk.timer, after_ms: rest }]);
        assert_eq!(desk.wait(rest), vec![poll(desk.request, 1)]);
    }
    assert_eq!(desk.notice().unwrap().1, Some(Message::ConnectingLostTitle.into()));
    desk.reply_account(1, stock::logging_in());
    assert_eq!(desk.notice(), None, "and it is gone when the connection is back");
}

#[test]
fn an_account_that_is_gone_leads_back_to_the_list() {
    let mut desk = desk::at_connecting();
    desk.refuse_account(stock::problem(404, link_types::problem::ProblemCode::MissingResource));
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn an_older_version_changes_nothing() {
    let mut desk = desk::at_connecting();
    desk.reply_account(0, LinkPhase::Connected {});
    assert_eq!(desk.heading(), Message::ConnectingTitle);
    assert_eq!(desk.callbacks(), ["onAccountCreated"]);
}

#[test]
fn each_end_has_its_screen() {
    let ends = [
        (stock::challenged(stock::code()), Message::ChallengeCodeTitle),
        (LinkPhase::Connected {}, Message::SuccessTitle),
        (stock::failed(link_types::LinkErrorCode::AccountLocked), Message::ErrorAccountLockedTitle),
        (LinkPhase::Disconnected {}, Message::ProvidersTitle),
    ];
    for (phase, heading) in ends {
        let mut desk = desk::at_connecting();
        desk.reply_account(2, phase);
        assert_eq!(desk.heading(), heading);
    }
}
