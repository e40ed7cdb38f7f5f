//! A person: accounts, documents, invitations, and the timeline.

use link_types::Mode;
use link_types::console::Permission;
use link_types::console::people::{Happening, Person, PersonDelivery, TimelineEntry};
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{both_times, draw_list, environment, question, time};
use super::shown::Shown;
use super::webhook::status as delivery_status;
use crate::core::page::Page;
use crate::core::people::{PeopleInput, Removal};
use crate::core::question::Act;
use crate::core::texts::people::PeopleText;
use crate::core::{Event, Loaded, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode) -> Html {
    let person = &shown.state.people.person;
    let title = match person {
        Loaded::Ready(person) => person.reference.clone(),
        Loaded::Loading | Loaded::Failed(_) => None,
    };
    let title = title.unwrap_or_else(|| shown.text(Text::Person).to_owned());
    html! {
        <>
            <p><Link<Route> to={Route::for_page(Page::People(mode))} classes="link">
                <span aria-hidden="true">{ "← " }</span>{ shown.text(PeopleText::BackToSearch) }</Link<Route>></p>
            <div class="heading"><h1 tabindex="-1" dir="auto">{ title }</h1>{ environment(shown, mode) }</div>
            { draw_question(shown) }
            { draw_list(shown, person, |person| content(shown, mode, person)) }
        </>
    }
}

fn draw_question(shown: &Shown<'_>) -> Html {
    let Some(asked) = &shown.state.question else { return Html::default() };
    let Act::Remove(_, removal) = &asked.act else { return Html::default() };
    let (title, text, button) = match removal {
        Removal::Account(_) => (PeopleText::AskAccount, PeopleText::AskAccountText, PeopleText::Revoke),
        Removal::Archive(_) => (PeopleText::AskArchive, PeopleText::AskArchiveText, PeopleText::Revoke),
        Removal::Invite(_) => (PeopleText::AskInvite, PeopleText::AskInviteText, PeopleText::Revoke),
        Removal::User(_) => (PeopleText::AskErase, PeopleText::AskEraseText, PeopleText::Erase),
    };
    question(shown, shown.text(title).to_owned(), text, button, asked)
}

fn content(shown: &Shown<'_>, mode: Mode, person: &Person) -> Html {
    let may_help = shown.state.may(mode, Permission::HelpPeople);
    html! {
        <>
            <section class="panel" aria-label={shown.text(Text::Person)}>
                <dl class="facts">
                    <div><dt>{ shown.text(PeopleText::UserId) }</dt>
                        <dd><code translate="no">{ person.id.to_string() }</code></dd></div>
                    <div><dt>{ shown.text(PeopleText::Reference) }</dt>
                        <dd dir="auto">{ person.reference.clone().unwrap_or_else(|| "–".to_owned()) }</dd></div>
                    <div><dt>{ shown.text(Text::Created) }</dt><dd>{ time(shown, person.created_at) }</dd></div>
                </dl>
                if shown.state.may(mode, Permission::ErasePeople) {
                    <div class="actions"><button type="button" class="quiet bad"
                        onclick={shown.send(Event::Asked(Act::Remove(mode, Removal::User(person.id.clone()))))}>
                        { shown.text(PeopleText::Erase) }</button></div>
                }
            </section>
            { accounts(shown, mode, person, may_help) }
            { archives(shown, mode, person, may_help) }
            { invites(shown, mode, person, may_help) }
            { timeline(shown, mode, person) }
        </>
    }
}

/// Draws the rows of a table, or the text that it is empty.
fn table(shown: &Shown<'_>, title: PeopleText, empty: PeopleText, columns: &[&str], rows: Vec<Html>) -> Html {
    if rows.is_empty() {
        return html! { <><h2>{ shown.text(title) }</h2><p class="soft">{ shown.text(empty) }</p></> };
    }
    html! {
        <>
            <h2>{ shown.text(title) }</h2>
            <table>
                <caption class="hidden">{ shown.text(title) }</caption>
                <thead><tr>
                    { for columns.iter().map(|it| html! { <th scope="col">{ *it }</th> }) }
                    <th scope="col"><span class="hidden">{ shown.text(Text::Act) }</span></th>
                </tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </>
    }
}

