use link_types::Mode;
use link_types::list::Page as ListPage;
use link_types::problem::{FaultCode, FieldFault};

use super::TemplateInput;
use super::draft::TemplateDraft;
use super::editor::{SavedVersion, TemplateEditor};
use super::fields::{control_path, list_translated, sections};
use super::kind::{TemplateKey, TemplateKind};
use super::request::{TemplateRequest, TemplateResponse};
use super::wire::AnyTemplate;
use crate::core::edited::{Kept, differences};
use crate::core::page::Page;
use crate::core::tests::{member, start};
use crate::core::{Effect, Event, Failure, Loaded, Request, Response, State};

const LINK: &str = include_str!("../../../../link-server/src/api/link_templates/get.json");
const CONSENT: &str = include_str!("../../../../link-server/src/api/consent_templates/get.json");
const INVITE: &str = include_str!("../../../../link-server/src/api/invite_templates/get.json");

pub(super) fn link(name: &str, revision: &str) -> AnyTemplate {
    let mut template: link_types::template::LinkTemplate = serde_json::from_str(LINK).unwrap();
    (template.name, template.revision) = (name.to_owned(), revision.to_owned());
    AnyTemplate::Link(Box::new(template))
}

fn every_kind() -> [(TemplateKind, AnyTemplate, &'static str); 3] {
    [
        (TemplateKind::Link, AnyTemplate::Link(serde_json::from_str(LINK).unwrap()), LINK),
        (TemplateKind::Consent, AnyTemplate::Consent(serde_json::from_str(CONSENT).unwrap()), CONSENT),
        (TemplateKind::Invite, AnyTemplate::Invite(serde_json::from_str(INVITE).unwrap()), INVITE),
    ]
}

pub(super) fn key() -> TemplateKey {
    link("", "").key().unwrap()
}

pub(super) fn respond(
    state: &mut State,
    request: TemplateRequest,
    response: Result<TemplateResponse, Failure>,
) -> Vec<Effect> {
    let request = Request::Template(Mode::Sandbox, request);
    state.handle(Event::respond(request, response.map(Response::Template)))
}

pub(super) fn show(state: &mut State, template: AnyTemplate) -> Vec<Effect> {
    respond(state, TemplateRequest::Get(key()), Ok(TemplateResponse::Template(Box::new(template))))
}

pub(super) fn editing(revision: &str) -> State {
    let mut state = start(Page::Template(Mode::Sandbox, key()));
    show(&mut state, link("Loans", revision));
    state
}

pub(super) fn act(state: &mut State, input: TemplateInput) -> Vec<Effect> {
    state.handle(Event::Template(input))
}

pub(super) fn type_text(state: &mut State, path: &str, value: &str) -> Vec<Effect> {
    act(state, TemplateInput::Typed(path.to_owned(), value.to_owned()))
}

pub(super) fn editor(state: &State) -> &TemplateEditor {
    let Loaded::Ready(editor) = &state.templates.editor else { panic!("no editor") };
    editor
}

/// Returns the update that the last effect sends.
fn last_update(effects: &[Effect]) -> (TemplateDraft, String) {
    let Some(Effect::Send(Request::Template(_, TemplateRequest::Update(_, draft, revision)))) =
        effects.last()
    else {
        panic!("{effects:?}")
    };
    ((**draft).clone(), revision.clone())
}

#[test]
fn body_of_an_unchanged_draft_is_the_template() {
    for (kind, template, json) in every_kind() {
        let body = serde_json::to_value(template.draft().body(kind, Some("r1"))).unwrap();
        let expected: serde_json::Value = serde_json::from_str(json).unwrap();
        for (field, value) in body.as_object().unwrap() {
            match field.as_str() {
                "revision" => assert_eq!(value, "r1"),
                // An absent value is an empty text, and an absent form one without fields.
                "helpUrl" if expected[field].is_null() => assert_eq!(value, ""),
                "form" if expected[field].is_null() => assert_eq!(value["fields"], serde_json::json!([])),
                _ => assert_eq!(*value, expected[field], "{kind}: {field}"),
            }
        }
        let fields = expected.as_object().unwrap().len() - 2;
        assert!(body.as_object().unwrap().len() >= fields - 1, "{kind}: {body}");
    }
}

#[test]
fn every_field_of_a_draft_has_a_control() {
    for (kind, template, _) in every_kind() {
        let draft = template.draft();
        for (path, _) in draft.below("").filter(|(path, _)| *path != "languages") {
            let control = control_path(kind, &draft, path);
            assert_eq!(control.as_deref(), Some(path), "{kind}");
        }
    }
}

#[test]
fn paths_of_controls_are_unique() {
    for kind in TemplateKind::ALL {
        let mut paths: Vec<&str> = sections(kind).iter().flat_map(|it| it.fields).map(|it| it.path).collect();
        let count = paths.len();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), count, "{kind}");
        assert!(list_translated(kind).iter().all(|it| paths.contains(&it.path)), "{kind}");
    }
}

