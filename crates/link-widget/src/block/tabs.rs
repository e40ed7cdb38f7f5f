//! Filters of which one is on.

use link_flow::event::Event;
use link_flow::view::Text;
use link_flow::view::block::Tab;
use yew::prelude::*;

use crate::ui::Ui;

pub fn tabs(ui: &Ui, label: &Text, tabs: &[Tab]) -> Html {
    html! {
        <div class="tabs" role="group" aria-label={ui.words(label)}>{ for tabs.iter().map(|tab| draw(ui, tab)) }</div>
    }
}

fn draw(ui: &Ui, tab: &Tab) -> Html {
    let id = tab.id.clone();
    let onclick = ui.events.reform(move |_: MouseEvent| Event::Filtered { tab: id.clone() });
    html! {
        <button class="tab" type="button" key={tab.id.clone()} aria-pressed={tab.selected.to_string()} {onclick}>
            { ui.words(&tab.label) }
        </button>
    }
}
