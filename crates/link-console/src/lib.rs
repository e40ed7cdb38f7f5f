//! The developer portal's program. [`core`] has the rules, without a browser; the rest draws its state and sends its
//! requests.
//!
//! # Where to start
//!
//! 1. [`core::State::handle`]: (state, event) -> (state, effects).
//! 2. [`app::App`]: the only stateful component. Every event passes through it.
//! 3. [`fetch`]: sends requests, and turns every HTTP response into a response of the core or a failure.
//! 4. [`view`]: draws the state, one file for each page.

pub mod app;
pub mod core;
pub mod crypto;
pub mod drafts;
pub mod fetch;
pub mod passkey;
pub mod route;
pub mod view;

use wasm_bindgen::prelude::wasm_bindgen;

/// Shows the portal in the element `#console`.
#[wasm_bindgen]
pub fn show() {
    let root = web_sys::window().and_then(|it| it.document()).and_then(|it| it.get_element_by_id("console"));
    if let Some(root) = root {
        root.set_text_content(None);
        yew::Renderer::<app::Root>::with_root(root).render();
    }
}
