//! Tests of the developers' pages.

use link_types::clock::{Clock, ClockAdvance, ClockAdvanceStatus};
use link_types::console::Permission;
use link_types::event::EventType;
use link_types::id::{DeliveryId, EventId, WebhookId};
use link_types::list;
use link_types::problem::{FaultCode, FieldFault};
use link_types::webhook::{Delivery, DeliveryStatus, EventSelection, RetryProfile, Webhook};
use link_types::{Mode, Timestamp};

use super::Input;
use super::verify::{Digests, Verdict, verdict};
use crate::core::page::Page;
use crate::core::question::Act;
use crate::core::rest::{DeliveryQuery, Rest, RestResponse, WebhookDraft};
use crate::core::state::{Loaded, Once, Visitor};
use crate::core::tests::{signed_in, start};
use crate::core::webhook_key::WebhookKey;
use crate::core::{Body, Effect, Event, Failure, Request, Response, State, Text};

const WEBHOOKS: Page = Page::Webhooks(Mode::Sandbox);

fn key() -> WebhookKey {
    WebhookKey::new(&WebhookId::from_bytes([7; 16]))
}

fn webhook() -> Webhook {
    Webhook {
        id: WebhookId::from_bytes([7; 16]),
        created_at: Timestamp::from_micros(0),
        updated_at: Timestamp::from_micros(0),
        name: "shop.example".into(),
        url: "https://shop.example/hook".into(),
        event_types: EventSelection::All,
        active: true,
        include_payload: false,
        retry_profile: RetryProfile::Standard,
        trace_context: false,
        secret_hint: "cret".into(),
        next_secret_hint: None,
        rotation_ends_at: None,
        disabled_reason: None,
    }
}

fn delivery(number: u8, status: DeliveryStatus) -> Delivery {
    Delivery {
        id: DeliveryId::from_bytes([number; 16]),
        event_id: EventId::from_bytes([number; 16]),
        event_type: EventType::AccountConnected,
        webhook_id: WebhookId::from_bytes([7; 16]),
        status,
        next_attempt_at: None,
        attempts: Vec::new(),
    }
}

fn rest(rest: Rest) -> Request {
    Request::Rest(Mode::Sandbox, rest)
}

fn answer(state: &mut State, sent: Rest, response: RestResponse) -> Vec<Effect> {
    state.handle(Event::respond(rest(sent), Ok(Response::Rest(response))))
}

fn act(state: &mut State, input: Input) -> Vec<Effect> {
    state.handle(Event::Developer(input))
}

fn page_of(items: Vec<Delivery>, next: Option<&str>) -> RestResponse {
    RestResponse::Deliveries(list::Page { items, next_cursor: next.map(str::to_owned) })
}

#[test]
fn key_of_a_webhook_is_its_identifier() {
    let id = WebhookId::from_bytes([0x0a; 16]);
    assert_eq!(WebhookKey::new(&id).to_string(), id.as_str());
    assert_eq!(id.as_str().parse(), Ok(WebhookKey::new(&id)));
    assert!("wh-1".parse::<WebhookKey>().is_err());
}

#[test]
fn webhook_is_registered_and_its_secret_shown_once() {
    let mut state = start(WEBHOOKS);
    act(&mut state, Input::UrlTyped("https://shop.example/hook".into()));
    act(&mut state, Input::AllChosen(false));
    act(&mut state, Input::EventToggled(EventType::TaskFinished));
    act(&mut state, Input::EventToggled(EventType::UserCreated));
    act(&mut state, Input::EventToggled(EventType::UserCreated));
    let draft =
        WebhookDraft { url: "https://shop.example/hook".into(), event_types: vec!["TASK_FINISHED".into()] };
    let create = Rest::CreateWebhook(draft);
    assert_eq!(state.handle(Event::Submitted), [Effect::Send(rest(create.clone()))]);
    assert_eq!(state.handle(Event::Submitted), [], "a second press");
    let (_, path, body) = create.parts(Mode::Sandbox);
    assert_eq!(path, "/sandbox/webhooks");
    assert!(matches!(body, Body::NewWebhook(_)));
    answer(&mut state, create, RestResponse::Secret(Box::new(webhook()), "s3cret".into()));
    let shown = Once::WebhookSecret(Mode::Sandbox, "shop.example".into(), "s3cret".into());
    assert_eq!(state.once, [shown]);
    assert_eq!(state.developer.sandbox_webhook.draft, WebhookDraft::empty());
}