#[test]
fn key_in_an_address_names_the_kind() {
    let text = format!("ct-{}", "0a".repeat(16));
    let key: TemplateKey = text.parse().unwrap();
    assert_eq!((key.kind, key.to_string()), (TemplateKind::Consent, text));
    assert!("ct-1".parse::<TemplateKey>().is_err() && "site-1".parse::<TemplateKey>().is_err());
}

#[test]
fn typed_text_is_kept_in_the_browser_and_recalled() {
    let mut state = editing("r1");
    let effects = type_text(&mut state, "companyName", "Cars & Co");
    let [Effect::PreviewLater(_), Effect::KeepTemplate(name, Some(kept))] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(*name, format!("linchpin.template.{}.SANDBOX.{}", member().id, key()));
    let mut reloaded = editing("r1");
    act(&mut reloaded, TemplateInput::Recalled(Some(kept.clone())));
    assert!(editor(&reloaded).edited.is_recalled && editor(&reloaded).edited.conflict.is_none());
    assert_eq!(editor(&reloaded).edited.form.draft.get("companyName"), "Cars & Co");
}

#[test]
fn draft_of_an_older_revision_conflicts_and_shows_the_fields() {
    let base = link("Loans", "r1").draft();
    let mut draft = base.clone();
    draft.set("companyName", "Cars & Co");
    let kept = Kept { draft, base, revision: Some("r1".to_owned()) };
    let mut state = start(Page::Template(Mode::Sandbox, key()));
    show(&mut state, link("Loans, spring", "r2"));
    act(&mut state, TemplateInput::Recalled(Some(Box::new(kept))));
    let conflict = editor(&state).edited.conflict.clone().unwrap();
    let [difference] = conflict.differences.as_slice() else { panic!("{conflict:?}") };
    assert_eq!((difference.path.as_str(), difference.theirs.as_str()), ("name", "Loans, spring"));
    assert_eq!(act(&mut state, TemplateInput::Saved), [Effect::Focus("#conflict")]);
    let (draft, revision) = last_update(&act(&mut state, TemplateInput::MineKept));
    assert_eq!((draft.get("companyName"), revision.as_str()), ("Cars & Co", "r2"));
}

#[test]
fn recalled_draft_conflicts_again_after_it_is_typed_in() {
    let mut state = editing("r1");
    type_text(&mut state, "companyName", "Cars & Co");
    let kept = editor(&state).edited.to_keep();
    let mut state = start(Page::Template(Mode::Sandbox, key()));
    show(&mut state, link("Loans, spring", "r2"));
    act(&mut state, TemplateInput::Recalled(kept));
    type_text(&mut state, "companyName", "Cars & Sons");
    let kept = editor(&state).edited.to_keep();
    let mut again = start(Page::Template(Mode::Sandbox, key()));
    show(&mut again, link("Loans, spring", "r2"));
    act(&mut again, TemplateInput::Recalled(kept));
    assert_eq!(editor(&again).edited.form.draft.get("companyName"), "Cars & Sons");
    assert_eq!(act(&mut again, TemplateInput::Saved), [Effect::Focus("#conflict")]);
    act(&mut again, TemplateInput::MineKept);
    let kept = editor(&again).edited.to_keep().unwrap();
    assert_eq!((kept.base.get("name"), kept.revision.as_deref()), ("Loans, spring", Some("r2")));
}

#[test]
fn logo_of_a_colleague_stays_if_the_draft_has_no_other() {
    let mut state = editing("r1");
    type_text(&mut state, "companyName", "Cars & Co");
    type_text(&mut state, "theme.logoDark", "data:image/png;base64,mine");
    let AnyTemplate::Link(mut theirs) = link("Loans", "r2") else { panic!("not a link template") };
    theirs.theme.logo_light = Some("https://sdk.example/logos/theirs-light".into());
    theirs.theme.logo_dark = Some("https://sdk.example/logos/theirs-dark".into());
    show(&mut state, AnyTemplate::Link(theirs));
    let (draft, _) = last_update(&act(&mut state, TemplateInput::MineKept));
    assert_eq!(draft.get("theme.logoLight"), "https://sdk.example/logos/theirs-light");
    assert_eq!(draft.get("theme.logoDark"), "data:image/png;base64,mine");
}

#[test]
fn save_that_came_second_loads_the_template_and_loses_nothing() {
    let mut state = editing("r1");
    type_text(&mut state, "companyName", "Cars & Co");
    let (draft, revision) = last_update(&act(&mut state, TemplateInput::Saved));
    let request = TemplateRequest::Update(key(), Box::new(draft), revision);
    let effects = respond(&mut state, request, Err(Failure::Refused("changed".into())));
    let reload = Effect::Send(Request::Template(Mode::Sandbox, TemplateRequest::Get(key())));
    assert!(effects.contains(&reload), "{effects:?}");
    show(&mut state, link("Loans, spring", "r2"));
    assert!(editor(&state).edited.conflict.is_some());
    assert_eq!(editor(&state).edited.form.draft.get("companyName"), "Cars & Co");
    act(&mut state, TemplateInput::TheirsTaken);
    assert_eq!(editor(&state).edited.form.draft.get("name"), "Loans, spring");
    assert!(!editor(&state).edited.has_changes());
}

