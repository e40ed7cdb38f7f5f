//! The translations of the texts that people see.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::controls::{on, read_text};
use crate::core::sites::draft::Wording;
use crate::core::sites::editor::Editor;
use crate::core::texts::sites::SiteText;
use crate::core::{Event, SiteInput};
use crate::view::parts::value_of;
use crate::view::shown::Shown;

/// The languages of the service's own texts, which the field suggests.
const SUGGESTED: [&str; 7] = ["en", "es-MX", "fil", "id", "pt-BR", "zh-CN", "ar"];

/// Draws the panel.
pub(super) fn panel(shown: &Shown<'_>, editor: &Editor) -> Html {
    let draft = &editor.edited.form.draft;
    let language = editor.shown_language();
    let faults = editor.faults.iter().filter(|(path, _)| path.contains("translations"));
    html! {
        <section class="panel" aria-labelledby="translations-title" id="at-translations" tabindex="-1">
            <h2 id="translations-title">{ shown.text(SiteText::Translations) }</h2>
            <p class="soft">{ shown.text(SiteText::TranslationsText) }</p>
            { for faults.map(|(path, message)| html! { <p class="fault">{ format!("{path}: {message}") }</p> }) }
            { add(shown) }
            if let Some(language) = language {
                <div class="new-field">
                    <div class="field">
                        <label for="translation-language">{ shown.text(SiteText::Language) }</label>
                        <select id="translation-language" onchange={shown.emit.reform(|event: yew::Event| {
                            Event::Site(SiteInput::LanguageOpened(value_of(&event)))
                        })}>
                            { for draft.languages.iter().map(|it| html! {
                                <option value={it.clone()} selected={it == language}>{ it.clone() }</option>
                            }) }
                        </select>
                    </div>
                    <button type="button" class="quiet bad"
                        onclick={on::<MouseEvent>(shown, SiteInput::LanguageRemoved(language.to_owned()))}>
                        { shown.language.fill(SiteText::RemoveLanguage, language) }</button>
                </div>
                { texts(shown, language, &draft.texts()) }
            }
        </section>
    }
}

fn add(shown: &Shown<'_>) -> Html {
    let emit = shown.emit.clone();
    let added = Callback::from(move |_: MouseEvent| {
        let document = web_sys::window().and_then(|it| it.document());
        let input = document.and_then(|it| it.get_element_by_id("new-language"));
        if let Some(input) = input.and_then(|it| it.dyn_into::<HtmlInputElement>().ok()) {
            emit.emit(Event::Site(SiteInput::LanguageAdded(input.value())));
            input.set_value("");
        }
    });
    html! {
        <div class="new-field">
            <div class="field">
                <label for="new-language">{ shown.text(SiteText::NewLanguage) }</label>
                <input id="new-language" list="languages" autocomplete="off" maxlength="35" />
                <datalist id="languages">{ for SUGGESTED.iter().map(|it| html! { <option value={*it} /> }) }</datalist>
            </div>
            <button type="button" class="second" onclick={added}>{ shown.text(SiteText::AddLanguage) }</button>
        </div>
    }
}

fn texts(shown: &Shown<'_>, language: &str, texts: &[&Wording]) -> Html {
    if texts.is_empty() {
        return html! { <p class="soft">{ shown.text(SiteText::NothingToTranslate) }</p> };
    }
    let row = |(place, wording): (usize, &&Wording)| {
        let (id, text) = (format!("translation-{place}"), wording.text.clone());
        let value = wording.translations.get(language).cloned().unwrap_or_default();
        let oninput = shown.emit.reform(move |event: InputEvent| {
            Event::Site(SiteInput::Translated(text.clone(), read_text(&event)))
        });
        html! {
            <div class="field" key={place}>
                <label for={id.clone()} dir="auto">{ wording.text.clone() }</label>
                <textarea {id} class="words" rows="1" lang={language.to_owned()} dir="auto" {value} {oninput} />
            </div>
        }
    };
    html! { <div class="fields">{ for texts.iter().enumerate().map(row) }</div> }
}
