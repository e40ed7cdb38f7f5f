//! The search box.

use link_flow::event::{Event, Press};
use link_flow::view::{Text, Typed};
use yew::prelude::*;

use super::field::typed;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn search(ui: &Ui, label: &Text, placeholder: &Text, value: &Typed, clear: Option<&Text>) -> Html {
    let oninput = ui.events.reform(|event| Event::Searched { text: typed(&event) });
    html! {
        <div class="control" role="search">
            <span class="leading">{ icon(Icon::Search) }</span>
            <input class="input" type="search" id="search" aria-label={ui.words(label)}
                placeholder={ui.words(placeholder)} value={value.as_str().to_owned()} autocomplete="off"
                autocapitalize="none" spellcheck="false" enterkeyhint="search" {oninput} />
            if let Some(clear) = clear {
                <button class="icon-button" type="button" aria-label={ui.words(clear)}
                    onclick={ui.press(Press::ClearSearch)}>{ icon(Icon::Cross) }</button>
            }
        </div>
    }
}
