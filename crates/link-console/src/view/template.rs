//! The editor of a template.

mod controls;
mod languages;
mod logo;
mod preview;
mod providers;
mod versions;

use link_types::Mode;
use link_types::console::Permission;
use yew::prelude::*;
use yew_router::prelude::*;

use self::controls::{draw_field, on};
use super::parts::{alert, copy_button, draw_list, environment, question};
use super::shown::Shown;
use crate::core::edited::{Conflict, Difference};
use crate::core::page::Page;
use crate::core::question::Act;
use crate::core::templates::TemplateInput;
use crate::core::templates::editor::TemplateEditor;
use crate::core::templates::fields::{Section, list_translated, sections};
use crate::core::templates::kind::{TemplateKey, TemplateKind};
use crate::core::templates::wire::AnyTemplate;
use crate::core::texts::templates::TemplateText;
use crate::core::{Event, Failure, Loaded, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, kind: TemplateKind) -> Html {
    let editor = &shown.state.templates.editor;
    let title = match editor {
        Loaded::Ready(editor) => match &editor.edited.saved {
            Some(saved) => html! { <h1 tabindex="-1" dir="auto">{ saved.name() }</h1> },
            None => html! { <h1 tabindex="-1">{ shown.text(new_title(kind)) }</h1> },
        },
        Loaded::Loading | Loaded::Failed(_) => {
            html! { <h1 tabindex="-1">{ shown.text(shown.state.page.title()) }</h1> }
        }
    };
    html! {
        <>
            <p><Link<Route> to={Route::for_page(Page::Templates(mode, kind))} classes="link">
                <span aria-hidden="true">{ "← " }</span>{ shown.text(TemplateText::Back) }</Link<Route>></p>
            <div class="heading">{ title }{ environment(shown, mode) }</div>
            { draw_question(shown) }
            { draw_list(shown, editor, |editor| draw_editor(shown, mode, editor)) }
        </>
    }
}

const fn new_title(kind: TemplateKind) -> TemplateText {
    match kind {
        TemplateKind::Link => TemplateText::NewLink,
        TemplateKind::Consent => TemplateText::NewConsent,
        TemplateKind::Invite => TemplateText::NewInvite,
    }
}

fn draw_question(shown: &Shown<'_>) -> Html {
    let Some(asked) = &shown.state.question else { return Html::default() };
    let Act::DeleteTemplate(_, _, name) = &asked.act else { return Html::default() };
    let title = shown.language.fill(TemplateText::DeleteNamed, name);
    question(shown, title, TemplateText::DeleteText, TemplateText::DeleteTemplate, asked)
}

fn draw_editor(shown: &Shown<'_>, mode: Mode, editor: &TemplateEditor) -> Html {
    let may_manage = shown.state.may(mode, Permission::ManageTemplates);
    let key = editor.edited.saved.as_ref().and_then(|it| it.key());
    let has_translations = !list_translated(editor.kind).is_empty();
    html! {
        <div class="with-preview">
            <div class="column">
                if let Some(key) = key { { about(shown, mode, editor, key, may_manage) } }
                if !may_manage { <p class="soft">{ shown.text(TemplateText::ReadOnly) }</p> }
                if editor.edited.is_recalled && editor.edited.has_changes() {
                    <p class="notice wait">{ shown.text(TemplateText::Recalled) }</p>
                    if editor.original.is_some() && editor.can_discard() {
                        <p><button type="button" class="second"
                            onclick={on::<MouseEvent>(shown, TemplateInput::Discarded)}>
                            { shown.text(TemplateText::CopyAgain) }</button></p>
                    }
                }
                if editor.is_restored && editor.edited.has_changes() {
                    <p class="notice wait" id="restored" tabindex="-1">{ shown.text(TemplateText::Restored) }</p>
                }
                if let Some(conflict) = &editor.edited.conflict { { conflict_panel(shown, conflict) } }
                { refusal(shown, editor) }
                <fieldset class="editor" disabled={!may_manage}>
                    <legend class="hidden">{ shown.text(Text::Template) }</legend>
                    { for sections(editor.kind).iter().map(|it| section(shown, editor, it)) }
                    if has_translations {
                        { languages::translations(shown, editor) }
                    } else {
                        { languages::own_texts(shown, editor) }
                    }
                    if let Some(form) = &editor.edited.form.draft.form {
                        <p class="soft">{ shown.language.fill(TemplateText::HasForm, &form.reference) }</p>
                    }
                </fieldset>
                if may_manage { { actions(shown, editor) } }
                if key.is_some() { { versions::panel(shown, editor, may_manage) } }
            </div>
            { preview::panel(shown, mode, editor) }
        </div>
    }
}

