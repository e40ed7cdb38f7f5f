use link_types::Mode;
use link_types::console::{Member, Permission, Role, SignedIn};
use link_types::form_submission::{ConditionOperator, LinkSiteFieldType};
use link_types::link_site::{LinkSite, LinkSiteStatus};
use link_types::list::Page as ListPage;
use link_types::problem::{FaultCode, FieldFault};

use super::draft::SiteDraft;
use super::editor::{Announcement, Editor};
use super::request::{SiteRequest, SiteResponse, SiteUpdate};
use super::spot::{Part, Spot, element_id, field_path};
use super::{MovedBy, SiteInput};
use crate::core::edited::Kept;
use crate::core::page::Page;
use crate::core::webhook_key::SiteKey;
use crate::core::{Effect, Event, Failure, Loaded, Request, Response, State};

/// A site with three fields, the last of which depends on the first.
fn site(revision: &str) -> LinkSite {
    let json = include_str!("../../../../link-server/src/api/link_sites/get.json");
    let mut site: LinkSite = serde_json::from_str(json).unwrap();
    site.revision = revision.to_owned();
    site
}

fn key() -> SiteKey {
    SiteKey::new(&site("").id)
}

fn signed_in(id: &str) -> Response {
    let member = Member {
        id: id.parse().unwrap(),
        email: "ana@shop.example".into(),
        name: "Ana".into(),
        role: Role::Owner,
        created_at: "2026-11-20T10:00:00.000Z".parse().unwrap(),
    };
    Response::SignedIn(Box::new(SignedIn {
        member,
        tenant_id: "demo".parse().unwrap(),
        tenant_name: "Demo".into(),
        sandbox: Permission::ALL.to_vec(),
        production: Permission::ALL.to_vec(),
        sandbox_url: "http://localhost:8787/sandbox/v1".into(),
        production_url: "http://localhost:8787/v1".into(),
        ends_at: "2026-11-27T10:00:00.000Z".parse().unwrap(),
        has_passkeys: true,
    }))
}

const ANA: &str = "mb-00000000000000000000000000000001";

/// Returns the portal on a page, with a signed-in member.
fn portal(page: Page) -> State {
    let mut state = State::new();
    state.handle(Event::Started(page, false));
    state.handle(Event::respond(Request::WhoIsThere, Ok(signed_in(ANA))));
    state
}

/// Returns the portal with the editor of the site.
fn editing(revision: &str) -> State {
    let mut state = portal(Page::Site(Mode::Sandbox, key()));
    respond(&mut state, SiteRequest::Get(key()), Ok(SiteResponse::Site(Box::new(site(revision)))));
    state
}

fn respond(state: &mut State, request: SiteRequest, response: Result<SiteResponse, Failure>) -> Vec<Effect> {
    let request = Request::Site(Mode::Sandbox, request);
    state.handle(Event::respond(request, response.map(Response::Site)))
}

fn act(state: &mut State, input: SiteInput) -> Vec<Effect> {
    state.handle(Event::Site(input))
}

fn editor(state: &State) -> &Editor {
    let Loaded::Ready(editor) = &state.sites.editor else { panic!("no editor") };
    editor
}

fn names(state: &State) -> Vec<&str> {
    editor(state).edited.form.draft.fields.iter().map(|it| it.name.as_str()).collect()
}

/// Returns what the last effect sends.
fn last_update(effects: &[Effect]) -> SiteUpdate {
    let Some(Effect::Send(Request::Site(_, SiteRequest::Update(_, update) | SiteRequest::Create(update)))) =
        effects.last()
    else {
        panic!("{effects:?}")
    };
    (**update).clone()
}

fn body(update: &SiteUpdate) -> serde_json::Value {
    serde_json::to_value(update.draft.body(update.status, update.revision.as_deref())).unwrap()
}

#[test]
fn site_that_is_saved_without_a_change_is_sent_as_it_was() {
    let mut state = editing("r1");
    let update = last_update(&act(&mut state, SiteInput::Saved(None)));
    let (mut body, site) = (body(&update), serde_json::to_value(site("r1")).unwrap());
    assert_eq!(body["revision"], "r1");
    assert!(body.as_object_mut().unwrap().remove("status").is_none(), "the status stays");
    assert_eq!(
        (&body["host"], &site["host"]),
        (&serde_json::json!(""), &serde_json::Value::Null),
        "an empty text removes the host"
    );
    body.as_object_mut().unwrap().remove("host");
    for (name, value) in body.as_object().unwrap() {
        assert_eq!(*value, site[name], "{name}");
    }
}

