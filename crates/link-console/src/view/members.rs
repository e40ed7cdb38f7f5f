//! The members of the tenant.

use link_types::Mode;
use link_types::console::{Member, Permission, Role, SignedIn};
use wasm_bindgen::JsCast as _;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::parts::{alert, draw_list, field, on_submit, question, role_name};
use super::shown::Shown;
use crate::core::question::Act;
use crate::core::{Event, Text};

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    let state = shown.state;
    let may_manage = state.may(Mode::Production, Permission::ManageMembers);
    html! {
        <>
            <h1 tabindex="-1">{ shown.text(Text::Members) }</h1>
            if let Some(asked) = &state.question {
                if let Act::RemoveMember(member) = &asked.act {
                    { question(shown, shown.language.fill(Text::RemoveNamed, &member.name), Text::RemoveText,
                        Text::RemoveMember, asked) }
                }
            }
            { draw_list(shown, &state.members, |members| list(shown, members, &signed_in.member, may_manage)) }
            if may_manage && !state.members.is_loading() { { form(shown) } }
        </>
    }
}

fn list(shown: &Shown<'_>, members: &[Member], own: &Member, may_manage: bool) -> Html {
    html! {
        <table>
            <caption class="hidden">{ shown.text(Text::Members) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::Member) }</th>
                <th scope="col">{ shown.text(Text::Role) }</th>
                if may_manage { <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th> }
            </tr></thead>
            <tbody>{ for members.iter().map(|member| row(shown, member, member.id == own.id, may_manage)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, member: &Member, is_own: bool, may_manage: bool) -> Html {
    let given = member.clone();
    let chosen = move |role| Event::RoleGiven(given.clone(), role);
    html! {
        <tr key={member.id.as_str().to_owned()}>
            <th scope="row">
                <span dir="auto">{ &member.name }</span>
                if is_own { <span class="badge">{ shown.text(Text::You) }</span> }
                <span class="soft small block">{ &member.email }</span>
            </th>
            <td data-label={shown.text(Text::Role)}>
                if may_manage {
                    { roles(shown, None, shown.language.fill(Text::RoleOf, &member.name), member.role, Role::ALL, chosen) }
                } else {
                    { shown.text(role_name(member.role)) }
                }
            </td>
            if may_manage {
                <td class="last">
                    <button type="button" class="quiet" onclick={shown.send(Event::AddressWanted(member.clone()))}
                        aria-disabled={shown.state.awaits_address().then_some("true")}
                        aria-label={shown.language.fill(Text::NewAddressFor, &member.name)}>
                        { shown.text(Text::NewAddress) }</button>
                    <button type="button" class="quiet bad"
                        onclick={shown.send(Event::Asked(Act::RemoveMember(member.clone())))}
                        aria-label={shown.language.fill(Text::RemoveNamed, &member.name)}>
                        { shown.text(Text::Remove) }</button>
                </td>
            }
        </tr>
    }
}

/// Draws a list of the roles to choose from.
pub(super) fn roles(
    shown: &Shown<'_>,
    id: Option<&'static str>,
    label: String,
    role: Role,
    offered: &[Role],
    chosen: impl Fn(Role) -> Event + 'static,
) -> Html {
    let emit = shown.emit.clone();
    let onchange = Callback::from(move |event: yew::Event| {
        let select = event.target().and_then(|it| it.dyn_into::<HtmlSelectElement>().ok());
        if let Some(role) = select.and_then(|it| it.value().parse().ok()) {
            emit.emit(chosen(role));
        }
    });
    html! {
        <select {id} {onchange} aria-label={id.is_none().then_some(label)}>
            { for offered.iter().map(|it| html! {
                <option value={it.as_str()} selected={*it == role}>{ shown.text(role_name(*it)) }</option>
            }) }
        </select>
    }
}

fn form(shown: &Shown<'_>) -> Html {
    let form = &shown.state.member_form;
    let about = |field| form.failure.as_ref().and_then(|it| it.about(field));
    let has_fault = about("name").or(about("email")).is_some();
    let button = if form.is_sending { Text::Inviting } else { Text::Invite };
    html! {
        <form class="panel" onsubmit={on_submit(shown)} novalidate=true aria-labelledby="form-title">
            <h2 id="form-title">{ shown.text(Text::InviteMember) }</h2>
            if let Some(failure) = form.failure.as_ref().filter(|_| !has_fault) { { alert(shown, failure) } }
            <div class="fields">
                { field(shown, ("member-name", "text", Text::Name), &form.draft.name, about("name"), None,
                    Event::NameTyped) }
                { field(shown, ("member-email", "email", Text::Email), &form.draft.email, about("email"), None,
                    Event::EmailTyped) }
                <div class="field">
                    <label for="member-role">{ shown.text(Text::Role) }</label>
                    { roles(shown, Some("member-role"), String::new(), form.draft.role, Role::ALL, Event::RoleChosen) }
                    <p class="soft small">{ shown.text(Text::for_role(form.draft.role)) }</p>
                </div>
            </div>
            <div class="actions">
                <button type="submit" class="main" aria-disabled={shown.state.awaits_address().then_some("true")}>
                    { shown.text(button) }</button>
            </div>
        </form>
    }
}