fn about(shown: &Shown<'_>, mode: Mode, editor: &TemplateEditor, key: TemplateKey, may_manage: bool) -> Html {
    let (id, name) = (key.to_string(), editor.edited.saved.as_ref().map(|it| it.name()).unwrap_or_default());
    html! {
        <section class="panel" aria-label={shown.text(Text::Template)}>
            <div class="secret">
                <span class="label">{ shown.text(TemplateText::Identifier) }</span>
                <code translate="no">{ id.clone() }</code>
                { copy_button(shown, shown.text(TemplateText::Identifier), &id) }
            </div>
            if may_manage {
                <div class="actions">
                    <button type="button" class="second" onclick={on::<MouseEvent>(shown, TemplateInput::Duplicated)}>
                        { shown.text(TemplateText::Duplicate) }</button>
                    <button type="button" class="quiet bad"
                        onclick={shown.send(Event::Asked(Act::DeleteTemplate(mode, key, name)))}>
                        { shown.text(TemplateText::Delete) }</button>
                </div>
            }
        </section>
    }
}

fn section(shown: &Shown<'_>, editor: &TemplateEditor, section: &Section) -> Html {
    let id = format!("{}-title", section.id);
    html! {
        <section class="panel" aria-labelledby={id.clone()}>
            <h2 {id}>{ shown.text(section.title) }</h2>
            <div class="fields">{ for section.fields.iter().map(|it| draw_field(shown, editor, it, it.path)) }</div>
        </section>
    }
}

/// Draws why the service refused the draft: every fault, with a button that leads to its field.
fn refusal(shown: &Shown<'_>, editor: &TemplateEditor) -> Html {
    let Some(failure) = &editor.edited.form.failure else { return Html::default() };
    let Failure::Invalid(_) = failure else { return alert(shown, failure) };
    let fault = |(path, message): &(String, String)| {
        html! {
            <li><button type="button" class="link" onclick={on(shown, TemplateInput::FaultOpened(path.clone()))}>
                <code translate="no" dir="auto">{ path.clone() }</code>{ ": " }{ message.clone() }</button></li>
        }
    };
    html! {
        <section id="faults" class="panel danger" role="alert" tabindex="-1" aria-labelledby="faults-title">
            <h2 id="faults-title">{ shown.text(TemplateText::FaultsTitle) }</h2>
            <p class="soft">{ shown.text(TemplateText::FaultsText) }</p>
            <ul class="faults">{ for editor.faults.iter().map(fault) }</ul>
        </section>
    }
}

fn conflict_panel(shown: &Shown<'_>, conflict: &Conflict<AnyTemplate>) -> Html {
    let heads = (TemplateText::Theirs, TemplateText::Mine);
    html! {
        <section id="conflict" class="panel danger" tabindex="-1" aria-labelledby="conflict-title">
            <h2 id="conflict-title">{ shown.text(TemplateText::ConflictTitle) }</h2>
            if conflict.differences.is_empty() {
                <p>{ shown.text(TemplateText::ConflictNone) }</p>
            } else {
                <p>{ shown.text(TemplateText::ConflictText) }</p>
                { compare(shown, TemplateText::ConflictTitle, heads, &conflict.differences) }
            }
            <div class="actions">
                <button type="button" class="second" onclick={on::<MouseEvent>(shown, TemplateInput::TheirsTaken)}>
                    { shown.text(TemplateText::TakeTheirs) }</button>
                <button type="button" class="destroy" onclick={on::<MouseEvent>(shown, TemplateInput::MineKept)}>
                    { shown.text(TemplateText::KeepMine) }</button>
            </div>
        </section>
    }
}

/// Draws the parts that differ, with two texts of each.
fn compare(
    shown: &Shown<'_>,
    caption: TemplateText,
    (first, second): (TemplateText, TemplateText),
    differences: &[Difference],
) -> Html {
    let part = |text: &str| if text.is_empty() { "–".to_owned() } else { text.to_owned() };
    let row = |it: &Difference| {
        html! {
            <tr>
                <th scope="row"><code translate="no">{ it.path.clone() }</code></th>
                <td data-label={shown.text(first)} dir="auto" class="words">{ part(&it.theirs) }</td>
                <td data-label={shown.text(second)} dir="auto" class="words">{ part(&it.mine) }</td>
            </tr>
        }
    };
    html! {
        <table>
            <caption class="hidden">{ shown.text(caption) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(TemplateText::Part) }</th>
                <th scope="col">{ shown.text(first) }</th>
                <th scope="col">{ shown.text(second) }</th>
            </tr></thead>
            <tbody>{ for differences.iter().map(row) }</tbody>
        </table>
    }
}

fn actions(shown: &Shown<'_>, editor: &TemplateEditor) -> Html {
    let is_sending = editor.edited.form.is_sending;
    let save = if editor.edited.saved.is_some() { TemplateText::Publish } else { TemplateText::Create };
    html! {
        <div class="actions saving">
            <button type="button" class="main" aria-disabled={is_sending.then_some("true")}
                onclick={on::<MouseEvent>(shown, TemplateInput::Saved)}>
                { shown.text(if is_sending { TemplateText::Saving } else { save }) }</button>
            if editor.can_discard() {
                <button type="button" class="quiet" onclick={on::<MouseEvent>(shown, TemplateInput::Discarded)}>
                    { shown.text(TemplateText::Discard) }</button>
            }
            if editor.edited.has_changes() {
                <span class="soft small">{ shown.text(TemplateText::Unsaved) }</span>
            }
        </div>
    }
}
