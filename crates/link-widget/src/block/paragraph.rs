//! A paragraph.

use link_flow::view::Text;
use link_flow::view::block::Tone;
use yew::prelude::*;

use crate::element::element;
use crate::ui::Ui;

pub fn paragraph(ui: &Ui, text: &Text, tone: Tone) -> Html {
    let class = match tone {
        Tone::Normal => "text",
        Tone::Secondary => "text text-small",
    };
    element("p", class).text(ui.words(text)).html()
}
