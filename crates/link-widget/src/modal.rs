//! The class that JavaScript sees.

use js_sys::{Array, Object};
use link_flow::Event;
use link_flow::options::{OptionValue, read};
use link_types::Sensitive;
use link_types::host::WidgetOptions;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::Element;
use yew::AppHandle;

use crate::app::{App, Props};
use crate::effect::deferred;
use crate::host::{HostReply, LinkHost};

/// The widget: draws into an element and communicates through its host.
#[wasm_bindgen]
pub struct LinkModal {
    options: WidgetOptions,
    host: LinkHost,
    app: Option<AppHandle<App>>,
}

#[wasm_bindgen]
impl LinkModal {
    /// Takes the options of the host page and the host object.
    ///
    /// # Errors
    ///
    /// Names every option that is missing or wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue, host: LinkHost) -> Result<LinkModal, JsError> {
        let options = self::options(&options).map_err(|faults| JsError::new(&faults))?;
        Ok(Self { options, host, app: None })
    }

    /// Draws the widget into the element and starts with this link token. A second call changes nothing. `exchanged` is
    /// the response to the exchange of the token, if it came while the program loaded.
    pub fn open(&mut self, element: Element, token: String, exchanged: Option<HostReply>) {
        if self.app.is_some() {
            return;
        }
        let (options, host) = (self.options.clone(), self.host.clone());
        let props = Props { options, host, token: Sensitive::new(token), exchanged };
        self.app = Some(yew::Renderer::<App>::with_root_and_props(element, props).render());
    }

    /// Continues with a new link token after the old one or the session has ended.
    #[wasm_bindgen(js_name = setToken)]
    pub fn set_token(&self, token: String) {
        self.send(Event::TokenSet { token: Sensitive::new(token) });
    }

    /// Handles a report of uploads.ts. Ignores an unknown one.
    pub fn file(&self, fact: JsValue) {
        if let Some(event) = deferred::fact(fact) {
            self.send(event);
        }
    }

    /// Handles a request to close: Escape, a click outside, the system's back gesture.
    #[wasm_bindgen(js_name = requestClose)]
    pub fn request_close(&self) {
        self.send(Event::CloseRequested);
    }

    /// Redraws all texts in the same elements, because the catalogue has changed.
    pub fn redraw(&self) {
        if let Some(app) = &self.app {
            app.send_message(None);
        }
    }

    fn send(&self, event: Event) {
        if let Some(app) = &self.app {
            app.send_message(Some(event));
        }
    }
}

/// Passes the options of the host page to the flow, which reports all faults at once. The bridge warns of unknown names.
///
/// # Errors
///
/// Every option that is missing or wrong, described for a developer.
fn options(given: &JsValue) -> Result<WidgetOptions, String> {
    let entries = given.dyn_ref::<Object>().map(Object::entries).unwrap_or_default();
    let named = entries.iter().filter_map(|entry| {
        let entry = entry.dyn_into::<Array>().ok()?;
        Some((entry.get(0).as_string()?, value(&entry.get(1))))
    });
    read(named.collect())
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

fn value(value: &JsValue) -> OptionValue {
    if value.is_null() || value.is_undefined() {
        OptionValue::Absent
    } else if let Some(flag) = value.as_bool() {
        OptionValue::Bool(flag)
    } else if let Some(text) = value.as_string() {
        OptionValue::Text(text)
    } else if let Some(list) = value.dyn_ref::<Array>() {
        OptionValue::List(list.iter().map(|item| self::value(&item)).collect())
    } else {
        OptionValue::Other
    }
}

#[cfg(test)]
impl LinkModal {
    /// Removes what `open` drew, for the next test. A frame serves one opening, so the bridge removes the whole frame.
    pub fn unmount(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
    }
}
