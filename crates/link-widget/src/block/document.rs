//! A document, in its own region that the keyboard can reach and scroll.

use link_flow::view::Text;
use yew::prelude::*;

use crate::element::element;
use crate::ui::Ui;

pub fn document(ui: &Ui, title: &Text, version: &Text, paragraphs: &[String]) -> Html {
    let paragraph = |words: &String| element("p", "").text(words.clone().into()).html();
    element("div", "document")
        .set("role", "region")
        .set("aria-labelledby", "document-title")
        .set("tabindex", "0")
        .child(element("h2", "document-title").set("id", "document-title").text(ui.words(title)).html())
        .child(element("p", "document-version").text(ui.words(version)).html())
        .list(paragraphs.iter().map(paragraph).collect())
        .html()
}