#[test]
fn fault_of_an_origin_names_its_line() {
    let mut state = editing("r1");
    act(
        &mut state,
        SiteInput::Typed(Spot::EmbedOrigins, "https://a.example\n\n shop\nhttps://a.example".into()),
    );
    let update = last_update(&act(&mut state, SiteInput::Saved(None)));
    let faults = [("embedOrigins[1]", "an origin"), ("embedOrigins[2]", "each origin once")];
    let faults = faults.map(|(field, message)| FieldFault {
        field: field.into(),
        code: FaultCode::Invalid,
        message: message.into(),
        file_fault: None,
    });
    let refused = Err(Failure::Invalid(faults.to_vec()));
    respond(&mut state, SiteRequest::Update(key(), Box::new(update)), refused);
    let shown = editor(&state).fault(&Spot::EmbedOrigins.path());
    assert_eq!(shown, Some("shop: an origin. https://a.example: each origin once"));
}

#[test]
fn what_is_typed_is_sent_and_refused_at_its_field_and_not_lost() {
    let mut state = editing("r1");
    let brand = editor(&state).edited.form.draft.fields[1].uid;
    act(&mut state, SiteInput::Typed(Spot::Field(brand, Part::Label), String::new()));
    act(&mut state, SiteInput::Typed(Spot::Submissions, "many".into()));
    let update = last_update(&act(&mut state, SiteInput::Saved(Some(LinkSiteStatus::Published))));
    assert_eq!(body(&update)["limits"]["submissions"], "many");
    assert_eq!(body(&update)["status"], "PUBLISHED");
    let fault = |field: &str| FieldFault {
        field: field.into(),
        code: FaultCode::Invalid,
        message: format!("about {field}"),
        file_fault: None,
    };
    let faults =
        vec![fault("form.fields[1].label"), fault("limits.submissions"), fault("form.translations.es")];
    let effects =
        respond(&mut state, SiteRequest::Update(key(), Box::new(update)), Err(Failure::Invalid(faults)));
    assert_eq!(effects, [Effect::Focus("#faults, #failure")]);
    // The fault follows its field.
    act(&mut state, SiteInput::FieldMoved(brand, 0, MovedBy::Up));
    let it = editor(&state);
    assert_eq!(it.fault(&field_path(brand, "label")), Some("about form.fields[1].label"));
    assert_eq!(it.fault(&Spot::Submissions.path()), Some("about limits.submissions"));
    assert_eq!(it.edited.form.draft.submissions, "many");
    assert!(it.has_fault(brand));
    let focus = act(&mut state, SiteInput::FaultOpened(field_path(brand, "label")));
    assert_eq!(focus, [Effect::FocusId(element_id(&Spot::Field(brand, Part::Label).path()))]);
    assert_eq!(editor(&state).opened, Some(brand));
}

#[test]
fn fields_are_moved_by_each_way_and_moves_are_taken_back() {
    let mut state = editing("r1");
    let uids: Vec<u32> = editor(&state).edited.form.draft.fields.iter().map(|it| it.uid).collect();
    assert_eq!(names(&state), ["purpose", "brand", "campaign"]);
    let effects = act(&mut state, SiteInput::FieldMoved(uids[0], 1, MovedBy::Down));
    assert_eq!(names(&state), ["brand", "purpose", "campaign"]);
    let moved = Announcement::Moved("What is it for?".into(), 2, 3);
    assert_eq!(editor(&state).announcement, Some(moved));
    assert!(effects.contains(&Effect::FocusId(element_id(&field_path(uids[0], "down")))));
    act(&mut state, SiteInput::FieldMoved(uids[2], 0, MovedBy::Position));
    assert_eq!(names(&state), ["campaign", "brand", "purpose"]);
    act(&mut state, SiteInput::FieldRemoved(uids[1]));
    assert_eq!(names(&state), ["campaign", "purpose"]);
    assert_eq!(
        act(&mut state, SiteInput::FieldMoved(uids[0], 9, MovedBy::Drag)),
        [],
        "it is the last already"
    );
    for expected in [
        &["campaign", "brand", "purpose"],
        &["brand", "purpose", "campaign"],
        &["purpose", "brand", "campaign"],
    ] {
        act(&mut state, SiteInput::Undone);
        assert_eq!(names(&state), expected);
    }
    assert!(!editor(&state).can_undo() && !editor(&state).edited.has_changes());
}

#[test]
fn rules_follow_the_name_and_the_choices_of_their_field() {
    let mut state = editing("r1");
    let purpose = editor(&state).edited.form.draft.fields[0].uid;
    act(&mut state, SiteInput::Typed(Spot::Field(purpose, Part::Name), "use".into()));
    act(&mut state, SiteInput::Typed(Spot::Field(purpose, Part::Choices), "Truck\nHome".into()));
    let body = body(&last_update(&act(&mut state, SiteInput::Saved(None))));
    assert_eq!(body["form"]["fields"][0]["choices"], serde_json::json!(["Truck", "Home"]));
    let rule = &body["form"]["fields"][1]["condition"]["rules"][0];
    assert_eq!(*rule, serde_json::json!({"field": "use", "operator": "EQUALS", "values": ["Truck"]}));
}