#[test]
fn draft_of_a_webhook_survives_faults_and_the_end_of_the_session() {
    let mut state = start(WEBHOOKS);
    act(&mut state, Input::UrlTyped("http://x".into()));
    state.handle(Event::Submitted);
    let sent = Rest::CreateWebhook(state.developer.sandbox_webhook.draft.clone());
    let fault = FieldFault {
        field: "eventTypes[0]".into(),
        code: FaultCode::Invalid,
        message: "one of these".into(),
        file_fault: None,
    };
    state.handle(Event::respond(rest(sent), Err(Failure::Invalid(vec![fault]))));
    let failure = state.developer.sandbox_webhook.failure.clone().unwrap();
    assert_eq!(failure.about_any("eventTypes"), Some("one of these"));
    assert_eq!(failure.about_any("event"), None);
    state.handle(Event::Opened(Page::Clock));
    state.handle(Event::respond(rest(Rest::ReadClock), Err(Failure::SignedOut)));
    assert_eq!(state.visitor, Visitor::SignedOut);
    assert!(state.has_typed());
    state.handle(Event::respond(Request::WhoIsThere, Ok(signed_in())));
    assert_eq!(state.developer.sandbox_webhook.draft.url, "http://x");
}

#[test]
fn production_webhook_is_deleted_only_after_its_name_was_typed() {
    let mut state = start(Page::Webhook(Mode::Production, key()));
    state.handle(Event::Asked(Act::DeleteWebhook(Mode::Production, webhook())));
    assert_eq!(state.handle(Event::Confirmed), []);
    state.handle(Event::WordTyped("shop.example".into()));
    let delete = Request::Rest(Mode::Production, Rest::DeleteWebhook(key()));
    assert_eq!(state.handle(Event::Confirmed), [Effect::Send(delete.clone())]);
    let effects = state.handle(Event::respond(delete, Ok(Response::Rest(RestResponse::Done))));
    assert_eq!(effects, [Effect::GoTo(Page::Webhooks(Mode::Production))]);
    assert_eq!((state.question, state.notice), (None, Some(Text::WebhookDeleted)));
}

#[test]
fn deliveries_of_an_earlier_filter_are_ignored() {
    let mut state = start(Page::Webhook(Mode::Sandbox, key()));
    let effects = act(&mut state, Input::StatusChosen(Some(DeliveryStatus::Exhausted)));
    let query = DeliveryQuery { status: Some(DeliveryStatus::Exhausted), ..DeliveryQuery::default() };
    let filtered = Rest::ListDeliveries(key(), query);
    assert_eq!(effects, [Effect::Send(rest(filtered.clone()))]);
    let (_, path, _) = filtered.parts(Mode::Sandbox);
    assert!(path.ends_with("/deliveries?size=25&status=EXHAUSTED"), "{path}");
    let first = Rest::ListDeliveries(key(), DeliveryQuery::default());
    answer(&mut state, first, page_of(vec![delivery(1, DeliveryStatus::Delivered)], None));
    assert_eq!(state.developer.deliveries, Loaded::Loading);
    answer(&mut state, filtered, page_of(Vec::new(), None));
    assert_eq!(state.developer.deliveries, Loaded::Ready(Vec::new()));
}

#[test]
fn next_page_of_deliveries_follows_the_first() {
    let mut state = start(Page::Webhook(Mode::Sandbox, key()));
    let first = Rest::ListDeliveries(key(), DeliveryQuery::default());
    answer(&mut state, first, page_of(vec![delivery(1, DeliveryStatus::Delivered)], Some("c1")));
    let effects = act(&mut state, Input::MoreWanted);
    let query = DeliveryQuery { cursor: Some("c1".into()), ..DeliveryQuery::default() };
    let more = Rest::ListDeliveries(key(), query);
    assert_eq!(effects, [Effect::Send(rest(more.clone()))]);
    answer(&mut state, more.clone(), page_of(vec![delivery(2, DeliveryStatus::Delivered)], None));
    // A second response to the same request adds nothing.
    answer(&mut state, more, page_of(vec![delivery(2, DeliveryStatus::Delivered)], None));
    let Loaded::Ready(shown) = &state.developer.deliveries else { panic!("{:?}", state.developer) };
    assert_eq!(shown.len(), 2);
    assert_eq!(state.developer.next, None);
}

#[test]
fn pending_delivery_is_asked_for_again_for_a_while() {
    let mut state = start(Page::Webhook(Mode::Sandbox, key()));
    state.handle(Event::Opened(Page::Webhook(Mode::Sandbox, key())));
    let list = Rest::ListDeliveries(key(), DeliveryQuery::default());
    let mut polls = 0;
    let pending = || page_of(vec![delivery(1, DeliveryStatus::Pending)], None);
    while answer(&mut state, list.clone(), pending()) == [Effect::SendLater(rest(list.clone()))] {
        polls += 1;
    }
    assert_eq!(polls, 20);
    let done = page_of(vec![delivery(1, DeliveryStatus::Delivered)], None);
    assert_eq!(answer(&mut state, list, done), []);
}

