//! Tests of hosted links, from the address to the return.

use link_types::event::EventType;
use rstest::rstest;

use super::*;
use crate::change::job::JobKind;
use crate::change::{Change, Deletion, Row};
use crate::fixture;
use crate::kernel::clock::{ClockOffset, Now};
use crate::kernel::context::Context;

fn new(life: Duration) -> NewHostedLink {
    let (template, _) = fixture::templates();
    NewHostedLink {
        owner: fixture::owner(),
        reference: Some("ana".to_owned()),
        template_id: template.template.id,
        life,
        redirect_url: Some("https://shop.example/linked".to_owned()),
        locale: None,
        is_mobile_app: false,
    }
}

fn create() -> HostedLink {
    HostedLink::create(None, new(DEFAULT_LINK_LIFE), &mut fixture::context()).0
}

fn after(time: Duration) -> Context {
    Context::new(Now::new(fixture::context().now().wall() + time, ClockOffset::default()), [7; 32])
}

fn visit() -> LinkSiteSessionId {
    LinkSiteSessionId::from_bytes([5; 16])
}

fn enter() -> HostedLink {
    create().apply(HostedLinkInput::Enter(visit()), &mut fixture::context()).unwrap().0
}

fn apply(link: &HostedLink, input: HostedLinkInput) -> (HostedLink, Change) {
    link.clone().apply(input, &mut fixture::context()).unwrap()
}

fn types(change: &Change) -> Vec<EventType> {
    change.events.iter().map(|it| it.event_type).collect()
}

#[test]
fn new_link_creates_its_user_and_stores_no_code() {
    let (link, code, change) = HostedLink::create(None, new(DEFAULT_LINK_LIFE), &mut fixture::context());
    let [Row::User(user), Row::HostedLink(written)] = change.rows.as_slice() else { panic!("{change:?}") };
    assert_eq!((&user.id, user.reference.as_deref()), (&link.user_id, Some("ana")));
    assert_eq!((&**written, link.code_hash), (&link, Digest32::from_text(code.expose())));
    assert_eq!(address("https://link.example", &code), format!("https://link.example/l/{}", code.expose()));
    assert!(!format!("{change:?}").contains(code.expose()));
}

#[test]
fn life_of_a_link_is_capped_at_21_days() {
    let (link, ..) = HostedLink::create(None, new(Duration::MAX), &mut fixture::context());
    assert_eq!(link.terms.expires_at, link.created_at + MAX_LINK_LIFE);
}

#[test]
fn address_opens_once() {
    let link = enter();
    assert_eq!((link.status, link.visit_id.clone()), (HostedLinkStatus::Opened, Some(visit())));
    let again = link.apply(HostedLinkInput::Enter(visit()), &mut fixture::context());
    assert_eq!(again.map(|_| ()), Err(HostedLinkError::Used));
}

#[test]
fn address_does_not_open_after_its_time() {
    let last = DEFAULT_LINK_LIFE - Duration::from_micros(1);
    assert!(create().apply(HostedLinkInput::Enter(visit()), &mut after(last)).is_ok());
    let late = create().apply(HostedLinkInput::Enter(visit()), &mut after(DEFAULT_LINK_LIFE));
    assert_eq!(late.map(|_| ()), Err(HostedLinkError::Expired));
    let lapsed = create().apply(HostedLinkInput::Lapse, &mut after(DEFAULT_LINK_LIFE)).unwrap().0;
    let late = lapsed.apply(HostedLinkInput::Enter(visit()), &mut after(DEFAULT_LINK_LIFE));
    assert_eq!(late.map(|_| ()), Err(HostedLinkError::Expired));
}

