//! A webhook with its deliveries.

use link_types::Mode;
use link_types::console::{Permission, SignedIn};
use link_types::event::EventType;
use link_types::webhook::{Delivery, DeliveryStatus, PingResult, Webhook};
use yew::prelude::*;
use yew_router::prelude::*;

use super::delivery::outcome as delivery_outcome;
use super::parts::{
    alert, both_times, choose, draw_list, environment, environment_lead, filter_field, question, time,
};
use super::shown::Shown;
use super::{delivery, verify, webhooks};
use crate::core::page::Page;
use crate::core::question::Act;
use crate::core::webhook_key::WebhookKey;
use crate::core::{Event, Input, Loaded, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, key: WebhookKey, signed_in: &SignedIn) -> Html {
    let it = &shown.state.developer;
    let title = match &it.webhook {
        Loaded::Ready(webhook) => html! { <h1 tabindex="-1" dir="auto">{ webhook.name.clone() }</h1> },
        Loaded::Loading | Loaded::Failed(_) => html! { <h1 tabindex="-1">{ shown.text(Text::Webhook) }</h1> },
    };
    html! {
        <>
            <p><Link<Route> to={Route::for_page(Page::Webhooks(mode))} classes="link">
                <span aria-hidden="true">{ "← " }</span>{ shown.text(Text::BackToWebhooks) }</Link<Route>></p>
            <div class="heading">{ title }{ environment(shown, mode) }</div>
            { environment_lead(shown, Text::WebhookText, mode, signed_in) }
            { draw_question(shown) }
            { draw_list(shown, &it.webhook, |webhook| about(shown, mode, key, webhook)) }
            if let Loaded::Ready(_) = &it.webhook {
                { deliveries(shown) }
                { verify::panel(shown) }
            }
            if let Some(opened) = &it.opened { { delivery::panel(shown, mode, opened) } }
        </>
    }
}

fn draw_question(shown: &Shown<'_>) -> Html {
    let Some(asked) = &shown.state.question else { return Html::default() };
    let fill = |text, webhook: &Webhook| shown.language.fill(text, &webhook.name);
    if let Act::PauseWebhook(_, it) = &asked.act {
        question(shown, fill(Text::PauseNamed, it), Text::PauseText, Text::PauseWebhook, asked)
    } else if let Act::DeleteWebhook(_, it) = &asked.act {
        question(shown, fill(Text::DeleteNamed, it), Text::DeleteWebhookText, Text::DeleteWebhook, asked)
    } else {
        Html::default()
    }
}

fn about(shown: &Shown<'_>, mode: Mode, key: WebhookKey, webhook: &Webhook) -> Html {
    let may_manage = shown.state.may(mode, Permission::ManageWebhooks);
    let events = webhook.event_types.words().join(", ");
    let events = if events == link_types::webhook::ALL_EVENTS {
        shown.text(Text::AllEvents).to_owned()
    } else {
        events
    };
    html! {
        <section class="panel" aria-label={shown.text(Text::Webhook)}>
            <dl class="facts">
                <div><dt>{ shown.text(Text::Url) }</dt><dd><code translate="no">{ webhook.url.clone() }</code></dd></div>
                <div><dt>{ shown.text(Text::Status) }</dt><dd>{ webhooks::state(shown, webhook, None) }</dd></div>
                <div><dt>{ shown.text(Text::EventsToSend) }</dt><dd class="small" translate="no">{ events }</dd></div>
                <div><dt>{ shown.text(Text::SigningSecret) }</dt>
                    <dd><code translate="no">{ format!("…{}", webhook.secret_hint) }</code></dd></div>
            </dl>
            if let Some(reason) = &webhook.disabled_reason { <p class="notice bad">{ reason.clone() }</p> }
            if let Some(end) = webhook.rotation_ends_at {
                <p class="soft small">{ shown.language.fill(Text::RotationUntil, &both_times(shown, end)) }</p>
            }
            if may_manage { { actions(shown, mode, key, webhook) } }
            { ping(shown) }
        </section>
    }
}

fn actions(shown: &Shown<'_>, mode: Mode, key: WebhookKey, webhook: &Webhook) -> Html {
    let is_pinging = shown.state.developer.ping == Some(Loaded::Loading);
    let input = |input| shown.send::<MouseEvent>(Event::Developer(input));
    let is_on = webhook.active && webhook.disabled_reason.is_none();
    html! {
        <div class="actions">
            <button type="button" class="second" aria-disabled={is_pinging.then_some("true")}
                onclick={input(Input::PingWanted(key))}>
                { shown.text(if is_pinging { Text::Sending } else { Text::SendPing }) }</button>
            <button type="button" class="second" onclick={input(Input::RotationWanted(key))}>
                { shown.text(Text::RotateSecret) }</button>
            if is_on {
                <button type="button" class="second"
                    onclick={shown.send(Event::Asked(Act::PauseWebhook(mode, webhook.clone())))}>
                    { shown.text(Text::Pause) }</button>
            } else {
                <button type="button" class="second" onclick={input(Input::Resumed(key))}>
                    { shown.text(Text::Resume) }</button>
            }
            <button type="button" class="quiet bad"
                onclick={shown.send(Event::Asked(Act::DeleteWebhook(mode, webhook.clone())))}>
                { shown.text(Text::Delete) }</button>
        </div>
    }
}

fn ping(shown: &Shown<'_>) -> Html {
    match &shown.state.developer.ping {
        None | Some(Loaded::Loading) => Html::default(),
        Some(Loaded::Failed(failure)) => alert(shown, failure),
        Some(Loaded::Ready(result)) => ping_result(shown, result),
    }
}

