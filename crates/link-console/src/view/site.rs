//! The editor of a link site.

mod condition;
mod conflict;
mod controls;
mod field;
mod fields;
mod preview;
mod settings;
mod translations;

use link_types::Mode;
use link_types::console::Permission;
use link_types::link_site::{LinkSite, LinkSiteAccess, LinkSiteStatus};
use yew::prelude::*;
use yew_router::prelude::*;

use self::controls::on;
use super::parts::{alert, copy_button, draw_list, environment, question};
use super::shown::Shown;
use super::sites;
use crate::core::page::Page;
use crate::core::question::Act;
use crate::core::sites::editor::Editor;
use crate::core::texts::sites::SiteText;
use crate::core::webhook_key::SiteKey;
use crate::core::{Event, Failure, Loaded, SiteInput, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode) -> Html {
    let editor = &shown.state.sites.editor;
    let title = match editor {
        Loaded::Ready(editor) => match &editor.edited.saved {
            Some(site) => html! { <h1 tabindex="-1" dir="auto">{ site.name.clone() }</h1> },
            None => html! { <h1 tabindex="-1">{ shown.text(Text::NewLinkSite) }</h1> },
        },
        Loaded::Loading | Loaded::Failed(_) => {
            html! { <h1 tabindex="-1">{ shown.text(shown.state.page.title()) }</h1> }
        }
    };
    html! {
        <>
            <p><Link<Route> to={Route::for_page(Page::Sites(mode))} classes="link">
                <span aria-hidden="true">{ "← " }</span>{ shown.text(SiteText::Back) }</Link<Route>></p>
            <div class="heading">{ title }{ environment(shown, mode) }</div>
            { draw_question(shown) }
            { draw_list(shown, editor, |editor| draw_editor(shown, mode, editor)) }
        </>
    }
}

fn draw_question(shown: &Shown<'_>) -> Html {
    let Some(asked) = &shown.state.question else { return Html::default() };
    let fill = |text, site: &LinkSite| shown.language.fill(text, &site.name);
    if let Act::CloseSite(_, site) = &asked.act {
        question(shown, fill(SiteText::CloseNamed, site), SiteText::CloseText, SiteText::Close, asked)
    } else if let Act::DeleteSite(_, site) = &asked.act {
        question(shown, fill(SiteText::DeleteNamed, site), SiteText::DeleteText, SiteText::DeleteSite, asked)
    } else {
        Html::default()
    }
}

fn draw_editor(shown: &Shown<'_>, mode: Mode, editor: &Editor) -> Html {
    let may_manage = shown.state.may(mode, Permission::ManageLinkSites);
    let has_form = editor.edited.form.draft.steps.has_form();
    html! {
        <>
            if let Some(site) = &editor.edited.saved { { about(shown, mode, site, may_manage) } }
            if !may_manage { <p class="soft">{ shown.text(SiteText::ReadOnly) }</p> }
            if editor.edited.is_recalled && editor.edited.has_changes() { <p class="notice wait">{ shown.text(SiteText::Recalled) }</p> }
            if let Some(conflict) = &editor.edited.conflict { { conflict::panel(shown, conflict) } }
            { refusal(shown, editor) }
            <fieldset class="editor" disabled={!may_manage}>
                <legend class="hidden">{ shown.text(Text::LinkSite) }</legend>
                { settings::address(shown, editor) }
                { settings::pages(shown, editor) }
                if has_form { { fields::panel(shown, editor) } }
                { translations::panel(shown, editor) }
            </fieldset>
            if may_manage {
                { preview::panel(shown, mode, editor) }
                { actions(shown, editor) }
            }
        </>
    }
}

/// Returns the code that shows the site on a page. `None` if no page may, or if people cannot open the site there.
fn embed_code(site: &LinkSite) -> Option<String> {
    let is_open = site.status == LinkSiteStatus::Published && site.access != LinkSiteAccess::Invitation;
    let (service, _) = site.url.rsplit_once("/s/").filter(|_| is_open && !site.embed_origins.is_empty())?;
    let url = &site.url;
    Some(format!(
        "<div data-linchpin-site=\"{url}\"></div>\n<script src=\"{service}/sdk/embed.js\" defer></script>"
    ))
}