fn revoke_button(shown: &Shown<'_>, mode: Mode, id: &str, removal: Removal) -> Html {
    html! {
        <button type="button" class="quiet" aria-label={shown.language.fill(PeopleText::RevokeOf, id)}
            onclick={shown.send(Event::Asked(Act::Remove(mode, removal)))}>{ shown.text(PeopleText::Revoke) }</button>
    }
}

fn accounts(shown: &Shown<'_>, mode: Mode, person: &Person, may_help: bool) -> Html {
    let (status, sync, created) =
        (shown.text(Text::Status), shown.text(PeopleText::Sync), shown.text(Text::Created));
    let rows = person.accounts.iter().map(|account| {
        let is_ended = account.connection.end_reason.is_some();
        html! {
            <tr key={account.id.to_string()} class={is_ended.then_some("off")}>
                <th scope="row"><span translate="no">{ account.provider_id.to_string() }</span>
                    <span class="soft small block" translate="no">{ account.id.to_string() }</span></th>
                <td data-label={status}><span translate="no">{ account.connection_status.as_str() }</span>
                    if let Some(code) = &account.connection.error_code {
                        <span class="soft small block" translate="no">{ code.clone() }</span>
                    }</td>
                <td data-label={sync} translate="no">{ account.monitor_status.as_str() }</td>
                <td data-label={created}>{ time(shown, account.created_at) }</td>
                <td class="row-actions">if may_help && !is_ended {
                    { revoke_button(shown, mode, account.id.as_str(), Removal::Account(account.id.clone())) }
                }</td>
            </tr>
        }
    });
    let columns = [shown.text(PeopleText::Provider), status, sync, created];
    table(shown, PeopleText::Accounts, PeopleText::NoAccounts, &columns, rows.collect())
}

fn archives(shown: &Shown<'_>, mode: Mode, person: &Person, may_help: bool) -> Html {
    let (status, created) = (shown.text(Text::Status), shown.text(Text::Created));
    let rows = person.archives.iter().map(|archive| {
        let is_ended = archive.status == link_types::archive::ArchiveStatus::Revoked;
        html! {
            <tr key={archive.id.to_string()} class={is_ended.then_some("off")}>
                <th scope="row"><span class="small" translate="no">{ archive.id.to_string() }</span></th>
                <td data-label={status}><span translate="no">{ archive.status.as_str() }</span>
                    if let Some(code) = archive.error_code {
                        <span class="soft small block" translate="no">{ code.as_str() }</span>
                    }</td>
                <td data-label={created}>{ time(shown, archive.created_at) }</td>
                <td class="row-actions">if may_help && !is_ended {
                    { revoke_button(shown, mode, archive.id.as_str(), Removal::Archive(archive.id.clone())) }
                }</td>
            </tr>
        }
    });
    let columns = [shown.text(PeopleText::Documents), status, created];
    table(shown, PeopleText::Documents, PeopleText::NoDocuments, &columns, rows.collect())
}

fn invites(shown: &Shown<'_>, mode: Mode, person: &Person, may_help: bool) -> Html {
    let (status, created) = (shown.text(Text::Status), shown.text(Text::Created));
    let is_acting = shown.state.people.acting.is_some();
    let rows = person.invites.iter().map(|invite| {
        let is_ended = invite.status == link_types::invite::InviteStatus::Revoked;
        let again = Event::People(PeopleInput::MailWanted(invite.id.clone()));
        html! {
            <tr key={invite.id.to_string()} class={is_ended.then_some("off")}>
                <th scope="row"><span class="small" translate="no">{ invite.id.to_string() }</span></th>
                <td data-label={status}><span translate="no">{ invite.status.as_str() }</span>
                    if let Some(error) = invite.mail_error {
                        <span class="soft small block">
                            { shown.language.fill(PeopleText::MailFailed, error.as_str()) }</span>
                    }</td>
                <td data-label={created}>{ time(shown, invite.created_at) }</td>
                <td class="row-actions">if may_help && !is_ended {
                    <button type="button" class="quiet" aria-disabled={is_acting.then_some("true")}
                        aria-label={shown.language.fill(PeopleText::SendAgainOf, invite.id.as_str())}
                        onclick={shown.send(again)}>{ shown.text(PeopleText::SendAgain) }</button>
                    { revoke_button(shown, mode, invite.id.as_str(), Removal::Invite(invite.id.clone())) }
                }</td>
            </tr>
        }
    });
    let columns = [shown.text(PeopleText::Invitations), status, created];
    table(shown, PeopleText::Invitations, PeopleText::NoInvitations, &columns, rows.collect())
}

