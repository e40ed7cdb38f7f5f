//! The foot: the page's buttons and the line that says who sees what.

use link_flow::view::{Block, Text};
use yew::prelude::*;

use super::Place;
use crate::block;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn footer(ui: &Ui, actions: &[&Block], line: Option<&Text>) -> Html {
    if actions.is_empty() && line.is_none() {
        return Html::default();
    }
    html! {
        <footer class="foot">
            { for actions.iter().map(|block| block::draw(ui, Place::Page, block)) }
            if let Some(line) = line {
                <p class="footnote">{ icon(Icon::Lock) }<span>{ ui.words(line) }</span></p>
            }
        </footer>
    }
}
