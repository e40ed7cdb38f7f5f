//! Who does not find their provider.

use link_types::host::UiEventName;
use link_types::problem::ProblemCode;
use link_types::uploading::EmployerSurvey;

use super::desk::{self, Desk};
use super::stock;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::view::block::{ActionState, Input};
use crate::view::{FocusTarget, Typed};
use crate::{Effect, Event, Secrets};

fn submit(desk: &mut Desk) -> Vec<Effect> {
    desk.send(Event::Submitted(Secrets::none()))
}

fn named(name: &str) -> Desk {
    let mut desk = desk::at_survey();
    desk.edit("employer", name);
    submit(&mut desk);
    desk
}

#[test]
fn a_row_at_the_lists_end_and_an_empty_search_lead_there() {
    let mut desk = desk::at_providers();
    assert_eq!(desk.ways(), ["/survey"]);
    desk.send(Event::Searched { text: Typed::new("zzzz") });
    assert_eq!(desk.ways(), ["/survey"]);
    desk.choose("/survey");
    assert_eq!(desk.heading(), Message::SurveyTitle);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::EmployerSurveyPageOpened));
    let Input::Text { value, .. } = desk.field("employer").unwrap().input else { panic!("a line of text") };
    assert_eq!(value.as_str(), "zzzz", "what was searched for need not be typed again");
}

#[test]
fn a_name_is_sent_with_what_was_searched_for() {
    let mut desk = desk::at_providers();
    desk.send(Event::Searched { text: Typed::new("zzzz") });
    desk.choose("/survey");
    desk.edit("employer", " Zapata & Sons ");
    let effects = submit(&mut desk);
    let body = EmployerSurvey { employer: "Zapata & Sons".to_owned(), searched: Some("zzzz".to_owned()) };
    assert_eq!(effects, vec![Effect::SendSurvey { request: desk.request, body }]);
    assert_eq!(desk.actions().0.state, ActionState::Busy);
    desk.reply(Reply::Done(Ok(())));
    assert_eq!(desk.heading(), Message::SurveyThanksTitle);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::SurveySubmitted));
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn nothing_is_not_sent() {
    let mut desk = desk::at_survey();
    desk.edit("employer", "  ");
    assert_eq!(submit(&mut desk), vec![]);
    assert_eq!(desk.field("employer").unwrap().error, Some(Message::FieldEmpty.into()));
    assert_eq!(desk.view().focus.target, FocusTarget::Field("employer".to_owned()));
    desk.edit("employer", "Z");
    assert_eq!(desk.field("employer").unwrap().error, None);
}

#[test]
fn a_name_that_did_not_arrive_is_kept() {
    for (refusal, title) in [
        (stock::problem(422, ProblemCode::InvalidParameters), Message::UnavailableTitle),
        (Refusal::Limited { retry_in_ms: 9_000 }, Message::BusyTitle),
    ] {
        let mut desk = named("Zapata");
        desk.reply(Reply::Done(Err(refusal)));
        assert_eq!(desk.notice().unwrap().1, Some(title.into()));
        let Input::Text { value, .. } = desk.field("employer").unwrap().input else { panic!("text") };
        assert_eq!(value.as_str(), "Zapata");
    }
    let mut desk = named("Zapata");
    desk.reply(Reply::Done(Err(stock::problem(422, ProblemCode::InvalidParameters))));
    assert_eq!(submit(&mut desk).len(), 1, "and may be sent again");
}

#[test]
fn survey_over_its_quota_lets_the_person_go_on() {
    let mut desk = named("Zapata");
    desk.reply(Reply::Done(Err(Refusal::Limited { retry_in_ms: 4_320_000 })));
    assert_eq!(desk.heading(), Message::SurveyThanksTitle);
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn a_new_session_sends_what_was_on_its_way() {
    let mut desk = named("Zapata");
    desk.session_ends();
    desk.send(Event::TokenSet { token: desk::token("second") });
    let effects = desk.reply_session(stock::session());
    assert!(matches!(effects[..], [Effect::SendSurvey { .. }]), "{effects:?}");
}

#[test]
fn where_documents_are_taken_the_thanks_lead_to_them() {
    let mut desk = desk::at_uploads();
    desk.press(Press::Back);
    desk.choose("/survey");
    desk.edit("employer", "Zapata");
    submit(&mut desk);
    desk.reply(Reply::Done(Ok(())));
    assert_eq!(desk.actions().0.press, Press::Upload);
    desk.press(Press::Upload);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::FileTypeListPageOpened));
}

#[test]
fn back_leads_to_the_list() {
    let mut desk = desk::at_survey();
    desk.press(Press::Back);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}
