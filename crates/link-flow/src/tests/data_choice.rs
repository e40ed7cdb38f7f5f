//! Choosing what to share: what is selected at first, what is sent, and what survives.

use link_types::data::DataPointKind;
use link_types::host::{UiEventName, WidgetOptions};
use link_types::link::{ConsentReceipt, DataChoice, LinkSession};
use link_types::problem::ProblemCode;
use link_types::uploading::{Linked, ResumePoint};

use super::fixtures;
use super::harness::{self, Harness, open_event, token};
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::screen::parts::ACCOUNTS;
use crate::view::Text;
use crate::view::block::{Block, ChoiceKind};
use crate::{Effect, Event, Flow};

const INCOMES: DataPointKind = DataPointKind::Incomes;
const RATINGS: DataPointKind = DataPointKind::Ratings;

/// Returns the receipt of a person who could decline pay and ratings, and declined these.
fn receipt(declined: &[DataPointKind]) -> ConsentReceipt {
    ConsentReceipt {
        data_choice: Some(DataChoice { optional: vec![INCOMES, RATINGS], declined: declined.to_vec() }),
        ..fixtures::receipt()
    }
}

/// Returns the ids of the check boxes that are selected.
fn selected_ids(harness: &Harness) -> Vec<String> {
    let boxes = harness.lists().into_iter().filter(|list| list.kind == ChoiceKind::Checks);
    boxes.flat_map(|list| list.choices).filter(|choice| choice.selected).map(|choice| choice.id).collect()
}

fn is_shown(harness: &Harness, text: &Text) -> bool {
    let blocks = harness.view().page.blocks;
    blocks.iter().any(|block| matches!(block, Block::Paragraph { text: shown, .. } if shown == text))
}

/// Goes from the choice to the login, and submits it. Returns the receipt that was sent.
fn submit_choice(harness: &mut Harness) -> Option<ConsentReceipt> {
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider());
    login(harness)
}

fn login(harness: &mut Harness) -> Option<ConsentReceipt> {
    harness.edit("username", "good");
    let effects = harness.submit("password");
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    body.consent.clone()
}

