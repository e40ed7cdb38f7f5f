//! The tenant's colours and the wanted scheme. Written through CSSOM: the policy refuses style attributes.

use link_types::host::ThemeChoice;
use link_types::template::Theme;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

const SCHEME: &str = "data-scheme";
const ACCENTS: [&str; 4] = ["--brand-light", "--on-brand-light", "--brand-dark", "--on-brand-dark"];

/// Light or dark whatever the system says, when the host page asked for it.
pub fn choose(choice: Option<ThemeChoice>) {
    if let (Some(choice), Some(root)) = (choice, root()) {
        // Fails only for a name that is no attribute's.
        let _ = root.set_attribute(SCHEME, choice.as_str());
    }
}

/// The accents of the link template, already corrected for contrast by the service.
pub fn paint(theme: &Theme) {
    let colors = [theme.accent_light, theme.on_accent_light, theme.accent_dark, theme.on_accent_dark];
    if let Some(root) = root() {
        for (name, color) in ACCENTS.iter().zip(colors) {
            // Fails only for a style sheet that cannot be written, and an element's own always can.
            let _ = root.style().set_property(name, &color.to_string());
        }
    }
}

/// Leaves the document as it was.
pub fn forget() {
    if let Some(root) = root() {
        // As above: neither can fail for these names.
        let _ = root.remove_attribute(SCHEME);
        for name in ACCENTS {
            let _ = root.style().remove_property(name);
        }
    }
}

fn root() -> Option<HtmlElement> {
    web_sys::window()?.document()?.document_element()?.dyn_into().ok()
}