fn timeline(shown: &Shown<'_>, mode: Mode, person: &Person) -> Html {
    let may_resend = shown.state.may(mode, Permission::ResendDeliveries);
    html! {
        <section aria-labelledby="timeline-title">
            <h2 id="timeline-title">{ shown.text(PeopleText::Timeline) }</h2>
            <p class="soft small">{ shown.text(PeopleText::TimelineNote) }</p>
            if person.timeline.is_empty() { <p class="soft">{ shown.text(PeopleText::NoTimeline) }</p> }
            <ol class="timeline">
                { for person.timeline.iter().map(|it| entry(shown, it, may_resend)) }
            </ol>
            if person.has_more { <p class="soft">{ shown.text(PeopleText::Older) }</p> }
        </section>
    }
}

fn entry(shown: &Shown<'_>, entry: &TimelineEntry, may_resend: bool) -> Html {
    let (title, subject, more) = match &entry.what {
        Happening::Session { id, last_used_at } => (
            html! { shown.text(PeopleText::SessionStarted) },
            Some(id.to_string()),
            html! { <p class="soft small">
            { shown.language.fill(PeopleText::LastUsed, &both_times(shown, *last_used_at)) }</p> },
        ),
        Happening::Step { name, subject_id } => (
            html! { <>{ shown.text(PeopleText::Step) }{ " " }<code translate="no">{ name.as_str() }</code></> },
            subject_id.clone(),
            Html::default(),
        ),
        Happening::Event { event_type, subject_id, deliveries, .. } => (
            html! { <>{ shown.text(PeopleText::EventEmitted) }{ " " }
            <strong translate="no">{ event_type.as_str() }</strong></> },
            Some(subject_id.clone()),
            html! { <>
                if deliveries.is_empty() { <p class="soft small">{ shown.text(PeopleText::NoDeliveries) }</p> }
                { for deliveries.iter().map(|it| delivery(shown, event_type.as_str(), it, may_resend)) }
            </> },
        ),
    };
    html! {
        <li>
            <div class="when small">{ time(shown, entry.at) }</div>
            <div>
                <p>{ title }</p>
                if let Some(subject) = subject { <p class="soft small" translate="no">{ subject }</p> }
                { more }
            </div>
        </li>
    }
}

fn delivery(shown: &Shown<'_>, event_type: &str, delivery: &PersonDelivery, may_resend: bool) -> Html {
    let wanted = PeopleInput::ResendWanted(delivery.webhook_id.clone(), delivery.id.clone());
    let is_acting = shown.state.people.acting.is_some();
    html! {
        <p class="delivered small">
            { delivery_status(shown, delivery.status) }
            <span>{ shown.language.fill(PeopleText::AttemptsMade, &delivery.attempts.to_string()) }</span>
            <span class="soft" translate="no">{ delivery.webhook_id.to_string() }</span>
            if may_resend {
                <button type="button" class="quiet" aria-disabled={is_acting.then_some("true")}
                    aria-label={shown.language.fill(PeopleText::SendAgainOf, event_type)}
                    onclick={shown.send(Event::People(wanted))}>{ shown.text(PeopleText::SendAgain) }</button>
            }
        </p>
    }
}
