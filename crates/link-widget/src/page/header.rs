//! The bar at the top: back, the tenant, close.

use link_flow::Event;
use link_flow::event::Press;
use link_flow::view::Header;
use yew::prelude::*;

use crate::block::{MarkSize, mark};
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn header(ui: &Ui, header: &Header) -> Html {
    let close = ui.events.reform(|_: MouseEvent| Event::CloseRequested);
    html! {
        <header class="header">
            if let Some(back) = &header.back {
                <button class="icon-button" type="button" aria-label={ui.words(back)} onclick={ui.press(Press::Back)}>
                    { icon(Icon::ArrowLeft) }
                </button>
            }
            <div class="brand">
                if let Some(company) = &header.company {
                    { mark(&company.mark, MarkSize::Small) }
                    <span class="brand-name">{ &company.name }</span>
                }
                if let Some(badge) = &header.badge { <span class="mode">{ ui.words(badge) }</span> }
            </div>
            <button class="icon-button icon-close" type="button" aria-label={ui.words(&header.close)} onclick={close}>
                { icon(Icon::Cross) }
            </button>
        </header>
    }
}
