//! What every block needs to be drawn: the words of the catalogue and the way back to the flow.

use link_flow::event::{Event, Press};
use link_flow::view::{Argument, Text};
use yew::prelude::*;

use crate::host::LinkHost;

/// Passed down to whatever draws.
#[derive(Clone, PartialEq)]
pub struct Ui {
    /// Knows the texts.
    pub host: LinkHost,
    /// Takes what the person did.
    pub events: Callback<Event>,
}

impl Ui {
    /// A text as the person reads it.
    pub fn words(&self, text: &Text) -> AttrValue {
        match text {
            Text::Verbatim(words) => AttrValue::from(words.clone()),
            Text::Message(message, arguments) => {
                let args = arguments.iter().map(argument).collect::<js_sys::Array>();
                AttrValue::from(self.host.text(message.number(), &args))
            }
        }
    }

    /// A click handler that sends this press.
    pub fn press(&self, press: Press) -> Callback<MouseEvent> {
        self.events.reform(move |_| Event::Pressed(press))
    }
}

fn argument(argument: &Argument) -> wasm_bindgen::JsValue {
    match argument {
        Argument::Text(text) => text.into(),
        Argument::Number(number) => (*number).into(),
    }
}
