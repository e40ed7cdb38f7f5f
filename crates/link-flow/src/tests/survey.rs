//! The person does not find their provider.

use link_types::host::UiEventName;
use link_types::problem::ProblemCode;
use link_types::uploading::EmployerSurvey;

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::view::block::{ActionState, Input};
use crate::view::{FocusTarget, Typed};
use crate::{Effect, Event, Secrets};

fn submit(harness: &mut Harness) -> Vec<Effect> {
    harness.send(Event::Submitted(Secrets::none()))
}

fn submit_employer(name: &str) -> Harness {
    let mut harness = harness::at_survey();
    harness.edit("employer", name);
    submit(&mut harness);
    harness
}

#[test]
fn survey_opens_from_list_and_empty_search() {
    let mut harness = harness::at_providers();
    assert_eq!(harness.ways(), ["/survey"]);
    harness.send(Event::Searched { text: Typed::new("zzzz") });
    assert_eq!(harness.ways(), ["/survey"]);
    harness.choose("/survey");
    assert_eq!(harness.heading(), Message::SurveyTitle);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::EmployerSurveyPageOpened));
    let Input::Text { value, .. } = harness.field("employer").unwrap().input else {
        panic!("a line of text")
    };
    assert_eq!(value.as_str(), "zzzz", "the field contains the search text");
}

#[test]
fn survey_sends_name_and_search_text() {
    let mut harness = harness::at_providers();
    harness.send(Event::Searched { text: Typed::new("zzzz") });
    harness.choose("/survey");
    harness.edit("employer", " Zapata & Sons ");
    let effects = submit(&mut harness);
    let body = EmployerSurvey { employer: "Zapata & Sons".to_owned(), searched: Some("zzzz".to_owned()) };
    assert_eq!(effects, vec![Effect::SendSurvey { request: harness.request, body }]);
    assert_eq!(harness.actions().0.state, ActionState::Busy);
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.heading(), Message::SurveyThanksTitle);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::SurveySubmitted));
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn empty_survey_is_not_sent() {
    let mut harness = harness::at_survey();
    harness.edit("employer", "  ");
    assert_eq!(submit(&mut harness), vec![]);
    assert_eq!(harness.field("employer").unwrap().error, Some(Message::FieldEmpty.into()));
    assert_eq!(harness.view().focus.target, FocusTarget::Field("employer".to_owned()));
    harness.edit("employer", "Z");
    assert_eq!(harness.field("employer").unwrap().error, None);
}

#[test]
fn failed_survey_keeps_typed_name() {
    for (refusal, title) in [
        (fixtures::problem(422, ProblemCode::InvalidParameters), Message::UnavailableTitle),
        (RequestError::Limited { retry_in_ms: 9_000 }, Message::BusyTitle),
    ] {
        let mut harness = submit_employer("Zapata");
        harness.reply(Reply::Done(Err(refusal)));
        assert_eq!(harness.notice().unwrap().1, Some(title.into()));
        let Input::Text { value, .. } = harness.field("employer").unwrap().input else { panic!("text") };
        assert_eq!(value.as_str(), "Zapata");
    }
    let mut harness = submit_employer("Zapata");
    harness.reply(Reply::Done(Err(fixtures::problem(422, ProblemCode::InvalidParameters))));
    assert_eq!(submit(&mut harness).len(), 1, "a rejected survey can be sent again");
}

#[test]
fn survey_over_quota_continues() {
    let mut harness = submit_employer("Zapata");
    harness.reply(Reply::Done(Err(RequestError::Limited { retry_in_ms: 4_320_000 })));
    assert_eq!(harness.heading(), Message::SurveyThanksTitle);
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn survey_is_sent_again_in_new_session() {
    let mut harness = submit_employer("Zapata");
    harness.session_ends();
    harness.send(Event::TokenSet { token: harness::token("second") });
    let effects = harness.reply_session(fixtures::session());
    assert!(matches!(effects[..], [Effect::SendSurvey { .. }]), "{effects:?}");
}

#[test]
fn survey_thanks_offer_upload_if_enabled() {
    let mut harness = harness::at_uploads();
    harness.press(Press::Back);
    harness.choose("/survey");
    harness.edit("employer", "Zapata");
    submit(&mut harness);
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.actions().0.press, Press::Upload);
    harness.press(Press::Upload);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::FileTypeListPageOpened));
}

#[test]
fn survey_back_leads_to_provider_list() {
    let mut harness = harness::at_survey();
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}
