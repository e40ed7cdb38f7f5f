//! Lists of which several items can be chosen, and lists with an order.

use yew::prelude::*;

use super::controls::on;
use crate::core::sites::spot::element_id;
use crate::core::templates::TemplateInput;
use crate::core::templates::editor::TemplateEditor;
use crate::core::texts::templates::TemplateText;
use crate::core::{Event, Loaded};
use crate::view::parts::value_of;
use crate::view::shown::Shown;

/// Returns the values and names of all providers.
pub(super) fn all(shown: &Shown<'_>) -> Vec<(String, String)> {
    match &shown.state.templates.providers {
        Loaded::Ready(providers) => providers.iter().map(|it| (it.id.clone(), it.name.clone())).collect(),
        Loaded::Loading | Loaded::Failed(_) => Vec::new(),
    }
}

/// Draws a checkbox for each value, and for what is chosen and not among them.
pub(super) fn choices(
    shown: &Shown<'_>,
    editor: &TemplateEditor,
    path: &str,
    mut values: Vec<(String, String)>,
) -> Html {
    let chosen: Vec<&str> = editor.edited.form.draft.items(path).collect();
    for item in &chosen {
        if values.iter().all(|(value, _)| value != item) {
            values.push(((*item).to_owned(), (*item).to_owned()));
        }
    }
    let tick = |(value, name): (String, String)| {
        let checked = chosen.contains(&value.as_str());
        let id = element_id(&format!("{path}.{value}"));
        let changed = TemplateInput::Ticked(path.to_owned(), value, !checked);
        html! {
            <label class="choice"><input {id} type="checkbox" {checked} onchange={on::<yew::Event>(shown, changed)} />
                { name }</label>
        }
    };
    html! { <div class="choices">{ for values.into_iter().map(tick) }</div> }
}

/// Draws the chosen providers in their order, with buttons that move them.
pub(super) fn draw_order(shown: &Shown<'_>, editor: &TemplateEditor, path: &str) -> Html {
    let all = all(shown);
    let name_of = |id: &str| {
        all.iter().find(|(it, _)| it == id).map_or_else(|| id.to_owned(), |(_, name)| name.clone())
    };
    let chosen: Vec<&str> = editor.edited.form.draft.items(path).collect();
    let count = chosen.len();
    let row = |(place, id): (usize, &&str)| {
        let (id, name) = ((*id).to_owned(), name_of(id));
        let moved =
            |to: usize| on::<MouseEvent>(shown, TemplateInput::Moved(path.to_owned(), id.clone(), to));
        let label = |text| shown.language.fill(text, &name);
        let removed = TemplateInput::Ticked(path.to_owned(), id.clone(), false);
        html! {
            <li key={id.clone()} class="ordered-row">
                <span id={element_id(&format!("{path}.{id}"))} tabindex="-1" dir="auto">{ name.clone() }</span>
                <button type="button" class="quiet" disabled={place == 0} aria-label={label(TemplateText::MoveUp)}
                    onclick={moved(place.saturating_sub(1))}><span aria-hidden="true">{ "↑" }</span></button>
                <button type="button" class="quiet" disabled={place + 1 == count} aria-label={label(TemplateText::MoveDown)}
                    onclick={moved(place + 1)}><span aria-hidden="true">{ "↓" }</span></button>
                <button type="button" class="quiet bad" aria-label={label(TemplateText::RemoveItem)}
                    onclick={on::<MouseEvent>(shown, removed)}><span aria-hidden="true">{ "×" }</span></button>
            </li>
        }
    };
    let added = path.to_owned();
    let onchange = shown.emit.reform(move |event: yew::Event| {
        Event::Template(TemplateInput::Ticked(added.clone(), value_of(&event), true))
    });
    let rest: Vec<&(String, String)> = all.iter().filter(|(id, _)| !chosen.contains(&id.as_str())).collect();
    let moved = editor.moved.as_ref().map(|it| shown.language.fill(TemplateText::MovedTo, &name_of(it)));
    html! {
        <>
            <p class="hidden" role="status">{ moved }</p>
            <ol class="ordered">{ for chosen.iter().enumerate().map(row) }</ol>
            <div class="field">
                <label for="add-provider">{ shown.text(TemplateText::AddProvider) }</label>
                <select id="add-provider" {onchange} key={count}>
                    <option value="" selected=true>{ shown.text(TemplateText::ChooseProvider) }</option>
                    { for rest.into_iter().map(|(id, name)| html! { <option value={id.clone()}>{ name.clone() }</option> }) }
                </select>
            </div>
        </>
    }
}
