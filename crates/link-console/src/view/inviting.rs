//! The page that invites the people of a file.

use js_sys::encode_uri_component;
use link_types::Mode;
use link_types::console::invite_files::{FileFault, FileResult, MAX_FILE_BYTES, RowOutcome};
use link_types::console::{Permission, SignedIn};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{FileReader, HtmlInputElement};
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{alert, draw_failure, heading, value_of};
use super::shown::Shown;
use crate::core::inviting::{Inviting, InvitingInput, Run, result_csv};
use crate::core::page::Page;
use crate::core::texts::inviting::InvitingText;
use crate::core::{Event, Failure, Loaded, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, _: &SignedIn) -> Html {
    let inviting = &shown.state.inviting;
    let content = if !shown.state.may(mode, Permission::InvitePeople) {
        draw_failure(shown, &Failure::Denied)
    } else if let Some(failure) = inviting.list_failure() {
        draw_failure(shown, failure)
    } else {
        html! {
            <>
                <p class="soft lead">{ shown.text(InvitingText::Lead) }</p>
                { choices(shown, inviting) }
                if let Some(run) = &inviting.run {
                    { progress(shown, run) }
                } else if let Some(result) = &inviting.checked {
                    { draw_check(shown, inviting, result) }
                }
            </>
        }
    };
    html! {
        <>
            <p><Link<Route> to={Route::for_page(Page::People(mode))} classes="link">
                <span aria-hidden="true">{ "← " }</span>{ shown.text(Text::People) }</Link<Route>></p>
            { heading(shown, Text::InviteFile, mode) }
            { content }
        </>
    }
}

fn choices(shown: &Shown<'_>, inviting: &Inviting) -> Html {
    let draft = &inviting.draft;
    let (mut invites, mut links, mut sites) = (Vec::new(), Vec::new(), Vec::new());
    if let Loaded::Ready(items) = &inviting.invite_templates {
        invites.extend(items.iter().map(|it| (it.id.to_string(), it.name.clone())));
    }
    if let Loaded::Ready(items) = &inviting.link_templates {
        links.extend(items.iter().map(|it| (it.id.to_string(), it.name.clone())));
    }
    sites.push((String::new(), shown.text(InvitingText::NoSite).to_owned()));
    if let Loaded::Ready(items) = &inviting.sites {
        let fitting = items.iter().filter(|it| it.link_template_id.as_str() == draft.link_template);
        sites.extend(fitting.map(|it| (it.id.to_string(), it.name.clone())));
    }
    let failure = inviting.failure.as_ref();
    let fault = |field: &str| failure.and_then(|it| it.about(field)).map(str::to_owned);
    let of_file =
        inviting.is_too_large.then(|| shown.text(InvitingText::TooLarge).to_owned()).or(fault("file"));
    let is_ready = inviting.is_ready();
    html! {
        <section class="panel" aria-label={shown.text(Text::InviteFile)}>
            if let Some(failure) = failure { { alert(shown, failure) } }
            <fieldset class="editor" disabled={inviting.is_checking || inviting.is_running()}>
                <legend class="hidden">{ shown.text(Text::InviteFile) }</legend>
                <div class="fields">
                    { select(shown, ("invite-template", InvitingText::InviteTemplate), (&draft.invite_template, invites),
                        fault("inviteTemplateId"), InvitingInput::InviteTemplateChosen) }
                    { select(shown, ("link-template", InvitingText::LinkTemplate), (&draft.link_template, links),
                        fault("linkTemplateId"), InvitingInput::LinkTemplateChosen) }
                    { select(shown, ("link-site", InvitingText::Site), (&draft.site, sites),
                        fault("linkSiteId"), InvitingInput::SiteChosen) }
                    <div class="field whole">
                        <label for="file">{ shown.text(InvitingText::File) }</label>
                        <input id="file" type="file" accept=".csv,text/csv,text/plain" onchange={on_file(shown)}
                            aria-invalid={of_file.as_ref().map(|_| "true")} aria-describedby="file-note" />
                        if let Some(fault) = of_file {
                            <p class="fault" id="file-note">{ fault }</p>
                        } else {
                            <p class="soft small" id="file-note">{ shown.text(InvitingText::Columns) }</p>
                        }
                    </div>
                </div>
            </fieldset>
            <div class="actions"><button type="button" class={if inviting.checked.is_some() { "second" } else { "main" }}
                disabled={!is_ready} onclick={shown.send(Event::Inviting(InvitingInput::CheckWanted))}>
                { shown.text(if inviting.is_checking { InvitingText::Checking } else { InvitingText::Check }) }</button></div>
        </section>
    }
}

