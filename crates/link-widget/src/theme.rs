//! The tenant's colours and the colour scheme. Written through CSSOM, because the content policy forbids style
//! attributes.

use link_types::host::ThemeChoice;
use link_types::template::Theme;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

const SCHEME: &str = "data-scheme";
const ACCENTS: [&str; 4] = ["--brand-light", "--on-brand-light", "--brand-dark", "--on-brand-dark"];

/// Sets light or dark if the host page asked for it, regardless of the preference of the system.
pub fn choose(choice: Option<ThemeChoice>) {
    if let (Some(choice), Some(root)) = (choice, root()) {
        // Fails only for an invalid attribute name.
        let _ = root.set_attribute(SCHEME, choice.as_str());
    }
}

/// Sets the accents of the link template. The service has already corrected their contrast.
pub fn paint(theme: &Theme) {
    let colors = [theme.accent_light, theme.on_accent_light, theme.accent_dark, theme.on_accent_dark];
    if let Some(root) = root() {
        for (name, color) in ACCENTS.iter().zip(colors) {
            // Fails only for a style sheet that cannot be written; an element's own one always can.
            let _ = root.style().set_property(name, &color.to_string());
        }
    }
}

fn root() -> Option<HtmlElement> {
    web_sys::window()?.document()?.document_element()?.dyn_into().ok()
}
