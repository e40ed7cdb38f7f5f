//! Facts with icons.

use link_flow::view::block::{Fact, FactIcon};
use yew::prelude::*;

use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn summary(ui: &Ui, items: &[Fact]) -> Html {
    html! { <ul class="points">{ for items.iter().map(|item| fact(ui, item)) }</ul> }
}

fn fact(ui: &Ui, fact: &Fact) -> Html {
    let picture = match fact.icon {
        FactIcon::Data => Icon::File,
        FactIcon::Calendar => Icon::Calendar,
        FactIcon::Shield => Icon::Shield,
        FactIcon::Undo => Icon::Undo,
        FactIcon::Check => Icon::CircleCheck,
    };
    html! {
        <li class="point">
            { icon(picture) }
            <p>
                <strong class="point-title">{ ui.words(&fact.title) }</strong>
                <span class="text-soft">{ ui.words(&fact.detail) }</span>
            </p>
        </li>
    }
}
