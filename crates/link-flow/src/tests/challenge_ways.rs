//! Other ways on a challenge's page: another picture, a code instead of an approval, another provider, documents.

use link_types::LinkErrorCode;
use link_types::challenge::{Challenge, CodeChannel, ResendChallenge, ResendRule};
use link_types::link::LinkPhase;

use super::fixtures;
use super::harness::{self, Harness};
use crate::Effect;
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::block::ActionState;

fn offering(challenge: Challenge, channels: &[CodeChannel]) -> Challenge {
    let resend = Some(ResendRule { available_in_ms: 0, channels: channels.to_vec() });
    Challenge { resend, ..challenge }
}

fn asks_for(harness: &Harness, effects: &[Effect], channel: CodeChannel) {
    let body = ResendChallenge { challenge_id: fixtures::challenge_id(1), channel };
    let account = fixtures::account_id();
    assert_eq!(effects, [Effect::Resend { request: harness.request, account, body }]);
}

#[test]
fn another_picture_replaces_the_first() {
    let challenge = offering(fixtures::image(), &[CodeChannel::Picture]);
    let mut harness = harness::at_challenge(challenge.clone());
    let action = harness.actions().1.unwrap();
    assert_eq!((action.label, action.state), (Message::ChallengePicture.into(), ActionState::Ready));
    let effects = harness.press(Press::Resend);
    asks_for(&harness, &effects, CodeChannel::Picture);
    let key = harness.view().page.key;
    harness.reply_account(
        3,
        fixtures::challenge_phase(Challenge { id: fixtures::challenge_id(2), ..challenge }),
    );
    assert_eq!(harness.announcement(), Some(Message::ChallengePictureNew.into()));
    assert_ne!(harness.view().page.key, key, "a new picture empties the input");
}

#[test]
fn picture_offers_a_code_instead() {
    let challenge = offering(fixtures::image(), &[CodeChannel::Picture, CodeChannel::Voice]);
    let mut harness = harness::at_challenge(challenge);
    assert_eq!(harness.ways(), ["/voice"], "the provider offers a voice code");
    let effects = harness.choose("/voice");
    asks_for(&harness, &effects, CodeChannel::Voice);
    let code = Challenge { id: fixtures::challenge_id(2), ..fixtures::code() };
    harness.reply_account(3, fixtures::challenge_phase(code));
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn picture_without_another_way_offers_the_fallback_at_once() {
    for channels in [&[][..], &[CodeChannel::Picture]] {
        let challenge = || offering(fixtures::image(), channels);
        let mut harness = harness::at_challenge(challenge());
        assert_eq!(harness.ways(), ["/providers"], "uploads are disabled");
        assert_eq!(harness.choose("/upload"), vec![]);
        harness.choose("/providers");
        assert_eq!(harness.heading(), Message::ProvidersTitle);
        let mut harness = harness::at_challenge_with_uploads(challenge());
        assert_eq!(harness.ways(), ["/upload", "/providers"]);
        harness.choose("/upload");
        assert_eq!(harness.heading(), Message::UploadsTitle);
    }
}

#[test]
fn waits_offer_other_ways_and_providers() {
    for (challenge, usual) in
        [(fixtures::approval(), CodeChannel::App), (fixtures::email_link(), CodeChannel::Email)]
    {
        let mut harness = harness::at_challenge(offering(challenge.clone(), &[usual, CodeChannel::Sms]));
        let (other, resend) = harness.actions();
        let resend = resend.unwrap();
        assert_eq!((other.press, resend.press), (Press::ChooseAnother, Press::Resend));
        assert_eq!(other.state, ActionState::Ready, "the primary place has no button that is off");
        let effects = harness.choose("/sms");
        asks_for(&harness, &effects, CodeChannel::Sms);
        let mut harness = harness::at_challenge(Challenge { resend: None, ..challenge });
        assert_eq!(harness.actions().0.press, Press::ChooseAnother);
        harness.press(Press::ChooseAnother);
        assert_eq!(harness.heading(), Message::ProvidersTitle);
    }
}

#[test]
fn typed_challenge_does_not_lead_away() {
    let mut harness = harness::at_challenge(fixtures::code());
    harness.press(Press::ChooseAnother);
    harness.choose("/providers");
    harness.choose("/upload");
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn wait_offers_a_code_only_if_the_provider_does() {
    let harness = harness::at_challenge(offering(fixtures::approval(), &[CodeChannel::Sms]));
    assert_eq!(harness.ways(), ["/extend", "/sms"]);
    assert_eq!(harness.actions().0.press, Press::ChooseAnother, "the request cannot be sent again");
}

#[test]
fn declined_approval_is_named() {
    let mut harness = harness::at_challenge(fixtures::approval());
    let error_code = LinkErrorCode::InvalidMfa.into();
    harness.reply_account(3, LinkPhase::Failed { error_code, declined: true, retry_in_ms: 0 });
    assert_eq!(harness.heading(), Message::ErrorDeclinedTitle);
    assert_eq!(harness.actions().0.press, Press::TryAgain);
    assert_eq!(harness.callbacks(), ["onAccountCreated", "onAccountError"]);
}