fn about(shown: &Shown<'_>, mode: Mode, site: &LinkSite, may_manage: bool) -> Html {
    let may_read_answers = shown.state.may(mode, Permission::ReadAnswers);
    let version = site.form_version.map(|it| it.to_string());
    html! {
        <section class="panel" aria-label={shown.text(Text::LinkSite)}>
            <div class="secret">
                <span class="label">{ shown.text(SiteText::Address) }</span>
                <code translate="no">{ site.url.clone() }</code>
                { copy_button(shown, shown.text(SiteText::Address), &site.url) }
            </div>
            if let Some(code) = embed_code(site) {
                <div class="secret">
                    <span class="label">{ shown.text(SiteText::EmbedCode) }</span>
                    <code translate="no">{ code.clone() }</code>
                    { copy_button(shown, shown.text(SiteText::EmbedCode), &code) }
                </div>
            }
            <dl class="facts">
                <div><dt>{ shown.text(Text::Status) }</dt><dd>{ sites::status(shown, site.status) }</dd></div>
                <div><dt>{ shown.text(SiteText::Submissions) }</dt><dd>{ site.submissions }</dd></div>
                if let Some(version) = version {
                    <div><dt>{ shown.text(SiteText::Version) }</dt><dd>{ version }</dd></div>
                }
            </dl>
            <div class="actions">
                if may_read_answers && site.form_version.is_some() {
                    <Link<Route> to={Route::for_page(Page::Answers(mode, SiteKey::new(&site.id)))} classes="second button">
                        { shown.text(SiteText::SeeAnswers) }</Link<Route>>
                }
                if may_manage && site.status == LinkSiteStatus::Published {
                    <button type="button" class="second"
                        onclick={shown.send(Event::Asked(Act::CloseSite(mode, Box::new(site.clone()))))}>
                        { shown.text(SiteText::Close) }</button>
                }
                if may_manage {
                    <button type="button" class="quiet bad"
                        onclick={shown.send(Event::Asked(Act::DeleteSite(mode, Box::new(site.clone()))))}>
                        { shown.text(SiteText::Delete) }</button>
                }
            </div>
        </section>
    }
}

/// Draws why the service refused the draft: every fault, with a button that leads to its field.
fn refusal(shown: &Shown<'_>, editor: &Editor) -> Html {
    let Some(failure) = &editor.edited.form.failure else { return Html::default() };
    let Failure::Invalid(_) = failure else { return alert(shown, failure) };
    let fault = |(path, message): &(String, String)| {
        let place = place_of(editor, path);
        html! {
            <li><button type="button" class="link" onclick={on(shown, SiteInput::FaultOpened(path.clone()))}>
                <code translate="no" dir="auto">{ place }</code>{ ": " }{ message.clone() }</button></li>
        }
    };
    html! {
        <section id="faults" class="panel danger" role="alert" tabindex="-1" aria-labelledby="faults-title">
            <h2 id="faults-title">{ shown.text(SiteText::FaultsTitle) }</h2>
            <p class="soft">{ shown.text(SiteText::FaultsText) }</p>
            <ul class="faults">{ for editor.faults.iter().map(fault) }</ul>
        </section>
    }
}

/// Returns the path of a fault, with the title of its field.
fn place_of(editor: &Editor, path: &str) -> String {
    let field = crate::core::sites::spot::uid_of(path).and_then(|uid| editor.edited.form.draft.field(uid));
    match (field, path.split_once('.').and_then(|(_, rest)| rest.split_once('.'))) {
        (Some(field), Some((_, part))) => format!("{} · {part}", field.title()),
        _ => path.to_owned(),
    }
}

fn actions(shown: &Shown<'_>, editor: &Editor) -> Html {
    let status = editor.edited.saved.as_ref().map(|it| it.status);
    let is_sending = editor.edited.form.is_sending;
    let disabled = is_sending.then_some("true");
    let (save, publish) = match status {
        None => (SiteText::SaveDraft, Some(SiteText::Publish)),
        Some(LinkSiteStatus::Draft) => (SiteText::Save, Some(SiteText::Publish)),
        Some(LinkSiteStatus::Published) => (SiteText::Save, None),
        Some(LinkSiteStatus::Closed) => (SiteText::Save, Some(SiteText::PublishAgain)),
    };
    let class = |is_main: bool| if is_main { "main" } else { "second" };
    html! {
        <div class="actions saving">
            <button type="button" class={class(publish.is_none())} aria-disabled={disabled}
                onclick={on::<MouseEvent>(shown, SiteInput::Saved(None))}>
                { shown.text(if is_sending { SiteText::Saving } else { save }) }</button>
            if let Some(publish) = publish {
                <button type="button" class="main" aria-disabled={disabled}
                    onclick={on::<MouseEvent>(shown, SiteInput::Saved(Some(LinkSiteStatus::Published)))}>
                    { shown.text(publish) }</button>
            }
            if editor.edited.has_changes() {
                <button type="button" class="quiet" onclick={on::<MouseEvent>(shown, SiteInput::Discarded)}>
                    { shown.text(SiteText::Discard) }</button>
                <span class="soft small">{ shown.text(SiteText::Unsaved) }</span>
            }
        </div>
    }
}
