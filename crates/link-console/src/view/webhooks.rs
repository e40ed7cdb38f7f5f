//! The webhooks of an environment.

use link_types::Mode;
use link_types::console::{DeliveryHealth, Permission, SignedIn, WebhookHealth};
use link_types::event::EventType;
use link_types::webhook::Webhook;
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{alert, draw_list, environment_lead, field, heading, on_submit, time};
use super::shown::Shown;
use crate::core::page::Page;
use crate::core::webhook_key::WebhookKey;
use crate::core::{Event, Input, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, signed_in: &SignedIn) -> Html {
    let may_manage = shown.state.may(mode, Permission::ManageWebhooks);
    html! {
        <>
            { heading(shown, Text::Webhooks, mode) }
            { environment_lead(shown, Text::WebhooksText, mode, signed_in) }
            { draw_list(shown, &shown.state.developer.webhooks, |webhooks| list(shown, mode, webhooks, may_manage)) }
            if may_manage && !shown.state.developer.webhooks.is_loading() { { form(shown, mode) } }
        </>
    }
}

fn list(shown: &Shown<'_>, mode: Mode, webhooks: &[Webhook], may_manage: bool) -> Html {
    if webhooks.is_empty() {
        let text = if may_manage { Text::NoWebhooks } else { Text::NoWebhooksReader };
        return html! { <div class="empty"><p class="soft">{ shown.text(text) }</p></div> };
    }
    html! {
        <table>
            <caption class="hidden">{ shown.text(Text::Webhooks) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::Webhook) }</th>
                <th scope="col">{ shown.text(Text::Status) }</th>
                <th scope="col">{ shown.text(Text::Health) }</th>
                <th scope="col">{ shown.text(Text::LastSuccess) }</th>
                <th scope="col">{ shown.text(Text::LastFailure) }</th>
            </tr></thead>
            <tbody>{ for webhooks.iter().map(|webhook| row(shown, mode, webhook)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, mode: Mode, webhook: &Webhook) -> Html {
    let health = shown.state.developer.health.iter().find(|it| it.webhook_id == webhook.id);
    let at = |time_at: Option<link_types::Timestamp>| match time_at {
        Some(at) => time(shown, at),
        None => html! { <span class="soft">{ "–" }</span> },
    };
    html! {
        <tr key={webhook.id.to_string()} class={(!webhook.active).then_some("off")}>
            <th scope="row">
                <Link<Route> to={Route::for_page(Page::Webhook(mode, WebhookKey::new(&webhook.id)))} classes="link">
                    <span dir="auto">{ webhook.name.clone() }</span></Link<Route>>
                <span class="soft small block" translate="no">{ webhook.url.clone() }</span>
            </th>
            <td data-label={shown.text(Text::Status)}>{ state(shown, webhook, health) }</td>
            <td data-label={shown.text(Text::Health)}>{ bars(shown, health) }</td>
            <td data-label={shown.text(Text::LastSuccess)}>{ at(health.and_then(|it| it.last_success_at)) }</td>
            <td data-label={shown.text(Text::LastFailure)}>{ at(health.and_then(|it| it.last_failure_at)) }</td>
        </tr>
    }
}

/// Draws the state of a webhook: disabled, paused, failing or active.
pub(super) fn state(shown: &Shown<'_>, webhook: &Webhook, health: Option<&WebhookHealth>) -> Html {
    let newest = health.and_then(|it| it.recent.iter().find(|it| **it != DeliveryHealth::Waiting));
    let (class, text) = if webhook.disabled_reason.is_some() {
        ("state bad", Text::Disabled)
    } else if !webhook.active {
        ("state off", Text::Paused)
    } else if newest == Some(&DeliveryHealth::Failing) {
        ("state bad", Text::Failing)
    } else {
        ("state good", Text::WebhookActive)
    };
    html! { <span {class}>{ shown.text(text) }</span> }
}

/// Draws one bar for each of the latest deliveries, the oldest first.
fn bars(shown: &Shown<'_>, health: Option<&WebhookHealth>) -> Html {
    let Some(health) = health.filter(|it| !it.recent.is_empty()) else {
        return html! { <span class="soft">{ shown.text(Text::NoDeliveriesYet) }</span> };
    };
    let accepted = health.recent.iter().filter(|it| **it == DeliveryHealth::Accepted).count();
    let counts = format!("{accepted}/{}", health.recent.len());
    let bar = |outcome: &DeliveryHealth| {
        let class = match outcome {
            DeliveryHealth::Accepted => "bar good",
            DeliveryHealth::Failing => "bar bad",
            DeliveryHealth::Waiting => "bar",
        };
        html! { <span {class} /> }
    };
    html! {
        <span class="health">
            <span class="bars" aria-hidden="true">{ for health.recent.iter().rev().map(bar) }</span>
            <span class="small soft">{ shown.language.fill(Text::HealthCounts, &counts) }</span>
        </span>
    }
}

fn form(shown: &Shown<'_>, mode: Mode) -> Html {
    let form = shown.state.developer.webhook_form(mode);
    let about = |field: &str| form.failure.as_ref().and_then(|it| it.about_any(field));
    let has_fault = about("url").or(about("eventTypes")).is_some();
    let button = if form.is_sending { Text::Registering } else { Text::Register };
    let help = match mode {
        Mode::Sandbox => Text::UrlHelp,
        Mode::Production => Text::UrlHelpProduction,
    };
    let has_all = form.draft.has_all();
    let all = |chosen: bool, text: Text| {
        html! {
            <label class="choice"><input type="radio" name="events" checked={has_all == chosen}
                onchange={shown.send(Event::Developer(Input::AllChosen(chosen)))} />{ shown.text(text) }</label>
        }
    };
    html! {
        <form class="panel" onsubmit={on_submit(shown)} novalidate=true aria-labelledby="form-title">
            <h2 id="form-title">{ shown.text(Text::NewWebhook) }</h2>
            if let Some(failure) = form.failure.as_ref().filter(|_| !has_fault) { { alert(shown, failure) } }
            <div class="broad">
                { field(shown, ("webhook-url", "url", Text::Url), &form.draft.url, about("url"), Some(help),
                    |url| Event::Developer(Input::UrlTyped(url))) }
            </div>
            <fieldset aria-describedby={about("eventTypes").map(|_| "events-fault")}>
                <legend>{ shown.text(Text::EventsToSend) }</legend>
                { all(true, Text::AllEvents) }
                { all(false, Text::SomeEvents) }
                if !has_all {
                    <div class="choices">{ for EventType::ALL.iter().map(|it| choice(shown, *it, &form.draft.event_types)) }</div>
                }
                if let Some(fault) = about("eventTypes") { <p class="fault" id="events-fault">{ fault.to_owned() }</p> }
            </fieldset>
            <div class="actions">
                <button type="submit" class="main" aria-disabled={form.is_sending.then_some("true")}>
                    { shown.text(button) }</button>
            </div>
        </form>
    }
}

fn choice(shown: &Shown<'_>, event_type: EventType, chosen: &[String]) -> Html {
    let is_chosen = chosen.iter().any(|it| it == event_type.as_str());
    html! {
        <label class="choice" translate="no"><input type="checkbox" checked={is_chosen}
            onchange={shown.send(Event::Developer(Input::EventToggled(event_type)))} />{ event_type.as_str() }</label>
    }
}
