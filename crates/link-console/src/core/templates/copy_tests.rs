//! Tests of copies of templates.

use link_types::Mode;

use super::TemplateInput;
use super::draft::TemplateDraft;
use super::editor::TemplateEditor;
use super::kind::TemplateKind;
use super::request::{TemplateRequest, TemplateResponse};
use super::tests::{act, editing, editor, key, link, respond, show, type_text};
use crate::core::edited::Kept;
use crate::core::page::Page;
use crate::core::tests::{member, start};
use crate::core::{Effect, Event, Failure, Loaded, Request, State};

const COPY: fn() -> Page = || Page::CopiedTemplate(Mode::Sandbox, key());

/// Returns the name under which the browser keeps the copy.
fn name() -> String {
    format!("linchpin.template.{}.SANDBOX.copy-{}", member().id, key())
}

/// Presses *Duplicate* in an editor whose draft has another name than the template.
fn duplicate(kept: Option<Box<Kept<TemplateDraft>>>) -> (State, Vec<Effect>) {
    let mut state = editing("r1");
    type_text(&mut state, "name", "Copy");
    assert_eq!(act(&mut state, TemplateInput::Duplicated), [Effect::GoTo(COPY())]);
    let effects = state.handle(Event::Opened(COPY()));
    assert!(effects.contains(&Effect::RecallTemplate(name())), "{effects:?}");
    let effects = act(&mut state, TemplateInput::Recalled(kept));
    (state, effects)
}

/// Opens a copy by its address.
fn open_copy() -> State {
    let mut state = start(Page::Overview);
    state.handle(Event::Opened(COPY()));
    state
}

/// Returns a draft that the browser kept of an earlier copy.
fn kept_draft(name: &str) -> Option<Box<Kept<TemplateDraft>>> {
    let mut editor = TemplateEditor::for_new(TemplateKind::Link);
    editor.edited.form.draft.set("name", name);
    editor.edited.to_keep()
}

fn title(state: &State) -> &str {
    editor(state).edited.form.draft.get("name")
}

/// Presses *Create*. Returns what is sent.
fn create(state: &mut State) -> TemplateRequest {
    let effects = act(state, TemplateInput::Saved);
    let Some(Effect::Send(Request::Template(_, request @ TemplateRequest::Create(..)))) = effects.last()
    else {
        panic!("{effects:?}")
    };
    request.clone()
}

fn respond_with_copy() -> Result<TemplateResponse, Failure> {
    Ok(TemplateResponse::Template(Box::new(link("Copy", "r9"))))
}

#[test]
fn duplicate_begins_a_new_template_with_the_draft() {
    let (mut state, effects) = duplicate(None);
    assert!(
        matches!(effects.last(), Some(Effect::KeepTemplate(of, Some(_))) if *of == name()),
        "{effects:?}"
    );
    assert_eq!((title(&state), &editor(&state).edited.saved), ("Copy", &None));
    let request = create(&mut state);
    let effects = respond(&mut state, request, respond_with_copy());
    assert!(effects.contains(&Effect::KeepTemplate(name(), None)), "{effects:?}");
    assert_eq!(effects.last(), Some(&Effect::GoTo(Page::Template(Mode::Sandbox, key()))));
}

#[test]
fn second_copy_keeps_the_first_and_may_begin_again() {
    let (mut state, effects) = duplicate(kept_draft("Spring"));
    assert_eq!(title(&state), "Spring");
    assert!(editor(&state).edited.is_recalled && editor(&state).can_discard());
    assert!(!effects.iter().any(|it| matches!(it, Effect::KeepTemplate(..))), "{effects:?}");
    act(&mut state, TemplateInput::Discarded);
    assert_eq!(title(&state), "Copy");
    assert!(!editor(&state).can_discard());
}

#[test]
fn reloaded_copy_continues_with_its_draft_or_the_original() {
    let opened = |kept| {
        let mut state = open_copy();
        act(&mut state, TemplateInput::Recalled(kept));
        for effect in show(&mut state, link("Loans", "r1")) {
            assert_eq!(effect, Effect::RecallTemplate(name()));
            act(&mut state, TemplateInput::Recalled(None));
        }
        assert_eq!(editor(&state).edited.saved, None, "it is a new template");
        title(&state).to_owned()
    };
    assert_eq!(opened(None), "Loans");
    assert_eq!(opened(kept_draft("Spring")), "Spring");
}

#[test]
fn copy_is_reached_without_its_original() {
    let mut state = open_copy();
    let deleted = |state: &mut State| respond(state, TemplateRequest::Get(key()), Err(Failure::Gone));
    deleted(&mut state);
    assert_eq!(state.templates.editor, Loaded::Failed(Failure::Gone));
    act(&mut state, TemplateInput::Recalled(kept_draft("Spring")));
    assert_eq!(title(&state), "Spring");
    deleted(&mut state);
    assert_eq!(title(&state), "Spring");
    let mut begun = duplicate(None).0;
    deleted(&mut begun);
    assert_eq!(title(&begun), "Copy");
}

#[test]
fn discarded_copy_returns_to_its_original() {
    let (mut state, _) = duplicate(None);
    assert!(!editor(&state).can_discard());
    type_text(&mut state, "name", "Summer");
    let effects = act(&mut state, TemplateInput::Discarded);
    assert!(effects.contains(&Effect::KeepTemplate(name(), None)), "{effects:?}");
    assert_eq!(title(&state), "Copy");
    let mut reloaded = open_copy();
    act(&mut reloaded, TemplateInput::Recalled(kept_draft("Spring")));
    show(&mut reloaded, link("Loans", "r1"));
    act(&mut reloaded, TemplateInput::Discarded);
    assert_eq!(title(&reloaded), "Loans");
}

#[test]
fn late_response_for_one_copy_does_not_touch_the_next() {
    for response in [respond_with_copy(), Err(Failure::Offline)] {
        let (mut state, _) = duplicate(None);
        let first = create(&mut state);
        state.handle(Event::Opened(Page::Template(Mode::Sandbox, key())));
        show(&mut state, link("Loans", "r1"));
        act(&mut state, TemplateInput::Duplicated);
        state.handle(Event::Opened(COPY()));
        act(&mut state, TemplateInput::Recalled(None));
        create(&mut state);
        assert_eq!(respond(&mut state, first, response), []);
        let form = &editor(&state).edited.form;
        assert_eq!((form.is_sending, &form.failure), (true, &None));
        assert_eq!(title(&state), "Loans");
    }
}
