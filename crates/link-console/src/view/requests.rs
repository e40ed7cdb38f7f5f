//! The latest requests to an environment, and their errors.

use link_types::Mode;
use link_types::console::{LoggedRequest, LoggedRequests, SignedIn};
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{both_times, choose, draw_list, heading, text_of, time};
use super::shown::Shown;
use crate::core::developer::log::{ErrorGroup, LogFilter, error_groups};
use crate::core::page::Page;
use crate::core::texts::codes::meaning;
use crate::core::{Event, Input, Text};
use crate::route::Route;

/// The number of rows that are drawn.
const DRAWN: usize = 100;
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// Draws the page of the requests.
pub(super) fn page(shown: &Shown<'_>, mode: Mode) -> Html {
    html! {
        <>
            { title(shown, Text::Requests, mode) }
            { draw_list(shown, &shown.state.developer.requests, |log| requests(shown, log)) }
        </>
    }
}

/// Draws the page of the errors.
pub(super) fn errors(shown: &Shown<'_>, mode: Mode, signed_in: &SignedIn) -> Html {
    html! {
        <>
            { title(shown, Text::Errors, mode) }
            { draw_list(shown, &shown.state.developer.requests, |log| groups(shown, mode, log, signed_in)) }
        </>
    }
}

fn title(shown: &Shown<'_>, text: Text, mode: Mode) -> Html {
    html! {
        <div class="heading">
            { heading(shown, text, mode) }
            <button type="button" class="quiet" onclick={shown.send(Event::Developer(Input::RefreshWanted))}>
                { shown.text(Text::Refresh) }</button>
        </div>
    }
}

fn requests(shown: &Shown<'_>, log: &LoggedRequests) -> Html {
    let filter = &shown.state.developer.log_filter;
    let found: Vec<_> = log.items.iter().filter(|it| filter.admits(it)).collect();
    html! {
        <>
            <p class="soft lead">{ shown.language.fill(Text::RequestsText, &both_times(shown, log.since)) }</p>
            { filters(shown, filter) }
            if found.is_empty() {
                <div class="empty"><p class="soft">
                    { shown.text(if filter.is_set() { Text::NoMatch } else { Text::NoRequests }) }</p></div>
            } else {
                <table>
                    <caption class="hidden">{ shown.text(Text::Requests) }</caption>
                    <thead><tr>
                        <th scope="col">{ shown.text(Text::Route) }</th>
                        <th scope="col">{ shown.text(Text::StatusCode) }</th>
                        <th scope="col">{ shown.text(Text::Duration) }</th>
                        <th scope="col">{ shown.text(Text::Time) }</th>
                    </tr></thead>
                    <tbody>{ for found.iter().take(DRAWN).map(|it| row(shown, it)) }</tbody>
                </table>
            }
            if found.len() > DRAWN { <p class="soft">{ shown.text(Text::First100) }</p> }
        </>
    }
}

fn row(shown: &Shown<'_>, request: &LoggedRequest) -> Html {
    html! {
        <tr key={request.id.clone()}>
            <th scope="row" translate="no"><span class="method">{ request.method.clone() }</span>{ " " }
                <code>{ request.route.clone() }</code>
                <span class="soft small block mono">{ request.id.clone() }</span></th>
            <td data-label={shown.text(Text::StatusCode)}>
                <span><span class={class_of(request.status)}>{ request.status }</span>
                    if let Some(code) = request.code { <span class="soft small block" translate="no">{ code.as_str() }</span> }</span>
            </td>
            <td data-label={shown.text(Text::Duration)}>{ milliseconds(request.micros) }</td>
            <td data-label={shown.text(Text::Time)}>{ time(shown, request.at) }</td>
        </tr>
    }
}

fn milliseconds(micros: u64) -> String {
    format!("{}.{} ms", micros / 1_000, micros % 1_000 / 100)
}

