//! Single sign-on: the member's own identity, and the settings for owners.

use link_types::Mode;
use link_types::console::single_sign_on::{OwnIdentity, SignOnDomain, SingleSignOn};
use link_types::console::{Permission, Role};
use yew::prelude::*;

use super::members::roles;
use super::parts::{alert, copy_button, draw_list, field, on_submit, on_submit_as, question, time};
use super::shown::Shown;
use crate::core::question::Act;
use crate::core::single_sign_on::SignOnInput;
use crate::core::single_sign_on::request::{SignOnField, SignOnRequest, Way};
use crate::core::texts::sign_in::SignOnText;
use crate::core::{Event, Text};

/// The roles of people who join by themselves.
const ROLES: &[Role] = &[Role::Developer, Role::Support, Role::Viewer];

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>) -> Html {
    let sign_on = &shown.state.sign_on;
    html! {
        <>
            <h1 tabindex="-1">{ shown.text(Text::SingleSignOn) }</h1>
            { draw_question(shown) }
            <section aria-labelledby="own">
                <h2 id="own">{ shown.text(SignOnText::OwnTitle) }</h2>
                { draw_list(shown, &sign_on.own, |own| draw_own(shown, own)) }
            </section>
            if shown.state.may(Mode::Production, Permission::ManageMembers) {
                { draw_list(shown, &sign_on.settings, |settings| draw_settings(shown, settings)) }
            }
        </>
    }
}

fn draw_question(shown: &Shown<'_>) -> Html {
    let Some(asked) = &shown.state.question else { return Html::default() };
    let Act::SignOn(request) = &asked.act else { return Html::default() };
    let (title, text) = if let SignOnRequest::RemoveDomain(domain) = request {
        (domain.clone(), SignOnText::RemoveDomainText)
    } else if *request == SignOnRequest::Unlink {
        (shown.text(SignOnText::Unlink).to_owned(), SignOnText::UnlinkText)
    } else {
        (shown.text(SignOnText::RemoveProvider).to_owned(), SignOnText::RemoveProviderText)
    };
    question(shown, title, text, Text::Remove, asked)
}

fn draw_own(shown: &Shown<'_>, own: &OwnIdentity) -> Html {
    let (text, button) = match (own.is_offered, own.linked_at) {
        (false, _) => (SignOnText::NotOffered, None),
        (true, None) => {
            (SignOnText::OwnText, Some((SignOnText::Link, Event::SignOn(SignOnInput::Wanted(Way::Own)))))
        }
        (true, Some(_)) => {
            (SignOnText::Linked, Some((SignOnText::Unlink, Event::Asked(Act::SignOn(SignOnRequest::Unlink)))))
        }
    };
    html! {
        <>
            <p class="soft">{ shown.text(text) }</p>
            if let Some((label, event)) = button {
                <p><button type="button" class="second" onclick={shown.send(event)}>{ shown.text(label) }</button></p>
            }
        </>
    }
}

fn draw_settings(shown: &Shown<'_>, settings: &SingleSignOn) -> Html {
    html! { <>{ provider(shown, settings) }{ domains(shown, settings) }</> }
}

fn provider(shown: &Shown<'_>, settings: &SingleSignOn) -> Html {
    let form = &shown.state.sign_on.provider;
    let about = |field| form.failure.as_ref().and_then(|it| it.about(field));
    let has_fault = ["issuer", "clientId", "clientSecret"].into_iter().any(|it| about(it).is_some());
    let [issuer, client_id, secret] = &form.draft.texts;
    let (role, is_required) = (form.draft.role, form.draft.is_required);
    let has_secret = settings.provider.as_ref().map(|_| SignOnText::SecretHelp);
    html! {
        <form class="panel" onsubmit={on_submit(shown)} novalidate=true aria-labelledby="provider">
            <h2 id="provider">{ shown.text(SignOnText::Provider) }</h2>
            <div class="secret">
                <span class="label">{ shown.text(SignOnText::Callback) }</span>
                <code translate="no">{ &settings.callback_url }</code>
                { copy_button(shown, shown.text(SignOnText::Callback), &settings.callback_url) }
            </div>
            if let Some(failure) = form.failure.as_ref().filter(|_| !has_fault) { { alert(shown, failure) } }
            <div class="fields">
                { field(shown, ("issuer", "url", SignOnText::Issuer), issuer, about("issuer"), Some(SignOnText::IssuerHelp),
                    |it| Event::SignOn(SignOnInput::Typed(SignOnField::Issuer, it))) }
                { field(shown, ("client-id", "text", SignOnText::ClientId), client_id, about("clientId"), None,
                    |it| Event::SignOn(SignOnInput::Typed(SignOnField::ClientId, it))) }
                { field(shown, ("client-secret", "password", SignOnText::ClientSecret), secret, about("clientSecret"), has_secret,
                    |it| Event::SignOn(SignOnInput::Typed(SignOnField::ClientSecret, it))) }
                <div class="field">
                    <label for="new-role">{ shown.text(SignOnText::NewRole) }</label>
                    { roles(shown, Some("new-role"), String::new(), role, ROLES,
                        |it| Event::SignOn(SignOnInput::RoleChosen(it))) }
                </div>
                <label class="choice"><input type="checkbox" checked={is_required}
                    onchange={shown.send(Event::SignOn(SignOnInput::RequiredToggled))} />
                    { shown.text(SignOnText::Required) }</label>
            </div>
            <div class="actions">
                <button type="submit" class="main" aria-disabled={form.is_sending.then_some("true")}>
                    { shown.text(SignOnText::Save) }</button>
                if settings.provider.is_some() {
                    <button type="button" class="quiet bad"
                        onclick={shown.send(Event::Asked(Act::SignOn(SignOnRequest::Remove)))}>
                        { shown.text(SignOnText::RemoveProvider) }</button>
                }
            </div>
        </form>
    }
}

