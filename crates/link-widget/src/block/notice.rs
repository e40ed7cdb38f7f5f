//! A framed message.

use link_flow::view::Text;
use link_flow::view::block::Severity;
use yew::prelude::*;

use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn notice(ui: &Ui, severity: Severity, title: Option<&Text>, text: &Text) -> Html {
    let (tone, sign) = match severity {
        Severity::Info => ("info", Icon::Info),
        Severity::Success => ("success", Icon::CircleCheck),
        Severity::Warning => ("warning", Icon::Triangle),
        Severity::Danger => ("danger", Icon::CircleAlert),
    };
    html! {
        <div class="notice" data-tone={tone}>
            { icon(sign) }
            <p>
                if let Some(title) = title { <strong class="notice-title">{ ui.words(title) }</strong> }
                { ui.words(text) }
            </p>
        </div>
    }
}
