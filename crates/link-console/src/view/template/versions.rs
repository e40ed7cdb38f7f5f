//! The saved versions of a template.

use yew::prelude::*;

use super::compare;
use super::controls::on;
use crate::core::Text;
use crate::core::templates::TemplateInput;
use crate::core::templates::editor::{SavedVersion, TemplateEditor};
use crate::core::texts::templates::TemplateText;
use crate::view::parts::{draw_list, time};
use crate::view::shown::Shown;

/// Draws the panel.
pub(super) fn panel(shown: &Shown<'_>, editor: &TemplateEditor, may_manage: bool) -> Html {
    html! {
        <section class="panel" aria-labelledby="versions-title">
            <h2 id="versions-title">{ shown.text(TemplateText::Versions) }</h2>
            <p class="soft">{ shown.text(TemplateText::VersionsText) }</p>
            { draw_list(shown, &editor.versions, |versions| list(shown, editor, versions, may_manage)) }
        </section>
    }
}

fn list(shown: &Shown<'_>, editor: &TemplateEditor, versions: &[SavedVersion], may_manage: bool) -> Html {
    if versions.is_empty() {
        return html! { <p class="soft">{ shown.text(TemplateText::NoVersions) }</p> };
    }
    let row = |(place, it): (usize, &SavedVersion)| {
        let number = it.version.to_string();
        let is_open = editor.opened_version == Some(it.version);
        html! {
            <tr key={it.version}>
                <th scope="row">{ shown.language.fill(TemplateText::VersionNumber, &number) }
                    if place == 0 { { " " }<span class="state good">{ shown.text(TemplateText::Current) }</span> }</th>
                <td data-label={shown.text(TemplateText::PublishedAt)}>{ time(shown, it.saved_at) }</td>
                <td data-label={(place > 0).then(|| shown.text(Text::Action))}>
                    if place > 0 {
                        <button type="button" class="second" aria-expanded={is_open.to_string()}
                            aria-label={shown.language.fill(TemplateText::CompareNamed, &number)}
                            onclick={on::<MouseEvent>(shown, TemplateInput::VersionOpened(it.version))}>
                            { shown.text(TemplateText::Compare) }</button>
                    }
                </td>
            </tr>
        }
    };
    html! {
        <>
            <table>
                <caption class="hidden">{ shown.text(TemplateText::Versions) }</caption>
                <thead><tr>
                    <th scope="col">{ shown.text(TemplateText::Version) }</th>
                    <th scope="col">{ shown.text(TemplateText::PublishedAt) }</th>
                    <th scope="col">{ shown.text(Text::Action) }</th>
                </tr></thead>
                <tbody>{ for versions.iter().enumerate().map(row) }</tbody>
            </table>
            if let Some(version) = editor.opened_version { { draw_version(shown, editor, version, may_manage) } }
        </>
    }
}

fn draw_version(shown: &Shown<'_>, editor: &TemplateEditor, version: u32, may_manage: bool) -> Html {
    let Some(differences) = editor.compare(version) else { return Html::default() };
    let title = shown.language.fill(TemplateText::VersionNumber, &version.to_string());
    let heads = (TemplateText::ThenText, TemplateText::NowText);
    html! {
        <section class="version" aria-label={title.clone()}>
            <h3>{ title }</h3>
            if differences.is_empty() {
                <p class="soft">{ shown.text(TemplateText::SameAsNow) }</p>
            } else {
                { compare(shown, TemplateText::Versions, heads, &differences) }
                if may_manage {
                    <div class="actions"><button type="button" class="second"
                        onclick={on::<MouseEvent>(shown, TemplateInput::Restored(version))}>
                        { shown.text(TemplateText::Restore) }</button></div>
                }
            }
        </section>
    }
}
