//! The search for people.

use link_types::Mode;
use link_types::console::people::FoundPerson;
use link_types::console::{Permission, SignedIn};
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{alert, environment_lead, heading, on_submit, text_of, time};
use super::shown::Shown;
use crate::core::page::Page;
use crate::core::people::PeopleInput;
use crate::core::texts::people::PeopleText;
use crate::core::webhook_key::PersonKey;
use crate::core::{Event, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, signed_in: &SignedIn) -> Html {
    let people = &shown.state.people;
    html! {
        <>
            { heading(shown, Text::People, mode) }
            { environment_lead(shown, PeopleText::PeopleLead, mode, signed_in) }
            if shown.state.may(mode, Permission::InvitePeople) {
                <p><Link<Route> to={Route::for_page(Page::Inviting(mode))} classes="second button">
                    { shown.text(Text::InviteFile) }</Link<Route>></p>
            }
            { form(shown) }
            if let Some(found) = people.found.as_ref().filter(|_| people.mode == Some(mode)) {
                <section id="found" tabindex="-1" aria-labelledby="found-title">
                    <h2 id="found-title">{ shown.text(PeopleText::FoundTitle) }</h2>
                    { list(shown, mode, found) }
                </section>
            }
        </>
    }
}

fn form(shown: &Shown<'_>) -> Html {
    let form = &shown.state.people.search;
    let fault = form.failure.as_ref().and_then(|it| it.about("find"));
    let described = if fault.is_some() { "find-fault" } else { "find-help" };
    let typed = |event: InputEvent| Event::People(PeopleInput::FindTyped(text_of(&event)));
    html! {
        <form class="panel" onsubmit={on_submit(shown)} novalidate=true role="search">
            if let Some(failure) = form.failure.as_ref().filter(|_| fault.is_none()) { { alert(shown, failure) } }
            <div class="field wide">
                <label for="find">{ shown.text(PeopleText::Find) }</label>
                <input id="find" type="text" value={form.draft.clone()} maxlength="254" autocomplete="off"
                    spellcheck="false" autocapitalize="off" required=true
                    aria-invalid={fault.map(|_| "true")} aria-describedby={described}
                    oninput={shown.emit.reform(typed)} />
                if let Some(fault) = fault {
                    <p class="fault" id="find-fault">{ fault.to_owned() }</p>
                } else {
                    <p class="soft small" id="find-help">{ shown.text(PeopleText::FindHelp) }</p>
                }
            </div>
            <div class="actions"><button type="submit" class="main"
                aria-disabled={form.is_sending.then_some("true")}>{ shown.text(PeopleText::FindButton) }</button></div>
        </form>
    }
}

fn list(shown: &Shown<'_>, mode: Mode, found: &[FoundPerson]) -> Html {
    if found.is_empty() {
        return html! { <div class="empty"><p class="soft">{ shown.text(PeopleText::NotFound) }</p></div> };
    }
    html! {
        <table>
            <caption class="hidden">{ shown.text(PeopleText::FoundTitle) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::Person) }</th>
                <th scope="col">{ shown.text(PeopleText::FoundColumn) }</th>
                <th scope="col">{ shown.text(Text::Created) }</th>
            </tr></thead>
            <tbody>{ for found.iter().map(|it| row(shown, mode, it)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, mode: Mode, person: &FoundPerson) -> Html {
    let name = match &person.reference {
        Some(reference) => html! { <span dir="auto" translate="no">{ reference.clone() }</span> },
        None => html! { shown.text(PeopleText::NoReference) },
    };
    html! {
        <tr key={person.id.to_string()}>
            <th scope="row">
                <Link<Route> to={Route::for_page(Page::Person(mode, PersonKey::new(&person.id)))} classes="link">
                    { name }</Link<Route>>
                <span class="soft small block" translate="no">{ person.id.to_string() }</span>
            </th>
            <td data-label={shown.text(PeopleText::FoundColumn)}>
                { shown.text(PeopleText::of_property(person.found_by)) }</td>
            <td data-label={shown.text(Text::Created)}>{ time(shown, person.created_at) }</td>
        </tr>
    }
}
