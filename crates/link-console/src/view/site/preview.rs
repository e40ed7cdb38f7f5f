//! The preview: the service renders the page of the draft into a frame without scripts.

use link_types::Mode;
use yew::prelude::*;

use super::controls::on;
use crate::core::sites::editor::{Editor, Preview, PreviewPage};
use crate::core::texts::sites::SiteText;
use crate::core::webhook_key::path_of;
use crate::core::{Event, SiteInput};
use crate::fetch::json;
use crate::view::parts::value_of;
use crate::view::shown::Shown;

/// Draws the panel. The form sends the draft into the frame; nothing is stored.
pub(super) fn panel(shown: &Shown<'_>, mode: Mode, editor: &Editor) -> Html {
    let preview = &editor.preview;
    let draft = &editor.edited.form.draft;
    let body = json(&draft.body(None, None)).unwrap_or_default();
    let page = match preview.page {
        PreviewPage::Start => "START",
        PreviewPage::Form => "FORM",
        PreviewPage::End => "END",
    };
    let pages = [
        (PreviewPage::Start, "START", SiteText::StartPage),
        (PreviewPage::Form, "FORM", SiteText::Form),
        (PreviewPage::End, "END", SiteText::EndPage),
    ];
    let languages = std::iter::once(&draft.locale).chain(&draft.languages);
    let width = if preview.is_broad { "preview broad" } else { "preview narrow" };
    let change = |change: fn(&mut Preview, String)| {
        let preview = preview.clone();
        shown.emit.reform(move |event: yew::Event| {
            let mut preview = preview.clone();
            change(&mut preview, value_of(&event));
            Event::Site(SiteInput::PreviewChosen(preview))
        })
    };
    let widths = |is_broad: bool, text: SiteText| {
        let chosen = Preview { is_broad, ..preview.clone() };
        html! {
            <label class="choice"><input type="radio" name="preview-width" checked={preview.is_broad == is_broad}
                onchange={on::<yew::Event>(shown, SiteInput::PreviewChosen(chosen))} />{ shown.text(text) }</label>
        }
    };
    let shows_all = Preview { shows_all: !preview.shows_all, ..preview.clone() };
    html! {
        <section class="panel" aria-labelledby="preview-title">
            <h2 id="preview-title">{ shown.text(SiteText::Preview) }</h2>
            <p class="soft">{ shown.text(SiteText::PreviewText) }</p>
            <form method="post" target="preview" class="fields"
                action={format!("/console/api/{}/linkSitePreview", path_of(mode))}>
                <input type="hidden" name="draft" value={body} />
                <div class="field">
                    <label for="preview-page">{ shown.text(SiteText::PreviewPage) }</label>
                    <select id="preview-page" name="page" onchange={change(|preview, value| {
                        preview.page = match value.as_str() {
                            "START" => PreviewPage::Start,
                            "END" => PreviewPage::End,
                            _ => PreviewPage::Form,
                        };
                    })}>
                        { for pages.iter().map(|(_, value, text)| html! {
                            <option value={*value} selected={*value == page}>{ shown.text(*text) }</option>
                        }) }
                    </select>
                </div>
                <div class="field">
                    <label for="preview-language">{ shown.text(SiteText::Language) }</label>
                    <select id="preview-language" name="language"
                        onchange={change(|preview, value| preview.language = value)}>
                        { for languages.map(|it| html! {
                            <option value={it.clone()} selected={*it == preview.language}>{ it.clone() }</option>
                        }) }
                    </select>
                </div>
                <fieldset>
                    <legend>{ shown.text(SiteText::Width) }</legend>
                    { widths(false, SiteText::Phone360) }
                    { widths(true, SiteText::Computer1280) }
                </fieldset>
                if preview.page == PreviewPage::Form {
                    <label class="choice"><input type="checkbox" name="all" checked={preview.shows_all}
                        onchange={on::<yew::Event>(shown, SiteInput::PreviewChosen(shows_all))} />
                        { shown.text(SiteText::ShowAll) }</label>
                }
                <div class="actions"><button type="submit" class="second">{ shown.text(SiteText::ShowPreview) }</button></div>
            </form>
            // A page of 1280 px is scrolled within the panel.
            <div class="preview-frame" tabindex="0" role="group" aria-label={shown.text(SiteText::Preview)}>
                <iframe class={width} name="preview" title={shown.text(SiteText::Preview)} sandbox=""></iframe>
            </div>
        </section>
    }
}
