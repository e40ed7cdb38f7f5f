//! Context of every block: the texts of the catalogue, the callback that sends events to the flow, and the surface.

use link_flow::event::{Event, Press};
use link_flow::view::{Argument, Text, Typed};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::{element, onclick};
use crate::host::LinkHost;
use crate::icon::{Icon, icon};

/// Passed to all drawing functions.
#[derive(Clone, PartialEq)]
pub struct Ui {
    /// Returns texts.
    pub host: LinkHost,
    /// Receives the person's events.
    pub events: Callback<Event>,
}

impl Ui {
    /// Returns a text as the person reads it.
    pub fn words(&self, text: &Text) -> AttrValue {
        match text {
            Text::Verbatim(words) => AttrValue::from(words.clone()),
            Text::Message(message, arguments) => {
                let args = arguments.iter().map(argument).collect::<js_sys::Array>();
                AttrValue::from(self.host.text(message.number(), &args))
            }
        }
    }

    /// Builds a button with an icon. Its name is for screen readers.
    pub fn icon_button(
        &self,
        sign: Icon,
        label: &Text,
        class: &'static str,
        callback: Callback<MouseEvent>,
    ) -> Html {
        element("button", class)
            .set(Attribute::Type, "button")
            .put(Attribute::AriaLabel, self.words(label))
            .on(onclick(callback))
            .child(icon(sign))
            .html()
    }

    /// Builds a click handler that sends this press.
    pub fn press(&self, press: Press) -> Callback<MouseEvent> {
        self.events.reform(move |_| Event::Pressed(press))
    }
}

fn argument(argument: &Argument) -> wasm_bindgen::JsValue {
    match argument {
        Argument::Text(text) => text.into(),
        Argument::Number(number) => (*number).into(),
        Argument::Tenths(tenths) => (f64::from(*tenths) / 10.0).into(),
    }
}

/// Where a block is drawn. Ids and heading levels differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// On the page.
    Page,
    /// In the alert dialog over the page.
    Overlay,
}

impl Surface {
    /// Returns the id of the heading, which names the page or dialog and takes the focus.
    pub const fn heading_id(self) -> &'static str {
        match self {
            Self::Page => "heading",
            Self::Overlay => "overlay-heading",
        }
    }

    /// Returns the level of the heading.
    pub const fn heading_tag(self) -> &'static str {
        match self {
            Self::Page => "h1",
            Self::Overlay => "h2",
        }
    }
}

/// Returns the DOM id of a field's input. The provider chooses names, and an id must not contain spaces.
pub fn field_id(field: &str) -> String {
    ["field-", &String::from(js_sys::encode_uri_component(field))].concat()
}

/// Returns the text of an open field after an edit.
pub fn input_text(event: &InputEvent) -> Typed {
    Typed::new(event.target_unchecked_into::<HtmlInputElement>().value())
}
