//! A document to read, in a region of its own that the keyboard reaches and scrolls.

use link_flow::view::Text;
use yew::prelude::*;

use crate::ui::Ui;

pub fn document(ui: &Ui, title: &Text, version: &Text, paragraphs: &[String]) -> Html {
    html! {
        <div class="document" role="region" aria-labelledby="document-title" tabindex="0">
            <h2 id="document-title" class="document-title">{ ui.words(title) }</h2>
            <p class="document-version">{ ui.words(version) }</p>
            { for paragraphs.iter().map(|paragraph| html! { <p>{ paragraph }</p> }) }
        </div>
    }
}