#[test]
fn fault_is_shown_at_its_control() {
    let mut state = editing("r1");
    act(&mut state, TemplateInput::TextAdded("es-MX".into(), "consent-title".into()));
    let (draft, revision) = last_update(&act(&mut state, TemplateInput::Saved));
    let fault = |field: &str| FieldFault {
        field: field.into(),
        code: FaultCode::Invalid,
        message: "wrong".into(),
        file_fault: None,
    };
    let faults = vec![fault("theme.accent"), fault("allowedOrigins[1]"), fault("texts.es-MX.consent-title")];
    let request = TemplateRequest::Update(key(), Box::new(draft), revision);
    respond(&mut state, request, Err(Failure::Invalid(faults)));
    for path in ["theme.accent", "allowedOrigins", "texts.es-MX.consent-title"] {
        assert_eq!(editor(&state).fault(path), Some("wrong"), "{path}");
    }
    assert_eq!(editor(&state).fault("theme.accentDark"), None);
    let effects = act(&mut state, TemplateInput::FaultOpened("allowedOrigins[1]".into()));
    assert_eq!(effects, [Effect::FocusId("at-allowedOrigins".into())]);
}

#[test]
fn order_of_providers_follows_the_buttons() {
    let mut state = editing("r1");
    type_text(&mut state, "topProviders", "");
    for id in ["a", "b", "c"] {
        act(&mut state, TemplateInput::Ticked("topProviders".into(), id.into(), true));
    }
    let effects = act(&mut state, TemplateInput::Moved("topProviders".into(), "c".into(), 0));
    assert_eq!(editor(&state).edited.form.draft.get("topProviders"), "c\na\nb");
    assert_eq!(effects.last(), Some(&Effect::FocusId("at-topProviders-c".into())));
    act(&mut state, TemplateInput::Ticked("topProviders".into(), "a".into(), false));
    assert_eq!(editor(&state).edited.form.draft.get("topProviders"), "c\nb");
}

#[test]
fn version_is_compared_and_restored_without_its_logos() {
    let mut state = editing("r2");
    type_text(&mut state, "theme.logoLight", "data:image/png;base64,new");
    let AnyTemplate::Link(mut old) = link("Default", "") else { panic!("not a link template") };
    old.theme.logo_light = Some("https://sdk.example/logos/gone".into());
    let saved_at = old.created_at;
    let versions = vec![
        SavedVersion { version: 2, saved_at, template: link("Loans", "r2") },
        SavedVersion { version: 1, saved_at, template: AnyTemplate::Link(old) },
    ];
    respond(&mut state, TemplateRequest::Versions(key()), Ok(TemplateResponse::Versions(versions)));
    assert_eq!(editor(&state).compare(2), Some(Vec::new()));
    let found = editor(&state).compare(1).unwrap();
    let name = found.iter().find(|it| it.path == "name").unwrap();
    assert_eq!((name.theirs.as_str(), name.mine.as_str()), ("Default", "Loans"));
    act(&mut state, TemplateInput::Restored(1));
    let draft = &editor(&state).edited.form.draft;
    assert_eq!((draft.get("name"), draft.get("theme.logoLight")), ("Default", "data:image/png;base64,new"));
    assert!(editor(&state).is_restored);
}

#[test]
fn removed_language_takes_its_translations_along() {
    let (_, template, _) = &every_kind()[1];
    let mut editor = TemplateEditor::for_saved(TemplateKind::Consent, Box::new(template.clone()));
    let language = editor.shown_language().unwrap().to_owned();
    assert!(editor.edited.form.draft.is_on(&format!("translations.{language}.title")));
    editor.edited.form.draft.remove_language(&language);
    assert!(!editor.edited.form.draft.is_on(&format!("translations.{language}.title")));
    let found = differences(&editor.edited.base, &editor.edited.form.draft, &editor.edited.base);
    assert!(
        found.iter().all(|it| it.path.starts_with("translations.") || it.path == "languages"),
        "{found:?}"
    );
}

#[test]
fn list_has_its_next_page() {
    let page = Page::Templates(Mode::Sandbox, TemplateKind::Link);
    let mut state = start(page);
    let first = ListPage { items: vec![link("One", "")], next_cursor: Some("c".to_owned()) };
    respond(&mut state, TemplateRequest::List(TemplateKind::Link, None), Ok(TemplateResponse::List(first)));
    let effects = act(&mut state, TemplateInput::MoreWanted);
    let request = TemplateRequest::List(TemplateKind::Link, Some("c".to_owned()));
    assert_eq!(effects, [Effect::Send(Request::Template(Mode::Sandbox, request.clone()))]);
    let second = ListPage { items: vec![link("Two", "")], next_cursor: None };
    respond(&mut state, request, Ok(TemplateResponse::List(second)));
    let Loaded::Ready(list) = &state.templates.list else { panic!("not loaded") };
    assert_eq!(list.iter().map(AnyTemplate::name).collect::<Vec<_>>(), ["One", "Two"]);
}