fn ping_result(shown: &Shown<'_>, result: &PingResult) -> Html {
    let (class, text) =
        if result.accepted { ("notice good", Text::PingAccepted) } else { ("notice bad", Text::PingRefused) };
    html! {
        <div id="ping" {class} role="status" tabindex="-1">
            <p>{ shown.text(text) }{ " " }{ delivery::outcome(&result.attempt) }</p>
        </div>
    }
}

fn deliveries(shown: &Shown<'_>) -> Html {
    let it = &shown.state.developer;
    html! {
        <>
            <div class="heading">
                <h2 id="deliveries" tabindex="-1">{ shown.text(Text::Deliveries) }</h2>
                <button type="button" class="quiet" onclick={shown.send(Event::Developer(Input::RefreshWanted))}>
                    { shown.text(Text::Refresh) }</button>
            </div>
            { filters(shown) }
            { draw_list(shown, &it.deliveries, |deliveries| list(shown, deliveries)) }
            if it.next.is_some() {
                <p><button type="button" class="second" onclick={shown.send(Event::Developer(Input::MoreWanted))}>
                    { shown.text(Text::ShowMore) }</button></p>
            }
        </>
    }
}

fn filters(shown: &Shown<'_>) -> Html {
    let query = &shown.state.developer.query;
    let statuses: Vec<_> =
        DeliveryStatus::ALL.iter().map(|it| (it.as_str(), shown.text(status_name(*it)).to_owned())).collect();
    let types: Vec<_> = EventType::ALL.iter().map(|it| (it.as_str(), it.as_str().to_owned())).collect();
    let chosen_status = |word: String| Event::Developer(Input::StatusChosen(word.parse().ok()));
    let chosen_type = |word: String| Event::Developer(Input::TypeChosen(word.parse().ok()));
    let day = |id: &'static str, label: Text, value: &str, input: fn(String) -> Input| {
        let onchange = shown
            .emit
            .reform(move |event: yew::Event| Event::Developer(input(super::parts::value_of(&event))));
        filter_field(shown, (id, "date", label), value, (None, None), onchange)
    };
    html! {
        <div class="filters">
            { choose(shown, ("filter-status", Text::Status, Text::Any), query.status.map(DeliveryStatus::as_str), &statuses, chosen_status) }
            { choose(shown, ("filter-type", Text::Event, Text::Any), query.event_type.map(EventType::as_str), &types, chosen_type) }
            { day("filter-from", Text::From, &query.first_day, Input::FirstDayChosen) }
            { day("filter-until", Text::Until, &query.last_day, Input::LastDayChosen) }
        </div>
    }
}

fn list(shown: &Shown<'_>, deliveries: &[Delivery]) -> Html {
    if deliveries.is_empty() {
        let text = if shown.state.developer.query.has_filter() { Text::NoMatch } else { Text::NoDeliveries };
        return html! { <div class="empty"><p class="soft">{ shown.text(text) }</p></div> };
    }
    html! {
        <table>
            <caption class="hidden">{ shown.text(Text::Deliveries) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::Event) }</th>
                <th scope="col">{ shown.text(Text::Status) }</th>
                <th scope="col">{ shown.text(Text::Attempts) }</th>
                <th scope="col">{ shown.text(Text::Time) }</th>
                <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th>
            </tr></thead>
            <tbody>{ for deliveries.iter().map(|delivery| row(shown, delivery)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, delivery: &Delivery) -> Html {
    let is_open = shown.state.developer.opened.as_ref().is_some_and(|it| it.id == delivery.id);
    let opened = Event::Developer(Input::DeliveryOpened(Box::new(delivery.clone())));
    let last = delivery.attempts.last();
    html! {
        <tr key={delivery.id.to_string()} class={is_open.then_some("open")}>
            <th scope="row" class="word" translate="no">{ delivery.event_type.as_str() }</th>
            <td data-label={shown.text(Text::Status)}>{ status(shown, delivery.status) }</td>
            <td data-label={shown.text(Text::Attempts)}>
                <span>{ delivery.attempts.len() }
                    if let Some(attempt) = last { <span class="soft small">{ " · " }{ delivery_outcome(attempt) }</span> }</span>
            </td>
            <td data-label={shown.text(Text::Time)}>
                if let Some(attempt) = last { { time(shown, attempt.at) } } else { <span class="soft">{ "–" }</span> }
            </td>
            <td class="last">
                <button type="button" class="quiet" onclick={shown.send(opened)}
                    aria-label={shown.language.fill(Text::OpenDelivery, delivery.event_type.as_str())}>
                    { shown.text(Text::Details) }</button>
            </td>
        </tr>
    }
}

/// Draws the status of a delivery.
pub(super) fn status(shown: &Shown<'_>, status: DeliveryStatus) -> Html {
    let class = match status {
        DeliveryStatus::Delivered => "state good",
        DeliveryStatus::Exhausted => "state bad",
        DeliveryStatus::Pending => "state wait",
        DeliveryStatus::Cancelled => "state off",
    };
    html! { <span {class}>{ shown.text(status_name(status)) }</span> }
}

const fn status_name(status: DeliveryStatus) -> Text {
    match status {
        DeliveryStatus::Pending => Text::Pending,
        DeliveryStatus::Delivered => Text::Delivered,
        DeliveryStatus::Exhausted => Text::Exhausted,
        DeliveryStatus::Cancelled => Text::Cancelled,
    }
}