fn domains(shown: &Shown<'_>, settings: &SingleSignOn) -> Html {
    let form = &shown.state.sign_on.domain;
    let fault = form.failure.as_ref().and_then(|it| it.about("domain"));
    let submitted = Event::SignOn(SignOnInput::DomainSubmitted);
    html! {
        <form class="panel" onsubmit={on_submit_as(shown, submitted)} novalidate=true aria-labelledby="domains">
            <h2 id="domains">{ shown.text(SignOnText::Domains) }</h2>
            <p class="soft">{ shown.text(SignOnText::DomainsText) }</p>
            if !settings.domains.is_empty() {
                <table>
                    <caption class="hidden">{ shown.text(SignOnText::Domains) }</caption>
                    <thead><tr>
                        <th scope="col">{ shown.text(SignOnText::Domain) }</th>
                        <th scope="col">{ shown.text(SignOnText::Record) }</th>
                        <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th>
                    </tr></thead>
                    <tbody>{ for settings.domains.iter().map(|it| row(shown, it)) }</tbody>
                </table>
            }
            if let Some(failure) = form.failure.as_ref().filter(|_| fault.is_none()) { { alert(shown, failure) } }
            { field(shown, ("domain", "text", SignOnText::Domain), &form.draft, fault, None,
                |it| Event::SignOn(SignOnInput::DomainTyped(it))) }
            <div class="actions">
                <button type="submit" class="second" aria-disabled={form.is_sending.then_some("true")}>
                    { shown.text(SignOnText::AddDomain) }</button>
            </div>
        </form>
    }
}

fn row(shown: &Shown<'_>, domain: &SignOnDomain) -> Html {
    let name = domain.domain.clone();
    let removal = Event::Asked(Act::SignOn(SignOnRequest::RemoveDomain(name.clone())));
    html! {
        <tr key={name.clone()}>
            <th scope="row">{ &name }</th>
            <td data-label={shown.text(SignOnText::Record)}>
                if let Some(at) = domain.proven_at {
                    <span class="badge">{ shown.text(SignOnText::Proven) }</span>{ " " }{ time(shown, at) }
                } else {
                    <code class="block">{ &domain.record_name }</code><code class="block">{ &domain.record_text }</code>
                }
            </td>
            <td class="last">
                if domain.proven_at.is_none() {
                    <button type="button" class="quiet" aria-label={format!("{}: {name}", shown.text(SignOnText::Proof))}
                        onclick={shown.send(Event::SignOn(SignOnInput::ProofWanted(name.clone())))}>
                        { shown.text(SignOnText::Proof) }</button>
                }
                <button type="button" class="quiet bad" aria-label={format!("{}: {name}", shown.text(Text::Remove))}
                    onclick={shown.send(removal)}>{ shown.text(Text::Remove) }</button>
            </td>
        </tr>
    }
}

/// Draws the way to the provider on the page without a session.
pub(super) fn organization(shown: &Shown<'_>) -> Html {
    let form = &shown.state.sign_on.organization;
    let fault = form.failure.as_ref().and_then(|it| it.about("organization"));
    let wanted = Event::SignOn(SignOnInput::Wanted(Way::Organization));
    html! {
        <form class="mailed" onsubmit={on_submit_as(shown, wanted)} novalidate=true>
            if let Some(failure) = form.failure.as_ref().filter(|_| fault.is_none()) { { alert(shown, failure) } }
            { field(shown, ("organization", "text", SignOnText::Organization), &form.draft, fault,
                Some(SignOnText::OrganizationHelp), |it| Event::SignOn(SignOnInput::OrganizationTyped(it))) }
            <button type="submit" class="second wide" aria-disabled={form.is_sending.then_some("true")}>
                { shown.text(SignOnText::Continue) }</button>
        </form>
    }
}
