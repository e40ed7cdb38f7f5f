//! The recording of a picture: played, stopped, ended and failed.

use link_types::challenge::{Challenge, CodeChannel, ResendRule};
use link_types::link::{ConnectStep, LinkPhase};
use link_types::uploading::{FileFact, FileOrder};

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::block::{Block, Recording};
use crate::{Effect, Event};

const PLAY: fn() -> Effect =
    || Effect::File(FileOrder::Play { recording: "data:audio/wav;base64,BBBB".to_owned() });
const SILENCE: Effect = Effect::File(FileOrder::Silence {});
const PREPARE: Effect = Effect::File(FileOrder::Prepare {});

fn shown_recording(harness: &Harness) -> Option<Recording> {
    harness
        .view()
        .page
        .blocks
        .into_iter()
        .find_map(|block| if let Block::Picture { recording, .. } = block { recording } else { None })
}

fn recording(label: Message, state: Option<Message>) -> Option<Recording> {
    let failed = state == Some(Message::ChallengeListenFailed);
    Some(Recording { label: label.into(), state: state.map(Into::into), failed, disabled: false })
}

fn report(harness: &mut Harness, fact: FileFact) -> Vec<Effect> {
    harness.send(Event::File(fact))
}

fn playing() -> Harness {
    let mut harness = harness::at_challenge(fixtures::image_with_recording());
    harness.press(Press::Listen);
    harness
}

#[test]
fn script_loads_with_the_page_and_plays_only_on_a_press() {
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(2, fixtures::challenge_phase(fixtures::image_with_recording()));
    assert!(effects.contains(&PREPARE) && !effects.contains(&PLAY()), "{effects:?}");
    assert_eq!(shown_recording(&harness), recording(Message::ChallengeListen, None));
    assert_eq!(harness.press(Press::Listen), [PLAY()]);
    assert_eq!(
        shown_recording(&harness),
        recording(Message::ChallengeListenStop, Some(Message::ChallengeListening))
    );
}

#[test]
fn picture_without_a_recording_has_no_button() {
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(2, fixtures::challenge_phase(fixtures::image()));
    assert!(!effects.contains(&PREPARE), "{effects:?}");
    assert_eq!(shown_recording(&harness), None);
    assert_eq!(harness.press(Press::Listen), []);
}

#[test]
fn second_press_stops_and_third_plays_from_the_start() {
    let mut harness = playing();
    assert_eq!(harness.press(Press::Listen), [SILENCE]);
    assert_eq!(shown_recording(&harness), recording(Message::ChallengeListen, None));
    assert_eq!(report(&mut harness, FileFact::Played {}), [], "a late report");
    assert_eq!(shown_recording(&harness), recording(Message::ChallengeListen, None));
    assert_eq!(harness.press(Press::Listen), [PLAY()]);
}

#[test]
fn end_and_failure_are_shown_and_announced() {
    for (fact, state) in [
        (FileFact::Played {}, Message::ChallengeListenEnded),
        (FileFact::Unplayable {}, Message::ChallengeListenFailed),
    ] {
        let mut harness = playing();
        let key = harness.view().page.key;
        report(&mut harness, fact);
        assert_eq!(harness.announcement(), Some(state.into()));
        assert_eq!(shown_recording(&harness), recording(Message::ChallengeListenAgain, Some(state)));
        assert_eq!(harness.view().page.key, key, "the typed text stays");
        assert_eq!(harness.press(Press::Listen), [PLAY()]);
    }
}

#[test]
fn recording_that_waits_for_its_script_is_silenced_once() {
    let mut harness = playing();
    assert_eq!(report(&mut harness, FileFact::Unplayable {}), [SILENCE]);
    assert_eq!(report(&mut harness, FileFact::Unplayable {}), [], "the script still does not load");
}

#[test]
fn start_of_the_recording_is_not_announced() {
    let mut harness = harness::at_challenge(fixtures::image_with_recording());
    let before = harness.announcement();
    harness.press(Press::Listen);
    assert_eq!(harness.announcement(), before);
}

#[test]
fn recording_stops_if_the_person_answers() {
    let mut harness = playing();
    let effects = harness.submit_code("x4Tz");
    assert!(effects.contains(&SILENCE), "{effects:?}");
    assert!(shown_recording(&harness).unwrap().disabled);
    assert_eq!(harness.press(Press::Listen), []);
}

#[test]
fn recording_stops_with_its_page() {
    let mut harness = playing();
    assert!(harness.send(Event::CloseRequested).contains(&SILENCE), "the question whether to leave");
    let mut harness = playing();
    assert!(harness.session_ends().contains(&SILENCE));
    let mut harness =
        harness::at_challenge(Challenge { expires_in_ms: Some(1_000), ..fixtures::image_with_recording() });
    harness.wait(1_000);
    harness.press(Press::Listen);
    let effects = harness.reply_account(3, LinkPhase::Connected {});
    assert_eq!(harness.heading(), Message::SuccessTitle);
    assert!(effects.contains(&SILENCE), "{effects:?}");
}

#[test]
fn another_picture_begins_silent() {
    let resend = Some(ResendRule { available_in_ms: 0, channels: vec![CodeChannel::Picture] });
    let challenge = Challenge { resend, ..fixtures::image_with_recording() };
    let mut harness = harness::at_challenge(challenge.clone());
    harness.press(Press::Listen);
    report(&mut harness, FileFact::Played {});
    harness.press(Press::Resend);
    harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    harness.reply_account(
        4,
        fixtures::challenge_phase(Challenge { id: fixtures::challenge_id(2), ..challenge }),
    );
    assert_eq!(shown_recording(&harness), recording(Message::ChallengeListen, None));
}

#[test]
fn fallback_is_offered_if_the_recording_does_not_play() {
    let mut harness = playing();
    assert_eq!(harness.ways(), [""; 0], "the recording is another way");
    harness.choose("/providers");
    assert_eq!(harness.heading(), Message::ChallengeImageTitle);
    report(&mut harness, FileFact::Unplayable {});
    assert_eq!(harness.ways(), ["/providers"]);
    harness.choose("/providers");
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}
