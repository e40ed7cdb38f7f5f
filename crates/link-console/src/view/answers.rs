//! The answers of people on a link site.

use std::collections::BTreeMap;

use link_types::Mode;
use link_types::form_submission::{Form, FormAnswer, LinkSiteForm};
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{draw_list, environment, filter_field, time, value_of};
use super::shown::Shown;
use crate::core::page::Page;
use crate::core::sites::AnswerQuery;
use crate::core::texts::sites::SiteText;
use crate::core::webhook_key::SiteKey;
use crate::core::webhook_key::path_of;
use crate::core::{Event, Loaded, SiteInput, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, key: SiteKey) -> Html {
    let sites = &shown.state.sites;
    let site = match &sites.editor {
        Loaded::Ready(editor) => editor.edited.saved.as_deref(),
        Loaded::Loading | Loaded::Failed(_) => None,
    };
    html! {
        <>
            <p><Link<Route> to={Route::for_page(Page::Site(mode, key))} classes="link">
                <span aria-hidden="true">{ "← " }</span>
                <span dir="auto">{ site.map_or(shown.text(SiteText::BackToSite).to_owned(), |it| it.name.clone()) }</span>
            </Link<Route>></p>
            <div class="heading"><h1 tabindex="-1">{ shown.text(Text::Answers) }</h1>{ environment(shown, mode) }</div>
            <p class="soft lead">{ shown.text(SiteText::AnswersText) }</p>
            { filters(shown, &sites.query) }
            { draw_list(shown, &sites.answers, |answers| {
                list(shown, answers, site.and_then(|it| it.form.as_ref()))
            }) }
            if matches!(sites.answers, Loaded::Ready(_)) { { files(shown, mode, key) } }
        </>
    }
}

fn filters(shown: &Shown<'_>, query: &AnswerQuery) -> Html {
    let change = |change: fn(&mut AnswerQuery, String)| {
        let query = AnswerQuery { cursor: None, ..query.clone() };
        shown.emit.reform(move |event: yew::Event| {
            let mut query = query.clone();
            change(&mut query, value_of(&event));
            Event::Site(SiteInput::AnswersFiltered(query))
        })
    };
    html! {
        <div class="filters">
            <div class="field">
                <label for="answer-status">{ shown.text(SiteText::AnswerStatus) }</label>
                <select id="answer-status" onchange={change(|query, value| query.is_started = value == "STARTED")}>
                    <option value="SUBMITTED" selected={!query.is_started}>{ shown.text(SiteText::Submitted) }</option>
                    <option value="STARTED" selected={query.is_started}>{ shown.text(SiteText::Started) }</option>
                </select>
            </div>
            { filter_field(shown, ("answer-from", "date", Text::FromDay), &query.first_day, (None, None),
                change(|query, value| query.first_day = value)) }
            { filter_field(shown, ("answer-until", "date", Text::UntilDay), &query.last_day, (None, None),
                change(|query, value| query.last_day = value)) }
        </div>
    }
}

fn files(shown: &Shown<'_>, mode: Mode, key: SiteKey) -> Html {
    let query = AnswerQuery { cursor: None, ..shown.state.sites.query.clone() }.text(&key.to_string());
    let file =
        |format: &str| format!("/console/api/{}/alpha/forms/export{query}&format={format}", path_of(mode));
    html! {
        <>
            <div class="actions">
                if shown.state.sites.next.is_some() {
                    <button type="button" class="second" onclick={shown.send(Event::Site(SiteInput::MoreWanted))}>
                        { shown.text(Text::LoadMore) }</button>
                }
                <a class="link" href={file("CSV")} download="forms.csv">{ shown.text(Text::ExportCsv) }</a>
                <a class="link" href={file("JSON")} download="forms.json">{ shown.text(Text::ExportJson) }</a>
            </div>
            <p class="soft small">{ shown.text(SiteText::ExportText) }</p>
        </>
    }
}

fn list(shown: &Shown<'_>, answers: &[Form], form: Option<&LinkSiteForm>) -> Html {
    if answers.is_empty() {
        return html! { <div class="empty"><p class="soft">{ shown.text(SiteText::NoAnswers) }</p></div> };
    }
    let labels: BTreeMap<&str, &str> =
        form.iter().flat_map(|it| &it.fields).map(|it| (it.name.as_str(), it.label.as_str())).collect();
    html! { <div class="answers">{ for answers.iter().map(|it| answer(shown, it, &labels)) }</div> }
}

fn answer(shown: &Shown<'_>, form: &Form, labels: &BTreeMap<&str, &str>) -> Html {
    let id = format!("answer-{}", form.id);
    let fact = |(name, answer): (&String, &FormAnswer)| {
        let label = labels.get(name.as_str()).copied().unwrap_or(name);
        html! { <div key={name.clone()}><dt dir="auto">{ label.to_owned() }</dt><dd dir="auto">{ show_answer(shown, answer) }</dd></div> }
    };
    html! {
        <section key={form.id.to_string()} class="panel" aria-labelledby={id.clone()}>
            <h2 {id}>{ time(shown, form.submitted_at.unwrap_or(form.created_at)) }</h2>
            <dl class="facts">{ for form.data.iter().map(fact) }</dl>
            { for form.files.iter().map(|it| html! {
                <p key={it.id.to_string()}><a class="link" href={it.url.clone()} dir="auto">{ it.name.clone() }</a></p>
            }) }
            <p class="soft small">
                if let Some(address) = &form.proven_email { { address.clone() }{ " · " } }
                <code translate="no">{ form.reference.clone() }</code>{ " · " }
                <code translate="no">{ form.user_id.to_string() }</code>
                if let Some(version) = form.form_version { { " · " }{ shown.text(SiteText::Version) }{ " " }{ version } }
            </p>
        </section>
    }
}

fn show_answer(shown: &Shown<'_>, answer: &FormAnswer) -> Html {
    let soft = |text: SiteText| html! { <span class="soft">{ shown.text(text) }</span> };
    match answer {
        FormAnswer::Text(text) if text.is_empty() => soft(SiteText::NotAnswered),
        FormAnswer::Text(text) => html! { { text.clone() } },
        FormAnswer::Ticked(true) => html! { { shown.text(SiteText::Yes) } },
        FormAnswer::Ticked(false) => html! { { shown.text(SiteText::No) } },
        FormAnswer::Chosen(chosen) if chosen.is_empty() => soft(SiteText::NotAnswered),
        FormAnswer::Chosen(chosen) => html! { { chosen.join(", ") } },
        FormAnswer::Unanswered => soft(SiteText::NotAnswered),
    }
}
