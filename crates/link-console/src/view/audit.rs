//! The audit log.

use link_types::Mode;
use link_types::audit::{ActorType, AuditAction, AuditEvent, AuditOutcome};
use yew::prelude::*;

use super::parts::{choice, draw_list, environment, filter_field, time, value_of};
use super::shown::Shown;
use crate::core::audit::AuditFilters;
use crate::core::{Event, Loaded, Text};

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>) -> Html {
    let log = &shown.state.audit;
    let file = |format: &str| format!("/console/api{}/audit.{format}", log.filters.base());
    html! {
        <>
            <div class="heading">
                <h1 tabindex="-1">{ shown.text(Text::Audit) }</h1>
                { environment(shown, log.filters.mode) }
            </div>
            <p class="soft lead">{ shown.text(Text::AuditText) }</p>
            { filters(shown, &log.filters) }
            { draw_list(shown, &log.events, |events| list(shown, events)) }
            if matches!(log.events, Loaded::Ready(_)) {
                <div class="actions">
                    if log.next.is_some() {
                        <button type="button" class="second" onclick={shown.send(Event::MoreWanted)}
                            aria-disabled={log.is_loading_more.then_some("true")}>{ shown.text(Text::LoadMore) }</button>
                    }
                    <a class="link" href={file("csv")} download="audit.csv">{ shown.text(Text::ExportCsv) }</a>
                    <a class="link" href={file("json")} download="audit.json">{ shown.text(Text::ExportJson) }</a>
                </div>
            }
        </>
    }
}

fn filters(shown: &Shown<'_>, filters: &AuditFilters) -> Html {
    let modes = [(Mode::Production, Text::Production), (Mode::Sandbox, Text::Sandbox)];
    let environments = modes.iter().map(|(mode, text)| (shown.text(*text).to_owned(), *mode == filters.mode));
    let any = std::iter::once((shown.text(Text::AnyAct).to_owned(), filters.action.is_none()));
    let actions = AuditAction::ALL.iter().map(|it| (it.to_string(), filters.action == Some(*it)));
    let with_mode = filters.clone();
    let with_action = filters.clone();
    html! {
        <div class="fields">
            { choice(shown, "audit-environment", Text::Environment, environments, None, move |place| {
                let mode = modes.get(place).map_or(Mode::Production, |(mode, _)| *mode);
                Event::AuditFiltered(AuditFilters { mode, ..with_mode.clone() })
            }) }
            { choice(shown, "audit-act", Text::Act, any.chain(actions), None, move |place| {
                let action = place.checked_sub(1).and_then(|it| AuditAction::ALL.get(it)).copied();
                Event::AuditFiltered(AuditFilters { action, ..with_action.clone() })
            }) }
            { input(shown, ("audit-actor", "text", Text::Actor), filters, &filters.actor, Some(Text::ActorHelp),
                |filters, value| filters.actor = value) }
            { input(shown, ("audit-from", "date", Text::FromDay), filters, &filters.from, None,
                |filters, value| filters.from = value) }
            { input(shown, ("audit-until", "date", Text::UntilDay), filters, &filters.until, None,
                |filters, value| filters.until = value) }
        </div>
    }
}

/// Draws a field that filters when its value is complete.
fn input(
    shown: &Shown<'_>,
    (id, kind, label): (&'static str, &'static str, Text),
    filters: &AuditFilters,
    value: &str,
    help: Option<Text>,
    set: fn(&mut AuditFilters, String),
) -> Html {
    let filters = filters.clone();
    let onchange = shown.emit.reform(move |event: yew::Event| {
        let mut filters = filters.clone();
        set(&mut filters, value_of(&event).trim().to_owned());
        Event::AuditFiltered(filters)
    });
    filter_field(shown, (id, kind, label), value, (None, help), onchange)
}

