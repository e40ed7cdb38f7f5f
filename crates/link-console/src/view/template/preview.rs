//! The preview: the widget's real frame, into which a form sends the draft.

use link_types::Mode;
use yew::prelude::*;

use super::controls::on;
use crate::core::Event;
use crate::core::templates::TemplateInput;
use crate::core::templates::editor::TemplateEditor;
use crate::core::templates::fields::TEXT_LANGUAGES;
use crate::core::templates::kind::TemplateKind;
use crate::core::templates::preview::{DRAFT, FORM, PreviewChoice, PreviewInput, PreviewStart};
use crate::core::texts::sites::SiteText;
use crate::core::texts::templates::TemplateText;
use crate::core::webhook_key::path_of;
use crate::view::parts::value_of;
use crate::view::shown::Shown;

/// The name of each language in itself, in the order of [`TEXT_LANGUAGES`].
const NAMES: [&str; TEXT_LANGUAGES.len()] = [
    "English",
    "العربية",
    "Español (México)",
    "Filipino",
    "Bahasa Indonesia",
    "Português (Brasil)",
    "简体中文",
];

/// Draws the panel. Nothing for a template that the widget does not show.
pub(super) fn panel(shown: &Shown<'_>, mode: Mode, editor: &TemplateEditor) -> Html {
    let kind = match editor.kind {
        TemplateKind::Link => "LINK",
        TemplateKind::Consent => "CONSENT",
        TemplateKind::Invite => return Html::default(),
    };
    let preview = &editor.preview;
    let choice = &preview.choice;
    let id = editor.edited.saved.as_ref().and_then(|it| it.key()).map(|it| it.to_string());
    let hidden = |name: &'static str, value: String| html! { <input type="hidden" {name} {value} /> };
    // The frame before is below the one that loads, so that nothing flickers.
    let frames = preview.shown.saturating_sub(1).max(1)..=preview.shown;
    let frame = |number: u32| {
        let is_old = number < preview.shown;
        html! {
            <iframe key={number} name={name_of(number)} title={shown.text(TemplateText::Preview)}
                inert={is_old} aria-hidden={is_old.then_some("true")} sandbox="allow-scripts allow-forms"></iframe>
        }
    };
    let stage = if choice.is_broad { "stage broad" } else { "stage narrow" };
    html! {
        <section class="panel preview-panel" aria-labelledby="preview-title">
            <h2 id="preview-title">{ shown.text(TemplateText::Preview) }</h2>
            <p class="soft small">{ shown.text(TemplateText::PreviewText) }</p>
            if editor.kind == TemplateKind::Consent {
                <p class="soft small">{ shown.text(TemplateText::PreviewOfConsent) }</p>
            }
            { controls(shown, choice) }
            <form id={FORM} method="post" target={name_of(preview.shown)} hidden=true
                action={format!("/console/api/{}/templatePreview", path_of(mode))}>
                { hidden("kind", kind.to_owned()) }
                { for id.map(|id| hidden("id", id)) }
                // The shell fills it when it submits the form.
                <input type="hidden" name={DRAFT} />
                { hidden("page", choice.start.word().to_owned()) }
                { hidden("language", choice.language.clone()) }
                { hidden("scheme", if choice.is_dark { "dark" } else { "light" }.to_owned()) }
            </form>
            <div class="preview-frame"><div class={stage}>{ for frames.map(frame) }</div></div>
            <div class="actions"><button type="button" class="second"
                onclick={on::<MouseEvent>(shown, TemplateInput::Preview(PreviewInput::Restarted))}>
                { shown.text(TemplateText::Restart) }</button></div>
        </section>
    }
}

fn name_of(number: u32) -> String {
    format!("template-preview-{number}")
}

fn choose(choice: PreviewChoice) -> TemplateInput {
    TemplateInput::Preview(PreviewInput::Chosen(choice))
}

fn controls(shown: &Shown<'_>, choice: &PreviewChoice) -> Html {
    let changed = |change: fn(&mut PreviewChoice, String)| {
        let choice = choice.clone();
        shown.emit.reform(move |event: yew::Event| {
            let mut choice = choice.clone();
            change(&mut choice, value_of(&event));
            Event::Template(choose(choice))
        })
    };
    let start = |it: PreviewStart| {
        let text = match it {
            PreviewStart::Consent => TemplateText::StartConsent,
            PreviewStart::Providers => TemplateText::StartProviders,
            PreviewStart::Login => TemplateText::StartLogin,
        };
        html! { <option value={it.word()} selected={it == choice.start}>{ shown.text(text) }</option> }
    };
    let language = |(tag, name): (&'static str, &str)| {
        html! { <option value={tag} lang={tag} selected={tag == choice.language}>{ name }</option> }
    };
    let pick = |group: &'static str, is_on: bool, chosen: PreviewChoice, label: &'static str| {
        html! {
            <label class="choice"><input type="radio" name={group} checked={is_on}
                onchange={on::<yew::Event>(shown, choose(chosen))} />{ label }</label>
        }
    };
    let width = |is_broad: bool, label: &'static str| {
        let chosen = PreviewChoice { is_broad, ..choice.clone() };
        pick("preview-width", choice.is_broad == is_broad, chosen, label)
    };
    let scheme = |is_dark: bool, text: TemplateText| {
        let chosen = PreviewChoice { is_dark, ..choice.clone() };
        pick("preview-scheme", choice.is_dark == is_dark, chosen, shown.text(text))
    };
    html! {
        <div class="preview-controls">
            <div class="field">
                <label for="preview-start">{ shown.text(TemplateText::PreviewStart) }</label>
                <select id="preview-start" onchange={changed(|choice, value| {
                    let found = PreviewStart::ALL.into_iter().find(|it| it.word() == value);
                    choice.start = found.unwrap_or_default();
                })}>{ for PreviewStart::ALL.into_iter().map(start) }</select>
            </div>
            <div class="field">
                <label for="preview-language">{ shown.text(TemplateText::PreviewLanguage) }</label>
                <select id="preview-language" onchange={changed(|choice, value| choice.language = value)}>
                    { for TEXT_LANGUAGES.into_iter().zip(NAMES).map(language) }
                </select>
            </div>
            <fieldset>
                <legend>{ shown.text(SiteText::Width) }</legend>
                { width(false, shown.text(SiteText::Phone360)) }
                { width(true, shown.text(TemplateText::Card)) }
            </fieldset>
            <fieldset>
                <legend>{ shown.text(TemplateText::Scheme) }</legend>
                { scheme(false, TemplateText::Light) }
                { scheme(true, TemplateText::Dark) }
            </fieldset>
        </div>
    }
}
