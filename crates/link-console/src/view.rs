//! Draws the state. Functions of this module have no rules.

mod answers;
mod audit;
mod clock;
mod delivery;
mod enter;
mod events;
mod inviting;
mod keys;
mod logins;
mod members;
mod once;
mod overview;
mod parts;
mod passkeys;
mod people;
mod person;
mod requests;
mod sessions;
pub mod shown;
mod site;
mod sites;
mod template;
mod templates;
mod verify;
mod webhook;
mod webhooks;

use link_types::Mode;
use link_types::console::SignedIn;
use yew::prelude::*;
use yew_router::prelude::*;

use self::parts::{draw_failure, notice};
use self::shown::Shown;
use crate::core::templates::kind::TemplateKind;
use crate::core::{Event, Page, Text, Visitor};
use crate::route::Route;

/// Draws the whole portal.
pub fn portal(shown: &Shown<'_>) -> Html {
    match (&shown.state.visitor, shown.state.page) {
        (Visitor::SignedIn(signed_in), page) if page != Page::Enter => signed_in_portal(shown, signed_in),
        (_, Page::Enter) => alone(enter::page(shown)),
        (Visitor::Unknown, _) => {
            alone(html! { <p class="soft" role="status">{ shown.text(Text::Loading) }</p> })
        }
        (Visitor::Failed(failure), _) => alone(draw_failure(shown, failure)),
        (Visitor::SignedOut | Visitor::SignedIn(_), _) => alone(enter::signed_out(shown)),
    }
}

/// Returns the class that colors the page of an environment.
const fn environment_class(page: Page) -> Option<&'static str> {
    match page.mode() {
        Some(Mode::Sandbox) => Some("is-sandbox"),
        Some(Mode::Production) => Some("is-production"),
        None => None,
    }
}

fn alone(content: Html) -> Html {
    html! {
        <div class="alone">
            <p class="brand"><span class="mark" aria-hidden="true">{ "L" }</span>{ "Linchpin" }</p>
            <main class="card">{ content }</main>
        </div>
    }
}

