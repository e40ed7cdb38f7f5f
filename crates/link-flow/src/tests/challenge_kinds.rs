//! Each kind of challenge: what it shows, and how it is answered.

use link_types::Sensitive;
use link_types::challenge::{Challenge, CodeChannel, ResendChallenge};
use link_types::link::{ConnectStep, LinkPhase};

use super::desk::{self, Desk};
use super::stock;
use crate::event::{Press, Refusal};
use crate::generated::message::Message;
use crate::submission::{Answer, AnswerSubmission};
use crate::view::Text;
use crate::view::block::{ActionState, Block};
use crate::{Effect, Event, Secrets};

fn polls(desk: &Desk, after: u32) -> Effect {
    Effect::PollAccount { request: desk.request, account: stock::account_id(), after, wait_ms: 20_000 }
}

fn answered(effects: &[Effect], text: &str) {
    let answer = Answer::Text { text: Sensitive::new(text) };
    let expected = AnswerSubmission { challenge_id: stock::challenge_id(1), answer };
    let [Effect::Answer { body, .. }] = effects else { panic!("{effects:?}") };
    assert_eq!(*body, expected);
}

#[test]
fn an_image_is_shown_with_words_for_who_cannot_see_it_and_its_text_is_sent() {
    let mut desk = desk::at_challenge(stock::image());
    assert_eq!(desk.heading(), Message::ChallengeImageTitle);
    let picture = desk.view().page.blocks.into_iter().find(|it| matches!(it, Block::Picture { .. }));
    let alt = Text::with(Message::ChallengeImageAlt, vec!["Seguro Social".into()]);
    assert_eq!(picture, Some(Block::Picture { src: "data:image/png;base64,AAAA".to_owned(), alt }));
    assert_eq!(desk.field("answer").unwrap().autocomplete, "off");
    answered(&desk.submit_code(" x4 Tz"), "x4Tz");
}

#[test]
fn a_security_question_is_the_label_and_its_answer_keeps_its_inner_spaces() {
    let mut desk = desk::at_challenge(stock::question());
    assert_eq!(desk.heading(), Message::ChallengeQuestionTitle);
    assert_eq!(desk.field("answer").unwrap().label, Text::Verbatim("Your first pet?".to_owned()));
    answered(&desk.submit_code(" old-dog Rex "), "old-dog Rex");
}

#[test]
fn an_approval_waits_with_the_devices_name_and_asks_the_service() {
    let mut desk = desk::at_connecting();
    let effects = desk.reply_account(2, stock::challenged(stock::approval()));
    assert!(effects.contains(&polls(&desk, 2)), "{effects:?}");
    assert_eq!(desk.heading(), Message::ChallengeApproveTitle);
    assert!(format!("{:?}", desk.view()).contains("Ana’s Pixel"));
    assert!(!desk.view().page.form);
    desk.reply_account(3, LinkPhase::Connected {});
    assert_eq!(desk.heading(), Message::SuccessTitle);
}

#[test]
fn an_approval_goes_on_to_progress_while_the_provider_signs_in() {
    let mut desk = desk::at_challenge(stock::approval());
    desk.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    assert_eq!(desk.heading(), Message::ConnectingTitle);
}

#[test]
fn a_wait_without_news_goes_on_and_a_lost_connection_is_told() {
    let mut desk = desk::at_challenge(stock::approval());
    desk.reply_account(2, stock::challenged(stock::approval()));
    assert_eq!(desk.wait(500), vec![polls(&desk, 2)]);
    for rest in [1_000, 2_000] {
        desk.refuse_account(Refusal::Unreachable);
        desk.wait(rest);
    }
    assert_eq!(desk.notice().unwrap().1, Some(Message::ConnectingLostTitle.into()));
}