#[test]
fn panel_asks_for_the_body_only_with_the_permission() {
    let opened = || Input::DeliveryOpened(Box::new(delivery(1, DeliveryStatus::Delivered)));
    let mut state = start(Page::Webhook(Mode::Sandbox, key()));
    let effects = act(&mut state, opened());
    assert!(effects.contains(&Effect::Send(rest(Rest::GetEvent(EventId::from_bytes([1; 16]))))));
    if let Visitor::SignedIn(member) = &mut state.visitor {
        member.sandbox.retain(|it| *it != Permission::ReadEvents);
    }
    let effects = act(&mut state, opened());
    assert_eq!(effects.len(), 2, "{effects:?}");
    assert_eq!(state.developer.opened.unwrap().body, Loaded::Failed(Failure::Denied));
}

#[test]
fn delivery_of_the_panel_is_sent_again_once() {
    let mut state = start(Page::Webhook(Mode::Sandbox, key()));
    act(&mut state, Input::DeliveryOpened(Box::new(delivery(1, DeliveryStatus::Exhausted))));
    let resend = Rest::Resend(key(), DeliveryId::from_bytes([1; 16]));
    assert_eq!(act(&mut state, Input::ResendWanted), [Effect::Send(rest(resend.clone()))]);
    assert_eq!(act(&mut state, Input::ResendWanted), [], "a second press");
    let effects =
        answer(&mut state, resend, RestResponse::Delivery(Box::new(delivery(1, DeliveryStatus::Pending))));
    let loads = state.page.lists(&DeliveryQuery::default()).into_iter().map(Effect::Send);
    assert_eq!(effects, loads.collect::<Vec<_>>());
    assert_eq!(state.notice, Some(Text::DeliveryResent));
}

#[test]
fn example_of_another_type_is_ignored() {
    let mut state = start(Page::Events);
    act(&mut state, Input::TypeOpened(EventType::TaskStarted));
    act(&mut state, Input::TypeOpened(EventType::TaskFinished));
    answer(&mut state, Rest::Example(EventType::TaskStarted), RestResponse::Event("{}".into()));
    assert_eq!(state.developer.example, Some((EventType::TaskFinished, Loaded::Loading)));
}

#[test]
fn clock_is_read_again_until_it_stands() {
    let mut state = start(Page::Clock);
    let effects = act(&mut state, Input::AdvanceWanted(60));
    let [Effect::Send(Request::Rest(_, sent))] = effects.as_slice() else { panic!("{effects:?}") };
    let clock = |status| {
        let at = Timestamp::from_micros(0);
        let advance = ClockAdvance { status, from: at, until: at, stops: 0 };
        RestResponse::Clock(Box::new(Clock { now: at, real_time: at, advance: Some(advance) }))
    };
    let effects = answer(&mut state, sent.clone(), clock(ClockAdvanceStatus::Started));
    assert_eq!(effects, [Effect::SendLater(rest(Rest::ReadClock))]);
    assert_eq!(answer(&mut state, Rest::ReadClock, clock(ClockAdvanceStatus::Finished)), []);
}

#[test]
fn list_of_the_other_environment_is_ignored() {
    let mut state = start(Page::Webhooks(Mode::Production));
    answer(&mut state, Rest::ListWebhooks, RestResponse::Webhooks(vec![webhook()]));
    assert_eq!(state.developer.webhooks, Loaded::Loading);
}

#[test]
fn verdict_says_why_a_signature_is_not_valid() {
    let digests =
        Digests { exact: "a".repeat(128), trimmed: "b".repeat(128), with_line_break: "c".repeat(128) };
    let of = |signature: &str| verdict(signature, Some(&digests));
    assert_eq!(of(&format!(" {} ", "a".repeat(128))), Verdict::Valid);
    assert_eq!(of(&"A".repeat(128)), Verdict::Uppercase);
    assert_eq!(of(&"b".repeat(128)), Verdict::Trimmed);
    assert_eq!(of(&"c".repeat(128)), Verdict::LineBreak);
    assert_eq!(of(&"d".repeat(128)), Verdict::Different);
    assert_eq!(of(&"a".repeat(64)), Verdict::Malformed);
    assert_eq!(of("v1,abc"), Verdict::OtherHeader);
    assert_eq!(verdict("", None), Verdict::NotComputed);
}
