//! Things to choose from: rows that lead on, or radio buttons.

use link_flow::event::Event;
use link_flow::view::block::{Choice, ChoiceKind, ChoiceList};
use yew::prelude::*;

use super::mark::{MarkSize, mark};
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn choices(ui: &Ui, list: &ChoiceList) -> Html {
    let label = ui.words(&list.label);
    match list.kind {
        ChoiceKind::Rows => html! {
            <ul class="rows" aria-label={label}>{ for list.choices.iter().map(|choice| row(ui, choice, list.disabled)) }</ul>
        },
        ChoiceKind::Radios => html! {
            <fieldset class="choices">
                <legend class={if list.label_visible { "label" } else { "hidden-text" }}>{ label }</legend>
                { for list.choices.iter().map(|choice| radio(ui, choice, list.disabled)) }
            </fieldset>
        },
    }
}

fn row(ui: &Ui, choice: &Choice, disabled: bool) -> Html {
    let disabled = disabled || choice.disabled;
    let onclick = (!disabled).then(|| chosen(ui, choice).reform(|_: MouseEvent| ()));
    html! {
        <li key={choice.id.clone()}>
            <button class="row" type="button" aria-disabled={disabled.then_some("true")}
                aria-busy={choice.busy.then_some("true")} {onclick}>
                if let Some(sign) = &choice.mark { { mark(sign, MarkSize::Row) } }
                { names(ui, choice) }
                <span class="row-end">
                    if choice.busy { <span class="spinner spinner-small" /> } else { { icon(Icon::ChevronRight) } }
                </span>
            </button>
        </li>
    }
}

fn radio(ui: &Ui, choice: &Choice, disabled: bool) -> Html {
    let onchange = chosen(ui, choice).reform(|_: web_sys::Event| ());
    html! {
        <label class="choice" key={choice.id.clone()}>
            <input type="radio" name="choice" value={choice.id.clone()} checked={choice.selected}
                disabled={disabled || choice.disabled} {onchange} />
            { names(ui, choice) }
        </label>
    }
}

fn names(ui: &Ui, choice: &Choice) -> Html {
    html! {
        <span class="row-names">
            <span class="row-name">{ ui.words(&choice.title) }</span>
            if let Some(detail) = &choice.detail { <span class="row-detail">{ ui.words(detail) }</span> }
        </span>
    }
}

fn chosen(ui: &Ui, choice: &Choice) -> Callback<()> {
    let id = choice.id.clone();
    ui.events.reform(move |()| Event::Chosen { id: id.clone() })
}
