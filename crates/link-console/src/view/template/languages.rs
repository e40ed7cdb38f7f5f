//! Texts in several languages: the translations of a template, and a tenant's own texts of the widget.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::controls::{draw_field, on};
use crate::core::Event;
use crate::core::sites::spot::element_id;
use crate::core::templates::TemplateInput;
use crate::core::templates::draft::LANGUAGES;
use crate::core::templates::editor::TemplateEditor;
use crate::core::templates::fields::{TEXT_LANGUAGES, list_translated};
use crate::core::texts::templates::TemplateText;
use crate::view::parts::{text_of, value_of};
use crate::view::shown::Shown;

/// The languages of the service's own texts, which the field suggests.
const SUGGESTED: [&str; 7] = ["en", "es-MX", "fil", "id", "pt-BR", "zh-CN", "ar"];

/// Draws the translations.
pub(super) fn translations(shown: &Shown<'_>, editor: &TemplateEditor) -> Html {
    let draft = &editor.edited.form.draft;
    let language = editor.shown_language();
    let fault = editor.faults.iter().find(|(path, _)| path == "translations");
    html! {
        <section class="panel" aria-labelledby="translations-title" id="at-translations" tabindex="-1">
            <h2 id="translations-title">{ shown.text(TemplateText::Translations) }</h2>
            <p class="soft">{ shown.text(TemplateText::TranslationsText) }</p>
            if let Some((_, message)) = fault { <p class="fault">{ message.clone() }</p> }
            { add_language(shown) }
            if let Some(language) = language {
                <div class="new-field">
                    <div class="field">
                        <label for="translation-language">{ shown.text(TemplateText::Language) }</label>
                        <select id="translation-language" onchange={shown.emit.reform(|event: yew::Event| {
                            Event::Template(TemplateInput::LanguageOpened(value_of(&event)))
                        })}>
                            { for draft.items(LANGUAGES).map(|it| html! {
                                <option value={it.to_owned()} selected={it == language}>{ it.to_owned() }</option>
                            }) }
                        </select>
                    </div>
                    <button type="button" class="quiet bad"
                        onclick={on::<MouseEvent>(shown, TemplateInput::LanguageRemoved(language.to_owned()))}>
                        { shown.language.fill(TemplateText::RemoveLanguage, language) }</button>
                </div>
                <div class="fields" key={language.to_owned()}>
                    { for list_translated(editor.kind).iter().map(|field| {
                        draw_field(shown, editor, field, &format!("translations.{language}.{}", field.path))
                    }) }
                </div>
            }
        </section>
    }
}

fn input(id: &str) -> Option<HtmlInputElement> {
    let document = web_sys::window()?.document()?;
    document.get_element_by_id(id)?.dyn_into().ok()
}

fn add_language(shown: &Shown<'_>) -> Html {
    let emit = shown.emit.clone();
    let added = Callback::from(move |_: MouseEvent| {
        if let Some(input) = input("new-language") {
            emit.emit(Event::Template(TemplateInput::LanguageAdded(input.value())));
            input.set_value("");
        }
    });
    html! {
        <div class="new-field">
            <div class="field">
                <label for="new-language">{ shown.text(TemplateText::NewLanguage) }</label>
                <input id="new-language" list="languages" autocomplete="off" maxlength="35" />
                <datalist id="languages">{ for SUGGESTED.iter().map(|it| html! { <option value={*it} /> }) }</datalist>
            </div>
            <button type="button" class="second" onclick={added}>{ shown.text(TemplateText::Add) }</button>
        </div>
    }
}

/// Draws a tenant's own texts of the widget.
pub(super) fn own_texts(shown: &Shown<'_>, editor: &TemplateEditor) -> Html {
    let fault = editor.faults.iter().find(|(path, _)| path == "texts");
    let row = |(rest, text): (&str, &str)| {
        let path = format!("texts.{rest}");
        let (id, label) = (element_id(&path), rest.replacen('.', " · ", 1));
        let fault = editor.fault(&path).map(str::to_owned);
        let note = format!("{id}-note");
        let typed = path.clone();
        let oninput = shown.emit.reform(move |event: InputEvent| {
            Event::Template(TemplateInput::Typed(typed.clone(), text_of(&event)))
        });
        let removed = on::<MouseEvent>(shown, TemplateInput::Ticked(path, String::new(), false));
        html! {
            <div class="field own-text" key={rest.to_owned()}>
                <label for={id.clone()} translate="no">{ label.clone() }</label>
                <input {id} type="text" dir="auto" value={text.to_owned()} {oninput} autocomplete="off"
                    aria-invalid={fault.as_ref().map(|_| "true")} aria-describedby={fault.as_ref().map(|_| note.clone())} />
                <button type="button" class="quiet bad" onclick={removed}>
                    { shown.language.fill(TemplateText::RemoveItem, &label) }</button>
                if let Some(fault) = fault { <p class="fault" id={note}>{ fault }</p> }
            </div>
        }
    };
    html! {
        <section class="panel" aria-labelledby="texts-title" id="at-texts" tabindex="-1">
            <h2 id="texts-title">{ shown.text(TemplateText::OwnTexts) }</h2>
            <p class="soft">{ shown.text(TemplateText::OwnTextsText) }</p>
            if let Some((_, message)) = fault { <p class="fault">{ message.clone() }</p> }
            <div class="fields">{ for editor.edited.form.draft.below("texts.").map(row) }</div>
            { add_text(shown) }
        </section>
    }
}

fn add_text(shown: &Shown<'_>) -> Html {
    let emit = shown.emit.clone();
    let added = Callback::from(move |_: MouseEvent| {
        let document = web_sys::window().and_then(|it| it.document());
        let select = document.and_then(|it| it.get_element_by_id("new-text-language"));
        let language = select.and_then(|it| it.dyn_into::<HtmlSelectElement>().ok()).map(|it| it.value());
        if let (Some(input), Some(language)) = (input("new-text"), language) {
            emit.emit(Event::Template(TemplateInput::TextAdded(language, input.value())));
            input.set_value("");
        }
    });
    html! {
        <div class="new-field">
            <div class="field">
                <label for="new-text-language">{ shown.text(TemplateText::Language) }</label>
                <select id="new-text-language">
                    { for TEXT_LANGUAGES.iter().enumerate().map(|(place, it)| html! {
                        <option value={*it} selected={place == 0}>{ *it }</option>
                    }) }
                </select>
            </div>
            <div class="field">
                <label for="new-text">{ shown.text(TemplateText::TextKey) }</label>
                <input id="new-text" autocomplete="off" spellcheck="false" maxlength="100" />
            </div>
            <button type="button" class="second" onclick={added}>{ shown.text(TemplateText::AddText) }</button>
        </div>
    }
}