fn signed_in_portal(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    let page = shown.state.page;
    // Of an environment's pages, the group has its name; the label repeats it, so that each name is unique.
    let item = |route: Route, text: Text, label: Text| {
        let is_current = route.page() == page || route.page() == page.section();
        html! {
            <li aria-current={is_current.then_some("true")}>
                <Link<Route> to={route} classes={if is_current { "item current" } else { "item" }}>
                    <span class="hidden">{ (text != label).then(|| shown.text(label)) }</span>
                    <span aria-hidden={(text != label).then_some("true")}>{ shown.text(text) }</span>
                </Link<Route>>
            </li>
        }
    };
    let is_open = shown.state.is_menu_open;
    let content = match page {
        Page::Overview | Page::Enter => overview::page(shown, signed_in),
        Page::Keys(mode) => keys::page(shown, mode, signed_in),
        Page::Webhooks(mode) => webhooks::page(shown, mode, signed_in),
        Page::Webhook(mode, id) => webhook::page(shown, mode, id, signed_in),
        Page::Templates(mode, kind) => templates::page(shown, mode, kind),
        Page::NewTemplate(mode, kind) => template::page(shown, mode, kind),
        Page::CopiedTemplate(mode, key) => template::page(shown, mode, key.kind),
        Page::Template(mode, key) => template::page(shown, mode, key.kind),
        Page::Sites(mode) => sites::page(shown, mode, signed_in),
        Page::NewSite(mode) | Page::Site(mode, _) => site::page(shown, mode),
        Page::Answers(mode, key) => answers::page(shown, mode, key),
        Page::People(mode) => people::page(shown, mode, signed_in),
        Page::Inviting(mode) => inviting::page(shown, mode, signed_in),
        Page::Person(mode, _) => person::page(shown, mode),
        Page::Events => events::page(shown, signed_in),
        Page::Logins => logins::page(shown, signed_in),
        Page::Clock => clock::page(shown, signed_in),
        Page::Requests(mode) => requests::page(shown, mode),
        Page::Errors(mode) => requests::errors(shown, mode, signed_in),
        Page::Members => members::page(shown, signed_in),
        Page::Audit => audit::page(shown),
        Page::Sessions => sessions::page(shown),
        Page::Passkeys => passkeys::page(shown),
        Page::Missing => html! {
            <>
                <h1 tabindex="-1">{ shown.text(Text::MissingTitle) }</h1>
                <p class="soft">{ shown.text(Text::MissingText) }</p>
                <p><Link<Route> to={Route::Overview} classes="link">{ shown.text(Text::ToOverview) }</Link<Route>></p>
            </>
        },
    };
    html! {
        <div class={classes!("portal", environment_class(page))}>
            <a class="skip" href="#content">{ shown.text(Text::SkipToContent) }</a>
            <header class="top">
                <p class="brand"><span class="mark" aria-hidden="true">{ "L" }</span>
                    <span dir="auto">{ &signed_in.tenant_name }</span></p>
                <div class="who">
                    <span class="who-name" dir="auto">{ &signed_in.member.name }</span>
                    <button type="button" class="quiet" onclick={shown.send(Event::SignOut)}
                        disabled={shown.state.is_signing}>{ shown.text(Text::SignOut) }</button>
                </div>
            </header>
            <button type="button" class="second menu" aria-expanded={is_open.to_string()} aria-controls="pages"
                onclick={shown.send(Event::MenuToggled)}>{ shown.text(Text::Menu) }</button>
            <nav id="pages" aria-label={shown.text(Text::Navigation)} class={is_open.then_some("is-open")}>
                <ul>{ item(Route::Overview, Text::Overview, Text::Overview) }</ul>
                <p class="group sandbox" aria-hidden="true">{ shown.text(Text::Sandbox) }</p>
                <ul aria-label={shown.text(Text::Sandbox)}>
                    { item(Route::SandboxKeys, Text::Keys, Text::SandboxKeys) }
                    { item(Route::SandboxWebhooks, Text::Webhooks, Text::SandboxWebhooks) }
                    { item(Route::SandboxTemplates { kind: TemplateKind::Link }, Text::Templates, Text::SandboxTemplates) }
                    { item(Route::SandboxSites, Text::LinkSites, Text::SandboxSites) }
                    { item(Route::SandboxPeople, Text::People, Text::SandboxPeople) }
                    { item(Route::Events, Text::Events, Text::Events) }
                    { item(Route::Logins, Text::Logins, Text::Logins) }
                    { item(Route::Clock, Text::Clock, Text::Clock) }
                    { item(Route::SandboxRequests, Text::Requests, Text::SandboxRequests) }
                    { item(Route::SandboxErrors, Text::Errors, Text::SandboxErrors) }
                </ul>
                <p class="group production" aria-hidden="true">{ shown.text(Text::Production) }</p>
                <ul aria-label={shown.text(Text::Production)}>
                    { item(Route::ProductionKeys, Text::Keys, Text::ProductionKeys) }
                    { item(Route::ProductionWebhooks, Text::Webhooks, Text::ProductionWebhooks) }
                    { item(Route::ProductionTemplates { kind: TemplateKind::Link }, Text::Templates, Text::ProductionTemplates) }
                    { item(Route::ProductionSites, Text::LinkSites, Text::ProductionSites) }
                    { item(Route::ProductionPeople, Text::People, Text::ProductionPeople) }
                    { item(Route::ProductionRequests, Text::Requests, Text::ProductionRequests) }
                    { item(Route::ProductionErrors, Text::Errors, Text::ProductionErrors) }
                </ul>
                <p class="group" aria-hidden="true">{ shown.text(Text::Organization) }</p>
                <ul aria-label={shown.text(Text::Organization)}>
                    { item(Route::Members, Text::Members, Text::Members) }
                    { item(Route::Sessions, Text::Sessions, Text::Sessions) }
                    { item(Route::Passkeys, Text::Passkeys, Text::Passkeys) }
                    { item(Route::Audit, Text::Audit, Text::Audit) }
                </ul>
            </nav>
            <main id="content">
                <div class="notices" role="status">{ notice(shown) }</div>
                { passkeys::confirmation(shown, signed_in) }
                { once::panels(shown) }
                { content }
            </main>
        </div>
    }
}
