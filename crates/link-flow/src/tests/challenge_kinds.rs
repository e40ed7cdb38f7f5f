//! Each kind of challenge: its page and how it is answered.

use link_types::Sensitive;
use link_types::challenge::{Challenge, ChallengeKind, CodeChannel, RedirectAddress, ResendChallenge};
use link_types::host::UiEventName;
use link_types::link::{ConnectStep, LinkPhase};

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::{Press, RequestError};
use crate::generated::message::Message;
use crate::submission::{Answer, AnswerSubmission};
use crate::view::Text;
use crate::view::block::{ActionState, Block};
use crate::{Effect, Event, Secrets};

fn polls(harness: &Harness, after: u32) -> Effect {
    Effect::PollAccount { request: harness.request, account: fixtures::account_id(), after, wait_ms: 20_000 }
}

fn assert_answer(effects: &[Effect], text: &str) {
    let answer = Answer::Text { text: Sensitive::new(text) };
    let expected = AnswerSubmission { challenge_id: fixtures::challenge_id(1), answer };
    let [Effect::Answer { body, .. }] = effects else { panic!("{effects:?}") };
    assert_eq!(*body, expected);
}

#[test]
fn image_has_alternative_text_and_sends_answer() {
    let mut harness = harness::at_challenge(fixtures::image());
    assert_eq!(harness.heading(), Message::ChallengeImageTitle);
    let picture = harness.view().page.blocks.into_iter().find(|it| matches!(it, Block::Picture { .. }));
    let alt = Text::with(Message::ChallengeImageAlt, vec!["Seguro Social".into()]);
    assert_eq!(
        picture,
        Some(Block::Picture {
            src: Sensitive::new("data:image/png;base64,AAAA"),
            alt,
            scan: false,
            recording: None
        })
    );
    assert_eq!(harness.field("answer").unwrap().autocomplete, "off");
    assert_answer(&harness.submit_code(" x4 Tz"), "x4Tz");
}

#[test]
fn question_is_label_and_answer_keeps_inner_spaces() {
    let mut harness = harness::at_challenge(fixtures::question());
    assert_eq!(harness.heading(), Message::ChallengeQuestionTitle);
    assert_eq!(harness.field("answer").unwrap().label, Text::Verbatim("Your first pet?".to_owned()));
    assert_answer(&harness.submit_code(" old-dog Rex "), "old-dog Rex");
}

#[test]
fn approval_shows_device_and_polls() {
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(2, fixtures::challenge_phase(fixtures::approval()));
    assert!(effects.contains(&polls(&harness, 2)), "{effects:?}");
    assert_eq!(harness.heading(), Message::ChallengeApproveTitle);
    assert!(format!("{:?}", harness.view()).contains("Ana’s Pixel"));
    assert!(!harness.view().page.form);
    harness.reply_account(3, LinkPhase::Connected {});
    assert_eq!(harness.heading(), Message::SuccessTitle);
}

#[test]
fn approval_leads_to_progress() {
    let mut harness = harness::at_challenge(fixtures::approval());
    harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    assert_eq!(harness.heading(), Message::ConnectingTitle);
}

#[test]
fn approval_poll_reports_lost_connection() {
    let mut harness = harness::at_challenge(fixtures::approval());
    harness.reply_account(2, fixtures::challenge_phase(fixtures::approval()));
    assert_eq!(harness.wait(500), vec![polls(&harness, 2)]);
    for delay_ms in [1_000, 2_000] {
        harness.refuse_account(RequestError::Unreachable);
        harness.wait(delay_ms);
    }
    assert_eq!(harness.notice().unwrap().1, Some(Message::ConnectingLostTitle.into()));
    assert_eq!(harness.announcement(), Some(Message::ConnectingLostTitle.into()));
}

#[test]
fn email_link_can_be_resent_after_cooldown() {
    let mut harness = harness::at_challenge(fixtures::email_link());
    assert_eq!(harness.heading(), Message::ChallengeEmailLinkTitle);
    let request = harness.request;
    assert_eq!(harness.actions().1.unwrap().state, ActionState::Off);
    harness.wait(20_000);
    assert_eq!(harness.actions().1.unwrap().state, ActionState::Ready);
    harness.press(Press::Resend);
    assert_ne!(harness.request, request);
    harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    assert_eq!(
        (harness.heading(), harness.actions().1.unwrap().state),
        (Message::ChallengeEmailLinkTitle, ActionState::Busy)
    );
    let fresh = Challenge { id: fixtures::challenge_id(2), ..fixtures::email_link() };
    let effects = harness.reply_account(4, fixtures::challenge_phase(fresh));
    assert_eq!(harness.announcement(), Some(Message::ChallengeResent.into()));
    assert!(effects.contains(&polls(&harness, 4)), "{effects:?}");
}

#[test]
fn other_channel_is_row_without_countdown() {
    let mut harness = harness::at_challenge(fixtures::code());
    let row = |harness: &Harness| harness.lists()[0].choices[0].clone();
    assert_eq!((row(&harness).title, row(&harness).disabled), (Message::ChallengeByEmail.into(), true));
    assert_eq!(row(&harness).detail, None, "a page has one countdown");
    assert_eq!(harness.choose("/email"), vec![], "too early");
    harness.wait(20_000);
    assert_eq!((row(&harness).detail, row(&harness).disabled), (None, false));
    let effects = harness.choose("/email");
    let body = ResendChallenge { challenge_id: fixtures::challenge_id(1), channel: CodeChannel::Email };
    assert_eq!(
        effects,
        vec![Effect::Resend { request: harness.request, account: fixtures::account_id(), body }]
    );
}

