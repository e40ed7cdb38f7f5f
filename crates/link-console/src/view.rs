//! Draws the state. Functions of this module have no rules.

mod answers;
mod audit;
mod chart;
mod clock;
mod delivery;
mod enter;
mod events;
mod funnel;
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
mod single_sign_on;
mod site;
mod sites;
mod template;
mod templates;
mod usage;
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
        (Visitor::SignedIn(signed_in), page) if page != Page::Enter => show_portal(shown, signed_in),
        (_, Page::Enter) => alone(enter::page(shown)),
        (Visitor::Unknown, _) => {
            alone(html! { <p class="soft" role="status">{ shown.text(Text::Loading) }</p> })
        }
        (Visitor::Failed(failure), _) => alone(draw_failure(shown, failure)),
        (Visitor::SignedOut | Visitor::SignedIn(_), _) => alone(enter::show_entry(shown)),
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

/// The pages of the sandbox, with names that are unique.
const SANDBOX: &[(Page, Text)] = &[
    (Page::Keys(Mode::Sandbox), Text::SandboxKeys),
    (Page::Webhooks(Mode::Sandbox), Text::SandboxWebhooks),
    (Page::Templates(Mode::Sandbox, TemplateKind::Link), Text::SandboxTemplates),
    (Page::Sites(Mode::Sandbox), Text::SandboxSites),
    (Page::People(Mode::Sandbox), Text::SandboxPeople),
    (Page::Funnel(Mode::Sandbox), Text::SandboxFunnel),
    (Page::Usage(Mode::Sandbox), Text::SandboxUsage),
    (Page::Events, Text::Events),
    (Page::Logins, Text::Logins),
    (Page::Clock, Text::Clock),
    (Page::Requests(Mode::Sandbox), Text::SandboxRequests),
    (Page::Errors(Mode::Sandbox), Text::SandboxErrors),
];
/// The pages of production.
const PRODUCTION: &[(Page, Text)] = &[
    (Page::Keys(Mode::Production), Text::ProductionKeys),
    (Page::Webhooks(Mode::Production), Text::ProductionWebhooks),
    (Page::Templates(Mode::Production, TemplateKind::Link), Text::ProductionTemplates),
    (Page::Sites(Mode::Production), Text::ProductionSites),
    (Page::People(Mode::Production), Text::ProductionPeople),
    (Page::Funnel(Mode::Production), Text::ProductionFunnel),
    (Page::Usage(Mode::Production), Text::ProductionUsage),
    (Page::Requests(Mode::Production), Text::ProductionRequests),
    (Page::Errors(Mode::Production), Text::ProductionErrors),
];
/// The pages of the organization.
const ORGANIZATION: &[(Page, Text)] = &[
    (Page::Members, Text::Members),
    (Page::Sessions, Text::Sessions),
    (Page::Passkeys, Text::Passkeys),
    (Page::SingleSignOn, Text::SingleSignOn),
    (Page::Audit, Text::Audit),
];

fn group(shown: &Shown<'_>, class: &'static str, name: Text, pages: &[(Page, Text)]) -> Html {
    html! {
        <>
            <p {class} aria-hidden="true">{ shown.text(name) }</p>
            <ul aria-label={shown.text(name)}>{ for pages.iter().map(|(page, label)| item(shown, *page, *label)) }</ul>
        </>
    }
}

/// Draws a page of the menu. Of an environment's pages, the group has its name; the label repeats it, so that each name is
/// unique.
fn item(shown: &Shown<'_>, page: Page, label: Text) -> Html {
    let text = page.title();
    let is_current = page == shown.state.page || page == shown.state.page.section();
    html! {
        <li aria-current={is_current.then_some("true")}>
            <Link<Route> to={Route::for_page(page)} classes={if is_current { "item current" } else { "item" }}>
                <span class="hidden">{ (text != label).then(|| shown.text(label)) }</span>
                <span aria-hidden={(text != label).then_some("true")}>{ shown.text(text) }</span>
            </Link<Route>>
        </li>
    }
}

fn show_portal(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    let page = shown.state.page;
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
        Page::Funnel(mode) => funnel::page(shown, mode),
        Page::Usage(mode) => usage::page(shown, mode),
        Page::Members => members::page(shown, signed_in),
        Page::Audit => audit::page(shown),
        Page::Sessions => sessions::page(shown),
        Page::Passkeys => passkeys::page(shown),
        Page::SingleSignOn => single_sign_on::page(shown),
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
                <ul>{ item(shown, Page::Overview, Text::Overview) }</ul>
                { group(shown, "group sandbox", Text::Sandbox, SANDBOX) }
                { group(shown, "group production", Text::Production, PRODUCTION) }
                { group(shown, "group", Text::Organization, ORGANIZATION) }
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