const fn class_of(status: u16) -> &'static str {
    match status {
        0..400 => "state good",
        400..500 => "state wait",
        500.. => "state bad",
    }
}

fn filters(shown: &Shown<'_>, filter: &LogFilter) -> Html {
    let changed = |change: fn(&mut LogFilter, String)| {
        let (filter, emit) = (filter.clone(), shown.emit.clone());
        Callback::from(move |text: String| {
            let mut filter = filter.clone();
            change(&mut filter, text);
            emit.emit(Event::Developer(Input::LogFiltered(filter)));
        })
    };
    let text = |id: &'static str, label: Text, value: &str, change: fn(&mut LogFilter, String)| {
        html! {
            <div class="field">
                <label for={id}>{ shown.text(label) }</label>
                <input {id} type="search" value={value.to_owned()} autocomplete="off" maxlength="80"
                    oninput={changed(change).reform(|event: InputEvent| text_of(&event))} />
            </div>
        }
    };
    let methods: Vec<_> = METHODS.iter().map(|it| (*it, (*it).to_owned())).collect();
    let chosen = Some(filter.method.as_str()).filter(|it| !it.is_empty());
    let before = filter.clone();
    html! {
        <div class="filters">
            { text("log-id", Text::RequestId, &filter.id, |filter, text| filter.id = text) }
            { choose(shown, ("log-method", Text::Method, Text::Any), chosen, &methods, move |method| {
                Event::Developer(Input::LogFiltered(LogFilter { method, ..before.clone() }))
            }) }
            { text("log-route", Text::Route, &filter.route, |filter, text| filter.route = text) }
            { text("log-status", Text::StatusCode, &filter.status, |filter, text| filter.status = text) }
        </div>
    }
}

fn groups(shown: &Shown<'_>, mode: Mode, log: &LoggedRequests, signed_in: &SignedIn) -> Html {
    let groups = error_groups(&log.items);
    html! {
        <>
            <p class="soft lead">{ shown.language.fill(Text::ErrorsText, &both_times(shown, log.since)) }</p>
            if groups.is_empty() {
                <div class="empty"><p class="soft">{ shown.text(Text::NoErrors) }</p></div>
            } else {
                <table>
                    <caption class="hidden">{ shown.text(Text::Errors) }</caption>
                    <thead><tr>
                        <th scope="col">{ shown.text(Text::Code) }</th>
                        <th scope="col">{ shown.text(Text::Route) }</th>
                        <th scope="col">{ shown.text(Text::Count) }</th>
                        <th scope="col">{ shown.text(Text::LastSeen) }</th>
                    </tr></thead>
                    <tbody>{ for groups.iter().map(|it| group(shown, mode, it, signed_in)) }</tbody>
                </table>
            }
        </>
    }
}

fn group(shown: &Shown<'_>, mode: Mode, group: &ErrorGroup, signed_in: &SignedIn) -> Html {
    let filter = LogFilter { id: group.last_id.clone(), ..LogFilter::default() };
    html! {
        <tr>
            <th scope="row"><span class={class_of(group.status)}>{ group.status }</span>{ " " }
                if let Some(code) = group.code {
                    <a class="link" translate="no" href={super::overview::docs(&signed_in.production_url)}>{ code.as_str() }</a>
                    <span class="soft small block">{ meaning(code, shown.language) }</span>
                }
            </th>
            <td data-label={shown.text(Text::Route)} translate="no"><span class="method">{ group.method.clone() }</span>{ " " }
                <code>{ group.route.clone() }</code></td>
            <td data-label={shown.text(Text::Count)}>{ group.count }</td>
            <td data-label={shown.text(Text::LastSeen)}>
                <span onclick={shown.send(Event::Developer(Input::LogFiltered(filter)))}>
                    { time(shown, group.last_at) }
                    <Link<Route> to={Route::for_page(Page::Requests(mode))} classes="link small block">
                        { shown.text(Text::SeeRequest) }</Link<Route>>
                </span>
            </td>
        </tr>
    }
}