#[test]
fn condition_begins_with_the_field_before_and_is_built_by_choices() {
    let mut state = editing("r1");
    act(&mut state, SiteInput::FieldAdded(LinkSiteFieldType::Number));
    let added = editor(&state).edited.form.draft.fields[3].uid;
    let brand = editor(&state).edited.form.draft.fields[1].uid;
    act(&mut state, SiteInput::ConditionChosen(added, true));
    act(&mut state, SiteInput::RuleFieldChosen(added, 0, brand));
    act(&mut state, SiteInput::OperatorChosen(added, 0, ConditionOperator::OneOf));
    act(&mut state, SiteInput::ValuesChosen(added, 0, vec!["A".into(), String::new(), "B".into()]));
    act(&mut state, SiteInput::RuleAdded(added));
    act(&mut state, SiteInput::OperatorChosen(added, 1, ConditionOperator::Answered));
    let body = body(&last_update(&act(&mut state, SiteInput::Saved(None))));
    let condition = &body["form"]["fields"][3]["condition"];
    let expected = serde_json::json!({"join": "ALL", "rules": [
        {"field": "brand", "operator": "ONE_OF", "values": ["A", "B"]},
        {"field": "campaign", "operator": "ANSWERED", "values": []},
    ]});
    assert_eq!(*condition, expected);
}

#[test]
fn draft_is_kept_for_the_member_and_the_site_and_recalled_after_a_reload() {
    let mut state = editing("r1");
    let effects = act(&mut state, SiteInput::Typed(Spot::Name, "Cars".into()));
    let [Effect::Keep(name, Some(kept))] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(*name, format!("linchpin.site.{ANA}.SANDBOX.{}", key()));
    let mut again = portal(Page::Site(Mode::Sandbox, key()));
    let effects = respond(&mut again, SiteRequest::Get(key()), Ok(SiteResponse::Site(Box::new(site("r1")))));
    assert_eq!(effects, [Effect::Recall(name.clone())]);
    act(&mut again, SiteInput::Recalled(Some(kept.clone())));
    assert!(editor(&again).edited.is_recalled && editor(&again).edited.has_changes());
    assert_eq!(editor(&again).edited.form.draft.name, "Cars");
    let update = last_update(&act(&mut again, SiteInput::Saved(None)));
    let saved = SiteResponse::Site(Box::new(LinkSite { name: "Cars".into(), ..site("r2") }));
    let effects = respond(&mut again, SiteRequest::Update(key(), Box::new(update)), Ok(saved));
    assert_eq!(effects, [Effect::Keep(name.clone(), None)]);
    assert_eq!(editor(&again).edited.revision(), Some("r2"));
}

#[test]
fn end_of_the_session_keeps_the_draft_and_signing_out_forgets_it() {
    let mut state = editing("r1");
    act(&mut state, SiteInput::Typed(Spot::Name, "Cars".into()));
    let update = last_update(&act(&mut state, SiteInput::Saved(None)));
    let effects = respond(&mut state, SiteRequest::Update(key(), Box::new(update)), Err(Failure::SignedOut));
    assert!(state.has_typed() && !effects.iter().any(|it| matches!(it, Effect::ForgetDrafts(_))));
    let mut state = editing("r1");
    let effects = state.handle(Event::respond(Request::SignOut, Ok(Response::Done)));
    assert!(effects.contains(&Effect::ForgetDrafts(format!("linchpin.site.{ANA}."))));
}

#[test]
fn concurrent_edit_shows_what_differs_and_both_ways_out() {
    let edited = || {
        let mut state = editing("r1");
        act(&mut state, SiteInput::Typed(Spot::Name, "Mine".into()));
        let update = last_update(&act(&mut state, SiteInput::Saved(None)));
        let refused = Failure::Refused("changed since".into());
        let effects = respond(&mut state, SiteRequest::Update(key(), Box::new(update)), Err(refused));
        assert!(effects.contains(&Effect::Send(Request::Site(Mode::Sandbox, SiteRequest::Get(key())))));
        let mut theirs = LinkSite { name: "Theirs".into(), ..site("r2") };
        theirs.form.as_mut().unwrap().fields[1].label = "Make".into();
        respond(&mut state, SiteRequest::Get(key()), Ok(SiteResponse::Site(Box::new(theirs))));
        state
    };
    let mut state = edited();
    let conflict = editor(&state).edited.conflict.clone().unwrap();
    let shown: Vec<_> = conflict
        .differences
        .iter()
        .map(|it| (it.path.as_str(), it.theirs.as_str(), it.mine.as_str()))
        .collect();
    assert_eq!(shown, [("form.fields.brand.label", "Make", "Which brand?"), ("name", "Theirs", "Mine")]);
    assert_eq!(act(&mut state, SiteInput::Saved(None)), [Effect::Focus("#conflict")], "a choice comes first");
    let update = last_update(&act(&mut state, SiteInput::MineKept));
    assert_eq!((update.draft.name.as_str(), update.revision.as_deref()), ("Mine", Some("r2")));
    let mut state = edited();
    act(&mut state, SiteInput::TheirsTaken);
    assert_eq!(
        (editor(&state).edited.form.draft.name.as_str(), editor(&state).edited.has_changes()),
        ("Theirs", false)
    );
}