#[test]
fn every_kind_can_follow_every_other() {
    for first in fixtures::challenges() {
        for second in fixtures::challenges() {
            let mut harness = harness::at_challenge(first.clone());
            harness.choose("father");
            harness.submit_code("1234");
            let second = Challenge { id: fixtures::challenge_id(2), ..second };
            harness.reply_account(3, fixtures::challenge_phase(second.clone()));
            let alone = harness::at_challenge(second).heading();
            assert_eq!(harness.heading(), alone);
        }
    }
}

#[test]
fn new_session_keeps_every_kind() {
    for challenge in fixtures::challenges() {
        let mut harness = harness::at_challenge(challenge.clone());
        let page = harness.view().page;
        harness.session_ends();
        harness.send(Event::TokenSet { token: harness::token("second") });
        harness.reply_session(fixtures::session_with(fixtures::progress(
            2,
            fixtures::challenge_phase(challenge),
        )));
        assert_eq!(harness.view().page, page);
    }
}

#[test]
fn reload_resumes_every_kind() {
    for challenge in fixtures::challenges() {
        let mut harness =
            harness::take_up(fixtures::progress(2, fixtures::challenge_phase(challenge.clone())));
        harness.reply_provider(fixtures::provider());
        assert_eq!(harness.heading(), harness::at_challenge(challenge).heading());
    }
}

#[test]
fn unknown_kind_offers_exit_and_keeps_polling() {
    for mut harness in [harness::at_connecting(), harness::at_challenge(fixtures::approval())] {
        harness.refuse_account(RequestError::Unreadable { status: 200 });
        if harness.heading() != Message::ChallengeUnsupportedTitle {
            harness.refuse_account(RequestError::Unreadable { status: 200 });
        }
        assert_eq!(harness.heading(), Message::ChallengeUnsupportedTitle);
        harness.wait(1_000);
        harness.reply_account(9, fixtures::challenge_phase(fixtures::code()));
        assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
    }
    let mut harness = harness::at_connecting();
    harness.refuse_account(RequestError::Unreadable { status: 200 });
    assert_eq!(harness.actions().0.press, Press::ChooseAnother);
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn challenge_answered_elsewhere_has_no_submit() {
    for challenge in [fixtures::approval(), fixtures::email_link()] {
        let mut harness = harness::at_challenge(challenge);
        assert_eq!(harness.send(Event::Submitted(Secrets::none())), vec![]);
    }
}

fn link_block(harness: &Harness) -> Option<(String, bool)> {
    let blocks = harness.view().page.blocks.into_iter();
    let mut found = blocks.filter_map(|it| {
        if let Block::Link { href, again, .. } = it { Some((href.expose().to_owned(), again)) } else { None }
    });
    found.next_back()
}

#[test]
fn redirect_is_a_link_whose_outcome_is_polled() {
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(2, fixtures::challenge_phase(fixtures::redirect()));
    assert!(effects.contains(&polls(&harness, 2)), "{effects:?}");
    assert_eq!(harness.heading(), Message::ChallengeRedirectTitle);
    let address = "https://hosted.example/sign-in/start/ticket".to_owned();
    assert_eq!(link_block(&harness), Some((address, false)));
    assert!(!format!("{:?}", harness.view()).contains("ticket"), "the address is a secret");
    harness.reply_account(3, LinkPhase::Connected {});
    assert_eq!(harness.heading(), Message::SuccessTitle);
}

#[test]
fn login_on_a_hosted_page_is_a_button_that_the_page_follows() {
    let address = RedirectAddress::new("https://hosted.example/visit/sign-in/a-1".to_owned());
    let kind = ChallengeKind::Redirect { address };
    let mut harness = harness::at_challenge(Challenge { kind, ..fixtures::redirect() });
    assert_eq!(link_block(&harness), None);
    let here = Text::with(Message::ChallengeRedirectHere, vec!["Seguro Social".into()]);
    let shows = |block: &Block| matches!(block, Block::Paragraph { text, .. } if *text == here);
    assert!(harness.view().page.blocks.iter().any(shows), "{:?}", harness.view().page.blocks);
    let open = Text::with(Message::ChallengeRedirectOpen, vec!["Seguro Social".into()]);
    assert_eq!(harness.actions().0.label, open);
    harness.press(Press::OpenTab);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::MfaSubmitted));
    assert_eq!(harness.actions().0.label, open, "a person who presses Back finds the same page");
}

#[test]
fn person_who_comes_back_can_continue_or_start_again() {
    let mut harness = harness::at_challenge(fixtures::redirect());
    assert_eq!(harness.press(Press::Retry), [], "the button is not there yet");
    harness.press(Press::OpenTab);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::MfaSubmitted));
    assert!(link_block(&harness).unwrap().1);
    let left = Text::with(Message::ChallengeRedirectLeft, vec!["Seguro Social".into()]);
    assert_eq!(harness.announcement(), Some(left));
    assert_eq!(harness.actions().0.label, Message::ChallengeSubmit.into());
    let effects = harness.press(Press::Retry);
    assert_eq!(effects, [Effect::LoadSession { request: harness.request }]);
    assert_eq!(harness.notice(), None, "the service has not been asked yet");
    let effects = harness.reply_session(fixtures::session());
    assert!(effects.contains(&polls(&harness, 2)), "{effects:?}");
    let nothing = Text::with(Message::ChallengeRedirectNothing, vec!["Seguro Social".into()]);
    assert_eq!(harness.notice().map(|it| it.2), Some(nothing));
    harness.press(Press::OpenTab);
    assert_eq!(harness.notice(), None);
}
