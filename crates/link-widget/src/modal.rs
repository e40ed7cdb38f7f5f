//! The class that JavaScript sees.

use link_flow::Event;
use link_types::Sensitive;
use link_types::host::WidgetOptions;
use wasm_bindgen::prelude::*;
use web_sys::Element;
use yew::AppHandle;

use crate::app::{App, Props};
use crate::effect::archive;
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
        let options = crate::options::options(&options).map_err(|faults| JsError::new(&faults))?;
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
        if let Some(event) = archive::fact(fact) {
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

#[cfg(test)]
impl LinkModal {
    /// Removes what `open` drew, for the next test. A frame serves one opening, so the bridge removes the whole frame.
    pub fn unmount(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
    }
}