#[test]
fn template_without_optional_data_has_no_choice() {
    let mut harness = harness::at_consent();
    assert_eq!(harness.actions().0.label, Message::ConsentAgree.into());
    harness.press(Press::Agree);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn choice_follows_the_consent_page() {
    let mut harness = harness::exchanging();
    harness.reply_session(fixtures::session_with_choice());
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert_eq!(harness.actions().0.label, Message::ConsentChoose.into());
    harness.press(Press::Agree);
    assert_eq!(harness.heading(), Message::DataChoiceTitle);
    let expected = [UiEventName::ConsentPageOpened, UiEventName::DataChoicePageOpened];
    assert_eq!(harness.ui_events(), expected, "the person has not consented yet");
    assert!(harness.saved.is_empty());
}

#[test]
fn nothing_optional_is_selected_at_first() {
    let mut harness = harness::at_data_choice();
    let [_, list] = &harness.lists()[..] else { panic!("{:?}", harness.lists()) };
    assert_eq!((list.kind, list.disabled), (ChoiceKind::Checks, false));
    let ids: Vec<_> = list.choices.iter().map(|choice| choice.id.as_str()).collect();
    assert_eq!(ids, ["INCOMES", "RATINGS"]);
    assert_eq!(selected_ids(&harness), [""; 0]);
    assert!(is_shown(&harness, &Message::DataChoiceNone.into()));
    assert_eq!(submit_choice(&mut harness), Some(receipt(&[INCOMES, RATINGS])));
}

#[test]
fn required_kinds_are_listed_as_always_shared() {
    let lists = harness::at_data_choice().lists();
    let list = &lists[0];
    assert_eq!((list.kind, &list.label), (ChoiceKind::Fixed, &Message::DataChoiceRequired.into()));
    assert_eq!(list.choices.len() + 2, DataPointKind::ALL.len());
    let is_listed = |name: Message| list.choices.iter().any(|choice| choice.title == name.into());
    assert!(is_listed(Message::DataIdentities) && !is_listed(Message::DataIncomes));
}

#[test]
fn selected_kinds_are_shared() {
    let mut harness = harness::at_data_choice();
    for id in ["RATINGS", "INCOMES", "RATINGS", "IDENTITIES"] {
        harness.choose(id);
    }
    assert_eq!(selected_ids(&harness), ["INCOMES"], "pressed twice, and not optional");
    let some = Text::with(Message::DataChoiceSome, vec![1.into(), 2.into()]);
    assert!(is_shown(&harness, &some));
    assert_eq!(submit_choice(&mut harness), Some(receipt(&[RATINGS])));
    assert_eq!(harness.saved.last().unwrap().consent, Some(receipt(&[RATINGS])));
    let events = harness.ui_events();
    assert_eq!(events.iter().filter(|it| **it == UiEventName::ConsentGiven).count(), 1);
}

#[test]
fn choice_survives_going_back_and_forth() {
    let mut harness = harness::at_data_choice();
    harness.choose("RATINGS");
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    harness.press(Press::Agree);
    assert_eq!(selected_ids(&harness), ["RATINGS"]);
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.press(Press::Back);
    harness.press(Press::Agree);
    assert_eq!(selected_ids(&harness), ["RATINGS"]);
    harness.choose("RATINGS");
    assert_eq!(submit_choice(&mut harness), Some(receipt(&[INCOMES, RATINGS])), "the last choice counts");
}

#[test]
fn choice_survives_a_new_session() {
    let mut harness = harness::at_data_choice();
    harness.choose("INCOMES");
    harness.session_ends();
    harness.send(Event::TokenSet { token: token("second") });
    harness.reply_session(fixtures::session_with_choice());
    assert_eq!(
        (harness.heading(), selected_ids(&harness)),
        (Message::DataChoiceTitle, vec!["INCOMES".into()])
    );
}

#[test]
fn failed_login_is_retried_with_the_same_choice() {
    let mut harness = harness::at_data_choice();
    harness.choose("INCOMES");
    submit_choice(&mut harness);
    harness.reply_account(1, fixtures::failed_phase(link_types::LinkErrorCode::InvalidCredentials));
    harness.press(Press::TryAgain);
    assert_eq!(login(&mut harness), Some(receipt(&[RATINGS])));
}

#[test]
fn reload_after_the_consent_asks_nothing_again() {
    let mut session = fixtures::session_with_choice();
    let place = ResumePoint { consent: Some(receipt(&[RATINGS])), ..ResumePoint::default() };
    session.attempt.place = place;
    let mut harness = harness::exchanging();
    harness.reply_session(session);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
    harness.press(Press::Back);
    harness.press(Press::Agree);
    assert_eq!(selected_ids(&harness), ["INCOMES"]);
}

/// Makes another kind optional.
fn add_optional_kind(mut session: LinkSession) -> LinkSession {
    session.template.optional_data.push(DataPointKind::Insights);
    session
}

#[test]
fn changed_options_are_asked_again_with_the_previous_choice() {
    let mut harness = harness::at_data_choice();
    harness.choose("INCOMES");
    submit_choice(&mut harness);
    harness.refuse_account(fixtures::problem(409, ProblemCode::ConsentRequired));
    harness.reply_session(add_optional_kind(fixtures::session_with_choice()));
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert_eq!(harness.notice().unwrap().2, Message::ConsentChanged.into());
    harness.press(Press::Agree);
    assert_eq!(selected_ids(&harness), ["INCOMES"]);
    harness.press(Press::Agree);
    let declined = vec![RATINGS, DataPointKind::Insights];
    let optional = vec![INCOMES, RATINGS, DataPointKind::Insights];
    let data_choice = Some(DataChoice { optional, declined });
    let expected = ConsentReceipt { data_choice, ..fixtures::receipt() };
    assert_eq!(login(&mut harness), Some(expected));
}

#[test]
fn reload_asks_again_if_the_options_changed() {
    for mut session in [add_optional_kind(fixtures::session_with_choice()), fixtures::session()] {
        session.attempt.place.consent = Some(receipt(&[RATINGS]));
        let has_choice = !session.template.optional_data.is_empty();
        let mut harness = harness::exchanging();
        harness.reply_session(session);
        assert_eq!(harness.heading(), Message::ConsentTitle);
        harness.press(Press::Agree);
        if has_choice {
            assert_eq!(selected_ids(&harness), ["INCOMES"]);
        }
    }
}

/// Returns a flow that signs in again to an account whose person chose to share ratings.
fn again(consent_needed: bool) -> Harness {
    let mut session = fixtures::session_with_choice();
    session.has_linked = true;
    let mut harness = harness::exchanging();
    harness.reply_session(session);
    let Linked { mut accounts, archives } = fixtures::linked_accounts();
    accounts[1].consent_needed = consent_needed;
    accounts[1].chosen_data = vec![RATINGS];
    harness.reply(Reply::Linked(Ok(Box::new(Linked { accounts, archives }))));
    harness.choose("a-08080808080808080808080808080808");
    harness.press(Press::SignIn);
    harness
}

fn pension() -> link_types::provider::Provider {
    link_types::provider::Provider { id: "ph_pension".parse().unwrap(), ..fixtures::provider() }
}

#[test]
fn new_login_keeps_the_choice_unless_consent_is_asked() {
    let mut harness = again(false);
    harness.reply_provider(pension());
    assert_eq!(login(&mut harness), None, "the account's consent covers the terms, and its choice stays");
}

#[test]
fn new_consent_preselects_the_previous_choice_of_the_account() {
    let mut harness = again(true);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    harness.press(Press::Agree);
    assert_eq!(selected_ids(&harness), ["RATINGS"]);
    harness.press(Press::Agree);
    harness.reply_provider(pension());
    assert_eq!(login(&mut harness), Some(receipt(&[INCOMES])));
}

#[test]
fn choice_of_the_account_precedes_the_choice_of_the_attempt() {
    let mut session = fixtures::session_with_choice();
    session.has_linked = true;
    let outdated = ConsentReceipt { version: "2025-1".to_owned(), ..receipt(&[RATINGS]) };
    session.attempt.place.consent = Some(outdated);
    let mut harness = harness::exchanging();
    harness.reply_session(session);
    assert_eq!(harness.flow.context.chosen_data, [INCOMES]);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.choose(ACCOUNTS);
    let Linked { mut accounts, archives } = fixtures::linked_accounts();
    accounts[1].chosen_data = vec![RATINGS];
    harness.reply(Reply::Linked(Ok(Box::new(Linked { accounts, archives }))));
    harness.choose("a-08080808080808080808080808080808");
    harness.press(Press::SignIn);
    assert_eq!(harness.flow.context.chosen_data, [RATINGS]);
}

#[test]
fn choice_of_one_account_is_not_preselected_for_another() {
    let mut harness = again(false);
    harness.reply_provider(pension());
    harness.press(Press::Back);
    harness.reply(Reply::Linked(Ok(Box::new(fixtures::linked_accounts()))));
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    harness.press(Press::Agree);
    assert_eq!(selected_ids(&harness), [""; 0]);
}

#[test]
fn session_says_what_was_chosen_with_the_account() {
    let mut session = fixtures::session_with_choice();
    session.attempt.chosen_data = vec![INCOMES];
    session.attempt.place.account_id = Some(link_types::id::AccountId::from_bytes([8; 16]));
    session.attempt.place.provider_id = Some(fixtures::provider_id());
    let mut harness = harness::exchanging();
    harness.reply_session(session);
    harness.press(Press::Agree);
    assert_eq!(selected_ids(&harness), ["INCOMES"]);
}

#[test]
fn company_of_the_template_receives_the_data() {
    let options =
        WidgetOptions { company_name: Some("Somebody Else".to_owned()), ..WidgetOptions::default() };
    let mut harness = Harness::new(options);
    harness.send(open_event());
    harness.reply_session(fixtures::session_with_choice());
    harness.press(Press::Agree);
    assert!(!format!("{:?}", harness.view()).contains("Somebody Else"));
}

#[test]
fn uploads_are_mentioned_if_they_are_possible() {
    let mut session = fixtures::session_with_choice();
    session.template.uploads_enabled = true;
    let mut harness = harness::exchanging();
    harness.reply_session(session);
    harness.press(Press::Agree);
    assert!(is_shown(&harness, &Message::DataChoiceUploads.into()));
    assert!(!is_shown(&harness::at_data_choice(), &Message::DataChoiceUploads.into()));
}

#[test]
fn choice_loads_the_deferred_chunk() {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.flow = Flow::in_parts(WidgetOptions::default());
    harness.send(open_event());
    let effects = harness.reply_session(fixtures::session_with_choice());
    assert_eq!(effects, [Effect::LoadChunk { request: harness.request }], "while the person reads the terms");
    harness.press(Press::Agree);
    assert_eq!(harness.heading(), Message::StartingTitle);
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.heading(), Message::DataChoiceTitle);
}
