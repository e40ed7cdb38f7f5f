//! Functions that the search and the fields of a form share.

use link_flow::view::Typed;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Returns the DOM id of a field's input. The provider chooses names, and an id must not contain spaces.
pub fn field_id(field: &str) -> String {
    ["field-", &String::from(js_sys::encode_uri_component(field))].concat()
}

/// Returns the text of an open field after an edit.
pub fn typed(event: &InputEvent) -> Typed {
    Typed::new(event.target_unchecked_into::<HtmlInputElement>().value())
}