#[rstest]
#[case::complete(HostedLinkInput::Complete, HostedLinkStatus::Completed, EventType::LinkSessionCompleted)]
#[case::leave(HostedLinkInput::Leave, HostedLinkStatus::Closed, EventType::LinkSessionClosed)]
fn end_of_a_visit_is_reported_once(
    #[case] input: HostedLinkInput,
    #[case] status: HostedLinkStatus,
    #[case] event: EventType,
) {
    let (ended, change) = apply(&enter(), input.clone());
    assert_eq!((ended.status, types(&change)), (status, vec![event]));
    assert!(matches!(change.jobs.as_slice(), [job] if matches!(job.kind, JobKind::ExpireHostedLink { .. })));
    assert_eq!(apply(&ended, input), (ended.clone(), Change::default()));
    assert_eq!(apply(&ended, HostedLinkInput::Leave).1, Change::default());
    assert_eq!(apply(&ended, HostedLinkInput::Lapse).1, Change::default());
}

#[test]
fn person_who_left_can_come_back_and_complete() {
    let (closed, _) = apply(&enter(), HostedLinkInput::Leave);
    let (completed, change) = apply(&closed, HostedLinkInput::Complete);
    assert_eq!(completed.status, HostedLinkStatus::Completed);
    assert_eq!(types(&change), [EventType::LinkSessionCompleted]);
}

#[test]
fn account_that_connects_days_later_completes_nothing() {
    let (closed, _) = apply(&enter(), HostedLinkInput::Leave);
    let in_time = COMPLETION_TIME - Duration::from_micros(1);
    assert_ne!(closed.clone().note(HostedLinkInput::Complete, &mut after(in_time)), Change::default());
    assert_eq!(closed.note(HostedLinkInput::Complete, &mut after(COMPLETION_TIME)), Change::default());
}

#[test]
fn unopened_link_is_neither_left_nor_completed() {
    for input in [HostedLinkInput::Leave, HostedLinkInput::Complete] {
        assert_eq!(apply(&create(), input), (create(), Change::default()));
    }
}

#[rstest]
#[case::unopened(create(), DEFAULT_LINK_LIFE)]
#[case::opened(enter(), VISIT_LIFE)]
fn link_without_an_end_expires(#[case] link: HostedLink, #[case] life: Duration) {
    let due_at = link.created_at + life;
    let early = link.clone().apply(HostedLinkInput::Lapse, &mut after(life - Duration::from_micros(1)));
    assert_eq!(early.map(|_| ()), Err(HostedLinkError::NotDue { due_at }));
    let (lapsed, change) = link.apply(HostedLinkInput::Lapse, &mut after(life)).unwrap();
    assert_eq!(lapsed.status, HostedLinkStatus::Expired);
    assert_eq!(types(&change), [EventType::LinkSessionExpired]);
}

#[test]
fn link_is_deleted_60_days_after_its_end() {
    let (ended, _) = apply(&enter(), HostedLinkInput::Complete);
    let early = HOSTED_LINK_RETENTION - Duration::from_micros(1);
    assert!(ended.clone().apply(HostedLinkInput::Expire, &mut after(early)).is_err());
    let (_, change) =
        ended.clone().apply(HostedLinkInput::Expire, &mut after(HOSTED_LINK_RETENTION)).unwrap();
    assert_eq!(change.deletions, [Deletion::HostedLink(ended.id)]);
}

#[rstest]
#[case::page("https://shop.example/linked", "https://shop.example/linked?")]
#[case::query("https://shop.example/linked?a=b", "https://shop.example/linked?a=b&")]
#[case::app("com.example.app:/linked", "com.example.app:/linked?")]
fn return_has_only_id_and_status(#[case] listed: &str, #[case] start: &str) {
    let (mut template, _) = fixture::templates();
    template.template.redirect_urls = vec![listed.to_owned()];
    let mut link = apply(&enter(), HostedLinkInput::Complete).0;
    link.terms.redirect_url = Some(listed.to_owned());
    let expected = format!("{start}linkSessionId={}&status=COMPLETED", link.id);
    assert_eq!(link.return_url(&template.template), Some(expected));
    template.template.redirect_urls.clear();
    assert_eq!(link.return_url(&template.template), None, "the template no longer lists it");
}
