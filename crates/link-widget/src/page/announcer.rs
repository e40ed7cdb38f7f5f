//! The polite live region. It always exists; each announcement is a new node, so that a repeated text is read again.

use link_flow::view::Announcement;
use yew::prelude::*;

use crate::element::element;
use crate::ui::Ui;

pub fn announcer(ui: &Ui, announcement: &Announcement) -> Html {
    let words = announcement
        .text
        .as_ref()
        .map(|text| element("span", "").text(ui.words(text)).keyed(announcement.turn.to_string()));
    element("div", "hidden-text").set("role", "status").set("aria-live", "polite").maybe(words).html()
}
