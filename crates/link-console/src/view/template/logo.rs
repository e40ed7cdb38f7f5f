//! A logo: the browser reads the file, and the draft has it as a `data:` URL.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{FileReader, HtmlInputElement};
use yew::prelude::*;

use super::controls::on;
use crate::core::Event;
use crate::core::sites::spot::element_id;
use crate::core::templates::TemplateInput;
use crate::core::templates::editor::TemplateEditor;
use crate::core::templates::fields::MAX_LOGO_BYTES;
use crate::core::texts::templates::TemplateText;
use crate::view::shown::Shown;

/// Draws the logo that the draft has, and a control for another one.
pub(super) fn draw(shown: &Shown<'_>, editor: &TemplateEditor, path: &str, label: &str) -> Html {
    let logo = editor.edited.form.draft.get(path);
    let is_new = logo.starts_with("data:");
    let name = if is_new { TemplateText::LogoNew } else { TemplateText::LogoNow };
    let remove = shown.language.fill(TemplateText::RemoveLogo, label);
    let removed = TemplateInput::Typed(path.to_owned(), String::new());
    html! {
        <div class="logo">
            if !logo.is_empty() {
                if is_new { <img src={logo.to_owned()} alt={shown.text(name)} height="40" /> }
                else { <span class="soft small">{ shown.text(name) }</span> }
                <button type="button" class="quiet bad" onclick={on::<MouseEvent>(shown, removed)}>{ remove }</button>
            }
            <input id={element_id(&format!("{path}.file"))} type="file" accept="image/png,image/jpeg,image/webp"
                aria-label={label.to_owned()} onchange={on_file(shown, path)} />
        </div>
    }
}

fn on_file(shown: &Shown<'_>, path: &str) -> Callback<yew::Event> {
    let (emit, path) = (shown.emit.clone(), path.to_owned());
    Callback::from(move |event: yew::Event| {
        let input = event.target().and_then(|it| it.dyn_into::<HtmlInputElement>().ok());
        let Some(file) = input.and_then(|it| it.files()).and_then(|it| it.get(0)) else { return };
        if file.size() > f64::from(MAX_LOGO_BYTES) {
            emit.emit(Event::Template(TemplateInput::LogoTooLarge(path.clone())));
            return;
        }
        let Ok(reader) = FileReader::new() else { return };
        let (read, emit, path) = (reader.clone(), emit.clone(), path.clone());
        let loaded = Closure::once_into_js(move || {
            if let Some(url) = read.result().ok().and_then(|it| it.as_string()) {
                emit.emit(Event::Template(TemplateInput::Typed(path, url)));
            }
        });
        reader.set_onload(Some(loaded.unchecked_ref()));
        drop(reader.read_as_data_url(&file));
    })
}
