//! A link that opens another tab.

use link_flow::event::Press;
use link_flow::view::Text;
use link_types::Sensitive;
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::{element, onclick};
use crate::ui::Ui;

/// Draws the link as a button. The browser opens the tab, so that no popup blocker stops it.
#[inline(never)] // only screens of the deferred chunk draw it
pub fn link(ui: &Ui, href: &Sensitive, label: &Text, again: bool) -> Html {
    element("a", if again { "button button-quiet" } else { "button button-primary" })
        .put(Attribute::Href, href.expose().to_owned().into())
        .set(Attribute::Target, "_blank")
        .set(Attribute::Rel, "noopener")
        .on(onclick(ui.press(Press::OpenTab)))
        .words(ui.words(label))
        .html()
}