fn select(
    shown: &Shown<'_>,
    (id, label): (&'static str, InvitingText),
    (chosen, options): (&str, Vec<(String, String)>),
    fault: Option<String>,
    input: fn(String) -> InvitingInput,
) -> Html {
    let onchange = shown.emit.reform(move |event: yew::Event| Event::Inviting(input(value_of(&event))));
    let note = format!("{id}-fault");
    html! {
        <div class="field">
            <label for={id}>{ shown.text(label) }</label>
            <select {id} {onchange} aria-invalid={fault.as_ref().map(|_| "true")}
                aria-describedby={fault.as_ref().map(|_| note.clone())}>
                { for options.into_iter().map(|(value, name)| html! {
                    <option selected={value == chosen} value={value.clone()}>{ name }</option>
                }) }
            </select>
            if let Some(fault) = fault { <p class="fault" id={note}>{ fault }</p> }
        </div>
    }
}

fn on_file(shown: &Shown<'_>) -> Callback<yew::Event> {
    let emit = shown.emit.clone();
    Callback::from(move |event: yew::Event| {
        let input = event.target().and_then(|it| it.dyn_into::<HtmlInputElement>().ok());
        let Some(file) = input.and_then(|it| it.files()).and_then(|it| it.get(0)) else { return };
        if file.size() > f64::from(MAX_FILE_BYTES) {
            emit.emit(Event::Inviting(InvitingInput::FileTooLarge));
            return;
        }
        let Ok(reader) = FileReader::new() else { return };
        let (read, emit, name) = (reader.clone(), emit.clone(), file.name());
        let loaded = Closure::once_into_js(move || {
            if let Some(url) = read.result().ok().and_then(|it| it.as_string()) {
                // A browser may not know the type of the file, and an empty file has a short address.
                let url = if url.contains(";base64,") { url } else { "data:;base64,".to_owned() };
                emit.emit(Event::Inviting(InvitingInput::FileChosen(name, url)));
            }
        });
        reader.set_onload(Some(loaded.unchecked_ref()));
        drop(reader.read_as_data_url(&file));
    })
}

fn draw_check(shown: &Shown<'_>, inviting: &Inviting, result: &FileResult) -> Html {
    if !result.faults.is_empty() {
        return faults(shown, result);
    }
    let new = inviting.new_rows();
    let known = result.rows.len().saturating_sub(new);
    let fill = |text, count: usize| shown.language.fill(text, &count.to_string());
    html! {
        <section id="checked" class="panel" tabindex="-1" aria-labelledby="checked-title">
            <h2 id="checked-title">{ shown.text(InvitingText::CheckedTitle) }</h2>
            if new == 0 { <p>{ shown.text(InvitingText::NothingNew) }</p> }
            else {
                <p>{ fill(InvitingText::CheckedText, new) }</p>
                if known > 0 { <p>{ fill(InvitingText::KnownText, known) }</p> }
            }
            if new > 0 {
                <div class="actions"><button type="button" class="main"
                    onclick={shown.send(Event::Inviting(InvitingInput::RunWanted))}>
                    { fill(InvitingText::Run, new) }</button></div>
            }
        </section>
    }
}

fn faults(shown: &Shown<'_>, result: &FileResult) -> Html {
    let row = |it: &FileFault| {
        html! {
            <tr>
                <th scope="row" data-label={shown.text(InvitingText::Line)}>{ it.line }</th>
                <td data-label={shown.text(InvitingText::Column)} translate="no" dir="auto">{ it.column.clone() }</td>
                <td data-label={shown.text(InvitingText::Reason)}>{ it.reason.clone() }</td>
            </tr>
        }
    };
    html! {
        <section id="checked" class="panel danger" role="alert" tabindex="-1" aria-labelledby="checked-title">
            <h2 id="checked-title">{ shown.text(InvitingText::FaultsTitle) }</h2>
            <p class="soft">{ shown.text(InvitingText::FaultsText) }</p>
            <table>
                <caption class="hidden">{ shown.text(InvitingText::FaultsTitle) }</caption>
                <thead><tr>
                    <th scope="col">{ shown.text(InvitingText::Line) }</th>
                    <th scope="col">{ shown.text(InvitingText::Column) }</th>
                    <th scope="col">{ shown.text(InvitingText::Reason) }</th>
                </tr></thead>
                <tbody>{ for result.faults.iter().map(row) }</tbody>
            </table>
            <p>{ download(shown, result_csv(&[], &result.faults)) }</p>
        </section>
    }
}

fn progress(shown: &Shown<'_>, run: &Run) -> Html {
    let done = run.rows.len();
    let is_over = run.next.is_none();
    let invited = run.rows.iter().filter(|it| it.outcome == RowOutcome::Invited).count();
    let share = format!("{done}/{}", run.total);
    let title = match (is_over, run.is_sending) {
        (true, _) => InvitingText::DoneTitle,
        (false, true) => InvitingText::Running,
        (false, false) => InvitingText::Stopped,
    };
    html! {
        <section id="invited" class="panel" tabindex="-1" aria-labelledby="invited-title">
            <h2 id="invited-title">{ shown.text(title) }</h2>
            <progress max={run.total.to_string()} value={done.to_string()} aria-label={shown.text(title)} />
            <p role="status">{ shown.language.fill(InvitingText::Progress, &share) }</p>
            if is_over {
                <p>{ shown.language.fill(InvitingText::DoneText, &invited.to_string()) }</p>
                <p>{ download(shown, result_csv(&run.rows, &[])) }</p>
            } else if !run.is_sending {
                <div class="actions"><button type="button" class="main"
                    onclick={shown.send(Event::Inviting(InvitingInput::RunWanted))}>
                    { shown.text(InvitingText::Continue) }</button></div>
            }
        </section>
    }
}

fn download(shown: &Shown<'_>, csv: String) -> Html {
    let href = format!("data:text/csv;charset=utf-8,{}", String::from(encode_uri_component(&csv)));
    html! { <a class="link" {href} download="invitations.csv">{ shown.text(InvitingText::Result) }</a> }
}