#[test]
fn an_email_link_can_be_sent_again_after_the_cool_down_and_is_waited_for_after_that() {
    let mut desk = desk::at_challenge(stock::email_link());
    assert_eq!(desk.heading(), Message::ChallengeEmailLinkTitle);
    let request = desk.request;
    assert_eq!(desk.actions().0.state, ActionState::Off);
    desk.wait(20_000);
    assert_eq!(desk.actions().0.state, ActionState::Ready);
    desk.press(Press::Resend);
    assert_ne!(desk.request, request);
    desk.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    assert_eq!(
        (desk.heading(), desk.actions().0.state),
        (Message::ChallengeEmailLinkTitle, ActionState::Busy)
    );
    let fresh = Challenge { id: stock::challenge_id(2), ..stock::email_link() };
    let effects = desk.reply_account(4, stock::challenged(fresh));
    assert_eq!(desk.said(), Some(Message::ChallengeResent.into()));
    assert!(effects.contains(&polls(&desk, 4)), "{effects:?}");
}

#[test]
fn another_channel_is_a_row_that_says_how_long_it_still_rests() {
    let mut desk = desk::at_challenge(stock::code());
    let row = |desk: &Desk| desk.lists()[0].choices[0].clone();
    assert_eq!((row(&desk).title, row(&desk).disabled), (Message::ChallengeByEmail.into(), true));
    assert_eq!(row(&desk).detail, Some(Text::with(Message::ChallengeResendWait, vec![20.into()])));
    assert_eq!(desk.choose("/email"), vec![], "too early");
    desk.wait(20_000);
    assert_eq!((row(&desk).detail, row(&desk).disabled), (None, false));
    let effects = desk.choose("/email");
    let body = ResendChallenge { challenge_id: stock::challenge_id(1), channel: CodeChannel::Email };
    assert_eq!(effects, vec![Effect::Resend { request: desk.request, account: stock::account_id(), body }]);
}

#[test]
fn every_kind_may_follow_every_other() {
    for first in stock::challenges() {
        for second in stock::challenges() {
            let mut desk = desk::at_challenge(first.clone());
            desk.choose("father");
            desk.submit_code("1234");
            let second = Challenge { id: stock::challenge_id(2), ..second };
            desk.reply_account(3, stock::challenged(second.clone()));
            let alone = desk::at_challenge(second).heading();
            assert_eq!(desk.heading(), alone);
        }
    }
}

#[test]
fn a_new_session_keeps_every_kind_where_it_was() {
    for challenge in stock::challenges() {
        let mut desk = desk::at_challenge(challenge.clone());
        let page = desk.view().page;
        desk.session_ends();
        desk.send(Event::TokenSet { token: desk::token("second") });
        desk.reply_session(stock::session_with(stock::progress(2, stock::challenged(challenge))));
        assert_eq!(desk.view().page, page);
    }
}

#[test]
fn a_reload_comes_back_to_every_kind() {
    for challenge in stock::challenges() {
        let mut desk = desk::taken_up(stock::progress(2, stock::challenged(challenge.clone())));
        desk.reply_provider(stock::provider());
        assert_eq!(desk.heading(), desk::at_challenge(challenge).heading());
    }
}

#[test]
fn a_kind_this_build_cannot_read_has_an_honest_way_out_and_goes_on_by_itself() {
    for mut desk in [desk::at_connecting(), desk::at_challenge(stock::approval())] {
        desk.refuse_account(Refusal::Unreadable { status: 200 });
        if desk.heading() != Message::ChallengeUnsupportedTitle {
            desk.refuse_account(Refusal::Unreadable { status: 200 });
        }
        assert_eq!(desk.heading(), Message::ChallengeUnsupportedTitle);
        desk.wait(1_000);
        desk.reply_account(9, stock::challenged(stock::code()));
        assert_eq!(desk.heading(), Message::ChallengeCodeTitle);
    }
    let mut desk = desk::at_connecting();
    desk.refuse_account(Refusal::Unreadable { status: 200 });
    assert_eq!(desk.actions().0.press, Press::ChooseAnother);
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn what_is_answered_elsewhere_is_not_submitted_here() {
    for challenge in [stock::approval(), stock::email_link()] {
        let mut desk = desk::at_challenge(challenge);
        assert_eq!(desk.send(Event::Submitted(Secrets::none())), vec![]);
    }
}