#[test]
fn draft_of_an_older_revision_conflicts_when_it_is_recalled() {
    let mut state = editing("r1");
    act(&mut state, SiteInput::Typed(Spot::Name, "Mine".into()));
    let kept: Kept<SiteDraft> = *editor(&state).edited.to_keep().unwrap();
    let mut again = portal(Page::Site(Mode::Sandbox, key()));
    let theirs = LinkSite { slug: "other".into(), ..site("r2") };
    respond(&mut again, SiteRequest::Get(key()), Ok(SiteResponse::Site(Box::new(theirs))));
    act(&mut again, SiteInput::Recalled(Some(Box::new(kept))));
    let conflict = editor(&again).edited.conflict.clone().unwrap();
    assert_eq!(conflict.differences.len(), 1);
    assert_eq!(conflict.differences[0].path, "slug");
    act(&mut again, SiteInput::Typed(Spot::Name, "Mine, too".into()));
    let kept = editor(&again).edited.to_keep().unwrap();
    assert_eq!(kept.revision.as_deref(), Some("r1"), "it conflicts after another reload");
}

#[test]
fn new_site_has_the_first_template_and_opens_its_page_once_it_is_created() {
    let mut state = State::new();
    state.handle(Event::Started(Page::NewSite(Mode::Sandbox), false));
    let effects = state.handle(Event::respond(Request::WhoIsThere, Ok(signed_in(ANA))));
    assert!(effects.contains(&Effect::Recall(format!("linchpin.site.{ANA}.SANDBOX.new"))));
    act(&mut state, SiteInput::Recalled(None));
    act(&mut state, SiteInput::Typed(Spot::Name, "Loans".into()));
    let update = last_update(&act(&mut state, SiteInput::Saved(None)));
    assert_eq!(update.revision, None);
    let created = SiteResponse::Site(Box::new(site("r1")));
    let effects = respond(&mut state, SiteRequest::Create(Box::new(update)), Ok(created));
    assert!(effects.contains(&Effect::GoTo(Page::Site(Mode::Sandbox, key()))));
    assert!(effects.contains(&Effect::Keep(format!("linchpin.site.{ANA}.SANDBOX.new"), None)));
}

#[test]
fn translation_is_of_every_field_with_the_text_and_empty_ones_are_not_sent() {
    let mut state = editing("r1");
    act(&mut state, SiteInput::LanguageAdded("es-MX".into()));
    act(&mut state, SiteInput::Translated("Car".into(), "Coche".into()));
    act(&mut state, SiteInput::Translated("Home".into(), " ".into()));
    act(&mut state, SiteInput::Translated("Thank you".into(), "Gracias".into()));
    let body = body(&last_update(&act(&mut state, SiteInput::Saved(None))));
    assert_eq!(body["form"]["translations"], serde_json::json!({"es-MX": {"Car": "Coche"}}));
    assert_eq!(body["translations"], serde_json::json!({"es-MX": {"Thank you": "Gracias"}}));
}

#[test]
fn list_of_sites_continues_after_its_first_page() {
    let mut state = portal(Page::Sites(Mode::Sandbox));
    let page = |next: Option<&str>| {
        SiteResponse::List(ListPage { items: vec![site("r1")], next_cursor: next.map(str::to_owned) })
    };
    respond(&mut state, SiteRequest::List(None), Ok(page(Some("c1"))));
    let effects = act(&mut state, SiteInput::MoreWanted);
    let more = SiteRequest::List(Some("c1".into()));
    assert_eq!(effects, [Effect::Send(Request::Site(Mode::Sandbox, more.clone()))]);
    respond(&mut state, more, Ok(page(None)));
    let Loaded::Ready(sites) = &state.sites.list else { panic!() };
    assert_eq!((sites.len(), state.sites.next.as_ref()), (2, None));
}
