//! Tests of the preview.

use link_types::Mode;
use link_types::template::ConsentTemplate;

use super::TemplateInput;
use super::kind::TemplateKind;
use super::preview::{FORM, PreviewChoice, PreviewInput, PreviewStart};
use super::request::{TemplateRequest, TemplateResponse};
use super::tests::{act, editing, editor, link, respond, type_text};
use crate::core::page::Page;
use crate::core::tests::start;
use crate::core::{Effect, Event, State};

const CONSENT: &str = include_str!("../../../../link-server/src/api/consent_templates/get.json");

/// Opens a template. The preview waits for the first pause.
fn open_template() -> State {
    let mut state = editing("r1");
    assert_eq!(act(&mut state, TemplateInput::Recalled(None)), [Effect::PreviewLater(1)]);
    state
}

/// Opens the page of a new template.
fn begin_new(kind: TemplateKind) -> State {
    let mut state = start(Page::Overview);
    state.handle(Event::Opened(Page::NewTemplate(Mode::Sandbox, kind)));
    state
}

fn preview(state: &mut State, input: PreviewInput) -> Vec<Effect> {
    act(state, TemplateInput::Preview(input))
}

fn has_asked(effects: &[Effect]) -> bool {
    effects.iter().any(|it| matches!(it, Effect::PreviewLater(_)))
}

#[test]
fn preview_shows_the_newest_draft_after_a_pause() {
    let mut state = open_template();
    assert_eq!(editor(&state).preview.shown, 0);
    assert!(type_text(&mut state, "companyName", "C").contains(&Effect::PreviewLater(2)));
    assert!(type_text(&mut state, "companyName", "Ca").contains(&Effect::PreviewLater(3)));
    for early in [1, 2] {
        assert_eq!(preview(&mut state, PreviewInput::Due(early)), []);
    }
    assert_eq!(preview(&mut state, PreviewInput::Due(3)), [Effect::Submit(FORM)]);
    assert_eq!(editor(&state).preview.shown, 1);
}

#[test]
fn choice_is_shown_at_once_and_another_width_needs_no_page() {
    let mut state = open_template();
    let before = editor(&state).preview.choice.clone();
    let broad = PreviewChoice { is_broad: true, ..before.clone() };
    assert_eq!(preview(&mut state, PreviewInput::Chosen(broad.clone())), []);
    for choice in [
        PreviewChoice { is_dark: true, ..broad.clone() },
        PreviewChoice { language: "ar".to_owned(), ..broad.clone() },
        PreviewChoice { start: PreviewStart::Login, ..broad },
    ] {
        assert_eq!(preview(&mut state, PreviewInput::Chosen(choice.clone())), [Effect::Submit(FORM)]);
        assert_eq!(editor(&state).preview.choice, choice);
    }
    assert_eq!(preview(&mut state, PreviewInput::Restarted), [Effect::Submit(FORM)]);
    assert_eq!(editor(&state).preview.shown, 4);
}

#[test]
fn preview_does_not_follow_what_does_not_change_the_draft() {
    let mut state = open_template();
    assert!(!has_asked(&act(&mut state, TemplateInput::LanguageOpened("es-MX".to_owned()))));
    assert!(!has_asked(&act(&mut state, TemplateInput::VersionOpened(1))));
    assert!(!has_asked(&act(&mut state, TemplateInput::Saved)));
}

#[test]
fn choice_stays_when_the_draft_is_discarded() {
    let mut state = open_template();
    let dark = PreviewChoice { is_dark: true, ..editor(&state).preview.choice.clone() };
    preview(&mut state, PreviewInput::Chosen(dark.clone()));
    type_text(&mut state, "companyName", "Cars & Co");
    assert!(has_asked(&act(&mut state, TemplateInput::Discarded)));
    assert_eq!(editor(&state).preview.choice, dark);
}

#[test]
fn preview_follows_the_first_consent_template_of_a_new_one() {
    let mut state = begin_new(TemplateKind::Link);
    act(&mut state, TemplateInput::Recalled(None));
    let consent: ConsentTemplate = serde_json::from_str(CONSENT).unwrap();
    let response = Ok(TemplateResponse::Consents(vec![consent]));
    assert!(has_asked(&respond(&mut state, TemplateRequest::Consents, response)));
}

#[test]
fn colleague_s_template_is_shown_when_it_is_taken() {
    let mut state = open_template();
    type_text(&mut state, "companyName", "Mine");
    let theirs = Ok(TemplateResponse::Template(Box::new(link("Theirs", "r2"))));
    assert!(!has_asked(&respond(&mut state, TemplateRequest::Get(super::tests::key()), theirs)));
    assert!(has_asked(&act(&mut state, TemplateInput::TheirsTaken)));
}

#[test]
fn invite_template_has_no_preview() {
    let mut state = begin_new(TemplateKind::Invite);
    assert!(!has_asked(&act(&mut state, TemplateInput::Recalled(None))));
    assert!(!has_asked(&type_text(&mut state, "name", "Spring")));
}