fn list(shown: &Shown<'_>, events: &[AuditEvent]) -> Html {
    if events.is_empty() {
        return html! { <div class="empty"><p class="soft">{ shown.text(Text::NoEvents) }</p></div> };
    }
    html! {
        <table>
            <caption class="hidden">{ shown.text(Text::Audit) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::Act) }</th>
                <th scope="col">{ shown.text(Text::Time) }</th>
                <th scope="col">{ shown.text(Text::Actor) }</th>
                <th scope="col">{ shown.text(Text::Outcome) }</th>
                <th scope="col">{ shown.text(Text::Source) }</th>
            </tr></thead>
            <tbody>{ for events.iter().map(|event| row(shown, event)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, event: &AuditEvent) -> Html {
    let (class, outcome) = match event.outcome {
        AuditOutcome::Done => ("state good", Text::OutcomeDone),
        AuditOutcome::Denied => ("state off", Text::OutcomeDenied),
        AuditOutcome::Failed => ("state off", Text::OutcomeFailed),
    };
    html! {
        <tr key={event.id.as_str().to_owned()}>
            <th scope="row">
                <code translate="no">{ event.action.as_str() }</code>
                if let Some(subject) = &event.subject_id {
                    <code class="soft block" translate="no">{ shorten(subject) }</code>
                }
            </th>
            <td data-label={shown.text(Text::Time)}>{ time(shown, event.created_at) }</td>
            <td data-label={shown.text(Text::Actor)} dir="auto">{ actor(shown, event) }</td>
            <td data-label={shown.text(Text::Outcome)}>
                <span><span {class}>{ shown.text(outcome) }</span>
                    if let Some(code) = event.code { <code class="soft block" translate="no">{ code.as_str() }</code> }
                </span>
            </td>
            <td data-label={shown.text(Text::Source)}>
                <span>{ event.address.clone().unwrap_or_default() }
                    <span class="soft small block">{ &event.agent }</span>
                    { identifiers(shown, event) }
                </span>
            </td>
        </tr>
    }
}

/// Draws the whole identifiers, which are too long for a column.
fn identifiers(shown: &Shown<'_>, event: &AuditEvent) -> Html {
    let ids = [
        (Text::Subject, &event.subject_id),
        (Text::Actor, &event.actor.id),
        (Text::RequestId, &event.request_id),
    ];
    let given: Vec<_> = ids.iter().filter_map(|(name, id)| id.as_ref().map(|id| (*name, id))).collect();
    if given.is_empty() {
        return Html::default();
    }
    html! {
        <details class="ids">
            <summary class="small">{ shown.text(Text::Identifiers) }</summary>
            <dl>{ for given.into_iter().map(|(name, id)| html! {
                <><dt>{ shown.text(name) }</dt><dd><code translate="no">{ id.clone() }</code></dd></>
            }) }</dl>
        </details>
    }
}

/// Returns an identifier with its kind and its last digits.
fn shorten(id: &str) -> String {
    match (id.split_once('-'), id.len().checked_sub(6).and_then(|at| id.get(at..))) {
        (Some((kind, digits)), Some(end)) if digits.len() > 12 => format!("{kind}-…{end}"),
        _ => id.to_owned(),
    }
}

/// Returns the name of the actor: of a member, if the members are loaded and it is still one.
fn actor(shown: &Shown<'_>, event: &AuditEvent) -> String {
    let id = event.actor.id.clone().unwrap_or_default();
    match (event.actor.kind, &shown.state.members) {
        (ActorType::Member, _) if id.is_empty() => shown.text(Text::Member).to_owned(),
        (ActorType::Operator, _) => shown.text(Text::Operator).to_owned(),
        (ActorType::ApiKey, _) => shown.language.fill(Text::KeyNamed, &shorten(&id)),
        (ActorType::Member, Loaded::Ready(members)) => {
            let named = members.iter().find(|it| it.id.as_str() == id);
            named.map_or_else(|| shorten(&id), |it| it.name.clone())
        }
        (ActorType::Member, Loaded::Loading | Loaded::Failed(_)) => shorten(&id),
    }
}
