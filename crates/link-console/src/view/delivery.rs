//! The panel of a delivery: its attempts, its body, sending it again, and a command that does the same.

use link_types::Mode;
use link_types::console::Permission;
use link_types::webhook::{Delivery, DeliveryAttempt};
use yew::prelude::*;

use super::parts::{alert, copy_button, draw_list, pretty, time};
use super::shown::Shown;
use super::webhook::status;
use crate::core::developer::Opened;
use crate::core::developer::curl::curl;
use crate::core::{Event, Failure, Input, Loaded, Text};

/// Draws the panel.
pub(super) fn panel(shown: &Shown<'_>, mode: Mode, opened: &Opened) -> Html {
    let close = shown.send::<MouseEvent>(Event::Developer(Input::DeliveryClosed));
    let on_key = shown.emit.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            on_key.emit(Event::Developer(Input::DeliveryClosed));
        }
    });
    html! {
        <section id="delivery" class="side" tabindex="-1" aria-labelledby="delivery-title" {onkeydown}>
            <div class="side-top">
                <h2 id="delivery-title">{ shown.text(Text::Delivery) }</h2>
                <button type="button" class="quiet" onclick={close}>{ shown.text(Text::Close) }</button>
            </div>
            { draw_list(shown, &opened.delivery, |delivery| content(shown, mode, opened, delivery)) }
        </section>
    }
}

fn content(shown: &Shown<'_>, mode: Mode, opened: &Opened, delivery: &Delivery) -> Html {
    let may_resend = shown.state.may(mode, Permission::ResendDeliveries);
    let button = if opened.is_sending { Text::Sending } else { Text::Resend };
    html! {
        <>
            <p><strong translate="no">{ delivery.event_type.as_str() }</strong></p>
            <p>{ status(shown, delivery.status) }</p>
            <dl class="facts">
                <div><dt>{ shown.text(Text::EventId) }</dt><dd><code translate="no">{ delivery.event_id.to_string() }</code></dd></div>
                <div><dt>{ shown.text(Text::DeliveryId) }</dt><dd><code translate="no">{ delivery.id.to_string() }</code></dd></div>
                if let Some(next) = delivery.next_attempt_at {
                    <div><dt>{ shown.text(Text::NextAttempt) }</dt><dd>{ time(shown, next) }</dd></div>
                }
            </dl>
            if may_resend {
                <div class="actions"><button type="button" class="main" aria-disabled={opened.is_sending.then_some("true")}
                    onclick={shown.send(Event::Developer(Input::ResendWanted))}>{ shown.text(button) }</button></div>
            }
            <h3>{ shown.text(Text::Attempts) }</h3>
            if delivery.attempts.is_empty() { <p class="soft">{ shown.text(Text::NoAttempts) }</p> }
            <ol class="attempts" reversed=true>
                { for delivery.attempts.iter().enumerate().rev().map(|(place, it)| attempt(shown, place + 1, it)) }
            </ol>
            <h3>{ shown.text(Text::EventBody) }</h3>
            { body(shown, delivery, &opened.body) }
        </>
    }
}

fn attempt(shown: &Shown<'_>, number: usize, attempt: &DeliveryAttempt) -> Html {
    let class = if is_accepted(attempt) { "state good" } else { "state bad" };
    html! {
        <li key={number}>
            <p><span {class}>{ shown.language.fill(Text::Attempt, &number.to_string()) }</span>
                { " · " }{ outcome(attempt) }{ " · " }{ format!("{} ms", attempt.duration_ms) }</p>
            <p class="soft small">{ time(shown, attempt.at) }</p>
            if attempt.response_status.is_some() {
                if let Some(answer) = attempt.response_body.as_ref().filter(|it| !it.is_empty()) {
                    <details><summary>{ shown.text(Text::ResponseBody) }</summary>
                        <pre translate="no" tabindex="0" aria-label={shown.text(Text::ResponseBody)}>{ answer.clone() }</pre></details>
                } else {
                    <p class="soft small">{ shown.text(Text::NoResponseBody) }</p>
                }
            }
        </li>
    }
}

/// Returns the status of an attempt's response, or why there was none.
pub(super) fn outcome(attempt: &DeliveryAttempt) -> String {
    match (attempt.response_status, &attempt.error) {
        (Some(status), _) => format!("HTTP {status}"),
        (None, Some(error)) => error.clone(),
        (None, None) => "–".to_owned(),
    }
}

fn is_accepted(attempt: &DeliveryAttempt) -> bool {
    attempt.response_status.is_some_and(|status| (200..300).contains(&status))
}

fn body(shown: &Shown<'_>, delivery: &Delivery, body: &Loaded<String>) -> Html {
    match body {
        Loaded::Ready(body) => {
            let url = match &shown.state.developer.webhook {
                Loaded::Ready(webhook) => webhook.url.as_str(),
                Loaded::Loading | Loaded::Failed(_) => "",
            };
            let command = curl(url, &delivery.event_id, body);
            html! {
                <>
                    <p class="soft small">{ shown.text(Text::EventBodyNote) }</p>
                    { code(shown, Text::EventBody, &pretty(body), body) }
                    <details><summary>{ shown.text(Text::CopyCurl) }</summary>
                        { code(shown, Text::CopyCurl, &command, &command) }</details>
                </>
            }
        }
        Loaded::Loading => html! { <p class="soft">{ shown.text(Text::Loading) }</p> },
        Loaded::Failed(Failure::Denied) => {
            html! { <p class="soft">{ shown.text(Text::EventBodyDenied) }</p> }
        }
        Loaded::Failed(failure) => alert(shown, failure),
    }
}

/// Draws a text of several lines, with a button that copies `copied`.
pub(super) fn code(shown: &Shown<'_>, label: Text, text: &str, copied: &str) -> Html {
    html! {
        <div class="code">
            <pre translate="no" tabindex="0" aria-label={shown.text(label)}>{ text.to_owned() }</pre>
            { copy_button(shown, shown.text(label), copied) }
        </div>
    }
}
